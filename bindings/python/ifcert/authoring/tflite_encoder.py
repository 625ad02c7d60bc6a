"""The bytes of a TensorFlow Lite file, from the parts of its text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ifcert.authoring.flatbuffer import Bytes, Field, Numbers, Scalar, Table, encoded
from ifcert.authoring.tflite_constants import constant
from ifcert.authoring.tflite_schema import (
    ACTIVATIONS,
    ELEMENT_CODES,
    FIELDS,
    OPERATORS,
    OPTIONS,
    PLACEHOLDER_FOR_GREATER_OP_CODES,
)
from ifcert.authoring.tflite_text import (
    ABSENT,
    ModelText,
    OperatorText,
    SignatureText,
    SubgraphText,
    TensorText,
    split,
    unquoted,
)

_ALIGNED = 16
_IDENTIFIERS = {"tflite": "TFL3", "circle": "CIR0"}
_VERSIONS = {"tflite": 3, "circle": 0}

# The slots of the tables, as the schema counts them.
_MODEL = {
    "version": 0,
    "operator_codes": 1,
    "subgraphs": 2,
    "description": 3,
    "buffers": 4,
    "metadata": 6,
    "signature_defs": 7,
}
_CODE = {"deprecated_builtin_code": 0, "custom_code": 1, "version": 2, "builtin_code": 3}
_SUBGRAPH = {"tensors": 0, "inputs": 1, "outputs": 2, "operators": 3, "name": 4}
_TENSOR = {
    "shape": 0,
    "type": 1,
    "buffer": 2,
    "name": 3,
    "quantization": 4,
    "is_variable": 5,
    "sparsity": 6,
    "shape_signature": 7,
    "has_rank": 8,
}
_SPARSITY = {"traversal_order": 0, "dim_metadata": 2}
_DIM_METADATA = {"format": 0, "dense_size": 1}
_QUANTIZATION = {"scale": 2, "zero_point": 3, "quantized_dimension": 6}
_OPERATOR = {"opcode_index": 0, "inputs": 1, "outputs": 2, "builtin_options_type": 3, "builtin_options": 4}
_BUFFER = {"data": 0, "offset": 1, "size": 2}
_SIGNATURE = {"inputs": 0, "outputs": 1, "signature_key": 2, "subgraph_index": 4}
_TENSOR_MAP = {"name": 0, "tensor_index": 1}
_METADATA = {"name": 0, "buffer": 1}

# The words after an operator that are not fields of its options.
_OF_OPERATOR = {"options", "table", "version", "opcode", "code", "deprecated_code", "builtin_code", "custom_code"}
_OF_OPERATOR |= {"without"}
_OF_TENSOR = {"name", "type", "buffer", "shape", "signature", "without", "variable", "scale", "zero_point"}
_OF_TENSOR |= {"outside", "offset", "size", "quantized_dimension", "sparse"}
_OF_SUBGRAPH = {"name", "without"}
_OF_MODEL = {"version", "identifier", "description", "metadata", "without"}

_Code = tuple[str, str, str, str]


@dataclass
class _Made:
    """The parts that subgraphs share: the operator codes in use, the buffers, and the content after the table."""

    subgraphs: Mapping[str, int]
    behind: int = 0
    codes: list[_Code] = field(default_factory=list)
    buffers: list[Table] = field(default_factory=lambda: [Table({})])
    places: dict[str, int] = field(default_factory=dict)
    tail: bytearray = field(default_factory=bytearray)


def file_of(model: ModelText) -> bytes:
    """The file. Where buffers follow the table, it is written twice: first to find where the table ends."""
    table, _ = _written(model, 0)
    end = len(table) + -len(table) % _ALIGNED
    table, tail = _written(model, end)
    return table + bytes(end - len(table)) + tail if tail else table


def _written(model: ModelText, behind: int) -> tuple[bytes, bytes]:
    """The table and the content after it, whose offset in the file is known."""
    _known(model.attributes, _OF_MODEL, "a model")
    made = _Made({each.label: index for index, each in enumerate(model.subgraphs)}, behind)
    subgraphs = [_subgraph(each, made) for each in model.subgraphs]
    fields: dict[str, Field] = {
        "version": Scalar("Uint32", int(model.attributes.get("version", _VERSIONS[model.form]))),
        "operator_codes": [_operator_code(code) for code in made.codes],
        "subgraphs": subgraphs,
        "buffers": made.buffers,
    }
    if "description" in model.attributes:
        fields["description"] = unquoted(model.attributes["description"])
    if "metadata" in model.attributes:
        fields["metadata"] = [_metadata(unquoted(model.attributes["metadata"]), made)]
    if model.signatures:
        fields["signature_defs"] = [_signature(each, model.subgraphs, made) for each in model.signatures]
    identifier = model.attributes.get("identifier", _IDENTIFIERS[model.form])
    return encoded(_table(_MODEL, fields, model.attributes), identifier.encode()), bytes(made.tail)


def _metadata(name: str, made: _Made) -> Table:
    """Metadata of the model that no operator reads: its name, in a buffer of its own."""
    made.buffers.append(Table({_BUFFER["data"]: Bytes(name.encode(), _ALIGNED)}))
    place = Scalar("Uint32", len(made.buffers) - 1)
    return _table(_METADATA, {"name": name, "buffer": place}, {})


def _signature(signature: SignatureText, subgraphs: Sequence[SubgraphText], made: _Made) -> Table:
    """A signature of the primary subgraph, or of the one that it names."""
    _known(signature.attributes, {"subgraph"}, "a signature")
    index = made.subgraphs[signature.attributes.get("subgraph", subgraphs[0].label)]

    def maps(named: Mapping[str, str]) -> list[Table]:
        places = {name: Scalar("Uint32", _index(operand, subgraphs[index])) for name, operand in named.items()}
        return [_table(_TENSOR_MAP, {"name": name, "tensor_index": place}, {}) for name, place in places.items()]

    fields: dict[str, Field] = {
        "inputs": maps(signature.inputs),
        "outputs": maps(signature.outputs),
        "signature_key": signature.key,
        "subgraph_index": Scalar("Uint32", index),
    }
    return _table(_SIGNATURE, fields, {})


def _table(slots: Mapping[str, int], fields: Mapping[str, Field], attributes: Mapping[str, str]) -> Table:
    """A table without the fields that the attribute `without` names."""
    without = _list(attributes.get("without", ""))
    if unknown := set(without) - set(fields):
        raise ValueError(f"there is no {', '.join(sorted(unknown))} to leave out")
    return Table({slots[name]: held for name, held in fields.items() if name not in without})


def _known(attributes: Mapping[str, str], names: set[str], what: str) -> None:
    if unknown := set(attributes) - names:
        raise ValueError(f"{what} has no {', '.join(sorted(unknown))}")


def _list(text: str) -> list[str]:
    """`[1, 2]`, or one thing without brackets."""
    return split(text.removeprefix("[").removesuffix("]"), ",")


def _subgraph(subgraph: SubgraphText, made: _Made) -> Table:
    _known(subgraph.attributes, _OF_SUBGRAPH, "a subgraph")
    made.places = {}
    fields: dict[str, Field] = {
        "tensors": [_tensor(each, made) for each in subgraph.tensors.values()],
        "inputs": _indices(subgraph.inputs, subgraph),
        "outputs": _indices(subgraph.outputs, subgraph),
        "operators": [_operator(each, subgraph, made) for each in subgraph.operators],
        "name": unquoted(subgraph.attributes.get("name", subgraph.label)),
    }
    return _table(_SUBGRAPH, fields, subgraph.attributes)


def _indices(operands: Sequence[str], subgraph: SubgraphText) -> Numbers:
    return Numbers("Int32", [_index(each, subgraph) for each in operands])


def _index(operand: str, subgraph: SubgraphText) -> int:
    if operand == ABSENT:
        return -1
    if operand.startswith("@"):
        return int(operand[1:])
    if operand not in subgraph.tensors or not subgraph.tensors[operand].element:
        raise ValueError(f"subgraph {subgraph.label} has no tensor {operand}")
    return list(subgraph.tensors).index(operand)


def _tensor(tensor: TensorText, made: _Made) -> Table:
    """A tensor; its shape has 1 where a dim is unknown, and its signature -1."""
    _known(tensor.attributes, _OF_TENSOR, "a tensor")
    attributes = tensor.attributes
    fields: dict[str, Field] = {
        "type": Scalar("Int8", _element_code(tensor)),
        "buffer": Scalar("Uint32", _buffer(tensor, made)),
        "name": tensor.name,
    }
    if tensor.dims is not None:
        shape = [int(each) for each in _list(attributes.get("shape", "")) or known_dims(tensor)]
        fields |= {"shape": Numbers("Int32", shape), "has_rank": Scalar("Bool", True)}
    if tensor.dims is not None and ("?" in tensor.dims or "signature" in attributes):
        unknown = [-1 if dim == "?" else dim for dim in tensor.dims]
        signature = _list(attributes["signature"]) if "signature" in attributes else unknown
        fields["shape_signature"] = Numbers("Int32", [int(each) for each in signature])
    if "variable" in attributes:
        fields["is_variable"] = Scalar("Bool", True)
    if "sparse" in attributes:
        fields["sparsity"] = _sparsity(known_dims(tensor))
    if "scale" in attributes:
        fields["quantization"] = _quantization(attributes)
    return _table(_TENSOR, fields, attributes)


def _element_code(tensor: TensorText) -> int:
    if "type" in tensor.attributes:
        return int(tensor.attributes["type"])
    if tensor.element not in ELEMENT_CODES:
        raise ValueError(f"{tensor.label} does not have an element type of the schema: {tensor.element!r}")
    return ELEMENT_CODES[tensor.element]


def known_dims(tensor: TensorText) -> list[int]:
    """The dims with 1 for each that is unknown."""
    return [1 if dim == "?" else int(dim) for dim in tensor.dims or ()]


def _sparsity(dims: Sequence[int]) -> Table:
    """The sparse form in which each dim is dense, so that the content is the same as without it."""
    order = Numbers("Int32", list(range(len(dims))))
    dense = Scalar("Int8", 0)
    metadata = [_table(_DIM_METADATA, {"format": dense, "dense_size": Scalar("Int32", dim)}, {}) for dim in dims]
    return _table(_SPARSITY, {"traversal_order": order, "dim_metadata": metadata}, {})


def _quantization(attributes: Mapping[str, str]) -> Table:
    scales = [float(each) for each in _list(attributes["scale"])]
    zeros = [int(each) for each in _list(attributes.get("zero_point", ""))] or [0] * len(scales)
    fields: dict[str, Field] = {"scale": Numbers("Float32", scales), "zero_point": Numbers("Int64", zeros)}
    if "quantized_dimension" in attributes:
        fields["quantized_dimension"] = Scalar("Int32", int(attributes["quantized_dimension"]))
    return _table(_QUANTIZATION, fields, {})


def _buffer(tensor: TensorText, made: _Made) -> int:
    """The index of the tensor's buffer: 0 without a literal; `buffer=` a number, another tensor, or `new`."""
    named = tensor.attributes.get("buffer", "")
    if named in made.places:
        return made.places[named]
    if named and named != "new":
        return int(named)
    if tensor.literal is None and not named and not {"offset", "size"} & set(tensor.attributes):
        return 0
    made.places[tensor.label] = len(made.buffers)
    made.buffers.append(Table({_BUFFER[name]: held for name, held in _held(tensor, made).items()}))
    return made.places[tensor.label]


