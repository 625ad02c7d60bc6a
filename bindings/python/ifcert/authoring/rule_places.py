"""The functions of the reference that check or implement each rule, as the comments above them say.

    // "The tensor must contain a single element."
    // Sentence: if-cond-single-element.
    // Rule: onnx/if/cond-single-element.
    void cond_single_element(const InferredIfSite& site, const Report& report) {

Several are listed with commas, after "Sentences:" and "Rules:". A quote beside a sentence's id is that sentence's. A
comment may also cite a sentence without a rule.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ifcert.authoring.quotes import stands_in
from ifcert.authoring.sentences import Sentence, Table

_COMMENT = re.compile(r"^ *///?(?: |$)")
_DEFINED = re.compile(r"^ *(?!return|throw|else)(?:\[\[\w+\]\] )?\w[\w:<>,*& ]*[ *&]([\w:~]+)\([^;]*$")
_RULES = re.compile(r"\bRules?: ([^.]+)\.")
_SENTENCES = re.compile(r"\bSentences?: ([^.]+)\.")
_QUOTE = re.compile(r'(?<!\S)"((?:[^"]|"\w+")+)"(?=\s|[.,;:)]|$)')


@dataclass(frozen=True)
class Place:
    """A function of the reference that checks a rule or implements it."""

    file: str
    function: str


@dataclass(frozen=True)
class Comment:
    """What a comment cites; `place` has no function where none follows."""

    place: Place
    rules: Sequence[str]
    sentences: Sequence[str]
    quotes: Sequence[str]


def read_comments(root: Path) -> list[Comment]:
    """The comments that name a rule or a sentence, of all sources of the reference but tests, by file and line."""
    files = sorted(path for path in (root / "reference").rglob("*.[ch]pp") if not path.stem.endswith("_test"))
    return [
        comment
        for path in files
        for comment in comments_of(path.read_text().splitlines(), path.relative_to(root).as_posix())
    ]


def comments_of(lines: Sequence[str], file: str) -> Iterator[Comment]:
    """The comments that name a rule or a sentence, of one source."""
    block: list[str] = []
    for line in lines:
        if _COMMENT.match(line):
            block.append(_COMMENT.sub("", line).strip())
            continue
        text, block = " ".join(block), []
        rules, sentences = _RULES.search(text), _SENTENCES.search(text)
        if rules or sentences:
            defined = _DEFINED.match(line)
            place = Place(file, defined[1] if defined else "")
            yield Comment(place, _listed(rules), _listed(sentences), _QUOTE.findall(text) if sentences else [])


def places_of(comments: Sequence[Comment]) -> dict[str, list[Place]]:
    """The functions of each rule."""
    places: dict[str, list[Place]] = {}
    for comment in comments:
        for rule in comment.rules:
            places.setdefault(rule, []).append(comment.place)
    return places


def comment_problems(comments: Sequence[Comment], tables: Sequence[Table]) -> Iterator[str]:
    """What is wrong in the comments, a sentence each."""
    rules = {rule.id for table in tables for rule in table.rules}
    for comment in comments:
        where = f"{comment.place.file}: {comment.place.function}" if comment.place.function else comment.place.file
        if comment.rules and not comment.place.function:
            yield f"{where}: no function follows the comment on {', '.join(comment.rules)}"
        yield from (f"{where}: there is no rule {rule}" for rule in comment.rules if rule not in rules)
        systems = {rule.partition("/")[0] for rule in comment.rules} or {table.system for table in tables}
        of_system = [table for table in tables if table.system in systems]
        known = {each.id: each for table in of_system for each in (*table.sentences, *table.quotes)}
        yield from (f"{where}: there is no sentence {id}" for id in comment.sentences if id not in known)
        cited = [known[id] for id in comment.sentences if id in known]
        for sentence in cited:
            if comment.rules and isinstance(sentence, Sentence) and not set(sentence.rules) & set(comment.rules):
                yield f"{where}: {sentence.id} is a sentence of {', '.join(sentence.rules) or 'no rule'}"
        for quote in comment.quotes:
            if cited and not any(stands_in(quote, sentence.quote) for sentence in cited):
                yield f'{where}: "{quote}" is not in {", ".join(sentence.id for sentence in cited)}'


def _listed(found: re.Match[str] | None) -> list[str]:
    return [each.strip() for each in found[1].split(",")] if found else []
