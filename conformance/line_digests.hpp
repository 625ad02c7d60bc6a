// Lines of JSON with a digest each, so that a line which was changed, lost, repeated or moved is noticed.
//
// The last member of each line is "sha256": the digest of the text that the line before has there (nothing for the
// first line) followed by this line without that member. So the digest of the last line stands for all of them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ifcert::conformance {

class LineDigests {
 public:
  /// The next line, with its digest, without its end.
  std::string with_digest(const nlohmann::ordered_json& line);

  /// Whether the text, a line without its end, is one that may come next: to the byte what with_digest() gave.
  bool accept(std::string_view line);

 private:
  std::string digest_of(std::string_view line) const;

  std::string last_;
};

}  // namespace ifcert::conformance
