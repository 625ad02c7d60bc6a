"""Number, type and shape of the outputs: number and type agree among the If and its bodies, shapes need not."""

from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Run, Vector, branches, codes, floats, ints, issue, strings, vectors_of
from ifcert.authoring.elements import IR_NAMES
from ifcert.authoring.ir import IrModel, as_in
from ifcert.authoring.ir_bodies import Body, applied_to_two, body, constant, gives, if_layer, if_model, passed, takes
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result, type_of
from ifcert.authoring.patterns import ones
from ifcert.authoring.sources import SIZE_OF_NOTHING
from ifcert.authoring.values import Tensor

output_shape_may_be_undefined = vectors_of("openvino/if/output-shape-may-be-undefined")
output_type = vectors_of("openvino/if/output-type", "if-8-types-equal")


def _counts() -> Iterator[Vector]:
    """This many Results of each body and this many outputs, mapped as far as possible."""
    rule = "openvino/if/output-count/"
    names = "uvw"

    def model(of_then: int, of_else: int, of_if: int) -> IrModel:
        outputs = dict.fromkeys(names[:of_if], "i32[1]")
        return if_model({"cond": "boolean[]"}, outputs, _numbers(of_then, of_if, 10), _numbers(of_else, of_if, 20))

    def right(count: int) -> Vector:
        then_values = {name: ints(10 + i) for i, name in enumerate(names[:count])}
        else_values = {name: ints(20 + i) for i, name in enumerate(names[:count])}
        return Vector(
            rule + f"{count}-of-each",
            f"{count} Results of each body, {count} outputs",
            ["if-8-counts-equal"],
            model(count, count, count),
            branches({}, then=then_values, else_=else_values),
        )

    twins = {count: right(count) for count in (1, 2, 3)}
    yield from twins.values()
    for of_then, of_else, of_if in [
        (1, 2, 1),
        (2, 1, 1),
        (2, 2, 1),
        (1, 1, 2),
        (1, 2, 2),
        (2, 1, 2),
        (3, 2, 2),
        (2, 3, 2),
        (3, 2, 3),
        (2, 3, 3),
        (1, 2, 3),
        (3, 3, 1),
    ]:
        yield twins[of_if].broken(
            f"then-{of_then}-else-{of_else}-if-{of_if}: "
            f"{of_then} Results of then_body, {of_else} of else_body, {of_if} outputs",
            as_in(model(of_then, of_else, of_if)),
        )


def _numbers(count: int, outputs: int, first: int) -> Body:
    """This many constants, each with a Result."""
    return body(
        [gives(1 + i, 10 + i) for i in range(min(count, outputs))],
        *(const(i, ints(first + i)) for i in range(count)),
        *(result(10 + i, "i32[1]") for i in range(count)),
        edges(" ".join(f"{i}:0>{10 + i}:0" for i in range(count))),
    )


# Types that a runtime may mistake for one another.
_ALIKE = [
    ("float32", "float64"),
    ("float32", "float16"),
    ("float16", "bfloat16"),
    ("float32", "int32"),
    ("int32", "int64"),
    ("int32", "uint32"),
    ("int64", "uint64"),
    ("int8", "uint8"),
    ("bool", "uint8"),
    ("int4", "uint4"),
    ("string", "uint8"),
]


def _types() -> Iterator[Vector]:
    """Two types by two bodies, in either order; the port declares that of then_body."""
    twins = {
        element: output_type(
            f"both-{IR_NAMES[element]}: both bodies and the port have {IR_NAMES[element]}",
            _constants(element, element),
            branches({}, then={"y": ones(element, 2)}, else_={"y": _zeros(element)}),
        )
        for element in sorted({each for pair in _ALIKE for each in pair})
    }
    yield from twins.values()
    for pair in _ALIKE:
        for first, second in (pair, pair[::-1]):
            yield twins[first].broken(
                f"{IR_NAMES[first]}-and-{IR_NAMES[second]}: "
                f"then_body and the port have {IR_NAMES[first]}, else_body {IR_NAMES[second]}",
                as_in(_constants(first, second)),
            )


