"""An If in a branch of another one, both conds constant: a list comes out where the branches not taken have scalars."""

from collections.abc import Iterator

from ifcert.authoring import Run, Vector, floats, model


def vectors() -> Iterator[Vector]:
    x = floats(3, -5)
    for opset in (12, 13):
        yield Vector(
            f"onnx/if/constant-cond-same-result/list-beside-two-scalars-opset-{opset}",
            f"opset {opset}: else holds an If, whose then returns a list; the branches not taken return scalars",
            ["if-else-branch-runs", "if-different-shapes"],
            model(
                """
                g (float[2] x) => (float[n] y)
                <bool outer = {0}, bool inner = {1}, float one = {7}, float[2] list = {1, 2}, int64[1] flat = {-1}> {
                    r = If (outer) <
                        then_branch = outer_then () => (a) { a = Identity (one) },
                        else_branch = outer_else () => (b) {
                            b = If (inner) <
                                then_branch = inner_then () => (c) { c = Identity (list) },
                                else_branch = inner_else () => (d) { d = Identity (one) }>
                        }>
                    s = Reshape (r, flat)
                    y = Mul (x, s)
                }""",
                opset,
            ),
            [Run({"x": x}, {"y": floats(3, -10)})],
        )
