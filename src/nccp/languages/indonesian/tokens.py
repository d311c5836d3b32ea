"""Indonesian words as the treebank ICON cuts them.

    Anak-anaknya membeli buku seharga Rp8.500 di pasar.
    Anak - anak nya membeli buku seharga Rp 8.500 di pasar .

Hyphens and slashes are words of their own, and the clitic ``-nya`` (his, her, its, the) is cut off. It stays
where it makes another word: in adverbs (``biasanya``, usually) and in nouns made of intransitive verbs and
adjectives (``terjadinya``, the happening). ``-ku`` and ``-mu`` are not cut off: too many words end so.
"""

from __future__ import annotations

import re

from nccp.languages.abbreviations import words
from nccp.languages.indonesian.abbreviations import ABBREVIATIONS
from nccp.languages.latin_tokens import latin_tokenizer

_OWN = r"""
  | Rp(?=\d)                                    # Rp8.500
"""
_BREAK = re.compile(r"(?<=[^\W_])[-‐‑/](?=[^\W_])")
_CLITIC = "nya"
_VERBS = re.compile(r"(?:ter(?!akhir|baik|dekat|besar|kait|sangka|dakwa)|ber(?!as|kas|ita))\w{4,}nya")
_WHOLE = words(
    """
    hanya punya mempunyai empunya berpunya kepunyaan bertanya ditanya tanya nyonya kenya tanzania
    adanya agaknya akhirnya akibatnya anehnya antaranya awalnya baiknya berikutnya biasanya bukannya celakanya
    diantaranya dulunya fatalnya hebatnya hendaknya idealnya ironisnya jadinya jelasnya kabarnya karenanya
    kayaknya kebetulannya kelihatannya khususnya kiranya konyolnya lainnya layaknya lazimnya lucunya
    makanya malangnya memangnya mestinya misalnya mulanya nampaknya nantinya nyatanya pasalnya
    pendeknya persisnya pokoknya ringkasnya rupanya salahnya sayangnya seadanya sebabnya sebagainya sebaiknya
    sebaliknya sebelumnya sebenarnya sebetulnya secepatnya secukupnya sedianya segalanya seharusnya sejatinya
    sejenisnya sekiranya selanjutnya selayaknya selebihnya selengkapnya semaunya semestinya sepantasnya
    sepatutnya sepenuhnya sepertinya sesampainya sesudahnya sesungguhnya setelahnya seterusnya setibanya
    setidaknya setidaktidaknya seutuhnya soalnya spesifiknya tampaknya tegasnya tentunya tepatnya uniknya
    umpamanya umumnya untungnya
    absennya anjloknya banyaknya bocornya buruknya cepatnya datangnya derasnya gagalnya gencarnya hadirnya
    hilangnya jatuhnya jebolnya keluarnya ketatnya kuatnya kurangnya lahirnya lambatnya larinya lemahnya
    lengsernya lolosnya luasnya macetnya mahalnya maraknya masuknya melemahnya meletusnya meluasnya
    memburuknya memanasnya menguatnya meningkatnya menurunnya menyebarnya merebaknya merosotnya minimnya
    mencairnya mundurnya munculnya naiknya panasnya parahnya pentingnya perginya rendahnya retaknya runtuhnya
    rusaknya sulitnya tewasnya tingginya turunnya
    """
)


def cut_places(word: str, split_hyphens: bool) -> list[int]:
    """Where to cut a word: ``rumah|nya``, ``unek|-|unek``; hyphens are always cut."""
    places = [] if word.isalnum() else [place for mark in _BREAK.finditer(word) for place in mark.span()]
    if word.endswith(_CLITIC):
        end = len(word) - len(_CLITIC)
        last = word[places[-1] if places else 0 :].lower()
        if len(last) > len(_CLITIC) + 1 and last not in _WHOLE and not _VERBS.fullmatch(last):
            places.append(end)
    return places


cut_words = latin_tokenizer(ABBREVIATIONS, own=_OWN, cut_places=cut_places)
