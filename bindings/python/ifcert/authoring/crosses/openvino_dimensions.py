"""The cross of OpenVINO IR: what a model with an If can vary in, and what cannot go together."""

from ifcert.authoring.crosses.dimensions import Cross, Dimension, without

COND = Dimension(
    "cond",
    "where cond comes from",
    {
        "fed": "a Parameter of the main network",
        "constant": "a Const beside the If",
        "folded": "computed beside the If from a Const",
        "computed": "computed beside the If from two numbers that are fed",
        "chosen": "the result of another If",
        "output": "a Parameter of the main network that it returns as well",
    },
)
PLACE = Dimension(
    "place",
    "the network in which the If lies",
    {
        "main": "the main network",
        "then": "then_body of another If",
        "else": "else_body of another If",
        "deep": "then_body of an If in else_body of another",
    },
)
CAPTURE = Dimension(
    "capture",
    "through how many port maps the value that the bodies read comes, from the network of the If",
    {"1": "one", "none": "none: it is a Const of the body", "2": "two: it is read by an If in the body", "3": "three"},
)
FEEDS = Dimension(
    "feeds",
    "how the inputs of the If feed the Parameters of its bodies",
    {
        "plain": "each input one Parameter, in the same order",
        "crossed": "else_body has its Parameters in the other order",
        "same": "two inputs are one value, and then_body reads the one, else_body the other",
        "twice": "one input feeds two Parameters of each body",
        "unread": "one input feeds nothing",
        "uneven": "one input feeds then_body alone, which reads it",
    },
)
IDENTITY = Dimension(
    "identity",
    "a second If beside it, on the same cond, that is the same but for one key",
    {
        "none": "there is none",
        "name": "the names of its layer and of those in its bodies",
        "bytes": "the bytes of its Const",
        "shape": "the shape of its Const",
        "operator": "the operators of its bodies",
        "swapped": "its bodies, which are exchanged",
        "input": "the value that its bodies read",
    },
)
RETURNS = Dimension(
    "returns",
    "what then_body returns",
    {
        "computed": "a value that it computes",
        "passed": "its Parameter",
        "constant": "a Const",
        "twice": "one value to two Results",
    },
)
OPERAND = Dimension(
    "operand",
    "the number that the bodies compute with",
    {"own": "a Const of the body", "main": "a Const of the main network", "fed": "a Parameter of the main network"},
)
RUNS = Dimension(
    "runs",
    "the runs of the session",
    {
        "flipped": "two, in which what decides cond differs",
        "once": "one",
        "shapes": "two, whose inputs have different lengths",
        "held": "two; the results of the first are read again after the second",
        "concurrent": "two at the same time",
    },
)
TYPE = Dimension(
    "type",
    "the element type of what the bodies return",
    {name: name for name in ("float32", "float16", "int32", "int64", "uint8", "int8", "bool")},
)
SHAPES = Dimension(
    "shapes",
    "the shapes that the bodies return",
    {
        "same": "equal",
        "length": "else_body's is twice as long",
        "rank": "else_body's has one dim more",
        "empty": "then_body's has no elements",
    },
)
DECLARED = Dimension(
    "declared",
    "the dims that the layers and ports declare",
    {"known": "as far as they are known", "unknown": "none of x, nor of what comes of it", "rank": "not even a rank"},
)
READER = Dimension(
    "reader",
    "who reads the If's first output",
    {
        "result": "a Result of its network alone",
        "operator": "an operator",
        "both": "a Result and an operator",
        "cond": "what decides another If's cond",
        "bodies": "both bodies of another If",
        "unread": "nobody; the second output is returned",
    },
)
OUTPUTS = Dimension("outputs", "the number of the If's outputs", {"1": "one", "2": "two", "3": "three"})
FIRST = Dimension(
    "first", "cond in the first run (and in all, where it is constant)", {"true": "true", "false": "false"}
)
LAYERS = Dimension(
    "layers",
    "the order of the layers in each network",
    {"written": "producers first", "reversed": "producers last"},
)
EDGES = Dimension(
    "edges",
    "the order of the edges, and of the entries of port maps",
    {"written": "by their target", "reversed": "the other way round"},
)
IDS = Dimension(
    "ids",
    "the ids of layers",
    {"rising": "0, 1, 2, …", "gaps": "with gaps", "falling": "falling", "large": "falling from 4294967295"},
)
PORTS = Dimension("ports", "the ids of the If's ports", {"rising": "0, 1, 2, …", "gaps": "with gaps"})
NAMES = Dimension(
    "names",
    "the names of layers in bodies",
    {"own": "in no other network", "alike": "those of layers of the main network"},
)

EXCLUSIONS = [
    without("it has no Parameter to return", returns="passed", capture="none"),
    without("a body without Parameters is fed by no input", capture="none", feeds="crossed same twice uneven"),
    without("a body has one Parameter, which has no other order", operand="own", feeds="crossed"),
    without("whether ids with gaps must be accepted is open: a refused run holds nothing", ports="gaps", runs="held"),
    without("no input would be one of two", capture="none", operand="main fed"),
    without("no Const of the bodies could differ", identity="bytes shape", operand="main fed"),
    without("the body returns what it is given", identity="shape", returns="passed"),
    without("its bodies read no value", identity="input", capture="none"),
    without("then_body reads nothing", returns="constant", feeds="same uneven"),
    without("then_body reads nothing", shapes="empty", feeds="same uneven"),
    without("it is about two outputs", returns="twice", outputs="1"),
    without("the second output is what is returned", reader="unread", outputs="1"),
    without("no input has a shape: the bodies read nothing", capture="none", runs="shapes"),
    without("x is known where its length is the same in all runs", declared="known", runs="shapes"),
    without("the dims of the Ifs' outputs are not known then", declared="known", shapes="length rank empty"),
    without("its rank is not known then", declared="unknown", shapes="rank"),
    without("what then_body returns has no elements", shapes="empty", returns="passed constant twice"),
]

OPENVINO = Cross(
    "openvino",
    [
        COND,
        PLACE,
        CAPTURE,
        FEEDS,
        IDENTITY,
        RETURNS,
        OPERAND,
        RUNS,
        TYPE,
        SHAPES,
        DECLARED,
        READER,
        OUTPUTS,
        FIRST,
        LAYERS,
        EDGES,
        IDS,
        PORTS,
        NAMES,
    ],
    EXCLUSIONS,
    triples=("cond", "place", "capture", "feeds"),
)
