#include "conformance/runtimes/adapter_operators.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <ifcert/evaluate.hpp>
#include <ifcert/inexpressible.hpp>
#include <ifcert/message.hpp>
#include <utility>

#include "conformance/runtimes/environment.hpp"
#include "conformance/runtimes/read_adapter.hpp"
#include "conformance/suite/format_name.hpp"
#include "conformance/suite/protocol_form.hpp"
#include "conformance/suite/protocol_value.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

std::string operator_name(const Node& node) {
  return node.domain.empty() ? node.op : node.domain + "." + node.op;
}

/// The limits of an adapter's process. The time of each message is that of the run.
Limits limits_for(std::uint64_t memory) {
  constexpr std::uint64_t most_mib = std::uint64_t{1} << 40U;
  Limits limits;
  limits.memory = static_cast<std::size_t>(std::min(memory >> 20U, most_mib)) + runtime_memory_mib;
  return limits;
}

/// The time that the run has left, as far as a clock can count it.
std::chrono::milliseconds time_left(const DelegatedNode& node) {
  constexpr double longest = 1e9;
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::clamp(node.seconds, 0.0, longest) * 1000) + 1);
}

/// A failed exchange, as an exception.
struct Failed : std::exception {
  explicit Failed(Failure seen) : failure(std::move(seen)) {}
  Failure failure;
};

}  // namespace

AdapterOperators::AdapterOperators(Project project, std::string_view adapter, Format format)
    : project_(std::move(project)),
      adapter_(read_adapter(project_, adapter)),
      format_(name_of(format)),
      answers_(project_.protocol("answer.schema.json")) {
  require_installed(project_, adapter_);
  if (std::ranges::find(adapter_.systems, format_) == adapter_.systems.end())
    throw Error(fmt::format("the adapter {} does not read models of {}; it reads {}", adapter_.name, format_,
                            fmt::join(adapter_.systems, ", ")));
}

std::map<std::string, std::size_t> AdapterOperators::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::string AdapterOperators::summary() const {
  std::vector<std::string> all;
  for (const auto& [op, count] : counts()) all.push_back(fmt::format("{} ×{}", printable(op), count));
  return all.empty() ? "" : fmt::format("computed by {}: {}", name(), fmt::join(all, ", "));
}

std::vector<Value> AdapterOperators::compute(const DelegatedNode& node) {
  const std::lock_guard lock(mutex_);
  try {
    std::vector<Value> values = try_again_if_used_up(node);
    ++counts_[operator_name(node.described())];
    return values;
  } catch (const Inexpressible& error) {
    throw EvaluationError(fmt::format("the node cannot be written as a model of its own: {}", error.what()));
  } catch (const Error& error) {
    throw EvaluationError(error.what());
  }
}

/// A process that was killed for what it used may have used it for earlier nodes: then a fresh one tries the node
/// again.
std::vector<Value> AdapterOperators::try_again_if_used_up(const DelegatedNode& node) {
  const bool was_used = !loaded_.empty();
  try {
    return attempt(node);
  } catch (const Failed& failed) {
    if (!was_used || !failed.failure.may_be_due_to_earlier_vectors) raise(failed.failure);
  }
  try {
    return attempt(node);
  } catch (const Failed& failed) {
    raise(failed.failure);
  }
}

void AdapterOperators::raise(const Failure& failure) const {
  const std::string text = fmt::format("{}: {}: {}", name(), to_string(failure.verdict), failure.reason);
  if (failure.verdict == Verdict::memory) throw LimitExceeded(Limit::memory, text);
  // A process may exceed its processor time too, which no option of a run changes.
  if (failure.verdict == Verdict::timeout && !failure.may_be_due_to_earlier_vectors)
    throw LimitExceeded(Limit::time, text);
  throw EvaluationError(text);
}

void AdapterOperators::forget_process() {
  loaded_.clear();
  loaded_bytes_ = 0;
}

/// Starts the process where there is none, or it has the limits of another run.
void AdapterOperators::start(const DelegatedNode& node) {
  if (session_ && memory_ != node.memory) session_.reset();
  if (!session_) {
    forget_process();
    memory_ = node.memory;
    session_ = std::make_unique<Session>(project_, adapter_, answers_, limits_for(node.memory));
  }
  if (const auto failure = session_->start()) throw Error(fmt::format("{}: {}", name(), failure->reason));
  if (std::ranges::find(session_->formats(), format_) == session_->formats().end())
    throw Error(fmt::format("{}: hello does not list the format {}", name(), format_));
}

