"""Where treebanks can be downloaded: their public homes, versions, licences, and the files to take.

GUM, Keyaki and ICON are pinned by commit and CRAFT by tag. For Greynir only the branch is known here. No
digest is known for any of them: this list was written on a machine without network access, and no address in
it has been tried. ``sha256`` stays empty until somebody has checked an archive; until then the digest of the
first download is printed, stored beside the treebank, and compared with later downloads.
"""

from __future__ import annotations

from dataclasses import dataclass

_GITHUB = "https://github.com"


@dataclass(frozen=True)
class DownloadSource:
    """An archive (zip) that holds a treebank."""

    name: str
    title: str
    url: str
    version: str
    licence: str
    files: tuple[tuple[str, str], ...]
    """Files to take: a pattern of paths in the archive, without its top folder, and where to put them. The
    pattern is a regular expression, the place what it is replaced by."""
    sha256: str = ""
    """Digest of the archive; empty: not verified yet."""
    pinned: bool = True
    """Whether the address always gives the same version."""


SOURCES = {
    source.name: source
    for source in (
        DownloadSource(
            "gum",
            "GUM, English, 16 genres",
            f"{_GITHUB}/amir-zeldes/gum/archive/72ce5ac14978a324c2fd18d49484e65292cbe316.zip",
            "11.1.0, commit 72ce5ac",
            "annotation CC BY 4.0; texts by genre: CC BY, CC BY-SA, and CC BY-NC-SA for essays, fiction,"
            " letters, podcasts and wikiHow (see LICENSE.txt); the words of Reddit texts are masked",
            ((r"const/[^/]+\.ptb", r"\g<0>"), (r"splits\.md|LICENSE\.txt|README\.md", r"\g<0>")),
        ),
        DownloadSource(
            "craft",
            "CRAFT, English biomedical articles",
            f"{_GITHUB}/UCDenver-ccp/CRAFT/archive/refs/tags/v5.0.2.zip",
            "5.0.2, by tag",
            "CC BY 3.0",
            (
                (r"structural-annotation/treebank/(penn/[^/]+\.tree)", r"\1"),
                (r"articles/ids/craft-(ids-(?:train|dev|test)\.txt)", r"\1"),
                (r"LICENSE\.txt", r"\g<0>"),
            ),
        ),
        DownloadSource(
            "keyaki",
            "Keyaki Treebank, Japanese",
            f"{_GITHUB}/ajb129/KeyakiTreebank/archive/48cb62860c063cc0e46d910c5ac82d64eea1d269.zip",
            "1.1, commit 48cb628",
            "annotation CC BY 4.0; texts belong to their authors and publishers",
            ((r"treebank/[^/]+\.psd", r"\g<0>"), (r"LICENSE|README", r"\g<0>")),
        ),
        DownloadSource(
            "icon",
            "ICON, Indonesian",
            f"{_GITHUB}/aisingapore/seacorenlp-data/archive/2dc73fa0bac510ede0d28855d644fcc0cbae658d.zip",
            "commit 2dc73fa",
            "CC BY-SA 4.0",
            ((r"id/constituency/((?:train|dev|test)\.txt|LICENSE|README\.md)", r"\1"),),
        ),
        DownloadSource(
            "greynir",
            "GreynirCorpus, Icelandic, the parts corrected by hand",
            f"{_GITHUB}/mideind/GreynirCorpus/archive/refs/heads/master.zip",
            "newest, branch master",
            "CC BY 4.0",
            ((r"((?:dev|test)set)/psd/([^/]+\.gld)", r"\1/\2"), (r"LICENSE\.txt|README\.md", r"\g<0>")),
            pinned=False,
        ),
    )
}
"""The treebanks that ``nccp treebank get`` knows, by name."""
