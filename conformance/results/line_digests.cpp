#include "conformance/results/line_digests.hpp"

#include <fmt/format.h>

#include "conformance/system/digest.hpp"

namespace ifcert::conformance {
namespace {

constexpr std::string_view before = R"(,"sha256":")";
constexpr std::string_view after = R"("})";
constexpr std::size_t digits = 64;

}  // namespace

std::string LineDigests::digest_of(std::string_view line) const {
  return sha256(fmt::format("{}{}", last_, line));
}

std::string LineDigests::with_digest(const nlohmann::ordered_json& line) {
  std::string text =
      line.dump(-1, ' ', true);  // in ASCII, so that no reader takes a character of a name for the end of a line
  last_ = digest_of(text);
  text.pop_back();  // the closing brace
  return fmt::format("{}{}{}{}", text, before, last_, after);
}

bool LineDigests::accept(std::string_view line) {
  constexpr std::size_t added = before.size() + digits + after.size();
  if (line.size() < added || !line.ends_with(after)) return false;
  const std::string_view member = line.substr(line.size() - added);
  const std::string_view digest = member.substr(before.size(), digits);
  if (!member.starts_with(before)) return false;
  if (digest_of(fmt::format("{}}}", line.substr(0, line.size() - added))) != digest) return false;
  last_ = digest;
  return true;
}

}  // namespace ifcert::conformance
