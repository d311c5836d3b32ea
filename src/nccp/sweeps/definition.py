"""The file of a sweep: a recipe and what to vary. Every value is checked before training begins.

    base = "../gum.toml"                              # a recipe; paths start from this file's folder

    [set]                                             # for every trial: the budget, say
    train.minutes = 5

    [variants]                                        # whole sets of keys, by name
    "B" = {}
    "B/F" = { model.orientation = "ffnn" }

    [grid]                                            # every combination, also with every variant
    train.seed = [0, 1]                               # all trials of the first seed come first
    "data.left, data.right" = [[1.0, 0.0], [0.5, 0.5]]    # keys that go together

or, instead of variants and grid, ranges that Optuna's TPE sampler draws from:

    [search]
    trials = 30
    seed = 0
    train.learning_rate = { low = 1e-4, high = 1e-2, log = true }
    model.compose = { choices = ["CV", "NV"] }
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import msgspec

from nccp.config import (
    Config,
    apply_overrides,
    check_config,
    load_config,
    parse_override,
    read_toml,
    resolve_value,
)
from nccp.errors import ConfigError
from nccp.sections import Section
from nccp.sections.check import nearest

Overrides = dict[str, Any]
"""Configuration keys (``train.seed``) and their values."""

_RANGE = frozenset({"low", "high", "log", "choices"})
"""The allowed forms of a key in [search]."""


class Point(Section, frozen=True, kw_only=True):
    """One trial of a grid."""

    variant: str = ""
    overrides: Overrides

    @property
    def name(self) -> str:
        """``B/F, seed 1``: for people."""
        return name_of(self.variant, self.overrides)


class Choice(Section, frozen=True, kw_only=True):
    """A key to search among values."""

    choices: tuple[str | int | float | bool, ...]


class Range(Section, frozen=True, kw_only=True):
    """A number to search between two."""

    low: int | float
    high: int | float
    log: bool = False
    """Whether to draw uniformly in the logarithm."""


class Search(Section, frozen=True, kw_only=True):
    """Ranges to draw trials from."""

    trials: int
    seed: int = 0
    space: dict[str, Choice | Range]


class Sweep(Section, frozen=True, kw_only=True):
    """What to train: a complete configuration and either points or a search."""

    base: dict[str, Any]
    points: tuple[Point, ...] = ()
    search: Search | None = None

    @property
    def trials(self) -> int:
        return self.search.trials if self.search else len(self.points)

    def config(self, overrides: Overrides, source: str) -> Config:
        """The configuration of one trial; an error names ``source``."""
        return check_config(apply_overrides(self.base, overrides, source), source)


def name_of(variant: str, overrides: Overrides) -> str:
    """A variant goes by its name, other keys by their last part and their value."""
    varied = [f"{key.split('.')[-1]} {_short(value)}" for key, value in overrides.items()]
    return variant if variant else ", ".join(varied) or "base"


def load_sweep(path: str | Path, overrides: Iterable[str] = (), base: str | Path | None = None) -> Sweep:
    """Read the file and build every configuration in it; ``overrides`` (key=value) are added to ``[set]``."""
    path = Path(path)
    tree = read_toml(path)
    source = str(path)
    _check_keys(tree, ("base", "set", "variants", "grid", "search"), source, "")
    for key in ("set", "variants", "grid", "search"):
        if not isinstance(tree.setdefault(key, {}), dict):
            raise ConfigError(f"{source}: {key} must be a table: [{key}]")
    given = dict(parse_override(text) for text in overrides)
    common = _resolve(_flat(tree["set"]), path.parent) | _resolve(given, Path.cwd())
    sweep = Sweep(base=_base(path, tree.get("base"), base, common))
    if tree["search"]:
        if tree["grid"] or tree["variants"]:
            raise ConfigError(f"{source}: [search] goes alone: take out [grid] and [variants], or it")
        search = _search(tree["search"], sweep, path)
        _check_set(search.space, common, source)
        return msgspec.structs.replace(sweep, search=search)
    points = _points(tree["variants"], _axes(tree["grid"], common, source), path)
    for point in points:
        sweep.config(point.overrides, f"{source}: {point.name}")
    return msgspec.structs.replace(sweep, points=points)


def _base(path: Path, named: Any, given: str | Path | None, common: Overrides) -> dict[str, Any]:
    """The recipe, completed by its defaults, with what is set for every trial."""
    if given is None and not isinstance(named, str):
        raise ConfigError(f'{path}: base is missing: name a recipe, e.g. base = "../gum.toml"')
    file = Path(given) if given is not None else path.parent / str(named)
    recipe = Sweep(base=json.loads(msgspec.json.encode(load_config(file))))
    complete = recipe.config(common, f"{path}: set")
    tree: dict[str, Any] = json.loads(msgspec.json.encode(complete))
    return tree


def _axes(grid: dict[str, Any], common: Overrides, source: str) -> list[list[Overrides]]:
    """For each line of [grid], the overrides of each of its values."""
    axes, seen = [], set[str]()
    for line, values in _flat(grid).items():
        keys = [key.strip() for key in line.split(",")]
        if not isinstance(values, list) or not values:
            raise ConfigError(f"{source}: grid.{line} must be a list of values, at least one")
        for value in values:
            if len(keys) > 1 and not (isinstance(value, list) and len(value) == len(keys)):
                raise ConfigError(f"{source}: grid: {line}: {_short(value)} must be a list of {len(keys)}")
        _check_set(keys, common, source)
        if twice := seen.intersection(keys):
            raise ConfigError(f"{source}: grid: {min(twice)} is in two lines")
        seen.update(keys)
        axes.append([dict(zip(keys, value if len(keys) > 1 else [value])) for value in values])
    return axes


def _resolve(overrides: Overrides, folder: Path) -> Overrides:
    """The same keys; relative paths start from ``folder``."""
    return {key: resolve_value(key, value, folder) for key, value in overrides.items()}


def _points(variants: dict[str, Any], axes: list[list[Overrides]], path: Path) -> tuple[Point, ...]:
    source = str(path)
    named: list[tuple[str, Overrides]] = []
    for name, table in variants.items():
        if not isinstance(table, dict):
            raise ConfigError(f'{source}: variants: {name} must be a table of keys: "{name}" = {{ ... }}')
        named.append((name, _flat(table)))
    if not named and not axes:
        raise ConfigError(f"{source}: nothing to vary: there must be [grid], [variants] or [search]")
    points: dict[str, Point] = {}
    for (variant, own), rest in itertools.product(named or [("", {})], itertools.product(*axes)):
        varied = {key: value for part in rest for key, value in part.items()}
        if both := own.keys() & varied.keys():
            raise ConfigError(f"{source}: {min(both)} is in [grid] and in the variant {variant}")
        label = ", ".join(part for part in (variant, name_of("", varied) if varied else "") if part)
        point = Point(variant=label if variant else "", overrides=_resolve(own | varied, path.parent))
        if points.setdefault(identity(point.variant, point.overrides), point) is not point:
            raise ConfigError(f"{source}: {point.name} is there twice")
    return tuple(sorted(points.values(), key=lambda point: _seed_place(point, axes)))


def _seed_place(point: Point, axes: list[list[Overrides]]) -> int:
    """The place of a trial's seed in [grid]: a sweep that is stopped early has every variant once, rather
    than a few variants with all seeds."""
    seeds = [one["train.seed"] for axis in axes for one in axis if "train.seed" in one]
    return seeds.index(point.overrides["train.seed"]) if seeds else 0


def identity(variant: str, overrides: Overrides) -> str:
    """The identity of a trial of a grid, by which a continued sweep recognises it."""
    return json.dumps([variant, overrides], sort_keys=True)


def _search(table: dict[str, Any], sweep: Sweep, path: Path) -> Search:
    """The space, each end and choice of it tried in a configuration."""
    table, source = dict(table), str(path)
    trials, seed = table.pop("trials", None), table.pop("seed", 0)
    for name, number, least in (("trials", trials, 1), ("seed", seed, 0)):
        if type(number) is not int or number < least:
            raise ConfigError(f"{source}: search.{name} must be a whole number, at least {least}")
    space: dict[str, Choice | Range] = {}
    for key, given in _flat(table, leaf=_is_leaf).items():
        where = f"{source}: search.{key}"
        if not isinstance(given, dict):
            raise ConfigError(f"{where} must be {{ low, high }} or {{ choices }}")
        _check_keys(given, _RANGE, source, f"search.{key}.")
        part: Choice | Range
        try:
            part = msgspec.convert(given, Choice) if "choices" in given else msgspec.convert(given, Range)
        except msgspec.ValidationError as error:
            raise ConfigError(f"{where}: {error}".replace(" - at `$.", ": `")) from None
        if isinstance(part, Choice):
            part = Choice(choices=tuple(resolve_value(key, value, path.parent) for value in part.choices))
        tried = part.choices if isinstance(part, Choice) else (part.low, part.high)
        built = [sweep.config({key: value}, where) for value in tried]
        if isinstance(part, Range):
            part = _check_range(part, key, _value(built[0], key), where)
        elif not tried or len(set(tried)) < len(tried):
            raise ConfigError(f"{where}: choices must be different values, at least one")
        space[key] = part
    if not space:
        raise ConfigError(f"{source}: search: no key to search: train.learning_rate = {{ low, high }}, say")
    return Search(trials=trials, seed=seed, space=space)


def _check_range(part: Range, key: str, value: Any, where: str) -> Range:
    """With numbers of the kind that the configuration holds there, so that 0 to 1 may mean 0.0 to 1.0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"{where}: {key} is not a number: give choices instead of low and high")
    if not part.low < part.high:
        raise ConfigError(f"{where}: low must be below high")
    if part.log and part.low <= 0:
        raise ConfigError(f"{where}: low must be above 0 where log is true")
    return Range(low=type(value)(part.low), high=type(value)(part.high), log=part.log)


