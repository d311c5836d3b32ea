"""Loads Hugging Face encoders from a folder or the hub, without running code that comes with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import nn

from nccp.errors import ConfigError, InputError, need
from nccp.inputs.encoder.subwords import Subwords, SubwordSpec, fast_encode
from nccp.inputs.torch_dropout import Dropout

_WINDOW = 512  # for encoders without a limit of their own (XLNet, T5): what they were trained on
_SAFE: dict[str, Any] = {"trust_remote_code": False}


@dataclass(frozen=True)
class Pretrained:
    """An encoder with its tokenizer."""

    encoder: nn.Module
    subwords: Subwords
    tokenizer: Any
    config: Any

    @property
    def size(self) -> int:
        """Of the vectors."""
        return self.config.hidden_size  # type: ignore[no-any-return]

    @property
    def layers(self) -> int:
        """How many layers it has."""
        return self.config.num_hidden_layers  # type: ignore[no-any-return]

    @property
    def pieces(self) -> nn.Module:
        """The embedding table."""
        return self.encoder.get_input_embeddings()  # type: ignore[no-any-return, operator]


def load_encoder(name: str, layers: int = 0) -> Pretrained:
    """The encoder of a folder, a bundle or a hub name; its first ``layers`` layers, or all for 0."""
    from nccp.inputs.encoder.torch_bundled import is_bundle, load_bundled  # which builds on this module

    if is_bundle(name):
        return load_bundled(Path(name), layers)
    transformers = need("transformers", "train", "input.encoder")
    source = _find(name)
    with _quiet(transformers):
        try:
            config = transformers.AutoConfig.from_pretrained(source, **_SAFE)
            tokenizer = transformers.AutoTokenizer.from_pretrained(source, **_SAFE)
        except Exception as error:  # transformers raises whatever a file or the network provokes
            raise _unusable(name, error) from error
        keep_layers(config, layers, name)
        config.use_mems_eval = config.use_mems_train = False  # XLNet's memory of earlier texts
        config.attention_probs_dropout_prob = config.attention_dropout = 0.0  # lets torch fuse attention
        try:
            encoder, report = transformers.AutoModel.from_pretrained(
                source, config=config, use_safetensors=True, output_loading_info=True, **_SAFE
            )
        except Exception as error:  # as above
            raise _unusable(name, error) from error
    missing = sorted(key for key in report["missing_keys"] if "pooler" not in key)
    if missing:
        raise InputError(f"{name}: weights of the encoder are missing: {', '.join(missing[:3])} ...")
    if config.is_encoder_decoder:
        encoder = encoder.get_encoder()
    prepare(encoder)
    encode, spec = _probe(name, tokenizer, _limit(encoder, config))
    return Pretrained(encoder, Subwords(encode, spec), tokenizer, config)


def keep_layers(config: Any, layers: int, name: str) -> None:
    """Let a configuration of transformers have only the first ``layers`` layers; all for 0."""
    most = config.num_hidden_layers
    if not 0 <= layers <= most:
        raise ConfigError(f"input.encoder_layers is {layers}, but {name} has {most} layers")
    config.num_hidden_layers = layers or most


def prepare(encoder: Any) -> None:
    """Make an encoder of transformers fit for training here: in float32, without what is never used.

    Our dropout replaces torch's, which is slow on a CPU.
    """
    if getattr(encoder, "pooler", None) is not None:
        encoder.pooler = None  # reads only the first piece
    encoder.float()
    for module in list(encoder.modules()):
        for name, child in module.named_children():
            if isinstance(child, nn.Dropout):
                setattr(module, name, Dropout(child.p))


def _find(name: str) -> str:
    """A folder that holds an encoder in files we read, or the name of one on the hub."""
    folder = Path(name).expanduser()
    if not folder.is_dir():
        if folder.is_absolute() or name.startswith((".", "~")) or name.count("/") > 1:
            raise InputError(f"{name}: no such folder (input.encoder)")
        return name
    if not (folder / "config.json").is_file():
        raise InputError(f"{name}: not a Hugging Face encoder: no config.json (input.encoder)")
    if not any(folder.glob("*.safetensors")):
        pickles = [path.name for kind in ("*.bin", "*.pt", "*.ckpt") for path in sorted(folder.glob(kind))]
        raise InputError(_pickled(name, pickles[0]) if pickles else f"{name}: no model.safetensors")
    return str(folder)


def _pickled(name: str, file: str) -> str:
    return (
        f"{name}: the weights are a pickle ({file}), which could run code when loaded; if you trust it, "
        f'convert it: python -c "from transformers import AutoModel as A; '
        f"A.from_pretrained('{name}').save_pretrained('{name}')\""
    )


def _unusable(name: str, error: Exception) -> InputError:
    """The error of transformers in one line."""
    text = " ".join(str(error).split())
    if "connect" in text or "offline" in text.lower():
        what = "no such folder, and the Hugging Face hub cannot be reached"
    elif "trust_remote_code" in text:
        what = "this encoder needs code of its own, which nccp does not run"
    elif "safetensors" in text and not Path(name).expanduser().is_dir():
        what = (
            'the hub has no safetensors weights for it; if you trust its pickle, convert it: python -c "from '
            "transformers import AutoModel as A, AutoTokenizer as T; "
            f"[k.from_pretrained('{name}').save_pretrained('FOLDER') for k in (A, T)]\" "
            "and use the folder"
        )
    else:
        what = f"{text[:300]} ({type(error).__name__})"
    return InputError(f"{name}: {what} (input.encoder)")


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """Suppress progress bars and reports about layers that are left out on purpose."""
    logging = transformers.utils.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


def _limit(encoder: nn.Module, config: Any) -> int:
    """The largest number of pieces in a sequence: from the position table, else from the configuration."""
    for name, module in encoder.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, nn.Embedding):
            # RoBERTa and its kind count from after the padding index
            return module.num_embeddings - (0 if module.padding_idx is None else module.padding_idx + 1)
    limit = getattr(config, "max_position_embeddings", None)
    return limit if isinstance(limit, int) and limit > 0 else _WINDOW


def _probe(name: str, tokenizer: Any, limit: int) -> tuple[Callable[[str], Sequence[int]], SubwordSpec]:
    """Find out by examples what a tokenizer puts around a sequence and before a word."""
    probe = tokenizer("a", return_token_type_ids=True)
    ids, types = probe["input_ids"], probe.get("token_type_ids")
    encode = _encoder_of(tokenizer)
    inner = list(encode("a"))
    first = next((i for i in range(len(ids)) if ids[i : i + len(inner)] == inner), -1) if inner else -1
    if first < 0:
        raise InputError(f"{name}: its tokenizer does not keep a word's pieces together (input.encoder)")
    last = first + len(inner)
    vocabulary = tokenizer.get_vocab()
    unknown = (tokenizer.unk_token_id, tokenizer.mask_token_id, *ids[:first], *ids[last:], 0)
    spec = SubwordSpec(
        before=tuple(ids[:first]),
        after=tuple(ids[last:]),
        after_types=tuple(types[last:]) if types and any(types) else (),
        pad=tokenizer.pad_token_id or 0,
        unknown=next(piece for piece in unknown if piece is not None),
        space=_space(encode),
        blanks=tuple(vocabulary[blank] for blank in ("▁", "Ġ") if blank in vocabulary),
        limit=limit,
    )
    if spec.room < 4:
        raise InputError(f"{name}: it reads only {limit} pieces at once, which is too few (input.encoder)")
    return encode, spec


def _encoder_of(tokenizer: Any) -> Callable[[str], Sequence[int]]:
    """Text to piece ids; a few tokenizers (of Japanese BERT) are written in Python."""
    fast = getattr(tokenizer, "backend_tokenizer", None)
    if fast is not None:
        return fast_encode(fast)
    return lambda text: tokenizer.encode(text, add_special_tokens=False)  # type: ignore[no-any-return]


def _space(encode: Callable[[str], Sequence[int]]) -> str:
    """What must precede a single word so that it is split as after a space in a text."""
    probes = ("a", "the", "1")
    for space in ("", " "):
        if all([*encode(word), *encode(space + word)] == [*encode(f"{word} {word}")] for word in probes):
            return space
    return ""
