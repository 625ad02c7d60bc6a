#include "formats/mend.hpp"

#include <set>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "formats/onnx/attribute.hpp"
#include "formats/onnx/fields.hpp"
#include "formats/onnx/if_file_rules.hpp"
#include "formats/onnx/node_order.hpp"
#include "formats/onnx/pieces.hpp"
#include "formats/onnx/proto.hpp"
#include "formats/onnx/repeated_info.hpp"

namespace ifcert::onnx {
namespace {

using proto::contents_of;
using proto::Field;
using proto::fields_of;

std::string_view own(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

bool is_if(const proto::Node& node) {
  return own(node.domain).empty() && node.op_type == "If";
}

/// Writes the file again, message by message beside its decoded form.
class Mender {
 public:
  Mender(const proto::Model& model, const AllowedRules& allowed)
      : model_(model), allowed_(allowed), orders_(node_orders(model)) {
    for (const proto::Function& function : model.functions)
      functions_.emplace(own(function.domain), function.name, function.overload);
  }

  std::string mended(std::string_view bytes);

 private:
  void write(const proto::Function& function, std::string_view content);
  void write(const proto::Graph& graph, std::string_view content, std::string_view role, bool is_branch);
  void write(const proto::Node& node, std::string_view content);
  void write(const proto::Attribute& attribute, std::string_view content, bool of_if);
  void write_node(std::uint32_t number, const proto::List<proto::Node>& nodes,
                  const std::vector<std::string_view>& contents, std::size_t i);
  void add_called(const proto::List<proto::Node>& nodes, std::set<std::string_view>& domains) const;
  void add_imports(std::uint32_t field, const proto::List<proto::OperatorSet>& imports,
                   const proto::List<proto::Node>& nodes);
  const NodeOrder* order_of(const proto::List<proto::Node>& nodes) const;
  bool lacks_type(const proto::Attribute& attribute, bool of_if) const;
  std::unordered_set<std::size_t> dropped_infos(const proto::List<proto::ValueInfo>& infos) const;

  const proto::Model& model_;
  const AllowedRules& allowed_;
  const NodeOrders orders_;
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> functions_;  // domain, name, overload
  proto::Pieces to_;
};

std::string Mender::mended(std::string_view bytes) {
  std::size_t function = 0;
  for (const Field& field : fields_of(bytes)) {
    if (field.number == fields::ModelProto::graph) {
      to_.add_message(field.number, [&] { write(model_.graph.front(), field.content, "main", false); });
    } else if (field.number == fields::ModelProto::functions) {
      const proto::Function& from = model_.functions[function++];
      to_.add_message(field.number, [&] { write(from, field.content); });
    } else {
      to_.add(field.whole);
    }
  }
  if (!model_.graph.empty())
    add_imports(fields::ModelProto::opset_import, model_.opset_import, model_.graph.front().node);
  return to_.text();
}

void Mender::write(const proto::Function& function, std::string_view content) {
  const std::vector<Field> all = fields_of(content);
  const std::vector<std::string_view> nodes = contents_of(all, fields::FunctionProto::node);
  const std::unordered_set<std::size_t> dropped = dropped_infos(function.value_info);
  std::size_t node = 0;
  std::size_t attribute = 0;
  std::size_t info = 0;
  for (const Field& field : all) {
    if (field.number == fields::FunctionProto::node) {
      write_node(field.number, function.node, nodes, node++);
    } else if (field.number == fields::FunctionProto::attribute_proto) {
      const proto::Attribute& from = function.attribute_proto[attribute++];
      to_.add_message(field.number, [&] { write(from, field.content, false); });
    } else if (field.number != fields::FunctionProto::value_info || !dropped.contains(info++)) {
      to_.add(field.whole);
    }
  }
  add_imports(fields::FunctionProto::opset_import, function.opset_import, function.node);
}

void Mender::write(const proto::Graph& graph, std::string_view content, std::string_view role, bool is_branch) {
  const std::vector<Field> all = fields_of(content);
  const std::vector<std::string_view> nodes = contents_of(all, fields::GraphProto::node);
  const std::unordered_set<std::size_t> dropped = dropped_infos(graph.value_info);
  const bool drops_inputs = is_branch && allowed_.contains("onnx/if/branches-take-no-inputs");
  const auto backed = drops_inputs ? initialized_names(graph) : std::unordered_set<std::string_view>();
  const bool drops_unnamed = allowed_.contains("onnx/model/one-definition-per-name");
  std::size_t node = 0;
  std::size_t info = 0;
  std::size_t input = 0;
  std::size_t dense = 0;
  std::size_t sparse = 0;
  for (const Field& field : all) {
    bool drop = false;
    if (field.number == fields::GraphProto::value_info) drop = dropped.contains(info++);
    if (field.number == fields::GraphProto::input) drop = backed.contains(graph.input[input++].name);
    if (field.number == fields::GraphProto::initializer)
      drop = graph.initializer[dense++].name.empty() && drops_unnamed;
    if (field.number == fields::GraphProto::sparse_initializer)
      drop = graph.sparse_initializer[sparse++].values.name.empty() && drops_unnamed;
    if (field.number == fields::GraphProto::node)
      write_node(field.number, graph.node, nodes, node++);
    else if (!drop)
      to_.add(field.whole);
  }
  if (graph.name.empty() && allowed_.contains("onnx/model/graphs-have-names"))
    to_.add_made([&](protozero::pbf_writer& w) { w.add_string(fields::GraphProto::name, role.data(), role.size()); });
}

/// Writes the node that is the i-th in order, in a field of that number.
void Mender::write_node(std::uint32_t number, const proto::List<proto::Node>& nodes,
                        const std::vector<std::string_view>& contents, std::size_t i) {
  const NodeOrder* order = order_of(nodes);
  const std::size_t from = order == nullptr ? i : order->sorted.order[i];
  to_.add_message(number, [&] { write(nodes[from], contents[from]); });
}

void Mender::write(const proto::Node& node, std::string_view content) {
  const bool of_if = is_if(node);
  const bool drops_unnamed = of_if && allowed_.contains("onnx/if/one-input") && passes_only_cond(node);
  std::size_t attribute = 0;
  for (const Field& field : fields_of(content)) {
    if (field.number == fields::NodeProto::attribute) {
      const proto::Attribute& from = node.attribute[attribute++];
      to_.add_message(field.number, [&] { write(from, field.content, of_if); });
    } else if (field.number != fields::NodeProto::input || !drops_unnamed || !field.content.empty()) {
      to_.add(field.whole);
    }
  }
}

void Mender::write(const proto::Attribute& attribute, std::string_view content, bool of_if) {
  const bool lacks = lacks_type(attribute, of_if);
  std::size_t listed = 0;
  for (const Field& field : fields_of(content)) {
    if (field.number == fields::AttributeProto::g || field.number == fields::AttributeProto::graphs) {
      const bool single = field.number == fields::AttributeProto::g;
      const proto::Graph& from = single ? attribute.graph.front() : attribute.graphs[listed++];
      to_.add_message(field.number, [&] { write(from, field.content, attribute.name, of_if); });
    } else if (field.number != fields::AttributeProto::type || !lacks) {
      to_.add(field.whole);
    }
  }
  if (lacks) {
    to_.add_made([&](protozero::pbf_writer& w) {
      w.add_int32(fields::AttributeProto::type, static_cast<std::int32_t>(field_in_use(attribute)));
    });
  }
}

/// Whether the attribute's type is added: that of a branch is a matter of If's own rule.
bool Mender::lacks_type(const proto::Attribute& attribute, bool of_if) const {
  if (!lacks_only_its_type(attribute)) return false;
  if (!of_if) return allowed_.contains("onnx/model/attribute-holds-one-value");
  return names_branch(attribute) && !attribute.graph.empty() && allowed_.contains("onnx/if/both-branches-required");
}

/// The order of a list that is not sorted, if every rule that it breaks is allowed.
const NodeOrder* Mender::order_of(const proto::List<proto::Node>& nodes) const {
  const auto found = orders_.find(&nodes);
  if (found == orders_.end()) return nullptr;
  const NodeOrder& order = found->second;
  if (order.reads_later && !allowed_.contains("onnx/model/no-cycles")) return nullptr;
  if (order.captures_later && !allowed_.contains("onnx/if/definition-before-use")) return nullptr;
  return &order;
}

std::unordered_set<std::size_t> Mender::dropped_infos(const proto::List<proto::ValueInfo>& infos) const {
  std::unordered_set<std::size_t> dropped;
  if (!allowed_.contains("onnx/model/value-info-is-distinct")) return dropped;
  for (const RepeatedInfo& repeated : repeated_infos(infos)) {
    if (!repeated.kept) continue;
    for (const std::size_t entry : repeated.entries) {
      if (entry != *repeated.kept) dropped.insert(entry);
    }
  }
  return dropped;
}

/// Imports the domains of the functions that the nodes, or graphs in them, call: of these the version decides nothing.
void Mender::add_imports(std::uint32_t field, const proto::List<proto::OperatorSet>& imports,
                         const proto::List<proto::Node>& nodes) {
  if (!allowed_.contains("onnx/model/operators-are-declared")) return;
  std::set<std::string_view> missing;
  add_called(nodes, missing);
  for (const proto::OperatorSet& import : imports) missing.erase(own(import.domain));
  for (const std::string_view domain : missing) {
    to_.add_message(field, [&] {
      to_.add_made([&](protozero::pbf_writer& w) {
        w.add_string(fields::OperatorSetIdProto::domain, domain.data(), domain.size());
        w.add_int64(fields::OperatorSetIdProto::version, 1);
      });
    });
  }
}

/// Adds the domains, other than ONNX's own, of the functions that are called.
void Mender::add_called(const proto::List<proto::Node>& nodes, std::set<std::string_view>& domains) const {
  for (const proto::Node& node : nodes) {
    const std::string_view domain = own(node.domain);
    if (!domain.empty() && functions_.contains({domain, node.op_type, node.overload})) domains.insert(domain);
    for (const proto::Attribute& attribute : node.attribute) {
      for (const proto::Graph& graph : attribute.graph) add_called(graph.node, domains);
      for (const proto::Graph& graph : attribute.graphs) add_called(graph.node, domains);
    }
  }
}

}  // namespace

std::string mended(std::span<const std::byte> bytes, const AllowedRules& allowed) {
  const proto::Model model = proto::decode(bytes);
  return Mender(model, allowed).mended({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace ifcert::onnx
