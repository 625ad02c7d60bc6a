#include <fmt/format.h>

#include <ifcert/diagnostic.hpp>
#include <ifcert/message.hpp>

namespace ifcert {

std::string to_string(const Diagnostic& diagnostic) {
  return fmt::format("{}: {} [{}]\n  asked: {}", diagnostic.place, diagnostic.found, diagnostic.rule, diagnostic.asked);
}

UnreadableModel::UnreadableModel(Diagnostic diagnostic)
    : std::runtime_error(
          whole_message(fmt::format("{}: {}; asked: {}{}", diagnostic.place, diagnostic.found, diagnostic.asked,
                                    diagnostic.rule.empty() ? "" : fmt::format(" [{}]", diagnostic.rule)))),
      diagnostic_(std::move(diagnostic)) {}

}  // namespace ifcert
