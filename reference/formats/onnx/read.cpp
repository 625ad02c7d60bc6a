// Bytes → messages → graphs: names become slots, captures become explicit, and what the raw file breaks is written
// down.
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/onnx.hpp>
#include <system_error>
#include <tuple>

#include "formats/onnx/if_attributes.hpp"
#include "formats/onnx/missing_name.hpp"
#include "formats/onnx/names.hpp"
#include "formats/onnx/operator_set.hpp"
#include "formats/onnx/proto.hpp"
#include "formats/onnx/tensor.hpp"
#include "mapped_file.hpp"
#include "place.hpp"

namespace ifcert::onnx {
namespace {

using Opsets = std::map<std::string, std::int64_t, std::less<>>;

std::string own_domain(std::string_view domain) {
  return domain == "ai.onnx" ? "" : std::string(domain);
}

/// One pass over a decoded model. Member functions take the messages' own order: inputs, initializers, nodes, outputs.
class Reader {
 public:
  Reader(const proto::Model& file, TensorSource source)
      : file_(file), source_(std::move(source)), names_(reading_.model) {}

  Reading read();

 private:
  void declare_function(const proto::Function& function);
  void read_function(const proto::Function& function, GraphIndex graph);
  void read_graph(const proto::Graph& from, GraphIndex graph, bool branch, const Place& place);
  void read_types(const std::vector<proto::ValueInfo>& infos);
  void read_inputs(const proto::Graph& from, GraphIndex graph, bool branch, const Place& place);
  void read_initializers(const proto::Graph& from, GraphIndex graph, bool branch, const Place& place);
  void read_nodes(const std::vector<proto::Node>& nodes, GraphIndex graph, const Place& place);
  void read_outputs(const std::vector<proto::ValueInfo>& outputs, GraphIndex graph, const Place& place);
  Node read_node(const proto::Node& from, const Place& place);
  void read_attribute(Node& node, const proto::Attribute& from, const Place& place);
  void check_reference(const proto::Attribute& from, const Place& place);
  void read_bodies(Node& node, const proto::Attribute& from, const Place& place);
  Body read_body(std::string_view role, const proto::Graph& from, bool branch, const Place& place);
  void order_branches(Node& node);
  void bind_function(Node& node, const proto::Node& from);
  void check_operator(const Node& node, const Place& place);
  AttributeValue attribute_value(const proto::Attribute& from, const Place& place);
  Slot use(std::string_view name, const Place& place);
  Slot define(std::string_view name, const Place& place);
  Value read_tensor_at(const proto::Tensor& from, const Place& place);
  GraphIndex add_graph(std::string_view name);
  Opsets read_opsets(const std::vector<proto::OperatorSet>& imports, const Place& place);
  void report(std::string rule, const Place& place, std::string found, std::string asked) {
    if (full()) return;
    reading_.broken.push_back({std::move(rule), to_string(place), std::move(found), std::move(asked)});
  }

  /// A hostile file can break a rule at every byte: what was found by then says enough.
  bool full() const { return reading_.broken.size() >= 100; }

