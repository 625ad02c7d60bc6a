"""Names that are no identifiers, of tensors, subgraphs and signatures, also such that only a rewriting makes equal."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, ints, says, vectors_of
from ifcert.authoring.tflite import TfliteModel, tflite

primary_order = vectors_of(
    "tflite/subgraph/primary-order",
    "onert-primary",
    "schema-main-model",
    says("schema-inputs", "schema-inputs-not-static"),
    says("schema-outputs", "schema-outputs-product"),
    "schema-subgraph-name",
)

KINDS = {
    "differ-in-punctuation": (
        "that are one name once punctuation is replaced or removed",
        ["a.b", "a_b", "a:b", "a/b", "a b", "a-b", "a;b", "ab"],
    ),
    "differ-in-part": (
        "that are one name once they are cut, trimmed, in one case, in ASCII alone, or numbers",
        ["k", "k:0", "/k", "m/k", "m;k", "k ", "K", "k\u00e9", "k\u00e8", "0", "00"],
    ),
}

# Who writes such names, or what they consist of, and the form.
FORMS: dict[str, tuple[str, Callable[[str], str]]] = {
    "colons": ("as TensorFlow's signatures give them", lambda name: f"serving_default_{name}:0"),
    "semicolons": ("as fused operators have, with semicolons", lambda name: f"model/{name}/Add;model/{name}/Read"),
    "slashes": ("as scopes of TensorFlow make them", lambda name: f"model/cond/{name}/BiasAdd"),
    "dots": ("as PyTorch's, with dots", lambda name: f"module.0.{name}.weight"),
    "dashes": ("with dashes", lambda name: f"model-{name}-1"),
    "spaces": ("with spaces and parentheses", lambda name: f" {name} (cm) "),
    "signs": ("with signs before them, as compilers' have", lambda name: f"%{name}$#@^~"),
    "format": ("with what formats text or marks it up", lambda name: f"<{name}>&amp; %s {{}} $HOME"),
    "other-letters": ("with letters and signs of two, three and four bytes", lambda name: f"é{name}\u540d\U0001f600"),
    "digits-first": ("that begin with a digit", lambda name: f"12{name}"),
    "words": ("that are words of the schema or of programming languages", lambda name: WORDS[name]),
    "three-hundred-letters": ("of three hundred letters", lambda name: "long_" * 60 + name),
}
WORDS = {
    "main": "IF",
    "adds": "else",
    "negates": "for",
    "c": "while",
    "x": "if",
    "y": "return",
    "a": "null",
    "k": "true",
    "sum": "body",
    "b": "cond",
    "minus": "subgraph",
    "key": "tensor",
    "in_c": "signature",
    "in_x": "int32",
    "out_y": "float32",
}
X = floats(1, -2)
EVERYTHING = """
    signature "[key]" ("[in_c]"=c, "[in_x]"=x) -> ("[out_y]"=y)
    subgraph main (c: bool[] {name="[c]"}, x: float32[2] {name="[x]"}) -> (y) {name="[main]"}
      y: float32[2] {name="[y]"} = IF(c, x) then=adds else=negates
    subgraph adds (a: float32[2] {name="[a]"}) -> (sum) {name="[adds]"}
      k: float32[2] {name="[k]"} = [10, 20]
      sum: float32[2] {name="[sum]"} = ADD(a, k)
    subgraph negates (b: float32[2] {name="[b]"}) -> (minus) {name="[negates]"}
      minus: float32[2] {name="[minus]"} = NEG(b)
"""


def listed(form: str, names: Sequence[str], by: str = ", ") -> str:
    """The form for each name: # is its number, @ the name itself."""
    return by.join(form.replace("#", str(i)).replace("@", name) for i, name in enumerate(names))


def of_inputs(names: Sequence[str]) -> TfliteModel:
    """The primary's inputs, which both subgraphs return one after another, have the names."""
    of = listed("t#", names)
    inputs = listed('t#: int32[1] {name="@"}', names)
    return tflite(f"""
        subgraph main (c: bool[], {inputs}) -> (y)
          y: int32[{len(names)}] = IF(c, {of}) then=joins else=opposes
        subgraph joins ({listed("t#: int32[1]", names)}) -> (y)
          y: int32[{len(names)}] = CONCATENATION({of}) axis=0
        subgraph opposes ({listed("t#: int32[1]", names)}) -> (y)
          j: int32[{len(names)}] = CONCATENATION({of}) axis=0
          y: int32[{len(names)}] = NEG(j)
    """)


def of_inner_tensors(names: Sequence[str]) -> TfliteModel:
    """The inputs of both subgraphs have the names."""
    of = listed("t#", names)
    inputs = listed('t#: int32[1] {name="@"}', names)
    return tflite(f"""
        subgraph main (c: bool[], {listed("t#: int32[1]", names)}) -> (y)
          y: int32[{len(names)}] = IF(c, {of}) then=joins else=opposes
        subgraph joins ({inputs}) -> (y)
          y: int32[{len(names)}] = CONCATENATION({of}) axis=0
        subgraph opposes ({inputs}) -> (y)
          j: int32[{len(names)}] = CONCATENATION({of}) axis=0
          y: int32[{len(names)}] = NEG(j)
    """)


