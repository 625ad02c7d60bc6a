"""Names that are not C identifiers, and names that are not UTF-8."""

from collections.abc import Callable, Iterator

from ifcert.authoring import Vector, branches, edited, floats, model, then_of
from onnx import ModelProto

RULE = "onnx/model/names-are-utf-8/"

X = floats(1, -2)
RUNS = branches({"x": X}, then={"y": floats(3, -6)}, else_={"y": floats(-1, 2)})

# Characters of two, three and four bytes: é, €, 😀.
NAME = b"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"

CHOICE = model("""
    choice (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = tripled () => (float[2] a) { inner = Add (x, x)  a = Add (inner, x) },
            else_branch = negated () => (float[2] b) { b = Neg (x) }>
    }""")
DOUBLED, TRIPLED = then_of(CHOICE).node
DOUBLED.output[0] = TRIPLED.input[0] = NAME.decode()

# A value that nothing declares has no such name; a node or a dim of it has.
PLAIN = model("""
    choice (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = tripled () => (float[m] a) { inner = Add (x, x)  a = Add (inner, x) },
            else_branch = negated () => (float[k] b) { b = Neg (x) }>
    }""")


def instead(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    """The name has other bytes of the same length, wherever it occurs."""
    name = NAME.replace(old, new)
    assert len(name) == len(NAME) and name != NAME
    return lambda data: data.replace(NAME, name)


def node_named(m: ModelProto) -> None:
    then_of(m).node[0].name = NAME.decode()


def dim_named(m: ModelProto) -> None:
    then_of(m).output[0].type.tensor_type.shape.dim[0].dim_param = NAME.decode()


# Case, the fault, the bytes that replace the good name.
FAULTS = [
    ("overlong", "U+0000 in two bytes", b"\xc3\xa9", b"\xc0\x80"),
    ("surrogate", "half of a pair, U+D800", b"\xe2\x82\xac", b"\xed\xa0\x80"),
    ("behind-the-last-character", "U+110000, which is not a code point", b"\xf0\x9f\x98\x80", b"\xf4\x90\x80\x80"),
    ("cut-off", "the first two bytes of three", b"\xe2\x82\xac", b"\xe2\x82x"),
    ("latin-1", "two letters of Latin-1", b"\xc3\xa9", b"\xe9\xe8"),
]


def vectors() -> Iterator[Vector]:
    good = Vector(
        RULE + "other-letters",
        "a value inside of then is called é€😀",
        ["proto2-strings", "ir-names-c90"],
        CHOICE,
        RUNS,
    )
    for case, found, old, new in FAULTS:
        yield good.broken(
            f"{case}: the name of a value inside of then has {found}",
            bytes_edit=instead(old, new),
            why=["proto2-strings"],
        )
    for case, what, named in (
        ("node", "a node inside of then", node_named),
        ("dim-variable", "the dimension variable of then's output", dim_named),
    ):
        other = Vector(
            f"{RULE}{case}-of-other-letters", f"{what} is called é€😀", ["proto2-strings"], edited(PLAIN, named), RUNS
        )
        yield other.broken(
            f"{case}-of-latin-1: the name of {what} has two letters of Latin-1",
            bytes_edit=instead(b"\xc3\xa9", b"\xe9\xe8"),
        )
