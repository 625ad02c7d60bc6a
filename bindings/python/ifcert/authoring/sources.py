"""What vectors give as their reasons: sentences of the texts, by their ids in sentences.json, and public issues."""

import functools
from dataclasses import dataclass
from pathlib import Path

from ifcert.authoring.errors import AuthoringError
from ifcert.authoring.sentences import Table, read_tables

VECTORS = Path(__file__).resolve().parents[4] / "vectors"


@dataclass(frozen=True)
class Source:
    """A sentence of a text: the document, and the place in it (with the sentence quoted)."""

    source: str
    clause: str


@dataclass(frozen=True)
class Issue:
    """A public issue about the defect that this vector looks for."""

    issue: str
    note: str


# A str is the id of a sentence.
Why = Source | Issue | str


def says(id: str, *more: str, note: str = "") -> Source:
    """The sentence with this id, or several of one document, as a system's sentences.json has them.

    A vector may give the id alone in place of one sentence without a note. `note` says what in it the vector rests on:
    "so they need not". Raises AuthoringError for an id that no table has.
    """
    ids = (id, *more)
    citations = [_citation(each) for each in ids]
    documents = list(dict.fromkeys(document for document, _ in citations))
    if len(documents) != 1:
        raise AuthoringError(f"{', '.join(ids)}: sentences of {' and of '.join(documents)}, not of one document")
    clause = "; ".join(clause for _, clause in citations)
    return Source(documents[0], f"{clause} ({note})" if note else clause)


def cited(why: Why) -> Source | Issue:
    """The sentence, where only its id is given."""
    return says(why) if isinstance(why, str) else why


def issue(repository: str, number: int, note: str) -> Issue:
    """An issue of a public repository, given as owner/name."""
    return Issue(f"https://github.com/{repository}/issues/{number}", note)


def _citation(id: str) -> tuple[str, str]:
    """The document and the clause."""
    for table in _tables():
        if table.has(id):
            return table.citation(id)
    raise AuthoringError(f"none of the tables vectors/*/sentences.json has a sentence {id}")


@functools.cache
def _tables() -> list[Table]:
    return read_tables(VECTORS)


SIZE_OF_NOTHING = (
    "Constant-1 says of size 'positive integer bigger than zero', which leaves no legal size for a Const without "
    "elements"
)
MERGED = issue(
    "onnx/onnx", 2345, "the shapes of the branches were merged, so branches with different shapes were an error"
)
