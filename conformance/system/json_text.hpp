// The one place where JSON is parsed: no key is repeated, and a text that was made to be costly is refused.
#pragma once

#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace ifcert::conformance {

/// What a text may cost. A text of N bytes without a limit on its values needs at most some 30 N bytes of memory.
struct JsonLimits {
  std::size_t depth = 64;  // of lists and objects in each other: whatever reads the document recurses so deep
  std::size_t values = std::numeric_limits<std::size_t>::max();  // lists, objects and what is in them
  std::size_t word = std::numeric_limits<std::size_t>::max();    // bytes of a string that are kept
  /// The members whose strings are kept whole all the same, also where they are in a list.
  std::span<const std::string_view> whole{};
  /// The document's own members that are kept, all where this is empty. Others are only read over, their keys included,
  /// and no longer than until all of these are there: what follows may be no JSON.
  std::span<const std::string_view> members{};
};

struct ParsedJson {
  nlohmann::json document{};
  std::string fault{};   // why there is no document, as a verb: "is not JSON"; empty where there is one
  std::string detail{};  // the parser's own message, for a text that is not JSON
};

/// Parses a JSON text. A string that is longer than its limit is cut as cut_word() does.
ParsedJson parse_json(std::string_view text, const JsonLimits& limits = {});

/// Its first `limit` bytes, cut between characters, and its whole length: "mmm… (60000000 bytes)". A text that is not
/// longer is unchanged.
std::string cut_word(std::string_view text, std::size_t limit);

}  // namespace ifcert::conformance
