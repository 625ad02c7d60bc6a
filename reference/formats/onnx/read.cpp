// Bytes → messages → graphs: names become slots, captures become explicit, and the rules that the raw file breaks are
// reported.
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/onnx.hpp>
#include <span>
#include <system_error>
#include <tuple>
#include <unordered_set>

#include "files/file_bytes.hpp"
#include "formats/mend.hpp"
#include "formats/onnx/attribute.hpp"
#include "formats/onnx/if_file_rules.hpp"
#include "formats/onnx/main_types.hpp"
#include "formats/onnx/missing_name.hpp"
#include "formats/onnx/names.hpp"
#include "formats/onnx/operator_set.hpp"
#include "formats/onnx/proto.hpp"
#include "formats/onnx/repeated_info.hpp"
#include "formats/onnx/sparse_tensor.hpp"
#include "formats/onnx/tensor.hpp"
#include "limits/out_of_memory.hpp"
#include "model/allowed.hpp"
#include "model/findings.hpp"
#include "model/node_kind.hpp"
#include "model/place.hpp"

namespace ifcert::onnx {
namespace {

using Opsets = std::map<std::string, std::int64_t, std::less<>>;

std::string own_domain(std::string_view domain) {
  return domain == "ai.onnx" ? "" : std::string(domain);
}

/// Why a file could not be read. The system's message for folders, pipes and devices is "Invalid argument".
std::string reason_of(const std::system_error& error) {
  return error.code() == std::errc::invalid_argument ? "not a regular file" : error.code().message();
}

std::string external_location(const proto::Tensor& tensor) {
  const auto entry = std::ranges::find(tensor.external_data, "location", &proto::Entry::key);
  return entry == tensor.external_data.end() ? "" : shortened(entry->value, 200);
}

/// The role of a graph in the node that holds it, if one does. A branch has no formal inputs.
enum class Role : std::uint8_t { main, branch, body };

/// One pass over a decoded model. Graphs are read in the order inputs, initializers, nodes, outputs.
class Reader {
 public:
  Reader(const proto::Model& file, std::size_t bytes, TensorSource source)
      : file_(file), source_(std::move(source)), names_(reading_.model, bytes), missing_(file) {}

  Reading read();

 private:
  void declare_function(const proto::Function& function);
  void read_function(const proto::Function& function, std::size_t number);
  void read_default_bodies(const proto::Function& function, std::size_t number, const Place& place);
  void check_signature(const proto::Function& function, const Place& place);
  void read_graph(const proto::Graph& from, GraphIndex graph, Role role, const Place& place);
  void read_value_info(const proto::List<proto::ValueInfo>& infos, const Place& place);
  void read_types(const proto::List<proto::ValueInfo>& infos, const Place& place);
  void read_inputs(const proto::Graph& from, GraphIndex graph, Role role, const Place& place);
  void read_initializers(const proto::Graph& from, GraphIndex graph, const Place& place);
  void read_nodes(const proto::List<proto::Node>& nodes, GraphIndex graph, const Place& place);
  void read_outputs(const proto::List<proto::ValueInfo>& outputs, GraphIndex graph, const Place& place);
  void read_node(Node& node, const proto::Node& from, const Place& place);
  void read_attribute(Node& node, const proto::Attribute& from, const Place& place);
  void check_reference(const proto::Attribute& from, const Place& place);
  void check_attribute(const proto::Attribute& from, const Place& place);
  void check_attributes(const proto::Node& from, bool is_if, const Place& place);
  void read_bodies(Node& node, const proto::Attribute& from, const Place& place);
  Body read_body(std::string_view name, const proto::Graph& from, Role role, const Place& place);
  void order_branches(Node& node);
  const std::size_t* function_called_by(const proto::Node& node) const;
  void bind_function(Node& node, const proto::Node& from, const Place& place);
  void check_operator(const Node& node, const Place& place);
  AttributeValue attribute_value(const proto::Attribute& from, const Place& place);
  Value sparse_value(const proto::SparseTensor& from, const Place& place);
  Slot use(std::string_view name, const Place& place);
  Slot define(std::string_view name, const Place& place);
  Value read_tensor_at(const proto::Tensor& from, const Place& place);
  GraphIndex add_graph(std::string_view name);
  Opsets read_opsets(const proto::List<proto::OperatorSet>& imports, const Place& place);
  void report(std::string_view rule, const Place& place, const std::string& found, const std::string& expected,
              bool allowable = false) {
    findings_.report(rule, place, found, expected, Level::error, allowable);
  }
  Reading done() {
    reading_.broken = findings_.take();
    for (const auto& [location, file] : source_.external) reading_.files.push_back(file.path());
    return std::move(reading_);
  }

