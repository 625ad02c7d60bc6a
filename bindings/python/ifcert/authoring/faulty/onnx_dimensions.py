"""The cross of what is invalid in ONNX: faults, where the If lies, and how deep."""

from ifcert.authoring.crosses.dimensions import Cross, Dimension, without
from ifcert.authoring.faulty.onnx_faults import TABLE

PLACE = Dimension(
    "place",
    "who enters what holds the If",
    {
        "executed": "the main graph, in each run",
        "untaken": "nobody: it is a branch of another If that no run takes",
        "untripped": "nobody: it is the body of a Loop that makes no trip",
        "unscanned": "nobody: it is the body of a Scan over no elements",
        "uncalled": "nobody: it is a function that nothing calls",
    },
)
DEPTH = Dimension(
    "depth",
    "how many Ifs, Loops or Scans deep it lies there",
    {"1": "none: it lies there itself", "2": "in a body there", "3": "in a body in a body there"},
)
AROUND = Dimension(
    "around",
    "which bodies those are",
    {
        "then": "then branches, as is the untaken one",
        "else": "else branches, as is the untaken one",
        "loop": "bodies of Loops of one trip",
        "scan": "bodies of Scans over one element",
    },
)

EXCLUSIONS = [
    without("there is no body around it there", depth="1", around="loop scan"),
    without("there is no branch around it", depth="1", around="else", place="executed untripped unscanned uncalled"),
    without("only a function is called", fault="calls-itself", place="executed untaken untripped unscanned"),
    without("proto-reference-in-function", fault="attribute-refers", place="uncalled"),
    without(
        "no text says whether a file that no run reads may be missing",
        fault="weight-file-missing",
        place="untaken untripped unscanned uncalled",
    ),
    without(
        "before IR 10 a function declares none of its values",
        fault="declared-of-another-type declared-of-another-shape",
        place="uncalled",
        depth="1",
    ),
]

ONNX_FAULTS = Cross("onnx", [TABLE.dimension(), PLACE, DEPTH, AROUND], EXCLUSIONS, (), part="faults")
