"""A vector as its author declares it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import wraps

import numpy as np
from onnx import ModelProto

from ifcert.authoring.errors import AuthoringError
from ifcert.authoring.forms import FORMS, FORMS_OF_RULES
from ifcert.authoring.ir import IrModel
from ifcert.authoring.models import Edit, edited
from ifcert.authoring.neutral import neutral
from ifcert.authoring.sources import Issue, Source, Why, cited
from ifcert.authoring.tflite import TfliteModel
from ifcert.authoring.values import Value, Writable, value

TextModel = IrModel | TfliteModel  # written as a text, from which its files are generated
TextEdit = Callable[[str], str]


class Outcome(Enum):
    """An expected outcome that is not values."""

    REFUSED = "refused"


REFUSED = Outcome.REFUSED


Inputs = Mapping[str, Writable]
Expected = Mapping[str, Writable] | Sequence[tuple[str, Writable]] | Outcome


@dataclass(frozen=True)
class Run:
    """One run of the session: the values fed, and the values expected (or that it must be refused).

    Values are expected by name, or as pairs where a model lists one output twice.
    `hold`: the runtime's results are kept as they are, for a later `Reread`.
    """

    inputs: Inputs
    expect: Expected
    hold: bool = False

    def expected(self) -> list[tuple[str, Writable]]:
        """The outputs' names and values, in order; none where the run must be refused."""
        if isinstance(self.expect, Outcome):
            return []
        return list(self.expect.items() if isinstance(self.expect, Mapping) else self.expect)


def branches(inputs: Inputs, *, then: Expected, else_: Expected, cond: str = "cond") -> list[Run]:
    """Two runs with the same inputs: one in which the first input, `cond`, is true, then one in which it is false."""
    return [Run({cond: np.True_, **inputs}, then), Run({cond: np.False_, **inputs}, else_)]


@dataclass(frozen=True)
class Reread:
    """The results of the held run number `of` (its position among the vector's steps, from 0), read again.

    They must still be those that that run expected.
    """

    of: int


@dataclass(frozen=True)
class Concurrent:
    """Runs of the session that start at the same time, each in its own thread."""

    runs: Sequence[Run]


Step = Run | Reread | Concurrent


