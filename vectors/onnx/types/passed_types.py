"""Types that only If and Loop accept, or that other operators accept only in the newest opsets.

(SplitToSequence-24 is the first to accept seq of bfloat16.) A type that If lists passes through a Loop in each branch,
which lists the same types. The body of such a Loop can only return its own input, of which the IR document says too
little (docs/doubts.md): a refusal is as good an answer. A type that If does not list replaces a tensor that an Identity
in each branch passes through. In opset 28 Optional accepts every element type, so only If-25 itself lists too little
there.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, absent, branches, floats, model, sequence, some
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.if_types import VERSIONS, elements_added, elements_listed, listed_types
from ifcert.authoring.models import Edit
from ifcert.authoring.patterns import LENGTH, pattern
from ifcert.authoring.values import TensorSequence, Value
from onnx import GraphProto, ModelProto, TensorProto, TypeProto, parser

RULE = "onnx/if/types-of-opset/"

OWN_INPUT = (
    "only If and Loop accept this type, so the Loop's body returns its own input: an output is a use of a name, "
    "yet the names of inputs and outputs are required to be unique"
)
NEWEST_IR = 13


def passed(opset: int, text: str) -> ModelProto:
    """Both branches pass v through, then in one trip of a Loop, else in two. Each body returns its own input w."""

    def handing(name: str, trips: str) -> str:
        return f"""{name}_graph () => ({text} {name}_out) {{
                {name}_out = Loop ({trips}, yes, v) <
                    body = {name}_step (int64 i, bool on, {text} w) => (bool on_out, {text} w)
                        {{ on_out = Identity (on) }}>
            }}"""

    return model(
        f"""
        passed (bool cond, {text} v) => ({text} y) <bool yes = {{1}}, int64 one = {{1}}, int64 two = {{2}}> {{
            y = If (cond) <
                then_branch = {handing("first", "one")},
                else_branch = {handing("second", "two")}>
        }}""",
        opset,
    )


def handed(opset: int, text: str, ir: int | None = None) -> ModelProto:
    """Both branches pass v through an Identity."""
    return model(
        f"""
        handed (bool cond, {text} v) => ({text} y) {{
            y = If (cond) <
                then_branch = first_graph () => ({text} first_out) {{ first_out = Identity (v) }},
                else_branch = second_graph () => ({text} second_out) {{ second_out = Identity (v) }}>
        }}""",
        opset,
        ir=ir,
    )


def retyped(make: TypeProto) -> Edit:
    """Every value of v's type is declared with another; nothing else changes."""

    def edit(m: ModelProto) -> None:
        before = TypeProto()
        before.CopyFrom(m.graph.input[1].type)
        _retype(m.graph, before, make)

    return edit


def _retype(graph: GraphProto, before: TypeProto, after: TypeProto) -> None:
    for info in [*graph.input, *graph.output, *graph.value_info]:
        if info.type == before:
            info.type.CopyFrom(after)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                _retype(attribute.g, before, after)


def _type(text: str) -> TypeProto:
    return parser.parse_graph(f"g ({text} v) => () {{}}").input[0].type


# The types that hold tensors of an element type, in words, in ONNX text, and a value of each.
def _kinds(element: str) -> dict[str, tuple[str, Value]]:
    text, of, held = f"{ELEMENTS[element].text}[{LENGTH}]", f"tensor({element})", pattern(element, 1)
    return {
        "sequence": (f"seq({text})", sequence(of, [held])),
        "optional": (f"optional({text})", some(held)),
        "optional-sequence": (f"optional(seq({text}))", some(sequence(of, [held]))),
    }


def _empty(held: Value) -> Value:
    """Of the same type, and nothing in it."""
    return sequence(held.of) if isinstance(held, TensorSequence) else absent(held.type[len("optional(") : -1])


def vectors() -> Iterator[Vector]:
    for version in VERSIONS:
        for element in elements_listed(version):
            if element not in elements_added(1):  # those can be computed: types_every_way.py
                yield from _listed(element, version)
    for version in VERSIONS[:-1]:
        yield from _unlisted(version)


def _listed(element: str, version: int) -> Iterator[Vector]:
    first = element in elements_added(version)
    for kind, (text, held) in _kinds(element).items():
        if held.type not in listed_types(version):
            continue
        yield Vector(
            f"{RULE}{kind}-of-{element}" + ("" if first else f"-in-opset-{version}"),
            f"If-{version}{', the first that lists it,' if first else ''} passes {held.type} through",
            ["if-types-of-each-version" if version < 25 else "operators-if-25-types", "operators-loop-types-like-if"],
            passed(version, text),
            [
                Run({"cond": np.bool_(cond), "v": value}, {"y": value})
                for value in ([held, _empty(held)] if first else [held])
                for cond in (True, False)
            ],
            doubt=OWN_INPUT,
        )


def _handed(version: int) -> Vector:
    """The accepted twin of all types that this version does not list; its IR version has every type."""
    opset = max(version, 9)  # the oldest opset that today's runtimes promise to read; its If is version 1
    held = pattern("float32", 1)
    return Vector(
        RULE + ("tensor-passed" if version == 16 else f"tensor-passed-in-opset-{opset}"),
        f"in opset {opset} If returns a tensor that an Identity in each branch passes through",
        ["if-types-of-each-version", "operators-identity-types"],
        handed(opset, f"float[{LENGTH}]", ir=NEWEST_IR),
        branches({"v": held}, then={"y": held}, else_={"y": held}),
    )


