// The inputs of a generated model, and values for them.
#pragma once

#include "conformance/fuzz/generator/maker.hpp"

namespace ifcert::generator {

/// An input of the main graph. One with a default may be left out of a run.
struct Input {
  ScopedValue held;
  Value initial = {};
};

/// The name of the dimension variable for a size that the runs vary.
std::string name_of_symbol(AxisSize symbol);

/// A few inputs of random types, among them at least one bool of one element.
std::vector<Input> add_inputs(Maker& maker, Scope& main);

/// Values for the inputs, for each run: the bools of one element flip, and the sizes that runs vary change.
std::vector<std::vector<Value>> any_runs(Maker& maker, const std::vector<Input>& inputs);

}  // namespace ifcert::generator
