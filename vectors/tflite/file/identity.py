"""The file's identifier and version, and that there is a primary subgraph."""

from collections.abc import Iterator

from ifcert.authoring import Vector
from ifcert.authoring.tflite import TfliteEdit, as_circle, as_in, replaced, tflite
from ifcert.authoring.tflite_loops import DOUBLED, DOUBLES
from ifcert.authoring.tflite_patterns import ADDS_OR_NEGATES, RUNS, X
from ifcert.authoring.vector import Run

IDENTIFIER = "tflite/file/identifier/"


def identifiers() -> Iterator[Vector]:
    """TFL3 and CIR0, and others."""
    tfl3 = Vector(IDENTIFIER + "tfl3", "the identifier is TFL3", ["schema-identifier"], ADDS_OR_NEGATES, RUNS)
    circle = tfl3.varied(
        "cir0: the same model, and the identifier is CIR0",
        as_circle,
        why=["onert-follows-tf-lite", "reader-circle-same"],
    )
    yield Vector(
        IDENTIFIER + "while-in-circle",
        "a loop, and the identifier is CIR0",
        ["onert-follows-tf-lite", "reader-circle-same"],
        DOUBLES.edited(as_circle),
        DOUBLED,
    )
    for case, written in [
        ("lower-case", b"tfl3"),
        ("tfl2", b"TFL2"),
        ("tfl4", b"TFL4"),
        ("of-another-schema", b"ARMN"),
        ("zero-bytes", bytes(4)),
    ]:
        yield tfl3.broken(
            f"{case}: the identifier is {written.decode() if written[0] else 'four zero bytes'}",
            why=["schema-identifier", "reader-identifier"],
            bytes_edit=lambda data, written=written: data[:4] + written + data[8:],  # type: ignore[misc]
        )
    yield circle.broken(
        "cir1: the identifier is CIR1",
        why=["circle-identifier", "reader-identifier"],
        bytes_edit=lambda data: data[:4] + b"CIR1" + data[8:],
    )


def versions() -> Iterator[Vector]:
    """TFL3 is of version 3."""
    three = Vector(
        "tflite/file/version/three",
        "the version is 3",
        ["schema-model-version", "schema-version-3"],
        ADDS_OR_NEGATES.edited(_version("tflite", 3)),
        RUNS,
    )
    yield three.varied(
        "circle-zero: a Circle file, which counts its own versions: the version is 0", lambda _: _circle(0)
    )
    for version in (0, 1, 2, 4, 2**32 - 1):
        yield three.broken(f"tfl3-{version}: the version is {version}", replaced("version=3", f"version={version}"))
    yield three.broken("tfl3-not-written: no version is written, so it is 0", replaced("version=3", "without=version"))


def _version(form: str, version: int) -> TfliteEdit:
    return lambda text: f"model {form} version={version}\n{text}"


def _circle(version: int) -> str:
    return _version("circle", version)(ADDS_OR_NEGATES.text)


def primaries() -> Iterator[Vector]:
    """A model has a subgraph."""
    only = Vector(
        "tflite/file/primary-required/the-only-one",
        "the model has one subgraph",
        ["schema-main-model"],
        tflite("""
            model tflite
            subgraph main (x: float32[2]) -> (y)
              y: float32[2] = NEG(x)
        """),
        [Run({"x": X}, {"y": -X})],
    )
    yield only.broken("none: the list of subgraphs is empty", as_in(tflite("model tflite")))
    yield only.broken(
        "no-list: there is no list of subgraphs", replaced("model tflite", "model tflite without=subgraphs")
    )
