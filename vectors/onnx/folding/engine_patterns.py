"""Graphs that engines' optimizers rewrite, each at a place near an If: what an engine's tests of its passes name."""

from collections.abc import Iterator

from ifcert.authoring import Vector
from ifcert.authoring.forms import forms
from ifcert.authoring.rewrites.pattern import Pattern
from ifcert.authoring.rewrites.places import CONDS, DIMENSIONS, NO_OPS, PLACES, READERS, SOURCES, WIDTHS, Setting
from ifcert.authoring.rewrites.settings import chosen
from onnx import ModelProto

RULES = {
    "branches": "outer-scope-capture",
    "into": "outer-scope-capture",
    "out": "operand-positions",
    "inner": "nesting",
    "before": "outer-scope-capture",
    "after": "operand-positions",
    "loop": "in-loop",
    "function": "in-function",
}
WHY = {
    "out": ["ir-edges"],
    "after": ["ir-edges"],
    "loop": ["ir-outer-scope", "operators-loop-inputs-defined"],
    "function": ["ir-outer-scope", "ir-function-body"],
}

MAY = "a runtime MAY allow a caller to replace the initializer, and MAY allow a caller to leave the input out"


def case(pattern: Pattern, setting: Setting) -> str:
    """The pattern and the setting's values that are not the plain ones."""
    parts = ["rewrite", pattern.name, setting.place, setting.source]
    parts += [setting.no_op] if setting.no_op != "none" else []
    parts += [f"read-by-{setting.reader}"] if setting.reader != "none" else []
    parts += [f"wide-{setting.width}"] if setting.width != "own" else []
    parts += [f"cond-{setting.cond}"] if setting.cond != "fed" else []
    return "-".join(parts)


def title(pattern: Pattern, setting: Setting) -> str:
    """What the model holds, in words."""
    words = [f"{pattern.words} ({pattern.seen}): {PLACES[setting.place]}"]
    words += [f"its constants are {SOURCES[setting.source]}"] if pattern.then else []
    words += [f"{NO_OPS[setting.no_op]} between the parts"] if setting.no_op != "none" else []
    words += [READERS[setting.reader]] if setting.reader != "none" else []
    words += [f"constants of {WIDTHS[setting.width]}"] if setting.width != "own" else []
    words += [CONDS[setting.cond]] if setting.cond != "fed" else []
    return "; ".join(words)


def _has_a_default(model: ModelProto) -> bool:
    """Whether an input of the main graph has an initializer."""
    return bool({given.name for given in model.graph.input} & {tensor.name for tensor in model.graph.initializer})


def vectors() -> Iterator[Vector]:
    """Each pattern once; every pair of a place, a source of the constants, a no-op and a reader occurs."""
    for pattern, setting, model, runs in chosen():
        yield Vector(
            f"onnx/if/{RULES[setting.place]}/{case(pattern, setting)}",
            title(pattern, setting),
            [*WHY.get(setting.place, ["ir-outer-scope"]), "ir-runtime-agnostic"],
            model,
            runs,
            coordinates={"pattern": pattern.name, **dict(zip(DIMENSIONS, setting.coordinates, strict=True))},
            about=sorted({"empty-constants"} & forms(model)),
            doubt=MAY if _has_a_default(model) else "",
        )
