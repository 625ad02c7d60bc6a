#include "conformance/certify/without_ifs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/reference.hpp>
#include <ifcert/specialise.hpp>
#include <optional>
#include <span>
#include <utility>

#include "conformance/certify/reference_runs.hpp"
#include "conformance/certify/siblings.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

/// Runs that take the same branches.
struct Group {
  std::vector<std::size_t> steps;
  std::vector<ModelRun> runs;
  Decisions decisions;
};

bool agree(const Decisions& some, const Decisions& others) {
  return std::ranges::all_of(some, [&](const auto& decision) {
    const auto found = others.find(decision.first);
    return found == others.end() || found->second == decision.second;
  });
}

/// Adds a step to the first group that takes the same branches, or to a new one.
void add_step(std::size_t step, std::vector<ModelRun> runs, std::vector<Group>& groups) {
  Decisions all;
  for (const ModelRun& run : runs) {
    if (!run.taken.are_alike()) throw NoSibling("in one run an If takes both of its branches");
    const Decisions taken = run.taken.decisions();
    if (!agree(taken, all)) throw NoSibling("runs that are made at the same time take different branches");
    all.insert(taken.begin(), taken.end());
  }
  const auto same = std::ranges::find_if(groups, [&](const Group& group) { return agree(all, group.decisions); });
  Group& group = same == groups.end() ? groups.emplace_back() : *same;
  group.steps.push_back(step);
  group.decisions.insert(all.begin(), all.end());
  for (ModelRun& run : runs) group.runs.push_back(std::move(run));
}

/// A held output that is read again belongs to the run that made it.
void add_reread(std::size_t step, const json& reread, std::vector<Group>& groups) {
  const auto held = reread.at("step").get<std::size_t>();
  for (Group& group : groups) {
    if (std::ranges::find(group.steps, held) != group.steps.end()) group.steps.push_back(step);
  }
}

std::vector<Group> groups_of(const json& steps, const Program& program) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].contains("reread")) add_reread(i, steps[i].at("reread"), groups);
    std::vector<ModelRun> runs;
    for (const json* run : runs_in(steps[i])) {
      if (auto made = run_of(*run, program)) runs.push_back(std::move(*made));
    }
    if (!runs.empty()) add_step(i, std::move(runs), groups);
  }
  if (groups.empty()) throw NoSibling("the reference refuses every run");
  return groups;
}

/// An If that no run of a group enters is replaced by its then-branch: nothing depends on it.
Decisions for_every_if(const Model& model, Decisions decisions) {
  for (const auto& [node, place] : places_of_ifs(model)) decisions.try_emplace(node, true);
  return decisions;
}

/// Fails unless the sibling has no If and computes in each run what the model computes.
void expect_same_results(Reading reading, const std::vector<ModelRun>& runs) {
  const auto left = places_of_ifs(reading.model);
  if (!left.empty()) throw NoSibling(fmt::format("{} would stay", left.begin()->second));
  const Program program(std::move(reading.model));
  if (!computes_the_same(program, runs)) throw NoSibling("it would compute something else");
}

Sibling sibling_for(const Vector& vector, const Model& model, const Group& group) {
  Sibling made{.files = vector.files, .steps = {0}};
  std::string& bytes = made.files.bytes.at(vector.files.model);
  Specialised without = specialised(model, std::as_bytes(std::span(bytes)), for_every_if(model, group.decisions));
  expect_same_results(std::move(without.reading), group.runs);
  bytes = *without.bytes;
  made.files.folder = opaque_name(made.files);
  made.steps.insert(made.steps.end(), group.steps.begin(), group.steps.end());
  return made;
}

}  // namespace

Siblings without_ifs(const Vector& vector) {
  return siblings_or_reason([&] { return without_ifs(vector, legal_model(vector)); });
}

std::vector<Sibling> without_ifs(const Vector& vector, const Model& model) {
  if (places_of_ifs(model).empty()) throw NoSibling("the model has no If");
  const Program program(model);
  std::vector<Sibling> made;
  for (const Group& group : groups_of(vector.summary.steps, program)) made.push_back(sibling_for(vector, model, group));
  return made;
}

}  // namespace ifcert::conformance
