"""The same model written in other ways: lists that are omitted, other forms of shapes and buffers."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, says, strings, vectors_of
from ifcert.authoring.tflite import TfliteEdit, as_circle, replaced, tflite
from ifcert.authoring.tflite_patterns import ADDS_OR_NEGATES, RUNS
from ifcert.authoring.tflite_places import offset, root

PRIMARY = "tflite/subgraph/primary-order/"

buffer_fits_shape = vectors_of(
    "tflite/file/buffer-fits-shape",
    "strings-count",
    "strings-offsets",
    "strings-length",
    "strings-content",
    "reader-strings",
)

K = "k: float32[2] = [10, 20]"


def _everywhere(old: str, new: str) -> TfliteEdit:
    return lambda text: text.replace(old, new)


def shapes() -> Iterator[Vector]:
    """The values of shape, shape_signature and has_rank for [2], and for a dim that is not known."""
    plain = Vector(
        "tflite/file/declared-type-agrees/plain", "shapes without a signature", ["schema-shape"], ADDS_OR_NEGATES, RUNS
    )
    known = "each tensor of [2] also has a signature, which is [2]"
    yield plain.varied(
        f"signature-of-known-dims: {known}",
        _everywhere("float32[2]", "float32[2] {signature=[2]}"),
        why=["schema-unknown-dims"],
    )
    for case, (new, doubt) in {
        "signature-empty: each tensor of [2] has a signature without entries": (
            "float32[2] {signature=[]}",
            "the schema does not say what a signature without an entry for a dim means",
        ),
        "signature-of-another-rank: each tensor of [2] has the signature [-1, -1]": (
            "float32[2] {signature=[-1,-1]}",
            "the schema does not say what a signature with more entries than dims means",
        ),
        "rank-not-written: no tensor of [2] has has_rank set, as in files older than that field": (
            "float32[2] {without=[has_rank]}",
            "the schema's comment on has_rank has no shape beside a false; older files do",
        ),
        "unknown-dim-in-the-shape: each shape is [-1], and there is no signature": (
            "float32[2] {shape=[-1]}",
            "the schema has -1 in shape_signature and does not mention one in shape",
        ),
    }.items():
        within = [replaced(f"{each}: float32[2]", f"{each}: {new}") for each in ("x", "y", "a", "sum", "b", "minus")]
        yield plain.varied(case, *within, why=["schema-shape", "schema-unknown-dims"], doubt=doubt)
    unknown = buffer_fits_shape(
        "input-of-any-length: the inputs' length is not known",
        tflite("""
            subgraph main (c: bool[], x: float32[?]) -> (y)
              y: float32[?] = IF(c, x) then=doubles else=negates
            subgraph doubles (a: float32[?]) -> (sum)
              sum: float32[?] = ADD(a, a)
            subgraph negates (b: float32[?]) -> (minus)
              minus: float32[?] = NEG(b)
        """),
        branches({"x": floats(3)}, then={"y": floats(6)}, else_={"y": floats(-3)}, cond="c"),
        why=["schema-unknown-dims"],
    )
    for case, old in [
        ("signature-of-an-input-negative: the signature of the primary's input is [-2]", "x: float32[?]"),
        ("signature-inside-negative: the signature of else's input is [-2]", "b: float32[?]"),
    ]:
        yield unknown.broken(case, replaced(old, f"{old} {{signature=[-2]}}"))
    matrix = unknown.varied(
        "input-of-any-width: the inputs have two rows of a length that is not known",
        lambda text: text.replace("[?]", "[2,?]"),
        runs=branches({"x": floats([3], [4])}, then={"y": floats([6], [8])}, else_={"y": floats([-3], [-4])}, cond="c"),
    )
    yield matrix.broken(
        "signature-second-dim-negative: the signature of a sum is [2, -2]",
        replaced("sum: float32[2,?]", "sum: float32[2,?] {signature=[2,-2]}"),
        why=["schema-unknown-dims", "reader-dims"],
    )
    for case, dim in [("shape-of-a-result-negative", -3), ("shape-of-a-result-minus-two", -2)]:
        yield unknown.broken(
            f"{case}: the shape of a sum is [{dim}]",
            replaced("sum: float32[?]", f"sum: float32[?] {{shape=[{dim}]}}"),
            why=["schema-shape"],
        )


def contents() -> Iterator[Vector]:
    """Buffers without bytes, without a list, with an invalid offset."""
    none = buffer_fits_shape(
        "constant-without-elements: a constant of no elements, whose buffer has no bytes, is appended to x",
        tflite("""
            subgraph main (c: bool[], x: float32[2]) -> (y)
              y: float32[2] = IF(c, x) then=joins else=negates
            subgraph joins (a: float32[2]) -> (j)
              k: float32[0] = []
              j: float32[2] = CONCATENATION(a, k) axis=0
            subgraph negates (b: float32[2]) -> (minus)
              minus: float32[2] = NEG(b)
        """),
        branches({"x": floats(1, -2)}, then={"y": floats(1, -2)}, else_={"y": floats(-1, 2)}, cond="c"),
        why=["schema-row-major"],
        about=["empty-constants"],
    )
    yield none
    for case, new in [
        ("constant-without-content: the same, and its buffer has no list of bytes", "k: float32[0] {buffer=new}"),
        ("constant-without-buffer: the same, and its buffer is 0", "k: float32[0]"),
    ]:
        yield none.varied(
            case,
            replaced("k: float32[0] = []", new),
            doubt="no bytes are all that such a constant has; the schema does not say whether it is still a constant",
        )
    yield Vector(
        "tflite/file/buffer-in-file/offset-of-one",
        "the content is in the table, and the offset is 1",
        ["schema-buffer-offset"],
        ADDS_OR_NEGATES.edited(replaced(K, "k: float32[2] {offset=1 size=8} = [10, 20]")),
        RUNS,
    )
    yield Vector(
        "tflite/file/buffer-index/no-list",
        "there is no constant and no list of buffers, and each tensor has buffer 0",
        ["schema-sentinel"],
        ADDS_OR_NEGATES.edited(
            replaced(f"  {K}\n", ""),
            replaced("ADD(a, k)", "ADD(a, a)"),
            lambda text: f"model tflite without=[buffers]\n{text}",
        ),
        [Run(run.inputs, {"y": run.inputs["x"] * np.float32(2 if run.inputs["c"] else -1)}) for run in RUNS],
        doubt="the list has at least an empty buffer, according to the schema; only the number 0 refers to it",
    )


def texts() -> Iterator[Vector]:
    """Content of strings: no strings, and offsets that the bytes do not follow at once."""
    x = strings([2], [b"d", b""])

    def of(case: str, title: str, content: str, first: bytes, second: bytes, doubt: str = "") -> Vector:
        return buffer_fits_shape(
            f"{case}: {title}",
            tflite(f"""
                subgraph main (c: bool[], x: string[2]) -> (y)
                  k: string[2] {content}
                  y: string[2] = IF(c, k, x) then=first else=second
                subgraph first (p: string[2], q: string[2]) -> (p)
                subgraph second (p: string[2], q: string[2]) -> (q)
            """),
            branches({"x": x}, then={"y": strings([2], [first, second])}, else_={"y": x}, cond="c"),
            doubt=doubt,
        )

    yield of(
        "strings-behind-the-table", "the content is after the file's table", '{outside} = ["a", "bc"]', b"a", b"bc"
    )
    yield of(
        "strings-after-a-gap",
        "there are two bytes between the offsets and the first string",
        "= bytes 02 00 00 00 12 00 00 00 13 00 00 00 15 00 00 00 78 79 61 62 63",
        b"a",
        b"bc",
        doubt=(
            "the description does not say that the first string follows the offsets at once; the verifier requires it"
        ),
    )
    yield of("strings-empty-first", "the first string is empty, the second is not", '= ["", "bc"]', b"", b"bc")
    yield of(
        "strings-begin-in-the-offsets",
        "the first string begins at the last offset, whose four bytes are its first",
        "= bytes 02 00 00 00 0c 00 00 00 11 00 00 00 13 00 00 00 61 62 63",
        b"\x13\0\0\0a",
        b"bc",
        doubt="the bytes come after the offsets; no text says what an offset before them means",
    )
    yield of(
        "strings-before-more-bytes",
        "there are two bytes after the last string",
        "= bytes 02 00 00 00 10 00 00 00 11 00 00 00 13 00 00 00 61 62 63 78 79",
        b"a",
        b"bc",
        doubt="no text says whether the content ends at the last offset",
    )
    none = strings([0], [])
    yield buffer_fits_shape(
        "strings-none: a constant of no strings, as its content declares",
        tflite("""
            subgraph main (c: bool[], x: string[?]) -> (y)
              y: string[?] = IF(c, x) then=first else=second
            subgraph first (p: string[?]) -> (k)
              k: string[0] = []
            subgraph second (p: string[?]) -> (p)
        """),
        branches({"x": x}, then={"y": none}, else_={"y": x}, cond="c"),
        about=["empty-constants"],
    )


def codes_and_parameters() -> Iterator[Vector]:
    """An operator's code in the new field alone, in Circle; quantization parameters that are present and empty."""
    neg = "minus: float32[2] = NEG(b)"
    yield Vector(
        "tflite/file/operator-is-known/new-field-in-circle",
        "in a Circle file the old field declares that it cannot hold the code, and the new one has it",
        ["schema-old-code"],
        ADDS_OR_NEGATES.edited(replaced(neg, f"{neg} deprecated_code=127"), as_circle),
        RUNS,
        doubt="below 127 the old field counts, according to its comment; here it is 127",
    )
    yield Vector(
        "tflite/file/known-types/quantization-empty",
        "each tensor of float32 has quantization parameters without a scale, as converters write them",
        ["schema-quantization-optional"],
        ADDS_OR_NEGATES.edited(_everywhere("float32[2]", "float32[2] {scale=[]}")),
        RUNS,
    )


