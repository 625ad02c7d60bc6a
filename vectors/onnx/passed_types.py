"""Types that no operator can make, or only in the newest opsets (SplitToSequence-24 makes sequences of bfloat16).

A Loop in each branch hands them through, which lists the same types as If.

Every listed type works, a type that no version lists is refused.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, absent, model, sequence, some
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.if_types import VERSIONS, elements_added, elements_listed, listed_types
from ifcert.authoring.models import Edit
from ifcert.authoring.patterns import LENGTH, pattern
from ifcert.authoring.sources import if_page, operator_schema
from ifcert.authoring.values import TensorSequence, Value
from onnx import GraphProto, ModelProto, TensorProto, TypeProto, parser

RULE = "onnx/if/types-of-opset/"
LIST = if_page("Type Constraints, V, and Version History: each version's own list")
LISTS_LOOP = operator_schema("Loop, type constraint V: in each of these versions equal to If's")
NOT_LISTED = operator_schema("If, type constraint V, versions 16 to 25: no optional(seq(…)) of a type added after 16")
NEWEST_IR = 13


def passed(opset: int, text: str, ir: int | None = None) -> ModelProto:
    """Both branches hand v on, then in one trip of a Loop, else in two."""

    def handing(name: str, trips: str) -> str:
        return f"""{name}_graph () => ({text} {name}_out) {{
                {name}_out = Loop ({trips}, yes, v) <
                    body = {name}_step (int64 i, bool on, {text} w) => (bool on_out, {text} w)
                        {{ on_out = Identity (on) }}>
            }}"""

    return model(
        opset,
        f"""
        passed (bool cond, {text} v) => ({text} y) <bool yes = {{1}}, int64 one = {{1}}, int64 two = {{2}}> {{
            y = If (cond) <
                then_branch = {handing("first", "one")},
                else_branch = {handing("second", "two")}>
        }}""",
        ir=ir,
    )


def retyped(make: TypeProto) -> Edit:
    """Every value that was of v's type is declared with another; nothing else changes."""

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


# What holds tensors of an element type, in our words, in ONNX text, and a value.
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
    """Sequences and optionals that only Loop takes, then those that a version does not list, or none does."""
    for version in VERSIONS:
        for element in elements_listed(version):
            if element not in elements_added(1):  # those can be made: types_every_way.py
                yield from _listed(element, version)
    for version in VERSIONS:
        yield from _unlisted(version)
    yield from _in_no_version()


def _listed(element: str, version: int) -> Iterator[Vector]:
    first = element in elements_added(version)
    for kind, (text, held) in _kinds(element).items():
        if held.type not in listed_types(version):
            continue
        yield Vector(
            f"{RULE}{kind}-of-{element}" + ("" if first else f"-in-opset-{version}"),
            f"If-{version}{', the first that lists it,' if first else ''} hands {held.type} on",
            [LIST if version < 25 else NOT_LISTED, LISTS_LOOP],
            passed(version, text),
            [
                Run({"cond": np.bool_(cond), "v": value}, {"y": value})
                for value in ([held, _empty(held)] if first else [held])
                for cond in (True, False)
            ],
        )


def _handed(version: int) -> Vector:
    """The accepted twin of all that this version does not list; its IR version knows every type."""
    opset = max(version, 9)  # the oldest that today's runtimes promise to read; its If is version 1
    held = pattern("float32", 1)
    return Vector(
        RULE + ("tensor-passed" if version == 16 else f"tensor-passed-in-opset-{opset}"),
        f"in opset {opset} If hands on a tensor that comes through a Loop in each branch",
        [LIST, LISTS_LOOP],
        passed(opset, f"float[{LENGTH}]", ir=NEWEST_IR),
        [Run({"cond": np.True_, "v": held}, {"y": held}), Run({"cond": np.False_, "v": held}, {"y": held})],
    )


def _unlisted(version: int) -> Iterator[Vector]:
    """Nothing but the type is at fault; no operator of these versions could make a value of it."""
    twin = _handed(version)
    opset = max(version, 9)
    yield twin
    for element in elements_listed(25):
        for kind, (text, faulty) in _kinds(element).items():
            if faulty.type in listed_types(version) or _has_vector_of_its_own(kind, element, version):
                continue
            yield twin.broken(
                f"{RULE}{kind}-of-{element}-in-opset-{opset}",
                f"in opset {opset} neither If-{version} nor Loop lists {faulty.type}",
                retyped(_type(text)),
                runs=[{"cond": np.True_, "v": faulty}, {"cond": np.False_, "v": faulty}],
            )


def _has_vector_of_its_own(kind: str, element: str, version: int) -> bool:
    """types_of_opset.py has those that an operator makes, and below are those that no version lists."""
    if element in elements_added(1):
        return version == (11 if kind == "sequence" else 13)
    return kind == "optional-sequence" and element in elements_added(version)


def _in_no_version() -> Iterator[Vector]:
    held = np.float32([1, 2, 3])
    for opset in (19, 21, 23, 24, 25):
        given = some(sequence("tensor(float32)", [held]))
        twin = Vector(
            f"{RULE}optional-sequence-passed-in-opset-{opset}",
            f"in opset {opset} If hands optional(seq(tensor(float32))) on",
            [LIST, LISTS_LOOP],
            passed(opset, "optional(seq(float[3]))"),
            [Run({"cond": np.True_, "v": given}, {"y": given}), Run({"cond": np.False_, "v": given}, {"y": given})],
        )
        yield twin
        for element in elements_added(opset):
            text, faulty = _kinds(element)["optional-sequence"]
            yield twin.broken(
                f"{RULE}optional-sequence-of-{element}",
                f"no version lists {faulty.type}",
                retyped(_type(text)),
                why=[NOT_LISTED],
                runs=[{"cond": np.True_, "v": faulty}, {"cond": np.False_, "v": faulty}],
            )
    why = [
        if_page("Type Constraints, V: 'All Tensor, Sequence(Tensor), Optional(Tensor), and Optional(Sequence(Tensor))'")
    ]
    for name, made in _KINDS.items():
        yield _handed(16).broken(
            f"{RULE}{name}", f"no version lists a {name.replace('-', ' ')}", retyped(made), why=why
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
