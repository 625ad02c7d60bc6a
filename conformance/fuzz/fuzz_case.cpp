#include "conformance/fuzz/fuzz_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/certify/rewriting_check.hpp"
#include "conformance/fuzz/generator/invalid.hpp"
#include "conformance/fuzz/generator/relations.hpp"
#include "conformance/suite/format_name.hpp"
#include "conformance/suite/model_folder.hpp"
#include "conformance/suite/protocol_form.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {

using generator::Computed;
using generator::Generated;
using nlohmann::json;

namespace {

using Runs = std::vector<std::vector<Value>>;

void add_needs(const Type& type, std::set<std::string>& needs) {
  if (type.is_tensor() && type.element != ElementType::undefined)
    needs.insert(fmt::format("type:{}", ifcert::name_of(type.element)));
  if (type.kind == Type::Kind::sequence) needs.insert("kind:sequence");
  if (type.kind == Type::Kind::optional) needs.insert("kind:optional");
  for (const Type& item : type.item) add_needs(item, needs);
}

/// The features that the model needs and that an adapter may declare missing.
json needs_of(const Computed& computed) {
  std::set<std::string> needs;
  for (const auto& types : computed.types) {
    for (const Type& type : types) add_needs(type, needs);
  }
  for (const Graph& graph : computed.model.graphs) {
    for (const Node& node : graph.nodes) {
      if (!node.call) needs.insert("operator:" + node.op);
    }
  }
  if (computed.model.format == Format::onnx) {
    for (const auto& [domain, version] : computed.model.opsets) {
      if (domain.empty()) needs.insert(fmt::format("opset:{}", version));
    }
  }
  return needs;
}

ModelFiles model_files(const std::string& id, const generator::Files& files) {
  ModelFiles placed{.model = files.back().path.string(), .bytes = {}, .origin = id, .folder = {}};
  for (const WrittenFile& file : files) placed.bytes.emplace(file.path, file.bytes);
  placed.folder = opaque_name(placed);
  return placed;
}

Vector empty_vector(const std::string& id, Format format, const generator::Files& files) {
  Vector vector;
  vector.summary.id = id;
  vector.summary.system = name_of(format);
  vector.summary.steps = json::array();
  vector.files = model_files(id, files);
  return vector;
}

std::string id_of(std::uint64_t seed, const std::string& kind) {
  std::string id = fmt::format("seed-{}-{}", seed, kind);
  std::ranges::replace(id, ' ', '-');
  return id;
}

/// How the reference's results for the model in its format differ from those for the same model in ONNX; empty if they
/// agree. If the reference disagrees with itself, the runtime cannot be judged.
std::string disagreement(const Generated& generated, const Computed& computed) {
  if (!computed.fault.empty()) return computed.fault;
  if (computed.model.format == Format::onnx) return {};
  const Computed onnx = generator::computed(generated.model, "model.onnx", generated.runs);
  if (!onnx.fault.empty()) return onnx.fault;
  for (std::size_t i = 0; i < onnx.outputs.size(); ++i) {
    if (!std::ranges::equal(onnx.outputs[i], computed.outputs[i], same_bits))
      return fmt::format("run {} returns other values than the same model as ONNX", i);
  }
  return {};
}

/// Adds the case, or a trouble if it cannot be judged; adds neither if the format cannot express the model.
void add_legal(std::uint64_t seed, Format format, const std::string& kind, Generated generated, SeedCases& all) {
  const std::string id = id_of(seed, kind);
  try {
    const Computed computed = generator::computed(generated.model, generator::model_name(format), generated.runs);
    if (const std::string trouble = disagreement(generated, computed); !trouble.empty()) {
      all.troubles.push_back(fmt::format("{}: {}", id, trouble));
      return;
    }
    Vector vector = vector_of(id, computed, generated.runs, generated.manner);
    all.cases.push_back({seed, kind, "", format, std::move(generated), std::move(vector)});
  } catch (const Inexpressible&) {
    return;
  }
}

void add_relatives(std::uint64_t seed, Format format, const Generated& generated, SeedCases& all) {
  generator::Random random(seed);
  for (const generator::Relation& relation : generator::all_relations()) {
    auto related = relation.relate(generated, random);
    if (!related) continue;
    Generated relative{std::move(related->model), {}, generated.manner};
    for (generator::RelatedRun& run : related->runs) relative.runs.push_back(std::move(run.inputs));
    add_legal(seed, format, fmt::format("relation {}", relation.name), std::move(relative), all);
  }
}

/// Why the files are not those of the same model; empty if they are.
std::string objection_to(const ModelFiles& rewritten, Vector original) {
  ModelFolder folder;
  original.files.origin = folder.put(original.files).parent_path();
  return OriginalModel(original).objection(rewritten);
}

/// Adds the model in a file that is written otherwise, unless the reference finds that it is another model.
void add_rewritten(std::uint64_t seed, Format format, const Generated& generated, SeedCases& all) {
  constexpr std::uint64_t part = 3;
  generator::Random random(generator::derived_seed(seed, part));
  const Vector& original = all.cases.front().vector;
  const RewritingChain chain = chosen_rewritings(original, random);
  std::optional<Vector> vector = rewritten_vector(original, chain);
  if (!vector) return;
  const std::string kind = fmt::format("relation {}", to_string(chain));
  vector->summary.id = id_of(seed, kind);
  if (const std::string objection = objection_to(vector->files, original); !objection.empty()) {
    all.troubles.push_back(fmt::format("{}: {}", vector->summary.id, objection));
    return;
  }
  FuzzCase added{seed, kind, "", format, generated, std::move(*vector)};
  added.rewritings = chain;
  all.cases.push_back(std::move(added));
}

json run_of(json inputs, json expected) {
  return {{"run", {{"inputs", std::move(inputs)}, {"expect", std::move(expected)}}}};
}

/// The results of each run but the last are held, and read again at the end. The load is step 0.
std::vector<json> with_results_held(std::vector<json> steps) {
  const std::size_t runs = steps.size();
  for (std::size_t i = 0; i + 1 < runs; ++i) {
    steps[i]["run"]["hold"] = true;
    steps.push_back({{"reread", {{"step", i + 1}, {"expect", steps[i]["run"]["expect"]}}}});
  }
  return steps;
}

json all_at_once(const std::vector<json>& steps) {
  json runs = json::array();
  for (const json& step : steps) runs.push_back(step.at("run"));
  return {{"concurrent", {{"runs", std::move(runs)}}}};
}

void add_illegal(std::uint64_t seed, Format format, SeedCases& all) {
  generator::Invalid invalid = generator::generate_invalid(seed, format);
  const std::string kind = fmt::format("fault {}", invalid.fault);
  const Generated& legal = invalid.original;
  FuzzCase added{seed, kind, std::string(invalid.rule), format, {}, {}};
  added.vector = vector_of_illegal(id_of(seed, kind), format, invalid.files, legal.model.main(), legal.runs);
  added.vector.summary.rule = added.rule;
  added.illegal = generator::legal_before_the_fault(invalid, format);
  added.generated = std::move(invalid.original);
  all.cases.push_back(std::move(added));
}

/// The bodies that the main graph enters, directly or through other bodies, declare the types that are inferred for
/// their inputs and outputs. Bodies of functions are left as they are: each call may infer others.
void declare_bodies(Model& model) {
  const SlotTypes types = infer_types(model);
  std::vector<GraphIndex> entered{0};
  for (std::size_t i = 0; i < entered.size(); ++i) {
    for (const Node& node : model.graphs[entered[i]].nodes) {
      for (const Body& body : node.bodies) {
        if (!node.call && body.reference.empty()) entered.push_back(body.graph);
      }
    }
  }
  for (const GraphIndex index : entered) {
    Graph& graph = model.graphs[index];
    for (const std::vector<Slot>* border : {&graph.inputs, &graph.outputs}) {
      for (const Slot slot : *border) {
        if (!graph.slots[slot].declared.known()) graph.slots[slot].declared = types[index][slot];
      }
    }
  }
}

}  // namespace

