#include "conformance/sandbox/environment_variables.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace ifcert::conformance {
namespace {

/// The _OPTIONS are for sanitizer builds of the runner and of adapters.
constexpr std::array harmless{"PATH",         "LD_LIBRARY_PATH", "LANG",         "LANGUAGE",     "TZ",
                              "ASAN_OPTIONS", "LSAN_OPTIONS",    "TSAN_OPTIONS", "UBSAN_OPTIONS"};

}  // namespace

std::map<std::string, std::string> variables_passed_on(const std::vector<std::string>& named) {
  std::map<std::string, std::string> passed_on;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t end = std::min(text.find('='), text.size());
    const std::string name(text.substr(0, end));
    const bool wanted = name.starts_with("LC_") || std::ranges::find(harmless, name) != harmless.end() ||
                        std::ranges::find(named, name) != named.end();
    if (wanted) passed_on.emplace(name, text.substr(std::min(end + 1, text.size())));
  }
  return passed_on;
}

}  // namespace ifcert::conformance
