"""Types that no operator can make: a Loop in each branch hands them through, which lists the same types as If.

Every listed type works, a type that no version lists is refused.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, absent, codes, model, sequence, some
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.if_types import elements_added, listed_types
from ifcert.authoring.models import Edit
from ifcert.authoring.sources import if_page, operator_schema
from ifcert.authoring.values import Tensor
from onnx import GraphProto, ModelProto, TensorProto, TypeProto, parser

RULE = "onnx/if/types-of-opset/"
LIST = if_page("Type Constraints, V, and Version History: each version's own list")
LISTS_LOOP = operator_schema("Loop, type constraint V: in each of these versions equal to If's")
NOT_LISTED = operator_schema("If, type constraint V, versions 16 to 25: no optional(seq(…)) of a type added after 16")


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


def tensor(element: str) -> Tensor:
    """Three elements, with the bit patterns 1, 2 and 3."""
    return codes(element, [3], [1, 2, 3])


def vectors() -> Iterator[Vector]:
    """Sequences and optionals of the later element types, then what no version lists."""
    for opset in (16, 19, 21, 23, 24, 25):
        for element in elements_added(opset):
            yield from _listed(element, opset)
    yield from _unlisted()


def _listed(element: str, opset: int) -> Iterator[Vector]:
    text, of, held = ELEMENTS[element].text, f"tensor({element})", tensor(element)
    values = {
        "sequence-of": (f"seq({text}[3])", [sequence(of, [held, held]), sequence(of)]),
        "optional-of": (f"optional({text}[3])", [some(held), absent(of)]),
        "optional-sequence-of": (f"optional(seq({text}[3]))", [some(sequence(of, [held])), absent(f"seq({of})")]),
    }
    for name, (type_text, fed) in values.items():
        if fed[0].type not in listed_types(opset):
            continue
        yield Vector(
            f"{RULE}{name}-{element}",
            f"If-{opset}, the first that lists it, hands {fed[0].type} on",
            [LIST if opset < 25 else NOT_LISTED, LISTS_LOOP],
            passed(opset, type_text),
            [Run({"cond": np.bool_(cond), "v": value}, {"y": value}) for value in fed for cond in (True, False)],
        )


def _unlisted() -> Iterator[Vector]:
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
            faulty = some(sequence(f"tensor({element})", [tensor(element)]))
            yield twin.broken(
                f"{RULE}optional-sequence-of-{element}",
                f"no version lists optional(seq(tensor({element})))",
                retyped(_type(f"optional(seq({ELEMENTS[element].text}[3]))")),
                why=[NOT_LISTED],
                runs=[{"cond": np.True_, "v": faulty}, {"cond": np.False_, "v": faulty}],
            )
    plain = Vector(
        RULE + "tensor-passed",
        "If hands a tensor on, which comes through a Loop in each branch",
        [LIST, LISTS_LOOP],
        passed(16, "float[3]"),
        [Run({"cond": np.True_, "v": held}, {"y": held}), Run({"cond": np.False_, "v": held}, {"y": held})],
    )
    yield plain
    why = [
        if_page("Type Constraints, V: 'All Tensor, Sequence(Tensor), Optional(Tensor), and Optional(Sequence(Tensor))'")
    ]
    for name, made in _KINDS.items():
        yield plain.broken(f"{RULE}{name}", f"no version lists a {name.replace('-', ' ')}", retyped(made), why=why)


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
