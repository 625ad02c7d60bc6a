#include "conformance/system/program_path.hpp"

#include <fmt/format.h>

#include <system_error>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

std::filesystem::path& named_path() {
  static std::filesystem::path path;
  return path;
}

}  // namespace

std::filesystem::path program_path() {
  if (!named_path().empty()) return named_path();
  std::error_code fault;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", fault);
  if (fault) throw Error(fmt::format("cannot find this program's own path: {}", fault.message()));
  return program;
}

void set_program_path(const std::filesystem::path& path) {
  named_path() = path;
}

}  // namespace ifcert::conformance
