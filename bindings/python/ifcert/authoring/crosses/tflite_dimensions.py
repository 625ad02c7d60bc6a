"""The cross of TensorFlow Lite: what a model with an If can vary in, and what cannot go together."""

from ifcert.authoring.crosses.dimensions import Cross, Dimension, without
from ifcert.authoring.crosses.openvino_dimensions import FIRST, OUTPUTS, RUNS

COND = Dimension(
    "cond",
    "where cond comes from",
    {
        "fed": "an input of the primary subgraph",
        "constant": "a constant beside the If",
        "folded": "computed beside the If from a constant",
        "computed": "computed beside the If from two numbers that are fed",
        "chosen": "the result of another If",
        "output": "an input of the primary subgraph that it returns as well",
        "carried": "carried from trip to trip, and turned in each",
    },
)
PLACE = Dimension(
    "place",
    "the subgraph in which the If lies",
    {
        "main": "the primary one",
        "then": "then of another If",
        "else": "else of another If",
        "deep": "then of an If in else of another",
        "loop": "the body of a While, which carries the result",
        "loopcond": "the cond of a While, which goes on while the result is small",
    },
)
CAPTURE = Dimension(
    "capture",
    "through how many operators the value that the subgraphs read comes, from that of the If",
    {
        "1": "the If",
        "none": "none: it is a constant of the subgraph",
        "2": "an If in the subgraph, too",
        "3": "three Ifs",
    },
)
FEEDS = Dimension(
    "feeds",
    "the operands of the If that computes",
    {
        "plain": "each is read",
        "same": "two of them are one tensor: then reads the one, else the other",
        "twice": "two of them are one tensor, and both are read",
        "unread": "one is not read",
        "uneven": "one is read by then alone",
    },
)
IDENTITY = Dimension(
    "identity",
    "a second If beside it, on the same cond, that is the same but for one key",
    {
        "none": "there is none",
        "name": "its subgraphs, which are copies",
        "bytes": "the bytes of its constant",
        "shape": "the shape of its constant",
        "operator": "the operators of its subgraphs",
        "swapped": "its subgraphs, which are exchanged",
        "input": "the value that copies of its subgraphs read",
        "shared": "the value that its subgraphs read; they are the same ones",
    },
)
RETURNS = Dimension(
    "returns",
    "what then returns",
    {
        "computed": "a value that it computes",
        "passed": "its input",
        "constant": "a constant",
        "twice": "one value twice",
    },
)
OPERAND = Dimension(
    "operand",
    "the number that the subgraphs compute with",
    {
        "own": "a constant of the subgraph",
        "main": "a constant of the primary subgraph",
        "fed": "an input of the primary subgraph",
    },
)
TRIPS = Dimension(
    "trips",
    "the trips of the While, at most",
    {"three": "three, where there is one", "none": "none", "one": "one", "later": "none in the first run, then three"},
)
TYPE = Dimension(
    "type",
    "the element type of what the subgraphs return",
    {name: name for name in ("float32", "int32", "int64", "bool")},
)
SHAPES = Dimension(
    "shapes",
    "the shapes that the subgraphs return",
    {
        "same": "equal",
        "length": "else's is twice as long",
        "rank": "else's has one dim more",
        "empty": "then's has no elements",
    },
)
DECLARED = Dimension(
    "declared",
    "the shapes of the tensors",
    {"known": "as far as they are known", "unknown": "no dim of x, nor of what comes of it", "rank": "not even a rank"},
)
READER = Dimension(
    "reader",
    "who reads the If's first output",
    {
        "output": "nobody: its subgraph returns it",
        "operator": "an operator",
        "both": "an operator, and its subgraph returns it",
        "cond": "what decides another If's cond",
        "branches": "both subgraphs of another If",
        "unread": "nobody; the second output is returned",
    },
)
SUBGRAPHS = Dimension(
    "subgraphs",
    "the order of the subgraphs behind the primary one",
    {"written": "those that invoke others first", "reversed": "the other way round"},
)
TENSORS = Dimension(
    "tensors",
    "the order of the tensors in each subgraph",
    {"written": "inputs, then as they are made", "reversed": "the other way round"},
)
BUFFERS = Dimension(
    "buffers",
    "the buffers of constants with the same bytes",
    {"own": "one for each constant", "shared": "one for those of several subgraphs"},
)
NAMES = Dimension(
    "names",
    "the names of tensors and subgraphs behind the primary one",
    {"own": "all differ", "alike": "the same in each subgraph", "none": "empty"},
)
FORM = Dimension("form", "the format of the file", {"tflite": "TFL3", "circle": "CIR0"})

LOOPS = "loop loopcond"
NO_LOOP = "main then else deep"

EXCLUSIONS = [
    without("it has no input to return", returns="passed", capture="none"),
    without("subgraphs without inputs have no operands", capture="none", feeds="same twice uneven"),
    without("no operand would be one of two", capture="none", operand="main fed"),
    without("no constant of the subgraphs could differ", identity="bytes shape", operand="main fed"),
    without("the subgraphs read no value", identity="input shared", capture="none"),
    without("the subgraph returns what it is given", identity="shape", returns="passed"),
    without("then reads nothing", returns="constant", feeds="same uneven"),
    without("then reads nothing", shapes="empty", feeds="same uneven"),
    without("it is about two outputs", returns="twice", outputs="1"),
    without("the second output is what is returned", reader="unread", outputs="1"),
    without("no input has a shape: the subgraphs read nothing", capture="none", runs="shapes"),
    without("reader-known-dims", declared="known", runs="shapes"),
    without("the dims of the Ifs' outputs are not known then", declared="known", shapes="length rank empty"),
    without("its rank is not known then", declared="unknown", shapes="rank"),
    without("what then returns has no elements", shapes="empty", returns="passed constant twice"),
    without("only the body of a While carries a value", cond="carried", place="main then else deep loopcond"),
    without("only a While has trips", trips="none one later", place=NO_LOOP),
    without("the trips differ between two runs", trips="later", runs="once shapes held concurrent"),
    without("cond decides by one result alone", place="loopcond", reader="operator both cond branches unread"),
    without(
        "x grows from trip to trip, what is added to it does not", place="loop", feeds="uneven", shapes="length empty"
    ),
    without("cond decides by one result alone", place="loopcond", outputs="2 3"),
    without("cond decides by one result alone", place="loopcond", returns="twice"),
    without(
        "cond decides by one result alone", place="loopcond", identity="name bytes shape operator swapped input shared"
    ),
    without("a boolean has no sum that grows", place="loopcond", type="bool"),
]

TFLITE = Cross(
    "tflite",
    [
        COND,
        PLACE,
        CAPTURE,
        FEEDS,
        IDENTITY,
        RETURNS,
        OPERAND,
        RUNS,
        TRIPS,
        TYPE,
        SHAPES,
        DECLARED,
        READER,
        OUTPUTS,
        FIRST,
        SUBGRAPHS,
        TENSORS,
        BUFFERS,
        NAMES,
        FORM,
    ],
    EXCLUSIONS,
    triples=("cond", "place", "capture", "feeds"),
)