def _zeros(element: str) -> Tensor:
    """Two zeros, false twice, or two empty strings."""
    return strings([2], [b"", b""]) if element == "string" else codes(element, [2], [0, 0])


def _constants(of_then: str, of_else: str) -> IrModel:
    then_value, else_value = ones(of_then, 2), _zeros(of_else)
    return if_model(
        {"cond": "boolean[]"}, {"y": type_of(then_value)}, constant(then_value, to=1), constant(else_value, to=1)
    )


def _types_of_third() -> Iterator[Vector]:
    """Of three outputs the first two agree everywhere, the third in all places but one."""
    a = ints(1, -2)

    def of_three(then_type: str, else_type: str, port: str) -> IrModel:
        def three(operator: str, third: str) -> Body:
            value = np.array([3, 4], "int32" if third == "i32[2]" else "float32")
            return body(
                [takes(1, 0), gives(2, 10), gives(3, 11), gives(4, 12)],
                parameter(0, "p", "i32[2]"),
                operation(1, operator, ["i32[2]"], "i32[2]"),
                const(2, value),
                result(10, "i32[2]"),
                result(11, "i32[2]"),
                result(12, third),
                edges("0:0>1:0 1:1>10:0 0:0>11:0 2:0>12:0"),
            )

        return if_model(
            {"cond": "boolean[]", "a": "i32[2]"},
            {"x": "i32[2]", "y": "i32[2]", "z": port},
            three("Negative", then_type),
            three("Abs", else_type),
        )

    i32, f32, k = "i32[2]", "f32[2]", ints(3, 4)
    sound = output_type(
        "three-outputs: three outputs, each i32 in both bodies and in its port",
        of_three(i32, i32, i32),
        branches({"a": a}, then={"x": -a, "y": a, "z": k}, else_={"x": abs(a), "y": a, "z": k}),
    )
    for place, title, model in [
        ("then", "f32 in then_body, i32 in else_body and in its port", of_three(f32, i32, i32)),
        ("else", "f32 in else_body, i32 in then_body and in its port", of_three(i32, f32, i32)),
        ("port", "f32 in its port, i32 in both bodies", of_three(i32, i32, f32)),
    ]:
        yield sound.broken(f"third-of-{place}: the third of three outputs is {title}", as_in(model))


def _types_of_port() -> Iterator[Vector]:
    """Both bodies return one type, and the only output's port declares another."""
    of_types = {element for pair in _ALIKE for element in pair}
    for element, other in [
        ("float32", "int32"),
        ("uint8", "bool"),
        ("float8e4m3fn", "float8e5m2"),
        ("float8e5m2", "float8e8m0"),
    ]:
        name, held, other_held = IR_NAMES[element], ones(element, 2), _zeros(element)
        bodies = constant(held, to=1), constant(other_held, to=1)
        right = output_type(
            f"both-{name}: both bodies and the port have {name}",
            if_model({"cond": "boolean[]"}, {"y": type_of(held)}, *bodies),
            branches({}, then={"y": held}, else_={"y": other_held}),
        )
        if element not in of_types:  # _types has those
            yield right
        yield right.broken(
            f"port-of-{IR_NAMES[other]}-not-{name}: both bodies return {name}, the port declares {IR_NAMES[other]}",
            as_in(if_model({"cond": "boolean[]"}, {"y": f"{IR_NAMES[other]}[2]"}, *bodies)),
        )


