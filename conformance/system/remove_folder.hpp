// Removes what an adapter could write to, without following what it may have put there.
#pragma once

#include <filesystem>

namespace ifcert::conformance {

/// Removes a folder with all that is in it. Nothing beyond a mount point is touched: what is mounted in the folder is
/// detached first, and where that is not permitted the folder stays. Returns false when something is left.
bool remove_tree(const std::filesystem::path& folder);

}  // namespace ifcert::conformance
