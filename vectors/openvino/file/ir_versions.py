"""Versions: of the IR, and of the operator sets that its layers name."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats
from ifcert.authoring.faults import fault
from ifcert.authoring.ir import IrModel, as_in, replaced
from ifcert.authoring.ir_bodies import applied, body, gives, if_layer, if_model, takes
from ifcert.authoring.ir_patterns import adds_or_negates, everywhere, of_layer
from ifcert.authoring.ir_text import edges, parameter, result

SETS = "openvino/ir/operator-set-is-known/"

# Layers that compute nothing, and so need no operation: a reader that looks up only what it runs misses their sets.
ENDS = [
    ("input", "the Parameter x of the main network", "x"),
    ("output", "the Result of the main network", "result200"),
    ("parameter", "the Parameter of then_body", "a"),
    ("constant", "the constant of then_body", "const1"),
    ("result", "the Result of then_body", "result3"),
]

NO_SUCH_VERSION = "the pages describe versions 1 to 7 and 10, and have no rules for reading any other"


def of_the_file() -> Iterator[Vector]:
    """10 and 11 are read; a file declares its version."""
    eleven = adds_or_negates("openvino/ir/version/eleven: the IR has version 11", ["opsets-ir-version"])
    yield eleven.varied(
        "ten: the IR has version 10; the output has the name of its layer and of its port",
        replaced('"main" version="11"', '"main" version="10"'),
        replaced('name="choice"', 'name="y"'),
        why=["opsets-version-10"],
    )
    for case, text in [
        ("missing: the IR declares no version", '"main"'),
        ("empty: the version of the IR is empty", '"main" version=""'),
        ('in-letters: the IR has the version "eleven"', '"main" version="eleven"'),
    ]:
        yield eleven.broken(
            case,
            replaced('"main" version="11"', text),
            why=["opsets-ir-version", "opsets-version-once"],
        )
    for case, version in [("seven", 7), ("nine", 9), ("twelve", 12)]:
        yield eleven.varied(
            f"{case}: the IR declares version {version} in a file that is written as 11 is",
            replaced('"main" version="11"', f'"main" version="{version}"'),
            doubt=NO_SUCH_VERSION,
        )


def nested(part: str, opset: int) -> IrModel:
    """The If of one body is of this set; the other body returns x."""
    twos, inside = "f32[2]", {"c": "boolean[]", "x": "f32[2]"}
    branches = applied("Abs", twos, to=2), applied("Negative", twos, to=2)
    outer = body(
        [takes(1, 0), takes(2, 1), gives(3, 3)],
        *(parameter(i, name, type_) for i, (name, type_) in enumerate(inside.items())),
        if_layer(2, list(inside.values()), {"r": twos}, *branches, opset=opset),
        result(3, twos),
        edges("0:0>2:0 1:0>2:1 2:2>3:0"),
    )
    kept = body([takes(2, 0), gives(3, 1)], parameter(0, "p", twos), result(1, twos), edges("0:0>1:0"))
    bodies = (outer, kept) if part == "then" else (kept, outer)
    return if_model({"cond": "boolean[]", "on": "boolean[]", "x": twos}, {"y": twos}, *bodies)


def of_nested() -> Iterator[Vector]:
    """The set of an If in a body."""
    x = floats(1, -2)
    for part in ("then", "else"):
        taken = part == "then"
        sound = Vector(
            f"{SETS}if-in-{part}",
            f"there is an If in {part}_body; both are of opset8",
            ["opsets-opset-of-each", "opsets-any-set-that-has-it"],
            nested(part, 8),
            [
                Run({"cond": np.bool_(taken), "on": np.True_, "x": x}, {"y": abs(x)}),
                Run({"cond": np.bool_(taken), "on": np.False_, "x": x}, {"y": -x}),
                Run({"cond": np.bool_(not taken), "on": np.True_, "x": x}, {"y": x}),
            ],
        )
        for case, number in [("unknown-set", 999), ("set-without-if", 6)]:
            yield sound.broken(
                f'{sound.id}-{case}: the If in {part}_body is of "opset{number}", the one around it of opset8',
                as_in(nested(part, number)),
            )


def of_layers() -> Iterator[Vector]:
    """Any set that has the operation; then sets that do not exist, and operations that are in no set."""
    plain = adds_or_negates(
        f"{SETS}opset8-and-opset1: If is of opset8, all else of opset1",
        ["opsets-opset-of-each", "opsets-opset1", "opsets-mixed-sets"],
    )
    for number in range(9, 17):
        yield plain.varied(
            f"opset{number}: every layer is of opset{number}",
            everywhere(
                ('version="opset1"', f'version="opset{number}"'), ('version="opset8"', f'version="opset{number}"')
            ),
            why=["opsets-any-set-that-has-it"],
        )
    for case, made in {
        'unknown-set: the layer that adds is of "opset999"': fault(
            of_layer("op2", '"opset1"', '"opset999"'), "opsets-opset-of-each"
        ),
        'set-zero: the layer that adds is of "opset0"': fault(of_layer("op2", '"opset1"', '"opset0"'), "opsets-opset1"),
        'set-without-number: the layer that adds is of "opset"': fault(
            of_layer("op2", '"opset1"', '"opset"'), "opsets-opset-of-each"
        ),
        'set-of-another-name: the layer that adds is of "operations"': fault(
            of_layer("op2", '"opset1"', '"operations"'), "opsets-opset-of-each"
        ),
        'set-of-another-name-with-a-number: the layer that adds is of "other1", which is as long as "opset1"': fault(
            of_layer("op2", '"opset1"', '"other1"'), "opsets-opset-of-each"
        ),
        "set-missing: the layer that adds has no version": fault(
            of_layer("op2", ' version="opset1"', ""), "opsets-opset-of-each"
        ),
        'set-of-the-if-unknown: the If is of "opset999"': fault(
            replaced('version="opset8"', 'version="opset999"'), "opsets-opset-of-each"
        ),
        'unknown-set-in-else: the layer that negates, in else_body, is of "opset999"': fault(
            of_layer("op1", '"opset1"', '"opset999"'), "opsets-opset-of-each"
        ),
        **{
            f'{case}-of-unknown-set: {what} is of "opset999"': fault(
                of_layer(name, '"opset1"', '"opset999"'), "opsets-that-version"
            )
            for case, what, name in ENDS
        },
        **{
            f"{case}-without-set: {what} has no version": fault(
                of_layer(name, ' version="opset1"', ""), "opsets-opset-of-each"
            )
            for case, what, name in ENDS
        },
        'unknown-operation: a layer has the type "Perhaps", which no set has': fault(
            of_layer("op2", '"Add"', '"Perhaps"'), "opsets-that-version"
        ),
    }.items():
        yield plain.broken(case, made.edit, why=made.why)
    yield plain.varied(
        'operation-in-other-letters: a layer has the type "add"',
        of_layer("op2", '"Add"', '"add"'),
        why=["opsets-that-version"],
        doubt="no page says whether the name of an operation is case-sensitive",
    )
