"""Which settings the patterns are given, so that all pairs of settings' values occur."""

import itertools
import zlib
from collections.abc import Iterator, Sequence

from onnx import ModelProto

from ifcert.authoring.rewrites import onnxruntime, openvino, others, transposes
from ifcert.authoring.rewrites.pattern import Pattern
from ifcert.authoring.rewrites.places import DIMENSIONS, CannotBeBuiltError, Setting, Written
from ifcert.authoring.vector import Run

PATTERNS = [*onnxruntime.PATTERNS, *transposes.PATTERNS, *openvino.PATTERNS, *others.PATTERNS]
# Settings on which a runtime's optimizer failed, found by trying 60 settings of each pattern.
FAILED = {
    "quotient-as-factor": [Setting("branches", "computed", "none", "none", "ones", "fed")],
    "falling-range-gather": [
        Setting("branches", "fed", "none", "none", "own", "fed"),
        Setting("after", "fed", "identity", "none", "own", "fed"),
    ],
    "negative-range-gather": [Setting("loop", "overridable", "none", "none", "own", "fed")],
    "normalised": [
        Setting("branches", "computed", "none", "none", "own", "fed"),
        Setting("before", "overridable", "cast", "none", "own", "fed"),
    ],
    "sum-normalised": [Setting("branches", "overridable", "none", "none", "own", "fed")],
    "elements-from-end-of-slice": [
        Setting("branches", "constant", "none", "none", "own", "fed"),
        Setting("after", "constant", "transpose", "node", "own", "fed"),
    ],
    "relus-of-both-signs": [Setting("branches", "constant", "none", "none", "ones", "fed")],
    "max-then-min": [Setting("branches", "initializer", "none", "none", "ones", "fed")],
}
TRIED = 48  # settings of which the one that covers most is taken


def pairs(setting: Setting) -> set[tuple[tuple[int, str], ...]]:
    """The pairs and triples of values that a setting covers."""
    values = list(enumerate(setting.coordinates))
    return {*itertools.combinations(values, 2), *itertools.combinations(values, 3)}


def candidates(pattern: Pattern) -> Iterator[Setting]:
    """Settings for a pattern: always the same for its name, and different for another."""
    seed = zlib.crc32(pattern.name.encode())
    for _ in range(TRIED):
        values = []
        for dimension in DIMENSIONS.values():
            seed = (seed * 1103515245 + 12345) % 2**31
            values.append([*dimension][(seed >> 12) % len(dimension)])
        place, source, no_op, reader, width, cond = values
        source = pattern.sources[(seed >> 5) % len(pattern.sources)] if pattern.sources else source
        reader = "none" if pattern.inexact else reader
        width = width if pattern.scalars else "own"
        cond = "fed" if (seed >> 7) % 2 else cond
        yield Setting(place, source, no_op, reader, width, cond)


def chosen(patterns: Sequence[Pattern] = PATTERNS) -> Iterator[tuple[Pattern, Setting, ModelProto, list[Run]]]:
    """Each pattern with the settings on which a runtime failed, and with that among its candidates that covers most."""
    covered: set[tuple[tuple[int, str], ...]] = set()
    for pattern in patterns:
        for setting in FAILED.get(pattern.name, []):
            covered |= pairs(setting)
            yield pattern, setting, *Written(pattern, setting).built()
        ranked = sorted(candidates(pattern), key=lambda each: -_worth(pairs(each) - covered))
        for setting in ranked:
            try:
                made, runs = Written(pattern, setting).built()
            except CannotBeBuiltError:
                continue
            if setting not in FAILED.get(pattern.name, []):
                covered |= pairs(setting)
                yield pattern, setting, made, runs
            break


def _worth(missing: set[tuple[tuple[int, str], ...]]) -> int:
    """A pair counts for ten triples."""
    return sum(10 if len(each) == 2 else 1 for each in missing)
