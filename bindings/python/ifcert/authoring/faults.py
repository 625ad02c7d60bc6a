"""Tables of faults: what is edited into sound models to break a rule, each in several places."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ifcert.authoring.models import Edit
from ifcert.authoring.sources import Why, cited
from ifcert.authoring.vector import TextEdit, Vector, case_and_title


@dataclass(frozen=True)
class Fault:
    """A row: the edit that makes the fault, and the sentences that it breaks."""

    edit: Edit | TextEdit
    why: tuple[Why, ...]


# By "subject/rule/case: title", of the rule that the fault breaks.
Faults = Mapping[str, Fault]


def fault(edit: Edit | TextEdit, *why: Why) -> Fault:
    """A row of a table of faults."""
    return Fault(edit, why)


def case_of(written: str) -> str:
    """`if/one-input/no-input: it has no inputs` → `no-input`."""
    return case_and_title(written)[0].rpartition("/")[2]


def with_fault(sound: Vector, place: str, written: str, made: Fault, *, twin: Vector | None = None) -> Vector:
    """The sound vector with this fault of a table, which counts for its own rule, and for that of the fault too.

    Its title is "place: title of the fault". Its id begins by that of `sound`, or of `twin`, from which `sound` varies.
    """
    twin = twin or sound
    name, title = case_and_title(written)
    rule = f"{sound.system}/{name.rpartition('/')[0]}"
    why = list(dict.fromkeys(cited(each) for each in [*made.why, *twin.why]))
    broken = sound.broken(f"{twin.id}-{case_of(written)}: {place}{title}", made.edit, why=why)
    return broken if rule == broken.rule else replace(broken, also=[rule])