  const proto::Model& file_;
  TensorSource source_;
  Reading reading_;
  Findings findings_;
  Names names_;
  MissingName missing_;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> functions_;  // domain, name, overload
  std::vector<std::unordered_set<std::string_view>> attributes_;                        // names, of each function
  Opsets opsets_;                                                                       // in force at the current place
  bool in_function_ = false;
};

// Rules: onnx/model/graph-required, onnx/model/ir-version-required.
Reading Reader::read() {
  const Place place{.what = "model"};
  Model& model = reading_.model;
  model.format = Format::onnx;
  model.producer =
      fmt::format("{}{}{}", file_.producer_name, file_.producer_version.empty() ? "" : " ", file_.producer_version);
  model.ir_version = file_.ir_version.value_or(0);
  if (!file_.ir_version) {
    report("onnx/model/ir-version-required", place, "the model has no ir_version",
           "the IR version that the model targets");
  }
  model.opsets = read_opsets(file_.opset_import, place);
  add_graph(file_.graph.empty() ? "" : file_.graph.front().name);
  for (const proto::Function& function : file_.functions) declare_function(function);
  for (std::size_t i = 0; i < file_.functions.size(); ++i) read_function(file_.functions[i], i);
  if (file_.graph.empty()) {
    report("onnx/model/graph-required", place, "the model has no graph", "a model has a graph");
    return done();
  }
  opsets_ = model.opsets;
  if (opsets_.empty())
    report("onnx/model/operators-are-declared", place, "the model imports no operator set",
           "at least one opset_import");
  const proto::Graph& main = file_.graph.front();
  const Place main_place{.kind = Place::Kind::named, .what = "graph", .name = main.name};
  check_main_types(main, main_place, findings_);
  names_.enter(0);
  read_graph(main, 0, Role::main, main_place);
  names_.leave();
  return done();
}

// Rule: onnx/model/unique-functions.
void Reader::declare_function(const proto::Function& function) {
  const Place place{.kind = Place::Kind::named, .what = "function", .name = function.name};
  Function declared{own_domain(function.domain),
                    std::string(function.name),
                    std::string(function.overload),
                    add_graph(function.name),
                    {},
                    {}};
  check_signature(function, place);
  for (const proto::Attribute& attribute : function.attribute_proto) {
    check_attribute(attribute, place);
    if (attribute.graph.empty()) declared.defaults.emplace(attribute.name, attribute_value(attribute, place));
  }
  declared.required.assign(function.attribute.begin(), function.attribute.end());
  std::unordered_set<std::string_view>& names = attributes_.emplace_back();
  names.insert(function.attribute.begin(), function.attribute.end());
  for (const proto::Attribute& attribute : function.attribute_proto) names.insert(attribute.name);
  if (!functions_
           .emplace(std::tuple(declared.domain, declared.name, declared.overload), reading_.model.functions.size())
           .second) {
    report("onnx/model/unique-functions", place, "another function has the same domain, name and overload",
           "the three together are unique");
  }
  reading_.model.functions.push_back(std::move(declared));
}

/// Sentence: ir-function-attribute-names.
/// Rule: onnx/model/one-definition-per-name.
void Reader::check_signature(const proto::Function& function, const Place& place) {
  std::vector<std::string_view> names(function.attribute.begin(), function.attribute.end());
  for (const proto::Attribute& attribute : function.attribute_proto) names.push_back(attribute.name);
  std::ranges::sort(names);
  for (auto at = std::ranges::adjacent_find(names); at != names.end();
       at = std::ranges::adjacent_find(std::next(at), names.end())) {
    report("onnx/model/one-definition-per-name", place, fmt::format("the attribute \"{}\" is declared twice", *at),
           "a function's attributes, with and without a default, have distinct names");
  }
}

/// A domain may be imported twice; the highest version counts, in functions too.
/// Sentence: proto-highest-version.
/// Rules: onnx/if/version-of-opset, onnx/model/operators-are-declared.
Opsets Reader::read_opsets(const proto::List<proto::OperatorSet>& imports, const Place& place) {
  Opsets opsets;
  for (const proto::OperatorSet& import : imports) {
    if (own_domain(import.domain).empty() && import.version > newest_opset) {
      report("onnx/model/operators-are-declared", place, fmt::format("opset {} is imported", import.version),
             fmt::format("an operator set that this reader knows, at most {}", newest_opset));
    }
    std::int64_t& version = opsets.emplace(own_domain(import.domain), import.version).first->second;
    version = std::max(version, import.version);
  }
  return opsets;
}

GraphIndex Reader::add_graph(std::string_view name) {
  reading_.model.graphs.emplace_back().name = name;
  return static_cast<GraphIndex>(reading_.model.graphs.size() - 1);
}

void Reader::read_function(const proto::Function& function, std::size_t number) {
  const Place place{.kind = Place::Kind::named, .what = "function", .name = function.name};
  const GraphIndex graph = reading_.model.functions[number].graph;
  opsets_ = read_opsets(function.opset_import, place);
  read_default_bodies(function, number, place);
  in_function_ = true;
  names_.enter(graph);
  missing_.enter(function.node, place);
  read_value_info(function.value_info, place);
  for (std::size_t i = 0; i < function.input.size(); ++i) {
    const Slot slot = define(function.input[i], place.numbered("input", i));
    reading_.model.graphs[graph].inputs.push_back(slot);
  }
  read_nodes(function.node, graph, place);
  for (std::size_t i = 0; i < function.output.size(); ++i) {
    const Slot slot = use(function.output[i], place.numbered("output", i));
    reading_.model.graphs[graph].outputs.push_back(slot);
  }
  missing_.leave();
  names_.leave();
  in_function_ = false;
}

/// A default graph is outside of every other graph, so only its own names are visible in it.
void Reader::read_default_bodies(const proto::Function& function, std::size_t number, const Place& place) {
  for (const proto::Attribute& attribute : function.attribute_proto) {
    for (const proto::Graph& graph : attribute.graph) {
      Body body = read_body(attribute.name, graph, Role::body, place);
      reading_.model.functions[number].default_bodies.push_back(std::move(body));
    }
  }
}

// Rule: onnx/model/graphs-have-names.
void Reader::read_graph(const proto::Graph& from, GraphIndex graph, Role role, const Place& place) {
  if (from.name.empty())
    report("onnx/model/graphs-have-names", place, "the graph has no name", "each graph has a name", true);
  missing_.enter(from.node, place);
  read_value_info(from.value_info, place);
  read_types(from.output, place);
  read_types(from.input, place);
  read_inputs(from, graph, role, place);
  read_initializers(from, graph, place);
  read_nodes(from.node, graph, place);
  read_outputs(from.output, graph, place);
  missing_.leave();
}

/// Sentence: proto-value-info-distinct.
/// Rule: onnx/model/value-info-is-distinct.
void Reader::read_value_info(const proto::List<proto::ValueInfo>& infos, const Place& place) {
  read_types(infos, place);
  for (const RepeatedInfo& repeated : repeated_infos(infos)) {
    report("onnx/model/value-info-is-distinct", place.named("value_info", repeated.name), "the value appears twice",
           "each value appears at most once in a graph's value_info", repeated.kept.has_value());
  }
}

// Rule: onnx/model/declared-type-agrees.
void Reader::read_types(const proto::List<proto::ValueInfo>& infos, const Place& place) {
  for (const proto::ValueInfo& info : infos) {
    const Type type = type_of(info.type);
    const Type* first = names_.declare_type(info.name, type);
    if (first == nullptr) continue;
    report("onnx/model/declared-type-agrees", place.named("value", info.name),
           fmt::format("declared as {} and as {}", to_string(*first), to_string(type)),
           "declarations of one value that do not contradict each other");
  }
}

/// In IR 3 every initializer is listed among the inputs. In a nested graph these are constants, not inputs that the
/// node passes, and come after the actual inputs (IR document, Nodes).
/// Rule: onnx/model/nested-input-is-no-initializer.
void Reader::read_inputs(const proto::Graph& from, GraphIndex graph, Role role, const Place& place) {
  std::unordered_set<std::string_view> backed;
  if (role != Role::main) {
    for (const proto::Tensor& initializer : from.initializer) backed.insert(initializer.name);
    for (const proto::SparseTensor& initializer : from.sparse_initializer) backed.insert(initializer.values.name);
  }
  const bool may_be_backed = reading_.model.ir_version < 4;
  bool constants_began = false;
  for (std::size_t i = 0; i < from.input.size(); ++i) {
    const Place here = place.numbered("input", i);
    const Slot slot = define(from.input[i].name, here);
    const bool is_backed = backed.contains(from.input[i].name);
    const bool is_constant = may_be_backed && is_backed;
    if (role == Role::body && (may_be_backed ? constants_began && !is_backed : is_backed)) {
      report("onnx/model/nested-input-is-no-initializer", here,
             may_be_backed
                 ? fmt::format("the input \"{}\" follows one that is an initializer", from.input[i].name)
                 : fmt::format("\"{}\" is an input and an initializer of the nested graph", from.input[i].name),
             may_be_backed ? "inputs that are initializers come after those that the node passes"
                           : "from IR 4 on a value of a nested graph is one or the other");
    }
    constants_began = constants_began || is_constant;
    if (role != Role::branch && !is_constant) reading_.model.graphs[graph].inputs.push_back(slot);
  }
}

void Reader::read_initializers(const proto::Graph& from, GraphIndex graph, const Place& place) {
  // An initializer with the name of an input is the default of that input. (Where a nested graph must not have one,
  // read_inputs and check_branch_inputs have reported it.) Of two such initializers the second is a second definition.
  std::unordered_set<std::string_view> without_default;
  for (const proto::ValueInfo& input : from.input) without_default.insert(input.name);
  const auto slot_of = [&](std::string_view name, const Place& here) {
    const bool is_default = without_default.erase(name) > 0;
    return is_default ? *names_.resolve(name, here) : define(name, here);
  };
  // Sentence: proto-initializer-named.
  const auto expect_name = [&](std::string_view name, const Place& here) {
    if (name.empty())
      report("onnx/model/one-definition-per-name", here, "the initializer has no name", "each initializer has a name",
             true);
  };
  for (const proto::Tensor& initializer : from.initializer) {
    const Place here = place.named("initializer", initializer.name);
    expect_name(initializer.name, here);
    const Slot slot = slot_of(initializer.name, here);
    reading_.model.graphs[graph].constants.push_back({slot, read_tensor_at(initializer, here)});
  }
  for (const proto::SparseTensor& initializer : from.sparse_initializer) {
    const Place here = place.named("sparse_initializer", initializer.values.name);
    expect_name(initializer.values.name, here);
    const Slot slot = slot_of(initializer.values.name, here);
    reading_.model.graphs[graph].constants.push_back({slot, sparse_value(initializer, here)});
  }
}

void Reader::read_nodes(const proto::List<proto::Node>& nodes, GraphIndex graph, const Place& place) {
  Graph& to = reading_.model.graphs[graph];
  to.nodes.resize(nodes.size());
  to.slots.reserve(to.slots.size() + nodes.size());
  const std::span<Node> made = to.nodes;  // the graph moves in memory as nested graphs are added, its nodes do not
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    missing_.at(i);
    const Place here = place.node(nodes[i].op_type, nodes[i].name, i);
    naming_out_of_memory(here, [&] { read_node(made[i], nodes[i], here); });
  }
  missing_.at(nodes.size());
}

// Rules: onnx/if/output-is-initializer, onnx/if/output-is-outer-value, onnx/if/output-repeated.
void Reader::read_outputs(const proto::List<proto::ValueInfo>& outputs, GraphIndex graph, const Place& place) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Slot slot = use(outputs[i].name, place.numbered("output", i));
    reading_.model.graphs[graph].outputs.push_back(slot);
  }
}

