#include "formats/onnx/missing_name.hpp"

#include <fmt/format.h>

namespace ifcert::onnx {
namespace {

std::string invisible(std::string_view name, std::string_view why) {
  return fmt::format("\"{}\" is not visible here: {}", shortened(name, 200), why);
}

}  // namespace

/// The last node that makes the name, if that is the current one or one after it.
std::optional<std::size_t> MissingName::later_maker(Level& level, std::string_view name) {
  if (!level.makers) {
    level.makers.emplace();
    for (std::size_t i = 0; i < level.nodes->size(); ++i) {
      for (const std::string_view output : (*level.nodes)[i].output) level.makers->insert_or_assign(output, i);
    }
  }
  const auto last = level.makers->find(name);
  return last != level.makers->end() && last->second >= level.current ? std::optional(last->second) : std::nullopt;
}

/// Whether the name, which the level makes later, would be visible if its nodes were sorted: the node that needs it is
/// in no cycle, and no graph around makes the name later, too.
bool MissingName::is_made_once_sorted(std::size_t level, std::string_view name) {
  for (std::size_t outer = 0; outer < level; ++outer) {
    if (later_maker(inside_[outer], name)) return false;
  }
  if (!orders_) orders_ = node_orders(file_);
  const auto order = orders_->find(inside_[level].nodes);
  return order != orders_->end() && order->second.sorted.placed[inside_[level].current];
}

std::optional<MissingName::Reason> MissingName::made_later(std::string_view name) {
  for (std::size_t i = inside_.size(); i-- > 0;) {
    const Level& level = inside_[i];
    const std::optional<std::size_t> maker = later_maker(inside_[i], name);
    if (!maker) continue;
    const bool is_own_graph = i + 1 == inside_.size();
    const proto::Node& node = (*level.nodes)[*maker];
    const std::string by = to_string(level.place->node(node.op_type, node.name, *maker));
    std::string how = fmt::format("it is made later, by {}", by);
    if (*maker == level.current)
      how = is_own_graph ? "this node itself makes it" : fmt::format("it is made by {}, which holds this graph", by);
    const bool allowable = is_made_once_sorted(i, name);
    if (is_own_graph) {
      return Reason{"onnx/model/no-cycles", invisible(name, how),
                    "a value is computed before the node that uses it, without cycles", allowable};
    }
    return Reason{"onnx/if/definition-before-use", invisible(name, how),
                  "a value that a nested graph reads is computed before the node that holds the graph", allowable};
  }
  return std::nullopt;
}

/// The place of a body that makes the name, in the graph or the function that is being read.
std::optional<std::string> MissingName::made_inside(std::string_view name) {
  Level& outermost = inside_.front();
  if (!outermost.made_inside) outermost.made_inside = MadeNames::inside(*outermost.nodes, *outermost.place);
  return outermost.made_inside->find(name);
}

/// The place of any graph of the file that makes the name.
std::optional<std::string> MissingName::made_anywhere(std::string_view name) {
  if (!made_anywhere_) made_anywhere_ = MadeNames::anywhere(file_);
  return made_anywhere_->find(name);
}

std::string MissingName::found_in(std::string_view name, const std::string& graph) const {
  Place own = *inside_.back().place;
  own.outer = nullptr;
  return invisible(name, fmt::format("it is made in {}, which {} cannot see", graph, to_string(own)));
}

// Rules: onnx/if/definition-before-use, onnx/if/no-leak, onnx/model/no-cycles, onnx/model/every-use-is-defined.
MissingName::Reason MissingName::explain(std::string_view name) {
  if (std::optional<Reason> later = made_later(name)) return std::move(*later);
  if (const std::optional<std::string> body = made_inside(name))
    return {"onnx/if/no-leak", found_in(name, *body), "a name defined inside a branch is visible only in that branch"};
  const std::optional<std::string> graph = made_anywhere(name);
  return {"onnx/model/every-use-is-defined", graph ? found_in(name, *graph) : invisible(name, "nothing makes it"),
          "every input is a visible output of a node, input or initializer"};
}

}  // namespace ifcert::onnx
