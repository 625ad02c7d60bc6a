"""The cross of what is invalid in TensorFlow Lite: a vector for each row of faults.json (docs/coverage.md)."""

from collections.abc import Iterator

from ifcert.authoring import Vector
from ifcert.authoring.faulty.tflite_dimensions import TFLITE_FAULTS
from ifcert.authoring.faulty.tflite_faults import TABLE
from ifcert.authoring.faulty.tflite_places import sound
from ifcert.authoring.faulty.vectors import vectors_of


def vectors() -> Iterator[Vector]:
    yield from vectors_of(TFLITE_FAULTS, TABLE, sound)
