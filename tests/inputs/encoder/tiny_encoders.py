"""Random encoders small enough to be built in a test, saved as Hugging Face folders."""

from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

TEXT = ["the cat sat on the mat", "a dog can not believe the unbelievable catalogue , 1 / 2 ( of it ) ."]
KINDS = ("bert", "deberta", "deberta-c2p", "distilbert", "electra", "mpnet", "roberta", "xlnet")
LIMIT = 30  # pieces, marks included; XLNet has no limit
_BERT_MARKS = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
_ROBERTA_MARKS = {
    "pad_token": "<pad>",
    "unk_token": "<unk>",
    "cls_token": "<s>",
    "sep_token": "</s>",
    "mask_token": "<mask>",
}
_XLNET_MARKS = {**_ROBERTA_MARKS, "cls_token": "<cls>", "sep_token": "<sep>"}


def build(kind: str, folder: Path) -> str:
    """A folder with an encoder of this kind: 3 layers, 16 wide."""
    tokenizer, marks = _tokenizer(kind)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **marks)
    fast.save_pretrained(folder)
    torch.manual_seed(7)
    _model(kind, len(fast), fast.pad_token_id).save_pretrained(folder, safe_serialization=True)
    return str(folder)


def _tokenizer(kind: str) -> tuple[Tokenizer, dict[str, str]]:
    if kind == "xlnet":
        return _unigram(), _XLNET_MARKS
    if kind == "roberta":
        return _byte_pairs(), _ROBERTA_MARKS
    return _word_pieces(), _BERT_MARKS


def _word_pieces() -> Tokenizer:
    """Uncased, with the truncation and the padding that some folders carry along."""
    letters = sorted(set("".join(TEXT)) - {" "})
    words = [
        *_BERT_MARKS.values(),
        *letters,
        *("##" + letter for letter in letters),
        "the",
        "cat",
        "##alo",
        "un",
    ]
    vocabulary = {word: i for i, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=8)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(mark, vocabulary[mark]) for mark in ("[CLS]", "[SEP]")]
    )
    return tokenizer


def _byte_pairs() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=list(_ROBERTA_MARKS.values()),
        initial_alphabet=alphabet,
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXT, trainer)
    marks = [(mark, tokenizer.token_to_id(mark)) for mark in ("</s>", "<s>")]
    tokenizer.post_processor = processors.RobertaProcessing(*marks)
    return tokenizer


def _unigram() -> Tokenizer:
    marks = list(_XLNET_MARKS.values())
    letters = sorted(set("".join(TEXT)) - {" "})
    pieces = [*((mark, 0.0) for mark in marks), ("▁", -2.0), *((letter, -4.0) for letter in letters)]
    pieces += [("▁the", -1.0), ("▁cat", -1.5), ("alo", -3.0), ("▁un", -2.0)]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=marks.index("<unk>")))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A:0 <sep>:0 <cls>:2",
        special_tokens=[(mark, marks.index(mark)) for mark in ("<sep>", "<cls>")],
    )
    return tokenizer


def _model(kind: str, words: int, pad: int) -> Any:
    common: dict[str, Any] = {"vocab_size": words, "initializer_range": 0.3, "pad_token_id": pad}
    config: Any
    if kind == "xlnet":
        config = transformers.XLNetConfig(d_model=16, n_layer=3, n_head=2, d_inner=32, **common)
        return transformers.XLNetModel(config)
    if kind == "distilbert":
        config = transformers.DistilBertConfig(
            dim=16, n_layers=3, n_heads=2, hidden_dim=32, max_position_embeddings=LIMIT, **common
        )
        return transformers.DistilBertModel(config)
    sizes = {"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 32}
    if kind == "roberta":
        config = transformers.RobertaConfig(
            max_position_embeddings=LIMIT + pad + 1, type_vocab_size=1, **sizes, **common
        )
        return transformers.RobertaModel(config)
    if kind == "mpnet":
        # its padding is always piece 1
        config = transformers.MPNetConfig(
            max_position_embeddings=LIMIT + 2, **sizes, **{**common, "pad_token_id": 1}
        )
        return transformers.MPNetModel(config)
    if kind.startswith("deberta"):  # as DeBERTa-v3 is; distances beyond 4 share places in its table
        make: Any = transformers.DebertaV2Config  # its signature lacks what it takes
        config = make(
            max_position_embeddings=LIMIT,
            type_vocab_size=0,
            position_biased_input=False,
            relative_attention=True,
            share_att_key=True,
            position_buckets=8,
            pos_att_type=["c2p"] if kind == "deberta-c2p" else ["p2c", "c2p"],
            norm_rel_ebd="layer_norm",
            **sizes,
            **common,
        )
        return transformers.DebertaV2Model(config)
    if kind == "electra":
        config = transformers.ElectraConfig(
            embedding_size=8, max_position_embeddings=LIMIT, **sizes, **common
        )
        return transformers.ElectraModel(config)
    return transformers.BertModel(transformers.BertConfig(max_position_embeddings=LIMIT, **sizes, **common))
