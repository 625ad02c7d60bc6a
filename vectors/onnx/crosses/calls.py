"""The cross of calls of local functions in ONNX: a vector for each row of calls.json (docs/coverage.md)."""

from collections.abc import Iterator

from ifcert.authoring import Vector
from ifcert.authoring.crosses.onnx_call_vectors import vectors_of_calls


def vectors() -> Iterator[Vector]:
    yield from vectors_of_calls()
