"""Runs in TensorFlow's own environment: functions with tf.cond and tf.while_loop, and what its converter makes of them.

tflite_functions.py FOLDER

Writes FOLDER/NAME.tflite for each function below and FOLDER/converted.json, which tells what stands in each file.
scripts/convert_tflite_files makes the environment and calls this. Each function is converted in a process of its own:
TensorFlow numbers the graphs that it makes, and the numbers become names in the files.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import tensorflow as tf
from tensorflow.lite.python import schema_py_generated as schema

T = Any  # a tensor, or a tuple of them: TensorFlow's functions are not typed
Function = Callable[..., Any]
Spec = tuple[tf.DType, Sequence[int | None] | None]

FLAG: Spec = (tf.bool, [])
NUMBER: Spec = (tf.int32, [])

# Of each file: makes the converter; a model that must be saved before goes into the folder.
Convert = Callable[[str], tf.lite.TFLiteConverter]
CONVERTERS: dict[str, Convert] = {}
FUNCTIONS: dict[str, Function] = {}
OPTIONS: dict[str, dict[str, Any]] = {}


def signature(*inputs: Spec) -> list[tf.TensorSpec]:
    """As tf.function takes it."""
    return [tf.TensorSpec(shape, element) for element, shape in inputs]


def add(name: str, function: Function, options: dict[str, Any], convert: Convert) -> None:
    """Under the name of a file."""
    FUNCTIONS[name], OPTIONS[name] = function, options

    def with_options(folder: str) -> tf.lite.TFLiteConverter:
        converter = convert(folder)
        for option, value in options.items():
            if option == "supported_ops":
                converter.target_spec.supported_ops = [getattr(tf.lite.OpsSet, word) for word in value]
            else:
                setattr(converter, option, value)
        return converter

    CONVERTERS[name] = with_options


def converted(*inputs: Spec, also_as: str = "", **options: Any) -> Callable[[Function], Function]:  # noqa: ANN401
    """The function's name is the file's; `also_as` names a second file, and the options are its."""

    def register(function: Function) -> Function:
        def convert(folder: str) -> tf.lite.TFLiteConverter:
            concrete = tf.function(function, input_signature=signature(*inputs)).get_concrete_function()
            return tf.lite.TFLiteConverter.from_concrete_functions([concrete])

        name = function.__name__
        add(name, function, {} if also_as else options, convert)
        if also_as:
            add(also_as, function, options, convert)
        return function

    return register


def saved(name: str, *signatures: str, **options: Any) -> Callable[[type], type]:  # noqa: ANN401
    """A module whose method `call` is saved under these signatures, and the file's name."""

    def register(module: type) -> type:
        def convert(folder: str) -> tf.lite.TFLiteConverter:
            made = module()
            tf.saved_model.save(made, folder, signatures=dict.fromkeys(signatures, made.call))
            return tf.lite.TFLiteConverter.from_saved_model(folder, signature_keys=list(signatures))

        add(name, module, options, convert)
        return module

    return register


@converted(FLAG, (tf.float32, [2, 3]), (tf.float32, [2, 3]))
def cond_add_or_subtract(p: T, x: T, y: T) -> T:
    """x + y where p, else x - y."""
    return tf.cond(p, lambda: x + y, lambda: x - y)


@converted(FLAG, (tf.float32, [3]), (tf.int32, [2]), (tf.float32, [3]))
def cond_captures(p: T, x: T, n: T, y: T) -> T:
    """Both branches read all three: max(y, x), -n, y < x; or y, |n|, x >= y."""
    return tf.cond(p, lambda: (tf.maximum(y, x), -n, y < x), lambda: (y, tf.abs(n), x >= y))


@converted(FLAG, also_as="cond_constants_behind_the_table", _experimental_use_buffer_offset=True)
def cond_constants(p: T) -> T:
    """[1, 2] or [3, -4, 5]: branches without inputs, of two lengths."""
    return tf.cond(p, lambda: tf.constant([1, 2]), lambda: tf.constant([3, -4, 5]))


@converted(FLAG, (tf.float32, [2]))
def constant_beside_cond(p: T, x: T) -> T:
    """An output that is a constant, and the cond itself as an output: 2x or -x; [7, 8]; p."""
    return tf.cond(p, lambda: x * 2.0, lambda: -x), tf.constant([7, 8], tf.int64), p


@converted(FLAG, FLAG, FLAG, (tf.int32, [2]))
def cond_nested(p: T, q: T, r: T, x: T) -> T:
    """p and q and r: x + 1; p and q: x + 2; p: 3x; not p, but r: -x; neither: x - 5."""
    return tf.cond(
        p,
        lambda: tf.cond(q, lambda: tf.cond(r, lambda: x + 1, lambda: x + 2), lambda: x * 3),
        lambda: tf.cond(r, lambda: -x, lambda: x - 5),
    )


