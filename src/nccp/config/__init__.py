"""The configuration of a model and its training: TOML by hand, JSON in bundles, checked on the way in.

A key that does not exist is an error that suggests the nearest one; each field says here what it is for.
"""

from __future__ import annotations

import difflib
import sys
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec

from nccp.errors import ConfigError
from nccp.treebanks.cleaning import Cleaning

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover
    import tomli as tomllib


class Compose(str, Enum):
    """How two vectors become one (paper, Alg. 4): λ from No input, Concatenated or Biaffine; a Scalar or
    a Vector; or plain ADDition."""

    NS = "NS"
    NV = "NV"
    CS = "CS"
    CV = "CV"
    BV = "BV"
    ADD = "ADD"


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the configuration; unknown keys are errors."""


class ModelConfig(Section, frozen=True):
    """The network. The defaults are the paper's sizes."""

    kind: Literal["binary", "multi"] = "binary"
    size: int = 300
    """Of the vectors that compose; BiLSTM_cxt has half of it a direction."""
    context_layers: int = 6
    """Depth of BiLSTM_cxt, 0 to 8; 0 is one feedforward layer (B/0)."""
    label_hidden: int = 200
    """The layer that the tag and the label head share."""
    orientation: Literal["bilstm", "ffnn"] = "bilstm"
    """What sees a layer before its orientations are decided; "ffnn" is B/F."""
    orientation_hidden: int = 32
    chunk_hidden: int = 100
    chunk_lean: float = 0.0
    """How far the boundaries of chunks lean towards none: above 0, fewer layers in which nothing combines."""
    unify_sub: bool = False
    """Whether all sub-constituents (_X) and relays (#POS) are one label class, as in the authors' code."""
    compose: Compose = Compose.CV
    loss: Literal["hinge", "bce"] = "hinge"
    """Of orientations and chunks; "bce" is B/L."""
    format: Literal["stratified", "triangular"] = "stratified"
    """The layers a binary model sees: stratified, or the full triangle (Table "fmt")."""
    dropout: float = 0.4
    """On what enters BiLSTM_ori or BiLSTM_chk, and on the input and the hidden layer of the tag, label and
    orientation heads; not on the vectors that compose."""
    recurrent_dropout: float = 0.2
    """Between the layers of BiLSTM_cxt."""


class InputConfig(Section, frozen=True):
    """What a word is to the network: vectors, letters, or a pretrained encoder."""

    vectors: str = ""
    """A file of word vectors (.bin, .vec, .npz, .safetensors); "" for none."""
    standardise: bool = False
    """Whether the vectors are centred, and scaled to variance 1, over the training words."""
    tune: bool = False
    """Whether the vectors (B/ε) or the encoder are trained too."""
    words: int = 0
    """Width of a vector learned for each word of the training set (B/e); 0 for none."""
    min_count: int = 2
    """Rarer words have no learned vector of their own."""
    ngrams: int = 0
    """Width of the learned vector of a word's letters; 0 for none."""
    buckets: int = 20_000
    """Rows of the n-gram table."""
    word_dropout: float = 0.25
    """How often a learned word vector is hidden in training, so that the letters learn to do alone."""
    dropout: float = 0.2
    """On the word's whole vector."""
    encoder: str = ""
    """A Hugging Face encoder, folder or hub name; "" for none."""
    subword: Literal["first", "last", "mean"] = "first"
    """Which of a word's pieces stands for it."""
    encoder_layers: int = 0
    """How many of the encoder's layers to keep; 0 for all."""
    mix_layers: bool = False
    """A learned mix of the encoder's layers instead of the last one."""
    tune_from: int = 1
    """The first epoch that trains the encoder (the paper: 5)."""
    tune_embeddings: bool = True
    """Whether a tuned encoder's table of pieces learns too: often half of its weights, and slow."""
    packed: bool = True
    """Whether a BERT, DistilBERT or DeBERTa-v3 sees sentences of all lengths as one row, and exploring begins
    with the vectors of the step: a quarter less time. Without it, runs made before it was there repeat."""
    encoder_learning_rate: float = 1e-5
    """The encoder's own learning rate."""
    cache: str = ""
    """A folder for the features of a frozen encoder, computed once; "" for none."""


