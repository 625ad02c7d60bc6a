"""The cross of what is invalid in TensorFlow Lite: faults, where the operators lie, and how deep."""

from ifcert.authoring.crosses.dimensions import Cross, Dimension, without
from ifcert.authoring.faulty.tflite_faults import TABLE

PLACE = Dimension(
    "place",
    "who enters the subgraph that holds them",
    {
        "executed": "it is the primary one",
        "untaken": "nobody: it is a subgraph of another IF that no run takes",
        "untripped": "nobody: it is the body of a WHILE that makes no trip",
        "unentered": "nobody: no operator invokes it",
    },
)
DEPTH = Dimension(
    "depth",
    "how many IFs or WHILEs deep they lie there",
    {"1": "none: they lie there themselves", "2": "in a subgraph invoked there", "3": "in one invoked by such a one"},
)
AROUND = Dimension(
    "around",
    "which subgraphs those are",
    {
        "then": "then subgraphs, as is the untaken one",
        "else": "else subgraphs, as is the untaken one",
        "loop": "bodies of WHILEs of one trip",
    },
)

EXCLUSIONS = [
    without("there is no subgraph around them there", depth="1", around="loop"),
    without("there is no branch around them", depth="1", around="else", place="executed untripped unentered"),
]

TFLITE_FAULTS = Cross("tflite", [TABLE.dimension(), PLACE, DEPTH, AROUND], EXCLUSIONS, (), part="faults")