// Rules: onnx/if/version-of-opset, onnx/model/operators-are-declared.
void Reader::read_node(Node& node, const proto::Node& from, const Place& place) {
  node.name = from.name;
  node.domain = own_domain(from.domain);
  node.op = from.op_type;
  if (const auto imported = opsets_.find(node.domain); imported != opsets_.end()) {
    node.version = static_cast<int>(std::clamp<std::int64_t>(imported->second, 0, 1'000'000));
  } else {
    report("onnx/model/operators-are-declared", place,
           fmt::format("no operator set of the domain \"{}\" is imported", from.domain),
           "every operator's domain is imported", !node.domain.empty() && function_called_by(from) != nullptr);
  }
  node.inputs.reserve(from.input.size());
  node.outputs.reserve(from.output.size());
  for (std::size_t i = 0; i < from.input.size(); ++i) {
    node.inputs.push_back(from.input[i].empty() ? no_slot : use(from.input[i], place.numbered("input", i)));
  }
  if (is_if(node)) check_if_node(from, place, findings_);
  check_attributes(from, is_if(node), place);
  for (const proto::Attribute& attribute : from.attribute) {
    if (attribute.graph.empty() && attribute.graphs.empty())
      read_attribute(node, attribute, place);
    else
      read_bodies(node, attribute, place);
  }
  order_branches(node);
  bind_function(node, from, place);
  check_operator(node, place);
  for (std::size_t i = 0; i < from.output.size(); ++i) {
    node.outputs.push_back(from.output[i].empty() ? no_slot : define(from.output[i], place.numbered("output", i)));
  }
}

