// Scan and SequenceMap, which only ONNX has.
#include <algorithm>

#include "conformance/fuzz/generator/carried.hpp"
#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

constexpr int opset_of_sequence_map = 17;

bool may_add_loop(const Maker& maker, const Scope& scope) {
  return maker.is_for(Format::onnx) && scope.depth < deepest_body && scope.loops < most_loops;
}

/// A tensor whose first axis is short in every run.
std::optional<ScopedValue> any_scanned(Maker& maker, Scope& scope) {
  return any_value(maker, scope, [&](const Facts& facts) {
    if (!facts.has_rank() || facts.extents->empty()) return false;
    const AxisSize length = facts.extents->front();
    return length < 0 ? std::ranges::count(maker.symbols, length) > 0 : length <= most_trips;
  });
}

Facts element_of(const Facts& scanned) {
  Facts facts = scanned;
  facts.extents->erase(facts.extents->begin());
  facts.truth.reset();
  facts.most = count_of(*facts.extents).value_or(std::max(scanned.most, max_input_elements));
  return facts;
}

}  // namespace

bool add_scan(Maker& maker, Scope& scope) {
  if (!may_add_loop(maker, scope)) return false;
  const auto scanned = any_scanned(maker, scope);
  if (!scanned) return false;
  const AxisSize length = scanned->facts.extents->front();
  const std::vector<ScopedValue> initial = values_to_carry(maker, scope, maker.random.below(3), true);
  // The texts do not define the shape of a scan output when there are no trips.
  const bool may_collect = length > 0 || maker.settings.doubtful;
  if (!may_collect && initial.empty()) return false;
  const CarriedBounds bounds = bounds_of(initial);
  const AxisSize mark = maker.sizes.mark();
  Scope body = inside(scope);
  ++body.loops;
  std::vector<Carried> states;
  for (const ScopedValue& value : initial) states.push_back(add_carried(maker, body, value, bounds, false));
  add_input(maker, body, element_of(scanned->facts));
  add_steps(maker, body, 1 + maker.random.below(4));
  std::vector<Facts> results;
  for (const Carried& state : states) {
    add_next(maker, body, state, states, bounds);
    results.push_back(outside(state.inside.facts, mark, maker.sizes));
  }
  if (may_collect) {
    const std::optional<ScopedValue> found = any_of_each_trip(maker, body, mark);
    const ScopedValue each = found ? *found : any_constant(maker, body, ElementType::float32, {2});
    add_output(maker, body, each);
    results.push_back(collected(each.facts, length));
    if (length <= 0) results.back().extents.reset();
  }
  Attributes attributes{{"num_scan_inputs", std::int64_t{1}}};
  if (maker.random.percent(50))
    attributes.emplace("scan_input_directions", std::vector<std::int64_t>{maker.random.between(0, 1)});
  if (maker.random.percent(50) && results.size() > states.size())
    attributes.emplace("scan_output_directions", std::vector<std::int64_t>{maker.random.between(0, 1)});
  std::vector<ScopedValue> operands = initial;
  operands.push_back(*scanned);
  std::vector<Body> bodies{finished(maker, body, "body")};
  add_node(maker, scope, "Scan", operands, std::move(results), std::move(attributes), std::move(bodies));
  return true;
}

bool add_sequence_map(Maker& maker, Scope& scope) {
  if (!may_add_loop(maker, scope) || maker.opset < opset_of_sequence_map) return false;
  const auto sequence = any_value(maker, scope, [](const Facts& facts) { return facts.kind == Type::Kind::sequence; });
  if (!sequence) return false;
  const AxisSize mark = maker.sizes.mark();
  Scope body = inside(scope);
  ++body.loops;
  Facts item = sequence->facts;
  item.kind = Type::Kind::tensor;
  item.length = 0;
  add_input(maker, body, item);
  add_steps(maker, body, 1 + maker.random.below(3));
  if (maker.random.percent(60)) add_if(maker, body);
  const auto each = any_value(maker, body, [](const Facts& facts) {
    return facts.is_tensor() && (facts.element == ElementType::float32 || facts.element == ElementType::int64);
  });
  Facts result = each ? each->facts : item;
  add_output(maker, body, each ? *each : body.values.front());
  result.kind = Type::Kind::sequence;
  result.extents.reset();
  result.truth.reset();
  result.length = sequence->facts.length;
  result.most = std::max(result.most, sequence->facts.most);
  std::vector<Body> bodies{finished(maker, body, "body")};
  add_node(maker, scope, "SequenceMap", {*sequence}, {outside(result, mark, maker.sizes)}, {}, std::move(bodies));
  return true;
}

}  // namespace ifcert::generator