class TreebankConfig(Section, frozen=True):
    """One treebank to learn from."""

    path: str
    format: str = ""
    """Its format; "" to find out."""
    train: str = "train"
    """Its training split; "" to take none of it."""
    dev: str = "dev"
    weight: float = 1.0
    """How often its sentences are used, beside 1.0 for others'."""
    exclude: tuple[str, ...] = ()
    """Documents to leave out of its training split: names with wildcards, e.g. GUM_fiction_*, or
    "non-commercial" for those whose licence forbids commercial use. Development and test sets stay whole."""
    cleaning: Cleaning = Cleaning()


class DataConfig(Section, frozen=True):
    """What to learn from."""

    treebanks: tuple[TreebankConfig, ...] = ()
    max_length: int = 0
    """Longer training sentences are left out; 0 keeps all."""
    left: float = 0.85
    """The chance of each factor: L85R15 is left = 0.85, right = 0.15."""
    right: float = 0.15
    midin: float = 0.0
    midout: float = 0.0
    group: float = 0.0
    """Multi-branching: how often flat structure is grouped into _X."""
    explore: float = 0.0
    """How often a sentence is learned along the path that the model itself would take, mistakes and all,
    with targets that make the best of them (`nccp.trees.oracle`)."""
    respell: float = 0.0
    """English: how often a training sentence comes in another spelling (`nccp.training.augment`)."""


class TrainConfig(Section, frozen=True):
    """How to learn."""

    seed: int = 0
    start: str = ""
    """The folder of a run whose weights to begin with, also of other treebanks; "" for chance."""
    epochs: int = 0
    """The largest number of epochs; 0 for no limit (the schedule "paper" stops by itself)."""
    minutes: float = 0.0
    """At most so long, the rate falling to zero by then; 0 for no limit."""
    batch: int = 80
    """Sentences in a batch."""
    batch_words: int = 0
    """If set, batches are of about so many words instead."""
    learning_rate: float = 1e-3
    betas: tuple[float, float] = (0.9, 0.999)
    adam_eps: float = 1e-8
    """Adam's epsilon."""
    weight_decay: float = 0.0
    clip: float = 5.0
    """The largest norm of a gradient; 0 for no limit."""
    schedule: Literal["paper", "linear", "constant"] = "paper"
    """"paper": warm up for an epoch, then decrease after `patience` evaluations without a new best, and
    return to the full rate after one;
    "linear": warm up, then fall to zero at the end of the budget."""
    warmup: float = 1.0
    """Epochs of warm-up."""
    patience: int = 15
    """Evaluations without a new best before the rate begins to fall."""
    stop: int = 100
    """Evaluations without a new best before training ends."""
    tag_weight: float = 0.2
    """Weights of the losses. Each loss is a mean over the words, nodes or joints of a batch; the authors'
    code sums over nodes, so its weights are not on the same scale."""
    label_weight: float = 0.3
    joint_weight: float = 0.5
    """Of the orientation or the chunk loss."""
    average: float = 0.0
    """Decay of a running mean of the weights that is evaluated and kept; 0 for none."""
    evaluate_every: float = 1.0
    """Epochs between evaluations."""
    save_minutes: float = 10.0
    """Minutes between checkpoints inside an epoch."""
    threads: int = 0
    """CPU threads; 0 leaves it to torch."""


class Config(Section, frozen=True):
    """A whole run."""

    name: str = ""
    language: str = "en"
    model: ModelConfig = ModelConfig()
    input: InputConfig = InputConfig()
    data: DataConfig = DataConfig()
    train: TrainConfig = TrainConfig()


def load_config(path: str | Path, overrides: tuple[str, ...] = ()) -> Config:
    """Read a TOML file; ``overrides`` are ``section.key=value`` with TOML values (bare words are strings).

    Paths inside are as seen from where the command runs.
    """
    tree = read_toml(path)
    for override in overrides:
        put_value(tree, *parse_override(override), override)
    return check_config(tree, str(path))


