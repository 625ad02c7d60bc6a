"""Each tensor is produced once, and before it is read."""

from collections.abc import Iterator

from ifcert.authoring import Run, Vector, branches, floats, vectors_of
from ifcert.authoring.tflite import replaced, tflite
from ifcert.authoring.tflite_loops import DOUBLED, DOUBLES
from ifcert.authoring.tflite_patterns import X

one_producer = vectors_of("tflite/file/one-producer", "schema-inputs-not-static", "reader-one-producer")
made_before_use = vectors_of("tflite/file/made-before-use", "schema-execution-order", "rfc-order")

CHAIN = tflite("""
    subgraph main (c: bool[], x: float32[2]) -> (y)
      y: float32[2] = IF(c, x) then=chain else=negates
    subgraph chain (a: float32[2]) -> (sum)
      k: float32[2] = [10, 20]
      twice: float32[2] = ADD(a, a)
      sum: float32[2] = ADD(twice, k)
    subgraph negates (b: float32[2]) -> (minus)
      minus: float32[2] = NEG(b)
""")
RUNS = branches({"x": X}, then={"y": floats(12, 16)}, else_={"y": floats(-1, 2)}, cond="c")
TWICE = "twice: float32[2] = ADD(a, a)"
SUM = "sum: float32[2] = ADD(twice, k)"


def made_twice() -> Iterator[Vector]:
    """Two operators, or an operator and an input or a constant, produce one tensor."""
    once = one_producer("once: each tensor is produced once", CHAIN, RUNS)
    for case, line, why in [
        ("two-operators: two operators produce one tensor", "sum = ADD(a, k)", "verifier-another-output"),
        ("input: an operator produces the subgraph's input", "a = ADD(twice, twice)", "verifier-input"),
        ("constant: an operator produces the constant", "k = ADD(twice, twice)", "verifier-constant"),
    ]:
        yield once.broken(case, replaced(SUM, f"{SUM}\n  {line}"), why=[why, "reader-one-producer"])
    yield once.varied(
        "same-operator-again: an operator is in the list twice",
        replaced(SUM, f"{SUM}\n  twice = ADD(a, a)"),
        why=["schema-execution-order", "verifier-another-output"],
        doubt="the schema does not say that a tensor is produced once, and both operators give it the same value",
    )
    yield once.broken(
        "both-results-of-one: an If returns one tensor twice",
        replaced("y: float32[2] = IF(c, x)", "y: float32[2], y = IF(c, x)"),
        replaced("-> (sum)", "-> (sum, twice)"),
        replaced("-> (minus)", "-> (minus, b)"),
        why=["verifier-another-output", "reader-one-producer"],
    )
    yield once.broken(
        "primary-input: the If's result is the primary's input",
        replaced("-> (y)", "-> (x)"),
        replaced("y: float32[2] = IF(c, x)", "x = IF(c, x)"),
        why=["verifier-input", "reader-one-producer"],
    )
    yield once.broken(
        "input-with-content: the subgraph's input has content of its own, which makes it a constant too",
        replaced("(a: float32[2])", "(a: float32[2] {buffer=k})"),
        replaced("  k: float32[2] = [10, 20]", "  tensors k\n  k: float32[2] = [10, 20]"),
    )


def _made_twice_in_sparse_form() -> Iterator[Vector]:
    """A constant in sparse form, in a subgraph that is never invoked, so that no run needs its elements."""
    line = "n: float32[2] = NEG(p)"
    sparse = one_producer(
        "sparse-constant: "
        "a subgraph that is never invoked has a constant in sparse form, and each tensor is produced once",
        CHAIN.edited(
            lambda text: (
                text + "subgraph apart (p: float32[2]) -> (n)\n" + f"  k: float32[2] {{sparse}} = [10, 20]\n  {line}\n"
            )
        ),
        RUNS,
    )
    yield sparse.broken(
        "sparse-constant-as-a-result: "
        "a subgraph that is never invoked has a constant in sparse form, which an operator produces, too",
        replaced(line, f"{line}\n  k = ABS(p)"),
        why=["verifier-constant", "reader-one-producer"],
    )


