"""Branches may differ in shape and rank; the declaration must allow for both."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, else_of, floats, issue, model, replaced, says, vectors_of
from ifcert.authoring.models import Edit, declared_as
from onnx import ModelProto, helper, parser

same_shape_in_opset_1 = vectors_of("onnx/if/same-shape-in-opset-1")

declared_shape_compatible = vectors_of(
    "onnx/if/declared-shape-compatible", "if-declared-shape", "if-declared-shape-example"
)
shape_union = vectors_of(
    "onnx/if/shape-union",
    "if-different-shapes",
    issue("onnx/onnx", 4980, "a branch without a known shape was assumed to have rank 0"),
)


def outer(declared: str) -> ModelProto:
    """Then returns [2], else [3]; y is a graph output."""
    return model(f"""
        union (bool cond) => ({declared} y) {{
            y = If (cond) <
                then_branch = then_graph () => (float[2] a) {{ a = Constant <value = float[2] {{1, 2}}> () }},
                else_branch = else_graph () => (float[3] b) {{ b = Constant <value = float[3] {{3, 4, 5}}> () }}>
        }}""")


RANKS = model("""
    ranks (bool cond, float[2] x) => (float[2] z, int64[?] shape) <float[] y> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Neg (x) },
            else_branch = else_graph () => (float[1,2,1] b) <int64[3] to = {1, 2, 1}> { b = Reshape (x, to) }>
        shape = Shape (y)
        flat = Constant <value = int64[1] {-1}> ()
        z = Reshape (y, flat)
    }""")

# Then's shape is known only when it runs; the consumer needs the rank that it has then.
RESHAPED = model("""
    reshaped (bool cond, float[4] x, int64[n] to) => (float[?] z) <float[] y> {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Reshape (x, to) },
            else_branch = else_graph () => (float[4] b) { b = Identity (x) }>
        axis = Constant <value = int64[1] {0}> ()
        z = ReduceSum <keepdims = 0> (y, axis)
    }""")

ONE_UNKNOWN = model("""
    half_known (bool cond, float[n] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Constant <value = float[2] {1, 2}> () },
            else_branch = else_graph () => (b) { b = Neg (x) }>
    }""")

SCALAR_AND_EMPTY = model("""
    extremes (bool cond) => (int64[?] shape) <float[] y> {
        y = If (cond) <
            then_branch = then_graph () => (float a) { a = Constant <value = float {7}> () },
            else_branch = else_graph () => (float[0,5] b) { b = Constant <value = float[0,5] {}> () }>
        shape = Shape (y)
    }""")

UNSQUEEZED = model("""
    unsqueezed (bool cond, float[3] x) => (float[?] z, int64[?] shape) <float[] y> {
        y = If (cond) <
            then_branch = then_graph () => (a) { axis = Constant <value = int64[1] {0}> ()  a = Unsqueeze (x, axis) },
            else_branch = else_graph () => (b) { b = Identity (x) }>
        last = Constant <value = int64[1] {-1}> ()
        sum = ReduceSum <keepdims = 0> (y, last)
        flat = Constant <value = int64[1] {-1}> ()
        z = Reshape (sum, flat)
        shape = Shape (y)
    }""")

# A value of rank 2 can be transposed; one of the rank that else has could not.
TRANSPOSED = model("""
    transposed (bool cond, float[4] x, int64[n] to) => (float[?,?] z) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Reshape (x, to) },
            else_branch = else_graph () => (float[1,4] b) <int64[2] row = {1, 4}> { b = Reshape (x, row) }>
        z = Transpose <perm = [1, 0]> (y)
    }""")

STATIC_AND_DYNAMIC = model("""
    half (bool cond, float[n,m] x) => (float[?,?] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2,2] a) { a = Constant <value = float[2,2] {1, 2, 3, 4}> () },
            else_branch = else_graph () => (float[?,?] b) { b = Add (x, x) }>
    }""")

FED_SHAPES = model("""<opset_import: ["" : 9]>
    fed (bool cond, float[n] x, float[m] z) => (float[?] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Neg (x) },
            else_branch = else_graph () => (b) { b = Neg (z) }>
    }""")

OPSET_1_TYPES = model("""<opset_import: ["" : 9]>
    typed (bool cond, float[2] x) => (int64 n) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Neg (x) },
            else_branch = else_graph () => (b) { b = Cast <to = 1> (x) }>
        n = Size (y)
    }""")

OPSET_1_RULE = model("""<opset_import: ["" : 9]>
    same (bool cond) => (float[?] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Constant <value = float[2] {1, 2}> () },
            else_branch = else_graph () => (float[2] b) { b = Constant <value = float[2] {3, 4}> () }>
    }""")

# Nothing declares y, so only the branches' own shapes can differ.
OPSET_1_SIZED = model("""<opset_import: ["" : 9]>
    sized (bool cond, float[2,3] x) => (int64 n) {
        y = If (cond) <
            then_branch = then_graph () => (float[2,3] a) { a = Neg (x) },
            else_branch = else_graph () => (float[2,3] b) { b = Abs (x) }>
        n = Size (y)
    }""")

OPSET_6_RULE = model("""<opset_import: ["" : 6]>
    same (bool cond) => (float[?] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Constant <value = float[2] {1, 2}> () },
            else_branch = else_graph () => (float[2] b) { b = Constant <value = float[2] {3, 4}> () }>
    }""")

# The function's value_info declares the result of its If.
IN_FUNCTION = model("""<opset_import: ["" : 21, "local" : 1]>
    caller (bool cond) => (int64 n) { n = local.choose (cond) }
    <domain: "local", opset_import: ["" : 21]>
    choose (c) => (n) <float[?] r> {
        r = If (c) <
            then_branch = then_graph () => (float[2] a) { a = Constant <value = float[2] {1, 2}> () },
            else_branch = else_graph () => (float[3] b) { b = Constant <value = float[3] {3, 4, 5}> () }>
        n = Size (r)
    }""")

THREE_RESULTS = model("""
    three (bool cond) => (float[2] y, float[2] z, float[?] w) {
        y, z, w = If (cond) <
            then_branch = then_graph () => (float[2] a, float[2] c, float[2] e) {
                a = Constant <value = float[2] {1, 2}> ()
                c = Constant <value = float[2] {3, 4}> ()
                e = Constant <value = float[2] {5, 6}> ()
            },
            else_branch = else_graph () => (float[2] b, float[2] d, float[3] f) {
                b = Constant <value = float[2] {-1, -2}> ()
                d = Constant <value = float[2] {-3, -4}> ()
                f = Constant <value = float[3] {-5, -6, -7}> ()
            }>
    }""")

EQUAL = model("""
    equal (bool cond) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Constant <value = float[2] {1, 2}> () },
            else_branch = else_graph () => (float[2] b) { b = Constant <value = float[2] {3, 4}> () }>
    }""")

TWO, THREE = floats(1, 2), floats(3, 4, 5)


def else_constant(text: str, shape: str) -> Edit:
    """Else returns another constant."""

    def edit(m: ModelProto) -> None:
        made = parser.parse_graph(f"else_graph () => ({shape} b) {{ b = Constant <value = {text}> () }}")
        else_of(m).CopyFrom(made)

    return edit


def function_declares_two(m: ModelProto) -> None:
    m.functions[0].value_info[0].type.tensor_type.shape.dim[0].dim_value = 2


def else_unsqueezes(m: ModelProto) -> None:
    node = helper.make_node("Unsqueeze", ["x"], ["b"], axes=[0])
    else_of(m).node[0].CopyFrom(node)
    else_of(m).output[0].CopyFrom(helper.make_tensor_value_info("b", 1, [1, 2, 3]))


def _both(name: str) -> list[Run]:
    return branches({}, then={name: TWO}, else_={name: THREE})


def _unions() -> Iterator[Vector]:
    yield shape_union(
        "dim-unset: then returns [2], else [3]; y has one dim, unset",
        outer("float[?]"),
        _both("y"),
        why=["if-different-shapes", "if-declared-shape-example"],
    )
    x = floats(1, -2)
    ranks = [
        issue("sonos/tract", 1062, "needs identical facts of both branches"),
        issue("NVIDIA/TensorRT", 4032, "needs the ranks to agree"),
    ]
    yield shape_union(
        "ranks-differ: then returns rank 1, else rank 3; the nodes after the If see the rank of the branch that ran",
        RANKS,
        branches({"x": x}, then={"z": -x, "shape": np.int64([2])}, else_={"z": x, "shape": np.int64([1, 2, 1])}),
        why=[
            "if-different-shapes",
            "ir-main-graph-ranks",
            *ranks,
            issue(
                "microsoft/onnxruntime",
                23757,
                "a device refused the dynamic rank that results from branches of two ranks",
            ),
        ],
    )
    four = floats(1, 2, 4, 8)
    yield shape_union(
        "shape-known-when-run: then reshapes to a shape that is fed; else returns [4]",
        RESHAPED,
        Run({"cond": np.True_, "x": four, "to": np.int64([2, 2])}, {"z": floats(5, 10)}),
        Run({"cond": np.True_, "x": four, "to": np.int64([4, 1])}, {"z": floats(15)}),
        Run({"cond": np.True_, "x": four, "to": np.int64([1, -1])}, {"z": four}),
    )
    yield shape_union(
        "scalar-and-empty: then returns shape [], else [0, 5]",
        SCALAR_AND_EMPTY,
        branches({}, then={"shape": np.zeros(0, np.int64)}, else_={"shape": np.int64([0, 5])}),
        why=["if-different-shapes"],
        about=["empty-constants"],
    )

    three = floats(1, 2, 4)
    yield shape_union(
        "unsqueezed-or-not: then adds a leading dim, else does not; a sum over the last axis accepts either",
        UNSQUEEZED,
        branches(
            {"x": three},
            then={"z": floats(7), "shape": np.int64([1, 3])},
            else_={"z": floats(7), "shape": np.int64([3])},
        ),
        why=[
            "if-different-shapes",
            issue("openvinotoolkit/openvino", 33027, "the rank of everything after it became dynamic, and was refused"),
            issue("snakers4/silero-vad", 728, "ahead-of-time compilers failed on such branches"),
            issue("ROCm/AMDMIGraphX", 709, "needs equal shapes of both branches"),
        ],
    )
    yield shape_union(
        "rank-known-when-run: then reshapes to a shape that is fed, of rank 2; the next node requires rank 2",
        TRANSPOSED,
        branches(
            {"x": four, "to": np.int64([2, 2])}, then={"z": floats([1, 4], [2, 8])}, else_={"z": four.reshape(4, 1)}
        ),
    )
    yield shape_union(
        "static-and-dynamic: then's shape is known before any run, else's only in it",
        STATIC_AND_DYNAMIC,
        Run({"cond": np.True_, "x": floats([5])}, {"y": floats([1, 2], [3, 4])}),
        Run({"cond": np.False_, "x": floats([5])}, {"y": floats([10])}),
        Run({"cond": np.False_, "x": floats([5, 6, 7])}, {"y": floats([10, 12, 14])}),
        why=["if-different-shapes", issue("onnx/onnx-mlir", 2650, "the types of the two branches were not merged")],
    )


def _special_declarations() -> Iterator[Vector]:
    equal = declared_shape_compatible(
        "equal-shapes: both branches return [2], and y is declared [2]",
        EQUAL,
        branches({}, then={"y": TWO}, else_={"y": floats(3, 4)}),
        why=["if-declared-shape"],
    )
    yield equal.broken(
        "else-longer-than-declared: y is declared [2], and else returns [3]",
        else_constant("float[3] {3, 4, 5}", "float[3]"),
        why=["if-declared-shape", "if-declared-shape-counterexample"],
    )
    yield equal.broken(
        "graph-output-huge: "
        "the graph output is declared with a dim of 2^62 where both branches return [2]: no such memory is needed",
        declared_as(f"float[{2**62}]"),
    )
    called = declared_shape_compatible(
        "in-function-dim-unset: "
        "a function declares the result of its If with its dim unset where then returns [2] and else [3]",
        IN_FUNCTION,
        branches({}, then={"n": np.int64(2)}, else_={"n": np.int64(3)}),
        also=["onnx/if/in-function"],
    )
    yield called.broken(
        "in-function-of-then: a function declares the result of its If [2] where then returns [2] and else [3]",
        function_declares_two,
        why=["if-declared-shape", "if-declared-shape-counterexample"],
    )
    three = declared_shape_compatible(
        "third-result-dim-unset: "
        "the third of three results is declared with its dim unset where then returns [2] and else [3]",
        THREE_RESULTS,
        branches(
            {},
            then={"y": TWO, "z": floats(3, 4), "w": floats(5, 6)},
            else_={"y": -TWO, "z": floats(-3, -4), "w": floats(-5, -6, -7)},
        ),
    )
    yield three.broken(
        "third-result-of-then: the third of three results is declared [2] where then returns [2] and else [3]",
        declared_as("float[2]", "w"),
        why=["if-declared-shape", "if-declared-shape-counterexample"],
    )
    yield declared_shape_compatible(
        "one-branch-unknown-and-longer: y is declared [2], and else, whose shape is known only when it runs, gives [3]",
        ONE_UNKNOWN,
        Run({"cond": np.False_, "x": THREE}, {"y": -THREE}),
        why=[says("if-declared-shape", note="else has none"), "if-declared-shape"],
        doubt=(
            "the sentence on declared shapes speaks of static ones; it does not say whether a run must keep to the "
            "declaration"
        ),
    )


def _opset_1() -> Iterator[Vector]:
    sentence = "if-1-same-shape-and-type"
    same = same_shape_in_opset_1(
        "two-and-two: If-1: both branches return [2]",
        OPSET_1_RULE,
        branches({}, then={"y": TWO}, else_={"y": floats(3, 4)}),
        why=[sentence],
    )
    yield same.broken(
        "two-and-three: If-1: then returns [2], else [3]", else_constant("float[3] {3, 4, 5}", "float[3]")
    )
    yield same.broken(
        "rank-one-and-two: If-1: then returns [2], else [1, 2]", else_constant("float[1,2] {3, 4}", "float[1,2]")
    )
    table = floats([1, -2, 3], [-4, 5, -6])
    sized = same_shape_in_opset_1(
        "two-by-three-and-two-by-three: If-1: both branches return [2, 3], and nothing declares the result",
        OPSET_1_SIZED,
        branches({"x": table}, then={"n": np.int64(6)}, else_={"n": np.int64(6)}),
        why=[sentence],
    )
    yield sized.broken(
        "two-by-three-and-three-by-two: "
        "If-1: then returns [2, 3], else as many elements as [3, 2]; nothing declares the result",
        replaced("else_graph () => (float[2,3] b)", "else_graph () => (float[3, 2] b)"),
        replaced("b = Abs (x)", "b = Transpose (x)"),
    )
    yield sized.broken(
        "two-by-three-and-one-by-two-by-three: "
        "If-1: then returns [2, 3], else as many elements as [1, 2, 3]; nothing declares the result",
        else_unsqueezes,
    )
    early = same_shape_in_opset_1(
        "two-and-two-in-opset-six: If-1 in opset 6: both branches return [2]",
        OPSET_6_RULE,
        branches({}, then={"y": TWO}, else_={"y": floats(3, 4)}),
        why=[sentence],
    )
    yield early.broken(
        "two-and-three-in-opset-six: If-1 in opset 6: then returns [2], else [3]",
        else_constant("float[3] {3, 4, 5}", "float[3]"),
    )
    typed = same_shape_in_opset_1(
        "floats: If-1: both branches return float[2]",
        OPSET_1_TYPES,
        branches({"x": TWO}, then={"n": np.int64(2)}, else_={"n": np.int64(2)}),
        why=[sentence],
        also=["onnx/if/same-data-type"],
    )
    yield typed.broken(
        "float-and-int64: If-1: then returns float[2], else int64[2]",
        replaced("b = Cast <to = 1> (x)", "b = Cast <to = 7> (x)"),
    )
    yield same_shape_in_opset_1(
        "shapes-differ-when-run: If-1: the branches' shapes are known only when they run, and differ",
        FED_SHAPES,
        branches({"x": TWO, "z": THREE}, then={"y": -TWO}, else_={"y": -THREE}),
        why=[sentence],
        doubt="the shapes must be the same, but only one branch runs, and the shape of the other is never known",
    )
