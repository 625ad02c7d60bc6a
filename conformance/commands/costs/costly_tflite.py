"""Models of TensorFlow Lite that would cost more than a modest multiple of their size, as generators of size n.

A FlatBuffer refers to its parts by position, so that four bytes may refer to a list, a name or a table.
"""

from math import isqrt
from pathlib import Path

import numpy as np
from tflite_wire import (
    ABS,
    ADD,
    BOOL,
    CONCATENATION,
    CUSTOM,
    EXPAND_DIMS,
    FILL,
    GATHER,
    IF,
    INT32,
    NEG,
    RESHAPE,
    SLICE,
    STRING,
    TRANSPOSE,
    Writer,
)

MOST_AXES = 900  # longer lists are not looked at before a run
LONG_OPERAND = 59  # bytes
LONG_NAME = 1 << 14  # bytes; a limit of 16 MiB is reached by a thousand of them


def plain(path: Path, size: int) -> Path:
    """A model of that many bytes that is harmless: a chain of ordinary operators."""
    count = max(1, size // 84)
    writer = Writer()
    shape = writer.numbers([2])
    tensors = [writer.tensor(shape, name=writer.text(f"t{i}")) for i in range(count + 1)]
    operators = [writer.operator(ABS, writer.numbers([i]), writer.numbers([i + 1])) for i in range(count)]
    writer.subgraph(tensors, [0], [count], operators)
    return writer.save(path)


def chain(path: Path, writer: Writer, tensors: list[int], code: int, operands: list[list[int]], axis: int = 0) -> Path:
    """Operators, each of which produces one more tensor of unknown type."""
    first = len(tensors)
    unknown = writer.tensor(None)
    operators = [
        writer.operator(code, writer.numbers(taken), writer.numbers([first + i]), axis)
        for i, taken in enumerate(operands)
    ]
    writer.subgraph([*tensors, *[unknown] * len(operators)], [0], [first], operators)
    return writer.save(path)


def same(path: Path, writer: Writer, tensors: list[int], code: int, operands: list[int], count: int) -> Path:
    """Operators that share their list of operands."""
    first = len(tensors)
    taken = writer.numbers(operands)
    unknown = writer.tensor(None)
    operators = [writer.operator(code, taken, writer.numbers([first + i])) for i in range(count)]
    writer.subgraph([*tensors, *[unknown] * count], [0], [first], operators)
    return writer.save(path)


def shared_tensors(path: Path, n: int) -> Path:
    """n tensors that are one table, with a shape of 1000 dims and a long name."""
    writer = Writer()
    tensor = writer.tensor(writer.numbers([1] * min(n, 1000)), name=writer.text("n" * LONG_NAME))
    writer.subgraph([tensor] * n, [0], [1], [writer.operator(ABS, writer.numbers([0]), writer.numbers([1]))])
    return writer.save(path)


def shared_bytes_that_are_no_text(path: Path, n: int) -> Path:
    """A long name of bytes that are not UTF-8, of n tensors: each byte is shown as three."""
    writer = Writer()
    tensor = writer.tensor(writer.numbers([2]), name=writer.text(b"\xff" * LONG_NAME))
    writer.subgraph([tensor] * n, [0], [1], [writer.operator(ABS, writer.numbers([0]), writer.numbers([1]))])
    return writer.save(path)


def shared_custom_code(path: Path, n: int) -> Path:
    """Operators of one custom code, which is long."""
    writer = Writer()
    writer.custom = writer.text("c" * LONG_NAME)
    return same(path, writer, [writer.tensor(writer.numbers([2]))], CUSTOM, [0], n)


def shared_subgraphs(path: Path, n: int) -> Path:
    """n subgraphs that are one table of twenty operators."""
    writer = Writer()
    tensors = [writer.tensor(writer.numbers([2]))] * 21
    operators = [writer.operator(ABS, writer.numbers([i]), writer.numbers([i + 1])) for i in range(20)]
    writer.subgraph(tensors, [0], [20], operators)
    writer.subgraphs *= n
    return writer.save(path)


def shared_operands(path: Path, n: int) -> Path:
    """Operators that share a list of n operands."""
    writer = Writer()
    return same(path, writer, [writer.tensor(writer.numbers([2]))], CONCATENATION, [0] * n, n)


def packed_operands(path: Path, n: int) -> Path:
    """Fifty PACKs that share a list of n operands: ONNX has an Unsqueeze for each."""
    writer = Writer()
    taken, unknown = writer.numbers([0] * n), writer.tensor(None)
    tensors = [writer.tensor(writer.numbers([2])), *[unknown] * 50]
    operators = [writer.pack(taken, n, writer.numbers([i + 1])) for i in range(50)]
    writer.subgraph(tensors, [0], [1], operators)
    return writer.save(path)


def growing_ranks(path: Path, n: int) -> Path:
    """Each operator adds a dim to the previous result."""
    writer = Writer()
    axis = writer.tensor(writer.numbers([1]), INT32, writer.buffer(bytes(4)))
    start = writer.tensor(writer.numbers([2]))
    return chain(path, writer, [start, axis], EXPAND_DIMS, [[0, 1], *([i + 2, 1] for i in range(n - 1))])


def ranks_that_grow_by_ten(path: Path, n: int) -> Path:
    """The same by the rank of the indices."""
    writer = Writer()
    shape = writer.numbers([1] * 11)
    tensors = [writer.tensor(shape), writer.tensor(shape, INT32)]
    return chain(path, writer, tensors, GATHER, [[0, 1], *([i + 2, 1] for i in range(n - 1))])


def chain_of_64_dims(path: Path, n: int) -> Path:
    """Operators in a row, of whose operands only the first has a shape: 64 dims, which inference hands on."""
    writer = Writer()
    return chain(path, writer, [writer.tensor(writer.numbers([1] * 64))], NEG, [[i] for i in range(n)])


def shared_chain_of_64_dims(path: Path, n: int) -> Path:
    """The same chain, of n / 20 operators, as both branches of ten Ifs."""
    ifs, length = 10, n // 20
    writer = Writer()
    cond, start = writer.tensor(writer.numbers([]), BOOL), writer.tensor(writer.numbers([1] * 64))
    unknown, taken = writer.tensor(None), writer.numbers([0, 1])
    operators = [writer.operator(IF, taken, writer.numbers([i + 2]), bodies=(1, 1)) for i in range(ifs)]
    writer.subgraph([cond, start, *[unknown] * ifs], [0, 1], [2], operators)
    chained = [writer.operator(NEG, writer.numbers([i]), writer.numbers([i + 1])) for i in range(length)]
    writer.subgraph([start, *[unknown] * length], [0], [length], chained)
    return writer.save(path)


def many_axes(path: Path, n: int) -> Path:
    """Operators on tensors of many dims, which all share one shape."""
    writer = Writer()
    return same(path, writer, [writer.tensor(writer.numbers([1] * min(n, MOST_AXES)))], ADD, [0, 0], n)


def shared_permutation(path: Path, n: int) -> Path:
    """Transposes that share their permutation of many axes."""
    return shared_list(path, n, TRANSPOSE, np.arange(min(n, MOST_AXES)))


def shared_shape(path: Path, n: int) -> Path:
    """The same with the shape of a RESHAPE."""
    return shared_list(path, n, RESHAPE, np.ones(min(n, MOST_AXES)))


def shared_dims(path: Path, n: int) -> Path:
    """The same with the dims of a FILL, as many as possible."""
    writer = Writer()
    dims = writer.tensor(writer.numbers([n]), INT32, writer.buffer(np.ones(n, "<i4").tobytes()))
    return same(path, writer, [writer.tensor(writer.numbers([])), dims], FILL, [1, 0], n)


def shared_slices(path: Path, n: int) -> Path:
    """Slices that share their begins and sizes."""
    axes = min(n, MOST_AXES)
    writer = Writer()
    length = writer.numbers([axes])
    begins = writer.tensor(length, INT32, writer.buffer(bytes(4 * axes)))
    sizes = writer.tensor(length, INT32, writer.buffer(np.ones(axes, "<i4").tobytes()))
    return same(path, writer, [writer.tensor(writer.numbers([1] * axes)), begins, sizes], SLICE, [0, 1, 2], n)


def shared_list(path: Path, n: int, code: int, numbers: np.ndarray) -> Path:
    """Operators that share their list of numbers, one for each of the operand's dims."""
    writer = Writer()
    held = writer.tensor(writer.numbers([len(numbers)]), INT32, writer.buffer(numbers.astype("<i4").tobytes()))
    return same(path, writer, [writer.tensor(writer.numbers([1] * len(numbers))), held], code, [0, 1], n)


def shared_strings(path: Path, n: int) -> Path:
    """Constants that are one list of n empty strings."""
    writer = Writer()
    offsets = np.full(n + 1, 4 * (n + 2), "<i4").tobytes()
    content = writer.buffer(np.array([n], "<i4").tobytes() + offsets)
    writer.subgraph([writer.tensor(writer.numbers([n]), STRING, content)] * n, [], [0], [])
    return writer.save(path)


def misaligned_pieces(path: Path, n: int) -> Path:
    """Overlapping misaligned buffers, so that each of them is copied."""
    writer = Writer()
    writer.buffer(bytes(16 * n))
    shape = writer.numbers([n])
    tensors = [writer.tensor(shape, buffer=writer.piece(101 + 2 * i, 4 * n)) for i in range(n)]
    writer.subgraph(tensors, [], [0], [])
    return writer.save(path)


def shared_constant(path: Path, n: int) -> Path:
    """One constant of n numbers that n branches return."""
    writer = Writer()
    shape = writer.numbers([n])
    constant = writer.tensor(shape, buffer=writer.buffer(bytes(4 * n)))
    made = writer.tensor(shape)
    cond = writer.numbers([0])
    operators = [writer.operator(IF, cond, writer.numbers([i + 1]), bodies=(1, 1)) for i in range(n)]
    writer.subgraph([writer.tensor(writer.numbers([1]), BOOL), *[made] * n], [0], [1], operators)
    writer.subgraph([constant], [], [0], [])
    return writer.save(path)


def handed_in(path: Path, n: int) -> Path:
    """n operands that are passed through a hundred levels of Ifs, in one list."""
    levels = 100
    writer = Writer()
    cond = writer.tensor(writer.numbers([1]), BOOL)
    operands, result = writer.numbers([0, *range(n)]), writer.numbers([n])
    for level in range(levels):
        inner = [] if level == levels - 1 else [writer.operator(IF, operands, result, bodies=(level + 1, level + 1))]
        writer.subgraph([cond] * (n + 1), range(n), [n if inner else 0], inner)
    return writer.save(path)


def copied_names(path: Path, n: int) -> Path:
    """Ifs, 900 at most, whose branches are one subgraph of tensors that share a long name: ONNX has a copy for each."""
    count, depth = min(900, n // 80), 100
    writer = Writer()
    cond = writer.tensor(writer.numbers([]), BOOL, name=writer.text("c"))
    shape = writer.numbers([2])
    operands = writer.numbers([0, 1])
    operators = [writer.operator(IF, operands, writer.numbers([i + 2]), bodies=(1, 1)) for i in range(count)]
    writer.subgraph([cond, *[writer.tensor(shape)] * (count + 1)], [0, 1], [2], operators)
    inner = writer.tensor(shape, name=writer.text("n" * (n // 4)))
    chained = [writer.operator(ABS, writer.numbers([i]), writer.numbers([i + 1])) for i in range(depth - 1)]
    writer.subgraph([inner] * depth, [0], [depth - 1], chained)
    return writer.save(path)


def operands_through_levels(path: Path, n: int) -> Path:
    """The same as in ONNX, values times levels: a list of operands that all Ifs share, and one table of tensors."""
    levels = min(isqrt(n), 980)
    values = n // levels
    writer = Writer()
    cond = writer.tensor(writer.numbers([1]), BOOL, name=writer.text("c"))
    tensor = writer.tensor(writer.numbers([2]), name=writer.text("n" * LONG_OPERAND))
    inputs, operands = range(values + 1), writer.numbers([0, *range(values + 1)])
    for level in range(levels):
        bodies = (level + 1, level + 1)
        inner = (
            [] if level == levels - 1 else [writer.operator(IF, operands, writer.numbers([values + 1]), bodies=bodies)]
        )
        writer.subgraph([cond, *[tensor] * (values + 1)], inputs, [values + 1 if inner else 1], inner)
    return writer.save(path)


def doubling_paths(path: Path, n: int) -> Path:
    """Ifs in Ifs whose branches are one subgraph: twice as many paths with each level."""
    levels = min(n, 900)
    writer = Writer()
    cond = writer.tensor(writer.numbers([1]), BOOL)
    for level in range(levels):
        operands, result, bodies = writer.numbers([0, 0]), writer.numbers([1]), (level + 1, level + 1)
        inner = [] if level == levels - 1 else [writer.operator(IF, operands, result, bodies=bodies)]
        writer.subgraph([cond] * 2, [0], [1 if inner else 0], inner)
    return writer.save(path)
