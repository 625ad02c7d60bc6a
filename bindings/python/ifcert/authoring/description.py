"""A vector's description as JSON, and its checks before it is written."""

from collections.abc import Iterable, Iterator
from typing import Any

from onnx import ModelProto

from ifcert.authoring.errors import AuthoringError
from ifcert.authoring.features import needs
from ifcert.authoring.sources import Issue, Source, Why
from ifcert.authoring.values import Value, Writable, value
from ifcert.authoring.vector import Concurrent, Outcome, Reread, Run, Step, TextModel, Vector

Json = dict[str, Any]


def description(vector: Vector, twin: Vector | None) -> Json:
    """The JSON description, with the name by which adapters see the model.

    `twin` is the accepted vector that a refused one names.

    Where the model itself is refused, names and needs are those of the twin's model: no runtime needs a fault.
    """
    sound = sound_model(vector, twin)
    _check_names(vector, sound)
    _check_rereads(vector)
    head: Json = {
        "id": vector.id,
        "system": vector.system,
        "rules": [vector.rule, *vector.also],
        "title": vector.title,
        "why": [_why(each) for each in vector.why],
        "axis": vector.axis,
    }
    if vector.coordinates:
        head["coordinates"] = dict(vector.coordinates)
    if vector.twin:
        head["twin"] = vector.twin
    if vector.obliged_by:
        if vector.axis != "diagnoses":
            raise AuthoringError(
                f"{vector.id}: obliged_by is the sentence that demands a refusal, but no refusal is expected"
            )
        head["obliged_by"] = _why(vector.obliged_by)
    return head | {
        "needs": sorted([*needs(sound, _values(vector)), *_abilities(vector, sound)]),
        "model": model_file(sound),
        "steps": [
            {"load": {"expect": {"refused": {}} if vector.refused else _in_doubt(vector, {"loaded": {}})}},
            *(_step(vector, step) for step in vector.runs),
        ],
    }


def model_file(sound: ModelProto | TextModel) -> str:
    """The file name of such a model."""
    return "model.onnx" if isinstance(sound, ModelProto) else sound.file


def sound_model(vector: Vector, twin: Vector | None) -> ModelProto | TextModel:
    """The model that describes the vector: the twin's where its own is refused, since a fault describes nothing."""
    sound = vector.described_by or (twin.model if vector.refused and twin else vector.model)
    if isinstance(sound, bytes):
        raise AuthoringError(f"{vector.id}: an accepted vector needs a model, or one that describes it")
    return sound


def _step(vector: Vector, step: Step) -> Json:
    if isinstance(step, Reread):
        # The load is step 0.
        return {"reread": {"step": step.of + 1, "expect": _expected(vector, _held(vector, step))}}
    if isinstance(step, Concurrent):
        return {"concurrent": {"runs": [_run(vector, run) for run in step.runs]}}
    return {"run": _run(vector, step) | ({"hold": True} if step.hold else {})}


def _run(vector: Vector, run: Run) -> Json:
    return {"inputs": _named(run.inputs.items()), "expect": _expected(vector, run)}


def _abilities(vector: Vector, model: ModelProto | TextModel) -> Iterator[str]:
    """The abilities of the adapter that the vector needs besides those of the runtime that its model needs."""
    if any(name in _defaults(model) for run in vector.every_run for name in run.inputs):
        yield "input:default"
    if any(isinstance(step, Run) and step.hold for step in vector.runs):
        yield "hold"
    if any(isinstance(step, Concurrent) for step in vector.runs):
        yield "threads"


def _why(why: Why) -> Json:
    if isinstance(why, Source):
        return {"source": why.source, "clause": why.clause}
    assert isinstance(why, Issue)
    return {"issue": why.issue, "note": why.note}


def _named(values: Iterable[tuple[str, Writable]]) -> list[Json]:
    return [{"name": name, "value": value(written).json()} for name, written in values]


def _expected(vector: Vector, run: Run) -> Json:
    if isinstance(run.expect, Outcome):
        return {"refused": {}}
    return _in_doubt(vector, {"outputs": _named(run.expected())})


def _in_doubt(vector: Vector, outcome: Json) -> Json:
    return {"either": [outcome, {"refused": {}}], "reason": vector.doubt} if vector.doubt else outcome


def _values(vector: Vector) -> Iterator[Value]:
    for run in vector.every_run:
        yield from map(value, run.inputs.values())
        yield from (value(written) for _, written in run.expected())


def _check_names(vector: Vector, model: ModelProto | TextModel) -> None:
    """Checks that every run feeds the graph's inputs and expects its outputs, all and in order.

    An input that has an initializer may be omitted.
    """
    if not vector.every_run:
        raise AuthoringError(f"{vector.id}: a vector needs at least one run")
    inputs, outputs = _signature(model)
    defaults = _defaults(model)
    for run in vector.every_run:
        if list(run.inputs) != [name for name in inputs if name in run.inputs or name not in defaults]:
            raise AuthoringError(f"{vector.id}: a run feeds {list(run.inputs)}; the model's inputs are {inputs}")
        expected = [name for name, _ in run.expected()]
        if not isinstance(run.expect, Outcome) and expected != outputs:
            raise AuthoringError(f"{vector.id}: a run expects {expected}; the model's outputs are {outputs}")


def _signature(model: ModelProto | TextModel) -> tuple[list[str], list[str]]:
    if not isinstance(model, ModelProto):
        return model.inputs(), model.outputs()
    return [given.name for given in model.graph.input], [output.name for output in model.graph.output]


def _defaults(model: ModelProto | TextModel) -> set[str]:
    """The names of the main graph's initializers, which are the defaults of inputs with those names."""
    return {tensor.name for tensor in model.graph.initializer} if isinstance(model, ModelProto) else set()


def _check_rereads(vector: Vector) -> None:
    """Checks that a reread names an earlier run that is held and expects values, and that every held run is reread."""
    looked_at = {step.of for step in vector.runs if isinstance(step, Reread)}
    for number, step in enumerate(vector.runs):
        if isinstance(step, Reread):
            held = vector.runs[step.of] if 0 <= step.of < number else None
            if not isinstance(held, Run) or not held.hold:
                raise AuthoringError(
                    f"{vector.id}: a reread names step {step.of}, which is not an earlier run with hold"
                )
        elif isinstance(step, Concurrent):
            if len(step.runs) < 2 or any(run.hold for run in step.runs):
                raise AuthoringError(f"{vector.id}: at least two runs must be concurrent, and none of them may be held")
        elif step.hold and (isinstance(step.expect, Outcome) or vector.doubt):
            raise AuthoringError(f"{vector.id}: a held run must expect values")
        elif step.hold and number not in looked_at:
            raise AuthoringError(f"{vector.id}: run {number} is held, but no later step rereads it")


def _held(vector: Vector, reread: Reread) -> Run:
    held = vector.runs[reread.of]
    assert isinstance(held, Run)  # checked by _check_rereads
    return held
