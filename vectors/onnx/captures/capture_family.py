"""Captured values by source, by distance and by the branch that reads them: every combination, then its variations."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from ifcert.authoring import Run, Vector, Why, floats, model
from onnx import ModelProto

CAPTURE, HANDED_ON = "onnx/if/outer-scope-capture/", "onnx/if/output-is-outer-value/"

DOUBT = "an output is a use and may refer to outer names; yet checkers require that a graph defines what it returns"

X, TEN, GIVEN = floats(1, -2), floats(10, 20), floats(3, 4)
Once = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Place:
    """Where v comes from: `first`, at first. NODES of `text` compute z from v, `trips` times, each from the last z."""

    name: str
    what: str
    text: str
    first: np.ndarray
    inputs: dict[str, np.ndarray]
    also: list[str] = field(default_factory=list)
    why: list[Why] = field(default_factory=list)
    output: str = "z"
    trips: int = 1

    def model(self, nodes: str, conds: str) -> ModelProto:
        """The model with these nodes, which may read these conds (a letter each)."""
        typed, names = ", ".join(f"bool {cond}" for cond in conds), ", ".join(conds)
        text = self.text.replace("CONDS", typed).replace("NAMES", names).replace("NODES", nodes)
        return model(text, domains={"local": 1} if "local" in text else None)

    def run(self, once: Once, **conds: bool) -> Run:
        """A run under these conds, in which the nodes compute `once(v)` from v."""
        held = self.first
        for _ in range(self.trips):
            held = once(held)
        return Run({name: np.bool_(value) for name, value in conds.items()} | self.inputs, {self.output: held})

    def vector(self, id: str, title: str, nodes: str, conds: str, runs: list[Run], *, doubt: str = "") -> Vector:
        """A vector of these nodes."""
        why = ["ir-definition-and-use" if doubt else "ir-outer-scope", *self.why]
        return Vector(id, title, why, self.model(nodes, conds), runs, also=self.also, doubt=doubt)


PLACES = [
    Place("graph-input", "a graph input", "g (CONDS, float[2] v) => (float[2] z) { NODES }", X, {"v": X}),
    Place("initializer", "an initializer", "g (CONDS) => (float[2] z) <float[2] v = {10, 20}> { NODES }", TEN, {}),
    Place(
        "node-output",
        "a node's output",
        "g (CONDS, float[2] x) => (float[2] z) { v = Mul (x, x) NODES }",
        X * X,
        {"x": X},
    ),
    Place(
        "loop-state",
        "a Loop's carried value",
        """g (CONDS, float[2] x) => (float[2] last) <int64 trips = {2}, bool yes = {1}> {
            last = Loop (trips, yes, x) <
                body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] z) {
                    on_out = Identity (on)
                    NODES
                }>
        }""",
        X,
        {"x": X},
        ["onnx/if/in-loop"],
        ["operators-loop-and-scan-body-inputs"],
        output="last",
        trips=2,
    ),
    Place(
        "scan-state",
        "a Scan's state",
        """g (CONDS, float[2] x) => (float[2] last) <float[2] elements = {0, 0}> {
            last = Scan <
                num_scan_inputs = 1,
                body = step (float[2] v, float e) => (float[2] z_out) { NODES  z_out = Add (z, e) }> (x, elements)
        }""",
        X,
        {"x": X},
        ["onnx/if/in-scan"],
        ["operators-loop-and-scan-body-inputs"],
        output="last",
        trips=2,
    ),
    Place(
        "function-input",
        "a function's input",
        """g (CONDS, float[2] x) => (float[2] z) { z = local.chosen (NAMES, x) }
        <domain: "local", opset_import: ["" : 16]>
        chosen (NAMES, v) => (z) { NODES }""",
        X,
        {"x": X},
        ["onnx/if/in-function"],
        ["ir-function-body"],
    ),
]

# Which branch of the innermost If reads v: the branches' outputs and bodies, and the result.
READ_THEN, READ_ELSE = "float[2] a) DECLARED { a = Add (VALUE, VALUE) }", "float[2] b) DECLARED { b = Neg (VALUE) }"
CONSTANT_THEN = "float[2] a) { a = Constant <value = float[2] {3, 4}> () }"
CONSTANT_ELSE = "float[2] b) { b = Constant <value = float[2] {3, 4}> () }"


def given(_: np.ndarray) -> np.ndarray:
    """The Constant."""
    return GIVEN


def doubled(v: np.ndarray) -> np.ndarray:
    """Add (v, v)."""
    return v + v


def negated(v: np.ndarray) -> np.ndarray:
    """Neg (v)."""
    return -v


def same(v: np.ndarray) -> np.ndarray:
    """V itself."""
    return v


@dataclass(frozen=True)
class Reader:
    """Which branch of the innermost If reads v, and what it computes from it."""

    what: str
    then_branch: str
    else_branch: str
    then_gives: Once
    else_gives: Once


READERS = {
    "then": Reader("then reads", READ_THEN, CONSTANT_ELSE, doubled, given),
    "else": Reader("else reads", CONSTANT_THEN, READ_ELSE, given, negated),
    "both": Reader("both branches read", READ_THEN, READ_ELSE, doubled, negated),
    "output": Reader("then has no node and returns", "float[2] VALUE) {}", CONSTANT_ELSE, same, given),
}
LEVELS = (1, 2, 3, 8)

# The combinations that captures.py and outputs/outputs.py have.
ELSEWHERE = {
    *(("graph-input", 1, reader) for reader in READERS),
    ("initializer", 1, "both"),
    ("initializer", 1, "output"),
    ("node-output", 1, "both"),
    ("node-output", 1, "output"),
}


def nest(levels: int, reader: Reader, value: str = "v", declared: str = "") -> str:
    """`levels` Ifs: the next one is in then (of p) at odd levels, in else (of q) at even ones; the last one reads r.

    The branches off this path return 100 times their level. `value` is what is read, `declared` the value_info of
    the graphs on the path.
    """
    body = (
        f"OUT = If (r) < then_branch = then_{levels} () => ({reader.then_branch}, "
        f"else_branch = else_{levels} () => ({reader.else_branch} >"
    )
    for level in range(levels - 1, 0, -1):
        way = f"float[2] in_{level}) DECLARED {{ {body.replace('OUT', f'in_{level}')} }}"
        off = f"float[2] off_{level}) {{ off_{level} = Constant <value = float[2] {{{level}00, {level}00}}> () }}"
        cond, then_branch, else_branch = ("p", way, off) if level % 2 else ("q", off, way)
        body = (
            f"OUT = If ({cond}) < then_branch = then_{level} () => ({then_branch}, "
            f"else_branch = else_{level} () => ({else_branch} >"
        )
    return body.replace("OUT", "z").replace("DECLARED", declared).replace("VALUE", value)


def nest_runs(place: Place, levels: int, reader: Reader) -> list[Run]:
    """Both branches of the last If; then, off the path, those of the first and the second level."""

    def off(level: int) -> Once:
        return lambda _: floats(100 * level, 100 * level)

    way = {"p": True} if levels == 2 else {"p": True, "q": False} if levels > 2 else {}
    runs = [place.run(reader.then_gives, **way, r=True), place.run(reader.else_gives, **way, r=False)]
    if levels > 1:
        runs.append(place.run(off(1), **way | {"p": False}, r=True))
    if levels > 2:
        runs.append(place.run(off(2), **way | {"q": True}, r=True))
    return runs


def conds_of(levels: int) -> str:
    """The conds that a nest of this many levels reads."""
    return "r" if levels == 1 else "pr" if levels == 2 else "pqr"


def vectors() -> Iterator[Vector]:
    for place in PLACES:
        for levels in LEVELS:
            for by, reader in READERS.items():
                if (place.name, levels, by) not in ELSEWHERE:
                    yield _combination(place, levels, by, reader)
        yield from _forms(place)


def _combination(place: Place, levels: int, by: str, reader: Reader) -> Vector:
    distance = f"{levels}-level{'s' * (levels > 1)}"
    rule, who, doubt = (HANDED_ON, "", DOUBT) if by == "output" else (CAPTURE, f"-by-{by}", "")
    where = "an If" if levels == 1 else f"the innermost of {levels} Ifs"
    return place.vector(
        f"{rule}{place.name}-{distance}{who}",
        f"{reader.what} {place.what}, in {where}",
        nest(levels, reader),
        conds_of(levels),
        nest_runs(place, levels, reader),
        doubt=doubt,
    )


def _forms(place: Place) -> Iterator[Vector]:
    both = READERS["both"]
    for name, text in {"identity": "Identity", "cast": "Cast <to = 1>"}.items():
        yield place.vector(
            f"{CAPTURE}{place.name}-through-{name}",
            f"two levels down, both branches read {place.what} through a {text.partition(' ')[0]} before the first If",
            f"s = {text} (v) " + nest(2, both, "s"),
            "pr",
            nest_runs(place, 2, both),
        )
    declared = place.vector(
        f"{CAPTURE}{place.name}-declared-at-each-level",
        f"value_info of the branches of both levels repeats the name and type of {place.what}",
        nest(2, both, declared="<float[2] v>"),
        "pr",
        nest_runs(place, 2, both),
    )
    yield declared
    chosen = (
        "s = If (r) < then_branch = one () => (a) { a = Add (v, v) }, else_branch = two () => (b) { b = Neg (v) } >"
    )
    if place.name == "node-output":
        return  # captures.py has the following two
    yield place.vector(
        f"{CAPTURE}{place.name}-consumed-too",
        f"both branches read {place.what}, and so does a node after the If",
        f"{chosen} z = Sub (s, v)",
        "r",
        [place.run(same, r=True), place.run(lambda v: -2 * v, r=False)],
    )
    yield place.vector(
        f"{CAPTURE}{place.name}-by-two-ifs",
        f"the branches of two Ifs read {place.what}, the second's also the first one's result",
        f"""{chosen} z = If (r) <
            then_branch = three () => (c) {{ c = Add (s, v) }},
            else_branch = four () => (d) {{ d = Sub (s, v) }} >""",
        "r",
        [place.run(lambda v: 3 * v, r=True), place.run(lambda v: -2 * v, r=False)],
    )
