#include "conformance/temporary_folder.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "conformance/error.hpp"

namespace ifcert::conformance {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "ifcert-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw Error(fmt::format("cannot make a temporary folder {}: {}", name, std::strerror(errno)));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace ifcert::conformance
