"""Lists of axes: rising, falling and mixed, counted from the front and from the back, and both in one list."""

from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Run, Vector, Why, branches, floats, model, says, vectors_of

cond_source = vectors_of("onnx/if/cond-source")
shape_union = vectors_of("onnx/if/shape-union")
in_scan = vectors_of("onnx/if/in-scan", "operators-scan-input-axes", "operators-scan-output-axes")

X = floats(1, -2)
DIMS = (2, 3, 5)

# Of three axes: which are which, counted from the front and from the back.
ORDERS: dict[str, tuple[int, ...]] = {
    "rising": (0, 1, 2),
    "falling": (2, 1, 0),
    "mixed": (1, 2, 0),
    "negative-rising": (-3, -2, -1),
    "negative-falling": (-1, -2, -3),
    "negative-mixed": (-2, -3, -1),
    "signs-rising": (0, -2, 2),
    "signs-falling": (-1, 1, -3),
    "signs-mixed": (1, -1, 0),
}
PAIRS: dict[str, tuple[int, ...]] = {
    "rising": (0, 2),
    "falling": (2, 0),
    "negative-rising": (-3, -1),
    "negative-falling": (-1, -3),
    "signs-rising": (0, -1),
    "signs-falling": (-1, 0),
    "signs-of-the-back-first": (-3, 2),
    "signs-of-the-front-last": (2, -3),
}

NUMBERS = np.arange(30, dtype=np.float32).reshape(DIMS) - 11


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(str(each) for each in numbers)


def _reshaping(operator: str, name: str, axes: Sequence[int], data: np.ndarray, want: np.ndarray, *why: Why) -> Vector:
    """Then returns data with the dims of `want`, else as a list; the axes are an initializer of then."""
    dims = ",".join("?" * want.ndim)
    text = f"""
        shaped (bool cond, float[{_listed(data.shape)}] x) => (float[?] y) <int64[1] whole = {{-1}}> {{
            r = If (cond) <
                then_branch = then_graph () => (float[{dims}] a) <int64[{len(axes)}] axes = {{{_listed(axes)}}}>
                    {{ t = {operator} (x, axes)  a = Neg (t) }},
                else_branch = else_graph () => (float[?] b) {{ b = Reshape (x, whole) }}>
            dims_of_r = Shape (r)
            flat = Reshape (r, whole)
            floats_of_dims = Cast <to = 1> (dims_of_r)
            y = Concat <axis = 0> (floats_of_dims, flat)
        }}"""
    return shape_union(
        f"axes-of-{operator.lower()}-{name}: then returns {operator} along axes {list(axes)}; its dims are read",
        model(text, 18),
        branches(
            {"x": data},
            then={"y": np.concatenate([floats(*want.shape), -data.ravel()])},
            else_={"y": np.concatenate([floats(data.size), data.ravel()])},
        ),
        why=["if-declared-shape", *why],
    )


def _unsqueezed() -> Iterator[Vector]:
    """[2, 3] becomes of rank 5, with a 1 at 0, 2 and 4; the axes are of the result."""
    data, want = NUMBERS.ravel()[:6].reshape(2, 3), np.zeros((1, 2, 1, 3, 1))
    for name, order in ORDERS.items():
        axes = [each * 2 if each >= 0 else each * 2 + 1 for each in order]
        yield _reshaping("Unsqueeze", name, axes, data, want, "operators-unsqueeze-order")


def _squeezed() -> Iterator[Vector]:
    """[1, 2, 1, 3, 1] loses the 1 at 0, 2 and 4."""
    data = NUMBERS.ravel()[:6].reshape(1, 2, 1, 3, 1)
    for name, order in ORDERS.items():
        axes = [each * 2 if each >= 0 else each * 2 + 1 for each in order]
        yield _reshaping("Squeeze", name, axes, data, np.zeros((2, 3)), "operators-squeeze-axes")


def _cond_of(operator: str, name: str, nodes: str, stored: str, part: np.ndarray, *why: Why) -> Vector:
    """The nodes make p of x; cond is whether p has the dims and the numbers of the part, or of another."""
    text = f"""
        chosen (float[2,3,5] x, float[n] want, float[2] v) => (float[2] y) <{stored}> {{
            {nodes}
            whole = Constant <value = int64[1] {{-1}}> ()
            dims = Shape (p)
            floats_of_dims = Cast <to = 1> (dims)
            flat = Reshape (p, whole)
            all = Concat <axis = 0> (floats_of_dims, flat)
            same = Equal (all, want)
            ones = Cast <to = 6> (same)
            least = ReduceMin <keepdims = 0> (ones)
            c = Cast <to = 9> (least)
            y = If (c) <
                then_branch = then_graph () => (float[2] a) {{ a = Add (v, v) }},
                else_branch = else_graph () => (float[2] b) {{ b = Neg (v) }}>
        }}"""
    want = np.concatenate([floats(*part.shape), part.ravel()])
    other = want.copy()
    other[-1] += 1
    return cond_source(
        f"axes-of-{operator.lower()}-{name}: cond says whether {operator} along axes in this order is another tensor",
        model(text, 18),
        [Run({"x": NUMBERS, "want": each, "v": X}, {"y": X + X if each is want else -X}) for each in (want, other)],
        why=["if-cond", *why],
    )


