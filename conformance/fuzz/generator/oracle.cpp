#include "conformance/fuzz/generator/oracle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ifcert/reference.hpp>
#include <memory>
#include <numeric>
#include <optional>

#include "conformance/fuzz/generator/computed.hpp"
#include "conformance/fuzz/generator/random.hpp"
#include "conformance/fuzz/generator/relations.hpp"

namespace ifcert::generator {
namespace {

using Outputs = std::vector<Value>;

std::string text_of(const Outputs& outputs) {
  std::string text;
  for (const Value& value : outputs) text += "\n    " + to_string(value);
  return text;
}

/// A model that is read from its files and run. If it breaks a rule, `fault` is the finding, and it cannot be run.
class File {
 public:
  explicit File(Files files) {
    const Reading reading = read_back(std::make_shared<const Files>(std::move(files)));
    const std::vector<Diagnostic> broken = errors_in(check(reading));
    if (!broken.empty()) {
      fault_ = to_string(broken.front());
    } else {
      program_.emplace(reading.model);
    }
  }

  const std::string& fault() const { return fault_; }
  Outputs run(std::span<const Value> inputs) const { return program_->run(inputs); }

 private:
  std::string fault_;
  std::optional<Program> program_;
};

class Examiner {
 public:
  Examiner(const Generated& generated, std::uint64_t seed) : generated_(generated), random_(seed) {}

  /// False if the model itself is faulty, so that there is nothing to compare the others with.
  bool examine_alone() {
    try {
      file_.emplace(write_model(generated_.model, "model.onnx"));
      result_.applied.emplace_back("legal");
      if (!file_->fault().empty()) return found("legal", file_->fault());
      result_.applied.emplace_back("computes");
      for (const std::vector<Value>& run : generated_.runs) expected_.push_back(file_->run(run));
      return true;
    } catch (const UnreadableModel& error) {
      return found("legal", error.what());
    } catch (const Inexpressible& error) {
      return found("legal", error.what());
    } catch (const EvaluationError& error) {
      return found("computes", error.what());
    }
  }

  void examine_relations() {
    for (const Relation& relation : all_relations()) {
      const std::optional<Related> related = relation.relate(generated_, random_);
      if (!related) continue;
      const std::string name(relation.name);
      try {
        compare(name, related->model, "model.onnx", related->runs);
      } catch (const Inexpressible& error) {
        found(name, error.what());
      }
    }
  }

  void examine_formats() {
    std::vector<RelatedRun> runs;
    for (std::size_t i = 0; i < generated_.runs.size(); ++i) runs.push_back({i, generated_.runs[i]});
    for (const char* path : {"model.xml", "model.tflite", "model.circle"}) {
      try {
        compare(path, generated_.model, path, runs);
      } catch (const Inexpressible&) {
        continue;
      }
    }
  }

  /// The program that has computed all runs computes them in the opposite order.
  void examine_order() {
    result_.applied.emplace_back("run-order");
    for (std::size_t i = expected_.size(); i-- > 0;)
      compare("run-order", i, file_->run(generated_.runs[i]), generated_.runs[i]);
  }

  Examination take() { return std::move(result_); }

 private:
  bool found(const std::string& oracle, const std::string& message) {
    result_.findings.push_back({oracle, message});
    return false;
  }

  /// Throws Inexpressible where the format of the path cannot express the model.
  void compare(const std::string& oracle, const Model& model, const char* path, const std::vector<RelatedRun>& runs) {
    std::vector<WrittenFile> files = write_model(model, path);
    result_.applied.push_back(oracle);
    try {
      const File file(std::move(files));
      if (!file.fault().empty()) {
        found(oracle, file.fault());
        return;
      }
      for (const RelatedRun& run : runs) compare(oracle, run.number, file.run(run.inputs), run.inputs);
    } catch (const UnreadableModel& error) {
      found(oracle, error.what());
    } catch (const EvaluationError& error) {
      found(oracle, error.what());
    }
  }

  void compare(const std::string& oracle, std::size_t run, const Outputs& outputs, const std::vector<Value>& inputs) {
    if (std::ranges::equal(outputs, expected_[run], same_bits)) return;
    found(oracle, fmt::format("run {} on{}\n  returns{}\n  expected{}", run, text_of(inputs), text_of(outputs),
                              text_of(expected_[run])));
  }

  const Generated& generated_;
  Random random_;
  std::optional<File> file_;
  std::vector<Outputs> expected_;
  Examination result_;
};

}  // namespace

std::vector<Finding> examine_alone(const Generated& generated) {
  Examiner examiner(generated, 0);
  examiner.examine_alone();
  return examiner.take().findings;
}

Examination examine(const Generated& generated, std::uint64_t seed) {
  Examiner examiner(generated, seed);
  if (examiner.examine_alone()) {
    examiner.examine_relations();
    examiner.examine_formats();
    examiner.examine_order();
  }
  return examiner.take();
}

}  // namespace ifcert::generator