@converted(FLAG, (tf.float32, [2]), (tf.float32, [2]))
def cond_swapped(p: T, x: T, y: T) -> T:
    """x, y, x; or y, x, y."""
    return tf.cond(p, lambda: (x, y, x), lambda: (y, x, y))


@converted(FLAG, (tf.float32, [2]))
def cond_value_twice(p: T, x: T) -> T:
    """The square of x twice; or x twice."""

    def squared() -> T:
        y = x * x
        return y, y

    return tf.cond(p, squared, lambda: (x, x))


@converted(FLAG, (tf.float32, [2]))
def cond_ranks_differ(p: T, x: T) -> T:
    """-x, of one dimension; or x in a row of its own, of two."""
    return tf.cond(p, lambda: -x, lambda: tf.reshape(x, [1, 2]))


@converted(FLAG, (tf.float32, [None, 2]))
def cond_dims_unknown(p: T, x: T) -> T:
    """-x and its shape; or x above x and that shape."""
    return tf.cond(
        p, lambda: (-x, tf.shape(x)), lambda: (tf.concat([x, x], 0), tf.maximum(tf.shape(x), 2 * tf.shape(x)))
    )


@converted(FLAG, (tf.float32, None))
def cond_rank_unknown(p: T, x: T) -> T:
    """2x in its shape; or x in one row."""
    return tf.cond(p, lambda: x + x, lambda: tf.reshape(x, [-1]))


@converted((tf.float32, [3]), (tf.float32, [3]))
def cond_computed(x: T, y: T) -> T:
    """x * y where the sum of x is above 0 and less than that of y, or is -1; else min(x, y)."""
    s, t = tf.reduce_sum(x), tf.reduce_sum(y)
    p = tf.logical_or(tf.logical_and(s > 0.0, tf.logical_not(t <= s)), tf.equal(s, -1.0))
    return tf.cond(p, lambda: x * y, lambda: tf.minimum(x, y))


@converted(FLAG, (tf.string, [2]), (tf.string, [2]))
def cond_strings(p: T, s: T, t: T) -> T:
    """s and t back to front; or t and the second of s, twice."""
    return tf.cond(p, lambda: (s, tf.gather(t, [1, 0])), lambda: (t, tf.gather(s, [1, 1])))


@converted(FLAG, (tf.string, [3]))
def cond_string_constant(p: T, s: T) -> T:
    """s; or yes, nothing and да."""
    return tf.cond(p, lambda: s, lambda: tf.constant(["yes", "", "да"]))


@converted(FLAG, (tf.int8, [2]), (tf.uint8, [2]), (tf.int16, [2]))
def cond_small_integers(p: T, a: T, b: T, c: T) -> T:
    """a, b, c; or b as int8, c as uint8, a as int16."""
    return tf.cond(p, lambda: (a, b, c), lambda: (tf.cast(b, tf.int8), tf.cast(c, tf.uint8), tf.cast(a, tf.int16)))


@converted(FLAG, (tf.float32, [2, 3]), (tf.int32, [2]))
def cond_moves(p: T, x: T, i: T) -> T:
    """Columns i of x, and its last two columns; or the sums of its rows in two columns, and its sum in a square."""
    return tf.cond(
        p,
        lambda: (tf.gather(x, i, axis=1), tf.slice(x, [0, 1], [2, 2])),
        lambda: (tf.stack([tf.reduce_sum(x, 1), tf.reduce_sum(x, 1)], 1), tf.fill([2, 2], tf.reduce_sum(x))),
    )


@converted(FLAG, (tf.bool, [3]), (tf.int32, [3]))
def cond_flags(p: T, q: T, n: T) -> T:
    """Not q, and whether n is 2 at most; or whether q or n is 2, and q."""
    return tf.cond(p, lambda: (tf.logical_not(q), n <= 2), lambda: (tf.logical_or(q, tf.equal(n, 2)), q))


@converted(FLAG, (tf.float32, [4]), (tf.float32, [4]))
def cond_select(p: T, x: T, y: T) -> T:
    """The smaller of both, or -y where they are the same and x else."""
    return tf.cond(p, lambda: tf.where(x < y, x, y), lambda: tf.where(tf.equal(x, y), -y, x))


@converted(FLAG, (tf.float32, [4]), (tf.float32, [4]))
def cond_fused(p: T, x: T, y: T) -> T:
    """Activations that go into the operators: relu(x + y), relu6(x - y); or xy within 1 and relu(x / y)."""
    return tf.cond(
        p,
        lambda: (tf.nn.relu(x + y), tf.nn.relu6(x - y)),
        lambda: (tf.minimum(tf.maximum(x * y, -1.0), 1.0), tf.nn.relu(x / y)),
    )