def _value(config: Any, key: str) -> Any:
    for name in key.split("."):
        config = getattr(config, name)
    return config


def _is_leaf(table: dict[str, Any]) -> bool:
    """Whether a table of [search] says where to search, rather than holding further keys."""
    return not _RANGE.isdisjoint(table)


def _flat(table: dict[str, Any], prefix: str = "", leaf: Any = lambda table: False) -> Overrides:
    """``{train: {seed: 1}}`` as ``{train.seed: 1}``, so that TOML's dotted keys and tables are one."""
    flat: Overrides = {}
    for key, value in table.items():
        inner = isinstance(value, dict) and not leaf(value)
        flat |= _flat(value, f"{prefix}{key}.", leaf) if inner else {f"{prefix}{key}": value}
    return flat


def _check_set(keys: Iterable[str], common: Overrides, source: str) -> None:
    if both := common.keys() & set(keys):
        raise ConfigError(f"{source}: {min(both)} is varied, so it cannot be set for every trial")


def _check_keys(table: dict[str, Any], known: Collection[str], source: str, prefix: str) -> None:
    for key in table:
        if key not in known:
            raise ConfigError(f"{source}: unknown key {prefix}{key}; {nearest(key, known)}")


def _short(value: Any) -> str:
    if isinstance(value, str) and Path(value).is_absolute():
        return Path(value).name
    return f"{value:g}" if isinstance(value, float) else str(value)
