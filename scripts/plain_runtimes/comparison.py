"""Compares what a runtime returned with what a vector expects, and shows it to a person."""

from __future__ import annotations

from typing import Any

from plain_api import PlainApi
from vector_values import value_of


def difference(api: PlainApi, found: object, wanted: object) -> str | None:
    """How a result differs from the expected value; None where it does not."""
    if api.same(found, wanted):
        return None
    if isinstance(wanted, tuple) and wanted[0] == "optional":
        if not api.OPTIONALS:
            return "wrong-type"
        found = api.unboxed(found, wanted[1])
        return "wrong-value" if found is None or wanted[1] is None else difference(api, found, wanted[1])
    if isinstance(wanted, list):
        if not isinstance(found, list):
            return "wrong-type"
        if len(found) != len(wanted):
            return "wrong-shape"
        return next(filter(None, (difference(api, *pair) for pair in zip(found, wanted, strict=True))), None)
    parts = api.parts(found)
    if not isinstance(parts, tuple):
        return "wrong-type"
    faults = zip(("wrong-type", "wrong-shape", "wrong-value"), parts, api.parts(wanted), strict=True)
    return next(fault for fault, one, other in faults if one != other)


def compared(api: PlainApi, results: list[object], expected: dict[str, Any]) -> str:
    """ "expected", or how the results differ from the (last) outputs that would have been right."""
    fault = "wrong-value"  # outputs where only a refusal is right, which the caller knows from the vector
    for outcome in expected.get("either", [expected]):
        if "outputs" not in outcome:
            continue
        values = [value_of(output["value"]) for output in outcome["outputs"]]
        fault = "wrong-value" if len(values) != len(results) else ""
        pairs = zip(results, values, strict=False)
        fault = fault or next(filter(None, (difference(api, *pair) for pair in pairs)), "expected")
        if fault == "expected":
            break
    return fault


def text_of(results: list[object]) -> str:
    """Results as text for people."""
    return "; ".join(" ".join(repr(result).split()) for result in results)[:300]
