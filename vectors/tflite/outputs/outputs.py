"""Outputs by position, in the right number."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, floats, ints, issue, says, vectors_of
from ifcert.authoring.tflite import replaced, tflite
from ifcert.authoring.tflite_patterns import A, B, both

outputs_positional = vectors_of(
    "tflite/if/outputs-positional", "onert-invoked-outputs", says("schema-outputs", "schema-outputs-product")
)


def _three() -> Iterator[Vector]:
    yield outputs_positional(
        "three-outputs: three outputs of other types and shapes",
        tflite("""
            subgraph main (c: bool[], a: int32[2]) -> (x, y, z)
              x: int32[2], y: float32[1], z: bool[] = IF(c, a) then=one else=other
            subgraph one (p: int32[2]) -> (u, v, w)
              u: int32[2] = NEG(p)
              v: float32[1] = [0.5]
              w: bool[] = true
            subgraph other (p: int32[2]) -> (u, v, w)
              u: int32[2] = ABS(p)
              v: float32[1] = [0.25]
              w: bool[] = false
        """),
        both({"x": -A, "y": floats(0.5), "z": np.True_}, {"x": abs(A), "y": floats(0.25), "z": np.False_}, a=A),
        why=["onert-invoked-outputs", "onert-passing-out"],
    )


# Two outputs: then returns a + b and a - b, else a - b and a + b.
TWO = tflite("""
    subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y, z)
      y: int32[2], z: int32[2] = IF(c, a, b) then=one else=other
    subgraph one (p: int32[2], q: int32[2]) -> (u, v)
      u: int32[2] = ADD(p, q)
      v: int32[2] = SUB(p, q)
    subgraph other (p: int32[2], q: int32[2]) -> (u, v)
      u: int32[2] = SUB(p, q)
      v: int32[2] = ADD(p, q)
