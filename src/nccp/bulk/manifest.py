"""The manifest of a finished run: its model and options, its input files, its shards with their digests."""

from __future__ import annotations

import msgspec

from nccp.bulk.folder import Record, RunFolder
from nccp.bulk.plan import Plan
from nccp.bulk.schema import COLUMNS, SCHEMA_VERSION
from nccp.errors import InputError
from nccp.files import atomic_write


class _Manifest(msgspec.Struct):
    shards: list[Record]


def write_manifest(folder: RunFolder, plan: Plan, records: list[Record]) -> None:
    """Write what the shards hold; the last step of a run."""
    manifest = {
        "format": "nccp-bulk",
        "schema_version": SCHEMA_VERSION,
        "columns": COLUMNS,
        "nccp": plan.nccp,
        "model": plan.model,
        "options": plan.options,
        "sentences": sum(record.sentences for record in records),
        "words": sum(record.words for record in records),
        "fallbacks": sum(record.fallbacks for record in records),
        "sources": [
            {
                name: getattr(source, name)
                for name in ("name", "size", "sha256", "documents", "sentences", "replaced", "error")
            }
            for source in plan.sources
        ],
        "shards": records,
    }
    with atomic_write(folder.manifest, binary=True) as file:
        file.write(msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")


def read_manifest(folder: RunFolder) -> list[Record]:
    """The records in the manifest of a finished run; all files must be there."""
    try:
        records = msgspec.json.decode(folder.manifest.read_bytes(), type=_Manifest).shards
    except msgspec.MsgspecError as error:
        raise InputError(f"{folder.manifest}: damaged: {error}; remove it to make it again") from None
    for record in records:
        for file in record.files:
            path = folder.root / file.name
            if not path.exists() or path.stat().st_size != file.size:
                raise InputError(f"{path}: missing or damaged; remove {folder.manifest} to make it again")
    return records
