// The operators of a runtime, through its adapter: nodes that the reference lacks are computed as models of one node.
#pragma once

#include <ifcert/delegate.hpp>
#include <ifcert/single_node.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "conformance/runtimes/adapter.hpp"
#include "conformance/runtimes/session.hpp"
#include "conformance/system/project.hpp"
#include "conformance/system/schema.hpp"

namespace ifcert::conformance {

/// The most models of one node that an adapter keeps, and the bytes of their files.
inline constexpr std::size_t most_kept_models = 256;
inline constexpr std::size_t most_kept_bytes = std::size_t{1} << 30U;

/// The memory that an adapter may use besides that of the run's own limit, in MiB: for the runtime itself.
inline constexpr std::size_t runtime_memory_mib = 1024;

class AdapterOperators {
 public:
  /// Starts nothing yet. Throws Error where the adapter is not installed or does not read the format.
  AdapterOperators(Project project, std::string_view adapter, Format format);

  /// Computes the node. One node at a time, whatever the thread. Throws EvaluationError, LimitExceeded, Error.
  std::vector<Value> compute(const DelegatedNode& node);

  /// compute() of this object, which must outlive the delegate.
  Delegate delegate() {
    return [this](const DelegatedNode& node) { return compute(node); };
  }

  /// The number of evaluations so far, by operator: "Clip", "com.example.Twice".
  std::map<std::string, std::size_t> counts() const;

  /// "computed by onnxruntime 1.31.1: BatchNormalization ×12, Clip ×3"; empty where nothing was.
  std::string summary() const;

 private:
  /// A model of one node that the adapter has loaded.
  struct Loaded {
    std::uint64_t id = 0;   // of the request that loaded it
    SingleNodeModel model;  // without the bytes of its files
    std::size_t bytes = 0;
    std::size_t used = 0;            // when it was last used
    std::vector<Value> constants{};  // kept, because the key has their addresses
    Attributes attributes{};
    Buffer file{};
  };
  using LoadedModels = std::map<std::string, Loaded>;

  std::vector<Value> try_again_if_used_up(const DelegatedNode& node);
  std::vector<Value> attempt(const DelegatedNode& node);
  [[noreturn]] void raise(const Failure& failure) const;
  void start(const DelegatedNode& node);
  Loaded& load(const DelegatedNode& node);
  void make_room(const DelegatedNode& node, std::size_t bytes);
  std::vector<Value> results(const nlohmann::json& outputs, const SingleNodeModel& model) const;
  nlohmann::json answer(const DelegatedNode& node, const Request& request);
  void forget_process();
  std::string name() const { return adapter_.name + " " + adapter_.version; }

  Project project_;
  Adapter adapter_;
  std::string format_;
  Schema answers_;
  mutable std::mutex mutex_;
  std::unique_ptr<Session> session_;
  std::uint64_t memory_ = 0;  // the limit of the run for which the session was started
  LoadedModels loaded_;
  std::size_t loaded_bytes_ = 0;
  std::size_t clock_ = 0;
  std::map<std::string, std::size_t> counts_;
};

}  // namespace ifcert::conformance
