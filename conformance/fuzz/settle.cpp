#include "conformance/fuzz/settle.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ifcert/graph.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ifcert::conformance {

using generator::Computed;
using generator::Generated;

namespace {

/// The deepest level that is looked at, so that the recursion is limited.
constexpr std::size_t deepest = 50;

std::string form_of(const Model& model, GraphIndex index, std::size_t depth) {
  std::vector<std::string> words;
  for (const Node& node : model.graphs[index].nodes) {
    if (node.op == "Identity" || node.op == "Constant") continue;
    std::vector<std::string> bodies;
    for (const Body& body : node.bodies) {
      if (body.reference.empty() && depth < deepest)
        bodies.push_back(fmt::format("{}:{}", body.role, form_of(model, body.graph, depth + 1)));
    }
    const std::string inside = bodies.empty() ? "" : fmt::format("{{{}}}", fmt::join(bodies, ";"));
    words.push_back((node.call ? "call" : node.op) + inside);
  }
  return fmt::format("{}", fmt::join(words, " "));
}

/// The operators and how they are nested, without Identity and Constant: "If{then_branch:Add;else_branch:}". It is
/// equal for models that differ only in names, numbers, shapes and wiring.
std::string form_of(const Model& model) {
  return form_of(model, 0, 0);
}

/// The vector of a candidate; nullopt if the candidate is not legal or does not compute.
std::optional<Vector> sound_vector(const Generated& candidate, Format format, const Delegate& delegate) {
  try {
    const Computed computed =
        generator::computed(candidate.model, generator::model_name(format), candidate.runs, delegate);
    if (!computed.fault.empty()) return std::nullopt;
    return vector_of("smallest", computed, candidate.runs, candidate.manner);
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

/// The vector of a candidate; nullopt if the candidate is not what it must be.
using Candidates = std::function<std::optional<Vector>(const Generated&)>;

/// One attempt to make a model smaller: the candidates, and what tries them.
struct Attempt {
  const Candidates& candidates;
  const std::function<Result(const Vector&)>& tries;
  const generator::ShrinkLimits& limits;
};

/// The smallest model that fails in the same way; nullopt if it does not alone in a fresh process.
std::optional<Generated> made_smaller(const Prober& prober, const Generated& generated, const Attempt& attempt,
                                      FuzzExample& example) {
  const Result& wanted = example.original.result;
  const auto shows = [&](const Generated& candidate) {
    const auto vector = attempt.candidates(candidate);
    return vector && shows_the_same(wanted, attempt.tries(*vector));
  };
  const generator::Shrunk shrunk = generator::shrink(generated, shows, attempt.limits);
  example.tries += shrunk.tries;
  const auto vector = attempt.candidates(shrunk.smallest);
  if (!vector) return std::nullopt;
  const Result alone = prober.alone(*vector).result;
  if (!shows_the_same(wanted, alone)) return std::nullopt;
  example.small = shown(*vector, alone);
  example.complete = shrunk.complete;
  example.form = form_of(shrunk.smallest.model);
  example.nodes = generator::count_of_nodes(shrunk.smallest.model);
  return shrunk.smallest;
}

/// The candidates share a process at first. If the smallest one then does not fail alone, earlier candidates had
/// damaged the process, so each candidate is tried in a process of its own.
std::optional<Generated> made_smaller(Prober& prober, const Generated& generated, const Candidates& candidates,
                                      const generator::ShrinkLimits& limits, FuzzExample& example) {
  const auto in_one = [&](const Vector& vector) { return prober.attempt(vector).result; };
  const auto alone = [&](const Vector& vector) { return prober.alone(vector).result; };
  auto smallest = made_smaller(prober, generated, {candidates, in_one, limits}, example);
  if (!smallest && !limits.stop()) smallest = made_smaller(prober, generated, {candidates, alone, limits}, example);
  return smallest;
}

}  // namespace

/// A model that was made smaller in ONNX form is at last made smaller in its own format, to remove what only the
/// translation added.
void make_smaller(Prober& prober, const Generated& generated, Format format, const generator::ShrinkLimits& limits,
                  FuzzExample& example, const Delegate& delegate, const RewritingChain& rewritings) {
  const Candidates sound = [&](const Generated& candidate) {
    auto vector = sound_vector(candidate, format, delegate);
    return vector && !rewritings.empty() ? rewritten_vector(std::move(*vector), rewritings) : vector;
  };
  const auto smallest = made_smaller(prober, generated, sound, limits, example);
  if (!smallest || smallest->model.format == format || limits.stop()) return;
  const Generated translated{generator::computed(smallest->model, generator::model_name(format), {}, delegate).model,
                             smallest->runs, smallest->manner};
  made_smaller(prober, translated, sound, limits, example);
}

std::optional<Vector> illegal_vector(const generator::IllegalForm& illegal, const Generated& candidate, Format format) {
  const auto files = generator::illegal_files(illegal, candidate);
  if (!files) return std::nullopt;
  return vector_of_illegal("smallest", format, *files, candidate.model.main(), candidate.runs);
}

void make_smaller(Prober& prober, const Generated& generated, const generator::IllegalForm& illegal, Format format,
                  const generator::ShrinkLimits& limits, FuzzExample& example) {
  const Candidates as_illegal = [&illegal, format](const Generated& candidate) {
    return illegal_vector(illegal, candidate, format);
  };
  made_smaller(prober, generated, as_illegal, limits, example);
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
  example.form = form_of(failed.generated.model);
  example.nodes = generator::count_of_nodes(failed.generated.model);
  if (failed.illegal) {
    make_smaller(prober, failed.generated, *failed.illegal, failed.format, limits, example);
    example.form = failed.kind;  // the form of the legal model says nothing about the fault
  } else {
    make_smaller(prober, failed.generated, failed.format, limits, example, {}, failed.rewritings);
  }
  return example;
}

}  // namespace ifcert::conformance
