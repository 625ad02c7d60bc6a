"""Quotes of texts: whether a text contains one word for word, and the parts of a text that no quote covers."""

import re
from collections.abc import Iterable

LEFT_OUT = "[…]"
_BETWEEN_PIECES = re.compile(r"\n\s*\n|\n(?= *[-•\d*])|[:•\0]")


def plain(text: str) -> str:
    """The words alone: no comment signs, no emphasis, one space between them."""
    return " ".join(_bare(text).split())


def stands_in(quote: str, text: str) -> bool:
    """Whether the text contains the quote, apart from the parts that the quote leaves out."""
    return _pattern(quote).search(plain(text)) is not None


def unquoted(text: str, quotes: Iterable[str]) -> list[str]:
    """The pieces of the text that no quote covers anywhere; a piece ends with its line or at a colon."""
    words = _bare(text)
    covered = [False] * len(words)
    for quote in quotes:
        for found in _pattern(quote).finditer(words):
            covered[found.start() : found.end()] = [True] * (found.end() - found.start())
    left = "".join("\0" if hidden else letter for letter, hidden in zip(words, covered, strict=True))
    pieces = (plain(piece).strip("-.,;# ") for piece in _BETWEEN_PIECES.split(left))
    return [piece for piece in pieces if piece]


def _bare(text: str) -> str:
    return re.sub(r"[*_`]", "", re.sub(r"^ *//", "", text, flags=re.MULTILINE))


def _pattern(quote: str) -> re.Pattern[str]:
    parts = (r"\s+".join(re.escape(word) for word in plain(part).split()) for part in quote.split(LEFT_OUT))
    return re.compile(".*?".join(parts), re.DOTALL)
