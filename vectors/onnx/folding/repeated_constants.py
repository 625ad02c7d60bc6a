"""A branch returns one constant twice, each time through a node of its own, which a reader may compute beforehand."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, model


def vectors() -> Iterator[Vector]:
    x = floats(3, -5)
    for case, title, nodes, first, second in [
        ("constant-through-identities", "an initializer twice", "a = Identity (k)  b = Identity (k)", [1, 2], [1, 2]),
        (
            "computed-constant",
            "a value computed of an initializer, twice",
            "a = Neg (k)  b = Identity (a)",
            [-1, -2],
            [-1, -2],
        ),
        ("two-constants", "two values computed of an initializer", "a = Neg (k)  b = Abs (a)", [-1, -2], [1, 2]),
    ]:
        yield Vector(
            f"onnx/if/output-repeated/{case}",
            f"then returns {title}; each output has a node of its own",
            ["if-then-branch-outputs", "operators-identity-copy"]
            if "Identity" in nodes
            else ["if-then-branch-outputs"],
            model(f"""
                g (bool cond, float[2] x) => (float[2] y, float[2] z) {{
                    y, z = If (cond) <
                        then_branch = then_graph () => (float[2] a, float[2] b) <float[2] k = {{1, 2}}> {{ {nodes} }},
                        else_branch = else_graph () => (float[2] c, float[2] d) {{ c = Neg (x)  d = Abs (x) }}>
                }}"""),
            [
                Run(
                    {"cond": np.bool_(cond), "x": x},
                    {"y": np.float32(first), "z": np.float32(second)} if cond else {"y": -x, "z": np.abs(x)},
                )
                for cond in (True, False, True)
            ],
        )
