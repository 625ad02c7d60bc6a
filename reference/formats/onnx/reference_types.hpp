// The types of a function's attributes. In the file a node that refers to one states its type; in the graph form the
// type is known where the attribute has a default, or a call passes it.
#pragma once

#include <ifcert/graph.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/onnx/proto.hpp"

namespace ifcert::onnx {

/// The type of the field that holds such a value; nullopt for a reference.
std::optional<proto::AttributeType> attribute_type_of(const AttributeValue& value);

class ReferenceTypes {
 public:
  explicit ReferenceTypes(const Model& model);

  /// The type of the attribute that a node of that graph, which is inside a function, refers to; nullopt where it is
  /// unknown.
  std::optional<proto::AttributeType> find(GraphIndex graph, const std::string& name) const;

 private:
  void assign(GraphIndex graph, std::size_t function);
  bool learn_from(const Node& call, GraphIndex graph);
  bool record_type(std::size_t function, const std::string& name, std::optional<proto::AttributeType> type);

  const Model& model_;
  std::vector<std::optional<std::size_t>> function_of_;  // by graph: the function that contains it
  std::map<std::pair<std::size_t, std::string>, proto::AttributeType> types_;
};

}  // namespace ifcert::onnx
