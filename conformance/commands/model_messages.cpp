#include "conformance/commands/model_messages.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <ifcert/message.hpp>
#include <ifcert/run_limits.hpp>

namespace ifcert::conformance {

int report_broken(const std::string& model, const std::vector<Diagnostic>& broken) {
  fmt::print(stderr, "ifcert: {}: {}\n", printable(model), to_string(broken.front()));
  if (broken.size() > 1)
    fmt::print(stderr, "ifcert: {}: and {} more findings; see ifcert check\n", printable(model), broken.size() - 1);
  return 1;
}

std::string unreadable(const std::string& model, const UnreadableModel& error) {
  return error.diagnostic().place == model ? error.what() : fmt::format("{}: {}", model, error.what());
}

std::string without_memory(const std::string& model, const std::bad_alloc& error) {
  const auto* with_message = dynamic_cast<const OutOfMemory*>(&error);
  return fmt::format("{}: {}", model, with_message == nullptr ? "out of memory" : with_message->what());
}

std::string_view branch_word(Format format) {
  switch (format) {
    case Format::onnx:
      return "branch";
    case Format::openvino:
      return "body";
    case Format::tflite:
      return "subgraph";
  }
  return "branch";
}

}  // namespace ifcert::conformance