def _held(tensor: TensorText, made: _Made) -> dict[str, Field]:
    """The fields of a tensor's buffer: data, or its location `outside`, after the table."""
    given = {
        name: Scalar("Uint64", int(tensor.attributes[name])) for name in ("offset", "size") if name in tensor.attributes
    }
    if tensor.literal is None:
        return dict(given)
    data = constant(tensor.element, known_dims(tensor), tensor.literal)
    if "outside" not in tensor.attributes:
        return {"data": Bytes(data, _ALIGNED)} | given
    made.tail.extend(bytes(-len(made.tail) % _ALIGNED))
    place = {"offset": Scalar("Uint64", made.behind + len(made.tail)), "size": Scalar("Uint64", len(data))}
    made.tail.extend(data)
    return place | given


def _operator(operator: OperatorText, subgraph: SubgraphText, made: _Made) -> Table:
    options = operator.options
    fields: dict[str, Field] = {
        "opcode_index": Scalar("Uint32", int(options.get("opcode", _code_index(operator, made)))),
        "inputs": _indices(operator.inputs, subgraph),
        "outputs": _indices(operator.outputs, subgraph),
    }
    table = options.get("options", OPERATORS[operator.name][1])
    if table and table != "none":
        fields["builtin_options_type"] = Scalar("Uint8", OPTIONS[table] if table in OPTIONS else int(table))
    held = _options(options.get("table", table), operator, subgraph, made)
    if held is not None:
        fields["builtin_options"] = held
    return _table(_OPERATOR, fields, options)


