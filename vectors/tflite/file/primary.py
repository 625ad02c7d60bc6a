"""The primary subgraph is the first one; its inputs and outputs are the user's tensors, in order."""

import re
from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, ints, says, vectors_of
from ifcert.authoring.tflite import TfliteEdit, TfliteModel, replaced, tflite

SUBGRAPH_INPUTS = says("schema-inputs", "schema-inputs-not-static")
SUBGRAPH_OUTPUTS = says("schema-outputs", "schema-outputs-product")

primary_order = vectors_of("tflite/subgraph/primary-order", "onert-primary", "schema-main-model")

WHY = ["onert-primary", "schema-main-model"]
A, B = ints(7, -8), ints(20, 30)

# y is a - b where c is true, else b - a; z is the negation of c.
DIFFERENCE = tflite("""
    subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y, z)
      y: int32[2] = IF(c, a, b) then=first else=second
      z: bool[] = LOGICAL_NOT(c)
    subgraph first (p: int32[2], q: int32[2]) -> (y)
      y: int32[2] = SUB(p, q)
    subgraph second (p: int32[2], q: int32[2]) -> (y)
      y: int32[2] = SUB(q, p)
""")
THEN, ELSE = {"y": ints(-13, -38), "z": np.False_}, {"y": ints(13, 38), "z": np.True_}


def _named_elsewhere() -> Iterator[Vector]:
    """The primary's index is one of the model's: a subgraph that is never invoked may name it."""
    runs = _runs(THEN, ELSE)
    for part in ("then", "else"):
        operands = {"then": "then=main else=both", "else": "then=both else=main"}[part]
        yield primary_order(
            f"named-by-a-never-invoked-{part}: {part} of an If in a subgraph that nothing invokes is the primary",
            TfliteModel(
                f"""{DIFFERENCE.text.rstrip()}
subgraph unread (c: bool[], a: int32[2], b: int32[2]) -> (y, z)
  y: int32[2], z: bool[] = IF(c, c, a, b) {operands}
subgraph both (c: bool[], a: int32[2], b: int32[2]) -> (b, c)
"""
            ),
            runs,
            why=["schema-main-model", "rfc-integer-index"],
        )


def _runs(then_values: dict, else_values: dict, inputs: str = "cab", outputs: str = "") -> list[Run]:
    """Two runs, with the inputs and the outputs in these orders."""
    runs = []
    for cond, values in [(np.True_, then_values), (np.False_, else_values)]:
        fed = {"c": cond, "a": A, "b": B}
        ordered = {name: values[name] for name in outputs or values}
        runs.append(Run({name: fed[name] for name in inputs}, ordered))
    return runs


def _orders() -> Iterator[Vector]:
    head = "main (c: bool[], a: int32[2], b: int32[2]) -> (y, z)"
    yield primary_order("as-declared: inputs cond, a, b and outputs y, z", DIFFERENCE, _runs(THEN, ELSE))
    for case, (edit, inputs, outputs) in {
        "inputs-listed-backwards: the list of inputs names b, a, cond": (
            replaced(head, "main (b: int32[2], a: int32[2], c: bool[]) -> (y, z)"),
            "bac",
            "yz",
        ),
        "outputs-listed-backwards: the list of outputs names z, y": (
            replaced(head, "main (c: bool[], a: int32[2], b: int32[2]) -> (z, y)"),
            "cab",
            "zy",
        ),
        "indices-backwards: the tensors' indices descend where the lists ascend": (
            replaced(head + "\n", head + "\n  tensors z, y, b, a, c\n"),
            "cab",
            "yz",
        ),
        "indices-shuffled: inputs and outputs are interleaved": (
            replaced(head + "\n", head + "\n  tensors b, z, c, y, a\n"),
            "cab",
            "yz",
        ),
    }.items():
        why = [*WHY, SUBGRAPH_INPUTS, SUBGRAPH_OUTPUTS]
        yield primary_order(case, DIFFERENCE.edited(edit), _runs(THEN, ELSE, inputs, outputs), why=why)
    digits = {f"x{i}": ints(i) for i in range(1, 10)}
    declared = ", ".join(f"{name}: int32[1]" for name in digits)
    yield primary_order(
        "nine-inputs: nine inputs, whose tensors' indices descend",
        tflite(f"""
            subgraph main ({declared}) -> (y)
              tensors {", ".join(reversed(digits))}
              zero: int32[1] = [0]
              c: bool[1] = GREATER(x1, zero)
              y: int32[9] = IF(c, {", ".join(digits)}) then=joins else=joins
            subgraph joins ({declared}) -> (y)
              y: int32[9] = CONCATENATION({", ".join(digits)}) axis=0
        """),
        Run(digits, {"y": ints(1, 2, 3, 4, 5, 6, 7, 8, 9)}),
        why=[*WHY, SUBGRAPH_INPUTS],
    )


def _named(words: str, *labels: str) -> TfliteEdit:
    """The edit that puts these words in braces after the heads of subgraphs."""

    def edit(text: str) -> str:
        return re.sub(rf"^(subgraph (?:{'|'.join(labels)}) .*)$", rf"\1 {{{words}}}", text, flags=re.MULTILINE)

    return edit


def _renamed(text: str) -> str:
    """Then's inputs are called b and y, else's y and c."""
    text = replaced("(p: int32[2], q: int32[2])", '(p: int32[2] {name="b"}, q: int32[2] {name="y"})', within="first")(
        text
    )
    return replaced("(p: int32[2], q: int32[2])", '(p: int32[2] {name="y"}, q: int32[2] {name="c"})', within="second")(
        text
    )