  const proto::Model& file_;
  TensorSource source_;
  Reading reading_;
  Names names_;
  MissingName missing_;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> functions_;  // domain, name, overload
  Opsets opsets_;                                                                       // in force where the reader is
  bool in_function_ = false;
};

Reading Reader::read() {
  const Place place{.what = "model"};
  Model& model = reading_.model;
  model.format = Format::onnx;
  model.producer =
      fmt::format("{}{}{}", file_.producer_name, file_.producer_version.empty() ? "" : " ", file_.producer_version);
  model.ir_version = file_.ir_version;
  model.opsets = read_opsets(file_.opset_import, place);
  add_graph(file_.graph.empty() ? "" : file_.graph.front().name);
  for (const proto::Function& function : file_.functions) declare_function(function);
  for (std::size_t i = 0; i < file_.functions.size(); ++i) read_function(file_.functions[i], model.functions[i].graph);
  if (file_.graph.empty()) {
    report("onnx/model/graph-required", place, "the model has no graph", "a model has one");
    return std::move(reading_);
  }
  opsets_ = model.opsets;
  if (opsets_.empty())
    report("onnx/model/operators-are-declared", place, "the model imports no operator set",
           "at least one opset_import");
  const proto::Graph& main = file_.graph.front();
  names_.enter(0);
  read_graph(main, 0, false, Place{.kind = Place::Kind::named, .what = "graph", .name = main.name});
  names_.leave();
  return std::move(reading_);
}

void Reader::declare_function(const proto::Function& function) {
  const Place place{.kind = Place::Kind::named, .what = "function", .name = function.name};
  Function declared{own_domain(function.domain),
                    std::string(function.name),
                    std::string(function.overload),
                    add_graph(function.name),
                    {},
                    {}};
  for (const proto::Attribute& attribute : function.attribute_proto) {
    declared.defaults.emplace(attribute.name, attribute_value(attribute, place));
  }
  declared.required.assign(function.attribute.begin(), function.attribute.end());
  if (!functions_
           .emplace(std::tuple(declared.domain, declared.name, declared.overload), reading_.model.functions.size())
           .second) {
    report("onnx/model/unique-functions", place, "another function has the same domain, name and overload",
           "the three together are unique");
  }
  reading_.model.functions.push_back(std::move(declared));
}

Opsets Reader::read_opsets(const std::vector<proto::OperatorSet>& imports, const Place& place) {
  Opsets opsets;
  for (const proto::OperatorSet& import : imports) {
    if (own_domain(import.domain).empty() && import.version > newest_opset) {
      report("onnx/model/operators-are-declared", place, fmt::format("opset {} is imported", import.version),
             fmt::format("an operator set that this reader knows, at most {}", newest_opset));
    }
    if (opsets.emplace(own_domain(import.domain), import.version).second) continue;
    report("onnx/model/operators-are-declared", place,
           fmt::format("the domain \"{}\" is imported twice", import.domain), "one import for each domain");
  }
  return opsets;
}

GraphIndex Reader::add_graph(std::string_view name) {
  reading_.model.graphs.emplace_back().name = name;
  return static_cast<GraphIndex>(reading_.model.graphs.size() - 1);
}

void Reader::read_function(const proto::Function& function, GraphIndex graph) {
  const Place place{.kind = Place::Kind::named, .what = "function", .name = function.name};
  opsets_ = read_opsets(function.opset_import, place);
  in_function_ = true;
  names_.enter(graph);
  missing_.enter(function.node);
  read_types(function.value_info);
  for (const std::string_view input : function.input) {
    const Slot slot = define(input, place);
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

void Reader::read_graph(const proto::Graph& from, GraphIndex graph, bool branch, const Place& place) {
  if (from.name.empty())
    report("onnx/model/graphs-have-names", place, "the graph has no name", "each graph has a name");
  missing_.enter(from.node);
  read_types(from.value_info);
  read_types(from.output);
  read_types(from.input);
  read_inputs(from, graph, branch, place);
  read_initializers(from, graph, branch, place);
  read_nodes(from.node, graph, place);
  read_outputs(from.output, graph, place);
  missing_.leave();
}

void Reader::read_types(const std::vector<proto::ValueInfo>& infos) {
  for (const proto::ValueInfo& info : infos) names_.declare_type(info.name, type_of(info.type));
}

void Reader::read_inputs(const proto::Graph& from, GraphIndex graph, bool branch, const Place& place) {
  for (std::size_t i = 0; i < from.input.size(); ++i) {
    const Slot slot = define(from.input[i].name, place.numbered("input", i));
    // A branch is not called with arguments: an input that IR 3 lets it list is the initializer behind it.
    if (!branch) reading_.model.graphs[graph].inputs.push_back(slot);
  }
}

void Reader::read_initializers(const proto::Graph& from, GraphIndex graph, bool branch, const Place& place) {
  // The inputs took the graph's first slots; an initializer of the same name is that input's default. From IR version 4
  // on only the main graph's inputs have defaults; what branches may have is check_branch_inputs' business.
  const bool defaults = graph == 0 || branch || file_.ir_version < 4;
  std::vector<bool> given(from.input.size());
  for (std::size_t i = 0; i < from.initializer.size(); ++i) {
    const proto::Tensor& initializer = from.initializer[i];
    const Place here = place.named("initializer", initializer.name);
    const bool here_already = names_.visible(initializer.name) == Names::Visible::in_this_graph;
    const Slot known = here_already ? *names_.resolve(initializer.name) : no_slot;
    const bool is_default = known < given.size() && !given[known];
    if (is_default) given[known] = true;
    if (is_default && !defaults) {
      report("onnx/model/one-definition-per-name", here, "the graph has an input of that name too",
             "from IR version 4 on an initializer of a nested graph is none of its inputs");
    }
    const Slot slot = is_default ? known : define(initializer.name, here);
    reading_.model.graphs[graph].constants.push_back({slot, read_tensor_at(initializer, here)});
  }
  for (const std::string_view name : from.sparse_initializer) define(name, place.named("sparse_initializer", name));
}

void Reader::read_nodes(const std::vector<proto::Node>& nodes, GraphIndex graph, const Place& place) {
  reading_.model.graphs[graph].nodes.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    missing_.at(i);
    Node node = read_node(nodes[i], place.node(nodes[i].op_type, nodes[i].name, i));
    reading_.model.graphs[graph].nodes.push_back(std::move(node));
  }
  missing_.at(nodes.size());
}

void Reader::read_outputs(const std::vector<proto::ValueInfo>& outputs, GraphIndex graph, const Place& place) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Slot slot = use(outputs[i].name, place.numbered("output", i));
    reading_.model.graphs[graph].outputs.push_back(slot);
  }
}

Node Reader::read_node(const proto::Node& from, const Place& place) {
  Node node;
  node.name = from.name;
  node.domain = own_domain(from.domain);
  node.op = from.op_type;
  if (const auto imported = opsets_.find(node.domain); imported != opsets_.end()) {
    node.version = static_cast<int>(std::clamp<std::int64_t>(imported->second, 0, 1'000'000));
  } else {
    report("onnx/model/operators-are-declared", place,
           fmt::format("no operator set of the domain \"{}\" is imported", from.domain),
           "every operator's domain is imported");
  }
  for (std::size_t i = 0; i < from.input.size(); ++i) {
    node.inputs.push_back(from.input[i].empty() ? no_slot : use(from.input[i], place.numbered("input", i)));
  }
  if (node.op == "If" && node.domain.empty()) check_if_node(from, place, reading_.broken);
  for (const proto::Attribute& attribute : from.attribute) {
    if (attribute.graph.empty() && attribute.graphs.empty())
      read_attribute(node, attribute, place);
    else
      read_bodies(node, attribute, place);
  }
  order_branches(node);
  bind_function(node, from);
  check_operator(node, place);
  for (std::size_t i = 0; i < from.output.size(); ++i) {
    node.outputs.push_back(from.output[i].empty() ? no_slot : define(from.output[i], place.numbered("output", i)));
  }
  return node;
}

void Reader::read_bodies(Node& node, const proto::Attribute& from, const Place& place) {
  const bool branch = node.op == "If" && node.domain.empty();
  check_reference(from, place);
  for (const proto::Graph& graph : from.graph) node.bodies.push_back(read_body(from.name, graph, branch, place));
  for (const proto::Graph& graph : from.graphs) node.bodies.push_back(read_body(from.name, graph, branch, place));
}

void Reader::check_reference(const proto::Attribute& from, const Place& place) {
  if (from.reference.empty() || in_function_) return;
  report("onnx/model/attribute-reference", place,
         fmt::format("the attribute {} refers to \"{}\"", from.name, from.reference),
         "only a function's nodes refer to attributes");
}

void Reader::read_attribute(Node& node, const proto::Attribute& from, const Place& place) {
  const std::string name(from.name);
  const bool is_graph = from.type == static_cast<std::int32_t>(proto::AttributeType::graph);
  check_reference(from, place);
  if (is_graph) {
    if (!from.reference.empty()) node.bodies.push_back({name, 0, {}, std::string(from.reference)});
    return;
  }
  const bool first = node.attributes.emplace(name, attribute_value(from, place)).second;
  if (!first && !(node.op == "If" && node.domain.empty())) {
    report("onnx/model/one-definition-per-name", place, fmt::format("the attribute {} is given twice", name),
           "each attribute stands once");
  }
}

Body Reader::read_body(std::string_view role, const proto::Graph& from, bool branch, const Place& outer) {
  const Place place = outer.word(role);
  if (branch) check_branch_inputs(from, file_.ir_version, place, reading_.broken);
  const GraphIndex graph = add_graph(from.name);
  names_.enter(graph);
  read_graph(from, graph, branch, place);
  return {std::string(role), graph, names_.leave(), {}};
}

/// then_branch first, else_branch second, whatever the file's order: the evaluator goes by position.
void Reader::order_branches(Node& node) {
  if (node.op != "If" || !node.domain.empty()) return;
  std::ranges::stable_sort(node.bodies, [](const Body& a, const Body& b) { return a.role > b.role; });
}

/// A call of a model-local function enters the function's graph; what the call does not give comes from the defaults.
void Reader::bind_function(Node& node, const proto::Node& from) {
  const auto found = functions_.find(std::tuple(node.domain, node.op, std::string(from.overload)));
  if (found == functions_.end()) return;
  const Function& function = reading_.model.functions[found->second];
  node.call = true;
  node.bodies.insert(node.bodies.begin(), Body{"function", function.graph, {}, {}});
  for (const auto& [name, value] : function.defaults) node.attributes.emplace(name, value);
}

/// ONNX's own operators are known by name; what other domains hold, only their authors know.
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
  if (!from.tensor.empty()) return read_tensor_at(from.tensor.front(), place);
  if (!from.type_proto.empty()) return type_of(from.type_proto.front());
  switch (static_cast<proto::AttributeType>(from.type)) {
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
    case int_:
      return from.i.value_or(0);
    default:
      break;
  }
  // The first IR versions gave attributes no type: the field that is there tells.
  if (from.f) return *from.f;
  if (from.s) return std::string(*from.s);
  if (!from.ints.empty()) return from.ints;
  if (!from.floats.empty()) return from.floats;
  if (!from.strings.empty()) return std::vector<std::string>(from.strings.begin(), from.strings.end());
  return from.i.value_or(0);
}