void Reader::read_bodies(Node& node, const proto::Attribute& from, const Place& place) {
  const Role role = is_if(node) ? Role::branch : Role::body;
  for (const proto::Graph& graph : from.graph) node.bodies.push_back(read_body(from.name, graph, role, place));
  for (const proto::Graph& graph : from.graphs) {
    node.bodies.push_back(read_body(from.name, graph, role, place));
    node.bodies.back().in_list = true;
  }
}

// Rule: onnx/model/one-definition-per-name.
void Reader::check_attributes(const proto::Node& from, bool is_if, const Place& place) {
  for (const proto::Attribute& attribute : from.attribute) {
    check_reference(attribute, place);
    // Other faults of a branch are covered by the rules of If.
    if (!is_if || holds_two_values(attribute)) check_attribute(attribute, place);
  }
  if (from.attribute.size() < 2) return;
  std::vector<std::string_view> names;
  names.reserve(from.attribute.size());
  for (const proto::Attribute& attribute : from.attribute) {
    if (!is_if || !names_branch(attribute)) names.push_back(attribute.name);
  }
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice == names.end()) return;
  report("onnx/model/one-definition-per-name", place, fmt::format("the attribute {} appears twice", *twice),
         "each attribute appears once");
}

// Rule: onnx/model/attribute-holds-one-value.
void Reader::check_attribute(const proto::Attribute& from, const Place& place) {
  const std::string fault = fault_of(from, reading_.model.ir_version);
  if (!fault.empty()) {
    report("onnx/model/attribute-holds-one-value", place, fault,
           "a name, a type, and exactly one value, in the field of that type", lacks_only_its_type(from));
  }
}

