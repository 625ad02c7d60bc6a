// Loop: its trip count and cond, either of which may be left out, carried values and scan outputs.
#include <algorithm>

#include "conformance/fuzz/generator/carried.hpp"
#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

bool is_scalar(const Facts& facts) {
  return facts.has_rank() && facts.extents->empty();
}

/// A trip count, and whether it is at least 1, or 0, in every run.
struct Count {
  ScopedValue held;
  bool is_positive = false;
  bool is_zero = false;
};

Count any_count(Maker& maker, Scope& scope) {
  if (maker.random.percent(25)) return {left_out, true};
  const auto fed = any_value(maker, scope, [](const Facts& facts) {
    return is_scalar(facts) && facts.is_number() && facts.element == ElementType::int64 &&
           facts.numbers.bound <= most_trips;
  });
  if (fed && maker.random.percent(70)) return {*fed, false};
  const std::int64_t trips = maker.random.between(0, 3);
  return {scalar(maker, scope, ElementType::int64, trips), trips > 0, trips == 0};
}

/// A bool of rank 0.
ScopedValue any_scalar_bool(Maker& maker, Scope& scope) {
  const auto found = any_value(maker, scope, [](const Facts& facts) { return is_scalar(facts) && facts.is_bool(); });
  return found ? *found : any_constant(maker, scope, ElementType::boolean, {});
}

/// The cond that a body returns. Without a trip count it ends the loop after three trips at most.
void add_next_cond(Maker& maker, Scope& body, const ScopedValue& trip, const ScopedValue& cond, bool is_limited) {
  if (!is_limited || maker.random.percent(20)) {
    const ScopedValue last = scalar(maker, body, ElementType::int64, maker.random.between(0, 2));
    add_output(maker, body, add(maker, body, "Less", {trip, last}, tensor_of(ElementType::boolean, {}, {.bound = 1})));
  } else {
    add_output(maker, body, maker.random.percent(50) ? cond : any_scalar_bool(maker, body));
  }
}

}  // namespace

bool add_loop(Maker& maker, Scope& scope) {
  if (maker.is_for(Format::openvino) || scope.depth >= deepest_body || scope.loops >= most_loops) return false;
  const Count count = any_count(maker, scope);
  const ScopedValue start = maker.random.percent(60)   ? left_out
                            : maker.random.percent(25) ? scalar(maker, scope, ElementType::boolean, 0)
                                                       : any_scalar_bool(maker, scope);
  const std::vector<ScopedValue> initial = values_to_carry(maker, scope, 1 + maker.random.below(3), false);
  if (initial.empty()) return false;
  const CarriedBounds bounds = bounds_of(initial);
  const AxisSize mark = maker.sizes.mark();
  Scope body = inside(scope);
  ++body.loops;
  body.never_runs = body.never_runs || count.is_zero || start.facts.truth == false;
  const ScopedValue trip = add_input(maker, body, tensor_of(ElementType::int64, {}, {.bound = most_trips}));
  const ScopedValue cond = add_input(maker, body, tensor_of(ElementType::boolean, {}, {.bound = 1}));
  std::vector<Carried> carried;
  for (const ScopedValue& value : initial) carried.push_back(add_carried(maker, body, value, bounds, true));
  add_steps(maker, body, 1 + maker.random.below(4));
  add_next_cond(maker, body, trip, cond, count.held.home != nullptr);
  std::vector<Facts> results;
  for (const Carried& each : carried) {
    add_next(maker, body, each, carried, bounds);
    results.push_back(outside(each.inside.facts, mark, maker.sizes));
  }
  // The texts do not define the shape of a scan output when there are no trips.
  const bool has_trips = count.is_positive && (start.home == nullptr || start.facts.truth == true);
  if (const auto each = any_of_each_trip(maker, body, mark); each && (has_trips || maker.settings.doubtful)) {
    add_output(maker, body, *each);
    results.push_back(collected(each->facts, maker.sizes.fresh()));
    if (!has_trips) results.back().extents.reset();
  }
  std::vector<ScopedValue> operands{count.held, start};
  operands.insert(operands.end(), initial.begin(), initial.end());
  std::vector<Body> bodies{finished(maker, body, "body")};
  add_node(maker, scope, "Loop", operands, std::move(results), {}, std::move(bodies));
  return true;
}

}  // namespace ifcert::generator
