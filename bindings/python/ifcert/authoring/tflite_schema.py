"""The numbers of TensorFlow Lite's schema, version 3: element types, operators, tables of options and their fields."""

# Tensor.type, by our names of element types.
ELEMENT_CODES = {
    "float32": 0,
    "float16": 1,
    "int32": 2,
    "uint8": 3,
    "int64": 4,
    "string": 5,
    "bool": 6,
    "int16": 7,
    "complex64": 8,
    "int8": 9,
    "float64": 10,
    "complex128": 11,
    "uint64": 12,
    "uint32": 15,
    "uint16": 16,
    "int4": 17,
    "bfloat16": 18,
    "int2": 19,
    "uint4": 20,
    "float8e4m3fn": 21,
    "float8e5m2": 22,
}

# OperatorCode.builtin_code, and the table of options that belongs to the operator, if any.
OPERATORS = {
    "ADD": (0, "AddOptions"),
    "CONCATENATION": (2, "ConcatenationOptions"),
    "MUL": (18, "MulOptions"),
    "RELU": (19, ""),
    "RESHAPE": (22, "ReshapeOptions"),
    "CALL": (31, "CallOptions"),
    "CUSTOM": (32, ""),
    "GATHER": (36, "GatherOptions"),
    "SUB": (41, "SubOptions"),
    "DIV": (42, "DivOptions"),
    "CAST": (53, "CastOptions"),
    "MAXIMUM": (55, "MaximumMinimumOptions"),
    "MINIMUM": (57, "MaximumMinimumOptions"),
    "LESS": (58, "LessOptions"),
    "NEG": (59, "NegOptions"),
    "GREATER": (61, "GreaterOptions"),
    "GREATER_EQUAL": (62, "GreaterEqualOptions"),
    "LESS_EQUAL": (63, "LessEqualOptions"),
    "SELECT": (64, "SelectOptions"),
    "SLICE": (65, "SliceOptions"),
    "EQUAL": (71, "EqualOptions"),
    "NOT_EQUAL": (72, "NotEqualOptions"),
    "SUM": (74, "ReducerOptions"),
    "SHAPE": (77, "ShapeOptions"),
    "PACK": (83, "PackOptions"),
    "LOGICAL_OR": (84, "LogicalOrOptions"),
    "LOGICAL_AND": (86, "LogicalAndOptions"),
    "LOGICAL_NOT": (87, "LogicalNotOptions"),
    "FILL": (94, "FillOptions"),
    "ABS": (101, "AbsOptions"),
    "IF": (118, "IfOptions"),
    "WHILE": (119, "WhileOptions"),
    "CALL_ONCE": (129, "CallOnceOptions"),
}

# Operator.builtin_options_type: the tables of the union BuiltinOptions.
OPTIONS = {
    "ConcatenationOptions": 10,
    "AddOptions": 11,
    "CallOptions": 16,
    "ReshapeOptions": 17,
    "MulOptions": 21,
    "GatherOptions": 23,
    "ReducerOptions": 27,
    "SubOptions": 28,
    "DivOptions": 29,
    "CastOptions": 37,
    "MaximumMinimumOptions": 39,
    "LessOptions": 41,
    "NegOptions": 42,
    "GreaterOptions": 44,
    "GreaterEqualOptions": 45,
    "LessEqualOptions": 46,
    "SelectOptions": 47,
    "SliceOptions": 48,
    "EqualOptions": 53,
    "NotEqualOptions": 54,
    "ShapeOptions": 55,
    "PackOptions": 59,
    "LogicalOrOptions": 60,
    "LogicalAndOptions": 62,
    "LogicalNotOptions": 63,
    "FillOptions": 68,
    "AbsOptions": 78,
    "IfOptions": 92,
    "WhileOptions": 93,
    "CallOnceOptions": 103,
}

# The fields of these tables, as our text calls them, in the order of their slots, each with its type. A table that
# is not named has no fields.
_FUSED = (("fused", "activation"),)
FIELDS = {
    "ConcatenationOptions": (("axis", "Int32"), *_FUSED),
    "AddOptions": _FUSED,
    "CallOptions": (("subgraph", "subgraph"),),
    "ReshapeOptions": (("new_shape", "Int32s"),),
    "MulOptions": _FUSED,
    "GatherOptions": (("axis", "Int32"), ("batch_dims", "Int32")),
    "ReducerOptions": (("keep_dims", "Bool"),),
    "SubOptions": _FUSED,
    "DivOptions": _FUSED,
    "CastOptions": (("in_data_type", "element"), ("out_data_type", "element")),
    "ShapeOptions": (("out_type", "element"),),
    "PackOptions": (("values_count", "Int32"), ("axis", "Int32")),
    "IfOptions": (("then", "subgraph"), ("else", "subgraph")),
    "WhileOptions": (("cond", "subgraph"), ("body", "subgraph")),
    "CallOnceOptions": (("init", "subgraph"),),
}

ACTIVATIONS = {"NONE": 0, "RELU": 1, "RELU_N1_TO_1": 2, "RELU6": 3, "TANH": 4, "SIGN_BIT": 5}

# The placeholder for operator codes that the byte of older files cannot hold.
PLACEHOLDER_FOR_GREATER_OP_CODES = 127
