// The state of one model while it is generated, and the additions that every kind of node is made of.
#pragma once

#include <ifcert/reference.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/fuzz/generator/random.hpp"
#include "conformance/fuzz/generator/scope.hpp"
#include "conformance/fuzz/generator/settings.hpp"

namespace ifcert::generator {

/// A function of the model: what its calls pass and return.
struct Signature {
  std::string name;
  GraphIndex graph = 0;
  std::vector<Facts> inputs;  // each extent that is not a number has an id of its own
  std::vector<Facts> outputs;
  bool passes_attribute = false;  // the calls must pass the attribute "k"
  bool has_attribute = false;
  bool has_unused_input = false;  // after the others; the calls leave it out
};

/// A function to which the calls pass the graph "a", the then-branch of its If, and perhaps "b", the else-branch.
struct PassingSignature {
  std::string name;
  GraphIndex graph = 0;
  bool passes_both = true;
};

/// A function of which a call may leave out the last operands, and an attribute.
struct PartialSignature {
  std::string name;
  GraphIndex graph = 0;
};

/// The domain of all functions, and the bound of the numbers that a call passes to one.
inline constexpr const char* function_domain = "made.functions";
inline constexpr std::int64_t bound_of_arguments = 256;

/// The most bodies, and the most loops, within each other.
inline constexpr std::size_t deepest_body = 4;
inline constexpr std::size_t most_loops = 2;

struct Maker {
  Random random;
  Settings settings;
  Model model = {};
  int opset = 0;
  RunSizes sizes = {};
  std::vector<AxisSize> symbols = {};  // the sizes of the inputs' axes that the runs vary
  std::vector<Signature> functions = {};
  std::vector<PassingSignature> passing_functions = {};
  std::vector<PartialSignature> partial_functions = {};
  bool has_attribute = false;  // the function that is being made has an attribute "k"
  std::size_t nodes_left = 0;

  bool is_for(Format format) const { return settings.format == format; }

  /// True with this probability where rare forms are wanted. Otherwise nothing is drawn, so that a seed's usual model
  /// stays the same.
  bool wants_rare_form(unsigned hundredths) { return settings.rare_forms && random.percent(hundredths); }
};

/// An operand that is left out.
inline const ScopedValue left_out{};

/// Adds a node with one output, about which `result` is known.
ScopedValue add(Maker& maker, Scope& scope, const std::string& op, const std::vector<ScopedValue>& operands,
                Facts result, Attributes attributes = {});

/// The same node with several outputs, and perhaps with bodies.
std::vector<ScopedValue> add_node(Maker& maker, Scope& scope, const std::string& op,
                                  const std::vector<ScopedValue>& operands, std::vector<Facts> results,
                                  Attributes attributes = {}, std::vector<Body> bodies = {});

/// Axes of a node: an operand or, before operator set 13, an attribute.
struct Axes {
  std::vector<ScopedValue> operand;
  Attributes attribute;
};

Axes axes_for_opset(Maker& maker, Scope& scope, std::int64_t axis);

/// A node with one operand and axes.
ScopedValue add_with_axes(Maker& maker, Scope& scope, const std::string& op, const ScopedValue& operand,
                          const Axes& axes, Facts result, Attributes attributes = {});

/// An input of the graph.
ScopedValue add_input(Maker& maker, Scope& scope, Facts facts);

/// Adds a constant: an initializer or a Constant, in a function always a Constant.
ScopedValue constant(Maker& maker, Scope& scope, const Value& value, Numbers numbers);

/// Integers as a tensor of that element type; a bool is 0 or 1.
Value tensor_value(ElementType element, const Dims& dims, std::span<const std::int64_t> numbers);

ScopedValue scalar(Maker& maker, Scope& scope, ElementType element, std::int64_t number);
ScopedValue list(Maker& maker, Scope& scope, const std::vector<std::int64_t>& numbers);

/// Any numbers in a tensor of that shape.
ScopedValue any_constant(Maker& maker, Scope& scope, ElementType element, const Dims& dims);

/// Any numbers, of any of the generator's element types and shapes.
ScopedValue any_constant(Maker& maker, Scope& scope);

/// Up to three axes of up to three elements, rarely none.
Dims any_dims(Maker& maker);

/// One of the element types with which the generator calculates, or bool.
ElementType any_element(Maker& maker);

/// A visible value for which the predicate holds, more often one that was added recently; nullopt if there is none.
template <class Predicate>
std::optional<ScopedValue> any_value(Maker& maker, Scope& scope, const Predicate& fits) {
  const std::vector<ScopedValue> found = visible(scope, fits);
  if (found.empty()) return std::nullopt;
  const std::size_t lately = maker.random.percent(40) ? std::min<std::size_t>(found.size(), 4) : found.size();
  return found[found.size() - 1 - maker.random.below(lately)];
}

/// Begins a body of a node in `outer`.
Scope inside(Scope& outer);

/// The node that the graph of the scope ends with becomes a call of that function.
void make_call(Scope& scope, const std::string& name, GraphIndex function);

/// Ends a body: its graph becomes one of the model's.
Body finished(Maker& maker, Scope& body, const std::string& role);

/// Makes a value an output of the graph; through an Identity, unless the value itself may be an output.
ScopedValue add_output(Maker& maker, Scope& scope, const ScopedValue& value);

}  // namespace ifcert::generator
