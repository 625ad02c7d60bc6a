// A place in a model, as a chain on the stack: it costs nothing until a message needs it as text.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert {

struct Place {
  enum class Kind : unsigned char { word, named, numbered, node };

  const Place* outer = nullptr;
  Kind kind = Kind::word;
  std::string_view what{};  // "then_branch", "graph", "output"; of a node its operator
  std::string_view name{};
  std::size_t number = 0;
  std::size_t depth = 0;  // places around this one

  Place word(std::string_view text) const { return {this, Kind::word, text, {}, 0, depth + 1}; }
  Place named(std::string_view text, std::string_view its_name) const {
    return {this, Kind::named, text, its_name, 0, depth + 1};
  }
  Place numbered(std::string_view text, std::size_t n) const { return {this, Kind::numbered, text, {}, n, depth + 1}; }
  Place node(std::string_view op, std::string_view its_name, std::size_t n) const {
    return {this, Kind::node, op, its_name, n, depth + 1};
  }
};

/// `graph "main" / node "if0" (If) / then_branch / output 1`. Long chains keep both ends.
inline std::string to_string(const Place& place) {
  std::vector<const Place*> chain;
  for (const Place* at = &place; at != nullptr; at = at->outer) chain.push_back(at);
  constexpr std::size_t shown = 20;
  std::string text;
  for (std::size_t i = chain.size(); i-- > 0;) {
    if (chain.size() > 2 * shown && i == chain.size() - shown) {
      text += fmt::format(" / … {} more …", chain.size() - 2 * shown);
      i = shown;
      continue;
    }
    const Place& at = *chain[i];
    if (!text.empty()) text += " / ";
    switch (at.kind) {
      case Place::Kind::word:
        text += at.what;
        break;
      case Place::Kind::named:
        text += fmt::format("{} \"{}\"", at.what, at.name);
        break;
      case Place::Kind::numbered:
        text += fmt::format("{} {}", at.what, at.number);
        break;
      case Place::Kind::node:
        text += at.name.empty() ? fmt::format("node {} ({})", at.number, at.what)
                                : fmt::format("node \"{}\" ({})", at.name, at.what);
        break;
    }
  }
  return text;
}

}  // namespace ifcert