def _sliced() -> Iterator[Vector]:
    """Each axis has its own start, end and step, which stay with it in every order."""
    bounds = {0: (1, 2, 1), 1: (2, -4, -2), 2: (1, 4, 2)}
    part = NUMBERS[1:2, [2, 0], 1:4:2]
    for name, axes in ORDERS.items():
        starts, ends, steps = zip(*(bounds[each % 3] for each in axes), strict=True)
        lists = {"starts": starts, "ends": ends, "axes": axes, "steps": steps}
        stored = ", ".join(f"int64[3] {each} = {{{_listed(held)}}}" for each, held in lists.items())
        yield _cond_of(
            "Slice",
            name,
            "p = Slice (x, starts, ends, axes, steps)",
            stored,
            part,
            says(
                "operators-slice-axes-made-positive", "operators-slice-starts-clamped", "operators-slice-ends-clamped"
            ),
        )


def _reduced() -> Iterator[Vector]:
    for operator, found in (("ReduceSum", np.sum), ("ReduceMax", np.max), ("ReduceMin", np.min)):
        for turn, (name, axes) in enumerate(PAIRS.items()):
            kept = turn % 2
            yield _cond_of(
                operator,
                name,
                f"p = {operator} <keepdims = {kept}> (x, axes)",
                f"int64[2] axes = {{{_listed(axes)}}}",
                found(NUMBERS, axis=(0, 2), keepdims=bool(kept)),
                says("operators-reduce-axes", "operators-reduce-sum-axes", "operators-reducesum-keepdims"),
            )


def _transposed() -> Iterator[Vector]:
    """A perm has no negative axes; each of the six is another order of dims, which are all different."""
    for perm in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]:
        yield _cond_of(
            "Transpose",
            "-".join(map(str, perm)),
            f"p = Transpose <perm = [{_listed(perm)}]> (x)",
            "",
            NUMBERS.transpose(perm),
            says("operators-transpose-perm", "operators-transpose-axes"),
        )


def _scanned() -> Iterator[Vector]:
    """Two inputs, each along its own axis, and two results, each stacked along its own; the If is in the body."""
    first, second = floats([1, 2, 3], [-4, 5, 6]), floats([7, 8], [-9, 10], [11, 12])
    for name, inputs, outputs in [
        ("rising", (0, 1), (0, 1)),
        ("falling", (1, 0), (1, 0)),
        ("negative-rising", (-2, -1), (-2, -1)),
        ("negative-falling", (-1, -2), (-1, -2)),
        ("signs-rising", (0, -1), (-2, 1)),
        ("signs-falling", (1, -2), (-1, 0)),
    ]:
        text = f"""
            scanned (bool cond, float[?,?] p, float[?,?] q) => (float[?,?] r, float[?,?] s) {{
                r, s = Scan <
                    num_scan_inputs = 2, scan_input_axes = [{_listed(inputs)}], scan_output_axes = [{_listed(outputs)}],
                    body = step (float[3] e, float[3] f) => (float[3] g, float[3] h) {{
                        g, h = If (cond) <
                            then_branch = then_graph () => (float[3] a, float[3] b) {{ a = Add (e, f)  b = Neg (e) }},
                            else_branch = else_graph () => (float[3] c, float[3] d) {{ c = Neg (f)  d = Sub (e, f) }}>
                    }}> (p, q)
            }}"""
        fed = {"p": first if inputs[0] % 2 == 0 else first.T, "q": second.T if inputs[1] % 2 == 0 else second}
        e, f = first, second.T  # the elements, one a row
        yield in_scan(
            f"axes-{name}: the Scan's inputs are scanned along axes {list(inputs)}, its results are stacked along "
            f"{list(outputs)}",
            model(text, 18),
            branches(
                fed,
                then={"r": _stacked(e + f, outputs[0]), "s": _stacked(-e, outputs[1])},
                else_={"r": _stacked(-f, outputs[0]), "s": _stacked(e - f, outputs[1])},
            ),
            why=["operators-scan-input-axes", "operators-scan-output-axes", "operators-scan-output-axes-range"],
        )


def _stacked(rows: np.ndarray, axis: int) -> np.ndarray:
    """Results of rank 1, one a row, stacked along this axis."""
    return rows if axis % 2 == 0 else rows.T


def vectors() -> Iterator[Vector]:
    yield from _unsqueezed()
    yield from _squeezed()
    yield from _sliced()
    yield from _reduced()
    yield from _transposed()
    yield from _scanned()
