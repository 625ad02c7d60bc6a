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
        place, source, no_op, reader, width = values
        source = pattern.sources[(seed >> 5) % len(pattern.sources)] if pattern.sources else source
        yield Setting(place, source, no_op, "none" if pattern.inexact else reader, width if pattern.scalars else "own")


def chosen(patterns: Sequence[Pattern] = PATTERNS) -> Iterator[tuple[Pattern, Setting, ModelProto, list[Run]]]:
    """Each pattern once, with the setting among its candidates that can be built and covers most."""
    covered: set[tuple[tuple[int, str], ...]] = set()
    for pattern in patterns:
        ranked = sorted(candidates(pattern), key=lambda each: -_worth(pairs(each) - covered))
        for setting in ranked:
            try:
                made, runs = Written(pattern, setting).built()
            except CannotBeBuiltError:
                continue
            covered |= pairs(setting)
            yield pattern, setting, made, runs
            break


def _worth(missing: set[tuple[tuple[int, str], ...]]) -> int:
    """A pair counts for ten triples."""
    return sum(10 if len(each) == 2 else 1 for each in missing)
