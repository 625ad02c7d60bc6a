"""The cross of what is invalid in ONNX: a vector for each row of faults.json (docs/coverage.md)."""

from collections.abc import Iterator

from ifcert.authoring import Vector
from ifcert.authoring.faulty.onnx_dimensions import ONNX_FAULTS
from ifcert.authoring.faulty.onnx_faults import TABLE
from ifcert.authoring.faulty.onnx_places import sound
from ifcert.authoring.faulty.vectors import vectors_of


def vectors() -> Iterator[Vector]:
    yield from vectors_of(ONNX_FAULTS, TABLE, sound)
