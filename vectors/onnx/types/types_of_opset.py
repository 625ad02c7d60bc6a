"""Each version of If lists its own types: each works in the first version that lists it and is refused before.

The same types in all later versions, and from every source: types_every_way.py.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import (
    Run,
    Vector,
    Why,
    absent,
    branches,
    codes,
    floats,
    issue,
    model,
    replaced,
    sequence,
    some,
    strings,
    vectors_of,
)
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.if_types import VERSIONS, elements_added, version_of
from ifcert.authoring.models import Edit, add_initializer, else_of, then_of
from ifcert.authoring.values import Tensor, value
from onnx import ModelProto

types_of_opset = vectors_of("onnx/if/types-of-opset", "if-types-of-each-version")


def listed(version: int) -> list[Why]:
    """Where the list of this version is printed."""
    return ["if-types-of-each-version"] if version < 25 else ["operators-if-25-adds"]


def pattern(element: str, first: int) -> Tensor:
    """Three elements with three different bit patterns; those of floats are ordinary numbers, a little above 2."""
    if element == "string":
        return strings([3], [b"", b"caf\xc3\xa9", str(first).encode()])
    if element == "bool":
        return codes("bool", [3], [first % 2, 1, 0])
    bits = ELEMENTS[element].bits
    if element.startswith("complex"):
        half = bits // 2
        return codes(element, [3], [_ordinary(half, first + step) * (1 + (1 << half)) for step in range(3)])
    return codes(element, [3], [_ordinary(bits, first + step) for step in range(3)])


def _ordinary(bits: int, number: int) -> int:
    return number + (1 << (bits - 2)) if bits >= 8 else number % (1 << bits)


def vectors() -> Iterator[Vector]:
    for version in VERSIONS:
        for element in elements_added(version):
            yield _tensors(element, version)
    for element in elements_added(1):
        yield _sequences(element)
        yield _optionals(element)
        yield _optional_sequences(element)


# --- listed types work


def stored(element: str, opset: int, ir: int | None = None) -> ModelProto:
    """Branches that return initializers of their own: no other operator has to know the type."""
    text = ELEMENTS[element].text
    choice = model(
        f"""
        stored (bool cond) => ({text}[3] y) {{
            y = If (cond) <
                then_branch = then_graph () => ({text}[3] a) {{}},
                else_branch = else_graph () => ({text}[3] b) {{}}>
        }}""",
        opset,
        ir=ir,
    )
    add_initializer(then_of(choice), "a", pattern(element, 1))
    add_initializer(else_of(choice), "b", pattern(element, 2))
    return choice


def _stored_runs(element: str) -> list[Run]:
    return branches({}, then={"y": pattern(element, 1)}, else_={"y": pattern(element, 2)})


def _tensors(element: str, version: int) -> Vector:
    # Opset 9 is the oldest that today's runtimes promise to read; its If is version 1.
    opset = max(version, 9)
    return types_of_opset(
        f"tensor-of-{element}: If-{version}, the first that lists it, returns tensor({element})",
        stored(element, opset),
        _stored_runs(element),
        why=listed(version),
    )


def _sequences(element: str) -> Vector:
    text = ELEMENTS[element].text
    of = f"tensor({element})"
    x, y = pattern(element, 1), pattern(element, 2)
    return types_of_opset(
        f"sequence-of-{element}: If-13, the first that lists it, returns seq(tensor({element}))",
        model(f"""<opset_import: ["" : 13]>
            listed (bool cond, {text}[3] x, {text}[3] z) => (seq({text}[3]) y) {{
                y = If (cond) <
                    then_branch = then_graph () => (seq({text}[3]) a) {{ a = SequenceConstruct (x, z) }},
                    else_branch = else_graph () => (seq({text}[3]) b) {{ b = SequenceConstruct (z) }}>
            }}"""),
        branches({"x": x, "z": y}, then={"y": sequence(of, [x, y])}, else_={"y": sequence(of, [y])}),
    )


def _optionals(element: str) -> Vector:
    text = ELEMENTS[element].text
    x = pattern(element, 1)
    return types_of_opset(
        f"optional-of-{element}: If-16, the first that lists it, returns optional(tensor({element}))",
        model(f"""
            opted (bool cond, {text}[3] x) => (optional({text}[3]) y) {{
                y = If (cond) <
                    then_branch = then_graph () => (optional({text}[3]) a) {{ a = Optional (x) }},
                    else_branch = else_graph () => (optional({text}[3]) b) {{ b = Optional <type = {text}[3]> () }}>
            }}"""),
        branches({"x": x}, then={"y": some(x)}, else_={"y": absent(f"tensor({element})")}),
        why=["if-types-of-each-version", issue("pytorch/pytorch", 61938, "branches with optional outputs")],
    )


def _optional_sequences(element: str) -> Vector:
    text = ELEMENTS[element].text
    of = f"tensor({element})"
    x = pattern(element, 1)
    return types_of_opset(
        f"optional-sequence-of-{element}: If-16, the first that lists it, returns optional(seq(tensor({element})))",
        model(f"""
            opted (bool cond, {text}[3] x) => (optional(seq({text}[3])) y) {{
                y = If (cond) <
                    then_branch = then_graph () => (optional(seq({text}[3])) a)
                        {{ s = SequenceConstruct (x, x)  a = Optional (s) }},
                    else_branch = else_graph () => (optional(seq({text}[3])) b)
                        {{ b = Optional <type = seq({text}[3])> () }}>
            }}"""),
        branches({"x": x}, then={"y": some(sequence(of, [x, x]))}, else_={"y": absent(f"seq({of})")}),
    )


# --- types before their time


def _before_their_time() -> Iterator[Vector]:
    """Only If's list is at fault: initializers need no operator, SequenceConstruct and Optional came before its types.

    Types that only Loop accepts: passed_types.py.
    """
    for since in VERSIONS:
        for element in elements_added(since):
            for opset in opsets_before(since):
                yield _early(_tensors(element, since), opset)
    for element in elements_added(1):
        yield _early(_sequences(element), 11)
        yield _early(_optionals(element), 15)
        yield _early(_optional_sequences(element), 15)


def opsets_before(version: int) -> list[int]:
    """The first opset of each version before this one (9 for If-1, as above), and the last opset before it."""
    if version == 1:
        return []
    return sorted({max(other, 9) for other in VERSIONS if other < version} | {version - 1})


def opset_imported(opset: int) -> Edit:
    """The model imports this opset; its IR version, which has the type, stays."""

    def edit(m: ModelProto) -> None:
        m.opset_import[0].version = opset

    return edit


def _early(listed_one: Vector, opset: int) -> Vector:
    """The same model before its type's time."""
    type_ = value(listed_one.every_run[0].expect["y"]).type
    title = f"in opset {opset} If-{version_of(opset)} does not list {type_}"
    return listed_one.broken(f"{listed_one.id}-in-opset-{opset}: {title}", opset_imported(opset))


