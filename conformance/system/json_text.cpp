#include "conformance/system/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/message.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace ifcert::conformance {

using nlohmann::json;

namespace {

/// How many bytes of a key, or of the parser's own message, a fault quotes.
constexpr std::size_t max_quoted = 200;

bool continues(char letter) {
  return (static_cast<unsigned char>(letter) & 0xc0U) == 0x80U;
}

/// Builds the document from the events of nlohmann's parser, which stops as soon as one of them returns false.
class Builder {
 public:
  explicit Builder(const JsonLimits& limits) : limits_(limits) {}

  ParsedJson result() {
    if (!fault_.empty()) return {.fault = std::move(fault_), .detail = std::move(detail_)};
    return {.document = std::move(document_)};
  }

  // The names are those of nlohmann's interface.
  bool null() { return add(nullptr).has_value(); }
  bool boolean(bool value) { return add(value).has_value(); }
  bool number_integer(json::number_integer_t value) { return add(value).has_value(); }
  bool number_unsigned(json::number_unsigned_t value) { return add(value).has_value(); }
  bool number_float(json::number_float_t value, const std::string& /*text*/) { return add(value).has_value(); }
  bool binary(json::binary_t& /*value*/) { return false; }  // not in texts
  bool string(std::string& text) { return add(is_whole_ ? std::move(text) : cut_word(text, limits_.word)).has_value(); }
  bool start_object(std::size_t /*unknown*/) { return skips_ ? skip_into() : enter(json::object()); }
  bool start_array(std::size_t /*unknown*/) { return skips_ ? skip_into() : enter(json::array()); }
  bool end_object() { return leave(); }
  bool end_array() { return leave(); }

  bool key(std::string& name) {
    if (skips_) return true;
    if (open_.size() == 1 && is_left_out(name)) {
      skips_ = true;
      return document_.size() < limits_.members.size();  // else all of them have been read
    }
    is_whole_ = std::ranges::find(limits_.whole, name) != limits_.whole.end();
    if (name.size() > limits_.word) return refuse(fmt::format("has a key of {} bytes", name.size()));
    const auto [member, is_new] = open_.back()->get_ref<json::object_t&>().emplace(name, nullptr);
    if (!is_new) return refuse(fmt::format("repeats the key '{}'{}", quoted(name), place()));
    member_ = &member->second;
    return true;
  }

  bool parse_error(std::size_t /*position*/, const std::string& /*token*/, const json::exception& error) {
    detail_ = quoted(error.what());
    return refuse("is not JSON");
  }

 private:
  static std::string quoted(std::string_view text) { return printable(cut_word(text, max_quoted)); }

  bool refuse(std::string fault) {
    fault_ = std::move(fault);
    return false;
  }

  bool is_left_out(std::string_view member) const {
    return !limits_.members.empty() && std::ranges::find(limits_.members, member) == limits_.members.end();
  }

  bool skip_into() {
    if (open_.size() + skipped_depth_ == limits_.depth) return refuse_depth();
    ++skipped_depth_;
    return true;
  }

  bool refuse_depth() { return refuse(fmt::format("nests deeper than {} levels", limits_.depth)); }

  /// Puts a value where the text has it; returns nothing where there are too many of them.
  std::optional<json*> add(json value) {
    if (skips_) {
      skips_ = skipped_depth_ > 0;
      return &document_;
    }
    if (++values_ > limits_.values) {
      refuse(fmt::format("has more than {} values", limits_.values));
      return std::nullopt;
    }
    if (open_.empty()) {
      document_ = std::move(value);
      return &document_;
    }
    if (open_.back()->is_array()) {
      open_.back()->push_back(std::move(value));
      return &open_.back()->back();
    }
    *member_ = std::move(value);
    return member_;
  }

  bool enter(json container) {
    if (open_.size() == limits_.depth) return refuse_depth();
    const std::optional<json*> added = add(std::move(container));
    if (added) open_.push_back(*added);
    return added.has_value();
  }

  bool leave() {
    if (skips_) {
      skips_ = --skipped_depth_ > 0;
      return true;
    }
    open_.pop_back();
    is_whole_ = false;
    return true;
  }

  /// Where the innermost open object is: " in failures[2]"; nothing for the document itself.
  std::string place() const {
    std::string text;
    for (std::size_t level = 0; level + 1 < open_.size(); ++level) {
      const json& container = *open_[level];
      if (container.is_array()) {
        text += fmt::format("[{}]", container.size() - 1);
        continue;
      }
      const auto is_open = [&](const auto& member) { return &member.second == open_[level + 1]; };
      const auto& members = container.get_ref<const json::object_t&>();
      text += (text.empty() ? "" : ".") + quoted(std::ranges::find_if(members, is_open)->first);
    }
    return text.empty() ? "" : " in " + text;
  }

  const JsonLimits& limits_;
  json document_;
  std::vector<json*> open_;  // the lists and objects that have begun and not ended, outermost first
  json* member_ = nullptr;   // the value of the key that was read last
  bool is_whole_ = false;    // strings here are not cut
  bool skips_ = false;       // a member is read over that is not kept
  std::size_t skipped_depth_ = 0;
  std::size_t values_ = 0;
  std::string fault_, detail_;
};

}  // namespace

ParsedJson parse_json(std::string_view text, const JsonLimits& limits) {
  Builder builder(limits);
  json::sax_parse(text.begin(), text.end(), &builder);
  return builder.result();
}

std::string cut_word(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t kept = limit;
  while (kept > 0 && continues(text[kept])) --kept;
  return fmt::format("{}… ({} bytes)", text.substr(0, kept), text.size());
}

}  // namespace ifcert::conformance
