"""Operands omitted by the index -1."""

from collections.abc import Iterator

from ifcert.authoring import Vector
from ifcert.authoring.tflite import replaced
from ifcert.authoring.tflite_patterns import A, B, both, choice


def vectors() -> Iterator[Vector]:
    sound = Vector(
        "tflite/subgraph/operand-required/of-if",
        "an If has both its operands",
        ["schema-optional-input", "reader-absent"],
        choice("(s)\n  s: int32[2] = ADD(p, q)", "(s)\n  s: int32[2] = SUB(p, q)", "y"),
        both({"y": A + B}, {"y": A - B}, a=A, b=B),
    )
    for case, operands in [
        ("first-of-if: the If's first operand after cond is omitted", "c, -, b"),
        ("last-of-if: the If's last operand is omitted", "c, a, -"),
        ("both-of-if: the If's operands are omitted, cond is there", "c, -, -"),
    ]:
        yield sound.broken(case, replaced("IF(c, a, b)", f"IF({operands})"))
    unread = sound.varied(
        "last-unread: an If has both its operands, of which its subgraphs read the first alone",
        lambda text: text.replace("ADD(p, q)", "ADD(p, p)").replace("SUB(p, q)", "MUL(p, p)"),
        runs=both({"y": A + A}, {"y": A * A}, a=A, b=B),
    )
    yield unread.broken(
        "last-unread-of-if: the If's last operand, which its subgraphs do not read, is omitted",
        replaced("IF(c, a, b)", "IF(c, a, -)"),
        why=["schema-optional-input", "reader-absent", "onert-passing-in"],
    )
    yield sound.broken("in-then: ADD in then has one operand", replaced("ADD(p, q)", "ADD(p, -)"))
    yield sound.broken("in-else: SUB in else has one operand", replaced("SUB(p, q)", "SUB(-, q)"))
