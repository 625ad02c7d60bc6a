// The texts of help() for the classes in _ifcert. A text that begins with a signature and "--" provides help()'s
// signature.
#pragma once

namespace ifcert::python {

constexpr const char* diagnostic_doc = R"doc(A finding: a rule that the model breaks, and where.

`rule`, `place`, `found`, `expected` (what the rule requires there), `clause` (the text that the rule comes from) and
`level`. str() is the text that `ifcert check` prints.)doc";

constexpr const char* clause_doc =
    "The text that the rule comes from, and where in it; empty where the finding belongs to no rule.";

constexpr const char* level_doc =
    R"doc("error": the rule is broken. "warning": it would be, in a branch or a body that may never run.)doc";

constexpr const char* allowable_doc =
    "Whether the model has one meaning in spite of it, so that `load` can be told to allow the rule.";

constexpr const char* allowed_doc =
    R"doc(The findings that `load` was told to allow, as `Diagnostic`s; the model is the file's with these mended.)doc";

constexpr const char* type_doc =
    R"doc(Such as "tensor(float32)", "seq(tensor(int64))", "optional(tensor(string))"; "?" where
none is declared. The names of element types are those of NumPy and ml_dtypes; float8 and float4 are written
without an underscore ("float8e4m3fn").)doc";

constexpr const char* shape_doc =
    R"doc(A tuple with an entry for each dimension: an int, a str where the size has a name (the
same name is the same size throughout a run), or None where it is not known; () is a scalar. None instead of a
tuple: no shape is declared, or this is not a tensor.)doc";

constexpr const char* inputs_doc =
    R"doc(The inputs of the main graph in order: a list of ports with `name`, `type` and `shape`.

Inputs that have a default (an initializer of the same name, in ONNX) are among them.)doc";

constexpr const char* outputs_doc =
    "The outputs of the main graph in order: a list of ports with `name`, `type` and `shape`.";

constexpr const char* opsets_doc =
    R"doc(The operator sets that the model imports, from domain ("" is the format's own) to version.)doc";

constexpr const char* ir_version_doc = "The version of the file's format, as the file declares it.";

constexpr const char* producer_doc = "The program that wrote the file, and its version, as the file declares them.";

constexpr const char* computed_elsewhere_doc =
    R"doc(How often the adapter that `load` was given as `operators` has computed a node: a dict from
the operator's name to the number of evaluations, in all runs so far. Empty without an adapter.)doc";

constexpr const char* check_doc = R"doc(check($self, /)
--

Check the model against all rules; returns a list of `Diagnostic`s. Nothing is evaluated.

Each has the `rule` (see `ifcert explain`), the `place` in the model, what was `found`, what is `expected`, the `clause`
of the text that the rule comes from, whether it is `allowable` (see `load`), and a `level`: "error" if the rule is
broken, "warning" if it would be broken in a branch or a body that may never run. Without errors the model is legal:
`run`, `save` and the command accept it.)doc";

constexpr const char* run_doc =
    R"doc(run($self, /, inputs={}, observer=None, *, max_seconds=60.0, max_memory=4294967296)
--

Evaluate the main graph.

`inputs`: a mapping of names to values returns a dict of the outputs by name, and an input that has a default may
be left out; a list (or a tuple) of all values in order returns a list of all outputs in order, whatever their
names. Names, types and shapes are in `Model.inputs`.

A value is, by the input's declared type:
  tensor    an array of the declared dtype and shape. Dimensions without a size may have any size; those with
            the same name must have the same size. Types that NumPy lacks are those of ml_dtypes; strings are arrays
            of str, bytes or objects (a str is encoded as UTF-8, with surrogateescape). Or a Python scalar, or lists
            of scalars (of lists).
  sequence  a list or a tuple of such values.
  optional  such a value, or None where there is none.

Nothing is cast. An array has the declared dtype; so has one within a list, and so has a NumPy scalar, such as
np.float32(0.1). Of Python's own scalars a bool is an element of bool alone. An int is one of the integer types in
whose range it is, and of the floating-point and complex types that hold it exactly. A float is one of the
floating-point and complex types that hold it exactly (0.5 is a float32; 0.1 is not, np.float32(0.1) is), a complex one
of the complex types that do. str and bytes are strings and nothing else.

Arrays that are C-contiguous and aligned are not copied: do not write to them while the model runs.

Outputs are read-only arrays, lists for sequences, and None for an absent optional; strings are str in arrays of
objects. Arrays may share memory with an input (they show what is later written to it), with the model or with each
other: copy what you want to write to.

`observer(place, taken)` is called for each If that is evaluated: `place` is its path in the model, `taken` True for
then_branch. An exception that it raises ends the run and is raised by `run`.

`max_seconds`: the time limit of the run, in seconds; `math.inf` is no limit.
`max_memory`: the limit on the memory of all values of the run, in bytes; the model and the inputs do not count.

The interpreter's lock is released during a run, and several threads may run one model at once. Ctrl-C ends the run with
KeyboardInterrupt.

Raises:
  IllegalModel      the model breaks rules: `check` lists them, each with its clause.
  EvaluationError   an input is missing, unknown or of a wrong type; a node cannot accept its operands; the
                    reference lacks an operator (`missing_operator` names it). The message names the place.
  LimitExceeded     max_seconds or max_memory was exceeded; an EvaluationError.
  MemoryError       the machine ran out of memory before max_memory was reached.
  TypeError         `inputs` is neither a mapping nor a list.
  ValueError        `max_seconds` is not greater than 0.)doc";

}  // namespace ifcert::python
