"""The cross of what optimizers rewrite: where a pattern lies, and how its parts are joined."""

from ifcert.authoring.crosses.dimensions import Cross, Dimension, without
from ifcert.authoring.rewrites.places import DIMENSIONS

ABOUT = {
    "pattern-place": "where the two parts of the pattern lie",
    "constants": "where its constants are",
    "no-op": "what lies between the parts and changes nothing",
    "m-reader": "what else reads m, the value between the parts",
    "width": "the shape of constants that may be of any",
    "pattern-cond": "the If's cond",
}

PLAIN = {"no-op": "nothing", "m-reader": "nothing", "width": "that of the pattern", "pattern-cond": "fed"}

REWRITES = Cross(
    "onnx",
    [
        Dimension(name, ABOUT[name], {value: meaning or PLAIN[name] for value, meaning in values.items()})
        for name, values in DIMENSIONS.items()
    ],
    [
        without(
            "where the first part is in the branches, they return m anyway",
            **{"pattern-place": "out", "m-reader": "output"},
        )
    ],
    (),
    part="rewrites",
)
