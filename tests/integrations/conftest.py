"""A small model of random weights, made once."""

from __future__ import annotations

import pytest

from tests.bundles import write_bundle


@pytest.fixture(scope="session")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("integrations") / "small"
    write_bundle(folder)
    return str(folder)
