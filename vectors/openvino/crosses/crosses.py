"""The cross of OpenVINO IR: a vector for each row of crosses.json (docs/coverage.md)."""

from collections.abc import Iterator

from ifcert.authoring import Vector
from ifcert.authoring.crosses.openvino_vectors import vectors_of_cross


def vectors() -> Iterator[Vector]:
    yield from vectors_of_cross()