""")
SUM, DIFFERENCES = ints(27, 22), ints(-13, -38)


def _order() -> Iterator[Vector]:
    fed = {"a": A, "b": B}
    right = {"y": SUM, "z": DIFFERENCES}, {"y": DIFFERENCES, "z": SUM}
    why = ["onert-invoked-outputs", says("schema-outputs", "schema-outputs-product")]
    yield outputs_positional("two-outputs: a + b and a - b, else the same in the other order", TWO, both(*right, **fed))
    swapped = {"y": DIFFERENCES, "z": SUM}
    for case, title, *edits in [
        (
            "operators-in-another-order",
            "the last operator computes the first output",
            replaced(
                "  u: int32[2] = ADD(p, q)\n  v: int32[2] = SUB(p, q)\n",
                "  v: int32[2] = SUB(p, q)\n  u: int32[2] = ADD(p, q)\n",
                within="one",
            ),
        ),
        (
            "tensors-in-another-order",
            "the second output's index is the lowest",
            replaced("(u, v)\n", "(u, v)\n  tensors v, u, q, p\n", within="one"),
            replaced("(u, v)\n", "(u, v)\n  tensors v, p, u, q\n", within="other"),
        ),
        (
            "callers-tensors-in-another-order",
            "z's index is less than y's",
            replaced("(y, z)\n", "(y, z)\n  tensors z, y\n", within="main"),
        ),
        (
            "names-of-the-other",
            "the subgraphs' first output is called z, the second y",
            lambda text: text.replace("u: int32[2]", 'u: int32[2] {name="z"}').replace(
                "v: int32[2]", 'v: int32[2] {name="y"}'
            ),
        ),
    ]:
        yield outputs_positional(f"{case}: {title}", TWO.edited(*edits), both(*right, **fed))
    yield outputs_positional(
        "one-lists-them-the-other-way: then's list of outputs names v before u",
        TWO.edited(replaced("(u, v)", "(v, u)", within="one")),
        both(swapped, right[1], **fed),
    )
    yield outputs_positional(
        "operator-lists-them-the-other-way: the If's list of outputs names z before y",
        TWO.edited(replaced("y: int32[2], z: int32[2] = IF", "z: int32[2], y: int32[2] = IF")),
        both(swapped, {"y": SUM, "z": DIFFERENCES}, **fed),
    )
    yield outputs_positional(
        "one-output-unused: the If's first output is unused",
        TWO.edited(replaced("-> (y, z)", "-> (z)")),
        both({"z": DIFFERENCES}, {"z": SUM}, **fed),
    )
    yield outputs_positional(
        "empty-else-subgraph: else has no operators and returns its input",
        tflite("""
            subgraph main (c: bool[], a: float32[2], b: float32[2]) -> (y)
              y: float32[2] = IF(c, a, b) then=sum else=first
            subgraph sum (p: float32[2], q: float32[2]) -> (y)
              y: float32[2] = ADD(p, q)
            subgraph first (p: float32[2], q: float32[2]) -> (p)
        """),
        both({"y": floats(1.5, 10)}, {"y": floats(1, 2)}, a=floats(1, 2), b=floats(0.5, 8)),
        why=[
            *why,
            issue(
                "tensorflow/tflite-micro",
                1575,
                "the buffer of an output of a subgraph without operators was never planned",
            ),
        ],
    )


def _counts() -> Iterator[Vector]:
    """Each direction of disagreement, for each subgraph and both."""
    two = outputs_positional(
        "counts-agree: two outputs, and two of each subgraph",
        TWO,
        both({"y": SUM, "z": DIFFERENCES}, {"y": DIFFERENCES, "z": SUM}, a=A, b=B),
        why=["reader-if-counts", "onert-invoked-outputs"],
    )
    fewer, more = ("-> (u, v)", "-> (u)"), ("-> (u, v)", "-> (u, v, u)")
    for case, title, *edits in [
        ("then-gives-fewer", "then returns one output instead of two", replaced(*fewer, within="one")),
        ("else-gives-fewer", "else returns one output instead of two", replaced(*fewer, within="other")),
        (
            "both-give-fewer",
            "both return one output instead of two",
            replaced(*fewer, within="one"),
            replaced(*fewer, within="other"),
        ),
        ("then-gives-more", "then returns three outputs instead of two", replaced(*more, within="one")),
        ("else-gives-more", "else returns three outputs instead of two", replaced(*more, within="other")),
        (
            "both-give-more",
            "both return three outputs instead of two",
            replaced(*more, within="one"),
            replaced(*more, within="other"),
        ),
        ("then-gives-none", "then returns no output instead of two", replaced("-> (u, v)", "-> ()", within="one")),
        (
            "operator-has-more",
            "the If has a third output, the subgraphs two",
            replaced("z: int32[2] = IF", "z: int32[2], t: int32[2] = IF"),
        ),
    ]:
        yield two.broken(f"{case}: {title}", *edits)
    # The subgraph that runs has as many outputs as the If: only the other one shows the fault.
    for runs, label, (case, how), edit in [
        (runs, label, named, edit)
        for runs, label in [("else", "one"), ("then", "other")]
        for named, edit in [(("fewer", "one output"), fewer), (("more", "three outputs"), more)]
    ]:
        branch = "then" if label == "one" else "else"
        yield two.broken(
            f"{branch}-gives-{case}-{runs}-runs: {branch} returns {how} instead of two; only {runs} runs",
            replaced(*edit, within=label),
            runs=[{"c": np.bool_(runs == "then"), "a": A, "b": B}],
        )
    one = two.varied(
        "counts-agree-of-one: one output, and one of each subgraph",
        replaced("-> (y, z)", "-> (y)"),
        replaced("y: int32[2], z: int32[2] = IF", "y: int32[2] = IF"),
        replaced(*fewer, within="one"),
        replaced(*fewer, within="other"),
        runs=both({"y": SUM}, {"y": DIFFERENCES}, a=A, b=B),
    )
    yield one.broken(
        "operator-has-fewer: the If has one output, the subgraphs two",
        replaced(*fewer[::-1], within="one"),
        replaced(*fewer[::-1], within="other"),
    )


def _none() -> Iterator[Vector]:
    yield outputs_positional(
        "no-output: an If and its subgraphs return nothing; the primary returns its input",
        tflite("""
            subgraph main (c: bool[], a: int32[2]) -> (y)
              () = IF(c, a) then=one else=other
              y: int32[2] = NEG(a)
            subgraph one (p: int32[2]) -> ()
            subgraph other (p: int32[2]) -> ()
        """),
        both({"y": -A}, {"y": -A}, a=A),
        why=["reader-if-counts"],
        doubt="no text says that an If returns anything; the schema allows the lists to be empty",
    )
