// One way to break a rule of a legal model.
#pragma once

#include <ifcert/graph.hpp>
#include <ifcert/translate.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/fuzz/generator/random.hpp"

namespace ifcert::generator::faults {

struct Fault {
  std::string_view name;
  std::string_view rule;

  /// The files of the model with the fault; empty if this model has no place for it.
  std::vector<WrittenFile> (*make)(Model model, Random& random);
};

/// The faults of each format, by subject.
std::span<const Fault> faults_of_if();
std::span<const Fault> faults_of_names();
std::span<const Fault> faults_of_nodes();
std::span<const Fault> faults_of_openvino();
std::span<const Fault> faults_of_tflite();

/// A node: the number of its graph, and its number there.
struct NodePosition {
  GraphIndex graph = 0;
  std::size_t node = 0;
  bool in_function = false;
};

/// Every If that the main graph or a function reaches, but none of which a call passes a branch.
std::vector<NodePosition> all_ifs(const Model& model);

/// Every position for a new node: before each node and at the end, in each graph that the main graph or a function
/// reaches.
std::vector<NodePosition> all_positions(const Model& model);

/// One of them; nullopt where there is none.
std::optional<NodePosition> any_position(const std::vector<NodePosition>& positions, Random& random);

/// Inserts a node at that position, and returns its only output.
Slot insert(Model& model, NodePosition at, const std::string& op, std::vector<Slot> inputs, Attributes attributes = {},
            const std::string& name = "");

/// Inserts a Constant with `count` elements.
Slot insert_constant(Model& model, NodePosition at, std::int64_t count, ElementType element = ElementType::float32,
                     const std::string& name = "");

}  // namespace ifcert::generator::faults
