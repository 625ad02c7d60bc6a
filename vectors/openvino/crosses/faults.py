"""The cross of what is invalid in OpenVINO IR: a vector for each row of faults.json (docs/coverage.md)."""

from collections.abc import Iterator

from ifcert.authoring import Vector
from ifcert.authoring.faulty.openvino_dimensions import OPENVINO_FAULTS
from ifcert.authoring.faulty.openvino_faults import TABLE
from ifcert.authoring.faulty.openvino_places import sound
from ifcert.authoring.faulty.vectors import vectors_of


def vectors() -> Iterator[Vector]:
    yield from vectors_of(OPENVINO_FAULTS, TABLE, sound)
