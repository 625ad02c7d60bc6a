// The rules: the table that every layer quotes, and the check of a model against them.
#pragma once

#include <cstdint>
#include <ifcert/diagnostic.hpp>
#include <ifcert/reading.hpp>
#include <ifcert/trip_types.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace ifcert {

/// What a rule is about.
enum class RuleGroup {
  operation,  // If or While itself: its clause is in the text of the operation
  around,     // what an If meets: captures, scopes, functions, loops, sessions
  file        // the file of a model, with or without an If
};

/// A rule's permanent name, a paraphrase, the clause it comes from (section, sentence) and the document ("ONNX
/// Operators, If-25", "ONNX IR", …).
struct Rule {
  std::string_view name;
  std::string_view holds;
  std::string_view clause;
  std::string_view source;
  RuleGroup group;
};

/// Every rule, in the order of the documentation.
std::span<const Rule> all_rules();

/// The rule with that name, or nullptr.
const Rule* find_rule(std::string_view name);

/// Where a rule is checked or carried out in this library's sources: a file, as seen from the project's folder, and the
/// name of a function in it.
struct RuleFunction {
  std::string_view rule;
  std::string_view file;
  std::string_view function;
};

/// The functions of all rules; each rule has at least one.
std::span<const RuleFunction> rule_functions();

/// The types of every slot, as far as they are certain before a run: types[graph][slot].
using SlotTypes = std::vector<std::vector<Type>>;

/// The result of a check. The types are inferred once, for the check; translate(), Program and the pictures take them.
/// They are empty where functions call each other in a circle.
struct Checked {
  std::vector<Diagnostic> findings;
  SlotTypes types;
  TripTypes trip_types;
};

/// Finds every rule that the model breaks, as far as that shows without running it; a legal model has no error among
/// its findings. Throws UnreadableModel where type inference would exceed its limits.
Checked checked(const Model& model);

/// The same, with the findings of the reader first.
Checked checked(const Reading& reading);

/// The findings alone.
std::vector<Diagnostic> check(const Model& model);
std::vector<Diagnostic> check(const Reading& reading);

/// The types alone. The model must be free of recursion.
SlotTypes infer_types(const Model& model);

/// The number of times that this process has inferred the types of a model in ONNX or IR: a test asserts that the
/// commands and the Python package infer the types of a model only once. (TensorFlow Lite declares all types.)
std::uint64_t inference_count();

}  // namespace ifcert