def _types_elsewhere() -> Iterator[Vector]:
    """The type that differs is an input's, the second output's, or an inner If's."""
    a, b = ints(1, 2), ints(3, 4)

    def of_inputs(second: str) -> IrModel:
        return if_model(
            {"cond": "boolean[]", "a": "i32[2]", "b": second},
            {"y": "i32[2]"},
            passed("i32[2]", to=3),
            passed(second, to=3, of=2),
        )

    right = output_type(
        "inputs-of-one-type: then_body returns the input a, else_body the input b, both i32",
        of_inputs("i32[2]"),
        branches({"a": a, "b": b}, then={"y": a}, else_={"y": b}),
    )
    yield right.broken(
        "inputs-of-two-types: then_body returns the input a, an i32, else_body the input b, an i64",
        as_in(of_inputs("i64[2]")),
        runs=[{"cond": np.bool_(cond), "a": a, "b": b.astype(np.int64)} for cond in (True, False)],
    )

    def second_of(held: np.ndarray) -> IrModel:
        return if_model({"cond": "boolean[]"}, {"y": "i32[2]", "z": "f32[2]"}, _two(a, F), _two(b, held))

    second = output_type(
        "second-outputs-of-one-type: the first outputs are i32, the second ones f32",
        second_of(-F),
        branches({}, then={"y": a, "z": F}, else_={"y": b, "z": -F}),
    )
    yield second.broken(
        "second-outputs-of-two-types: the first outputs are i32; the second is f32 in then_body, f64 in else_body",
        as_in(second_of(-F.astype(np.float64))),
    )

    def nested(held: np.ndarray, port: str = "i32[2]") -> IrModel:
        inner = if_layer(1, ["boolean[]"], {"": port}, constant(a, to=1), constant(held, to=1))
        outer = body(
            [takes(0, 0), gives(1, 2)],
            parameter(0, "c", "boolean[]"),
            inner,
            result(2, "i32[2]"),
            edges("0:0>1:0 1:1>2:0"),
        )
        return if_model({"cond": "boolean[]"}, {"y": "i32[2]"}, outer, constant(b, to=1))

    inner = output_type(
        "inner-bodies-of-one-type: the bodies of an If in then_body return i32",
        nested(b),
        branches({}, then={"y": a}, else_={"y": b}),
    )
    yield inner.broken(
        "inner-bodies-of-two-types: the bodies of an If in then_body return i32 and i64",
        as_in(nested(b.astype(np.int64))),
    )
    yield inner.broken(
        "inner-port-of-another-type: "
        "the bodies of an If in then_body return i32, its port, which has no name, declares f32",
        as_in(nested(b, "f32[2]")),
    )


F = floats(0.5, 0.25)


def _two(first: np.ndarray, second: np.ndarray) -> Body:
    return body(
        [gives(1, 2), gives(2, 3)],
        const(0, first),
        const(1, second),
        result(2, type_of(first)),
        result(3, type_of(second)),
        edges("0:0>2:0 1:0>3:0"),
    )


def _counted(shape: Sequence[int], first: int) -> np.ndarray:
    return np.arange(first, first + int(np.prod(shape)), dtype=np.int32).reshape(shape)


def _shapes() -> Iterator[Vector]:
    """Constants of two shapes; the port declares what both have in common."""
    for case, then_shape, else_shape, port in [
        ("lengths", [2], [3], "[?]"),
        ("length-zero", [0], [3], "[?]"),
        ("length-one", [1], [3], "[?]"),
        ("one-dim-of-two", [2, 3], [4, 3], "[?,3]"),
        ("both-dims", [2, 3], [3, 2], "[?,?]"),
        ("same-number-of-elements", [1, 6], [6, 1], "[?,?]"),
        ("scalar-and-one", [], [1], "[...]"),
        ("scalar-and-two", [], [2], "[...]"),
        ("one-and-scalar", [1], [], "[...]"),
        ("one-dim-and-two", [2], [2, 2], "[...]"),
        ("unit-dim-more", [2, 3], [1, 2, 3], "[...]"),
        ("four-dims-and-one", [1, 1, 1, 2], [2], "[...]"),
    ]:
        of_then, of_else = _counted(then_shape, 1), _counted(else_shape, 50)
        yield output_shape_may_be_undefined(
            f"{case}: {then_shape} in then_body, {else_shape} in else_body",
            if_model({"cond": "boolean[]"}, {"y": f"i32{port}"}, constant(of_then, to=1), constant(of_else, to=1)),
            Run({"cond": np.True_}, {"y": of_then}),
            Run({"cond": np.False_}, {"y": of_else}),
            Run({"cond": np.True_}, {"y": of_then}),
            why=["if-draft-shape-undefined", "if-8-outputs"],
            doubt=SIZE_OF_NOTHING if 0 in then_shape else "",
            about=["empty-constants"] if 0 in then_shape else (),
        )