def _nameless(text: str) -> str:
    """No tensor of then's and else's subgraphs has a name."""
    main, first, rest = text.partition("subgraph first")
    return main + first + rest.replace("int32[2]", "int32[2] {without=name}")


def _names() -> Iterator[Vector]:
    everywhere = ("main", "first", "second")
    for case, title, *edits in [
        (
            "not-called-main",
            "the primary is called second, then's subgraph main",
            replaced("main (c", "else (c"),
            replaced("first (p", "main (p"),
            replaced("then=first", "then=main"),
        ),
        ("names-missing", "no subgraph has a name", _named("without=name", *everywhere)),
        ("names-empty", "the subgraphs' names are empty", _named('name=""', *everywhere)),
        ("one-name-for-all", "all subgraphs are called main", _named("name=main", "first", "second")),
        ("tensors-of-subgraphs-without-names", "no tensor of then's and else's subgraph has a name", _nameless),
        ("tensors-of-one-name", "the subgraphs' tensors have the primary's names, in another order", _renamed),
    ]:
        yield primary_order(
            f"{case}: {title}", DIFFERENCE.edited(*edits), _runs(THEN, ELSE), why=[*WHY, "schema-subgraph-name"]
        )


def _passes() -> Iterator[Vector]:
    yield primary_order(
        "inputs-are-outputs: the primary returns its inputs b and cond besides the If's result",
        DIFFERENCE.edited(replaced("-> (y, z)", "-> (b, y, c)")),
        branches(
            {"a": A, "b": B},
            then={"b": B, "y": THEN["y"], "c": np.True_},
            else_={"b": B, "y": ELSE["y"], "c": np.False_},
            cond="c",
        ),
    )
    yield primary_order(
        "input-unused: an unused input of the primary comes between the others",
        DIFFERENCE.edited(replaced("c: bool[], a: int32[2]", "c: bool[], u: float32[3], a: int32[2]")),
        Run({"c": np.True_, "u": floats(1, 2, 3), "a": A, "b": B}, THEN),
        Run({"c": np.False_, "u": floats(4, 5, 6), "a": A, "b": B}, ELSE),
        about=["unread-inputs"],
    )
    yield primary_order(
        "tensors-unused: every subgraph has unused tensors and constants",
        DIFFERENCE.edited(
            replaced("  y: int32[2] = IF", "  t: float32[3]\n  k: int64[1] = [9]\n  y: int32[2] = IF"),
            replaced("  y: int32[2] = SUB(p, q)", "  t: float32[3]\n  k: int64[1] = [9]\n  y: int32[2] = SUB(p, q)"),
        ),
        _runs(THEN, ELSE),
    )
    yield primary_order(
        "operator-nobody-needs: the result of the If's neighbor is unused",
        DIFFERENCE.edited(replaced("-> (y, z)", "-> (y)")),
        _runs({"y": THEN["y"]}, {"y": ELSE["y"]}),
    )


def _listed_twice() -> Iterator[Vector]:
    """The list of outputs names one tensor twice: it is the user's first output and the user's second."""
    for case, outputs in [
        ("result-listed-twice: the list of outputs names y, y and z: an If's result is two outputs", "yyz"),
        ("other-result-listed-twice: the list of outputs names y, z and z: the second If's result is two", "yzz"),
    ]:
        model = tflite(f"""
            subgraph main (c: bool[], a: int32[2]) -> ({", ".join(outputs)})
              y: int32[2] = IF(c, a) then=twice else=minus
              z: int32[2] = IF(c, a) then=square else=same
            subgraph twice (p: int32[2]) -> (s)
              s: int32[2] = ADD(p, p)
            subgraph minus (p: int32[2]) -> (s)
              s: int32[2] = NEG(p)
            subgraph square (p: int32[2]) -> (s)
              s: int32[2] = MUL(p, p)
            subgraph same (p: int32[2]) -> (p)
        """)
        runs = []
        for cond, values in [
            (np.True_, {"y": ints(14, -16), "z": ints(49, 64)}),
            (np.False_, {"y": ints(-7, 8), "z": A}),
        ]:
            runs.append(Run({"c": cond, "a": A}, [(name, values[name]) for name in outputs]))
        yield primary_order(case, model, runs, why=["onert-primary", SUBGRAPH_OUTPUTS])


def _signatures() -> Iterator[Vector]:
    """Signatures give tensors further names; the lists of the subgraph do not change."""
    for case, line in {
        "signature-in-another-order: the signature names the inputs b, cond, a and the outputs z, y": (
            "signature serving_default (b=b, c=c, a=a) -> (z=z, y=y)"
        ),
        "signature-names-of-the-other: the signature calls a's tensor b and b's a, y's z and z's y": (
            "signature serving_default (c=c, b=a, a=b) -> (z=y, y=z)"
        ),
        "signature-of-another-subgraph: the only signature is that of then's subgraph": (
            "signature serving_default (p=p, q=q) -> (y=y) {subgraph=first}"
        ),
        "signature-of-some: the signature names one input and one output": "signature serving_default (c=c) -> (z=z)",
    }.items():
        model = DIFFERENCE.edited(lambda text, line=line: f"{line}\n{text}")
        yield primary_order(case, model, _runs(THEN, ELSE), why=[*WHY, SUBGRAPH_INPUTS, SUBGRAPH_OUTPUTS])