def of_outputs(names: Sequence[str]) -> TfliteModel:
    """The If's results, which are the primary's outputs, have the names; so have the subgraphs' own."""
    of = listed("t#", names)
    outputs = listed('t#: int32[1] {name="@"}', names)
    then_nodes = listed('k#: int32[1] = [#]\nt#: int32[1] {name="@"} = ADD(x, k#)', names, "\n")
    else_nodes = listed('k#: int32[1] = [#]\nt#: int32[1] {name="@"} = SUB(x, k#)', names, "\n")
    return tflite(f"""
        subgraph main (c: bool[], x: int32[1]) -> ({of})
          {outputs} = IF(c, x) then=adds else=subtracts
        subgraph adds (x: int32[1]) -> ({of})
          {then_nodes}
        subgraph subtracts (x: int32[1]) -> ({of})
          {else_nodes}
    """)


def of_constants(names: Sequence[str]) -> TfliteModel:
    """The constants of each subgraph have the names."""
    held = listed('t#: int32[1] {name="@"} = [#]', names, "\n")
    of = listed("t#", names)
    return tflite(f"""
        subgraph main (c: bool[], x: int32[1]) -> (y)
          y: int32[{len(names)}] = IF(c, x) then=adds else=subtracts
        subgraph adds (x: int32[1]) -> (y)
          {held}
          j: int32[{len(names)}] = CONCATENATION({of}) axis=0
          y: int32[{len(names)}] = ADD(x, j)
        subgraph subtracts (x: int32[1]) -> (y)
          {held}
          j: int32[{len(names)}] = CONCATENATION({of}) axis=0
          y: int32[{len(names)}] = SUB(x, j)
    """)


def of_subgraphs(names: Sequence[str]) -> TfliteModel:
    """Then's subgraphs of several Ifs have the names."""
    ifs = listed("y#: int32[1] = IF(c, x) then=adds# else=negates", names, "\n")
    bodies = listed(
        'subgraph adds# (x: int32[1]) -> (y) {name="@"}\nk: int32[1] = [#]\ny: int32[1] = ADD(x, k)', names, "\n"
    )
    return tflite(f"""
        subgraph main (c: bool[], x: int32[1]) -> (y)
          {ifs}
          y: int32[{len(names)}] = CONCATENATION({listed("y#", names)}) axis=0
        {bodies}
        subgraph negates (x: int32[1]) -> (y)
          y: int32[1] = NEG(x)
    """)


def of_signature(names: Sequence[str]) -> TfliteModel:
    """The signature gives the primary's inputs the names, in the opposite order."""
    entries = ", ".join(f'"{name}"=t{i}' for i, name in reversed(list(enumerate(names))))
    plain = of_inputs([f"t{i}" for i in range(len(names))])
    return plain.edited(lambda text: f'signature "{names[0]}" ({entries}, c=c) -> ("{names[0]}"=y)\n{text}')


def vectors() -> Iterator[Vector]:
    for kind, (what, names) in KINDS.items():
        numbers = np.arange(len(names), dtype=np.int32)
        plain = [f"t{i}" for i in range(len(names))]
        for case, where, built, called in (
            ("inputs", "the primary's inputs have", of_inputs, names),
            ("inner-tensors", "the inputs of then's and else's subgraph have", of_inner_tensors, plain),
            ("signature-entries", "the entries of the signature have", of_signature, plain),
        ):
            fed = {name: ints(i) for i, name in enumerate(called)}
            yield primary_order(
                f"{case}-that-{kind}: {where} names {what}",
                built(names),
                [Run({"c": np.True_} | fed, {"y": numbers}), Run({"c": np.False_} | fed, {"y": -numbers})],
            )
        yield from _from_x(kind, what, names)
    for case, (what, form) in FORMS.items():
        text = EVERYTHING
        for name in WORDS:
            text = text.replace(f"[{name}]", form(name))
        c, x, y = form("c"), form("x"), form("y")
        yield primary_order(
            f"names-with-{case}: every tensor, subgraph, and entry of the signature has a name {what}",
            tflite(text),
            branches({x: X}, then={y: X + floats(10, 20)}, else_={y: -X}, cond=c),
        )


def _from_x(kind: str, what: str, names: Sequence[str]) -> Iterator[Vector]:
    x = ints(100)
    sums = x + np.arange(len(names), dtype=np.int32)
    less = x - np.arange(len(names), dtype=np.int32)
    yield primary_order(
        f"outputs-that-{kind}: the primary's outputs, and those of then's and else's subgraph, have names {what}",
        of_outputs(names),
        [
            Run({"c": cond, "x": x}, {name: values[i : i + 1] for i, name in enumerate(names)})
            for cond, values in ((np.True_, sums), (np.False_, less))
        ],
    )
    yield primary_order(
        f"constants-that-{kind}: the constants of then's and else's subgraph have names {what}",
        of_constants(names),
        branches({"x": x}, then={"y": sums}, else_={"y": less}, cond="c"),
    )
    yield primary_order(
        f"subgraphs-that-{kind}: then's subgraphs of several Ifs have names {what}",
        of_subgraphs(names),
        branches({"x": x}, then={"y": sums}, else_={"y": np.repeat(-x, len(names))}, cond="c"),
    )
