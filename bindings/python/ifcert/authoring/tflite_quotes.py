"""Sentences on If and While of TensorFlow Lite that many vectors quote."""

from ifcert.authoring.sources import (
    onert,
    tensorflow_if,
    tensorflow_while,
    tflite_as_read,
    tflite_rfc,
    tflite_schema,
    tflite_strings,
)

_EXAMPLE = "Example: Defining If condition op"
_KERNEL = "Kernel Implementation"
_IF_OR_WHILE = "What an If or a While must satisfy"
_FILE = "What a file must satisfy"

INVOKES_ONE = onert(_KERNEL, "If : Check the condition input and invoke one of the 2 subgraphs.")
OPERANDS_IN = onert("Execution", "Pass controlflow operation inputs tensors as the subgraph inputs")
RESULTS_OUT = onert("Execution", "Pass the subgraph outputs as controlflow operation outputs")
PASSING_IN = onert(_KERNEL, "Invoking a subgraph needs to pass the operation's inputs to the subgraph inputs.")
PASSING_OUT = onert(_KERNEL, "And Returning back needs to pass the subgraph outputs to the operation outputs.")
USER_GIVEN = onert(
    "Execution", "Executing the primary subgraph [...] Pass user-given tensors as the subgraph inputs and outputs"
)
SAME_PARAMETERS = onert(
    "Graph representation",
    "the controlflow operations have same parameters (subgraph indices), just like TF Lite schema has",
)

THEN = tflite_rfc(_EXAMPLE, "then_branch function is called when condition is true.")
ELSE = tflite_rfc(_EXAMPLE, "Otherwise else_branch function is called.")
RFC_EXAMPLE = tflite_rfc(
    _EXAMPLE, "The following diagram illustrates an example which is equivalent to: a < b ? a + b : a * b"
)
FIRST_INPUT = tflite_rfc(
    _EXAMPLE,
    "In TensorFlow If operator, the 1st input is a boolean condition the rest of the inputs are passed into the body "
    "(then / else branch).",
)
SAME_SEMANTIC = tflite_rfc(
    _EXAMPLE,
    "We defined TensorFlow Lite If with exactly the same op semantic, inputs, and outputs definition as TensorFlow If.",
)
LIKE_TENSORFLOW = tflite_rfc(
    "Defining control flow ops in TensorFlow Lite",
    "TensorFlow Lite control flow ops should be defined like TensorFlow control flow v2 ops, with exactly the same op "
    "semantic, inputs, and outputs definition",
)
ONE_OF_TWO = tflite_rfc(_KERNEL, "If: Check the condition input and invoke one of the 2 subgraphs.")
OPTIONS = tflite_rfc(_EXAMPLE, "In TensorFlow Lite, each builtin op comes with a Options FlatBuffer table.")
INTEGER_INDEX = tflite_rfc(
    _EXAMPLE,
    "For each function attribute in the TensorFlow op, define an integer subgraph index in TensorFlow op option table.",
)
DYNAMIC = tflite_rfc(
    "Supporting dynamic shape use cases",
    "This use case will be supported by always propagating tensor shapes and copying tensor data between subgraphs.",
)

SCALAR_CONVERTED = tensorflow_if(
    "cond",
    "If the tensor is a scalar of non-boolean type, the scalar is converted to a boolean according to the following "
    "rule: if the scalar is a numerical value, non-zero means True and zero means False; if the scalar is a string, "
    "non-empty means True and empty means False.",
)
EMPTINESS = tensorflow_if(
    "cond", "If the tensor is not a scalar, being empty means False and being non-empty means True."
)
SAME_TYPES = tensorflow_if(
    "then_branch",
    "A function that takes 'inputs' and returns a list of tensors, whose types are the same as what else_branch "
    "returns.",
)
WHILE_INPUT = tensorflow_while("input", "A list of input tensors whose types are T.")
WHILE_BODY = tensorflow_while(
    "body",
    "A function that takes a list of tensors and returns another list of tensors. Both lists have the same types as "
    "specified by T.",
)

MAIN_MODEL = tflite_schema(
    "Model, subgraphs", "All the subgraphs of the model. The 0th is assumed to be the main model."
)
SUBGRAPH_INPUTS = tflite_schema(
    "SubGraph, inputs",
    "Indices of the tensors that are inputs into this subgraph. Note this is the list of non-static "
    "tensors that feed into the subgraph for inference.",
)
SUBGRAPH_OUTPUTS = tflite_schema(
    "SubGraph, outputs",
    "Indices of the tensors that are outputs out of this subgraph. Note this is the list of output "
    "tensors that are considered the product of the subgraph's inference.",
)
OPTIONAL_INPUT = tflite_schema("Operator, inputs", "Optional input are indicated by -1.")
ACCEPTABLE_OPTIONS = tflite_schema("BuiltinOperator", "builtins have a predetermined set of acceptable options.")
DEBUGGING = tflite_schema("SubGraph, name", "Name of this subgraph (used for debugging).")

COUNTS = tflite_as_read(
    _IF_OR_WHILE,
    "An If has as many operands after the condition as each of its subgraphs has inputs, and as many outputs as each "
    "of them.",
)
OWN_OPTIONS = tflite_as_read(
    _IF_OR_WHILE,
    "Each has its own options; an index that is not written in them is 0, the default of FlatBuffers, and refers "
    "to the primary subgraph.",
)
TYPES_AGREE = tflite_as_read(
    _IF_OR_WHILE,
    "Element types agree wherever a value is passed in or returned; the two subgraphs of an If return the same types.",
)
HINTS = tflite_as_read(
    _IF_OR_WHILE,
    "Shapes that a subgraph declares for its tensors are hints: the shapes of the run count, and an invoked "
    "subgraph accepts any shape.",
)
INDICES = tflite_as_read(
    _FILE,
    "An index refers to an entry of its list, and is not negative: tensors of the subgraph, operator codes, "
    "buffers, subgraphs.",
)
NOT_LEFT_OUT = tflite_as_read(
    _FILE,
    "The index -1 means an omitted operand; a condition and an input of a subgraph cannot be omitted, nor can "
    "an operand that its operator needs.",
)
CONSTANT = tflite_as_read(
    _FILE,
    "Buffer 0 is for tensors without content; a tensor with a buffer of its own that has content is a constant.",
)
CIRCLE_SAME = tflite_as_read(_FILE, "Circle is read by the same schema, and the same model means the same under both.")
STRING_COUNT = tflite_strings("[0, 3] 4 bytes: N, num of strings in the tensor in little endian.")
STRING_OFFSETS = tflite_strings(
    "[(i+1)*4, (i+1)*4+3] 4 bytes: offset of i-th string in little endian, for i from 0 to N-1."
)
STRING_WHOLE = tflite_strings("[(N+1)*4, (N+1)*4+3] 4 bytes: length of the whole char buffer.")
STRING_CONTENT = tflite_strings("[offset(i), offset(i+1) - 1] : content of i-th string.")