SEQUENCE = model("""<opset_import: ["" : 13]>
    listed (bool cond, float[2] x) => (int64 n) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = SequenceConstruct (x, x) },
            else_branch = else_graph () => (b) { b = SequenceConstruct (x) }>
        n = SequenceLength (y)
    }""")

OPTIONAL = model("""
    opted (bool cond, float[2] x) => (bool has) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Optional (x) },
            else_branch = else_graph () => (b) { b = Optional <type = float[2]> () }>
        has = OptionalHasElement (y)
    }""")


def second_stored(element: str, opset: int) -> ModelProto:
    """Like stored(), but this type is that of the second result; the first is a float."""
    text = ELEMENTS[element].text
    choice = model(
        f"""
        second (bool cond, float[2] x) => (float[2] y, {text}[3] z) {{
            y, z = If (cond) <
                then_branch = then_graph () => (float[2] a, {text}[3] c) {{ a = Neg (x) }},
                else_branch = else_graph () => (float[2] b, {text}[3] d) {{ b = Add (x, x) }}>
        }}""",
        opset,
    )
    add_initializer(then_of(choice), "c", pattern(element, 1))
    add_initializer(else_of(choice), "d", pattern(element, 2))
    return choice


def _of_second_results() -> Iterator[Vector]:
    x = floats(1, -2)
    second = types_of_opset(
        "bfloat16-second-result: If-16, the first that lists it, returns tensor(bfloat16) as the second of two results",
        second_stored("bfloat16", 16),
        branches(
            {"x": x}, then={"y": -x, "z": pattern("bfloat16", 1)}, else_={"y": 2 * x, "z": pattern("bfloat16", 2)}
        ),
    )
    yield second.broken(
        "bfloat16-second-result-in-opset-15: "
        "in opset 15 If-13 lists the type of the first result, and not tensor(bfloat16), that of the second",
        opset_imported(15),
    )


def _of_any_element() -> Iterator[Vector]:
    x = floats(1, -2)
    lists = types_of_opset(
        "sequence-in-opset-13: a model of opset 13 may return sequences from If",
        SEQUENCE,
        branches({"x": x}, then={"n": np.int64(2)}, else_={"n": np.int64(1)}),
    )
    for opset in (11, 12):
        yield lists.broken(
            f"sequence-in-opset-{opset}: in opset {opset} If-11 does not list sequences", opset_imported(opset)
        )
    options = types_of_opset(
        "optional-in-opset-16: a model of opset 16 may return optionals from If",
        OPTIONAL,
        branches({"x": x}, then={"has": np.True_}, else_={"has": np.False_}),
    )
    yield options.broken(
        "optional-in-opset-15: in opset 15 If-13 does not list optionals",
        replaced('<ir_version: 8, opset_import: ["" : 16]>', '<ir_version: 8, opset_import: ["" : 15]>'),
    )
