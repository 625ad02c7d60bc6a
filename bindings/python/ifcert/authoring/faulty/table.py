"""A table of faults that lie in a body, each an edit of one sound form of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ifcert.authoring.crosses.dimensions import Dimension
from ifcert.authoring.models import Edit
from ifcert.authoring.sources import Why
from ifcert.authoring.vector import TextEdit

PLAIN = "none"


@dataclass(frozen=True)
class Form:
    """A sound form: in words, and the edit that gives it to the plain model; the plain form has no edit."""

    words: str
    edit: Edit | TextEdit | None = None
    about: Sequence[str] = ()


@dataclass(frozen=True)
class BodyFault:
    """A fault: in words, the rule that it breaks ("if/one-input"), its sentences, its edit, and the form it edits."""

    words: str
    rule: str
    why: Sequence[Why]
    edit: Edit | TextEdit
    of: str = PLAIN


@dataclass(frozen=True)
class Table:
    """The forms and the faults of a system by their names, which are the values of the dimension `fault`.

    `elsewhere`: the rules with refused vectors of which no fault is here, and why.
    """

    forms: Mapping[str, Form]
    faults: Mapping[str, BodyFault]
    elsewhere: Mapping[str, str]

    def dimension(self) -> Dimension:
        """The dimension whose values they are; the forms come first."""
        values = {name: form.words for name, form in self.forms.items()}
        values |= {name: fault.words for name, fault in self.faults.items()}
        return Dimension("fault", "the fault, which is in the If, beside it or in a branch of it", values, always=True)

    def form_of(self, value: str) -> str:
        """The form that a value of the dimension has but for its fault."""
        return self.faults[value].of if value in self.faults else value


def fault(rule: str, words: str, edit: Edit | TextEdit, *why: Why, of: str = PLAIN) -> BodyFault:
    """A row of a table."""
    return BodyFault(words, rule, why, edit, of)
