"""The sentences of the specifications: vectors/SYSTEM/sentences.json, as values."""

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jsonschema import Draft7Validator

from ifcert.authoring.errors import AuthoringError
from ifcert.authoring.json_file import read_json


@dataclass(frozen=True)
class Document:
    """A quoted document; the url is public, or relative to docs/. `operation`: it specifies If or While itself."""

    title: str
    url: str
    operation: bool = False


@dataclass(frozen=True)
class Sentence:
    """A sentence, its place, and its status.

    The status is "rule" (`rules` names them), "informative" or "untestable" (`why` gives the reason). `versions`
    are those of the operation whose text has it, where the document distinguishes versions.
    """

    id: str
    document: str
    place: str
    quote: str
    status: str
    versions: Sequence[int] = ()
    rules: Sequence[str] = ()
    why: str = ""


@dataclass(frozen=True)
class RuleText:
    """A rule: what holds where it is kept, and the sentence that is shown as its clause (one of those that name it)."""

    id: str
    holds: str
    sentence: str


@dataclass(frozen=True)
class Quote:
    """What vectors cite from a text that is not listed sentence by sentence.

    `quote` is word for word, or empty where `fact` says what the place states in another form, such as a declaration.
    """

    id: str
    document: str
    place: str
    quote: str = ""
    fact: str = ""


@dataclass(frozen=True)
class NoVectors:
    """Why a rule has no vectors on these axes ("computes", "diagnoses")."""

    rule: str
    vectors: Sequence[str]
    why: str


@dataclass(frozen=True)
class Table:
    """The contents of a system's sentences.json."""

    system: str
    documents: dict[str, Document] = field(default_factory=dict)
    sentences: Sequence[Sentence] = ()
    without: Sequence[NoVectors] = ()
    rules: Sequence[RuleText] = ()
    quotes: Sequence[Quote] = ()

    def has(self, id: str) -> bool:
        """Whether a sentence or a quote has this id."""
        return id in self._by_id

    def is_of_operation(self, id: str) -> bool:
        """Whether the sentence specifies If or While itself: in a text of its own, or in its entry of a longer one."""
        found = self._by_id[id]
        return self.documents[found.document].operation or found.place.split(",")[0] == "If"

    def citation(self, id: str, mark: str = "'") -> tuple[str, str]:
        """The document, with the newest version that has the sentence, and the clause: its place and its words.

        `mark` stands on both sides of words that are quoted.
        """
        found = self._by_id[id]
        versions = found.versions if isinstance(found, Sentence) else ()
        title = self.documents[found.document].title + (f"-{max(versions)}" if versions else "")
        words = found.fact if isinstance(found, Quote) and found.fact else f"{mark}{found.quote}{mark}"
        return title, f"{found.place}: {words}"

    @functools.cached_property
    def _by_id(self) -> dict[str, Sentence | Quote]:
        return {each.id: each for each in (*self.sentences, *self.quotes)}


def read_tables(vectors: Path) -> list[Table]:
    """The tables of all systems below the folder `vectors`."""
    schema = Draft7Validator(json.loads((vectors / "schemas" / "sentences.schema.json").read_text()))
    return [_read(path, schema) for path in sorted(vectors.glob("*/sentences.json"))]


def _read(path: Path, schema: Draft7Validator) -> Table:
    table = read_json(path)
    for error in schema.iter_errors(table):
        raise AuthoringError(f"{path.parent.name}/{path.name}: {error.json_path}: {error.message}")
    return Table(
        path.parent.name,
        {name: Document(**each) for name, each in table["documents"].items()},
        [Sentence(**each) for each in table["sentences"]],
        [NoVectors(**each) for each in table["without"]],
        [RuleText(**each) for each in table.get("rules", [])],
        [Quote(**each) for each in table.get("quotes", [])],
    )
