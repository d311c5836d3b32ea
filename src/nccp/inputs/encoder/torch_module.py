"""A Hugging Face encoder for training, frozen or tuned (the paper uses XLNet)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from nccp.errors import ConfigError
from nccp.inputs.encoder.config import EncoderConfig
from nccp.inputs.encoder.feature_cache import FeatureCache, Halves, sentence_key
from nccp.inputs.encoder.subwords import MOST_PIECES
from nccp.inputs.encoder.torch_packed import can_pack, run_packed
from nccp.inputs.encoder.torch_pretrained import Pretrained, load_encoder
from nccp.inputs.torch_dropout import Dropout
from nccp.inputs.torch_module import InputModule

_UNUSED = ("mask_emb",)  # XLNet's embedding of masked words, of which there are none

_PASSING = ("_name_or_path", "transformers_version")  # settings that do not change any vector


class EncoderModule(InputModule):
    """Words to the vectors that an encoder computes for them: its last layer, or a learned mix of all.

    `set_tuning` switches the training of the encoder on and off. While it is off, the encoder computes no
    gradients and has no dropout, and a cache can replace it.
    """

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.config = config
        pretrained = load_encoder(config.encoder, config.encoder_layers)
        self.encoder, self.subwords, self.size = pretrained.encoder, pretrained.subwords, pretrained.size
        self.tokenizer = pretrained.tokenizer  # needed for the export
        self.packs = config.packed and can_pack(self.encoder)
        for name, parameter in self.encoder.named_parameters():
            parameter.requires_grad_(config.tune and not name.endswith(_UNUSED))
        if not config.tune_embeddings:
            pretrained.pieces.requires_grad_(False)
        self.dropout = Dropout(config.dropout)
        if config.mix_layers:
            self.mix = nn.Parameter(torch.zeros(pretrained.layers + 1))  # of the embeddings and each layer
        self.tuning = False
        self.set_tuning(config.tune and config.tune_from <= 1)
        self.cache = self._open_cache(pretrained) if config.cache else None

    def set_tuning(self, on: bool) -> None:
        """Switch the training of the encoder on or off.

        With ``tune`` its weights require gradients from the beginning, as optimisers, running means and
        distributed training expect; while tuning is off they get none.
        """
        if on and not self.config.tune:
            raise ConfigError("this encoder is frozen: set input.tune = true to train it")
        self.tuning = on
        self.encoder.train(on and self.training)

    def start_epoch(self, epoch: int) -> None:
        if self.config.tune:
            self.set_tuning(epoch >= self.config.tune_from)

    @property
    def reuses_vectors(self) -> bool:
        return self.config.packed and self.tuning

    def learning_rates(self) -> dict[str, float]:
        return {"encoder.": self.config.encoder_learning_rate} if self.config.tune else {}

    def save_encoder(self, folder: Path) -> None:
        encoder: Any = self.encoder
        encoder.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)

    def frozen_prefixes(self) -> tuple[str, ...]:
        return () if self.config.tune else ("encoder.",)

    def train(self, mode: bool = True) -> EncoderModule:
        super().train(mode)
        self.encoder.train(mode and self.tuning)
        return self

    def features(self, sentences: Sequence[Sequence[str]]) -> dict[str, Tensor]:
        """Piece ids with masks and the positions of words; or, with a cache, the vectors themselves."""
        if self.cache is None:
            return self._pieces(sentences)
        return {"vectors": torch.from_numpy(self._cached(sentences, self.cache))}  # (N, planes, size)

    def vectors(self, features: dict[str, Tensor]) -> Tensor:
        if "vectors" in features:
            planes = features["vectors"].to(self._device).float()
        else:
            planes = self._encode(features)
        if self.config.mix_layers:
            lam = self.mix.softmax(0).expand(len(planes), 1, -1)  # (N, 1, planes)
            planes = torch.bmm(lam, planes)  # (N, 1, size)
        return planes.squeeze(1)

    @property
    def _device(self) -> torch.device:
        return next(self.encoder.parameters()).device

    def _pieces(self, sentences: Sequence[Sequence[str]]) -> dict[str, Tensor]:
        pieces = self.subwords.batch(sentences, waste=1.0) if self.packs else self.subwords.batch(sentences)
        arrays = {"ids": pieces.ids, "mask": pieces.mask, "groups": pieces.groups}
        if pieces.types is not None:
            arrays["types"] = pieces.types
        if self.config.subword == "mean":
            arrays["places"], arrays["offsets"] = pieces.places()
        else:
            arrays["places"] = pieces.starts if self.config.subword == "first" else pieces.stops - 1
        return {name: torch.from_numpy(array) for name, array in arrays.items()}

    def _encode(self, features: dict[str, Tensor]) -> Tensor:
        """The words' vectors in the last layer, (N, 1, size), or in all of them, (N, layers + 1, size)."""
        features = {name: tensor.to(self._device) for name, tensor in features.items()}
        with torch.set_grad_enabled(self.tuning and torch.is_grad_enabled()):
            groups = features["groups"].tolist()
            start, runs = 0, []
            for together in _together(groups) if self.packs else [[group] for group in groups]:
                end = start + sum(rows * columns for rows, columns in together)
                runs.append(self._run(features, slice(start, end), together))
                start = end
            if not runs:
                planes = len(self.mix) if self.config.mix_layers else 1
                return torch.zeros(0, planes, self.size, device=self._device)
            layers = [torch.cat(parts) for parts in zip(*runs)]  # (P, size) each
            return torch.stack([self._pick(layer, features) for layer in layers], 1)

    def _run(self, features: dict[str, Tensor], part: slice, groups: list[tuple[int, int]]) -> list[Tensor]:
        """Groups of windows (one, unless it packs) through the encoder: (P, size) of each wanted layer."""
        mixed = self.config.mix_layers
        shape = (1, -1) if self.packs else groups[0]
        wanted = {"input_ids": "ids", "attention_mask": "mask", "token_type_ids": "types"}
        given: dict[str, Any] = {
            argument: features[name][part].view(shape)
            for argument, name in wanted.items()
            if name in features
        }
        given["output_hidden_states"] = mixed
        halves = self.config.precision == "bfloat16" and torch.is_grad_enabled()
        with torch.autocast(self._device.type, torch.bfloat16) if halves else nullcontext():
            output = run_packed(self.encoder, groups, **given) if self.packs else self.encoder(**given)
        layers = output.hidden_states if mixed else [output.last_hidden_state]
        return [layer.reshape(-1, self.size).float() for layer in layers]

    def _pick(self, layer: Tensor, features: dict[str, Tensor]) -> Tensor:
        """From pieces to words: (P, size) to (N, size)."""
        if "offsets" in features:
            return F.embedding_bag(features["places"], layer, features["offsets"], mode="mean")
        return layer.index_select(0, features["places"])

    def _open_cache(self, pretrained: Pretrained) -> FeatureCache:
        """The cache of exactly this encoder: its name is a digest of weights, tokenizer and options."""
        config = self.config
        options = {
            "size": self.size,
            "layers": pretrained.layers,
            "mix_layers": config.mix_layers,
            "subword": config.subword,
            "kind": type(self.encoder).__name__,
            "pieces": repr(self.subwords.spec),
        }
        settings = pretrained.config.to_dict()
        settings = {key: settings[key] for key in sorted(settings) if key not in _PASSING}
        fast = getattr(self.tokenizer, "backend_tokenizer", None)
        cutting = fast.to_str() if fast is not None else sorted(self.tokenizer.get_vocab().items())
        digest = blake2b(repr((options, settings, cutting)).encode(), digest_size=16)
        for name, tensor in sorted(self.encoder.state_dict().items()):
            digest.update(f"{name} {tuple(tensor.shape)}".encode())
            digest.update(np.ascontiguousarray(tensor.numpy()).data)
        planes = len(self.mix) if config.mix_layers else 1
        about = {"encoder": config.encoder, **options}
        return FeatureCache(config.cache, digest.hexdigest(), (planes, self.size), about)

    @torch.no_grad()
    def _cached(self, sentences: Sequence[Sequence[str]], cache: FeatureCache) -> Halves:
        """The vectors of all words, (N, planes, size), from the cache; missing ones are added to it."""
        keys = [sentence_key(words) for words in sentences]
        found = {key: cache.get(key) for key in keys}
        lacking = {key: words for key, words in zip(keys, sentences) if found[key] is None}
        if lacking:
            pieces = self._pieces(list(lacking.values()))
            most = torch.finfo(torch.float16).max
            vectors = self._encode(pieces).clamp(-most, most).half().cpu().numpy()
            ends = np.cumsum([len(words) for words in lacking.values()])
            new = dict(zip(lacking, np.split(vectors, ends[:-1])))
            cache.put(new.items())
            found.update(new)
        parts = [part for key in keys if (part := found[key]) is not None]
        return np.concatenate([np.zeros((0, *cache.shape), np.float16), *parts])


def _together(groups: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Consecutive groups in lists of about `MOST_PIECES` pieces."""
    part: list[tuple[int, int]] = []
    size = 0
    for rows, columns in groups:
        part.append((rows, columns))
        size += rows * columns
        if size >= MOST_PIECES:
            yield part
            part, size = [], 0
    if part:
        yield part


def build_module(config: EncoderConfig, words: list[str]) -> EncoderModule:
    """The module; an encoder has no use for a list of training words."""
    return EncoderModule(config)
