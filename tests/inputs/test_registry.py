"""What holds for every kind of input, whatever it is."""

from __future__ import annotations

from importlib import import_module
from typing import get_args

import pytest

from nccp.errors import BundleError
from nccp.inputs import InputConfig, InputSection, load_lookup
from nccp.sections import describe_keys

KINDS = get_args(InputConfig)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_halves(kind):
    package = kind.__module__.rpartition(".")[0]
    assert callable(import_module(f"{package}.lookup").load_lookup)
    pytest.importorskip("torch")
    assert callable(import_module(f"{package}.torch_module").build_module)
    assert callable(import_module(f"{package}.export").export_module)
    restore = import_module(f"{package}.restore")
    assert callable(restore.restore_config)
    assert callable(restore.restore_weights)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_describes_itself(kind):
    assert issubclass(kind, InputSection)
    assert kind.summary is not InputSection.summary
    assert all(key.meaning for key in describe_keys(kind))


def test_an_unknown_kind(tmp_path):
    with pytest.raises(BundleError, match="unknown kind of input 'letters'; this nccp knows encoder, words"):
        load_lookup("letters", tmp_path.joinpath)


def test_the_kinds_have_different_names():
    assert len({kind.__struct_config__.tag for kind in KINDS}) == len(KINDS)
