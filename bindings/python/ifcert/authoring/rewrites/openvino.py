"""What OpenVINO's common transformations rewrite."""

import numpy as np

from ifcert.authoring.rewrites.pattern import DEEP, POWERS, ROW, WHOLE, X, Pattern, Seen, f, i, row

LARGEST = np.iinfo(np.int64).max


def of(rewrite: str, file: str) -> Seen:
    """A pass of OpenVINO."""
    return Seen("OpenVINO", rewrite, f"{file}.cpp" if "/" in file else f"common_optimizations/{file}.cpp")


def nop(rewrite: str) -> Seen:
    """A pass of nop_elimination.cpp."""
    return of(rewrite, "nop_elimination")


def shapes(rewrite: str) -> Seen:
    """A pass of simplify_shape_of_sub_graph.cpp."""
    return of(rewrite, "simplify_shape_of_sub_graph")


def linear(rewrite: str) -> Seen:
    """A pass of lin_op_sequence_fusion.cpp."""
    return of(rewrite, "lin_op_sequence_fusion")


def slices(rewrite: str) -> Seen:
    """A pass of optimize_strided_slice.cpp."""
    return of(rewrite, "optimize_strided_slice")


TO_BROADCAST = of("ConcatToBroadcast", "concat_to_broadcast")
SELECT = of("SelectWithOneValueCondition", "select_with_one_value_condition")
RESHAPES = of("ReshapeSequenceFusion", "reshape_sequence_fusion")
REDUCE_RESHAPE = of("ReduceReshapeFusion", "reduce_reshape_fusion")
PULL = of("PullUnsqueezeThroughReduce", "pull_through_reduce")
PULL_RESHAPE = of("PullReshapeThroughReduce", "pull_through_reduce")
SUBTRACT = of("SubtractFusion", "subtract_fusion")
CLAMP = of("ClampFusion", "clamp_fusion")
MUL_CONV = of("MultiplyConvolutionFusion", "mul_conv_fusion")
MATMUL_MUL = of("MatMulMultiplyFusion", "matmul_multiply_fusion")
GATHER_ELEMENTS = nop("EliminateSliceBeforeGatherElements")
CONCAT_REDUCE = of("ConcatReduceFusion", "concat_reduce_fusion")
BROADCAST = of("BroadcastElementwiseFusion", "broadcast_elementwise_fusion")

KERNEL = "kernel_shape = [1], pads = [0, 0]"
W = f([[[1], [2]], [[-1], [4]]])
MIXED = f([[1, 2], [-1, 4]])
FOUR = np.float32([[1, -2, 3, 4]])
TWICE = np.float32([[4, 4], [8, 8]])

