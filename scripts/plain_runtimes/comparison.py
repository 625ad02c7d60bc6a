"""Compares what a runtime returned with what vector.json expects, and shows it to a person."""

from __future__ import annotations

from typing import Any

import numpy as np
from elements import LACKING, NUMPY_NAMES, Parts, parts_of, wanted_parts


def difference(result: object, wanted: dict[str, Any]) -> str | None:
    """How a result differs from a value of vector.json; None where it does not."""
    if wanted["kind"] == "optional" and isinstance(result, Parts):
        return "wrong-type"  # openvino has tensors only, and declares that this output is one
    if wanted["kind"] == "optional":
        of_sequence = wanted.get("value", {}).get("kind") == "sequence"
        boxed = isinstance(result, list) and len(result) == 1  # the evaluator's Optional makes a list of one
        if boxed and (not of_sequence or isinstance(result[0], list)):
            result = result[0]
        if "absent" in wanted or result is None:
            return None if "absent" in wanted and result is None else "wrong-value"
        return difference(result, wanted["value"])
    if wanted["kind"] == "sequence":
        if not isinstance(result, list):
            return "wrong-type"
        if len(result) != len(wanted["items"]):
            return "wrong-shape"
        return next(filter(None, map(difference, result, wanted["items"])), None)
    found = parts_of(result)
    if found is None:
        return "wrong-type"
    expected = wanted_parts(wanted, packed=hasattr(result, "data_ptr") or isinstance(result, Parts))
    faults = ("wrong-type", "wrong-shape", "wrong-value")
    return next((fault for fault, one, other in zip(faults, found, expected, strict=True) if one != other), None)


def compared(results: list[object], expected: dict[str, Any]) -> str:
    """ "expected", or how the results differ from the (last) outputs that would have been right."""
    fault = "wrong-value"  # outputs where only a refusal is right, which the caller knows from the vector
    for outcome in expected.get("either", [expected]):
        if "outputs" not in outcome:
            continue
        values = [output["value"] for output in outcome["outputs"]]
        fault = "wrong-value" if len(values) != len(results) else ""
        fault = fault or next(filter(None, map(difference, results, values)), "expected")
        if fault == "expected":
            break
    return fault


def text_of(results: list[object]) -> str:
    """Results as text for people."""
    if any(isinstance(result, Parts) for result in results):
        return "; ".join(f"{item.type}{item.shape} {shown_elements(item)}" for item in results)[:300]
    shown = [result.numpy() if hasattr(result, "numpy") and not is_raw(result) else result for result in results]
    return "; ".join(
        f"{' '.join(map(str, parts_of(item)))}" if is_raw(item) else " ".join(repr(item).split()) for item in shown
    )[:300]


def shown_elements(parts: Parts) -> object:
    """As numbers where numpy has the type."""
    if parts.type not in NUMPY_NAMES or isinstance(parts.elements, list):
        return parts.elements
    return np.frombuffer(parts.elements, NUMPY_NAMES[parts.type]).tolist()


def is_raw(result: object) -> bool:
    """An OrtValue that numpy cannot show."""
    return hasattr(result, "data_ptr") and any(result.element_type() == number for *_, number in LACKING.values())
