// Lines of JSON with a digest each, so that a line that was changed, lost, repeated or moved is noticed.
//
// The last member of each line is "sha256": the digest of the previous line's digest (nothing for the first line)
// followed by this line without that member. So the digest of the last line covers all of them.
//
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ifcert::conformance {

class LineDigests {
 public:
  /// The text of the next line, with its digest, without a line end.
  std::string with_digest(const nlohmann::ordered_json& line);

  /// Whether the text, a line without its line end, is the next line, exactly as with_digest() returned it. If it is,
  /// the line after it is expected next.
  bool accept(std::string_view line);

 private:
  std::string digest_of(std::string_view line) const;

  std::string last_;
};

}  // namespace ifcert::conformance