// Rule: onnx/model/attribute-reference.
void Reader::check_reference(const proto::Attribute& from, const Place& place) {
  if (from.reference.empty() || in_function_) return;
  report("onnx/model/attribute-reference", place,
         fmt::format("the attribute {} refers to \"{}\"", from.name, from.reference),
         "only a function's nodes refer to attributes");
}

void Reader::read_attribute(Node& node, const proto::Attribute& from, const Place& place) {
  const bool is_graph = from.type == static_cast<std::int32_t>(proto::AttributeType::graph);
  if (!is_graph)
    node.attributes.emplace(from.name, attribute_value(from, place));
  else if (!from.reference.empty())
    node.bodies.push_back({std::string(from.name), 0, {}, std::string(from.reference)});
}

// Rule: onnx/if/nesting.
Body Reader::read_body(std::string_view name, const proto::Graph& from, Role role, const Place& outer) {
  const Place place = outer.word(name);
  if (role == Role::branch) check_branch_inputs(from, reading_.model.ir_version, place, findings_);
  const GraphIndex graph = add_graph(from.name);
  names_.enter(graph);
  read_graph(from, graph, role, place);
  return {std::string(name), graph, names_.leave(), {}};
}

/// then_branch first, else_branch second, whatever the file's order: from here on bodies are found by position.
/// Rules: onnx/if/then-when-true, onnx/if/else-when-false.
void Reader::order_branches(Node& node) {
  if (!is_if(node)) return;
  std::ranges::stable_partition(node.bodies, [](const Body& body) { return body.role == "then_branch"; });
}

