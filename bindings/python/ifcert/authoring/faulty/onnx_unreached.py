"""The ONNX models of the cross of what cannot run, and their vectors."""

from collections.abc import Iterator, Mapping

import numpy as np

from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.crosses.rows import case_of_row, read_rows, title_of_row
from ifcert.authoring.faulty.onnx_run_faults import FAULTS, ONNX_UNREACHED
from ifcert.authoring.models import model
from ifcert.authoring.sources import VECTORS
from ifcert.authoring.values import Writable, floats, sequence
from ifcert.authoring.vector import Run, Vector

V = floats(1, -2)
SEEN = "the node can never run, which its constants show before any run; no text says that it may not be there"

# What is around the node. {text} computes z; {held} are the initializers of the graph that the text is in.
WITHIN = {
    "itself": "{text}",
    "then": """z = If (enter) <
        then_branch = inner () => (float[2] u){held} {{ {inner} }},
        else_branch = outer () => (float[2] p) {{ p = Neg (v) }}>""",
    "then-of-true": """sure = Constant <value = bool {{1}}> ()
    z = If (sure) <
        then_branch = inner () => (float[2] u){held} {{ {inner} }},
        else_branch = outer () => (float[2] p) {{ p = Neg (v) }}>""",
    "else-of-false": """never = Constant <value = bool {{0}}> ()
    z = If (never) <
        then_branch = outer () => (float[2] p) {{ p = Neg (v) }},
        else_branch = inner () => (float[2] u){held} {{ {inner} }}>""",
    "loop": """z = Loop (once, enter, v) <
        body = inner (int64 lap, bool on, float[2] p) => (bool go, float[2] u){held} {{
            go = Identity (on)
            {inner}
        }}>""",
    "loop-of-one": """one = Constant <value = int64 {{1}}> ()
    sure = Constant <value = bool {{1}}> ()
    z = Loop (one, sure, v) <
        body = inner (int64 lap, bool on, float[2] p) => (bool go, float[2] u){held} {{
            go = Identity (on)
            {inner}
        }}>""",
    "scan": """z = Scan <num_scan_inputs = 1,
        body = inner (float[2] p, float[2] x) => (float[2] u){held} {{ s = Add (p, x)  {inner} }}> (v, row)""",
    "call": "z = local.failing ({read})",
}

# What no run enters, as `gate` decides; {text} computes z.
UNENTERED = {
    "then": """y = If (gate) <
        then_branch = unentered () => (float[2] z){held} {{ {text} }},
        else_branch = sound () => (float[2] w) {{ w = Neg (v) }}>""",
    "else": """y = If (gate) <
        then_branch = sound () => (float[2] w) {{ w = Neg (v) }},
        else_branch = unentered () => (float[2] z){held} {{ {text} }}>""",
    "loop-of-no-trips": """m = Loop (gate, taken, v) <
        body = idle (int64 i, bool more, float[2] q) => (bool last, float[2] z){held} {{
            last = Not (more)
            {text}
        }}>""",
    "loop-of-false": """m = Loop (once, gate, v) <
        body = idle (int64 i, bool more, float[2] q) => (bool last, float[2] z){held} {{
            last = Not (more)
            {text}
        }}>""",
    "scan": """m = Scan <num_scan_inputs = 1,
        body = idle (float[2] q, float[2] e) => (float[2] z){held} {{ h = Add (q, e)  {text} }}> (v, gate)""",
    "map": """items = SequenceMap (gate) <
        body = idle (float[2] e) => (float[2] z){held} {{ h = Neg (e)  {text} }}>
    length = SequenceLength (items)
    zero = Cast <to = 1> (length)
    m = Add (v, zero)""",
    "function": "m = Identity (v)",
}

# An If that takes the then branch, in which the text computes m, and in another run its else branch.
TAKEN = """y = If (taken) <
        then_branch = entered () => (float[2] m) {{ {text} }},
        else_branch = other () => (float[2] n) {{ n = Neg (v) }}>"""

# By the element of the gate: its type, the Constant that it is computed from, and the node that does so.
GATES: Mapping[str, tuple[str, str, str, str]] = {
    "then": ("bool", "bool {0}", "bool {1}", "Not"),
    "else": ("bool", "bool {1}", "bool {0}", "Not"),
    "loop-of-no-trips": ("int64", "int64 {0}", "int64 {0}", "Neg"),
    "loop-of-false": ("bool", "bool {0}", "bool {1}", "Not"),
    "scan": ("float[?,2]", "float[0,2] {}", "float[0,2] {}", "Neg"),
    "map": ("seq(float[2])", "", "", ""),
}

FED: Mapping[str, Writable] = {
    "taken": np.True_,
    "enter": np.True_,
    "once": np.int64(1),
    "row": V[np.newaxis],
    "v": V,
}
TYPES = {"taken": "bool", "enter": "bool", "once": "int64", "row": "float[1,2]", "v": "float[2]"}

RULES = {"then": "only-taken-branch-runs", "else": "only-taken-branch-runs", "function": "in-function"}
WHY: Mapping[str, list[str]] = {
    "loop-of-no-trips": ["operators-loop-for-trip-count-and-cond"],
    "loop-of-false": ["operators-loop-for-trip-count-and-cond"],
    "scan": ["operators-scan-for-length"],
    "map": ["operators-sequencemap-each-element"],
    "function": ["ir-function-implements"],
}


