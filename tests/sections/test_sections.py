from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from nccp.errors import ConfigError
from nccp.sections import FilePath, Key, Section, check_section, describe_keys, map_paths

Small = Annotated[int, Meta(ge=1, le=9)]


class Cat(Section, frozen=True, tag_field="kind", tag="cat"):
    """A cat."""

    lives: Small = 9
    """Lives left."""
    home: FilePath = ""
    """Where it lives."""


class Dog(Section, frozen=True, tag_field="kind", tag="dog"):
    """A dog."""

    size: Literal["big", "small"] = "big"
    """How big it
    is."""


class House(Section, frozen=True, kw_only=True):
    """A house."""

    pet: Cat | Dog
    pets: tuple[Cat, ...] = ()
    rooms: tuple[Small, Small] = (1, 2)
    """Rooms by floor."""
    old: bool | None = None
    """Whether it is old."""


def test_keys():
    assert describe_keys(House) == [
        Key("pet.kind", "", "choice", '"cat" or "dog"', "", '"cat": A cat.; "dog": A dog.'),
        Key("pet.lives", "cat", "whole number", "from 1 to 9", "9", "Lives left."),
        Key("pet.home", "cat", "path", "", '""', "Where it lives."),
        Key("pet.size", "dog", "choice", '"big" or "small"', '"big"', "How big it is."),
        Key("pets[].lives", "", "whole number", "from 1 to 9", "9", "Lives left."),
        Key("pets[].home", "", "path", "", '""', "Where it lives."),
        Key("rooms", "", "list of 2 whole numbers", "from 1 to 9", "[1, 2]", "Rooms by floor."),
        Key("old", "", "true or false", "", "unset", "Whether it is old."),
    ]


def test_paths_of_incomplete_tables():
    shout = lambda path, maybe_a_name: path.upper()
    tree = {"pet": {"home": "a"}, "pets": [{"home": "b"}, {"home": ""}, 3], "rooms": "c", "none": "d"}
    assert map_paths(tree, House, shout) == {
        "pet": {"home": "A"},
        "pets": [{"home": "B"}, {"home": ""}, 3],
        "rooms": "c",
        "none": "d",
    }
    assert map_paths({"pet": {"kind": "dog", "home": "a"}}, House, shout)["pet"]["home"] == "a"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["pet", "pets", "kind", "lives", "home", "rooms", "x"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["pet", "pets", "rooms", "old", "x"]), JSON, max_size=4))
def test_any_table_is_a_section_or_an_error_that_names_the_source(tree):
    map_paths(tree, House, lambda path, _: path)
    message = ""
    try:
        check_section(tree, House, "house.toml")
    except ConfigError as error:
        message = str(error)
    assert not message or message.startswith("house.toml: ")


@pytest.mark.parametrize("lives", [0, 10, 1.5, True, "1", None])
def test_ranges_hold(lives):
    with pytest.raises(
        ConfigError, match=r"house\.toml: pet\.lives is .*; expected a whole number, from 1 to 9"
    ):
        check_section({"pet": {"kind": "cat", "lives": lives}}, House, "house.toml")
