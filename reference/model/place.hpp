// A place in a model, as a chain on the stack: it costs nothing until a message needs it as text.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert {

struct Place {
  enum class Kind : unsigned char { word, trip, named, numbered, node, layer, subgraph, operation };

  const Place* outer = nullptr;
  Kind kind = Kind::word;
  std::string_view what{};  // "then_branch", "graph", "output"; for a node its operator
  std::string_view name{};
  std::size_t number = 0;  // the id of a layer, the index of a subgraph, the trip of a loop's body
  std::size_t depth = 0;   // the number of places around this one

  Place word(std::string_view text) const { return {this, Kind::word, text, {}, 0, depth + 1}; }
  /// A body in a trip of a loop; trips are counted from 0.
  Place trip(std::string_view text, std::int64_t n) const {
    return {this, Kind::trip, text, {}, static_cast<std::size_t>(n), depth + 1};
  }
  Place named(std::string_view text, std::string_view its_name) const {
    return {this, Kind::named, text, its_name, 0, depth + 1};
  }
  Place numbered(std::string_view text, std::size_t n) const { return {this, Kind::numbered, text, {}, n, depth + 1}; }
  Place node(std::string_view op, std::string_view its_name, std::size_t n) const {
    return {this, Kind::node, op, its_name, n, depth + 1};
  }
  Place layer(std::string_view op, std::string_view its_name, std::uint32_t id) const {
    return {this, Kind::layer, op, its_name, id, depth + 1};
  }
  Place operation(std::string_view op, std::size_t n) const { return {this, Kind::operation, op, {}, n, depth + 1}; }
};

/// The text; of a text longer than about `longest` bytes, only the two ends. Never cuts a UTF-8 character.
inline std::string shortened(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string(text);
  const auto inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U; };
  std::size_t head = longest / 2;
  std::size_t tail = text.size() - longest / 2;
  while (head > 0 && inside(head)) --head;
  while (tail < text.size() && inside(tail)) ++tail;
  return fmt::format("{}…{}", text.substr(0, head), text.substr(tail));
}

/// `layer 3 "name" (If)`, or without a name `layer 3 (If)`.
inline std::string layer_text(std::size_t id, std::string_view name, std::string_view op) {
  return name.empty() ? fmt::format("layer {} ({})", id, op) : fmt::format("layer {} \"{}\" ({})", id, name, op);
}

/// `graph "main" / node "if0" (If) / then_branch / output 1`; in TensorFlow Lite `subgraph 0 "main" / operator 2 (If)`.
/// Long chains and long names keep both ends.
inline std::string to_string(const Place& place) {
  std::vector<const Place*> chain;
  for (const Place* at = &place; at != nullptr; at = at->outer) chain.push_back(at);
  constexpr std::size_t shown = 20;
  constexpr std::size_t longest = 200;
  std::string text;
  for (std::size_t i = chain.size(); i-- > 0;) {
    if (chain.size() > 2 * shown && i == chain.size() - shown - 1) {
      text += fmt::format(" / … {} more …", chain.size() - 2 * shown);
      i = shown;
      continue;
    }
    const Place& at = *chain[i];
    if (!text.empty()) text += " / ";
    switch (at.kind) {
      case Place::Kind::word:
        text += shortened(at.what, longest);
        break;
      case Place::Kind::trip:
        text += fmt::format("{} (trip {})", shortened(at.what, longest), at.number);
        break;
      case Place::Kind::named:
        text += fmt::format("{} \"{}\"", at.what, shortened(at.name, longest));
        break;
      case Place::Kind::numbered:
        text += fmt::format("{} {}", shortened(at.what, longest), at.number);
        break;
      case Place::Kind::node:
        text += at.name.empty()
                    ? fmt::format("node {} ({})", at.number, shortened(at.what, longest))
                    : fmt::format("node \"{}\" ({})", shortened(at.name, longest), shortened(at.what, longest));
        break;
      case Place::Kind::layer:
        text += layer_text(at.number, shortened(at.name, longest), shortened(at.what, longest));
        break;
      case Place::Kind::subgraph:
        text += at.name.empty() ? fmt::format("subgraph {}", at.number)
                                : fmt::format("subgraph {} \"{}\"", at.number, shortened(at.name, longest));
        break;
      case Place::Kind::operation:
        text += fmt::format("operator {} ({})", at.number, shortened(at.what, longest));
        break;
    }
  }
  return text;
}

}  // namespace ifcert
