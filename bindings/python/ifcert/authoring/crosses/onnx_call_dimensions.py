"""The cross of calls in ONNX: what a call of a local function takes and passes, where it is, and what is imported."""

from ifcert.authoring.crosses.dimensions import Cross, Dimension, without

TAKEN = Dimension(
    "taken",
    "which of the function's three outputs the call takes",
    {
        "all": "all",
        "trailing": "the first two: it leaves out the last",
        "first": "the last two: the first has the empty name",
        "middle": "the first and the last: the one between has the empty name",
    },
    always=True,
)
ATTRIBUTE = Dimension(
    "attribute",
    "how the first call in that function gives the attribute a to the function that it calls; a second call gives it "
    "as a number, and the function around has an attribute of this name, too",
    {
        "handed-on": "by a reference to that attribute",
        "renamed": "by a reference to another attribute",
        "default": "not at all: it has its default",
        "omitted": "not at all, and it has no default: the node that refers to it has that of its operator",
    },
)
HOLDER = Dimension(
    "holder",
    "what holds the call",
    {
        "main": "the main graph",
        "branches": "both branches of an If",
        "loop": "a Loop's body",
        "scan": "a Scan's body",
        "function": "both branches of an If in another function",
        "passed": "both graphs that a call passes for the branches of another function's If",
    },
)
PASSES = Dimension(
    "passes",
    "the graphs that the call passes for the branches of the Ifs in the function",
    {
        "none": "none: the Ifs have their own",
        "one": "one; the other has its default",
        "handed-on": "both, to a function that hands them on to this one",
        "again": "both, and they call the function again: one for floats of another shape, with the default graphs, "
        "one for doubles of another shape, with other graphs",
    },
)
IMPORTS = Dimension(
    "imports",
    "the versions of ONNX's operators that are imported",
    {
        "same": "17, by all",
        "earlier": "16 by the function, in which its operators are the same",
        "older": "11 by the function, in which its Softmax and its Squeeze are others",
        "function-lower-first": "12 and 17 by the function",
        "function-higher-first": "17 and 12 by the function",
        "model-lower-first": "12 and 17 by the model",
        "model-higher-first": "17 and 12 by the model",
    },
)
RUNS = Dimension(
    "runs",
    "the runs of the session",
    {
        "flipped": "two; the function's cond is true, then false",
        "turned": "two; it is false, then true",
        "shapes": "three; it is true, false and true, and the second has another shape",
    },
)

EXCLUSIONS = [
    without(
        "whether a graph that a call passes may read values around the call is open (in-function/given-graph-captures),"
        " so that what is called there reads constants",
        holder="passed",
        runs="shapes",
    )
]

ONNX_CALLS = Cross(
    "onnx",
    [TAKEN, ATTRIBUTE, HOLDER, PASSES, IMPORTS, RUNS],
    EXCLUSIONS,
    ("attribute", "holder", "passes", "runs"),
    part="calls",
)
