// Names that no value of a model, or no node of a graph, has.
#pragma once

#include <fmt/format.h>

#include <ifcert/graph.hpp>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace ifcert::translation {

class FreshNames {
 public:
  explicit FreshNames(const Model& model) {
    for (const Graph& graph : model.graphs) {
      for (const SlotInfo& slot : graph.slots) taken_.insert(slot.name);
    }
  }

  explicit FreshNames(const Graph& graph) {
    for (const Node& node : graph.nodes) taken_.insert(node.name);
  }

  /// The name, followed by a number, which was neither there nor made before.
  std::string like(const std::string& name) {
    std::size_t& number = made_[name];
    while (true) {
      std::string fresh = fmt::format("{}_{}", name, ++number);
      if (taken_.insert(fresh).second) return fresh;
    }
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> made_;
};

}  // namespace ifcert::translation