/// The answer, or the exception that says why there is none.
json AdapterOperators::answer(const DelegatedNode& node, const Request& request) {
  Answer got;
  try {
    got = session_->answer(request, time_left(node), node.interrupt);
  } catch (...) {
    forget_process();
    throw;
  }
  if (got.failure) {
    forget_process();
    throw Failed(*got.failure);
  }
  const std::string op = operator_name(node.described());
  if (got.body.contains("refused"))
    throw EvaluationError(
        fmt::format("{} refused {}: {}", name(), op, got.body.at("refused").at("message").get<std::string>()), op);
  if (got.body.contains("unsupported"))
    throw EvaluationError(fmt::format("{} does not support {}: {}", name(), op,
                                      got.body.at("unsupported").at("message").get<std::string>()),
                          op);
  return std::move(got.body);
}

/// Unloads the models that were used longest ago, until one of that size fits.
void AdapterOperators::make_room(const DelegatedNode& node, std::size_t bytes) {
  if (!session_->keeps()) return forget_process();
  while (loaded_.size() >= most_kept_models || (!loaded_.empty() && loaded_bytes_ + bytes > most_kept_bytes)) {
    const auto oldest = std::ranges::min_element(loaded_, {}, [](const auto& entry) { return entry.second.used; });
    const Request request = session_->unload_kept(oldest->second.id);
    loaded_bytes_ -= oldest->second.bytes;
    loaded_.erase(oldest);
    answer(node, request);
  }
}

/// The loaded model of the node, which is loaded where it is not there yet.
AdapterOperators::Loaded& AdapterOperators::load(const DelegatedNode& node) {
  const std::string key = single_node_key(node);
  if (const auto found = loaded_.find(key); found != loaded_.end()) return found->second;
  Loaded made;
  made.model = single_node_model(node);
  ModelFiles files{.model = made.model.files.back().path.string()};
  for (WrittenFile& file : made.model.files) {
    made.bytes += file.bytes.size();
    files.bytes[file.path] = std::move(file.bytes);
  }
  files.folder = "node";
  files.origin = "node";
  make_room(node, made.bytes);
  const Request request = session_->keeps() ? session_->load_kept(format_, files) : session_->load(format_, files);
  made.id = request.id;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.is_constant[i]) made.constants.push_back(node.inputs[i]);
  }
  made.attributes = node.attributes;
  made.file = node.model.file;
  answer(node, request);
  loaded_bytes_ += made.bytes;
  return loaded_.emplace(key, std::move(made)).first->second;
}

std::vector<Value> AdapterOperators::attempt(const DelegatedNode& node) {
  start(node);
  Loaded& loaded = load(node);
  loaded.used = ++clock_;
  const SingleNodeModel model = loaded.model;
  json inputs = json::array();
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (!model.inputs[i].empty())
      inputs.push_back({{"name", model.inputs[i]}, {"value", protocol_form(node.inputs[i])}});
  }
  const Request request = session_->keeps() ? session_->run_kept(loaded.id, inputs) : session_->run(inputs);
  return results(answer(node, request).at("outputs"), model);
}

/// The values, in the order of the node's outputs.
std::vector<Value> AdapterOperators::results(const json& outputs, const SingleNodeModel& model) const {
  const auto refuse = [&](const std::string& what) {
    throw EvaluationError(fmt::format("{}: {}: {}", name(), to_string(Verdict::adapter), what));
  };
  std::vector<Value> values(model.outputs.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (model.outputs[i].empty()) continue;
    if (at == outputs.size()) refuse(fmt::format("it returned {} outputs; the node has more", outputs.size()));
    const json& output = outputs.at(at++);
    const auto named = output.at("name").get<std::string>();
    if (named != model.outputs[i])
      refuse(fmt::format("it returned \"{}\" where output {} is due", printable(named), i));
    if (const std::string fault = contradiction(output.at("value")); !fault.empty()) refuse(fault);
    try {
      values[i] = value_from_protocol(output.at("value"));
    } catch (const Error& error) {
      refuse(error.what());
    }
  }
  if (at != outputs.size()) refuse(fmt::format("it returned {} outputs; the node has {}", outputs.size(), at));
  return values;
}

}  // namespace ifcert::conformance
