// Which rewritings of a vector's model are run: some, chosen by the vector's id and made in one file, or all.
#pragma once

#include <cstddef>
#include <vector>

#include "conformance/rewritings/rewriting.hpp"
#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

inline constexpr std::size_t all_of_them = static_cast<std::size_t>(-1);
inline constexpr std::size_t usual_number = 3;  // of each model

/// A vector's model after some rewritings, made one after the other.
struct RewrittenModel {
  std::vector<const Rewriting*> rewritings;
  ModelFiles files;
};

/// The vector's model after `wanted` rewritings of different subjects, or as many as can be made; always the same ones.
/// Those that few vectors have come first more often, so that each is run about as often as any other. Of
/// `all_of_them`, each is made alone. Empty where none can be made.
std::vector<RewrittenModel> sampled_rewritings(const Vector& vector, std::size_t wanted);

/// Each of several rewritings of the vector's model, made alone, as far as it can be.
std::vector<RewrittenModel> made_alone(const Vector& vector, const std::vector<const Rewriting*>& rewritings);

}  // namespace ifcert::conformance
