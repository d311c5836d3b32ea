"""Names that are imported on first use: each name that a package promises is there, and found only once."""

from __future__ import annotations

import subprocess
import sys

import pytest

import nccp
import nccp.config
from nccp.lazy import import_later


@pytest.mark.parametrize("package", [nccp, nccp.config], ids=lambda package: package.__name__)
def test_every_name_has_a_home(package):
    for name in package.__all__:
        assert getattr(package, name) is vars(package)[name]
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'Tre'"):
        package.Tre  # noqa: B018 -- it is the look-up that counts


def test_a_name_is_imported_when_it_is_used():
    code = (
        "import sys, nccp.config; before = 'nccp.config.data' in sys.modules; nccp.config.DataConfig; "
        "print(before, 'nccp.config.data' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_a_name_that_its_home_lacks():
    find = import_later(__name__, {"Nothing": "nccp.errors"})
    with pytest.raises(AttributeError, match="Nothing"):
        find("Nothing")
