"""While: numbers and types of operands, variables and results, its options, and the subgraphs that it names."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, vectors_of
from ifcert.authoring.faults import fault
from ifcert.authoring.tflite import TfliteEdit, replaced, tflite
from ifcert.authoring.tflite_loops import DOUBLED, DOUBLES, X

options_required = vectors_of("tflite/while/options-required")
subgraph_index = vectors_of("tflite/while/subgraph-index")


UNCHECKED = issue("Samsung/ONE", 4583, "the numbers of the subgraphs were not checked")

counts_agree = vectors_of("tflite/while/counts-agree", "while-input", "while-output", "while-cond", "while-body")
types_agree = vectors_of("tflite/subgraph/types-agree", "while-input", "while-output", "while-body")

CALL = "i: int32[], m: int32[], y: float32[2] = WHILE(zero, n, x)"
BELOW = "below (j: int32[], n: int32[], x: float32[2])"
STEP = "step (j: int32[], n: int32[], x: float32[2]) -> (next, n, doubled)"


def counts() -> Iterator[Vector]:
    """As many operands as outputs; as many inputs of both subgraphs, and as many outputs of the body."""
    three = counts_agree("three: three of each", DOUBLES, DOUBLED)
    yield counts_agree(
        "one: one of each",
        tflite("""
            subgraph main (x: float32[]) -> (y)
              y: float32[] = WHILE(x) cond=small body=doubles
            subgraph small (x: float32[]) -> (more)
              ten: float32[] = 10
              more: bool[] = LESS(x, ten)
            subgraph doubles (x: float32[]) -> (twice)
              twice: float32[] = ADD(x, x)
        """),
        [Run({"x": np.float32(x)}, {"y": np.float32(y)}) for x, y in [(1, 16), (3, 12), (10, 10)]],
    )
    yield counts_agree(
        "none: a loop without variables, whose condition is false, and a negation after it",
        tflite("""
            subgraph main (x: float32[2]) -> (y)
              () = WHILE() cond=never body=nothing
              y: float32[2] = NEG(x)
            subgraph never () -> (no)
              no: bool[] = false
            subgraph nothing () -> ()
        """),
        Run({"x": X}, {"y": -X}),
        why=["while-input", "while-output"],
        doubt="no text says that a loop has variables; the schema allows the lists to be empty",
    )
    for case, title, why, *edits in [
        (
            "operand-missing",
            "the While has two operands and three outputs",
            "while-input",
            _in_call("zero, n, x", "zero, n"),
        ),
        (
            "operand-too-many",
            "the While has four operands and three outputs",
            "while-input",
            _in_call(", x)", ", x, x)"),
        ),
        (
            "output-missing",
            "the While has two outputs and three operands",
            "while-output",
            _in_call("m: int32[], y: float32[2]", "y: int32[]"),
        ),
        (
            "output-too-many",
            "the While has four outputs and three operands",
            "while-output",
            _in_call("y: float32[2] =", "y: float32[2], z: float32[2] ="),
        ),
        ("cond-takes-less", "the condition has two inputs", "while-cond", _in(BELOW, ", x: float32[2]", "")),
        ("cond-takes-more", "the condition has four inputs", "while-cond", _in(BELOW, ")", ", z: float32[2])")),
        (
            "body-takes-less",
            "the body has two inputs and returns three values",
            "while-body",
            _in(STEP, ", x: float32[2])", ")"),
            replaced("doubled: float32[2] = ADD(x, x)", "doubled: float32[2] = [2, -4]"),
        ),
        ("body-takes-more", "the body has four inputs", "while-body", _in(STEP, "[2])", "[2], z: float32[2])")),
        ("body-gives-less", "the body returns two values", "while-body", _in(STEP, ", doubled", "")),
        ("body-gives-more", "the body returns four values", "while-body", _in(STEP, "doubled)", "doubled, doubled)")),
    ]:
        yield three.broken(f"{case}: {title}", *edits, why=[why])


def _in(line: str, old: str, new: str) -> TfliteEdit:
    """The edit of text that occurs once in a line."""
    return replaced(line, replaced(old, new)(line))


def _in_call(old: str, new: str) -> TfliteEdit:
    return _in(CALL, old, new)


def types() -> Iterator[Vector]:
    """Variable y passes through a While whose subgraphs do not read it: only its declared types can disagree."""
    same = types_agree(
        "loop: each variable has one type, as operand, in both subgraphs, and as output",
        tflite("""
            subgraph main (n: int32[], x: float32[2]) -> (left, y)
              left: int32[], y: float32[2] = WHILE(n, x) cond=positive body=sets
            subgraph positive (n: int32[], unread: float32[2]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph sets (n: int32[], ignored: float32[2]) -> (next, k)
              k: float32[2] = [10, 20]
              one: int32[] = 1
              next: int32[] = SUB(n, one)
        """),
        [Run({"n": np.int32(n), "x": X}, {"left": np.int32(0), "y": y}) for n, y in [(2, floats(10, 20)), (0, X)]],
    )
    for case, made in {
        "while-operand-and-cond: the condition's input is int32 instead of float32": fault(
            replaced("unread: float", "unread: int"), "while-cond"
        ),
        "while-operand-and-body: the body's input is int32 instead of float32": fault(
            replaced("ignored: float", "ignored: int"), "while-body"
        ),
        "loop-body-gives: the body's output is int32 instead of float32": fault(
            replaced("k: float32", "k: int32"), "while-body"
        ),
        "loop-output: the While's output is int32, all else float32": fault(
            replaced(", y: float", ", y: int"), "while-output"
        ),
    }.items():
        yield same.broken(case, made.edit, why=made.why)
    yield same.broken(
        "loop-body-gives-and-output: the body's output and the While's are int32, all else float32",
        replaced("k: float32", "k: int32"),
        replaced(", y: float", ", y: int"),
        why=["while-body"],
    )
    yield same.broken(
        "loop-body-and-output: the operand and the condition's input are float32, the output and the body have int32",
        replaced("ignored: float", "ignored: int"),
        replaced("k: float32", "k: int32"),
        replaced(", y: float", ", y: int"),
        why=["while-input", "while-body"],
    )
    yield same.broken(
        "loop-all-but-the-operand: the operand is float32, the output and both subgraphs have int32",
        replaced("unread: float", "unread: int"),
        replaced("ignored: float", "ignored: int"),
        replaced("k: float32", "k: int32"),
        replaced(", y: float", ", y: int"),
        why=["while-input"],
    )


def third_type() -> Iterator[Vector]:
    """The third variable is the one that disagrees."""
    three = types_agree(
        "loop-of-three: each of three variables has one type, as operand, in both subgraphs, and as output",
        tflite("""
            subgraph main (n: int32[], x: float32[2], z: float32[2]) -> (left, y, last)
              left: int32[], y: float32[2], last: float32[2] = WHILE(n, x, z) cond=positive body=sets
            subgraph positive (n: int32[], x: float32[2], unread: float32[2]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph sets (n: int32[], x: float32[2], ignored: float32[2]) -> (next, twice, k)
              k: float32[2] = [10, 20]
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              twice: float32[2] = ADD(x, x)
        """),
        [
            Run({"n": np.int32(n), "x": X, "z": -X}, {"left": np.int32(0), "y": y, "last": last})
            for n, y, last in [(2, 4 * X, floats(10, 20)), (0, X, -X)]
        ],
    )
    gives, output = replaced("k: float32", "k: int32"), replaced(", last: float", ", last: int")
    for case, (why, edits) in {
        "cond: the condition's third input is int32 instead of float32": (
            "while-cond",
            [replaced("unread: float", "unread: int")],
        ),
        "body: the body's third input is int32 instead of float32": (
            "while-body",
            [replaced("ignored: float", "ignored: int")],
        ),
        "body-gives: the body's third output is int32 instead of float32": ("while-body", [gives]),
        "output: the While's third output is int32, all else float32": ("while-output", [output]),
        "body-gives-and-output: the body's third output and the While's are int32, all else float32": (
            "while-body",
            [gives, output],
        ),
    }.items():
        yield three.broken(f"third-of-loop-{case}", *edits, why=[why])


def options() -> Iterator[Vector]:
    """A While has WhileOptions."""
    there = options_required(
        "there: both indices are in WhileOptions", DOUBLES, DOUBLED, why=["rfc-options-table", "schema-while-options"]
    )
    named = " cond=below body=step"
    for case, words in [
        ("none: the While has no options", " options=none"),
        ("type-alone: the type of the options is set, but there is no table", " table=none"),
        ("of-an-addition: the options are those of an ADD", " options=AddOptions"),
        ("of-an-if: the options are an If's, with the same two numbers", " options=IfOptions then=below else=step"),
    ]:
        yield there.broken(case, replaced(named, words))
    yield options_required(
        "body-not-written: "
        "body_subgraph_index is not written, so it is 0: the body is the primary, and no trip is made",
        tflite("""
            subgraph main (n: int32[], x: float32[2]) -> (left, y)
              left: int32[], y: float32[2] = WHILE(n, x) cond=positive
            subgraph positive (n: int32[], x: float32[2]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
        """),
        Run({"n": np.int32(0), "x": X}, {"left": np.int32(0), "y": X}),
        why=["schema-while-options"],
        doubt="0 is a legal index, and names the subgraph that contains the While; no text forbids it",
    )


def indices() -> Iterator[Vector]:
    """Indices of existing subgraphs."""
    plain = subgraph_index(
        "in-order: cond is subgraph 1, body 2", DOUBLES, DOUBLED, why=["onert-same-parameters", "schema-while-options"]
    )
    lines = DOUBLES.text.split("subgraph ")
    swapped = "subgraph ".join([lines[0], lines[1], lines[3], lines[2]])
    yield plain.varied("body-before-cond: body is subgraph 1, cond 2", lambda _: swapped)
    yield plain.varied(
        "far-apart: subgraphs that no operator names come between cond and body",
        replaced(
            "subgraph step", "subgraph idle (z: int32[]) -> (z)\nsubgraph also (z: bool[2]) -> (z)\nsubgraph step"
        ),
    )
    yield subgraph_index(
        "same-subgraph: one subgraph is both condition and body: it negates a boolean",
        tflite("""
            subgraph main (b: bool[]) -> (y)
              y: bool[] = WHILE(b) cond=turns body=turns
            subgraph turns (b: bool[]) -> (not)
              not: bool[] = LOGICAL_NOT(b)
        """),
        [Run({"b": np.bool_(b)}, {"y": np.True_}) for b in (False, True)],
        why=["onert-same-parameters"],
        also=["tflite/subgraph/shared"],
        doubt="no text says that the two indices differ; TensorFlow Lite's kernel requires it",
    )
    for field, now in [("cond", "below"), ("body", "step")]:
        for case, number in [
            ("one-too-far", 3),
            ("99", 99),
            ("negative", -1),
            ("least", -(2**31)),
            ("greatest", 2**31 - 1),
        ]:
            yield plain.broken(
                f"{field}-{case}: {field}_subgraph_index is {number}, and there are 3 subgraphs",
                replaced(f"{field}={now}", f"{field}={number}"),
                why=["onert-same-parameters", "reader-indices", UNCHECKED],
            )


def operands() -> Iterator[Vector]:
    """A While needs all its operands."""
    whole = Vector(
        "tflite/subgraph/operand-required/while",
        "all three operands are there",
        ["while-input", "schema-optional-input"],
        DOUBLES,
        DOUBLED,
    )
    for case, operands in [("first", "-, n, x"), ("second", "zero, -, x"), ("last", "zero, n, -")]:
        yield whole.broken(f"while-{case}-absent: the {case} operand is -1", _in_call("zero, n, x", operands))
