"""Where Japanese and Chinese sentences end.

A sentence ends at ``。！？`` and at the end of a line. What stands in quotes or brackets belongs to the
sentence around it:

    「行く。すぐ行く。」と言った。      one sentence
    「行く。」彼は立った。              two: nothing joins them

A quote that is not closed on its line, or within a few hundred characters, is not treated as one.
"""

from __future__ import annotations

import re

_QUOTE, _DEEP = 300, 4  # characters that a quote may have, and quotes inside each other
_OPEN, _CLOSE = "「『（(【〔《〈“‘［[{｛", "」』）)】〕》〉”’］]}｝"
_MARK = re.compile(
    rf"(?P<break>[\n\r\f\u2028\u2029]|(?<!\s)\s{{200}})|(?P<open>[{re.escape(_OPEN)}])"
    rf"|(?P<close>[{re.escape(_CLOSE)}])|[。．｡！？‼⁇⁈⁉!?]{{1,50}}"
)
_CLOSERS = re.compile(rf"[{re.escape(_CLOSE)}]{{0,5}}")
_GOES_ON = re.compile(r"[ぁ-ゖ、，,。．・：:；;！？!?…—―]")  # after a quote: と言った
_INSIDE = re.compile(r"[0-9０-９A-Za-zＡ-Ｚａ-ｚ=/&]")  # after a mark: 3．5, a?b=c


def find_cjk_end(text: str, start: int, stop: int) -> int:
    """Where the sentence that starts at ``start`` ends, if not after ``stop``; else -1."""
    depth = 0  # of quotes
    opened = 0  # where the outermost quote starts
    within = -1  # where the first sentence inside it ends
    ended = -1  # where the last mark, or quote with a mark last, ends
    for match in _MARK.finditer(text, start, stop):
        here, end = match.span()
        if depth and (here - opened > _QUOTE or depth > _DEEP):
            if within >= 0:
                return within
            depth = 0
        if match["break"]:
            return within if depth and within >= 0 else here
        if match["open"]:
            if not depth:
                opened, within = here, -1
            depth += 1
        elif match["close"]:
            depth = max(0, depth - 1)
            if ended == here:
                ended = end
                if not depth and not _GOES_ON.match(text, end):
                    return end
        elif not (text[end - 1] in "．!?" and _INSIDE.match(text, end)):
            ended = end
            if not depth:
                return _with_closers(text, start, end, stop)
            within = end if within < 0 else within
    return within if depth else -1


def _with_closers(text: str, start: int, end: int, stop: int) -> int:
    """The end, after brackets that were never opened and a straight quote that was."""
    end = min(stop, _CLOSERS.match(text, end).end())  # type: ignore[union-attr]  # it always matches
    if end < stop and text[end] == '"' and text.count('"', start, end) % 2:
        end += 1
    return end