Slot Reader::use(std::string_view name, const Place& place) {
  if (const auto slot = names_.resolve(name)) return *slot;
  if (!full()) {
    const auto [rule, asked] = missing_.explain(name);
    report(rule, place, fmt::format("\"{}\" is not visible here", name), asked);
  }
  return names_.define(name);  // so that one mistake is reported once
}

Slot Reader::define(std::string_view name, const Place& place) {
  switch (names_.visible(name)) {
    case Names::Visible::no:
      break;
    case Names::Visible::in_this_graph:
      report("onnx/model/one-definition-per-name", place, fmt::format("\"{}\" is defined a second time", name),
             "each value of a graph has one definition (static single assignment)");
      break;
    case Names::Visible::outside:
      report("onnx/if/no-shadowing", place, fmt::format("\"{}\" is already visible from an outer graph", name),
             "a nested graph gives its values names that differ from those visible around it");
      break;
  }
  return names_.define(name);
}

Value Reader::read_tensor_at(const proto::Tensor& from, const Place& place) {
  try {
    return read_tensor(from, source_);
  } catch (const BadTensor& error) {
    report(error.rule, place, error.what(), error.asked);
    return {};
  } catch (const std::system_error& error) {
    throw UnreadableModel({"onnx/model/external-data", to_string(place), error.what(), "a readable file"});
  }
}

}  // namespace

Reading read_bytes(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                   const std::filesystem::path& folder) {
  const proto::Model file = proto::decode(bytes);
  try {
    return Reader(file, {std::move(owner), folder, {}}).read();
  } catch (const std::length_error& error) {
    throw UnreadableModel({"onnx/model/size-limit", "model", error.what(), "a model within this reader's limits"});
  }
}

Reading read_file(const std::filesystem::path& path) {
  MappedFile file;
  try {
    file = map_file(path);
  } catch (const std::system_error& error) {
    throw UnreadableModel({"onnx/model/file-is-whole", path.string(), error.code().message(), "a readable model file"});
  }
  std::filesystem::path folder = path.parent_path();
  if (folder.empty()) folder = ".";
  Reading reading = read_bytes(std::move(file.owner), file.bytes, folder);
  reading.model.path = path.string();
  return reading;
}

}  // namespace ifcert::onnx
