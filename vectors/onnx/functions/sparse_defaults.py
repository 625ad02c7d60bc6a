"""A sparse tensor as the default of a function's attribute, which nothing reads or a branch that never runs."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, edited, floats, model
from ifcert.authoring.models import Edit
from onnx import AttributeProto, ModelProto, SparseTensorProto, helper, numpy_helper

X = floats(1, -2)

CALLED = model("""<opset_import: ["" : 19, "local" : 1]>
    called (bool cond, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = local.doubled (x) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }
    <domain: "local", opset_import: ["" : 19]>
    doubled (v) => (r) { r = Add (v, v) }""")

# Then, which never runs, calls the function that makes its default dense.
CHOSEN = model("""<opset_import: ["" : 19, "local" : 1]>
    chosen (bool cond, float[2,3] x) => (float[?] z) <float[2,3] y, int64[1] list = {-1}> {
        y = If (cond) <
            then_branch = then_graph () => (a) { a = local.dense () },
            else_branch = else_graph () => (b) { b = Neg (x) }>
        z = Reshape (y, list)
    }
    <domain: "local", opset_import: ["" : 19]>
    dense () => (r) { r = Constant <sparse_value: sparse_tensor = @weights> () }""")


def with_default(m: ModelProto) -> None:
    """The function has the attribute weights; its default has three values at [0, 1], [1, 0] and [1, 2]."""
    weights = SparseTensorProto(dims=[2, 3])
    weights.values.CopyFrom(helper.make_tensor("values", 1, [3], [1.0, 2.0, 3.0]))
    weights.indices.CopyFrom(numpy_helper.from_array(np.int64([[0, 1], [1, 0], [1, 2]]), "indices"))
    m.functions[0].attribute_proto.add(name="weights", type=AttributeProto.SPARSE_TENSOR, sparse_tensor=weights)


def with_type(m: ModelProto) -> None:
    """The function has the attribute kind; its default is the type of a sparse tensor of shape [2, 3]."""
    kind = helper.make_sparse_tensor_type_proto(1, [2, 3])
    m.functions[0].attribute_proto.add(name="kind", type=AttributeProto.TYPE_PROTO, tp=kind)


def last_index_missing(m: ModelProto) -> None:
    weights = m.functions[0].attribute_proto[0].sparse_tensor
    weights.indices.CopyFrom(numpy_helper.from_array(np.int64([[0, 1], [1, 0]]), "indices"))


def with_indices(indices: list) -> Edit:
    """The values have these indices."""

    def edit(m: ModelProto) -> None:
        weights = m.functions[0].attribute_proto[0].sparse_tensor
        weights.indices.CopyFrom(numpy_helper.from_array(np.int64(indices), "indices"))

    return edit


def last_value_missing(m: ModelProto) -> None:
    weights = m.functions[0].attribute_proto[0].sparse_tensor
    weights.values.CopyFrom(helper.make_tensor("values", 1, [2], [1.0, 2.0]))


def values_in_a_column(m: ModelProto) -> None:
    m.functions[0].attribute_proto[0].sparse_tensor.values.dims.append(1)


def vectors() -> Iterator[Vector]:
    twin = Vector(
        "onnx/model/tensor-data-fits-shape/sparse-default",
        "an attribute of a function, which no node reads, has a sparse tensor as its default",
        ["proto-sparse-values", "proto-sparse-indices-of-rank", "ir-function-attribute-defaults"],
        edited(CALLED, with_default),
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
    )
    yield twin.broken(
        "sparse-default-index-missing: the default of a function's attribute has three values and the indices of two",
        last_index_missing,
    )
    yield twin.broken(
        "sparse-default-value-missing: the default of a function's attribute has two values and the indices of three",
        last_value_missing,
    )
    yield twin.broken(
        "sparse-default-values-in-a-column: "
        "in the default of a function's attribute, the three values are a tensor of shape [3, 1]",
        values_in_a_column,
        why=["proto-sparse-values"],
    )
    linear = twin.varied(
        "sparse-default-linear: "
        "in the default of a function's attribute, the indices of the three values are linearized",
        with_indices([1, 3, 5]),
        why=["proto-sparse-values", "proto-sparse-linear-indices"],
    )
    yield linear
    for case, (title, indices, why) in {
        "indices-descend": (
            "the indices of the three values descend",
            [[1, 2], [1, 0], [0, 1]],
            ["proto-sparse-indices"],
        ),
        "index-twice": (
            "two of the three values have the same index",
            [[0, 1], [0, 1], [1, 2]],
            ["proto-sparse-indices"],
        ),
        "linear-indices-descend": (
            "the indices of the three values, which are linearized, descend",
            [5, 3, 1],
            ["proto-sparse-indices", "proto-sparse-linear-indices"],
        ),
        "linear-index-twice": (
            "two of the three values have the same linearized index",
            [1, 1, 5],
            ["proto-sparse-indices", "proto-sparse-linear-indices"],
        ),
        "indices-of-another-rank": (
            "the indices of the three values have three numbers each, and the tensor two dims",
            [[0, 0, 1], [0, 1, 0], [0, 1, 2]],
            ["proto-sparse-indices-of-rank", "proto-sparse-dims"],
        ),
        "indices-of-one-number": (
            "the indices of the three values have one number each, and the tensor two dims",
            [[1], [3], [5]],
            ["proto-sparse-indices-of-rank", "proto-sparse-dims"],
        ),
    }.items():
        sound = linear if "proto-sparse-linear-indices" in why else twin
        yield sound.broken(
            f"sparse-default-{case}: in the default of a function's attribute, {title}",
            with_indices(indices),
            why=why,
        )
    six = floats([1, -2, 3], [-4, 5, -6])
    rule = "onnx/if/declared-shape-compatible/"
    yield Vector(
        rule + "sparse-constant",
        "then, which never runs, returns a sparse tensor of shape [2, 3], else a value of this shape; y is declared so",
        ["if-declared-shape", "proto-sparse-dims"],
        edited(CHOSEN, with_default),
        [Run({"cond": np.False_, "x": six}, {"z": -six.ravel()})],
        also=["onnx/if/only-taken-branch-runs"],
    )
    rule = "onnx/model/attribute-holds-one-value/"
    yield Vector(
        rule + "type-of-sparse-tensor-as-default",
        "an attribute of a function, which no node reads, has the type of a sparse tensor as its default",
        ["proto-attribute-tp", "ir-function-attribute-defaults"],
        edited(CALLED, with_type),
        branches({"x": X}, then={"y": X + X}, else_={"y": -X}),
    )
