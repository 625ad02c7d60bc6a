"""vector.json: a vector's description, and what must be true of it before it is written."""

from collections.abc import Iterator, Mapping
from typing import Any

from onnx import GraphProto, ModelProto

from ifcert.authoring.features import needs
from ifcert.authoring.values import Value, Writable, value
from ifcert.authoring.vector import Outcome, Run, Source, Vector, Why

FORMAT = 1

Json = dict[str, Any]


class AuthoringError(Exception):
    """A vector that its author must mend: which one, what was found, what was asked."""


def description(vector: Vector, twin: Vector | None) -> Json:
    """The JSON description. `twin` is the accepted vector that a refused one names.

    Where the model itself is refused, names and needs are those of the twin's model: a fault is nothing to be needed.
    """
    sound = twin.model if vector.refused and twin else vector.model
    if not isinstance(sound, ModelProto):
        raise AuthoringError(f"{vector.id}: an accepted vector's model is a model, not bytes")
    _check_names(vector, sound)
    head: Json = {
        "format": FORMAT,
        "id": vector.id,
        "system": vector.id.partition("/")[0],
        "rules": [vector.rule, *vector.also],
        "title": vector.title,
        "why": [_why(each) for each in vector.why],
        "strength": "either" if vector.doubt else "must",
    }
    if vector.twin:
        head["twin"] = vector.twin
    return head | {
        "needs": needs(sound, _values(vector)),
        "model": "model.onnx",
        "steps": [
            {"load": {"expect": {"refused": {}} if vector.refused else _in_doubt(vector, {"loaded": {}})}},
            *({"run": {"inputs": _named(run.inputs), "expect": _expected(vector, run)}} for run in vector.runs),
        ],
    }


def refuses(vector: Vector) -> bool:
    """Whether the vector expects a refusal anywhere (so that it needs an accepted twin)."""
    return vector.refused or any(isinstance(run.expect, Outcome) for run in vector.runs)


def _why(why: Why) -> Json:
    if isinstance(why, Source):
        return {"source": why.source, "clause": why.clause}
    return {"issue": why.issue, "note": why.note}


def _named(values: Mapping[str, Writable]) -> list[Json]:
    return [{"name": name, "value": value(written).json()} for name, written in values.items()]


def _expected(vector: Vector, run: Run) -> Json:
    if isinstance(run.expect, Outcome):
        return {"refused": {}}
    return _in_doubt(vector, {"outputs": _named(run.expect)})


def _in_doubt(vector: Vector, outcome: Json) -> Json:
    return {"either": [outcome, {"refused": {}}], "reason": vector.doubt} if vector.doubt else outcome


def _values(vector: Vector) -> Iterator[Value]:
    for run in vector.runs:
        yield from map(value, run.inputs.values())
        if not isinstance(run.expect, Outcome):
            yield from map(value, run.expect.values())


def _check_names(vector: Vector, model: ModelProto) -> None:
    """Every run feeds the graph's inputs (those without initializer) and expects its outputs, all and in order."""
    if not vector.runs:
        raise AuthoringError(f"{vector.id}: a vector runs at least once")
    outputs = [output.name for output in model.graph.output]
    inputs = _fed(model.graph)
    for run in vector.runs:
        if list(run.inputs) != inputs:
            raise AuthoringError(f"{vector.id}: a run feeds {list(run.inputs)}; the model's inputs are {inputs}")
        if not isinstance(run.expect, Outcome) and list(run.expect) != outputs:
            raise AuthoringError(f"{vector.id}: a run expects {list(run.expect)}; the model's outputs are {outputs}")


def _fed(graph: GraphProto) -> list[str]:
    initialized = {tensor.name for tensor in graph.initializer}
    return [given.name for given in graph.input if given.name not in initialized]
