// The names of values while branches are moved to the graphs around them.
#pragma once

#include <fmt/format.h>

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ifcert::onnx {

/// The names of a main graph or of a function, with all the graphs in it.
class MovedNames {
 public:
  /// A name that stays where it is.
  void keep(std::string_view name) {
    used_.emplace(name);
    ++kept_[name];
  }

  /// Whether several values that stay have this name.
  bool is_shared(std::string_view name) const {
    const auto found = kept_.find(name);
    return found != kept_.end() && found->second > 1;
  }

  /// The name that a value of a moved branch gets, until leave().
  void enter(std::string_view name, std::string_view becomes) {
    const auto [found, is_new] = now_.try_emplace(name, becomes);
    undone_.emplace_back(name, is_new ? std::nullopt : std::optional(found->second));
    found->second = becomes;
  }

  /// A value of a moved branch keeps its name if no other value has it.
  void move(std::string_view name) {
    if (used_.emplace(name).second) return enter(name, name);
    std::size_t& number = numbers_[std::string(name)];
    std::string fresh;
    do fresh = fmt::format("{}_{}", name, ++number);
    while (!used_.insert(fresh).second);
    enter(name, made_.emplace_back(std::move(fresh)));
  }

  /// How many names were entered; what leave() is given.
  std::size_t entered() const { return undone_.size(); }
  void leave(std::size_t entered) {
    for (; undone_.size() > entered; undone_.pop_back()) {
      const auto& [name, before] = undone_.back();
      if (before)
        now_[name] = *before;
      else
        now_.erase(name);
    }
  }

  /// The name that a visible value has now.
  std::string_view of(std::string_view name) const {
    const auto found = now_.find(name);
    return found == now_.end() ? name : found->second;
  }

 private:
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string_view, std::size_t> kept_;  // how many values
  std::unordered_map<std::string, std::size_t> numbers_;    // by name: how many were made like it
  std::deque<std::string> made_;
  std::unordered_map<std::string_view, std::string_view> now_;
  std::vector<std::pair<std::string_view, std::optional<std::string_view>>> undone_;
};

}  // namespace ifcert::onnx
