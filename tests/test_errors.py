from __future__ import annotations

import importlib.metadata
import json

import pytest

from nccp.errors import MissingExtra, install_line, need


class Installed:
    def __init__(self, origin):
        self.origin = origin

    def read_text(self, name):
        assert name == "direct_url.json"
        return self.origin


@pytest.mark.parametrize(
    ("origin", "line"),
    [
        (None, "pip install 'nccp[ja]'"),
        ("cut short {", "pip install 'nccp[ja]'"),
        ({"url": "file:///home/me/my%20nccp", "dir_info": {}}, "pip install '/home/me/my nccp[ja]'"),
        (
            {"url": "https://a.b/nccp.git", "vcs_info": {"vcs": "git"}},
            "pip install 'nccp[ja] @ git+https://a.b/nccp.git'",
        ),
    ],
)
def test_extras_are_installed_from_where_nccp_came(monkeypatch, origin, line):
    text = json.dumps(origin) if isinstance(origin, dict) else origin
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: Installed(text))
    assert install_line("ja") == line


def test_a_checkout_that_is_not_installed(monkeypatch):
    def distribution(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "distribution", distribution)
    with pytest.raises(MissingExtra, match=r"^this needs no_such_module: pip install 'nccp\[ja\]'$"):
        need("no_such_module", "ja", "this")