def _shapes_of_consumers() -> Iterator[Vector]:
    """The result feeds an operation, whose own output has a known shape again."""
    ranks = issue("openvinotoolkit/openvino", 33027, "after bodies of different rank everything had a dynamic rank")
    reduces = issue("openvinotoolkit/openvino", 36181, "operations after such an If refused the dynamic rank")
    matrix, row = ints([1, 2], [3, 4]), ints(10, 20)
    for case, (title, why, operator, axes, inner, outer, of_matrix, of_row) in {
        "ranks-into-reduce-sum": (
            "[2,2] or [2] is summed along its last axis",
            ["if-draft-shape-undefined", ranks, reduces],
            "ReduceSum",
            np.int64([-1]),
            "i32[...]",
            "i32[?]",
            ints([3], [7]),
            ints(30),
        ),
        "ranks-into-reshape": (
            "[2,2] or [2] is flattened to one dim",
            ["if-draft-shape-undefined", ranks],
            "Reshape",
            np.int64([-1]),
            "i32[...]",
            "i32[?]",
            ints(1, 2, 3, 4),
            row,
        ),
    }.items():
        data = 'keep_dims="true"' if operator == "ReduceSum" else 'special_zero="false"'
        yield output_shape_may_be_undefined(
            f"{case}: {title}",
            net(
                parameter(0, "cond", "boolean[]"),
                if_layer(1, ["boolean[]"], {"": inner}, constant(matrix, to=1), constant(row, to=1)),
                const(2, axes),
                operation(3, operator, [inner, "i64[1]"], outer, data=data, name="y"),
                result(4, outer),
                edges("0:0>1:0 1:1>3:0 2:0>3:1 3:2>4:0"),
            ),
            branches({}, then={"y": of_matrix}, else_={"y": of_row}),
            why=why,
        )


def _ranks_read() -> Iterator[Vector]:
    """The result feeds an operation that returns, or depends on, its rank."""
    shape_of = "operations-shapeof-length"
    scalar = issue(
        "openvinotoolkit/openvino", 11499, "bodies of a scalar and of one dim made the output one of one dim"
    )
    ranks = issue(
        "openvinotoolkit/openvino", 36345, "a proposal, declined: take the rank of the body whose rank is known"
    )
    for case, of_then, of_else, inner, why in [
        ("scalar-and-two", np.int32(7), ints(10, 20), "i32[...]", [scalar]),
        ("two-and-scalar", ints(10, 20), np.int32(7), "i32[...]", [scalar]),
        ("scalar-and-matrix", np.int32(7), ints([1, 2, 3]), "i32[...]", [ranks]),
        ("row-and-matrix", ints(10, 20), ints([1, 2, 3]), "i32[...]", [ranks]),
        ("lengths", ints(10, 20), ints(7, 8, 9), "i32[?]", []),
    ]:
        shapes = f"{list(of_then.shape)} or {list(of_else.shape)}"
        choice = if_layer(1, ["boolean[]"], {"": inner}, constant(of_then, to=1), constant(of_else, to=1))
        yield output_shape_may_be_undefined(
            f"{case}-into-shape-of: the main network returns the shape of the If's output: {shapes}",
            net(
                parameter(0, "cond", "boolean[]"),
                choice,
                operation(3, "ShapeOf", [inner], "i64[?]", data='output_type="i64"', opset=3, name="y"),
                result(4, "i64[?]"),
                edges("0:0>1:0 1:1>3:0 3:1>4:0"),
            ),
            [
                Run({"cond": np.bool_(cond)}, {"y": np.int64(of_then.shape if cond else of_else.shape)})
                for cond in (True, False, True)
            ],
            why=["if-draft-shape-undefined", "if-8-outputs", shape_of, *why],
        )
        yield output_shape_may_be_undefined(
            f"{case}-into-unsqueeze: the If's output, of the shape {shapes}, is given one more dim in front",
            net(
                parameter(0, "cond", "boolean[]"),
                choice,
                const(2, np.int64([0])),
                operation(3, "Unsqueeze", [inner, "i64[1]"], "i32[...]", name="y"),
                result(4, "i32[...]"),
                edges("0:0>1:0 1:1>3:0 2:0>3:1 3:2>4:0"),
            ),
            [
                Run({"cond": np.bool_(cond)}, {"y": (of_then if cond else of_else)[None]})
                for cond in (True, False, True)
            ],
            why=["if-draft-shape-undefined", "if-8-outputs", *why],
        )


