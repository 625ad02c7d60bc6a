"""The cross of what cannot run in ONNX, at places that no run enters: a vector for each row of run-faults.json."""

from collections.abc import Iterator

from ifcert.authoring import Vector
from ifcert.authoring.faulty.onnx_unreached import vectors_of_run_faults


def vectors() -> Iterator[Vector]:
    yield from vectors_of_run_faults()
