// Profiles: the vectors of one version of an operator, and the level that a runtime reaches on each axis of one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/results/certification.hpp"
#include "conformance/results/counts.hpp"

namespace ifcert::conformance {

/// One runtime's results on one axis of one profile. The level is reached if all its rules hold.
struct Level {
  std::string profile;
  Axis axis = Axis::computes;
  Counts counts;
  std::size_t rules = 0;
  std::vector<std::string> missing{};  // the rules that do not hold, in the order of the rule table

  [[nodiscard]] std::size_t holding() const { return rules - missing.size(); }
};

/// The levels of every profile that has vectors in the adapter's scope. A rule counts on an axis of a profile with the
/// vectors that it has there, and holds if all of them pass.
std::vector<Level> levels_of(const Certification& certification, const AdapterIdentity& adapter);

/// For lists: onnx, onnx-1, onnx-11, onnx-11-tensors, …
bool is_listed_before(std::string_view profile, std::string_view other);

/// The contents of a profile, as a sentence without a subject: "models in which If-16 is current; …".
std::string description_of(std::string_view profile);

}  // namespace ifcert::conformance
