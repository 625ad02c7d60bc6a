"""A dimension variable has one value for all the tensors that are declared with it."""

from collections.abc import Callable, Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, replaced, sequence, some, vectors_of
from ifcert.authoring.models import Edit, declared_as, edited, else_of, then_of
from onnx import GraphProto, ModelProto, helper

shared_dims_agree = vectors_of("onnx/model/shared-dims-agree", "ir-dimension-variables")

NOT_PASSED_IN = "the MUST concerns the values passed in; nothing says whether a run must keep to the shape of an output"
TWO_SCOPES = (
    "one sentence lets nested graphs share the variables of the main graph, another confines them to each graph"
)

# No branch looks at both inputs, so only the declarations tie their lengths together.
FED = model("""
    fed (bool cond, float[N] x, float[N] w) => (float[?] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Neg (x) },
            else_branch = else_graph () => (b) { b = Add (w, w) }>
    }""")

# The variable is not the first dim.
FED_ROWS = model("""
    fed (bool cond, float[1,N] x, float[1,N] w) => (float[1,?] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[1,?] a) { a = Neg (x) },
            else_branch = else_graph () => (float[1,?] b) { b = Add (w, w) }>
    }""")

# The variable is the third dim of three.
FED_BLOCKS = model("""
    fed (bool cond, float[1,1,N] x, float[1,1,N] w) => (float[1,1,?] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[1,1,?] a) { a = Neg (x) },
            else_branch = else_graph () => (float[1,1,?] b) { b = Add (w, w) }>
    }""")

SQUARE = model("""
    fed (bool cond, float[N,N] x) => (float[?,?] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[?,?] a) { a = Neg (x) },
            else_branch = else_graph () => (float[?,?] b) { b = Add (x, x) }>
    }""")

FED_LIST = model("""
    fed (bool cond, float[N] x, seq(float[N]) s) => (float[?] y) <int64 second = {1}> {
        item = SequenceAt (s, second)
        y = If (cond) <
            then_branch = then_graph () => (float[?] a) { a = Neg (x) },
            else_branch = else_graph () => (float[?] b) { b = Neg (item) }>
    }""")

FED_OPTIONAL = model("""
    fed (bool cond, float[N] x, optional(float[N]) o) => (float[?] y) {
        item = OptionalGetElement (o)
        y = If (cond) <
            then_branch = then_graph () => (float[?] a) { a = Neg (x) },
            else_branch = else_graph () => (float[?] b) { b = Neg (item) }>
    }""")

GIVEN = model("""
    given (bool cond, float[N] x, float[?] w) => (float[N] y) {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = Neg (x) },
            else_branch = else_graph () => (b) { b = Add (w, w) }>
    }""")

CONSTANTS = model("""
    constants (bool cond) => (float[?] y) <float[N] v, float[M] w> {
        v = Constant <value = float[2] {1, -2}> ()
        w = Constant <value = float[3] {1, 2, -4}> ()
        y = If (cond) <
            then_branch = then_graph () => (float[?] a) { a = Neg (v) },
            else_branch = else_graph () => (float[?] b) { b = Add (w, w) }>
    }""")

# The variable is not the first dim.
CONSTANT_ROWS = model("""
    constants (bool cond) => (float[1,?] y) <float[1,N] v, float[1,M] w> {
        v = Constant <value = float[1,2] {1, -2}> ()
        w = Constant <value = float[1,3] {1, 2, -4}> ()
        y = If (cond) <
            then_branch = then_graph () => (float[1,?] a) { a = Neg (v) },
            else_branch = else_graph () => (float[1,?] b) { b = Add (w, w) }>
    }""")

STORED = model("""
    stored (bool cond) => (float[?] y) <float[2] v = {1, -2}, float[3] w = {1, 2, -4}> {
        y = If (cond) <
            then_branch = then_graph () => (float[?] a) { a = Neg (v) },
            else_branch = else_graph () => (float[?] b) { b = Add (w, w) }>
    }""")

TABLE = model("""
    table (bool cond) => (float[2,3] y) <float[N,M] v> {
        v = Constant <value = float[2,3] {1, -2, 3, -4, 5, -6}> ()
        y = If (cond) <
            then_branch = then_graph () => (float[2,3] a) { a = Neg (v) },
            else_branch = else_graph () => (float[2,3] b) { b = Add (v, v) }>
    }""")

TWO, THREE = floats(1, -2), floats(1, 2, -4)
NONE = floats()
FLOATS = "tensor(float32)"


def lengths(x: np.ndarray, w: np.ndarray) -> list[Run]:
    """Both branches of FED and of GIVEN."""
    return branches({"x": x, "w": w}, then={"y": -x}, else_={"y": w + w})


def named(branch: Callable[[ModelProto], GraphProto], variable: str) -> Edit:
    """The branch declares its output's one dim with this variable."""

    def edit(m: ModelProto) -> None:
        branch(m).output[0].type.tensor_type.shape.dim[0].dim_param = variable

    return edit


