"""Contents of buffers: where they are stored, and that they are as long as the tensor requires."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, ints, issue, strings, vectors_of
from ifcert.authoring.tflite import TfliteModel, replaced, tflite
from ifcert.authoring.tflite_patterns import ADDS_OR_NEGATES, RUNS

SURPLUS = (
    "no text says whether content beyond what the shape takes is legal: the verifier refuses it, a reader may skip it"
)
UNKNOWN_DIM = "the schema has a field for unknown dims, and no text says what -1 in a constant's shape means"

COPIED = issue(
    "tensorflow/tensorflow",
    126600,
    "kernels copied as many bytes as a constant's buffer has into a result of its shape",
)

buffer_fits_shape = vectors_of(
    "tflite/file/buffer-fits-shape",
    "strings-protocol",
    "strings-count",
    "strings-offsets",
    "strings-length",
    "strings-content",
)

K = "k: float32[2] = [10, 20]"
BEHIND = "k: float32[2] {outside} = [10, 20]"


def places() -> Iterator[Vector]:
    """Content after the table, located by offset and size."""
    model = ADDS_OR_NEGATES.edited(replaced(K, BEHIND))
    behind = Vector(
        "tflite/file/buffer-in-file/behind-the-table",
        "the constant's content is after the table",
        ["schema-buffers-outside", "schema-version-3c"],
        model,
        RUNS,
    )
    yield behind.varied(
        "two-behind-the-table: two constants' contents are after the table, and a third's inside it",
        replaced(
            "minus: float32[2] = NEG(b)",
            "l: float32[2] {outside} = [1, 2]\n  z: float32[2] = [1, 2]\n"
            "  s: float32[2] = ADD(b, l)\n  r: float32[2] = SUB(s, z)\n  minus: float32[2] = NEG(r)",
        ),
    )
    # Two numbers take as many bytes as two others, but the content at the location is not there.
    end = len(model.edited(replaced(BEHIND, "k: float32[2] {offset=64 size=8}")).files()["model.tflite"])
    for case, offset, size in [
        ("offset-behind-the-end: the content begins a million bytes past the end", end + 10**6, 8),
        ("offset-at-the-end: the content begins where the file ends", end, 8),
        ("ends-behind-the-end: the content's last four bytes are past the end", end - 4, 8),
        ("size-far-too-large: the content has 2^40 bytes", 64, 2**40),
        ("offset-and-size-wrap: offset and size add up to 2^64, which wraps to 0", 2**64 - 8, 8),
        ("offset-greatest: the offset is 2^64 - 1", 2**64 - 1, 8),
    ]:
        yield behind.broken(
            case,
            replaced(BEHIND, f"k: float32[2] {{offset={offset} size={size}}}"),
            why=["schema-buffer-offset", "schema-buffers-outside"],
        )


def _constant(declared: str) -> TfliteModel:
    """Twice x where c is true, else -x; no operator reads the constant."""
    return tflite(f"""
        subgraph main (c: bool[], x: float32[]) -> (y)
          y: float32[] = IF(c, x) then=sums else=negates
        subgraph sums (a: float32[]) -> (sum)
          {declared}
          sum: float32[] = ADD(a, a)
        subgraph negates (b: float32[]) -> (minus)
          minus: float32[] = NEG(b)
    """)


OF_THREE = branches({"x": np.float32(3)}, then={"y": np.float32(6)}, else_={"y": np.float32(-3)}, cond="c")


def lengths() -> Iterator[Vector]:
    """Content of an unused constant: only its length can be wrong."""
    two = "k: float32[2] = bytes 00 00 80 3f 00 00 00 40"
    fits = buffer_fits_shape(
        "fits: two elements of four bytes, and eight bytes",
        _constant(two),
        OF_THREE,
        why=["schema-row-major", "reader-content-length"],
    )
    matrix = "k: float32[1,2] = bytes 00 00 80 3f 00 00 00 40"
    yield fits.varied("row: the same content as a matrix of one row", replaced(two, matrix))
    yield buffer_fits_shape(
        "no-elements: x has the shape [0, 3]: then returns it, else its negative",
        tflite("""
            subgraph main (c: bool[], x: float32[0,3]) -> (y)
              y: float32[0,3] = IF(c, x) then=same else=negates
            subgraph same (a: float32[0,3]) -> (a)
            subgraph negates (b: float32[0,3]) -> (minus)
              minus: float32[0,3] = NEG(b)
        """),
        branches(
            {"x": np.zeros((0, 3), np.float32)},
            then={"y": np.zeros((0, 3), np.float32)},
            else_={"y": np.zeros((0, 3), np.float32)},
            cond="c",
        ),
        why=["schema-row-major"],
    )
    for case, (declared, why) in {
        "too-short: seven bytes for two elements of four": (
            "k: float32[2] = bytes 00 00 80 3f 00 00 00",
            "verifier-length",
        ),
        "one-element-missing: four bytes for two elements of four": (
            "k: float32[2] = bytes 00 00 80 3f",
            "verifier-length",
        ),
        "one-byte: one byte for two elements of four": ("k: float32[2] = bytes 00", "verifier-length"),
        "shape-asks-for-more: the shape is [3]": (two.replace("[2]", "[3]"), "verifier-length"),
        "type-asks-for-more: the type is int64": (two.replace("float32", "int64"), "verifier-length"),
        "dim-negative: the shape is [-2]": (two.replace("[2]", "[2] {shape=[-2]}"), "verifier-dims"),
        "dims-negative: the shape is [-1, -2], whose product is 2": (
            two.replace("[2]", "[1,2] {shape=[-1,-2]}"),
            "verifier-dims",
        ),
        "dim-least: the shape is [-2147483648]": (two.replace("[2]", "[2] {shape=[-2147483648]}"), "verifier-dims"),
        "wraps-32-bits: the shape [1073741826] takes 2^32 + 8 bytes, which wraps to 8": (
            two.replace("[2]", "[2] {shape=[1073741826]}"),
            "verifier-dims",
        ),
        "wraps-64-bits: the shape [484486610, 49477, 384773] takes 2^65 + 8 bytes, which wraps to 8": (
            two.replace("[2]", "[2] {shape=[484486610,49477,384773]}"),
            "verifier-dims",
        ),
        "many-dims: the shape has a hundred dims of 2147483647": (
            two.replace("[2]", f"[2] {{shape=[{','.join(['2147483647'] * 100)}]}}"),
            "verifier-dims",
        ),
    }.items():
        yield fits.broken(case, replaced(two, declared), why=["schema-row-major", why, "reader-content-length"])
    for case, declared in [
        ("too-long: nine bytes for two elements of four", f"{two} 00"),
        ("one-element-more: twelve bytes for two elements of four", f"{two} 00 00 00 00"),
        ("shape-asks-for-less: the shape is []", two.replace("[2]", "[]")),
        ("type-asks-for-less: the type is bool", two.replace("float32", "bool")),
    ]:
        yield fits.varied(case, replaced(two, declared), why=["schema-row-major", "verifier-length"], doubt=SURPLUS)
    column = fits.varied(
        "column: the same content as a matrix of one column", replaced(two, two.replace("[2]", "[2,1]"))
    )
    yield column
    for known, case, edit in [
        (fits, "dim-unknown: the shape is [-1]", replaced("k: float32[2]", "k: float32[2] {shape=[-1]}")),
        (column, "second-dim-unknown: the shape is [2, -1]", replaced("[2,1]", "[2,1] {shape=[2,-1]}")),
    ]:
        yield known.varied(case, edit, why=["schema-row-major", "reader-dims"], doubt=UNKNOWN_DIM)


def surplus_where_copied() -> Iterator[Vector]:
    """Content of 64 elements for a constant of two, which is copied to a tensor that has memory for two."""
    content = np.arange(3, 67, dtype="<i4").tobytes().hex(" ")
    k = f"k: int32[2] = bytes {content}"
    held, x = ints(3, 4), ints(1, -2)
    chosen = branches({"x": x}, then={"y": held}, else_={"y": x}, cond="c")
    for case, model, runs in [
        (
            "surplus-is-returned: then returns a constant of two elements, whose buffer has 64",
            f"""
            subgraph main (c: bool[], x: int32[2]) -> (y)
              y: int32[2] = IF(c, x) then=constant else=same
            subgraph constant (p: int32[2]) -> (k)
              {k}
            subgraph same (p: int32[2]) -> (p)
            """,
            chosen,
        ),
        (
            "surplus-is-an-operand: a constant of two elements, whose buffer has 64, is an operand of the If",
            f"""
            subgraph main (c: bool[], x: int32[2]) -> (y)
              {k}
              y: int32[2] = IF(c, k, x) then=first else=second
            subgraph first (p: int32[2], q: int32[2]) -> (p)
            subgraph second (p: int32[2], q: int32[2]) -> (q)
            """,
            chosen,
        ),
        (
            "surplus-is-reshaped: then reshapes a constant of two elements, whose buffer has 64",
            f"""
            subgraph main (c: bool[], x: int32[2]) -> (y)
              y: int32[...] = IF(c, x) then=column else=same
            subgraph column (p: int32[2]) -> (r)
              {k}
              to: int32[2] = [2, 1]
              r: int32[2,1] = RESHAPE(k, to)
            subgraph same (p: int32[2]) -> (p)
            """,
            [Run({"c": np.True_, "x": x}, {"y": held.reshape(2, 1)}), chosen[1]],
        ),
        (
            "surplus-is-a-loops-operand: a loop's variable begins with a constant of two elements, whose buffer has 64",
            f"""
            subgraph main (n: int32[]) -> (y)
              {k}
              m: int32[], y: int32[2] = WHILE(n, k) cond=positive body=doubles
            subgraph positive (n: int32[], x: int32[2]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph doubles (n: int32[], x: int32[2]) -> (next, twice)
              one: int32[] = 1
              next: int32[] = SUB(n, one)
              twice: int32[2] = ADD(x, x)
            """,
            [Run({"n": np.int32(n)}, {"y": held * np.int32(2**n)}) for n in (1, 2, 0)],
        ),
    ]:
        yield buffer_fits_shape(
            case, tflite(model), runs, why=["schema-row-major", "verifier-length", COPIED], doubt=SURPLUS
        )


def texts() -> Iterator[Vector]:
    """Content of strings."""
    sound = "k: string[2] = bytes 02 00 00 00 10 00 00 00 11 00 00 00 13 00 00 00 61 62 63"
    model = tflite(f"""
        subgraph main (c: bool[], x: string[2]) -> (y)
          {sound}
          y: string[2] = IF(c, k, x) then=first else=second
        subgraph first (p: string[2], q: string[2]) -> (p)
        subgraph second (p: string[2], q: string[2]) -> (q)
    """)
    x = strings([2], [b"d", b""])
    two = buffer_fits_shape(
        "strings: two strings, a and bc",
        model,
        branches({"x": x}, then={"y": strings([2], [b"a", b"bc"])}, else_={"y": x}, cond="c"),
    )
    for case, (old, new, why) in {
        "strings-count-less: the content has one string, the shape two": ("bytes 02", "bytes 01", "strings-count"),
        "strings-count-greatest: the content declares 2147483647 strings": (
            "bytes 02 00 00 00",
            "bytes ff ff ff 7f",
            "strings-count",
        ),
        "strings-count-negative: the content declares -2 strings": (
            "bytes 02 00 00 00",
            "bytes fe ff ff ff",
            "strings-count",
        ),
        "strings-end-outside: the second string ends past the content": (
            "13 00 00 00",
            "30 00 00 00",
            "strings-length",
        ),
        "strings-end-one-byte-outside: the second string ends one byte past the content": (
            "13 00 00 00",
            "14 00 00 00",
            "strings-length",
        ),
        "strings-begin-outside: the first string begins past the content": (
            "10 00 00 00",
            "99 00 00 00",
            "strings-content",
        ),
        "strings-go-back: the second string ends before it begins": ("13 00 00 00", "10 00 00 00", "strings-content"),
        "strings-cut: the content ends in the middle of the offsets": (" 13 00 00 00 61 62 63", "", "strings-offsets"),
    }.items():
        yield two.broken(
            case, replaced(sound, sound.replace(old, new)), why=[why, "verifier-strings", "reader-strings"]
        )


def unread_texts() -> Iterator[Vector]:
    """Content of a constant of strings that no operator reads: only the content can be wrong."""
    sound = "k: string[2] = bytes 02 00 00 00 10 00 00 00 11 00 00 00 13 00 00 00 61 62 63"
    unread = buffer_fits_shape(
        "strings-unread: a constant of two strings, a and bc, which no operator reads", _constant(sound), OF_THREE
    )
    for case, title, old, new, why in [
        ("count-less", "its content has one string, its shape two", "bytes 02", "bytes 01", "strings-count"),
        ("cut", "its content ends in the middle of the offsets", " 13 00 00 00 61 62 63", "", "strings-offsets"),
        ("end-outside", "its second string ends past the content", "13 00 00 00", "30 00 00 00", "strings-length"),
    ]:
        yield unread.broken(
            f"strings-unread-{case}: no operator reads the constant of strings, and {title}",
            replaced(sound, sound.replace(old, new)),
            why=[why, "verifier-strings", "reader-strings"],
        )
