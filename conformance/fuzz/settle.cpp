#include "conformance/fuzz/settle.hpp"

#include <fmt/format.h>

#include <optional>

#include "conformance/fuzz/model_text.hpp"

namespace ifcert::conformance {

using generator::Computed;
using generator::Generated;

namespace {

/// The vector of a candidate; nullopt if the candidate is not legal or does not compute.
std::optional<Vector> sound_vector(const Generated& candidate, Format format) {
  try {
    const Computed computed = generator::computed(candidate.model, generator::model_name(format), candidate.runs);
    if (!computed.fault.empty()) return std::nullopt;
    return vector_of("smallest", computed, candidate.runs);
  } catch (const Inexpressible&) {
    return std::nullopt;
  }
}

Shown shown(const Vector& vector, const Result& result) {
  return {.files = vector.files, .steps = vector.summary.steps, .result = result};
}

std::string ending(const Result& result) {
  return result.verdict == Verdict::pass ? "it passes" : fmt::format("{}: {}", verdict_line(result), result.reason);
}

}  // namespace

namespace {

/// The smallest model for which `tries` returns the same failure; nullopt if it does not fail in the same way alone in
/// a fresh process.
std::optional<Generated> made_smaller(const Prober& prober, const Generated& generated, Format format,
                                      const generator::ShrinkLimits& limits,
                                      const std::function<Result(const Vector&)>& tries, FuzzExample& example) {
  const Result& wanted = example.original.result;
  const auto shows = [&](const Generated& candidate) {
    const auto vector = sound_vector(candidate, format);
    return vector && shows_the_same(wanted, tries(*vector));
  };
  const generator::Shrunk shrunk = generator::shrink(generated, shows, limits);
  example.tries += shrunk.tries;
  const auto vector = sound_vector(shrunk.smallest, format);
  if (!vector) return std::nullopt;
  const Result alone = prober.alone(*vector).result;
  if (!shows_the_same(wanted, alone)) return std::nullopt;
  example.small = shown(*vector, alone);
  example.complete = shrunk.complete;
  example.form = form_of(shrunk.smallest.model);
  example.nodes = generator::count_of_nodes(shrunk.smallest.model);
  return shrunk.smallest;
}

}  // namespace

/// The candidates share a process at first. If the smallest one then does not fail alone, earlier candidates had
/// damaged the process, so each candidate is tried in a process of its own. A model that was made smaller in ONNX form
/// is at last made smaller in its own format, to remove what only the translation added.
void make_smaller(Prober& prober, const Generated& generated, Format format, const generator::ShrinkLimits& limits,
                  FuzzExample& example) {
  const auto in_one = [&](const Vector& vector) { return prober.attempt(vector).result; };
  const auto alone = [&](const Vector& vector) { return prober.alone(vector).result; };
  auto smallest = made_smaller(prober, generated, format, limits, in_one, example);
  if (!smallest && !limits.stop()) smallest = made_smaller(prober, generated, format, limits, alone, example);
  if (!smallest || smallest->model.format == format || limits.stop()) return;
  const Generated translated{generator::computed(smallest->model, generator::model_name(format), {}).model,
                             smallest->runs};
  made_smaller(prober, translated, format, limits, in_one, example);
}

FuzzExample settle(Prober& prober, const FuzzCase& failed, const FuzzFailure& failure,
                   const generator::ShrinkLimits& limits) {
  const Result alone = prober.alone(failed.vector).result;
  FuzzExample example{
      .failure = failure, .unstable = {}, .original = shown(failed.vector, alone), .small = {}, .form = {}};
  if (!is_finding(alone)) {
    example.unstable = ending(alone);
    return example;
  }
  example.failure.verdict = verdict_line(alone);
  example.failure.cause = cause_of_failure(alone);
  example.form = failed.rule.empty() ? form_of(failed.generated.model) : failed.kind;
  example.nodes = generator::count_of_nodes(failed.generated.model);
  if (failed.rule.empty()) make_smaller(prober, failed.generated, failed.format, limits, example);
  return example;
}

}  // namespace ifcert::conformance