/// The number of the function that the node calls, if it does.
const std::size_t* Reader::function_called_by(const proto::Node& node) const {
  if (functions_.empty()) return nullptr;
  const auto found =
      functions_.find(std::tuple(own_domain(node.domain), std::string(node.op_type), std::string(node.overload)));
  return found == functions_.end() ? nullptr : &found->second;
}

/// A call of a model-local function enters the function's graph.
/// Rule: onnx/model/call-fits-function.
void Reader::bind_function(Node& node, const proto::Node& from, const Place& place) {
  const std::size_t* number = function_called_by(from);
  if (number == nullptr) return;
  const proto::Function& function = file_.functions[*number];
  node.call = true;
  node.bodies.insert(node.bodies.begin(), Body{"function", reading_.model.functions[*number].graph, {}, {}});
  for (const proto::Attribute& attribute : from.attribute) {
    // Names that begin with two underscores are private notes of an exporter, as in an If.
    if (attribute.name.starts_with("__") || attributes_[*number].contains(attribute.name)) continue;
    report("onnx/model/call-fits-function", place, fmt::format("the call has an attribute \"{}\"", attribute.name),
           "only attributes that the function has");
  }
  if (from.input.size() <= function.input.size() && from.output.size() <= function.output.size()) return;
  report("onnx/model/call-fits-function", place,
         fmt::format("the call has {} inputs and {} outputs", from.input.size(), from.output.size()),
         fmt::format("at most the {} inputs and {} outputs that the function has", function.input.size(),
                     function.output.size()));
}

/// Only ONNX's own operators are known; the contents of other domains are not.
/// Rule: onnx/model/operators-are-declared.
void Reader::check_operator(const Node& node, const Place& place) {
  if (node.call || !node.domain.empty() || node.version > newest_opset) return;
  const int since = operator_since(node.op);
  if (since != 0 && since <= node.version) return;
  report("onnx/model/operators-are-declared", place, fmt::format("opset {} has no operator {}", node.version, node.op),
         since == 0 ? "an operator of ONNX or a function of the model"
                    : fmt::format("opset {} or later for {}", since, node.op));
}

AttributeValue Reader::attribute_value(const proto::Attribute& from, const Place& place) {
  using enum proto::AttributeType;
  if (!from.reference.empty()) return AttributeReference{std::string(from.reference)};
  switch (field_in_use(from)) {
    case floats:
      return from.floats;
    case ints:
      return from.ints;
    case strings:
      return std::vector<std::string>(from.strings.begin(), from.strings.end());
    case string:
      return std::string(from.s.value_or(""));
    case float_:
      return from.f.value_or(0.0F);
    case tensor:
      return from.tensor.empty() ? Value{} : read_tensor_at(from.tensor.front(), place);
    case sparse_tensor:
      return from.sparse_tensor.empty() ? Value{} : sparse_value(from.sparse_tensor.front(), place);
    case type_proto:
      return from.type_proto.empty() ? Type{} : type_of(from.type_proto.front());
    case tensors:
    case sparse_tensors:
    case type_protos:
      return Type{Type::Kind::opaque, {}, {}, {}};  // lists that no operator of ONNX's own domain accepts
    default:
      return from.i.value_or(0);
  }
}

