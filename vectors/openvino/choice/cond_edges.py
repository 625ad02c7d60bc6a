"""Conds made of the boundary values of each type: fed, and stored in lists, from which each run reads a row."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from ifcert.authoring import Run, Vector, Why, ints, says, vectors_of
from ifcert.authoring.edge_tables import FUNCTIONS, Row, applied, compared, computed, converted, holds, raised
from ifcert.authoring.edges import listed
from ifcert.authoring.elements import ELEMENTS, IR_NAMES
from ifcert.authoring.ir_bodies import applied as applies
from ifcert.authoring.ir_bodies import if_layer, passed
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result
from ifcert.authoring.values import Writable

cond_is_boolean = vectors_of("openvino/if/cond-is-boolean")

X = ints(1, -2)
LIST, BOOLEAN = "i32[2]", "boolean"
MAIN = ("float16", "bfloat16", "float32", "float64", "int32", "int64", "uint8", "uint64")

# An operator, and the <data> it needs; the second one compares the first one's result with the last operand.
Operator = tuple[str, str]


def _made(
    operator: Operator, compares: bool, types: Sequence[str], dims: str, first: int, sources: Sequence[int]
) -> list[str]:
    """The layers `first` and, where a result is compared, `first + 1`, of port 0 of these sources, and their edges.

    The last of `types` is that of the result.
    """
    name, data = operator
    operands = len(types) - 1 - compares
    returned = types[-1] if not compares else types[-2]
    into = [f"{source}:0>{first}:{i}" for i, source in enumerate(sources[:operands])]
    layers = [operation(first, name, [f"{each}{dims}" for each in types[:operands]], f"{returned}{dims}", data=data)]
    if compares:
        layers.append(operation(first + 1, "Equal", [f"{returned}{dims}"] * 2, f"{BOOLEAN}{dims}"))
        into += [f"{first}:{operands}>{first + 1}:0", f"{sources[operands]}:0>{first + 1}:1"]
    return [*layers, edges(" ".join(into))]


def _chosen(
    case: str, operator: Operator, types: Sequence[str], rows: Sequence[tuple[Sequence[Writable], bool]],
    lists: Sequence[Writable], *why: Why, compares: bool = False,
) -> Vector:  # fmt: skip
    """c is made once of m, n, …, which are fed, once of the stored lists, of which the fed row is taken.

    `compares`: the last operand is what the operator's result is compared with.
    """
    names, shape = "mnk"[: len(types)], f"[{len(rows)}]"
    in_ir = [*(IR_NAMES[each] for each in types), BOOLEAN]
    last = 2 if compares else len(types)
    of_fed, of_stored = (11, 31) if compares else (10, 30)
    choices = [
        if_layer(id, ["boolean[]", LIST], {name: LIST}, applies("Negative", LIST, to=2), passed(LIST, to=2), name=name)
        for id, name in ((50, "y"), (51, "z"))
    ]
    model = net(
        *(parameter(i, name, f"{type_}[]") for i, (name, type_) in enumerate(zip(names, in_ir, strict=False))),
        parameter(4, "row", "i64[]"),
        parameter(5, "x", LIST),
        *_made(operator, compares, in_ir, "[]", 10, range(3)),
        *(const(20 + i, each) for i, each in enumerate(lists)),
        *_made(operator, compares, in_ir, shape, 30, range(20, 23)),
        const(41, np.int64(0)),
        operation(40, "Gather", [f"{BOOLEAN}{shape}", "i64[]", "i64[]"], "boolean[]", opset=8),
        *choices,
        result(60, LIST),
        result(61, LIST),
        edges(
            f"{of_stored}:{last}>40:0 4:0>40:1 41:0>40:2 {of_fed}:{last}>50:0 5:0>50:1 40:3>51:0 5:0>51:1"
            " 50:2>60:0 51:2>61:0"
        ),
    )
    return cond_is_boolean(
        case,
        model,
        [
            Run(dict(zip(names, operands, strict=True)) | {"row": np.int64(at), "x": X}, {"y": y, "z": y})
            for at, (operands, truth) in enumerate(rows)
            for y in [-X if truth else X]
        ],
        why=["if-8-cond-values", *why],
    )


def _of_rows(case: str, operator: Operator, rows: Sequence[Row], *why: Why, compares: bool = False) -> Vector:
    columns = list(zip(*(row.operands for row in rows), strict=True))
    return _chosen(
        case,
        operator,
        [column[0].element for column in columns],
        [([edge.tensor() for edge in row.operands], row.truth) for row in rows],
        [listed(column) for column in columns],
        *why,
        compares=compares,
    )


def _comparisons() -> Iterator[Vector]:
    for case in ("less", "greater", "equal"):
        for element in MAIN:
            yield _of_rows(
                f"edges-of-{case}-{element}: cond is {case.capitalize()} of two boundary values of {element}",
                (case.capitalize(), ""),
                compared(case, element),
            )


def _logic() -> Iterator[Vector]:
    both = list(product([False, True], repeat=2))
    for case, operator, truth in [
        ("and", "LogicalAnd", lambda a, b: a and b),
        ("or", "LogicalOr", lambda a, b: a or b),
        ("xor", "LogicalXor", lambda a, b: a is not b),
        ("equal-bool", "Equal", lambda a, b: a is b),
    ]:
        yield _chosen(
            f"edges-of-{case}: cond is {operator} of two booleans",
            (operator, ""),
            ["bool", "bool"],
            [([np.bool_(a), np.bool_(b)], truth(a, b)) for a, b in both],
            [np.bool_([a for a, _ in both]), np.bool_([b for _, b in both])],
        )
    yield _chosen(
        "edges-of-not: cond is LogicalNot of a boolean",
        ("LogicalNot", ""),
        ["bool"],
        [([np.True_], False), ([np.False_], True)],
        [np.bool_([True, False])],
    )


def _functions() -> Iterator[Vector]:
    for function, operator, types in [
        ("abs", "Abs", ("float32", "int32", "int64")),
        ("neg", "Negative", ("float32", "int32", "int64")),
    ]:
        assert function in FUNCTIONS
        for element in types:
            yield _of_rows(
                f"edges-of-{function}-{element}: cond says whether {operator} of a {element} is another",
                (operator, ""),
                applied(function, element),
                compares=True,
            )


def _arithmetic() -> Iterator[Vector]:
    """Where m_pythondiv is false, no sentence says how a quotient is rounded: only those are here that are exact."""
    floating, integers = ("float16", "float32", "float64"), ("int32", "int64", "uint8")
    numbers = (*floating, *integers)
    floor = says("operations-divide-pythondiv", "operations-divide-floor")
    for case, arithmetic, (name, data), types, sentence in [
        ("sum", "sum", ("Add", ""), numbers, "operations-add"),
        ("difference", "difference", ("Subtract", ""), numbers, "operations-subtract"),
        ("product", "product", ("Multiply", ""), numbers, "operations-multiply"),
        ("quotient", "quotient", ("Divide", ""), floating, "operations-divide"),
        ("quotient-by-default", "quotient-down", ("Divide", ""), integers, floor),
        ("quotient-rounded-down", "quotient-down", ("Divide", 'm_pythondiv="true"'), integers, floor),
        ("quotient-without-rest", "quotient", ("Divide", 'm_pythondiv="false"'), integers, "operations-divide"),
    ]:
        with_data = " with " + data.replace('"', "") if data else ""
        for element in types:
            yield _of_rows(
                f"edges-of-{case}-{element}: cond says whether {name}{with_data} of two {element} is a third",
                (name, data),
                computed(arithmetic, element),
                sentence,
                compares=True,
            )
    for element in ("int32", "int64"):
        yield _of_rows(
            f"edges-of-power-{element}: cond says whether Power of two {element} is a third",
            ("Power", ""),
            raised(element),
            "operations-power",
            compares=True,
        )


def _conversions() -> Iterator[Vector]:
    """Of numbers that both types have, and of negative ones to an unsigned type, where the page says the result."""
    for source, target in [
        ("float32", "int64"), ("float64", "int64"), ("int32", "float32"), ("int64", "float64"), ("int64", "int32"),
        ("float32", "float16"), ("float64", "float32"), ("int32", "uint8"), ("int64", "uint64"), ("int64", "uint32"),
    ]:  # fmt: skip
        said = [
            row
            for row in converted(source, target)
            for number in [row.operands[0].exact]
            if holds(target, number) or (number < 0 and source.startswith("int") and target.startswith("uint"))
        ]
        yield _of_rows(
            f"edges-of-convert-{source}-to-{target}: cond says whether a {source} is another number, as {target}",
            ("Convert", f'destination_type="{IR_NAMES[target]}"'),
            said,
            "operations-convert",
            "operations-convert-negative",
            compares=True,
        )


def _gathers() -> Iterator[Vector]:
    """An element of a list, at its ends and beyond them."""
    for element in ("int32", "int64"):
        index = np.dtype(ELEMENTS[element].numpy).type
        type_ = IR_NAMES[element]
        choice = if_layer(
            50, ["boolean[]", LIST], {"y": LIST}, applies("Negative", LIST, to=2), passed(LIST, to=2), name="y"
        )
        model = net(
            parameter(0, "list", "boolean[?]"),
            parameter(1, "at", f"{type_}[]"),
            parameter(5, "x", LIST),
            const(41, np.int64(0)),
            operation(40, "Gather", ["boolean[?]", f"{type_}[]", "i64[]"], "boolean[]", opset=8),
            choice,
            result(60, LIST),
            edges("0:0>40:0 1:0>40:1 41:0>40:2 40:3>50:0 5:0>50:1 50:2>60:0"),
        )
        least, greatest = np.iinfo(index).min, np.iinfo(index).max
        yield cond_is_boolean(
            f"edges-of-gather-{element}: cond is an element of a list, at an end of it or beyond it",
            model,
            [
                Run({"list": flags, "at": index(at), "x": X}, {"y": -X if -length <= at < length and flags[at] else X})
                for length in (1, 2, 3, 17)
                for at in sorted({least, -length - 1, -length, -1, 0, length - 1, length, greatest})
                for only in [np.arange(length) == at % length]
                for flags in (only, ~only)
            ],
            why=["if-8-cond-values", "operations-gather-indices", "operations-gather-zeros"],
        )