def _unlisted(version: int) -> Iterator[Vector]:
    """Only the type is at fault. No operator of these versions returns a value of it."""
    twin = _handed(version)
    opset = max(version, 9)
    yield twin
    for element in elements_listed(25):
        for kind, (text, faulty) in _kinds(element).items():
            if faulty.type in listed_types(version) or _has_vector_of_its_own(kind, element, version):
                continue
            yield twin.broken(
                f"{kind}-of-{element}-in-opset-{opset}: "
                f"in opset {opset} neither If-{version} nor another operator lists {faulty.type}",
                retyped(_type(text)),
                why=["if-types-of-each-version", "operators-none-of-this-type"],
                runs=[{"cond": np.True_, "v": faulty}, {"cond": np.False_, "v": faulty}],
            )


def _has_vector_of_its_own(kind: str, element: str, version: int) -> bool:
    """types_of_opset.py has those that an operator returns; below are those that no version lists."""
    if element in elements_added(1):
        return version == (11 if kind == "sequence" else 13)
    return kind == "optional-sequence" and element in elements_added(version)


def _in_no_version() -> Iterator[Vector]:
    held = floats(1, 2, 3)
    for opset in (19, 21, 23, 24):
        given = some(sequence("tensor(float32)", [held]))
        twin = Vector(
            f"{RULE}optional-sequence-passed-in-opset-{opset}",
            f"in opset {opset} If passes optional(seq(tensor(float32))) through",
            ["if-types-of-each-version", "operators-identity-types"],
            handed(opset, "optional(seq(float[3]))"),
            branches({"v": given}, then={"y": given}, else_={"y": given}),
        )
        for element in elements_added(opset):
            text, faulty = _kinds(element)["optional-sequence"]
            yield twin.broken(
                f"optional-sequence-of-{element}: no version lists {faulty.type}",
                retyped(_type(text)),
                why=["operators-if-no-later-optional-sequences", "operators-none-of-this-type"],
                runs=[{"cond": np.True_, "v": faulty}, {"cond": np.False_, "v": faulty}],
            )
    why = ["if-types-25", "operators-none-of-this-type"]
    for name, made in _KINDS.items():
        yield _handed(16).broken(f"{name}: no version lists a {name.replace('-', ' ')}", retyped(made), why=why)


def opted(text: str) -> ModelProto:
    """Both branches build an optional of v, in the one opset whose Optional accepts every element type."""
    return model(f"""<opset_import: ["" : 28]>
        opted (bool cond, {text} v) => (optional({text}) y) {{
            y = If (cond) <
                then_branch = first_graph () => (optional({text}) first_out) {{ first_out = Optional (v) }},
                else_branch = second_graph () => (optional({text}) second_out) {{ second_out = Optional (v) }}>
        }}""")


def _by_optional_28() -> Iterator[Vector]:
    """The optionals that If-25 lists work; only If-25 itself does not list optional sequences of the newer elements."""
    for element in elements_listed(25):
        if element not in elements_added(1):
            held = pattern(element, 1)
            yield _made_optional("optional", element, f"{ELEMENTS[element].text}[{LENGTH}]", held)
    text, of_floats = f"seq(float[{LENGTH}])", sequence("tensor(float32)", [pattern("float32", 1)])
    twin = _made_optional("optional-sequence", "float32", text, of_floats)
    of_bfloats = sequence("tensor(bfloat16)", [pattern("bfloat16", 1)])
    yield _made_optional("optional-sequence", "bfloat16", text.replace("float", "bfloat16"), of_bfloats)
    for element in elements_listed(25):
        faulty = sequence(f"tensor({element})", [pattern(element, 1)])
        if some(faulty).type in listed_types(25):
            continue
        made = opted(f"seq({ELEMENTS[element].text}[{LENGTH}])")
        yield twin.broken(
            f"optional-sequence-of-{element}{'' if element in elements_added(25) else '-in-opset-28'}: "
            f"in opset 28 Optional returns {some(faulty).type}, which If-25 does not list",
            lambda m, made=made: m.CopyFrom(made),  # type: ignore[misc]
            why=["operators-if-no-later-optional-sequences"],
            runs=[{"cond": np.True_, "v": faulty}, {"cond": np.False_, "v": faulty}],
        )


def _made_optional(kind: str, element: str, text: str, held: Value) -> Vector:
    return Vector(
        f"{RULE}{kind}-of-{element}-in-opset-28",
        f"in opset 28, whose Optional accepts every element type, If-25 returns {some(held).type}",
        ["operators-if-25-types"],
        opted(text),
        branches({"v": held}, then={"y": some(held)}, else_={"y": some(held)}),
    )


def _map() -> TypeProto:
    made = TypeProto()
    made.map_type.key_type = TensorProto.INT64
    made.map_type.value_type.CopyFrom(_type("float[3]"))
    return made


def _sparse() -> TypeProto:
    made = TypeProto()
    made.sparse_tensor_type.elem_type = TensorProto.FLOAT
    made.sparse_tensor_type.shape.dim.add().dim_value = 3
    return made


def _optional_of_optional() -> TypeProto:
    made = TypeProto()
    made.optional_type.elem_type.CopyFrom(_type("optional(float[3])"))
    return made


_KINDS = {
    "map-of-int64-to-float": _map(),
    "sparse-tensor": _sparse(),
    "sequence-of-sequences": _type("seq(seq(float[3]))"),
    "sequence-of-optionals": _type("seq(optional(float[3]))"),
    "optional-of-optional": _optional_of_optional(),
}