@converted((tf.float32, []), (tf.float32, [2]))
def case(t: T, x: T) -> T:
    """t < 0: -x; t > 10: x * x; else x + t."""
    return tf.case([(t < 0.0, lambda: -x), (t > 10.0, lambda: x * x)], default=lambda: x + t)


@converted(NUMBER)
def while_counter(n: T) -> T:
    """The sum of the numbers below n."""
    return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), [0, 0])[1]


@converted(NUMBER)
def while_fibonacci(n: T) -> T:
    """The n-th of 0, 1, 1, 2, 3, 5…"""
    start = [0, tf.constant(0, tf.int64), tf.constant(1, tf.int64)]
    return tf.while_loop(lambda i, a, b: i < n, lambda i, a, b: (i + 1, b, a + b), start)[1]


@converted(NUMBER, (tf.float32, [2]), (tf.float32, [2]), (tf.float32, [2]))
def while_rotate(n: T, x: T, y: T, z: T) -> T:
    """x, y, z, n times with the last one put in front."""
    return tf.while_loop(lambda i, a, b, c: i < n, lambda i, a, b, c: (i + 1, c, a, b), [0, x, y, z])[1:]


@converted(NUMBER, (tf.int32, [None]))
def while_growing(n: T, x: T) -> T:
    """x, and behind it the squares of the numbers below n."""
    return tf.while_loop(
        lambda i, x: i < n,
        lambda i, x: (i + 1, tf.concat([x, tf.reshape(i * i, [1])], 0)),
        [0, x],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])],
    )[1]


@converted(NUMBER)
def while_growing_from_none(n: T) -> T:
    """The numbers below n; the first trip is given no elements."""
    return tf.while_loop(
        lambda i, x: i < n,
        lambda i, x: (i + 1, tf.concat([x, tf.reshape(i, [1])], 0)),
        [0, tf.zeros([0], tf.int32)],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])],
    )[1]


@converted((tf.float32, []))
def while_halves(x: T) -> T:
    """x, halved until it is below 1, and how often that was."""
    return tf.while_loop(lambda x, n: x >= 1.0, lambda x, n: (x * 0.5, n + 1), [x, 0])


@converted(NUMBER)
def cond_in_while(n: T) -> T:
    """The steps of Collatz from n to 1: half of n, or 3n + 1."""

    def step(n: T, k: T) -> T:
        half = tf.raw_ops.Div(x=n, y=2)
        return tf.cond(tf.equal(half * 2, n), lambda: half, lambda: n * 3 + 1), k + 1

    return tf.while_loop(lambda n, k: n > 1, step, [n, 0])[1]


@converted(FLAG, NUMBER, (tf.float32, [2]))
def while_in_cond(p: T, n: T, x: T) -> T:
    """x doubled n times; or -x."""
    return tf.cond(p, lambda: tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, x + x), [0, x])[1], lambda: -x)


@converted(NUMBER, NUMBER)
def while_in_while(n: T, m: T) -> T:
    """The sum of i * j for i below n and j below m."""

    def row(i: T, s: T) -> T:
        inner = tf.while_loop(lambda j, s: j < m, lambda j, s: (j + 1, s + tf.cast(i * j, tf.int64)), [0, s])
        return i + 1, inner[1]

    return tf.while_loop(lambda i, s: i < n, row, [0, tf.constant(0, tf.int64)])[1]


@converted(NUMBER, (tf.float32, [2]))
def while_three_trips_at_most(n: T, x: T) -> T:
    """x doubled n times, but at most three times; x, which no trip changes."""
    loop = tf.while_loop(lambda i, y, x: i < n, lambda i, y, x: (i + 1, y + y, x), [0, x, x], maximum_iterations=3)
    return loop[1:]


@converted(NUMBER, (tf.float32, [2]))
def tensor_array(n: T, x: T) -> T:
    """Rows x * i for i below n, written into a TensorArray."""
    rows = tf.TensorArray(tf.float32, size=n, element_shape=[2])
    loop = tf.while_loop(
        lambda i, rows: i < n, lambda i, rows: (i + 1, rows.write(i, x * tf.cast(i, tf.float32))), [0, rows]
    )
    return loop[1].stack()


@converted((tf.float32, [2]), NUMBER)
def python_statements(x: T, n: T) -> T:
    """A `for` and an `if` of Python's: n * x where the sum of x is above 0, else -x * (0 + 1 + … + (n - 1))."""
    total = tf.zeros([2])
    for i in tf.range(n):
        if tf.reduce_sum(x) > 0.0:
            total += x
        else:
            total -= x * tf.cast(i, tf.float32)
    return total