def read_toml(path: str | Path) -> dict[str, Any]:
    """A TOML file as it is, unchecked."""
    try:
        tree: dict[str, Any] = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        return tree
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None


def parse_override(text: str) -> tuple[str, Any]:
    """``train.seed=1`` of a command line: the value is TOML's, a bare word a string."""
    key, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"{text!r} is no override: write section.key=value")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value


def put_value(tree: dict[str, Any], key: str, value: Any, source: str) -> None:
    """Set ``section.key`` in a table of tables."""
    *sections, last = key.split(".")
    for section in sections:
        tree = tree.setdefault(section, {})
        if not isinstance(tree, dict):
            raise ConfigError(f"{source}: {key}: {section} is not a section")
    tree[last] = value


def check_config(tree: dict[str, Any], source: str) -> Config:
    """A validated configuration, or an error that names the key."""
    _check_keys(tree, Config, source, "")
    try:
        config = msgspec.convert(tree, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{source}: {error}".replace("`$.", "`").replace(" - at ", ": ")) from None
    _check_values(config, source)
    return config


def _check_keys(tree: Any, kind: Any, source: str, prefix: str) -> None:
    """Walk the table beside the class it shall become; stop at a key that the class has not."""
    if isinstance(tree, list) and get_origin(kind) is tuple:
        for i, item in enumerate(tree):
            _check_keys(item, get_args(kind)[0], source, f"{prefix[:-1]}[{i}].")
    if not (isinstance(tree, dict) and isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return
    fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
    for key, value in tree.items():
        if key not in fields:
            near = difflib.get_close_matches(key, fields, 1)
            hint = f"; did you mean {near[0]}?" if near else f"; there are: {', '.join(sorted(fields))}"
            raise ConfigError(f"{source}: unknown key {prefix}{key}{hint}")
        _check_keys(value, fields[key], source, f"{prefix}{key}.")


def _check_values(config: Config, source: str) -> None:
    model, data, input = config.model, config.data, config.input
    shares = (data.left, data.right, data.midin, data.midout)
    rules = [
        (0 <= model.context_layers <= 8, "model.context_layers must be 0 to 8"),
        (model.size > 0 and model.size % 2 == 0, "model.size must be even and positive"),
        (0 <= model.dropout < 1, "model.dropout must be from 0 to below 1"),
        (0 <= model.recurrent_dropout < 1, "model.recurrent_dropout must be from 0 to below 1"),
        (0 <= input.dropout < 1, "input.dropout must be from 0 to below 1"),
        (model.kind == "binary" or model.format == "stratified", "model.format triangular needs kind binary"),
        (
            min(shares) >= 0 and sum(shares) > 0,
            "data.left, right, midin and midout are chances, not all zero",
        ),
        (0 <= data.group <= 1, "data.group must be from 0 to 1"),
        (0 <= data.respell <= 1, "data.respell must be from 0 to 1"),
        (0 <= data.explore <= 1, "data.explore must be from 0 to 1"),
        (
            not data.explore
            or (model.format == "stratified" and data.midin == data.midout == data.group == 0),
            "data.explore needs the stratified format, no factors but left and right, and no grouping",
        ),
        (config.train.batch > 0, "train.batch must be positive"),
        (config.train.epochs >= 0, "train.epochs must be 0 (no limit) or positive"),
        (
            config.train.schedule != "linear" or bool(config.train.epochs or config.train.minutes),
            "train.schedule linear needs a budget: set train.epochs or train.minutes",
        ),
        (config.train.learning_rate > 0, "train.learning_rate must be positive"),
        (0 <= config.train.average < 1, "train.average must be from 0 to below 1"),
        (
            bool(input.encoder or input.vectors or input.words or input.ngrams),
            "input needs one of encoder, vectors, words or ngrams",
        ),
        (
            not (input.encoder and (input.vectors or input.words or input.ngrams)),
            "input.encoder stands alone: leave vectors, words and ngrams out",
        ),
    ]
    for holds, what in rules:
        if not holds:
            raise ConfigError(f"{source}: {what}")