def made_late() -> Iterator[Vector]:
    """Operators in another order, and tensors without a producer."""
    sound = made_before_use("in-order: each operator comes after those whose results it reads", CHAIN, RUNS)
    yield sound.broken(
        "other-way-round: the operator that reads a tensor comes before the one that produces it",
        replaced(f"{TWICE}\n  {SUM}", f"{SUM}\n  {TWICE}"),
        why=["schema-execution-order", "verifier-not-produced", "reader-order"],
    )
    yield sound.broken(
        "reads-its-own-result: an operator reads its own result",
        replaced("ADD(a, a)", "ADD(a, twice)"),
        why=["schema-execution-order", "verifier-not-produced", "reader-order"],
    )
    yield sound.broken(
        "if-reads-its-own-result: an If's operand is its own result",
        replaced("y: float32[2] = IF(c, x)", "y: float32[2] = IF(c, y)"),
        why=["schema-execution-order", "verifier-not-produced", "reader-order"],
    )
    yield sound.broken(
        "each-reads-the-other: two operators read each other's results",
        replaced("ADD(a, a)", "ADD(a, sum)"),
        why=["schema-execution-order", "verifier-not-produced", "reader-order"],
    )
    yield sound.broken(
        "made-by-nothing: an operator reads a tensor without content or a producer",
        replaced("  k: float32[2] = [10, 20]", "  k: float32[2]"),
        why=["schema-execution-order", "verifier-not-produced", "reader-order"],
    )
    yield sound.broken(
        "condition-made-by-nothing: the If's condition is a tensor without a producer",
        replaced("IF(c, x) then=chain else=negates", "IF(d, x) then=chain else=negates\n  d: bool[]"),
        why=["schema-execution-order", "verifier-not-produced", "reader-order"],
    )
    yield sound.broken(
        "condition-made-later: the If's condition is produced by the operator after it",
        replaced("IF(c, x) then=chain else=negates", "IF(d, x) then=chain else=negates\n  d: bool[] = LOGICAL_NOT(c)"),
        why=["schema-execution-order", "verifier-not-produced", "reader-order"],
    )
    yield sound.broken(
        "result-made-by-nothing: a subgraph's output is a tensor without a producer",
        replaced("-> (minus)\n", "-> (nothing)\n  nothing: float32[2]\n"),
        why=["schema-outputs-product", "reader-outputs"],
    )
    yield sound.broken(
        "primary-result-made-by-nothing: the primary's output is a tensor without a producer",
        replaced("-> (y)\n", "-> (nothing)\n  nothing: float32[2]\n"),
        why=["schema-outputs-product", "reader-outputs"],
    )
    yield sound.broken(
        "value-of-another-subgraph: "
        "a subgraph reads its own tensor with the index that the value has in the primary one",
        replaced("ADD(twice, k)", "ADD(twice, x)"),
        replaced("  k: float32[2] = [10, 20]", "  k: float32[2] = [10, 20]\n  x: float32[2]"),
        why=["verifier-not-produced", "reader-order"],
    )


def into_themselves() -> Iterator[Vector]:
    """An If or a While that writes into its own operand, and an input that two operands are for."""
    negated = "minus: float32[2] = NEG(x)\n  "
    computed = one_producer(
        "operand-computed: an If's operand is computed, and its result is another tensor",
        CHAIN.edited(replaced("y: float32[2] = IF(c, x)", f"{negated}y: float32[2] = IF(c, minus)")),
        branches({"x": X}, then={"y": floats(8, 24)}, else_={"y": X}, cond="c"),
    )
    yield computed.broken(
        "result-is-the-operand: an If's result is the tensor of its computed operand",
        replaced("y: float32[2] = IF(c, minus)", "minus = IF(c, minus)"),
        replaced("-> (y)", "-> (minus)"),
        why=["verifier-another-output", "reader-one-producer"],
    )
    looping = one_producer(
        "loop-operand-computed: a While's operand is computed, and its result is another tensor",
        DOUBLES.edited(
            replaced("  zero: int32[] = 0", "  zero: int32[] = 0\n  minus: float32[2] = NEG(x)"),
            replaced("WHILE(zero, n, x)", "WHILE(zero, n, minus)"),
        ),
        [Run(run.inputs, {**run.expect, "y": -run.expect["y"]}) for run in DOUBLED],
    )
    yield looping.broken(
        "loop-result-is-the-operand: "
        "a While's result is the tensor of its computed operand, which its trips would change in place",
        replaced("y: float32[2] = WHILE", "minus = WHILE"),
        replaced("-> (i, y)", "-> (i, minus)"),
        why=["verifier-another-output", "reader-one-producer"],
    )
    yield looping.broken(
        "loop-result-is-the-primary-input: a While's result is the primary's input, which is its operand too",
        replaced("y: float32[2] = WHILE(zero, n, minus)", "x = WHILE(zero, n, x)"),
        replaced("-> (i, y)", "-> (i, x)"),
        why=["verifier-input", "reader-one-producer"],
    )
    looped = made_before_use(
        "in-order-in-a-loop: a While comes after the two operators, in order, that compute its operand",
        DOUBLES.edited(
            replaced(
                "  zero: int32[] = 0",
                "  zero: int32[] = 0\n  minus: float32[2] = NEG(x)\n  plus: float32[2] = NEG(minus)",
            ),
            replaced("WHILE(zero, n, x)", "WHILE(zero, n, plus)"),
        ),
        DOUBLED,
    )
    yield looped.broken(
        "loop-reads-its-own-result: a While's last operand is its own last result",
        replaced("WHILE(zero, n, plus)", "WHILE(zero, n, y)"),
        why=["schema-execution-order", "verifier-not-produced", "reader-order"],
    )