Value Reader::sparse_value(const proto::SparseTensor& from, const Place& place) {
  const Value values = read_tensor_at(from.values, place.word("values"));
  const Value indices = read_tensor_at(from.indices, place.word("indices"));
  return read_sparse(from, values, indices, place, findings_);
}

// Rule: onnx/model/every-use-is-defined.
Slot Reader::use(std::string_view name, const Place& place) {
  if (const auto slot = names_.resolve(name, place)) return *slot;
  if (!findings_.full()) {
    const MissingName::Reason reason = missing_.explain(name);
    report(reason.rule, place, reason.found, std::string(reason.expected), reason.allowable);
  }
  return names_.define_missing(name, place);
}

// Rules: onnx/if/no-shadowing, onnx/model/one-definition-per-name.
Slot Reader::define(std::string_view name, const Place& place) {
  const Names::Defined defined = names_.define(name, place);
  switch (defined.before) {
    case Names::Visible::no:
      break;
    case Names::Visible::in_this_graph:
      report("onnx/model/one-definition-per-name", place, fmt::format("\"{}\" is defined a second time", name),
             "each value of a graph has one definition (static single assignment)");
      break;
    case Names::Visible::outside:
      report("onnx/if/no-shadowing", place, fmt::format("\"{}\" is already visible from an outer graph", name),
             "names in a nested graph that differ from those visible around it");
      break;
  }
  return defined.slot;
}

// Rule: onnx/model/external-data.
Value Reader::read_tensor_at(const proto::Tensor& from, const Place& place) {
  try {
    return naming_out_of_memory(place, [&] { return read_tensor(from, source_); });
  } catch (const BadTensor& error) {
    report(error.rule, place, error.what(), error.expected);
    return {};
  } catch (const std::system_error& error) {
    throw UnreadableModel({"onnx/model/external-data", to_string(place),
                           fmt::format("{}: {}", external_location(from), reason_of(error)), "a readable file"});
  } catch (const std::length_error& error) {
    throw UnreadableModel(
        {std::string(size_limit_rule), to_string(place), error.what(), "a model within this reader's limits"});
  }
}

}  // namespace

namespace {

Reading read_strictly(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                      const std::filesystem::path& folder) {
  const proto::Model file = proto::decode(bytes);
  try {
    return Reader(file, bytes.size(), {std::move(owner), folder, {}}).read();
  } catch (const std::length_error& error) {
    throw UnreadableModel({"onnx/model/size-limit", "model", error.what(), "a model within this reader's limits"});
  }
}

}  // namespace

// Rule: onnx/model/size-limit.
Reading read_bytes(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                   const std::filesystem::path& folder, const AllowedRules& allowed) {
  return with_allowed(
      read_strictly(std::move(owner), bytes, folder), allowed, [&](const Reading&) { return mended(bytes, allowed); },
      [&](std::shared_ptr<const void> kept, std::span<const std::byte> whole) {
        return read_strictly(std::move(kept), whole, folder);
      });
}

// Rule: onnx/model/file-is-whole.
Reading read_file(const std::filesystem::path& path, const AllowedRules& allowed) {
  auto file = std::make_shared<Buffer>();
  try {
    *file = read_whole(path);
  } catch (const std::system_error& error) {
    throw UnreadableModel({"onnx/model/file-is-whole", path.string(), reason_of(error), "a readable model file"});
  }
  std::filesystem::path folder = path.parent_path();
  if (folder.empty()) folder = ".";
  Reading reading = read_bytes(file, file->bytes(), folder, allowed);
  reading.model.path = path.string();
  reading.files.push_back(std::filesystem::absolute(path));
  return reading;
}

}  // namespace ifcert::onnx
