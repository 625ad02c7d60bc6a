"""The cross of what is invalid in OpenVINO IR: faults, where the If lies, and how deep."""

from ifcert.authoring.crosses.dimensions import Cross, Dimension, without
from ifcert.authoring.faulty.openvino_faults import TABLE

PLACE = Dimension(
    "place",
    "who enters the network that holds the If",
    {
        "executed": "it is the main one, and a Result needs it",
        "untaken": "nobody: it is a body of another If that no run takes",
        "unneeded": "it is the main one, but no Result needs the If",
    },
)
DEPTH = Dimension(
    "depth",
    "how many Ifs deep it lies there",
    {"1": "none: it lies there itself", "2": "in a body there", "3": "in a body in a body there"},
)
AROUND = Dimension(
    "around",
    "which bodies those are",
    {"then": "then bodies, as is the untaken one", "else": "else bodies, as is the untaken one"},
)

EXCLUSIONS = [without("there is no body around it", depth="1", around="else", place="executed unneeded")]

OPENVINO_FAULTS = Cross("openvino", [TABLE.dimension(), PLACE, DEPTH, AROUND], EXCLUSIONS, (), part="faults")
