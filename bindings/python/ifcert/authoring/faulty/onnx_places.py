"""The sound ONNX models of the cross of faults: an If at each place, at each depth."""

from collections.abc import Mapping

import numpy as np

from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.faulty.vectors import Sound
from ifcert.authoring.models import model
from ifcert.authoring.values import Writable, floats
from ifcert.authoring.vector import Run, branches

# The If that has the faults. It captures v and size, and returns r, two numbers, and n, two bytes, which nobody reads.
CHOICE = """size = Abs (v)
    r, n = If (c) <
        then_branch = then_graph () => (float[2] a, uint8[2] e) <float[2] k = {10, 20}, uint8[2] e = {1, 2}> {
            t = Add (v, k)
            a = Add (t, size)
        },
        else_branch = else_graph () => (float[2] b, uint8[2] f) <float[2] w = {3, 5}, uint8[2] f = {3, 4}> {
            s = Mul (v, w)
            b = Sub (s, size)
        }>
    z = Add (r, v)"""

V = floats(4, -5)
K, W = floats(10, 20), floats(3, 5)

# The inputs of the main graph, with their types; a model has those that it reads.
INPUTS = {
    "taken": "bool",
    "enter": "bool",
    "c": "bool",
    "trips": "int64",
    "once": "int64",
    "v": "float[2]",
    "row": "float[1,2]",
    "rows": "float[?,2]",
}

# How the body is entered that is around the If, by the dimension `around`; {z} is what the If's graph returns.
BODIES = {
    "then": """o{i} = If (enter) <
        then_branch = inner{i} () => (float[2] {z}) {{ {text} }},
        else_branch = outer{i} () => (float[2] p{i}) {{ p{i} = Neg (v) }}>""",
    "else": """o{i} = If (enter) <
        then_branch = outer{i} () => (float[2] p{i}) {{ p{i} = Neg (v) }},
        else_branch = inner{i} () => (float[2] {z}) {{ {text} }}>""",
    "loop": """o{i} = Loop (once, enter, v) <
        body = inner{i} (int64 i{i}, bool on{i}, float[2] p{i}) => (bool go{i}, float[2] {z}) {{
            go{i} = Identity (on{i})
            {text}
        }}>""",
    "scan": """o{i} = Scan <num_scan_inputs = 1,
        body = inner{i} (float[2] p{i}, float[2] x{i}) => (float[2] {z}) {{
            g{i} = Add (p{i}, x{i})
            {text}
        }}> (v, row)""",
}

# What is around them, by the dimension `place`.
PLACES = {
    "executed": """{text}
    y = Neg ({z})""",
    "untaken-then": """y = If (taken) <
        then_branch = untaken () => (float[2] {z}) {{ {text} }},
        else_branch = sound () => (float[2] u) {{ u = Neg (v) }}>""",
    "untaken-else": """y = If (taken) <
        then_branch = sound () => (float[2] u) {{ u = Neg (v) }},
        else_branch = untaken () => (float[2] {z}) {{ {text} }}>""",
    "untripped": """y = Loop (trips, enter, v) <
        body = idle (int64 i, bool on, float[2] p) => (bool on_out, float[2] {z}) {{
            on_out = Identity (on)
            {text}
        }}>""",
    "unscanned": """y = Scan <num_scan_inputs = 1,
        body = idle (float[2] p, float[2] x) => (float[2] {z}) {{
            g = Add (p, x)
            {text}
        }}> (v, rows)""",
}

# The main graph calls another function. The types that the If's branches return are known without a call.
UNCALLED = """
    caller (bool taken, float[2] v) => (float[2] y) {{ y = local.used (taken, v) }}
    <domain: "local", opset_import: ["" : 16]>
    used (d, q) => (m) {{
        m = If (d) <
            then_branch = then_used () => (g) {{ g = Neg (q) }},
            else_branch = else_used () => (h) {{ h = Abs (q) }}>
    }}
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    unused ({inputs}) => ({z}) {{
        {text}
    }}"""

WHY: Mapping[str, list[str]] = {
    "loop": ["operators-loop-pairs-of-variables"],
    "scan": ["operators-scan-calls-body"],
    "untripped": ["operators-loop-pairs-of-variables"],
    "unscanned": ["operators-scan-calls-body"],
}


def sound(row: Row) -> Sound:
    """The plain model of a row."""
    why = ["if-then-branch-runs", "if-else-branch-runs", "ir-outer-scope"]
    return Sound(
        _rule(row),
        [*why, *WHY.get(row["place"], WHY.get(row["around"], []))],
        model(_text(row)),
        _runs(row),
    )


def _rule(row: Row) -> str:
    """The rule for which the vector without a fault counts."""
    of_place = {"untaken": "only-taken-branch-runs", "untripped": "in-loop", "unscanned": "in-scan"}
    of_body = {"loop": "in-loop", "scan": "in-scan"}
    if row["place"] == "executed":
        alone = "outer-scope-capture" if row["depth"] == "1" else "nesting"
        return f"if/{of_body.get(row['around'], alone)}"
    return f"if/{of_place.get(row['place'], 'in-function')}"


def _text(row: Row) -> str:
    """The model as ONNX text."""
    text, z = CHOICE, "z"
    for i in range(int(row["depth"]) - 1):
        text, z = BODIES[row["around"]].format(text=text, z=z, i=i), f"o{i}"
    if row["place"] == "uncalled":
        return f'<opset_import: ["" : 16, "local" : 1]>{UNCALLED.format(text=text, z=z, inputs=", ".join(_read(text)))}'
    place = f"untaken-{_branch(row)}" if row["place"] == "untaken" else row["place"]
    text = PLACES[place].format(text=text, z=z)
    inputs = ", ".join(f"{INPUTS[name]} {name}" for name in _read(text))
    return f"crossed ({inputs}) => (float[2] y) {{ {text} }}"


def _branch(row: Row) -> str:
    """The branch that no run takes."""
    return "else" if row["around"] == "else" else "then"


def _read(text: str) -> list[str]:
    """The inputs that the text reads."""
    words = set(text.replace("(", " ").replace(")", " ").replace(",", " ").split())
    return [name for name in INPUTS if name in words]


def _runs(row: Row) -> list[Run]:
    """The runs: c is true, then false; where the If is not reached, c is true."""
    if row["place"] == "uncalled":
        return branches({"v": V}, then={"y": -V}, else_={"y": abs(V)}, cond="taken")
    given: dict[str, Writable] = {
        "taken": np.bool_(_branch(row) == "else"),
        "enter": np.bool_(row["around"] != "else" or row["place"] == "untripped"),
        "trips": np.int64(0),
        "once": np.int64(1),
        "v": V,
        "row": V[np.newaxis],
        "rows": V[np.newaxis][:0],
    }
    read = _read(_text(row))
    of_place = {"untaken": -V, "untripped": V, "unscanned": V}
    results = {True: -(V + K + abs(V) + V), False: -(V * W - abs(V) + V)}
    return [
        Run({name: (given | {"c": np.bool_(c)})[name] for name in read}, {"y": of_place.get(row["place"], results[c])})
        for c in ((True, False) if row["place"] == "executed" else (True,))
    ]
