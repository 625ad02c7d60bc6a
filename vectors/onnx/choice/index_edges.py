"""Conds behind operators of indices, lengths and places, at both ends of what each index may be."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from ifcert.authoring import Run, Vector, Why, absent, codes, floats, model, says, sequence, some, vectors_of
from ifcert.authoring.edges import every, listed, numbers
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.values import Writable

cond_source = vectors_of("onnx/if/cond-source")

X = floats(1, -2)
INDICES = ("int32", "int64")

Fed = tuple[dict[str, Writable], bool]  # what is fed, and whether cond is true


def _choice(
    case: str, inputs: str, nodes: str, rows: Sequence[Fed], *why: Why, stored: str = "", opset: int = 18
) -> Vector:
    """`nodes` make c of the inputs."""
    text = f"""
        g ({inputs}, float[2] x) => (float[2] y) {f"<{stored}>" if stored else ""} {{
            {nodes}
            y = If (c) <
                then_branch = then_graph () => (float[2] a) {{ a = Add (x, x) }},
                else_branch = else_graph () => (float[2] b) {{ b = Neg (x) }}>
        }}"""
    runs = [Run(fed | {"x": X}, {"y": X + X if truth else -X}) for fed, truth in rows]
    return cond_source(case, model(text, opset), runs, why=["if-cond", *why])


def _gathers() -> Iterator[Vector]:
    """The element at each end of lists of several lengths, alone true and alone false."""
    lists = [(at, np.arange(length) == at % length) for length in (1, 2, 3, 17) for at in {-length, -1, 0, length - 1}]
    for element in INDICES:
        index = ELEMENTS[element].numpy
        for case, operator, shape, sentence in [
            ("gather", "Gather", [], says("operators-gather-index-range", "operators-gather-bool-data")),
            ("gather-elements", "GatherElements", [1], "operators-gatherelements-places"),
        ]:
            yield _choice(
                f"edges-of-{case}-{element}: cond is the element at an end of a list, by {operator} of an {element}",
                f"bool[n] list, {element}[{shape[0] if shape else ''}] at".replace("[] at", " at"),
                f"c = {operator} (list, at)",
                [
                    ({"list": flags, "at": np.full(shape, at, index)}, bool(flags[at]))
                    for at, only in lists
                    for flags in (only, ~only)
                ],
                sentence,
            )


def _sliced(length: int, start: int, end: int, step: int) -> list[int]:
    """The places that Slice takes, as its text computes them."""
    start, end = (each + length if each < 0 else each for each in (start, end))
    if step > 0:
        return list(range(min(max(start, 0), length), min(max(end, 0), length), step))
    return list(range(min(max(start, 0), length - 1), min(max(end, -1), length - 1), step))


def _slices() -> Iterator[Vector]:
    """The sum of a slice of powers of two tells which of them are in it."""
    length = 3
    for element in INDICES:
        index = ELEMENTS[element].numpy
        least, greatest = np.iinfo(index).min, np.iinfo(index).max
        ends = [least, -length - 1, -length, -1, 0, length - 1, length, greatest]
        slices = [
            (start, end, step) for turn, (start, end) in enumerate(product(ends, ends)) for step in [1 - turn % 2 * 2]
        ]
        slices += [(end, start, step) for (start, end, step) in slices[1::5]]
        slices += [(0, greatest, 2), (0, greatest, greatest), (-1, least, -2), (-1, least, -greatest)]
        sums = [sum(2**place for place in _sliced(length, *each)) for each in slices]
        yield _choice(
            f"edges-of-slice-{element}: cond says whether a slice of a list is another; its ends are of {element}",
            f"int64[n] list, {element}[1] start, {element}[1] end, {element}[1] step, int64 want",
            "part = Slice (list, start, end, zero, step)  sum = ReduceSum <keepdims = 0> (part)  c = Equal (sum, want)",
            [
                (
                    {"list": np.int64([1, 2, 4])}
                    | {name: np.array([at], index) for name, at in zip(("start", "end", "step"), bounds, strict=True)}
                    | {"want": np.int64(want)},
                    want == total,
                )
                for bounds, total in zip(slices, sums, strict=True)
                for want in (total, total ^ 2)
            ],
            says("operators-slice-starts-clamped", "operators-slice-ends-clamped"),
            stored=f"{element}[1] zero = {{0}}",
        )


def _shapes() -> Iterator[Vector]:
    """Parts of a shape, each as the sum of its dims, which tells them apart."""
    ends = [
        (None, None),
        (-9, 1),
        (-3, 2),
        (-1, None),
        (0, 9),
        (1, -1),
        (2, 1),
        (3, None),
        (None, -3),
        (9, 9),
        (None, 0),
        (0, 0),
        (-2, 0),
    ]
    dims = [2, 3, 5]
    nodes, wants = [], []
    for number, (start, end) in enumerate(ends):
        given = ", ".join(f"{name} = {at}" for name, at in (("start", start), ("end", end)) if at is not None)
        # The text clamps negative ends that are out of range as slices of Python are.
        wants.append(sum(dims[start:end]))
        options = f"<{given}>" if given else ""
        nodes.append(f"s{number} = Shape {options} (t)  n{number} = ReduceSum (s{number})")
    joined = ", ".join(f"n{number}" for number in range(len(ends)))
    yield _choice(
        "edges-of-shape: cond says whether the sum of some dims of t is another; start and end are within and beyond",
        "float[i, j, k] t, int64 row, int64 want",
        f"{'  '.join(nodes)}  sums = Concat <axis = 0> ({joined})  sum = Gather (sums, row)  c = Equal (sum, want)",
        [
            ({"t": np.zeros(dims, np.float32), "row": np.int64(row), "want": np.int64(want)}, want == total)
            for row, total in enumerate(wants)
            for want in (total, total + 1)
        ],
        "operators-shape-ends-clamped",
    )
    yield _choice(
        "edges-of-size: cond is how many elements t has, cast to bool",
        "float[i, j] t",
        "size = Size (t)  c = Cast <to = 9> (size)",
        [({"t": np.zeros(shape, np.float32)}, shape[0] * shape[1] != 0) for shape in product((0, 1, 256), repeat=2)],
        says("operators-size", "operators-cast-fixed-to-bool"),
    )


def _held_or_not() -> Iterator[Vector]:
    number, items = np.float32(7), [np.float32([1]), np.float32([2])]
    of_tensors = "seq(tensor(float32))"
    for case, what, type_, rows in [
        ("tensor", "a tensor", "optional(float)", [(some(number), True), (absent("tensor(float32)"), False)]),
        (
            "sequence",
            "a sequence, which may be empty",
            "optional(seq(float[1]))",
            [
                (some(sequence("tensor(float32)", items)), True),
                (absent(of_tensors), False),
                (some(sequence("tensor(float32)")), True),
            ],
        ),
    ]:
        yield _choice(
            f"edges-of-optional-has-element-{case}: cond says whether an optional holds {what}",
            f"{type_} o",
            "c = OptionalHasElement (o)",
            [({"o": o}, truth) for o, truth in rows],
            "operators-optionalhaselement",
        )
    yield _choice(
        "edges-of-optional-has-element-of-none: cond is OptionalHasElement of a tensor, of a sequence, or of nothing",
        "float t, seq(float) s, int64 row",
        "of_tensor = OptionalHasElement (t)  of_sequence = OptionalHasElement (s)  of_none = OptionalHasElement ()"
        "  all = SequenceConstruct (of_tensor, of_sequence, of_none)  c = SequenceAt (all, row)",
        [
            ({"t": number, "s": sequence("tensor(float32)"), "row": np.int64(row)}, truth)
            for row, truth in enumerate([True, True, False])
        ],
        says("operators-optionalhaselement", "operators-sequenceat"),
    )


def _sequences() -> Iterator[Vector]:
    flags = [np.bool_([False, True]), np.bool_([True]), np.bool_([])]
    yield _choice(
        "edges-of-sequence-length: cond says whether a sequence has this many items",
        "seq(bool[n]) list, int64 want",
        "length = SequenceLength (list)  c = Equal (length, want)",
        [
            ({"list": sequence("tensor(bool)", flags[:length]), "want": np.int64(want)}, length == want)
            for length, want in product(range(4), repeat=2)
        ],
        says("operators-sequencelength", "operators-equal"),
    )
    for element in INDICES:
        index = np.dtype(ELEMENTS[element].numpy).type
        yield _choice(
            f"edges-of-sequence-at-{element}: cond is an item at an end of a sequence, at an {element}",
            f"seq(bool) list, {element} at",
            "c = SequenceAt (list, at)",
            [
                (
                    {
                        "list": sequence(
                            "tensor(bool)", [np.bool_((place == at % length) == truth) for place in range(length)]
                        ),
                        "at": index(at),
                    },
                    truth,
                )
                for length in (1, 2, 3)
                for at in sorted({-length, -1, 0, length - 1})
                for truth in (True, False)
            ],
            says("operators-sequenceat", "operators-sequenceat-range"),
        )


def _extremes() -> Iterator[Vector]:
    """The greatest of boundary values: which it is, the first or the last of equals, and of an empty list."""
    for element in ("float32", "float64", "int32", "int64"):
        rising = numbers(element)
        lists = [rising[:3], rising[2::-1], rising[-3:], rising[:-4:-1], [rising[0]] * 3, [rising[-1]], rising[::7]]
        middle = [edge for edge in rising if abs(edge.exact) < 1e-30]
        lists += [middle, middle[::-1]]
        for last in (0, 1):
            rows = []
            for each in lists:
                greatest = max(edge.exact for edge in each)
                places = [place for place, edge in enumerate(each) if edge.exact == greatest]
                for want in {places[0], places[-1], 0}:
                    fed = {"list": listed(each), "want": np.int64(want)}
                    rows.append((fed, want == places[-last]))
            yield _choice(
                f"edges-of-arg-max-{'last' if last else 'first'}-{element}: "
                f"cond says whether the {'last' if last else 'first'} of the greatest in a list of {element} is here",
                f"{ELEMENTS[element].text}[n] list, int64 want",
                f"at = ArgMax <keepdims = 0, select_last_index = {last}> (list)  c = Equal (at, want)",
                rows,
                says("operators-argmax-equals", "operators-equal"),
            )
        lowest = -np.inf if "float" in element else np.iinfo(element).min
        highest = np.inf if "float" in element else np.iinfo(element).max
        for operator, of_empty, best in [("ReduceMax", lowest, max), ("ReduceMin", highest, min)]:
            rows = []
            for each in lists:
                found = best(each, key=lambda edge: edge.exact)
                other = next((edge for edge in rising if edge.exact != found.exact), found)
                rows += [
                    ({"list": listed(each), "want": edge.tensor()}, edge.exact == found.exact)
                    for edge in (found, other)
                ]
            none = np.array([], ELEMENTS[element].numpy)
            rows += [
                ({"list": none, "want": np.array(want, ELEMENTS[element].numpy)}, want == of_empty)
                for want in (of_empty, 0)
            ]
            yield _choice(
                f"edges-of-reduce-{operator[6:].lower()}-{element}: "
                f"cond says whether {operator} of a list of {element}, which may be empty, is another",
                f"{ELEMENTS[element].text}[n] list, {ELEMENTS[element].text} want",
                f"best = {operator} <keepdims = 0> (list)  c = Equal (best, want)",
                rows,
                says(f"operators-{operator.lower()}-empty", "operators-equal"),
                opset=20,
            )
    for operator, truth in [("ReduceMax", any), ("ReduceMin", all)]:
        yield _choice(
            f"edges-of-reduce-{operator[6:].lower()}-bool: cond is {operator} of a list of booleans, or of none",
            "bool[n] list",
            f"c = {operator} <keepdims = 0> (list)",
            [
                ({"list": np.array(flags, np.bool_)}, truth(flags))
                for length in range(4)
                for flags in product([False, True], repeat=length)
            ],
            says(f"operators-{operator.lower()}-empty", "operators-reducemax-booleans"),
            opset=20,
        )


def _places_of_others_than_zero() -> Iterator[Vector]:
    for element in ("float16", "float32", "float64", "int32", "int64", "uint8"):
        zeros = [edge for edge in numbers(element) if edge.exact == 0]
        lists = [[edge] for edge in every(element)]
        lists += [[*zeros * 5, edge] for edge in every(element)] + [zeros * 5]
        yield _choice(
            f"edges-of-non-zero-{element}: cond says whether NonZero finds any element of a list of {element}",
            f"{ELEMENTS[element].text}[n] list",
            "places = NonZero (list)  count = Size (places)  c = Cast <to = 9> (count)",
            [
                *(({"list": listed(each)}, any(edge.exact != 0 for edge in each)) for each in lists),
                ({"list": codes(element, [0], [])}, False),
            ],
            says("operators-nonzero", "operators-cast-fixed-to-bool"),
        )


def _one_hot() -> Iterator[Vector]:
    depth = 3
    for element in INDICES:
        index = np.dtype(ELEMENTS[element].numpy).type
        ends = [np.iinfo(index).min, -depth - 1, -depth, -1, 0, depth - 1, depth, np.iinfo(index).max]
        yield _choice(
            f"edges-of-one-hot-{element}: cond is an element of OneHot of an {element}, which may be out of range",
            f"{element}[1] at, int64 place",
            "row = OneHot (at, depth, off_and_on)  found = Gather <axis = 1> (row, place)  c = Cast <to = 9> (found)",
            [
                ({"at": np.array([at], index), "place": np.int64(place)}, -depth <= at < depth and at % depth == place)
                for at in ends
                for place in (0, depth - 1)
            ],
            says("operators-onehot", "operators-onehot-outside", "operators-cast-fixed-to-bool"),
            stored=f"{element} depth = {{{depth}}}, {element}[2] off_and_on = {{0, 1}}",
        )


def _ranges() -> Iterator[Vector]:
    """As many numbers as there are from start to limit; the quotients are exact."""
    ends = [
        (0, 0, 1),
        (0, 3, 1),
        (3, 0, 1),
        (3, 0, -1),
        (0, 3, -1),
        (0, 3, 2),
        (0, 4, 2),
        (-5, 6, 4),
        (7, -8, -5),
        (2, 3, 9),
    ]
    halves = [(start / 2, limit / 2, delta / 2) for start, limit, delta in ends]
    for element in ("int32", "int64", "float32", "float64"):
        number = np.dtype(ELEMENTS[element].numpy).type
        rows = ends if element.startswith("int") else halves
        yield _choice(
            f"edges-of-range-{element}: cond says whether Range of {element} has this many elements",
            ", ".join(f"{ELEMENTS[element].text} {name}" for name in ("start", "limit", "delta")) + ", int64 want",
            "list = Range (start, limit, delta)  size = Size (list)  c = Equal (size, want)",
            [
                (
                    {"start": number(start), "limit": number(limit), "delta": number(delta), "want": np.int64(want)},
                    want == count,
                )
                for start, limit, delta in rows
                for count in [max(int(-(-(limit - start) // delta)), 0)]
                for want in (count, count + 1)
            ],
            says("operators-range-length", "operators-size"),
        )


def _selects() -> Iterator[Vector]:
    yield _choice(
        "edges-of-where: cond is one of two booleans, as a third chooses",
        "bool p, bool q, bool r",
        "c = Where (p, q, r)",
        [
            ({"p": np.bool_(p), "q": np.bool_(q), "r": np.bool_(r)}, q if p else r)
            for p, q, r in product([False, True], repeat=3)
        ],
        "operators-where",
    )
