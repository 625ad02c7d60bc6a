// Reading with allowed rules: what breaks them is mended in the file's bytes, which are then read as strictly as ever.
#pragma once

#include <algorithm>
#include <ifcert/reading.hpp>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace ifcert {

/// `reading` where nothing in it is allowed. Otherwise mend(reading) returns the mended bytes of the file, and
/// read(owner, bytes) reads them.
template <class Mend, class Read>
Reading with_allowed(Reading reading, const AllowedRules& allowed, Mend mend, Read read) {
  std::vector<Diagnostic> found;
  std::ranges::copy_if(reading.broken, std::back_inserter(found),
                       [&](const Diagnostic& finding) { return finding.allowable && allowed.contains(finding.rule); });
  if (found.empty()) return reading;
  const auto bytes = std::make_shared<const std::string>(mend(reading));
  Reading mended = read(bytes, std::as_bytes(std::span(*bytes)));
  mended.allowed = std::move(found);
  mended.mended = bytes;
  return mended;
}

}  // namespace ifcert