@dataclass(frozen=True)
class Vector:
    """A model, the runs made with it in order (its steps), and the outcome that the texts demand.

    The id is the rule, then the case. `why`: sentences, which are given as their ids, and issues. `doubt` explains why
    a refusal is as good an answer (axis `open`). `refused` means that the model itself is invalid; then no run of it
    should be computed. Where a text obliges the implementation itself to refuse, `obliged_by` is that sentence. Where
    the file is bytes that onnx cannot read, though it may be accepted, `described_by` is a model with its inputs,
    outputs and operators. `accepted` is the vector that a refused one was derived from, its twin, which is declared
    with it. `about`: the words of FORMS, forms of the file that it tests beside those that its rule is about; it has no
    other. `declared_in` is the family that declares it, "room/family.py", which the catalogue fills in. `coordinates`:
    of a vector of a cross, its value in each dimension.
    """

    id: str
    title: str
    why: Sequence[Why]
    model: ModelProto | TextModel | bytes
    runs: Sequence[Step] = ()
    also: Sequence[str] = ()
    doubt: str = ""
    refused: bool = False
    twin: str = ""
    accepted: "Vector | None" = field(default=None, compare=False, repr=False)
    files: Mapping[str, bytes] = field(default_factory=dict)
    described_by: ModelProto | TextModel | None = None
    obliged_by: Source | str | None = None
    about: Sequence[str] = ()
    declared_in: str = ""
    coordinates: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Looks up the sentences that are given as ids. Raises AuthoringError for an id or a word that no table has."""
        for word in self.about:
            if word not in FORMS:
                raise AuthoringError(f"{self.id}: it is about {word!r}, which is none of {', '.join(FORMS)}")
        try:
            object.__setattr__(self, "why", [cited(each) for each in self.why])
            object.__setattr__(self, "obliged_by", self.obliged_by and cited(self.obliged_by))
        except AuthoringError as error:
            raise AuthoringError(f"{self.id}: {error}") from None

    @property
    def system(self) -> str:
        """The format of its model: "onnx", "openvino", "tflite"."""
        return self.id.partition("/")[0]

    @property
    def rule(self) -> str:
        """The rule this vector counts for."""
        return self.id.rpartition("/")[0]

    @property
    def forms(self) -> set[str]:
        """The forms of the file that it is about, by itself, by its rule, or as its twin."""
        of_twin = self.accepted.forms if self.accepted else ()
        return {*self.about, *FORMS_OF_RULES.get(self.rule, ()), *of_twin}

    @property
    def refuses(self) -> bool:
        """Whether it expects a refusal anywhere (so that it needs an accepted twin)."""
        return self.refused or any(isinstance(run.expect, Outcome) for run in self.every_run)

    @property
    def axis(self) -> str:
        """The property of a runtime that it tests: "computes", "diagnoses", or "open" where the texts leave the outcome
        open.
        """
        if self.doubt:
            return "open"
        return "diagnoses" if self.refuses else "computes"

    @property
    def every_run(self) -> Sequence[Run]:
        """All runs in order, including concurrent ones."""
        return [run for step in self.runs for run in _runs_of(step)]

    def broken(
        self,
        case: str,
        *edits: Edit | TextEdit,
        why: Sequence[Why] = (),
        runs: Sequence[Inputs] | None = None,
        bytes_edit: Callable[[bytes], bytes] | None = None,
        files: Mapping[str, bytes] | None = None,
        obliged_by: Source | str | None = None,
    ) -> "Vector":
        """The refused vector whose accepted twin this is: the same model with one fault edited in, the same runs.

        `case` is "case: title", or "rule/case: title" where the rule is not this vector's. `runs` replaces the inputs
        of the runs where the fault changes them; `bytes_edit` damages the file.
        """
        faulty, also = self._edited(*edits), {}
        if bytes_edit is not None:
            faulty, also = self._damaged(faulty, bytes_edit)
        inputs = [run.inputs for run in self.every_run] if runs is None else runs
        id, title = self._named(case)
        return replace(
            self,
            id=id,
            title=title,
            why=why or self.why,
            model=faulty,
            runs=[Run(each, REFUSED) for each in inputs],
            doubt="",
            refused=True,
            twin=self.id,
            accepted=self,
            files=also | (self.files if files is None else files),
            obliged_by=obliged_by,
        )

    def varied(
        self,
        case: str,
        *edits: Edit | TextEdit,
        why: Sequence[Why] = (),
        runs: Sequence[Step] | None = None,
        doubt: str = "",
        about: Sequence[str] | None = None,
    ) -> "Vector":
        """Another accepted (or doubted) vector: the same model with edits that leave it valid."""
        id, title = self._named(case)
        return replace(
            self,
            id=id,
            title=title,
            why=why or self.why,
            model=self._edited(*edits),
            runs=self.runs if runs is None else runs,
            doubt=doubt,
            about=self.about if about is None else about,
        )

    def _named(self, case: str) -> tuple[str, str]:
        """The id and the title of another case of this vector's rule, or of another rule, which is named then."""
        name, title = case_and_title(case)
        return (name if "/" in name else f"{self.rule}/{name}"), title

    def _edited(self, *edits: Edit | TextEdit) -> ModelProto | TextModel:
        assert not isinstance(self.model, bytes)
        return edited(self.model, *edits) if isinstance(self.model, ModelProto) else self.model.edited(*edits)

    def _damaged(self, model: ModelProto | TextModel, edit: Callable[[bytes], bytes]) -> tuple[bytes, dict[str, bytes]]:
        """The bytes of the model's file after the edit, and its other files."""
        if isinstance(model, ModelProto):
            return edit(neutral(model, self.forms).SerializeToString(deterministic=True)), {}
        files = model.files()
        return edit(files.pop(model.file)), files

    def refusing(
        self, case: str, *inputs: Inputs, why: Sequence[Why] = (), obliged_by: Source | str | None = None
    ) -> "Vector":
        """The refused vector that makes these further runs, each to be refused, in the session of this accepted one."""
        further = [Run(each, REFUSED) for each in inputs]
        id, title = self._named(case)
        return replace(
            self,
            id=id,
            title=title,
            why=why or self.why,
            runs=[*self.runs, *further],
            twin=self.id,
            accepted=self,
            obliged_by=obliged_by,
        )

    def cold(self) -> Iterator["Vector"]:
        """The controls of a sequence of runs: each but the first, once, alone in a session of its own.

        Where the sequence fails and these pass, the earlier runs caused it. A control looks for no defect of
        the field itself: it links no issue.
        """
        why = [each for each in self.why if not isinstance(each, Issue)]
        seen: list[Mapping[str, Value]] = []
        for number, run in enumerate(self.every_run, 1):
            fed = {name: value(written) for name, written in run.inputs.items()}
            if number > 1 and fed not in seen:
                yield replace(
                    self,
                    id=f"{self.id}-cold-{number}",
                    title=f"run {number} of {self.id.rpartition('/')[2]}, in a session of its own",
                    why=why,
                    runs=[replace(run, hold=False)],
                )
            seen.append(fed)


def vectors_of(rule: str, *sources: Why, about: Sequence[str] = ()) -> Callable[..., Vector]:
    """A maker of the vectors of a rule, which cite these sources and are about these forms, unless they say otherwise.

    It is called with the case and its title, the model and the steps, which are single or in lists:
    `nesting("two-deep: an If in an If", MODEL, Run(…), Run(…))`.
    """

    def vector(
        case: str,
        model: ModelProto | TextModel | bytes,
        *steps: Step | Sequence[Step],
        why: Sequence[Why] = sources,
        also: Sequence[str] = (),
        doubt: str = "",
        files: Mapping[str, bytes] | None = None,
        described_by: ModelProto | TextModel | None = None,
        about: Sequence[str] = about,
    ) -> Vector:
        name, title = case_and_title(case)
        runs = [step for each in steps for step in ([each] if isinstance(each, Step) else each)]
        return Vector(
            f"{rule}/{name}",
            title,
            why,
            model,
            runs,
            also,
            doubt,
            files=files or {},
            described_by=described_by,
            about=about,
        )

    return vector


def case_and_title(written: str) -> tuple[str, str]:
    """`two-deep: an If in an If` → the name of the case, and the title. Raises ValueError where there is no colon."""
    case, colon, title = written.partition(": ")
    if not colon:
        raise ValueError(f"a vector is called 'case: title', with a colon and a space between them; got {written!r}")
    return case, title


def with_cold_runs(family: Callable[[], Iterator[Vector]]) -> Callable[[], Iterator[Vector]]:
    """A generator of vectors, each of which is followed by its cold runs."""

    @wraps(family)
    def vectors() -> Iterator[Vector]:
        for warm in family():
            yield warm
            yield from warm.cold()

    return vectors


def _runs_of(step: Step) -> Sequence[Run]:
    if isinstance(step, Reread):
        return ()
    return step.runs if isinstance(step, Concurrent) else (step,)