def vectors_of_run_faults() -> Iterator[Vector]:
    """A vector of each row of vectors/onnx/run-faults.json."""
    for row in read_rows(VECTORS / "onnx", ONNX_UNREACHED):
        place = row["unentered"]
        yield Vector(
            f"onnx/if/{RULES.get(place, 'loop-in-branch')}/{case_of_row(ONNX_UNREACHED, row)}",
            title_of_row(ONNX_UNREACHED, row),
            ["if-then-branch-runs", "if-else-branch-runs", *WHY.get(place, []), FAULTS[row["failing"]].why],
            model(_text(row), 17),
            _runs(row),
            doubt="" if row["operands"] == "fed" else SEEN,
            about=["empty-constants"] if place == "scan" and row["known"] != "fed" else [],
            coordinates=dict(row),
        )


def _failing(row: Row, result: str) -> tuple[str, str]:
    """The initializers of the graph that holds the failing node, and its nodes, which compute the result."""
    fault = FAULTS[row["failing"]]
    held, nodes = "", ""
    if row["operands"] == "initializers":
        stored = [f"{each.constant} {name} = {each.text}" for name, each in fault.operands.items()]
        held = f" <{', '.join(stored)}>"
    if row["operands"] == "constants":
        nodes = "".join(
            f"{name} = Constant <value = {each.constant} {each.text}> ()  " for name, each in fault.operands.items()
        )
    # Only the number of its elements is read.
    return held, f"{nodes}{fault.nodes}  t = Size (f)  d = Cast <to = 1> (t)  {result} = Add (v, d)"


def _text(row: Row) -> str:
    """The model as ONNX text: the main graph, and the functions."""
    within, place = row["within"], row["unentered"]
    held, nodes = _failing(row, "z" if within in ("itself", "call") else "u")
    passed = ["v", *(FAULTS[row["failing"]].operands if row["operands"] == "fed" else ())]
    read = ", ".join(passed)
    text = WITHIN[within].format(text=nodes, inner=nodes, held=held, read=read)
    functions = ""
    if within == "call":
        functions += f'<domain: "local", opset_import: ["" : 17]> failing ({read}) => (z) {{ {nodes} }}\n'
    if place == "function":
        inputs = ", ".join(dict.fromkeys([*passed, *_words(text, TYPES)]))
        functions += f'<domain: "local", opset_import: ["" : 17, "local" : 1]> unused ({inputs}) => (z) {{ {text} }}\n'
    main = UNENTERED[place].format(text=text, held=held if within == "itself" else "")
    if place not in ("then", "else"):
        main = TAKEN.format(text=main)
    gate, stored, made = _gate(row)
    given = [*(f"{TYPES[name]} {name}" for name in _words(main, TYPES)), *gate, *_fed_operands(row)]
    header = '<opset_import: ["" : 17, "local" : 1]>' if functions else ""
    return f"{header} unreached ({', '.join(given)}) => (float[2] y){stored} {{ {made} {main} }}\n{functions}"


def _gate(row: Row) -> tuple[list[str], str, str]:
    """What `gate` is: an input of the main graph, an initializer of it, or its first nodes."""
    place, known = row["unentered"], row["known"]
    if place == "function":
        return [], "", ""
    type_, constant, source, operator = GATES[place]
    if known == "fed":
        return [f"{type_} gate"], "", ""
    if place == "map":
        return [], "", "gate = SequenceEmpty <dtype = 1> ()"
    if known == "initializer":
        of_type, value = constant.split(" ")
        return [], f" <{of_type} gate = {value}>", ""
    if known == "constant":
        return [], "", f"gate = Constant <value = {constant}> ()"
    return [], "", f"source = Constant <value = {source}> ()  gate = {operator} (source)"


def _fed_operands(row: Row) -> list[str]:
    """The inputs of the main graph that are the failing node's operands."""
    if row["operands"] != "fed" or row["unentered"] == "function":
        return []
    return [f"{each.fed} {name}" for name, each in FAULTS[row["failing"]].operands.items()]


def _words(text: str, names: Mapping[str, str]) -> list[str]:
    """Those of the names that the text has."""
    words = set(text.replace("(", " ").replace(")", " ").replace(",", " ").split())
    return [name for name in names if name in words]


def _runs(row: Row) -> list[Run]:
    """One run where the If is the place; else a run in which the If takes the branch that holds it, and another."""
    place = row["unentered"]
    made = model(_text(row), 17)
    gate: Mapping[str, Writable] = {
        "then": np.False_,
        "else": np.True_,
        "loop-of-no-trips": np.int64(0),
        "loop-of-false": np.False_,
        "scan": V[np.newaxis][:0],
        "map": sequence("tensor(float32)"),
        "function": np.True_,
    }
    operands = {name: each.value for name, each in FAULTS[row["failing"]].operands.items()}
    given = {**FED, **operands, "gate": gate[place]}
    fed = {each.name: given[each.name] for each in made.graph.input}
    if place in ("then", "else"):
        return [Run(fed, {"y": -V})]
    return [Run(fed, {"y": V}), Run(fed | {"taken": np.False_}, {"y": -V})]
