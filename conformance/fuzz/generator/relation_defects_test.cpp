// Each relation finds a defect that no other relation finds. A defect is a runtime that is right but for one thing: it
// changes the model before it evaluates it, as a faulty optimiser does, or keeps something between runs. Like `ifcert
// fuzz`, a relation is tried only on models that the runtime computes right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <ifcert/reference.hpp>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "conformance/fuzz/generator/relations.hpp"
#include "convert/inline_functions.hpp"
#include "model/node_kind.hpp"

namespace ifcert::generator {
namespace {

using Runs = std::vector<std::vector<Value>>;

/// Evaluates the runs, one after the other. Throws EvaluationError where it refuses the model or a run.
using Runtime = Runs (*)(Model model, const Runs& runs);

Runs run_all(const Model& model, const Runs& runs) {
  const Program program(model);
  Runs outputs;
  for (const std::vector<Value>& run : runs) outputs.push_back(program.run(run));
  return outputs;
}

bool is_single_bool(const Value& value) {
  return value.tensor() != nullptr && value.tensor()->type == ElementType::boolean && value.tensor()->count() == 1;
}

bool is_single_bool(const Type& type) {
  return type.is_tensor() && type.element == ElementType::boolean && type.shape &&
         std::ranges::all_of(*type.shape, [](const Dim& dim) { return dim.known() && dim.value == 1; });
}

/// The node of the graph that returns the value; nullptr for an input, an initializer or a captured value.
Node* maker_of(Graph& graph, Slot slot) {
  const auto found = std::ranges::find_if(
      graph.nodes, [slot](const Node& node) { return std::ranges::count(node.outputs, slot) > 0; });
  return found == graph.nodes.end() ? nullptr : &*found;
}

/// Calls `change` for each node that is not a call, with its graph.
template <class Change>
void for_each_node(Model& model, const Change& change) {
  for (Graph& graph : model.graphs) {
    for (Node& node : graph.nodes) {
      if (!node.call) change(graph, node);
    }
  }
}

/// From opset 18 on. An Identity between the Not and the If changes nothing.
Runs loses_not(Model model, const Runs& runs) {
  constexpr std::int64_t first_opset = 18;
  if (model.opsets.find("")->second < first_opset) return run_all(model, runs);
  for_each_node(model, [](Graph& graph, Node& node) {
    const Node* cond = is_if(node) ? maker_of(graph, node.inputs[0]) : nullptr;
    while (cond != nullptr && cond->op == "Identity") cond = maker_of(graph, cond->inputs[0]);
    if (cond != nullptr && cond->op == "Not") node.inputs[0] = cond->inputs[0];
  });
  return run_all(model, runs);
}

Runs folds_without_fed_bools(Model model, const Runs& runs) {
  const Graph& main = model.main();
  const auto is_fed = [&](Slot slot) { return is_single_bool(main.slots[slot].declared); };
  if (std::ranges::any_of(main.inputs, is_fed)) return run_all(model, runs);
  Runs zeros = runs;
  for (std::vector<Value>& run : zeros) {
    for (Value& value : run) {
      if (value.tensor() == nullptr || value.tensor()->type == ElementType::string) continue;
      std::byte* bytes = nullptr;
      const Tensor& tensor = *value.tensor();
      Buffer buffer = Buffer::allocate(bytes_of(tensor.type, tensor.count()), &bytes);
      value = Value(Tensor{tensor.type, tensor.dims, std::move(buffer), {}});
    }
  }
  return run_all(model, zeros);
}

Runs fed_bools_share_memory(Model model, const Runs& runs) {
  Runs overwritten = runs;
  for (std::vector<Value>& run : overwritten) {
    std::uint8_t last = 0;
    for (const Value& value : run) {
      if (is_single_bool(value)) last = value.tensor()->elements<std::uint8_t>()[0];
    }
    for (Value& value : run) {
      if (is_single_bool(value))
        value = make_tensor<std::uint8_t>(ElementType::boolean, value.tensor()->dims, {&last, 1});
    }
  }
  return run_all(model, overwritten);
}

/// Exchanges the branches of the Ifs that are in `level` others or more.
void exchange_deep_branches(Model& model, GraphIndex index, std::size_t level) {
  for (Node& node : model.graphs[index].nodes) {
    if (is_if(node) && level >= 2) std::swap(node.bodies[0], node.bodies[1]);
    for (const Body& body : node.bodies) exchange_deep_branches(model, body.graph, level + (is_if(node) ? 1 : 0));
  }
}

Runs exchanges_at_the_third_level(Model model, const Runs& runs) {
  Model changed = translation::inlined_functions(model);
  exchange_deep_branches(changed, 0, 0);
  return run_all(changed, runs);
}

Runs loses_captured_identities(Model model, const Runs& runs) {
  Model changed = translation::inlined_functions(model);
  for_each_node(changed, [](Graph& graph, Node& node) {
    for (const Body& body : node.bodies) {
      for (const Capture& capture : body.captures) {
        const Node* maker = maker_of(graph, capture.outer);
        if (maker != nullptr && maker->op == "Identity") throw EvaluationError("a captured value is not there");
      }
    }
  });
  return run_all(model, runs);
}

/// The graphs that functions reach.
std::set<GraphIndex> graphs_of_functions(const Model& model) {
  std::set<GraphIndex> graphs;
  const std::function<void(GraphIndex)> add = [&](GraphIndex index) {
    if (!graphs.insert(index).second) return;
    for (const Node& node : model.graphs[index].nodes) {
      for (const Body& body : node.bodies) add(body.graph);
    }
  };
  for (const Function& function : model.functions) add(function.graph);
  return graphs;
}

Runs refuses_value_int_outside_functions(Model model, const Runs& runs) {
  const std::set<GraphIndex> inside = graphs_of_functions(model);
  for (GraphIndex index = 0; index < model.graphs.size(); ++index) {
    if (inside.contains(index)) continue;
    for (const Node& node : model.graphs[index].nodes) {
      if (node.op == "Constant" && node.attributes.contains("value_int"))
        throw EvaluationError("a Constant has no value");
    }
  }
  return run_all(model, runs);
}

Runs sorts_outputs_by_name(Model model, const Runs& runs) {
  Graph& main = model.graphs.front();
  std::ranges::sort(main.outputs, {}, [&](Slot slot) { return main.slots[slot].name; });
  return run_all(model, runs);
}

/// Two Ifs in a row, where no Constant or Identity counts, take the cond of the first.
Runs fuses_neighbours(Model model, const Runs& runs) {
  Model changed = translation::inlined_functions(model);
  for (Graph& graph : changed.graphs) {
    const Node* before = nullptr;
    for (Node& node : graph.nodes) {
      if (node.op == "Constant" || node.op == "Identity") continue;
      if (before != nullptr && is_if(node) && is_if(*before)) node.inputs[0] = before->inputs[0];
      before = &node;
    }
  }
  return run_all(changed, runs);
}

Runs refuses_slices_with_steps(Model model, const Runs& runs) {
  for_each_node(model, [](const Graph&, const Node& node) {
    if (node.op == "Slice" && node.inputs.size() > 4) throw EvaluationError("Slice has no steps");
  });
  return run_all(model, runs);
}

Runs refuses_shapes_of_int32(Model model, const Runs& runs) {
  for_each_node(model, [](Graph& graph, const Node& node) {
    const Node* maker = node.op == "Cast" ? maker_of(graph, node.inputs[0]) : nullptr;
    if (maker != nullptr && maker->op == "Shape") throw EvaluationError("a shape is of int64");
  });
  return run_all(model, runs);
}

std::size_t elements_of(const std::vector<Value>& run) {
  return std::accumulate(run.begin(), run.end(), std::size_t{0}, [](std::size_t sum, const Value& value) {
    return sum + (value.tensor() == nullptr ? 0 : value.tensor()->count());
  });
}

Runs plans_memory_once(Model model, const Runs& runs) {
  const bool all_fit = std::ranges::all_of(
      runs, [&](const std::vector<Value>& run) { return elements_of(run) <= elements_of(runs.front()); });
  if (!all_fit) throw EvaluationError("the memory of the first run is too small");
  return run_all(model, runs);
}

/// A cold start: in the first run, the first input is false if it is a bool.
Runs starts_with_false(Model model, const Runs& runs) {
  Runs cold = runs;
  if (cold.front().empty()) return run_all(model, runs);
  const std::uint8_t no = 0;
  Value& first = cold.front().front();
  if (is_single_bool(first)) first = make_tensor<std::uint8_t>(ElementType::boolean, first.tensor()->dims, {&no, 1});
  return run_all(model, cold);
}

struct Defect {
  const char* relation;
  const char* what;
  Runtime runtime;
};

constexpr std::array defects{
    Defect{"negate-conds", "from opset 18 on, a Not before a cond is lost", loses_not},
    Defect{"fix-conds", "a model without fed bools is folded with zeros as inputs", folds_without_fed_bools},
    Defect{"feed-conds", "fed bools share their memory", fed_bools_share_memory},
    Defect{"wrap-in-if", "an If within two others exchanges its branches", exchanges_at_the_third_level},
    Defect{"copy-captures", "an Identity is removed whose output only a body reads", loses_captured_identities},
    Defect{"inline-calls", "outside functions, a Constant with value_int is refused",
           refuses_value_int_outside_functions},
    Defect{"rename-everything", "outputs are sorted by name", sorts_outputs_by_name},
    Defect{"permute-nodes", "the second of two neighbouring Ifs takes the cond of the first", fuses_neighbours},
    Defect{"through-openvino", "a Slice with steps is refused", refuses_slices_with_steps},
    Defect{"through-tflite", "a shape in int32 is refused", refuses_shapes_of_int32},
    Defect{"reverse-runs", "memory is planned in the first run", plans_memory_once},
    Defect{"run-once", "in the first run, a bool that is the first input is false", starts_with_false},
};

/// Whether the runtime returns what is expected in each run.
bool is_right(Runtime runtime, const Model& model, const Runs& runs, const Runs& expected) {
  try {
    const Runs outputs = runtime(model, runs);
    return std::ranges::equal(outputs, expected, [](const std::vector<Value>& one, const std::vector<Value>& other) {
      return std::ranges::equal(one, other, same_bits);
    });
  } catch (const EvaluationError&) {
    return false;
  }
}

/// The relations that find the defect in a generated model.
std::set<std::string> found_by(Runtime runtime, std::uint64_t seed) {
  const Generated original = generate(seed);
  const Runs expected = run_all(original.model, original.runs);
  std::set<std::string> found;
  if (!is_right(runtime, original.model, original.runs, expected)) return found;
  Random random(seed);
  for (const Relation& relation : all_relations()) {
    const auto related = relation.relate(original, random);
    if (!related) continue;
    Runs runs;
    Runs wanted;
    for (const RelatedRun& run : related->runs) {
      runs.push_back(run.inputs);
      wanted.push_back(expected[run.number]);
    }
    if (!is_right(runtime, related->model, runs, wanted)) found.emplace(relation.name);
  }
  return found;
}

class EachDefect : public testing::TestWithParam<Defect> {};

/// The opposite order of runs begins cold too, with the last run.
TEST_P(EachDefect, IsFoundByOneRelationAlone) {
  const std::string name = GetParam().relation;
  int alone = 0;
  std::map<std::string, int> others;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    std::set<std::string> found = found_by(GetParam().runtime, seed);
    alone += found == std::set{name} ? 1 : 0;
    found.erase(name);
    if (name == "run-once") found.erase("reverse-runs");
    for (const std::string& other : found) ++others[other];
  }
  EXPECT_GT(alone, 0);
  EXPECT_THAT(others, testing::IsEmpty());
  RecordProperty("models", alone);
}

INSTANTIATE_TEST_SUITE_P(RelationDefects, EachDefect, testing::ValuesIn(defects), [](const auto& each) {
  std::string name(each.param.relation);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(RelationDefects, EachRelationHasOne) {
  std::vector<std::string_view> with_a_defect;
  for (const Defect& defect : defects) with_a_defect.emplace_back(defect.relation);
  std::vector<std::string_view> relations;
  for (const Relation& relation : all_relations()) relations.push_back(relation.name);
  EXPECT_THAT(with_a_defect, testing::ElementsAreArray(relations));
}

}  // namespace
}  // namespace ifcert::generator
