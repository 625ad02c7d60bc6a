// Fewer runs, fewer outputs and fewer inputs of the model.
#include <algorithm>

#include "conformance/fuzz/generator/shrinking/edit.hpp"
#include "conformance/fuzz/generator/shrinking/graph_edits.hpp"

namespace ifcert::generator::shrinking {
namespace {

template <class T>
void keep_only(std::vector<T>& all, std::size_t number) {
  T kept = std::move(all[number]);
  all.clear();
  all.push_back(std::move(kept));
}

/// The value that the input has in every run; empty if the runs differ.
Value value_of_input(const Generated& generated, std::size_t number) {
  const Graph& main = generated.model.main();
  const auto initial = std::ranges::find(main.constants, main.inputs[number], &Constant::slot);
  Value value;
  for (const std::vector<Value>& run : generated.runs) {
    const Value passed = run[number].empty() && initial != main.constants.end() ? initial->value : run[number];
    if (passed.tensor() == nullptr || (!value.empty() && !same_bits(value, passed))) return {};
    value = passed;
  }
  return value;
}

void erase_input(Generated& changed, std::size_t number) {
  erase_at(changed.model.graphs.front().inputs, number);
  for (std::vector<Value>& run : changed.runs) erase_at(run, number);
}

bool fix_input(Generated& changed, std::size_t number) {
  Value value = value_of_input(changed, number);
  if (value.empty()) return false;
  Graph& main = changed.model.graphs.front();
  const Slot slot = main.inputs[number];
  if (is_output(main, slot)) return false;
  std::erase_if(main.constants, [slot](const Constant& constant) { return constant.slot == slot; });
  main.constants.push_back({slot, std::move(value)});
  erase_input(changed, number);
  return true;
}

/// Removes an input's default. Runs that passed nothing for the input pass the default instead.
bool drop_default(Generated& changed, std::size_t number) {
  Graph& main = changed.model.graphs.front();
  const auto initial = std::ranges::find(main.constants, main.inputs[number], &Constant::slot);
  if (initial == main.constants.end()) return false;
  for (std::vector<Value>& run : changed.runs) {
    if (run[number].empty()) run[number] = initial->value;
  }
  main.constants.erase(initial);
  return true;
}

bool run_in_turn(Generated& changed) {
  changed.manner = Manner::in_turn;
  return true;
}

}  // namespace

Edits fewer_runs(const Base& base) {
  Edits edits{run_in_turn};
  const std::size_t count = base.generated.runs.size();
  for (std::size_t i = 0; count > 1 && i < count; ++i) {
    edits.emplace_back([i](Generated& changed) {
      keep_only(changed.runs, i);
      return true;
    });
  }
  for (std::size_t i = 0; count > 2 && i < count; ++i) {
    edits.emplace_back([i](Generated& changed) {
      erase_at(changed.runs, i);
      return true;
    });
  }
  return edits;
}

Edits fewer_outputs(const Base& base) {
  Edits edits;
  const std::size_t count = base.model().main().outputs.size();
  for (std::size_t i = 0; count > 1 && i < count; ++i) {
    edits.emplace_back([i](Generated& changed) {
      keep_only(changed.model.graphs.front().outputs, i);
      return true;
    });
  }
  for (std::size_t i = 0; count > 2 && i < count; ++i) {
    edits.emplace_back([i](Generated& changed) {
      erase_at(changed.model.graphs.front().outputs, i);
      return true;
    });
  }
  return edits;
}

Edits fewer_inputs(const Base& base) {
  Edits edits;
  const Graph& main = base.model().main();
  for (std::size_t i = main.inputs.size(); i-- > 0;) {
    edits.emplace_back([i](Generated& changed) {
      const Slot slot = changed.model.main().inputs[i];
      if (is_output(changed.model.main(), slot)) return false;
      erase_input(changed, i);  // where nothing reads it
      return true;
    });
    edits.emplace_back([i](Generated& changed) { return fix_input(changed, i); });
    edits.emplace_back([i](Generated& changed) { return drop_default(changed, i); });
  }
  return edits;
}

}  // namespace ifcert::generator::shrinking
