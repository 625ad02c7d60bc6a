"""The table of element types in reference/convert/defined_types.cpp, as its text has it."""

from __future__ import annotations

import re
from pathlib import Path

TABLE = Path(__file__).resolve().parents[2] / "convert" / "defined_types.cpp"

# The operators whose first operand is not the one that a type is chosen for.
SECOND = ("FILL", "SELECT_V2")


def source() -> str:
    """Without comments, on one line."""
    return re.sub(r"\s+", " ", re.sub(r"//.*", "", TABLE.read_text()))


def joined(text: str, sets: dict[str, str]) -> str:
    """The text, with each set written out."""
    for name in sets:
        text = re.sub(rf"\b{name}\b", f"{{{sets[name]}}}", text)
    text = re.sub(r"ElementTypes(?=\{)", "", text)
    while "} | {" in text:
        text = text.replace("} | {", ", ", 1)
    return text


def element_types(rows: str) -> dict[str, list[str]]:
    """Operator → the types of the operand that it works on. `rows` is the name of the array."""
    sets: dict[str, str] = {}
    for name, listed, added in re.findall(r"constexpr ElementTypes (\w+)(?:\{([^;]*)\}| = ([^;]*));", source()):
        sets[name] = listed or joined(added, sets).strip("{}")
    body = source().split(f"constexpr std::array {rows}{{", 1)[1].split("};", 1)[0]
    found = {}
    for operator, row in re.findall(r'DefinedTypes\{"(\w+)", (.*?)(?=DefinedTypes|$)', body):
        operands = [re.findall(r"\w+", group) for group in re.findall(r"\{([\w, ]+)\}", joined(row, sets))]
        found[operator] = operands[1 if operator in SECOND else 0]
    return found


def litert_lacks() -> list[tuple[str, str]]:
    """Operators and types that are not written, since LiteRT refuses them."""
    return re.findall(r'Lack\{"(\w+)", (\w+)\}', source())