def _fed() -> Iterator[Vector]:
    fed = shared_dims_agree(
        "two-inputs: x and w are declared [N] and have the same length; N differs from run to run",
        FED,
        [*lengths(TWO, TWO * 4), *lengths(THREE, THREE * 4)],
        why=["ir-dimension-variables-of-inputs", "ir-dimension-variables"],
    )
    yield fed.refusing(
        "two-inputs-of-two-lengths: x and w are declared [N], but are fed 2 and 3 elements",
        {"cond": np.True_, "x": TWO, "w": THREE},
    )
    yield fed.refusing(
        "two-inputs-one-without-elements: x and w are declared [N], but are fed no elements and 2",
        {"cond": np.True_, "x": NONE, "w": TWO},
    )
    yield fed.refusing(
        "two-inputs-second-without-elements: x and w are declared [N], but are fed 2 elements and none",
        {"cond": np.True_, "x": TWO, "w": NONE},
    )
    yield fed.refusing(
        "two-inputs-second-of-one-element: x and w are declared [N], but are fed 2 elements and 1",
        {"cond": np.True_, "x": TWO, "w": TWO[:1]},
    )
    yield fed.refusing(
        "two-inputs-of-two-ranks: x and w are declared [N], but are fed the shapes [2] and [1, 2]",
        {"cond": np.True_, "x": TWO, "w": TWO.reshape(1, 2)},
    )
    yield fed.refusing(
        "two-inputs-second-is-a-column: x and w are declared [N], but are fed the shapes [2] and [2, 1]",
        {"cond": np.True_, "x": TWO, "w": TWO.reshape(2, 1)},
    )
    row = TWO.reshape(1, 2)
    last = shared_dims_agree(
        "two-inputs-last-dim: x and w are declared [1, N] and have the same length",
        FED_ROWS,
        lengths(row, row * 4)[:1],
        why=["ir-dimension-variables-of-inputs", "ir-dimension-variables"],
    )
    yield last.refusing(
        "two-inputs-last-dim-of-two-lengths: x and w are declared [1, N], but are fed the shapes [1, 2] and [1, 3]",
        {"cond": np.True_, "x": row, "w": THREE.reshape(1, 3)},
    )
    block = TWO.reshape(1, 1, 2)
    third = shared_dims_agree(
        "two-inputs-third-dim: x and w are declared [1, 1, N] and have the same length",
        FED_BLOCKS,
        lengths(block, block * 4)[:1],
        why=["ir-dimension-variables-of-inputs", "ir-dimension-variables"],
    )
    yield third.refusing(
        "two-inputs-third-dim-of-two-lengths: "
        "x and w are declared [1, 1, N], but are fed the shapes [1, 1, 2] and [1, 1, 3]",
        {"cond": np.True_, "x": block, "w": THREE.reshape(1, 1, 3)},
    )
    listed = shared_dims_agree(
        "tensor-and-sequence: the tensors of a sequence and another input are declared [N] and have the same length",
        FED_LIST,
        Run({"cond": np.True_, "x": TWO, "s": sequence(FLOATS, [TWO, 2 * TWO])}, {"y": -TWO}),
        Run({"cond": np.False_, "x": THREE, "s": sequence(FLOATS, [THREE, 2 * THREE])}, {"y": -2 * THREE}),
    )
    yield listed
    opted = shared_dims_agree(
        "tensor-and-optional: an optional and another input are declared [N] and have the same length",
        FED_OPTIONAL,
        Run({"cond": np.True_, "x": TWO, "o": some(2 * TWO)}, {"y": -TWO}),
        Run({"cond": np.False_, "x": THREE, "o": some(2 * THREE)}, {"y": -2 * THREE}),
    )
    yield opted.refusing(
        "tensor-and-optional-of-two-lengths: "
        "an optional and another input are declared [N], but have the lengths 3 and 2",
        {"cond": np.True_, "x": TWO, "o": some(THREE)},
    )
    matrix = floats([1, 2], [3, 4])
    square = shared_dims_agree(
        "one-input: x is declared [N, N] and is square; N differs from run to run",
        SQUARE,
        Run({"cond": np.True_, "x": matrix}, {"y": -matrix}),
        Run({"cond": np.False_, "x": matrix[:1, :1]}, {"y": floats([2])}),
    )
    yield square.refusing(
        "one-input-of-two-lengths: x is declared [N, N], but is fed the shape [2, 3]",
        {"cond": np.True_, "x": np.stack([THREE, THREE])},
    )


def _given() -> Iterator[Vector]:
    why = ["ir-dimension-variables"]
    yield shared_dims_agree(
        "input-and-output: x and y are declared [N] and have the same length", GIVEN, lengths(TWO, -TWO)
    )
    yield shared_dims_agree(
        "input-and-output-of-two-lengths: x and y are declared [N]; x is fed 2 elements, and else returns 3",
        GIVEN,
        lengths(TWO, THREE)[1:],
        why=[*why, "ir-dimension-variables-of-inputs"],
        doubt=NOT_PASSED_IN,
    )