PATTERNS: list[Pattern] = [
    row("integer-times-one", "an integer factor of one goes", nop("EliminateEltwise"), "m = Mul (x, k)",
        "z = Neg (m)", x=WHOLE, k=(i(1), i(3)), scalars=True),
    row("integer-less-zero", "an integer less zero goes", nop("EliminateEltwise"), "m = Sub (x, k)", "z = Neg (m)",
        x=WHOLE, k=(i(0), i(3)), scalars=True),
    row("nonzero-of-cast", "a Cast before NonZero goes", nop("EliminateConvertNonZero"), "m = Cast <to = 7> (x)",
        "n = NonZero (m)  z = Mul (n, k)", x=f([[1, 0], [0, -2]]), k=(i(2), i(3))),
    row("concat-of-one", "a Concat of one operand goes", nop("EliminateConcat"), "m = Concat <axis = 1> (x)",
        "z = Mul (m, k)", k=(f(2), f(4)), scalars=True),
    row("split-into-one", "a Split into one goes", nop("EliminateSplit"), "m = Split <axis = 1> (x)", "z = Mul (m, k)",
        k=(f(2), f(4)), scalars=True),
    row("split-and-concat", "a Split and its Concat go", nop("EliminateSplitConcat"), "m, a = Split <axis = 1> (x)",
        "n = Concat <axis = 1> (m, a)  z = Mul (n, k)", k=(f(2), f(4)), scalars=True),
    row("split-and-turned-concat", "a Split and a Concat in another order stay", nop("EliminateSplitConcat"),
        "m, a = Split <axis = 1> (x)", "n = Concat <axis = 1> (a, m)  z = Mul (n, k)", k=(f(2), f(4))),
    row("split-and-concat-elsewhere", "a Split and a Concat along another axis stay", nop("EliminateSplitConcat"),
        "m, a = Split <axis = 1> (x)", "n = Concat <axis = 0> (m, a)  z = Mul (n, k)", k=(f(2), f(4))),
    row("squeeze-unsqueeze", "a Squeeze and its Unsqueeze go", nop("EliminateSqueeze"), "m = Squeeze (x, at)",
        "u = Unsqueeze (m, at)  z = Mul (u, k)", x=FOUR, at=i([0]), k=(f(2), f(4))),
    row("squeeze-unsqueeze-elsewhere", "a Squeeze and another Unsqueeze become Reshape", nop("EliminateSqueeze"),
        "m = Squeeze (x, at)", "u = Unsqueeze (m, other)  z = Mul (u, k)", x=FOUR, at=i([0]), other=(i([1]), i([-1])),
        k=(f(2), f(4))),
    row("unsqueeze-squeeze-elsewhere", "an Unsqueeze and another Squeeze become Reshape", nop("EliminateUnsqueeze"),
        "m = Unsqueeze (x, at)", "u = Squeeze (m, other)  z = Mul (u, k)", x=FOUR, at=i([2]), other=i([0]),
        k=(f(2), f(4))),
    row("unsqueeze-gather", "an Unsqueeze and a Gather along it go",
        of("EliminateUnsqueezeGather", "eliminate_unsqueeze_gather"), "m = Unsqueeze (x, at)",
        "g = Gather <axis = 1> (m, first)  z = Mul (g, k)", at=i([1]), first=(i(0), i(-1)), k=(f(2), f(4))),
    row("unsqueeze-gather-elsewhere", "an Unsqueeze and a Gather along another axis stay",
        of("EliminateUnsqueezeGather", "eliminate_unsqueeze_gather"), "m = Unsqueeze (x, at)",
        "z = Gather <axis = 2> (m, one)", at=i([1]), one=(i(1), i(0))),
    row("gather-unsqueeze", "a Gather of one and its Unsqueeze become Gather",
        of("EliminateGatherUnsqueeze", "eliminate_unsqueeze_gather"), "m = Gather (x, one)", "z = Unsqueeze (m, at)",
        one=(i(1), i(0)), at=i([0])),
    row("gathers-of-shape-joined", "Gathers of one shape, joined, become one", shapes("GroupedGatherElimination"),
        "d = Shape (x)  m = Gather (d, p)", "a = Gather (d, q)  z = Concat <axis = 0> (m, a, k)", x=DEEP,
        p=(i([2]), i(0, 2)), q=(i([0]), i([1])), k=(i([7]), i([9]))),
    row("gather-of-everything", "a Gather of every index in order goes", shapes("GatherNopElimination"),
        "m = Gather (x, at)", "z = Neg (m)", at=(i(0, 1), i(1, 0))),
    row("shape-of-gather", "the shape of a Gather is a Gather of the shape", shapes("SimplifyGatherShapeOf"),
        "m = Gather <axis = 1> (x, at)", "d = Shape (m)  z = Mul (d, k)", x=DEEP, at=i([[0, 1, 0]]),
        k=(i(2), i(3))),
    row("shape-of-gather-at-last-axis", "the shape of a Gather along axis -1", shapes("SimplifyGatherShapeOf"),
        "m = Gather <axis = -1> (x, at)", "d = Shape (m)  z = Mul (d, k)", x=DEEP, at=(i(0, 1, 0, 2), i(1, 1)),
        k=(i(2), i(3))),
    row("shape-of-gather-of-one", "the shape of a Gather of one", shapes("SimplifyGatherShapeOf"),
        "m = Gather <axis = -2> (x, at)", "d = Shape (m)  z = Mul (d, k)", x=DEEP, at=i(1), k=(i(2), i(3))),
    row("shape-read-twice", "two Shapes of one value become one", shapes("SharedShapeOf"),
        "m = Shape (x)  d = Shape (x)", "a = Concat <axis = 0> (d, m)  z = Mul (a, k)", k=(i(2), i(3))),
    row("lengths-in-order", "lengths that are read in order become 0", shapes("SimplifySecondInputOfReshape"),
        "d = Shape (x)  m = Gather (d, at)", "to = Concat <axis = 0> (m, k)  z = Reshape (x, to)", x=DEEP,
        at=i(0, 1), k=(i(-1, 1), i(1, -1))),
    row("lengths-after-another", "lengths that are read behind another", shapes("SimplifySecondInputOfReshape"),
        "d = Shape (x)  m = Gather (d, at)", "to = Concat <axis = 0> (k, m)  z = Reshape (x, to)", x=DEEP,
        at=i(1, 2), k=(i([-1]), i(1, -1))),
    row("rows-joined-with-themselves", "a Concat of length 1 with itself becomes Broadcast", TO_BROADCAST,
        "m = Concat <axis = 0> (x, x, x)", "z = Mul (m, k)", x=FOUR, k=(f(2), f(4))),
    row("blocks-joined-with-themselves", "a Concat of length 2 with itself becomes no Broadcast", TO_BROADCAST,
        "m = Concat <axis = 0> (x, x)", "z = Mul (m, k)", k=(f(2), f(4))),
    row("chosen-by-constant", "a Where whose condition is constant goes", SELECT, "m = Neg (x)",
        "z = Where (c, m, x)", c=(np.bool_([[True, True], [True, True]]), np.bool_([[False, False], [False, False]]))),
    row("narrow-chosen-by-constant", "a Where whose chosen operand is narrower becomes Broadcast", SELECT,
        "m = Neg (x)", "z = Where (c, m, l)", x=f(1, -3), c=(np.bool_(True), np.bool_(False)), l=f([[5, 6], [7, 8]])),
    row("chosen-by-wide-constant", "a Where whose condition is the widest becomes Broadcast", SELECT, "m = Neg (x)",
        "z = Where (c, m, x)", x=f(1, -3), c=(np.bool_([[True], [True]]), np.bool_([[False], [False]]))),
    row("two-reshapes", "two Reshapes become one", RESHAPES, "m = Reshape (x, flat)", "z = Reshape (m, to)", x=DEEP,
        flat=i([-1]), to=(i(3, 4), i(6, 2))),
    row("reshape-keeping-lengths", "a Reshape that keeps lengths of the other's result", RESHAPES,
        "m = Reshape (x, wide)", "z = Reshape (m, to)", x=DEEP, wide=i(6, 2), to=(i(0, -1, 1), i(0, 0))),
    row("reshape-keeping-first", "a Reshape that keeps lengths of its operand before another", RESHAPES,
        "m = Reshape (x, wide)", "z = Reshape (m, to)", x=DEEP, wide=i(0, -1), to=(i(0, 3, 2), i(4, -1))),
    row("sum-reshaped", "a Reshape that restores dims becomes keep_dims", REDUCE_RESHAPE,
        "m = ReduceSum <keepdims = 0> (x, at)", "z = Reshape (m, to)", at=(i([0]), i([1])), to=i(1, 2)),
    row("sum-reshaped-elsewhere", "a Reshape into other dims stays", REDUCE_RESHAPE,
        "m = ReduceSum <keepdims = 0> (x, at)", "z = Reshape (m, to)", at=(i([0]), i([1])), to=i(2, 1)),
    row("sum-of-unsqueezed", "an Unsqueeze goes behind a sum", PULL, "m = Unsqueeze (x, at)",
        "z = ReduceSum <keepdims = 0> (m, over)", x=DEEP, at=i([0]), over=(i(1, 3), i([2]))),
    row("sum-of-unsqueezed-within", "an Unsqueeze between the axes of a sum", PULL, "m = Unsqueeze (x, at)",
        "z = ReduceSum <keepdims = 0> (m, over)", x=DEEP, at=i(1, 3), over=(i(0, 4), i([2]))),
    row("max-of-unsqueezed-kept", "an Unsqueeze goes behind a maximum", PULL, "m = Unsqueeze (x, at)",
        "n = ReduceMax <axes = [2], keepdims = 1> (m)  z = Mul (n, k)", x=DEEP, at=i([-3]), k=(f(2), f(4))),
    row("sum-of-reshaped", "a Reshape that adds dims goes behind a sum", PULL_RESHAPE, "m = Reshape (x, to)",
        "z = ReduceSum <keepdims = 0> (m, over)", x=DEEP, to=i(2, 1, 2, 3), over=(i([2]), i(0, 3))),
    row("min-of-reshaped-ones", "a Reshape of length 1 before a minimum", PULL_RESHAPE, "m = Reshape (x, to)",
        "n = ReduceMin <axes = [2], keepdims = 0> (m)  z = Mul (n, k)", x=FOUR, to=i(1, 1, 4), k=(f(2), f(4))),
    row("times-power-minus-one", "times a power of -1 becomes division", of("DivideFusion", "divide_fusion"),
        "m = Pow (x, k)", "z = Mul (y, m)", x=POWERS, k=(f(-1), f(2)), y=f([[2, 4], [8, 16]]), scalars=True),
    row("plus-negative", "adding a negative becomes subtraction", SUBTRACT, "n = Add (x, k)  m = Neg (n)",
        "z = Add (x, m)", k=(f(2), f(4)), scalars=True),
    row("plus-times-minus-one", "adding a product by -1 becomes subtraction", SUBTRACT,
        "n = Add (x, x)  m = Mul (n, k)", "z = Add (m, x)", k=(f(-1), f(-2)), scalars=True),
    row("divided-by-constant", "a divisor becomes a factor",
        of("ConvertDivideWithConstant", "op_conversions/convert_divide"), "m = Div (x, k)", "z = Add (m, l)",
        k=(f(4), f(-0.5)), l=f(1), scalars=True),
    row("integer-divided-by-constant", "an integer divisor stays",
        of("ConvertDivideWithConstant", "op_conversions/convert_divide"), "m = Div (x, k)", "z = Add (m, l)",
        x=WHOLE, k=(i(3), i(-5)), l=i(1), scalars=True),
    row("less-constant", "what is subtracted is added negatively",
        of("ConvertSubtractWithConstant", "op_conversions/convert_subtract"), "m = Sub (x, k)", "z = Mul (m, l)",
        k=(f(4), f(-0.5)), l=f(2), scalars=True),
    row("negative-scaled", "a negative becomes a factor", of("ConvertNegative", "op_conversions/convert_negative"),
        "m = Neg (x)", "z = Mul (m, k)", k=(f(4), f(-0.5)), scalars=True),
    row("sum-scaled", "a sum and a factor change places", linear("AddMultiplyFusion"), "m = Add (x, k)",
        "z = Mul (m, l)", k=(f(1), f(3)), l=f(4), scalars=True),
    row("two-sums", "two sums become one", linear("AddAddFusion"), "m = Add (x, k)", "z = Add (m, l)", k=(f(1), f(3)),
        l=f(4), scalars=True),
    row("two-factors", "two factors become one", linear("MultiplyMultiplyFusion"), "m = Mul (x, k)", "z = Mul (l, m)",
        k=(f(2), f(0.5)), l=f(4), scalars=True),
    row("two-factors-of-two-shapes", "a factor for each row and one for each column",
        linear("MultiplyMultiplyFusion"), "m = Mul (x, k)", "z = Mul (m, l)", k=(f([[2], [4]]), f([[8], [1]])),
        l=f([[4, 0.5]])),
    row("two-wider-factors", "two factors of which the second has more dims", linear("MultiplyMultiplyFusion"),
        "m = Mul (k, x)", "z = Mul (m, l)", k=(f(2, 4), f(8, 1)), l=f([[[4]], [[0.5]]])),
    row("scaled-conv", "a factor joins the weights", MUL_CONV, "m = Mul (x, k)", f"z = Conv <{KERNEL}> (m, w)", x=ROW,
        k=(f([[[2], [4]]]), f([[[8], [1]]])), w=W),
    row("scaled-conv-by-scalar", "a factor joins the weights", MUL_CONV, "m = Mul (x, k)", f"z = Conv <{KERNEL}> (m, w)",
        x=ROW, k=(f(2), f(4)), w=W),
    row("scaled-conv-by-row", "a factor along the row stays", MUL_CONV, "m = Mul (k, x)", f"z = Conv <{KERNEL}> (m, w)",
        x=ROW, k=(f(2, 4, 8), f(8, 1, 2)), w=W),
    row("matmul-times-row", "a factor for each column joins the weights", MATMUL_MUL, "m = MatMul (x, w)",
        "z = Mul (m, k)", w=MIXED, k=(f(2, 4), f(8, 1))),
    row("matmul-times-column", "a factor for each row stays", MATMUL_MUL, "m = MatMul (x, w)", "z = Mul (m, k)",
        w=MIXED, k=(f([[2], [4]]), f([[8], [1]]))),
    row("matmul-times-deeper", "a factor with more dims stays", MATMUL_MUL, "m = MatMul (x, w)", "z = Mul (m, k)",
        w=MIXED, k=(f([[[2]], [[4]]]), f([[[8]], [[1]]]))),
    row("relus-of-both-signs", "a Relu and a scaled Relu of the negative become PRelu",
        of("PReluFusion", "prelu_fusion"), "p = Relu (x)  n = Neg (x)  m = Relu (n)",
        "s = Mul (m, k)  z = Sub (p, s)", x=POWERS, k=(f(0.5), f(4)), scalars=True),
    row("max-with-scaled", "the maximum with a scaled operand becomes LeakyRelu",
        of("LeakyReluFusion", "leaky_relu_fusion"), "m = Mul (x, k)", "z = Max (x, m)", k=(f(0.5), f(4)), scalars=True),
    row("max-then-min", "a maximum and a minimum become Clamp", CLAMP, "m = Max (x, k)", "z = Min (m, l)",
        k=(f(-2), f(2)), l=f(5), scalars=True),
    row("min-then-max", "a minimum and a maximum become Clamp", CLAMP, "m = Min (k, x)", "z = Max (l, m)",
        k=(f(5), f(2)), l=f(-1), scalars=True),
    row("bounds-crossed", "a maximum above the minimum", CLAMP, "m = Max (x, k)", "z = Min (m, l)", k=(f(6), f(2)),
        l=f(3), scalars=True),
    row("depth-to-space", "a Reshape, a Transpose and a Reshape become DepthToSpace",
        of("DepthToSpaceFusion", "depth_to_space_fusion"),
        "a = Reshape (x, apart)  m = Transpose <perm = [0, 3, 4, 1, 5, 2]> (a)", "r = Reshape (m, to)  z = Mul (r, k)",
        x=np.float32(np.arange(8)).reshape(1, 8, 1, 1), apart=i(1, 2, 2, 2, 1, 1), to=i(1, 2, 2, 2), k=(f(2), f(4))),
    row("channels-shuffled", "a Reshape, a Transpose and a Reshape become ShuffleChannels",
        of("ShuffleChannelsFusion", "shuffle_channels_fusion"),
        "a = Reshape (x, apart)  m = Transpose <perm = [0, 2, 1, 3]> (a)", "r = Reshape (m, to)  z = Mul (r, k)",
        x=np.float32(np.arange(8)).reshape(1, 4, 2), apart=i(1, 2, 2, 2), to=i(1, 4, 2), k=(f(2), f(4))),
    row("split-doubled", "a Split joined with each part twice becomes Interpolate",
        of("SplitConcatPairToInterpolateFusion", "split_concat_pair_to_interpolate_fusion"),
        "m, a = Split <axis = 2> (x)", "n = Concat <axis = 2> (m, m, a, a)  z = Mul (n, k)",
        x=np.float32(np.arange(8)).reshape(1, 2, 2, 2), k=(f(2), f(4))),
    row("ones-between-reshapes", "a Reshape, a product with ones and a Reshape become Interpolate",
        of("NearestNeighborUpsamplingFusion", "nearest_neighbor_upsampling_fusion"), "m = Reshape (x, apart)",
        "s = Mul (m, ones)  z = Reshape (s, to)", x=np.float32(np.arange(4)).reshape(1, 2, 2, 1),
        apart=i(1, 2, 1, 2, 1, 1), ones=(np.ones((1, 1, 2, 1, 2, 1), "f"), 2 * np.ones((1, 1, 2, 1, 2, 1), "f")),
        to=i(1, 4, 4, 1)),
    row("two-nonzeros", "two NonZeros of one value become one",
        of("NonZeroHorizontalFusion", "nonzero_horizontal_fusion"), "m = NonZero (x)  n = NonZero (x)",
        "a = Add (m, n)  z = Mul (a, k)", x=f([[1, 0], [0, -2]]), k=(i(2), i(3))),
    row("expand-then-add", "an Expand before a wider sum goes", BROADCAST, "m = Expand (x, to)", "z = Add (m, k)",
        x=f(1, -3), to=i(2, 2), k=(f([[1, 2], [3, 4]]), f([[5, 6], [7, 8]]))),
    row("expand-then-narrow-add", "an Expand before a narrower sum stays", BROADCAST, "m = Expand (x, to)",
        "z = Add (m, k)", x=f(1, -3), to=i(2, 2), k=(f(1, 2), f(5, 6))),
    row("expand-then-part-add", "an Expand before a sum as wide in one dim stays", BROADCAST, "m = Expand (x, to)",
        "z = Mul (k, m)", x=f([[1, -3]]), to=i(3, 2, 2), k=(f([[[2]], [[4]], [[8]]]), f([[[1]], [[5]], [[6]]]))),
    row("expanded-batches", "an Expand of batches before MatMul goes",
        of("BroadcastMatMulFusion", "broadcast_matmul_fusion"), "m = Expand (x, to)", "z = MatMul (m, w)", to=i(3, 2, 2),
        w=(np.stack([MIXED, 2 * MIXED, -MIXED]), np.stack([MIXED, MIXED, MIXED]))),
    row("joined-with-nothing", "an operand of Concat without elements goes",
        of("RemoveConcatZeroDimInput", "remove_concat_zero_dim_input"), "m = Concat <axis = 0> (x, k)",
        "z = Neg (m)", k=(np.zeros((0, 2), "f"), f([[5, 6]]))),
    row("max-of-joined", "the maximum over joined operands becomes Maximum", CONCAT_REDUCE,
        "a = Unsqueeze (x, at)  b = Unsqueeze (k, at)  m = Concat <axis = 2> (a, b)",
        "z = ReduceMax <axes = [2], keepdims = 0> (m)", at=i([2]), k=(f([[0, 0], [5, 5]]), f([[2, -4], [9, 1]]))),
    row("min-of-joined-kept", "the minimum over joined operands, with its dim", CONCAT_REDUCE,
        "a = Unsqueeze (x, at)  b = Unsqueeze (k, at)  m = Concat <axis = 0> (a, b)",
        "z = ReduceMin <axes = [0], keepdims = 1> (m)", at=i([0]), k=(f([[0, 0], [5, 5]]), f([[2, -4], [9, 1]]))),
    row("elements-of-slice", "a Slice from the start before GatherElements goes", GATHER_ELEMENTS,
        "m = Slice (x, zero, end, at)", "z = GatherElements <axis = 1> (m, p)", x=FOUR, zero=i([0]), end=i([3]),
        at=i([1]), p=(i([[0, 2]]), i([[1, 1]]))),
    row("elements-from-end-of-slice", "a Slice before GatherElements counted from its end", GATHER_ELEMENTS,
        "m = Slice (x, zero, end, at)", "z = GatherElements <axis = 1> (m, p)", x=FOUR, zero=i([0]), end=i([3]),
        at=i([1]), p=(i([[0, -1]]), i([[-2, 1]]))),
    row("whole-slice-forwards", "a Slice from 0 to the largest end goes", nop("EliminateSlice"),
        "m = Slice (x, zero, end, at, step)", "z = Mul (m, k)", zero=i([0]), end=i([LARGEST]), at=i([1]), step=i([1]),
        k=(f(2), f(4))),
    row("whole-slice-backwards", "a Slice of everything backwards stays", slices("UselessSliceEraser"),
        "m = Slice (x, begin, end, at, step)", "z = Mul (m, k)", begin=i([-1]), end=i([-LARGEST]), at=(i([1]), i([0])),
        step=i([-1]), k=f(2)),
    row("slices-of-halves", "Slices that cover a value become Split", slices("GroupedSliceToVSplitOptimization"),
        "m = Neg (x)", "b = Slice (m, two, four, at, one)  a = Slice (m, zero, two, at, one)  z = Sub (a, b)", x=FOUR,
        zero=(i([0]), i([-4])), two=i([2]), four=i([4]), at=i([1]), one=i([1])),
    row("slices-that-overlap", "Slices that overlap stay", slices("GroupedSliceToVSplitOptimization"), "m = Neg (x)",
        "a = Slice (m, zero, three, at, one)  b = Slice (m, one, four, at, one)  z = Sub (a, b)", x=FOUR,
        zero=i([0]), three=i([3]), four=(i([4]), i([9])), at=i([1]), one=i([1])),
    row("slices-one-after-another", "Slices along two axes become one", slices("SliceSequenceToSingleSlice"),
        "m = Slice (x, one, end, zero, one)", "z = Slice (m, p, end, one, one)", x=DEEP, zero=i([0]), one=i([1]),
        end=i([9]), p=(i([0]), i([-1]))),
    row("tile-by-ones", "a Tile by ones goes", nop("EliminateNopBroadcast"), "m = Tile (x, by)", "z = Neg (m)",
        by=(i(1, 1), i(1, 2))),
    row("pad-by-nothing", "a Pad by nothing goes", nop("EliminatePad"), "m = Pad (x, by)", "z = Add (m, k)",
        by=(i(0, 0, 0, 0), i(1, 0, 0, 0)), k=f(1)),
    row("last-gathered", "an index from the end becomes one from the start",
        of("GatherNegativeConstIndicesNormalize", "op_conversions/gather_normalize_negative_indices"),
        "m = Neg (x)", "z = Gather <axis = 1> (m, at)", at=(i(-1), i(-2))),
    row("conv-before-strided-conv", "the stride of a Conv goes to the one before",
        of("StridesOptimization", "strides_optimization"), f"m = Conv <{KERNEL}> (x, w)",
        "z = Conv <kernel_shape = [1], pads = [0, 0], strides = [2]> (m, v)", x=ROW, w=W, v=(W, -W[::-1])),
    row("softmax-by-parts", "an exponential and its sum become Softmax", of("SoftmaxFusion", "softmax_fusion"),
        "a = ReduceMax <axes = [1]> (x)  m = Sub (x, a)",
        "e = Exp (m)  s = ReduceSum (e, at)  q = Div (e, s)  z = Mul (q, k)", x=TWICE, at=i([1]), k=(f(2), f(4))),
    row("length-normalised", "a quotient by the root of the squares becomes NormalizeL2",
        of("NormalizeL2Fusion", "normalize_l2_fusion"),
        "p = Pow (x, two)  s = ReduceSum (p, at)  a = Add (s, epsilon)  m = Sqrt (a)", "q = Div (x, m)  z = Mul (q, k)",
        x=f([[2, 2, 2, -2]]), two=f(2), at=i([1]), epsilon=f(0), k=(f(2), f(4))),
    row("variance-normalised", "deviations by their root become MVN", of("MVNFusion", "mvn_fusion"),
        "mean = ReduceMean <axes = [1]> (x)  m = Sub (x, mean)",
        "p = Pow (m, two)  v = ReduceMean <axes = [1]> (p)  a = Add (v, epsilon)  r = Sqrt (a)  z = Div (m, r)",
        x=f([[4, 2], [6, 8]]), two=f(2), epsilon=(f(3), f(0))),
    row("operands-of-two-ranks", "a constant gets the rank of the other operand",
        of("AlignEltwiseInputRanks", "align_eltwise_input_ranks"), "m = Add (x, k)", "z = Mul (m, l)", x=DEEP,
        k=(f(1, 2, 3), f(4, 5, 6)), l=f(2)),
    row("channels-turned-before-conv", "a Split and a turned Concat join the weights",
        of("ReverseInputChannelsFusion", "ric_fusion"), "a, m = Split <axis = 1> (x)",
        f"n = Concat <axis = 1> (m, a)  z = Conv <{KERNEL}> (n, w)", x=ROW, w=(W, -W)),
]
assert X.shape == (2, 2)
