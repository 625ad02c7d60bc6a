#include "conformance/temporary_folder.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "conformance/error.hpp"
#include "conformance/removal.hpp"

namespace ifcert::conformance {

TemporaryFolder::TemporaryFolder(const std::filesystem::path& parent) {
  std::string name = (parent / "ifcert-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw Error(fmt::format("cannot make a temporary folder {}: {}", name, std::strerror(errno)));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  remove_unmounted(path_);
}

}  // namespace ifcert::conformance