def _without_elements(constants: Vector) -> Iterator[Vector]:
    """A length of 0 is a length like any other."""
    for name, constant, other, y in [
        ("v", "float[2] {1, -2}", "w", (NONE, THREE + THREE)),
        ("w", "float[3] {1, 2, -4}", "v", (-TWO, NONE)),
    ]:
        sound = constants.varied(
            f"two-constants-{name}-without-elements: "
            f"{name}, without elements, and {other}, with some, are declared with two variables",
            replaced(constant, "float[0] {}"),
            runs=branches({}, then={"y": y[0]}, else_={"y": y[1]}),
            about=["empty-constants"],
        )
        yield sound.broken(
            f"{sound.id}-one-name: {name}, without elements, and {other}, with some, are declared [N]",
            declared_as("float[N]", "w"),
        )


def _of_one_element(constants: Vector) -> Iterator[Vector]:
    """A length of 1 equals no other, although it can be broadcast."""
    sound = constants.varied(
        "two-constants-v-of-one-element: v, of one element, and w, of three, are declared with two variables",
        replaced("v = Constant <value = float[2] {1, -2}> ()", "v = Constant <value = float[1] {7}> ()"),
        runs=branches({}, then={"y": floats(-7)}, else_={"y": THREE + THREE}),
    )
    yield sound.broken(
        f"{sound.id}-one-name: v, of one element, and w, of three, are declared [N]", declared_as("float[N]", "w")
    )


def both_declared(m: ModelProto) -> None:
    """The main graph declares its initializers v as [N] and w as [M]."""
    for name, variable in (("v", "N"), ("w", "M")):
        m.graph.value_info.append(helper.make_tensor_value_info(name, 1, [variable]))


def _initializers() -> Iterator[Vector]:
    sound = shared_dims_agree(
        "two-initializers: the initializer v, of length 2, is declared [N], and w, of length 3, [M]",
        edited(STORED, both_declared),
        branches({}, then={"y": -TWO}, else_={"y": THREE + THREE}),
    )
    yield sound.broken(
        "two-initializers-one-name: the initializers v, of length 2, and w, of length 3, are declared [N]",
        declared_as("float[N]", "w"),
    )


def _other_dims() -> Iterator[Vector]:
    """The last dim of two values, and both dims of one."""
    rows = shared_dims_agree(
        "two-constants-last-dim: v, of shape [1, 2], is declared [1, N], and w, of shape [1, 3], [1, M]",
        CONSTANT_ROWS,
        branches({}, then={"y": -TWO.reshape(1, 2)}, else_={"y": (THREE + THREE).reshape(1, 3)}),
    )
    yield rows.broken(
        "two-constants-last-dim-one-name: v, of shape [1, 2], and w, of shape [1, 3], are declared [1, N]",
        declared_as("float[1,N]", "w"),
    )
    six = floats([1, -2, 3], [-4, 5, -6])
    table = shared_dims_agree(
        "two-dims-of-one-value: v, of shape [2, 3], is declared [N, M]",
        TABLE,
        branches({}, then={"y": -six}, else_={"y": six + six}),
    )
    yield table.broken(
        "two-dims-of-one-value-one-name: v, of shape [2, 3], is declared [N, N]", declared_as("float[N,N]", "v")
    )


def _constants() -> Iterator[Vector]:
    runs = branches({}, then={"y": -TWO}, else_={"y": THREE + THREE})
    constants = shared_dims_agree(
        "two-constants: v, of length 2, is declared [N], and w, of length 3, [M]", CONSTANTS, runs
    )
    yield constants.broken(
        "two-constants-one-name: v, of length 2, and w, of length 3, are declared [N]", declared_as("float[N]", "w")
    )
    yield from _without_elements(constants)
    yield from _of_one_element(constants)
    short = model("""<opset_import: ["" : 13]>
        alike (bool cond) => (float[N] y) <float[N] v, float[N] w> {
            v = Constant <value = float[2] {1, -2}> ()
            w = Constant <value = float[2] {3, 5}> ()
            y = If (cond) <
                then_branch = then_graph () => (float[2] a) { a = Add (v, w) },
                else_branch = else_graph () => (float[2] b) { b = Sub (v, w) }>
        }""")
    yield shared_dims_agree(
        "two-constants-of-one-length: v and w, both of length 2, are declared [N], and so is y",
        short,
        branches({}, then={"y": floats(4, 3)}, else_={"y": floats(-2, -7)}),
    )
    yield constants.varied(
        "branch-and-main-graph: v, of length 2, is declared [N], and so is else's result, of length 3",
        replaced("else_graph () => (float[?] b)", "else_graph () => (float[N] b)"),
        why=["ir-dimension-variables-nested", "ir-names-shape"],
        doubt=TWO_SCOPES,
    )
    yield constants.varied(
        "two-branches: then returns length 2, else 3; both declare [L], and only one of them runs",
        named(then_of, "L"),
        named(else_of, "L"),
        why=["ir-dimension-variables-nested", "ir-names-shape"],
        doubt=TWO_SCOPES,
    )