@saved("two_signatures", "add", "again")
class TwoSignatures(tf.Module):
    """Two signatures, so two primary subgraphs, with branches of their own each: x + [1, 2], or -x."""

    def __init__(self) -> None:
        """The variable becomes a constant."""
        self.weights = tf.Variable([1.0, 2.0])

    @tf.function(input_signature=signature(FLAG, (tf.float32, [2])))
    def call(self, p: T, x: T) -> T:
        """Inputs stand in the order that the converter likes: x, p."""
        return {"y": tf.cond(p, lambda: x + self.weights, lambda: -x)}


@saved("lacking_variable", "serving_default", experimental_enable_resource_variables=True)
class LackingVariable(tf.Module):
    """A variable that runs change: CALL_ONCE, VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE."""

    def __init__(self) -> None:
        """What CALL_ONCE's subgraph sets."""
        self.total = tf.Variable([1.0, 2.0])

    @tf.function(input_signature=signature(FLAG, (tf.float32, [2])))
    def call(self, p: T, x: T) -> T:
        """The total with x, or -x in place of it."""
        self.total.assign(tf.cond(p, lambda: x + self.total, lambda: -x))
        return {"y": self.total.read_value()}


@converted(FLAG, (tf.float32, [3]))
def lacking_exp(p: T, x: T) -> T:
    """An operator in then that the reference lacks; else: -x."""
    return tf.cond(p, lambda: tf.exp(x), lambda: -x)


@converted(FLAG, (tf.string, [2]), supported_ops=["TFLITE_BUILTINS", "SELECT_TF_OPS"])
def lacking_custom(p: T, s: T) -> T:
    """A custom operator, FlexStringJoin, in then; else: s."""
    return tf.cond(p, lambda: tf.strings.join([s, s]), lambda: s)


def words(enumeration: type) -> dict[int, str]:
    """An enumeration of the schema, the other way round."""
    return {code: word for word, code in vars(enumeration).items() if isinstance(code, int)}


OPERATORS, TYPES = words(schema.BuiltinOperator), words(schema.TensorType)


def port(tensor: schema.TensorT) -> str:
    """Its name, type and shape."""
    dims = tensor.shape if tensor.shapeSignature is None else tensor.shapeSignature
    shape = ",".join("?" if dim < 0 else str(dim) for dim in dims if dims is not None)
    return f"{tensor.name.decode()}: {TYPES[tensor.type]}[{shape if tensor.hasRank else '...'}]"


def subgraph(graph: schema.SubGraphT, operators: list[str]) -> str:
    """Its name and ports, and its operators in order."""
    inputs, outputs = (", ".join(port(graph.tensors[i]) for i in side) for side in (graph.inputs, graph.outputs))
    computed = " ".join(operators[operator.opcodeIndex] for operator in graph.operators or [])
    return f"{graph.name.decode()}({inputs}) -> ({outputs}): {computed or 'no operator'}"


def described(name: str, content: bytes) -> dict[str, Any]:
    """What provenance.json tells of a file."""
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(content, 0))
    operators = [
        code.customCode.decode() if code.customCode else OPERATORS[max(code.builtinCode, code.deprecatedBuiltinCode)]
        for code in model.operatorCodes or []
    ]
    return {
        "function": FUNCTIONS[name].__name__,
        "meaning": FUNCTIONS[name].__doc__,
        "options": OPTIONS[name],
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "signatures": [definition.signatureKey.decode() for definition in model.signatureDefs or []],
        "metadata": [entry.name.decode() for entry in model.metadata or []],
        "subgraphs": [subgraph(graph, operators) for graph in model.subgraphs],
    }


def write(name: str, folder: Path) -> None:
    """NAME.tflite, and of it NAME.json."""
    with tempfile.TemporaryDirectory() as saved_model:
        content = CONVERTERS[name](saved_model).convert()
    (folder / f"{name}.tflite").write_bytes(content)
    (folder / f"{name}.json").write_text(json.dumps(described(name, content)))


def main(folder: Path) -> int:
    """All of them."""
    files = {}
    for name in CONVERTERS:
        process = multiprocessing.get_context("fork").Process(target=write, args=(name, folder))
        process.start()
        process.join()
        if process.exitcode != 0:
            print(f"{name} is not converted", file=sys.stderr)
            return 1
        description = folder / f"{name}.json"
        files[name] = json.loads(description.read_text())
        description.unlink()
    told = {"tensorflow": tf.version.VERSION, "converter": "tf.lite.TFLiteConverter", "files": files}
    (folder / "converted.json").write_text(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