def _nothing_joined() -> Iterator[Vector]:
    """Operands without elements, of which an optimiser may think that they can be left out."""
    left_out = issue("openvinotoolkit/openvino", 8035, "operands of Concat without elements are left out")
    folded = issue("openvinotoolkit/openvino", 11957, "inputs without elements became constants of the bodies")
    for case, title, axis, shape, other, joined in [
        ("no-rows-joined-as-columns", "[0,2] and [0,3] along their second axis", 1, [0, 2], [0, 3], [0, 5]),
        ("no-columns-joined-as-rows", "[1,0] and [2,0] along their first axis", 0, [1, 0], [2, 0], [3, 0]),
        ("nothing-joined-to-two", "[0] and [2]", 0, [0], [2], [2]),
        ("nothing-joined-to-nothing", "[0] and [0]", 0, [0], [0], [0]),
    ]:
        types = [f"i32[{','.join(map(str, each))}]" for each in (shape, other, joined)]
        any_shape = f"i32[{','.join('?' * len(shape))}]"
        yield output_shape_may_be_undefined(
            f"{case}: then_body joins {title}, else_body returns the first of them",
            if_model(
                {"cond": "boolean[]", "a": types[0], "b": types[1]},
                {"y": any_shape},
                applied_to_two("Concat", {"p": types[0], "q": types[1]}, out=types[2], to=3, data=f'axis="{axis}"'),
                passed(types[0], to=3),
            ),
            [
                Run(
                    {"cond": np.bool_(cond), "a": _counted(shape, 1), "b": _counted(other, 50)},
                    {"y": _counted(joined, 50) if cond else _counted(shape, 1)},
                )
                for cond in (True, False, True)
            ],
            why=["if-draft-shape-undefined", "if-8-outputs", left_out, folded],
        )


def _declared_shapes() -> Iterator[Vector]:
    """The port of the If declares a shape that one body, or neither, returns."""
    two, three = ints(1, 2), ints(3, 4, 5)
    for case, then_value, else_value, port in [
        ("port-says-then-shape", two, three, "i32[2]"),
        ("port-says-else-shape", two, three, "i32[3]"),
        ("port-says-neither-shape", two, three, "i32[4]"),
        ("port-says-another-shape", two, two + 7, "i32[4]"),
        ("port-says-another-rank", two, two + 7, "i32[1,2]"),
    ]:
        yield output_shape_may_be_undefined(
            f"{case}: {type_of(then_value)} in then_body, {type_of(else_value)} in else_body, the port declares {port}",
            if_model({"cond": "boolean[]"}, {"y": port}, constant(then_value, to=1), constant(else_value, to=1)),
            branches({}, then={"y": then_value}, else_={"y": else_value}),
            why=["if-draft-shape-undefined"],
            doubt="the texts require a port and its value to have equal types; they are silent about the shape",
        )