def names_and_lists() -> Iterator[Vector]:
    """Names that differ in case alone, omitted lists that would be empty, metadata."""
    yield Vector(
        PRIMARY + "names-differ-in-case",
        "the tensors are called x and X, y and Y, the subgraphs pass and PASS",
        ["schema-subgraph-name"],
        tflite("""
            subgraph main (c: bool[], x: float32[2], X: float32[2]) -> (y, Y)
              y: float32[2], Y: float32[2] = IF(c, x, X) then=pass else=PASS
            subgraph pass (p: float32[2], P: float32[2]) -> (p, n)
              n: float32[2] = NEG(P)
            subgraph PASS (p: float32[2], P: float32[2]) -> (N, P)
              N: float32[2] = NEG(p)
        """),
        branches(
            {"x": floats(1, 2), "X": floats(30, 40)},
            then={"y": floats(1, 2) * 1, "Y": floats(30, 40) * -1},
            else_={"y": floats(1, 2) * -1, "Y": floats(30, 40) * 1},
            cond="c",
        ),
    )
    yield _shared_name()
    constants = tflite("""
        subgraph main (c: bool[]) -> (y)
          y: float32[2] = IF(c) then=one else=other
        subgraph one () -> (sum)
          k: float32[2] = [1, 2]
          sum: float32[2] = ADD(k, k)
        subgraph other () -> (minus)
          k: float32[2] = [3, 4]
          minus: float32[2] = NEG(k)
    """)
    runs = branches({}, then={"y": floats(2, 4)}, else_={"y": floats(-3, -4)}, cond="c")
    yield Vector(
        PRIMARY + "no-list-of-inputs",
        "subgraphs without inputs have no list of inputs",
        [says("schema-inputs", "schema-inputs-not-static")],
        constants.edited(
            replaced("one () -> (sum)", "one () -> (sum) {without=[inputs]}"),
            replaced("other () -> (minus)", "other () -> (minus) {without=[inputs]}"),
        ),
        runs,
    )
    yield Vector(
        PRIMARY + "metadata",
        "the model has an entry of metadata with a buffer, as converters write it",
        ["schema-metadata", "schema-main-model"],
        ADDS_OR_NEGATES.edited(lambda text: f'model tflite metadata="min_runtime_version"\n{text}'),
        RUNS,
    )


def _shared_name() -> Vector:
    """The offsets of all names in the subgraphs lead to one string, as a writer that shares strings stores them."""
    subgraphs, tensors, name = 2, 0, 3  # the slots of these fields
    longest = "n" * 1000
    model = ADDS_OR_NEGATES.edited(replaced("a: float32[2]", f'a: float32[2] {{name="{longest}"}}'))

    def shared(data: bytes) -> bytes:
        places = root(data).table(subgraphs)
        of = [places.item(1).table(tensors).item(index) for index in range(3)]
        of += [places.item(2).table(tensors).item(index) for index in range(2)]
        at = of[0].table(name).at
        whole = bytearray(data)
        for tensor in of:
            field = tensor.field(name).at
            whole[field : field + 4] = offset(at - field)
        return bytes(whole)

    return Vector(
        PRIMARY + "one-string-for-five-names",
        "the five tensors of the subgraphs have one name of a thousand letters, which the file stores once",
        ["schema-name", "schema-subgraph-name"],
        shared(model.files()["model.tflite"]),
        RUNS,
        described_by=model,
    )