def _code_index(operator: OperatorText, made: _Made) -> int:
    """The index of the operator's code among those in use, to which a new one is appended."""
    options = operator.options
    code = options.get("code", str(OPERATORS[operator.name][0]))
    older = str(min(int(code), PLACEHOLDER_FOR_GREATER_OP_CODES))
    whole = (
        options.get("deprecated_code", older),
        options.get("custom_code", ""),
        options.get("version", "1"),
        options.get("builtin_code", code),
    )
    if whole not in made.codes:
        made.codes.append(whole)
    return made.codes.index(whole)


def _operator_code(code: _Code) -> Table:
    """An OperatorCode; `-` for a number that is omitted."""
    older, custom, version, newer = code
    fields: dict[str, Field] = {}
    if older != ABSENT:
        fields["deprecated_builtin_code"] = Scalar("Int8", int(older))
    if custom:
        fields["custom_code"] = unquoted(custom)
    fields["version"] = Scalar("Int32", int(version))
    if newer != ABSENT:
        fields["builtin_code"] = Scalar("Int32", int(newer))
    return _table(_CODE, fields, {})


def _options(table: str, operator: OperatorText, subgraph: SubgraphText, made: _Made) -> Table | None:
    """The operator's table of options, with the fields that are given or follow from its tensors."""
    given = {key: text for key, text in operator.options.items() if key not in _OF_OPERATOR}
    names = FIELDS.get(table, ())
    _known(given, {name for name, _ in names}, table or f"{operator.name} without options")
    if table not in OPTIONS:
        return None
    given = _follows(operator, subgraph) | given
    return Table({slot: _value(kind, given[name], made) for slot, (name, kind) in enumerate(names) if name in given})


def _follows(operator: OperatorText, subgraph: SubgraphText) -> dict[str, str]:
    """The options that repeat properties of the tensors."""

    def element(operands: Sequence[str]) -> str:
        tensor = subgraph.tensors.get(operands[0]) if operands else None
        return tensor.element if tensor else "float32"

    if operator.name == "CAST":
        return {"in_data_type": element(operator.inputs), "out_data_type": element(operator.outputs)}
    if operator.name == "SHAPE":
        return {"out_type": element(operator.outputs)}
    return {"values_count": str(len(operator.inputs))} if operator.name == "PACK" else {}


def _value(kind: str, text: str, made: _Made) -> Field:
    if kind == "subgraph":
        return Scalar("Int32", made.subgraphs[text] if text in made.subgraphs else int(text))
    if kind == "activation":
        return Scalar("Int8", ACTIVATIONS[text] if text in ACTIVATIONS else int(text))
    if kind == "element":
        return Scalar("Int8", ELEMENT_CODES[text] if text in ELEMENT_CODES else int(text))
    if kind == "Int32s":
        return Numbers("Int32", [int(each) for each in _list(text)])
    return Scalar(kind, {"true": 1, "false": 0}[text] if kind == "Bool" else int(text))