Vector vector_of(const std::string& id, const Computed& computed, const Runs& runs, generator::Manner manner) {
  const Graph& main = computed.model.main();
  Vector vector = empty_vector(id, computed.model.format, *computed.files);
  vector.needs = needs_of(computed);
  std::vector<json> steps;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    steps.push_back(run_of(named_values(main, main.inputs, runs[i]),
                           {{"outputs", named_values(main, main.outputs, computed.outputs[i])}}));
  }
  if (manner == generator::Manner::held) {
    steps = with_results_held(std::move(steps));
    vector.needs.push_back("hold");
  } else if (manner == generator::Manner::concurrent) {
    steps = {all_at_once(steps)};
    vector.needs.push_back("threads");
  }
  vector.summary.steps.push_back({{"load", {{"expect", {{"loaded", json::object()}}}}}});
  for (json& step : steps) vector.summary.steps.push_back(std::move(step));
  return vector;
}

Vector vector_of_illegal(const std::string& id, Format format, const generator::Files& files, const Graph& main,
                         const Runs& runs) {
  Vector vector = empty_vector(id, format, files);
  vector.summary.axis = Axis::diagnoses;
  const json refused{{"refused", json::object()}};
  json& steps = vector.summary.steps;
  steps.push_back({{"load", {{"expect", refused}}}});
  for (const std::vector<Value>& run : runs) steps.push_back(run_of(named_values(main, main.inputs, run), refused));
  return vector;
}

/// The percentage of models in which all bodies declare the types of their inputs and outputs. Otherwise a runtime that
/// refuses bodies without declared types would never show what else it does with bodies.
constexpr unsigned declaring_percent = 60;

SeedCases cases_of(std::uint64_t seed, Format format, const FuzzKinds& kinds) {
  SeedCases all;
  Generated generated = generator::generate(seed, {.format = format});
  if (generator::Random(generator::derived_seed(seed, 2)).percent(declaring_percent)) declare_bodies(generated.model);
  add_legal(seed, format, "model", generated, all);
  if (kinds.relations && !all.cases.empty()) {
    add_relatives(seed, format, generated, all);
    add_rewritten(seed, format, generated, all);
  }
  constexpr std::uint64_t share = 1;
  if (generator::Random(generator::derived_seed(seed, share)).percent(kinds.invalid_percent))
    add_illegal(seed, format, all);
  return all;
}

FuzzCase case_of(std::uint64_t seed, Format format, const std::string& kind) {
  SeedCases all =
      cases_of(seed, format,
               {.relations = kind.starts_with("relation "), .invalid_percent = kind.starts_with("fault ") ? 100U : 0U});
  const auto found = std::ranges::find(all.cases, kind, &FuzzCase::kind);
  if (found == all.cases.end()) throw Error(fmt::format("the seed {} does not make \"{}\"", seed, kind));
  return std::move(*found);
}

}  // namespace ifcert::conformance
