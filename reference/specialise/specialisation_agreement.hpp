// A specialised file is that of a legal model with the same inputs and outputs, and computes the same bits. For tests
// with the vectors and with random models, and for the fuzz targets.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <ifcert/reference.hpp>
#include <ifcert/specialise.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "specialise/specialise.hpp"

namespace ifcert {

/// Names and types of the inputs of a model, and names of its outputs, in order.
inline std::vector<std::string> interface_of(const Model& model) {
  std::vector<std::string> all;
  const Graph& main = model.main();
  for (const Slot slot : main.inputs)
    all.push_back(fmt::format("input {}: {}", main.slots[slot].name, to_string(main.slots[slot].declared)));
  for (const Slot slot : main.outputs) all.push_back(fmt::format("output {}", main.slots[slot].name));
  for (const auto& [name, further] : model.further_names) {
    for (const std::string& one : further) all.push_back(fmt::format("{} is also {}", name, one));
  }
  return all;
}

/// Runs of a model, and the branches that all of them take.
class SpecialisationAgreement {
 public:
  using Runs = std::span<const std::vector<Value>>;
  using Read = std::function<Reading(const std::string& bytes)>;

  /// `bytes` are the file of the program's model, and `read` reads such bytes. Throws EvaluationError.
  SpecialisationAgreement(const Program& program, std::span<const std::byte> bytes, Runs runs, Read read,
                          RunLimits limits = {})
      : model_(program.model()), bytes_(bytes), runs_(runs), read_(std::move(read)), limits_(std::move(limits)) {
    ObservedBranches branches;
    for (const std::vector<Value>& inputs : runs)
      expected_.push_back(program.run(inputs, branches.observer(), limits_));
    decisions_ = branches.decisions();
  }

  const Decisions& decisions() const { return decisions_; }

  /// Describes what is wrong with the model that is specialised by all decisions, or by some of them; empty where
  /// nothing is. Throws Inexpressible.
  std::string fault_of(const Decisions& some) const {
    const std::string text = specialised_bytes(model_, bytes_, some);
    Reading reading = read_(text);
    const std::vector<Diagnostic> broken = errors_in(check(reading));
    if (!broken.empty()) return to_string(broken.front());
    const std::vector<std::string> interface = interface_of(reading.model);
    if (interface != interface_of(model_)) return fmt::format("its interface is {}", fmt::join(interface, ", "));
    const Program program(std::move(reading.model));
    ObservedBranches left;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (!std::ranges::equal(program.run(runs_[i], left.observer(), limits_), expected_[i], same_bits))
        return fmt::format("run {} computes other bits", i);
    }
    return some == decisions_ && !left.decisions().empty() ? "an If that was decided is there" : "";
  }

 private:
  const Model& model_;
  std::span<const std::byte> bytes_;
  Runs runs_;
  Read read_;
  RunLimits limits_;
  std::vector<std::vector<Value>> expected_;
  Decisions decisions_;
};

}  // namespace ifcert
