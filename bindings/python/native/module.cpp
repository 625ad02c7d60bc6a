// The extension module _ifcert: the C++ part of ifcert.Model. Its Python part, with the documentation, is
// bindings/python/ifcert/model.py; the types of this module are in _ifcert.pyi.
#include <pybind11/operators.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cerrno>
#include <ifcert/content.hpp>
#include <ifcert/reference.hpp>
#include <new>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "conformance/drawing/drawing.hpp"
#include "conformance/runtimes/adapter_operators.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/program_path.hpp"
#include "documentation.hpp"
#include "reference/files/output.hpp"
#include "representation.hpp"

namespace ifcert::python {

namespace py = pybind11;

namespace {

/// Returns the job's result. If there is not enough memory for it, the message names the model's file.
template <class Job>
auto of_file(const std::string& path, Job job) {
  try {
    return job();
  } catch (const std::bad_alloc& error) {
    const auto* placed = dynamic_cast<const OutOfMemory*>(&error);
    throw OutOfMemory((path.empty() ? "the model" : path) + ": " +
                      (placed == nullptr ? "out of memory" : placed->what()));
  }
}

/// Lets Python handle signals that have arrived: Ctrl-C becomes KeyboardInterrupt.
void handle_signals() {
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

RunLimits limits_of(double seconds, std::uint64_t memory) {
  if (!(seconds > 0)) throw py::value_error("max_seconds is not greater than 0");
  return {.seconds = seconds, .memory = memory, .interrupt = handle_signals};
}

/// An exception of the package, defined in Python: module `ifcert.errors`.
[[noreturn]] void raise(const char* name, const py::args& arguments) {
  const py::object type = py::module_::import("ifcert.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(*arguments).ptr());
  throw py::error_already_set();
}

py::dict attributes_of(const Attributes& attributes) {
  py::dict all;
  for (const auto& [name, value] : attributes) {
    const auto add = [&all, key = py::str(name)](const auto& held) {
      using T = std::decay_t<decltype(held)>;
      if constexpr (std::is_same_v<T, Value>) {
        all[key] = held.sparse() == nullptr ? object_of(held) : py::object(py::str(to_string(held)));
      } else if constexpr (std::is_same_v<T, Type>) {
        all[key] = to_string(held);
      } else if constexpr (std::is_same_v<T, AttributeReference>) {
        all[key] = py::none();  // for a function whose call omits it
      } else {
        all[key] = py::cast(held);
      }
    };
    std::visit(add, value);
  }
  return all;
}

/// Python's results of an operator: one object, or a tuple with as many as the node has outputs.
std::vector<Value> results_of(const py::object& returned) {
  if (!py::isinstance<py::tuple>(returned)) return {value_of(returned, {})};
  std::vector<Value> values;
  for (const py::handle one : returned) values.push_back(value_of(one, {}));
  return values;
}

CustomOperator custom_operator(const py::object& function) {
  const std::shared_ptr<const void> owner(function.ptr(), [held = function.inc_ref()](const void*) {
    const py::gil_scoped_acquire lock;
    held.dec_ref();
  });
  return
      [owner, held = py::handle(function)](const Node&, const Attributes& attributes, std::span<const Value> inputs) {
        const py::gil_scoped_acquire lock;
        py::tuple operands(inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) operands[i] = object_of(inputs[i]);
        return results_of(held(*operands, **attributes_of(attributes)));
      };
}

/// Lets Python's signal handlers run; Ctrl-C is thrown from here.
void hear_signals() {
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

/// The operators of an adapter; nullptr for an empty name. Something that is wrong with the adapter is an error of the
/// evaluation, which cannot take place.
std::unique_ptr<conformance::AdapterOperators> operators_of(const std::string& adapter, Format format) {
  if (adapter.empty()) return nullptr;
  try {
    return std::make_unique<conformance::AdapterOperators>(conformance::find_project(), adapter, format);
  } catch (const conformance::Error& error) {
    throw EvaluationError(error.what());
  }
}

/// A loaded model. It is prepared when it is first run, so that a model that cannot run can still be inspected.
class Model {
 public:
  Model(Reading reading, const py::dict& operators, const std::string& adapter)
      : checked_(checked(reading)),
        allowed_(std::move(reading.allowed)),
        files_(std::move(reading.files)),
        model_(std::move(reading.model)),
        adapter_operators_(operators_of(adapter, model_->format)) {
    for (const auto& [name, function] : operators)
      operators_.emplace(py::cast<std::string>(name), custom_operator(py::reinterpret_borrow<py::object>(function)));
    for (const Slot slot : model().main().inputs) inputs_.emplace_back(model().main().slots[slot].name);
    for (const Slot slot : model().main().outputs) outputs_.emplace_back(model().main().slots[slot].name);
  }

  /// Writes the files of the model in the format of the path's extension.
  void save(const std::string& path) const {
    refuse_illegal();
    const py::gil_scoped_release unlocked;
    const std::vector<WrittenFile> written =
        of_file(model().path, [&] { return write_model(model(), checked_.types, path); });
    std::vector<files::OutputFile> files;
    for (const WrittenFile& file : written) files.push_back({file.path, file.bytes});
    files::write_model_files(files, {.inputs = files_, .on_interrupt = hear_signals});
  }

  const ifcert::Model& model() const { return program_ ? program_->model() : *model_; }
  const std::vector<Diagnostic>& found() const { return checked_.findings; }
  const std::vector<Diagnostic>& allowed() const { return allowed_; }
  const SlotTypes& types() const { return checked_.types; }

  /// Writes a file such as a picture of the model.
  void write(const std::string& path, const std::string& bytes) const {
    const py::gil_scoped_release unlocked;
    const files::OutputFile file{path, bytes};
    files::write_files({&file, 1}, {.inputs = files_, .on_interrupt = hear_signals});
  }

  /// The number of evaluations by the adapter's operators, by operator.
  std::map<std::string, std::size_t> computed_elsewhere() const {
    return adapter_operators_ == nullptr ? std::map<std::string, std::size_t>() : adapter_operators_->counts();
  }

  /// By name, or in order.
  py::object run(const py::object& passed, const py::object& observer, double seconds, std::uint64_t memory) {
    const RunLimits limits = limits_of(seconds, memory);
    const bool in_order = py::isinstance<py::list>(passed) || py::isinstance<py::tuple>(passed);
    const py::dict by_name = in_order ? py::dict() : dict_of(passed);
    if (!program_) prepare();
    const std::vector<Value> inputs = in_order ? inputs_in_order(passed) : inputs_of(by_name);
    const std::vector<Value> outputs = outputs_of(inputs, observer, limits);
    if (in_order) return in_list(outputs);
    py::dict named;
    for (std::size_t i = 0; i < outputs.size(); ++i) named[outputs_[i]] = object_of(outputs[i]);
    return named;
  }

 private:
  void refuse_illegal() const {
    const std::vector<Diagnostic> broken = errors_in(found());
    if (!broken.empty()) raise("IllegalModel", py::make_tuple(py::cast(broken)));
  }

  std::vector<Value> outputs_of(const std::vector<Value>& inputs, const py::object& observer,
                                const RunLimits& limits) const {
    const BranchObserver branch_observer = observer.is_none() ? BranchObserver{} : observer_of(observer);
    const py::gil_scoped_release unlocked;
    return of_file(model().path, [&] { return program_->run(inputs, branch_observer, limits); });
  }

  void prepare() {
    refuse_illegal();
    // Copies: a model that cannot be prepared stays available.
    const Delegate delegate = adapter_operators_ == nullptr ? Delegate{} : adapter_operators_->delegate();
    of_file(model_->path, [&] { program_.emplace(*model_, checked_.trip_types, operators_, delegate); });
    model_.reset();
  }

  static py::dict dict_of(const py::object& passed) {
    if (py::isinstance<py::dict>(passed)) return passed;
    if (py::isinstance(passed, py::module_::import("collections.abc").attr("Mapping"))) return py::dict(passed);
    throw py::type_error("the inputs are a mapping of names to values, or a list of all values in order; this is a " +
                         std::string(py::str(py::type::of(passed).attr("__name__"))));
  }

  static py::list in_list(const std::vector<Value>& values) {
    py::list all;
    for (const Value& value : values) all.append(object_of(value));
    return all;
  }

  std::vector<Value> inputs_in_order(const py::sequence& passed) const {
    if (passed.size() != inputs_.size())
      throw EvaluationError(std::to_string(passed.size()) + " inputs are given; the model has " +
                            std::to_string(inputs_.size()));
    std::vector<Value> inputs;
    for (std::size_t i = 0; i < passed.size(); ++i)
      inputs.push_back(input_of(py::object(passed[i]), model().main().slots[model().main().inputs[i]]));
    return inputs;
  }

  std::vector<Value> inputs_of(const py::dict& passed) const {
    const Graph& main = model().main();
    std::vector<Value> values(inputs_.size());
    std::size_t found = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      PyObject* object = PyDict_GetItemWithError(passed.ptr(), inputs_[i].ptr());
      if (object == nullptr) continue;
      ++found;
      values[i] = input_of(object, main.slots[main.inputs[i]]);
    }
    if (found != passed.size()) refuse_unknown(passed);
    return values;
  }

  static Value input_of(py::handle object, const SlotInfo& input) try {
    return value_of(object, input.declared);
  } catch (const py::type_error& error) {
    throw EvaluationError("input \"" + input.name + "\": " + error.what() + "; " + to_string(input.declared) +
                          " is required");
  } catch (py::error_already_set& error) {  // numpy could not convert it
    throw EvaluationError("input \"" + input.name + "\": " + std::string(py::str(error.value())) + "; " +
                          to_string(input.declared) + " is required");
  }

  [[noreturn]] void refuse_unknown(const py::dict& passed) const {
    std::string names;
    for (const py::str& name : inputs_) names += (names.empty() ? "" : ", ") + std::string(name);
    for (const auto& item : passed) {
      const auto same = [&item](const py::str& name) { return name.equal(item.first); };
      if (std::ranges::none_of(inputs_, same))
        throw EvaluationError("the model has no input " + std::string(py::repr(item.first)) + "; its inputs are " +
                              (names.empty() ? "none" : names));
    }
    throw EvaluationError("several inputs have the same name: pass a list of values in order");
  }

  static BranchObserver observer_of(const py::object& observer) {
    return [&observer](const BranchTaken& taken) {
      const py::gil_scoped_acquire lock;
      observer(taken.place, taken.cond);
    };
  }

  Checked checked_;
  std::vector<Diagnostic> allowed_;
  files::Paths files_;                  // the model's own files
  std::optional<ifcert::Model> model_;  // until it is prepared
  std::unique_ptr<conformance::AdapterOperators> adapter_operators_;
  std::optional<Program> program_;
  CustomOperators operators_;
  std::vector<py::str> inputs_, outputs_;
};

/// The bytes of an object, and their owner: large tensors are not copied.
std::pair<std::shared_ptr<const void>, std::span<const std::byte>> held(const py::bytes& bytes) {
  char* data = nullptr;
  py::ssize_t size = 0;
  PyBytes_AsStringAndSize(bytes.ptr(), &data, &size);
  const std::shared_ptr<const void> owner(data, [kept = bytes.inc_ref()](const void*) {
    const py::gil_scoped_acquire lock;
    kept.dec_ref();
  });
  return {owner, {reinterpret_cast<const std::byte*>(data), static_cast<std::size_t>(size)}};
}

/// `weights` may be None: there is no .bin.
Reading reading_of_bytes(const py::bytes& bytes, const AllowedRules& allowed, const std::string& folder,
                         const py::object& weights) {
  const auto [owner, whole] = held(bytes);
  ExternalData external{.folder = folder};
  if (!weights.is_none()) std::tie(external.owner, external.weights) = held(weights);
  return read_content(owner, whole, external, allowed);
}

/// Throws ValueError where one of the names is no rule that can be allowed.
void expect_allowable(const AllowedRules& allowed) {
  for (const std::string& rule : allowed) {
    if (const std::string refusal = refusal_to_allow(rule); !refusal.empty()) throw py::value_error(refusal);
  }
}

struct Port {
  std::string name;
  Type type;
};

std::vector<Port> ports(const Graph& graph, const std::vector<Slot>& slots) {
  std::vector<Port> all;
  all.reserve(slots.size());
  for (const Slot slot : slots) all.push_back({graph.slots[slot].name, graph.slots[slot].declared});
  return all;
}

/// Sizes, names and None; None for no shape.
py::object shape_of(const Type& type) {
  if (!type.is_tensor() || !type.shape) return py::none();
  py::tuple dims(type.shape->size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const Dim& dim = (*type.shape)[i];
    dims[i] = dim.known() ? py::object(py::int_(dim.value))
                          : (dim.symbol.empty() ? py::object(py::none()) : py::object(py::str(dim.symbol)));
  }
  return dims;
}

void translate(std::exception_ptr pointer) {  // NOLINT(performance-unnecessary-value-param): pybind11's signature
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const UnreadableModel& error) {
    const py::object type = py::module_::import("ifcert.errors").attr("UnreadableModel");
    PyErr_SetObject(type.ptr(), type(error.what(), py::cast(error.diagnostic())).ptr());
  } catch (const Inexpressible& error) {
    const py::object type = py::module_::import("ifcert.errors").attr("Inexpressible");
    PyErr_SetObject(type.ptr(), type(error.place(), error.reason()).ptr());
  } catch (const files::WriteError& error) {
    errno = error.reason();
    PyErr_SetFromErrnoWithFilename(PyExc_OSError, error.path().c_str());
  } catch (const files::OutputClash& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const LimitExceeded& error) {
    const std::string limit = error.limit == Limit::time ? "max_seconds" : "max_memory";
    const py::object type = py::module_::import("ifcert.errors").attr("LimitExceeded");
    PyErr_SetObject(type.ptr(), type(error.what(), limit).ptr());
  } catch (const EvaluationError& error) {
    const py::object type = py::module_::import("ifcert.errors").attr("EvaluationError");
    const py::object missing =
        error.missing_operator.empty() ? py::object(py::none()) : py::str(error.missing_operator);
    PyErr_SetObject(type.ptr(), type(error.what(), missing).ptr());
  }
}

void define_diagnostic(py::module_& module) {
  py::class_<Diagnostic>(module, "Diagnostic", diagnostic_doc)
      .def_readonly("rule", &Diagnostic::rule,
                    "The rule's name; empty where the finding belongs to no rule (such as a missing file).")
      .def_readonly("place", &Diagnostic::place, "Where in the model: a path of graphs, nodes and branches.")
      .def_readonly("found", &Diagnostic::found, "The value found in the model.")
      .def_readonly("expected", &Diagnostic::expected, "The value that the rule requires.")
      .def_property_readonly(
          "clause",
          [](const Diagnostic& diagnostic) {
            const Rule* rule = find_rule(diagnostic.rule);
            return rule == nullptr ? std::string_view() : rule->clause;
          },
          clause_doc)
      .def_property_readonly(
          "level", [](const Diagnostic& diagnostic) { return name_of(diagnostic.level); }, level_doc)
      .def_readonly("allowable", &Diagnostic::allowable, allowable_doc)
      .def(py::self == py::self)
      .def("__str__", [](const Diagnostic& diagnostic) { return to_string(diagnostic); })
      .def("__repr__", [](const Diagnostic& diagnostic) { return representation(diagnostic); });
  py::class_<Rule>(module, "Rule", "A rule of the specification that the reference checks or carries out.")
      .def_readonly("name", &Rule::name, "Such as \"onnx/if/output-count\".")
      .def_readonly("holds", &Rule::holds, "The rule in one sentence: what it requires.")
      .def_readonly("clause", &Rule::clause, "The text that it comes from, and where in it.")
      .def_readonly("source", &Rule::source, "The address of that text.")
      .def_property_readonly(
          "allowable", [](const Rule& rule) { return allowance_of(rule.name).allowable; },
          "Whether `load` can be told to allow findings of this rule that leave a model one meaning.")
      .def_property_readonly(
          "allowance", [](const Rule& rule) { return allowance_of(rule.name).why; },
          "Why it can be allowed, and what is mended then; or why not.")
      .def("__repr__", [](const Rule& rule) { return representation(rule); });
}

void define_model(py::module_& module) {
  py::class_<Port>(module, "Port", "An input or an output of the main graph, as the model declares it.")
      .def_readonly("name", &Port::name, "As in the file; `run` takes and returns values by this name.")
      .def_property_readonly(
          "type", [](const Port& port) { return kind_text(port.type); }, type_doc)
      .def_property_readonly(
          "shape", [](const Port& port) { return shape_of(port.type); }, shape_doc)
      .def("__repr__", [](const Port& port) { return printable(port.name + ": " + to_string(port.type)); });
  py::class_<Model>(module, "Model")
      .def(py::init([](const py::bytes& bytes, const py::dict& operators, const std::string& adapter,
                       const AllowedRules& allowed, const std::string& folder, const py::object& weights) {
             expect_allowable(allowed);
             return of_file("", [&] {
               return std::make_unique<Model>(reading_of_bytes(bytes, allowed, folder, weights), operators, adapter);
             });
           }),
           py::arg("source"), py::arg("operators"), py::arg("adapter"), py::arg("allow"), py::arg("folder") = "",
           py::arg("weights") = py::none())
      .def(py::init([](const std::string& path, const py::dict& operators, const std::string& adapter,
                       const AllowedRules& allowed) {
        expect_allowable(allowed);
        return of_file(path, [&] { return std::make_unique<Model>(read_model(path, allowed), operators, adapter); });
      }))
      .def_property_readonly(
          "inputs", [](const Model& m) { return ports(m.model().main(), m.model().main().inputs); }, inputs_doc)
      .def_property_readonly(
          "outputs", [](const Model& m) { return ports(m.model().main(), m.model().main().outputs); }, outputs_doc)
      .def_property_readonly(
          "opsets", [](const Model& m) { return m.model().opsets; }, opsets_doc)
      .def_property_readonly(
          "ir_version", [](const Model& m) { return m.model().ir_version; }, ir_version_doc)
      .def_property_readonly(
          "producer", [](const Model& m) { return m.model().producer; }, producer_doc)
      .def_property_readonly("allowed", &Model::allowed, allowed_doc)
      .def_property_readonly("computed_elsewhere", &Model::computed_elsewhere, computed_elsewhere_doc)
      .def("check", &Model::found, check_doc)
      .def("__repr__", [](const Model& m) { return representation(m.model(), m.found()); })
      .def("_save", &Model::save)
      .def("_write", &Model::write)
      .def("_svg",
           [](const Model& m) {
             return of_file(m.model().path,
                            [&] { return drawing::svg_of(m.model(), m.types(), errors_in(m.found())); });
           })
      .def("_page",
           [](const Model& m) {
             return of_file(m.model().path,
                            [&] { return drawing::page_of(m.model(), m.types(), errors_in(m.found()), "model"); });
           })
      .def("run", &Model::run, py::arg("inputs") = py::dict(), py::arg("observer") = py::none(), py::kw_only(),
           py::arg("max_seconds") = default_seconds_limit, py::arg("max_memory") = default_memory_limit, run_doc);
}

}  // namespace

PYBIND11_MODULE(_ifcert, module) {
  py::options options;
  options.disable_function_signatures();  // documentation.hpp has them as help() shows them
  py::register_exception_translator(&translate);
  module.attr("__version__") = IFCERT_VERSION;
  define_diagnostic(module);
  define_model(module);
  module.def("printable", [](const std::string& text) { return printable(text); });
  module.def("rules", [] { return std::vector<Rule>(all_rules().begin(), all_rules().end()); });
  module.def("inference_count", inference_count);
  module.def("set_program", [](const std::string& path) { conformance::set_program_path(path); });
}

}  // namespace ifcert::python
