"""What vectors give as their reasons: sentences of the texts, by their ids in sentences.json, and public issues."""

import functools
from pathlib import Path

from ifcert.authoring.description import AuthoringError
from ifcert.authoring.sentences import Table, read_tables
from ifcert.authoring.vector import Issue, Source

VECTORS = Path(__file__).resolve().parents[4] / "vectors"


def says(id: str, *more: str, note: str = "") -> Source:
    """The sentence with this id, or several of one document, as a system's sentences.json has them.

    `note` says what in it the vector rests on: "so they need not". Raises AuthoringError for an id that no table has.
    """
    ids = (id, *more)
    cited = [_citation(each) for each in ids]
    documents = list(dict.fromkeys(document for document, _ in cited))
    if len(documents) != 1:
        raise AuthoringError(f"{', '.join(ids)}: sentences of {' and of '.join(documents)}, not of one document")
    clause = "; ".join(clause for _, clause in cited)
    return Source(documents[0], f"{clause} ({note})" if note else clause)


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
