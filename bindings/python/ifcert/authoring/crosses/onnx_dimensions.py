"""The cross of ONNX: what a model with an If can vary in, and what cannot go together."""

from ifcert.authoring.crosses.dimensions import Cross, Dimension, without

COND = Dimension(
    "cond",
    "where cond comes from",
    {
        "fed": "an input of the main graph",
        "initializer": "an initializer of the main graph",
        "constant": "a Constant beside the If",
        "folded": "computed beside the If from Constants alone",
        "computed": "computed beside the If from a number that is fed",
        "captured": "computed in the graph around that of the If",
        "carried": "carried from trip to trip, and turned in each",
        "output": "computed in the main graph, and one of its outputs as well",
        "chosen": "the result of another If",
    },
)
PLACE = Dimension(
    "place",
    "the graph in which the If lies",
    {
        "main": "the main graph",
        "then": "the then branch of another If",
        "else": "the else branch of another If",
        "loop": "a Loop's body, which carries the result",
        "scan": "a Scan's body",
        "map": "a SequenceMap's body",
        "function": "a local function that the main graph calls",
        "call": "a local function that a branch of another If calls",
        "passed": "a graph that a call passes for a branch of the function's If",
    },
)
CAPTURE = Dimension(
    "capture",
    "where the branches read their value from",
    {
        "1": "the graph of the If: one level up",
        "none": "nowhere: it is a Constant of the branch",
        "2": "from an If in the branch, two levels up",
        "3": "from an If in an If in the branch, three levels up",
        "outer": "the main graph, past that of the If",
        "argument": "the graph of the If, as the argument of a call in the branch",
    },
)
IDENTITY = Dimension(
    "identity",
    "a second If beside it, on the same cond, that is the same but for one key",
    {
        "none": "there is none",
        "name": "the names of its node and of the values in its branches",
        "bytes": "the bytes of its constant",
        "shape": "the shape of its constant",
        "type": "the type of its constant, whose bytes are the same",
        "attribute": "an attribute of a node in its branches",
        "range": "the range of a file that its initializer names",
        "swapped": "its branches, which are exchanged",
    },
)
CALL = Dimension(
    "call",
    "a call of a function with two optional operands and two attributes: that of the If, or else one in its branches",
    {
        "none": "no such function",
        "all": "it gives all operands and attributes",
        "trailing": "it leaves the last operand out",
        "middle": "it leaves out the operand before the last",
        "default": "it leaves the attributes out",
        "twice": "two calls, which give different operands and attributes",
    },
)
RETURNS = Dimension(
    "returns",
    "what the then branch returns",
    {
        "computed": "a value that it computes",
        "identity": "the Identity of what it reads",
        "initializer": "its own initializer",
        "constant": "a Constant",
        "nested": "the result of an If in it",
        "twice": "one value as both outputs, by two Identity nodes",
    },
)
OPERAND = Dimension(
    "operand",
    "the constant that the branches compute with",
    {
        "constant": "a Constant of the branch",
        "own": "an initializer of the branch",
        "main": "an initializer of the main graph",
        "fed": "an input of the main graph",
    },
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
TRIPS = Dimension(
    "trips",
    "the trips of the Loop, the Scan or the SequenceMap in whose body the If lies",
    {
        "three": "three, where there is a body",
        "none": "none",
        "one": "one",
        "later": "none in the first run, three in the second",
    },
)
TYPE = Dimension(
    "type",
    "the element type of what the branches return",
    {name: name for name in ("float32", "float64", "float16", "int64", "int32", "int8", "uint8", "bool", "string")},
)
KIND = Dimension(
    "kind",
    "the kind of the If's first output",
    {"tensor": "a tensor", "sequence": "a sequence of one tensor", "optional": "an optional that holds a tensor"},
)
SHAPES = Dimension(
    "shapes",
    "the shapes that the branches return",
    {
        "same": "equal",
        "length": "else's is twice as long",
        "rank": "else's has one dimension more",
        "empty": "then's has no elements",
    },
)
READER = Dimension(
    "reader",
    "who reads the If's first output",
    {
        "output": "nobody but the graph, which returns it",
        "operator": "an operator of the same graph",
        "both": "the graph returns it, and an operator reads it",
        "cond": "it decides another If's cond",
        "branches": "both branches of another If",
        "loop": "a Loop, which carries it",
        "unread": "nobody; the graph returns the second",
    },
)
OUTPUTS = Dimension(
    "outputs",
    "the number of the If's outputs",
    {"1": "one", "2": "two of the same type", "3": "three, of which the last is an int64"},
)
FIRST = Dimension(
    "first", "cond in the first run (and in all, where it is constant)", {"true": "true", "false": "false"}
)
DECLARED = Dimension(
    "declared",
    "whether the graphs of nodes declare the types of what they take and return",
    {"typed": "they do, as far as there is one", "untyped": "they declare names alone"},
)
ORDER = Dimension(
    "order", "which of the two Ifs comes first", {"last": "the second If comes later", "first": "it comes first"}
)
OPSET = Dimension(
    "opset",
    "the operator set, and with it the version of If",
    {
        "17": "If-16",
        "10": "If-1",
        "11": "If-11",
        "13": "If-13",
        "19": "If-19",
        "21": "If-21",
        "23": "If-23",
        "24": "If-24",
        "25": "If-25",
    },
)

FUNCTIONS = "function call"
BODIES = "loop scan map"
OWN_FUNCTION = "a function has no scope around it: what it reads is its own or an operand"
PASSED = "whether a graph that a call passes may read values around the call is open (in-function/given-graph-captures)"
COPIED = "the constants of the two Ifs differ in this key alone, so both are their own"
STRING_OR_BOOL = "bool string"

EXCLUSIONS = [
    without("the main graph has no graph around it", cond="captured", place="main"),
    without(OWN_FUNCTION, cond="captured", place=FUNCTIONS),
    without("only a Loop and a Scan carry values", cond="carried", place="main then else map function call passed"),
    without(PASSED, cond="fed initializer computed captured output", place="passed"),
    without(
        "cond of the function's If is such an output; the If in the graph reads its own", cond="chosen", place="passed"
    ),
    without("the main graph has no graph around it", capture="outer", place="main"),
    without(OWN_FUNCTION, capture="outer", place=FUNCTIONS),
    without(PASSED, capture="outer", place="passed"),
    without(PASSED, operand="main fed", place="passed"),
    without("the branches would read more than nothing", capture="none", operand="main fed"),
    without(COPIED, identity="bytes shape type", operand="main fed"),
    without("only an initializer names a file", identity="range", operand="constant main fed"),
    without("external-same-bytes", identity="range", type="string"),
    without("no other type of ours has their bytes", identity="type", type=STRING_OR_BOOL),
    without("operators-concat-same-shape", identity="shape", type="string"),
    without("without a second If there is no order", identity="none", order="first"),
    without("only a body has trips", trips="none one later", place="main then else function call passed"),
    without("the number of trips differs between two runs", trips="later", runs="once concurrent held shapes"),
    without("it is about two outputs", returns="twice", outputs="1"),
    without("the second output is what is returned", reader="unread", outputs="1"),
    without("initializers are tensors", returns="initializer", kind="sequence optional"),
    without("the Constants that we write are tensors", returns="constant", kind="sequence optional"),
    without("SequenceMap is a function of opset 17", place="map", opset="10 11 13"),
    without("if-1-same-shape-and-type", shapes="length rank empty", opset="10"),
    without("if-types-1", kind="sequence optional", opset="10 11"),
    without("if-types-13", kind="optional", opset="13"),
    without("Identity takes sequences from opset 14 on", kind="sequence", returns="identity", opset="13"),
    without("an Identity has no constant whose shape could differ", identity="shape", returns="identity"),
    without(
        "operators-scan-dimensions-must-not-change",
        cond="carried",
        place="scan",
        returns="initializer constant",
        runs="shapes",
    ),
    without("the kind is that of the first output alone", returns="twice", kind="sequence optional"),
    without("if-1-same-shape-and-type", returns="twice", identity="attribute", opset="10"),
    without("if-1-same-shape-and-type", returns="identity", type="string", opset="10"),
    without(
        "Add takes 16-bit integers, which have the bytes of float16, from opset 14 on",
        identity="type",
        type="float16",
        opset="10 11 13",
    ),
    without("Add takes 8-bit integers from opset 14 on", type="int8 uint8", opset="10 11 13"),
    without("ir-main-graph-ranks", shapes="rank", reader="output both unread"),
    without("if-cond-single-element", shapes="empty", reader="cond"),
    without("Cast makes no bool of a string that is not a number", type="string", reader="cond"),
    without("operators-scan-types", kind="sequence optional", place="scan map", reader="output both"),
    without("operators-scan-dimensions-must-not-change", cond="carried", place="scan", shapes="length rank empty"),
    without("the shape of what no trip stacks is open (in-scan/no-elements)", place="scan", trips="none later"),
    without(
        "no input has a shape: the branches read nothing",
        capture="none",
        runs="shapes",
        place="main then else function call",
    ),
    without("no input has a shape", place="passed", runs="shapes"),
    without("if-1-same-shape-and-type", returns="initializer constant", runs="shapes", opset="10"),
    without("if-1-same-shape-and-type", place="then else call passed", runs="shapes", opset="10"),
]

ONNX = Cross(
    "onnx",
    [
        COND,
        PLACE,
        CAPTURE,
        IDENTITY,
        CALL,
        RETURNS,
        OPERAND,
        RUNS,
        TRIPS,
        TYPE,
        KIND,
        SHAPES,
        READER,
        OUTPUTS,
        FIRST,
        DECLARED,
        ORDER,
        OPSET,
    ],
    EXCLUSIONS,
    triples=("cond", "place", "capture", "identity", "call"),
)
