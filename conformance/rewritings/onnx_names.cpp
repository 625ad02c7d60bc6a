#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/rewritings/onnx_rewritings.hpp"
#include "conformance/rewritings/onnx_scope.hpp"

namespace ifcert::conformance::onnx_rewritings {
namespace {

using namespace onnx_tree;
using onnx_scope::NameSet;

/// From each name that is visible somewhere to its new one.
using NewNames = std::map<std::string, std::string, std::less<>>;

/// 0, 1, … → "a", "b", …, "z", "aa", …
std::string in_letters(std::size_t number) {
  std::string letters;
  for (++number; number > 0; number = (number - 1) / 26)
    letters.insert(letters.begin(), static_cast<char>('a' + (number - 1) % 26));
  return letters;
}

std::string styled(Names names, std::size_t number) {
  if (names == Names::brief) return in_letters(number);
  if (names == Names::lengthy) return fmt::format("{:x<290}{:010}", "a_long_name_", number);
  if (names == Names::reused) return fmt::format("v{}", number);
  return fmt::format("/a:0.b-c d/{}", number);
}

/// Gives values of a model new names.
class ValueNames {
 public:
  ValueNames(Names names, NameSet kept) : names_(names), kept_(std::move(kept)) {}

  /// `visible` are the names of the bodies around this one. An outermost body is the main graph, whose interface stays,
  /// or a function.
  void rename(Message& body, NewNames visible, bool is_main) {
    const std::vector<std::string> defined = onnx_scope::defined_names(body);
    std::vector<std::string> free;
    for (const std::string& name : defined) {
      if (is_main && kept_.contains(name))
        visible[name] = name;
      else
        free.push_back(name);
    }
    give_names(free, visible);
    onnx_scope::for_each_value_name(body, [&visible](std::string& name) {
      const auto found = visible.find(name);
      if (found == visible.end()) throw NotMade(fmt::format("nothing defines the name {}", name));
      name = found->second;
    });
    for (Message* node : onnx_scope::nodes_of(body)) {
      for (Message* graph : graphs_in(*node)) {
        const std::size_t here = number_;
        rename(*graph, visible, false);
        if (names_ == Names::reused) number_ = here;  // the next graph does not see this one
      }
    }
  }

 private:
  void give_names(const std::vector<std::string>& free, NewNames& visible) {
    for (std::size_t i = 0; i < free.size(); ++i)
      visible[free[i]] = names_ == Names::exchanged ? free[(i + 1) % free.size()] : fresh();
  }

  std::string fresh() {
    std::string name = styled(names_, number_++);
    while (kept_.contains(name)) name = styled(names_, number_++);
    return name;
  }

  Names names_;
  NameSet kept_;
  std::size_t number_ = 0;  // of the next new name
};

/// A name that a graph has and a graph around it defines later would be visible there, if it moved.
void require_no_later_names(Message& body, NameSet outer) {
  for (std::string& name : onnx_scope::defined_names(body)) {
    if (!outer.insert(name).second) throw NotMade(fmt::format("a graph and one around it both define {}", name));
  }
  for (Message* node : onnx_scope::nodes_of(body)) {
    for (Message* graph : graphs_in(*node)) require_no_later_names(*graph, outer);
  }
}

/// What identifies a function, without overloads.
using FunctionName = std::pair<std::string, std::string>;  // domain, name

bool is_own_domain(std::string_view domain) {
  return !domain.empty() && !domain.starts_with("ai.onnx");
}

std::map<FunctionName, std::string> new_function_names(Message& model, Names names) {
  std::map<std::string, std::vector<std::string>> of_domain;
  std::set<FunctionName> seen;
  for (Message* function : messages_of(model, fields::ModelProto::functions)) {
    const std::string domain(text_of(*function, fields::FunctionProto::domain));
    const std::string name(text_of(*function, fields::FunctionProto::name));
    if (is_own_domain(domain) && seen.emplace(domain, name).second) of_domain[domain].push_back(name);
  }
  std::map<FunctionName, std::string> renamed;
  std::size_t number = 0;
  for (const auto& [domain, all] : of_domain) {
    for (std::size_t i = 0; i < all.size(); ++i)
      renamed[{domain, all[i]}] = names == Names::exchanged ? all[(i + 1) % all.size()] : styled(names, number++);
  }
  return renamed;
}

}  // namespace

void rename_values(ModelFiles& files, Names names) {
  change_tree(files, [names](Message& model) {
    if (find(model, fields::ModelProto::training_info) != nullptr) throw NotMade("it has information for training");
    if (names == Names::reused && find(model, fields::ModelProto::functions) != nullptr)
      throw NotMade("a function may enter graphs that it does not hold");
    ValueNames new_names(names, onnx_scope::main_names(model));
    for (Message* body : onnx_scope::outermost_bodies(model)) {
      if (names == Names::exchanged) require_no_later_names(*body, {});
      new_names.rename(*body, {}, body->kind == Kind::graph);
    }
    for_each(model, Kind::function, [](Message& function) {
      for (Message* attribute : messages_of(function, fields::FunctionProto::attribute_proto)) {
        if (find(*attribute, fields::AttributeProto::g) != nullptr) throw NotMade("a graph is an attribute's default");
      }
    });
  });
}

void rename_graphs(ModelFiles& files, Names names) {
  change_tree(files, [names](Message& model) {
    std::size_t number = 0;
    for_each(model, Kind::graph,
             [&](Message& graph) { set_text(graph, fields::GraphProto::name, styled(names, number++)); });
  });
}

void rename_functions(ModelFiles& files, Names names) {
  change_tree(files, [names](Message& model) {
    const std::map<FunctionName, std::string> renamed = new_function_names(model, names);
    const auto rename = [&renamed](Message& message, Number domain, Number name) {
      const auto found = renamed.find({std::string(text_of(message, domain)), std::string(text_of(message, name))});
      if (found != renamed.end()) set_text(message, name, found->second);
    };
    for_each(model, Kind::node,
             [&](Message& node) { rename(node, fields::NodeProto::domain, fields::NodeProto::op_type); });
    for_each(model, Kind::function,
             [&](Message& function) { rename(function, fields::FunctionProto::domain, fields::FunctionProto::name); });
  });
}

void rename_dimensions(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    std::map<std::string, std::string, std::less<>> renamed;
    for_each(model, Kind::dimension, [&renamed](Message& dimension) {
      for (Field* field : fields_of(dimension, fields::TensorShapeProtoDimension::dim_param)) {
        if (field->bytes.empty()) continue;
        const auto [entry, is_new] = renamed.try_emplace(field->bytes, fmt::format("renamed_{}", renamed.size()));
        field->bytes = entry->second;
      }
    });
  });
}

void rename_nodes(ModelFiles& files, NodeNames names) {
  change_tree(files, [names](Message& model) {
    std::size_t number = 0;
    const auto rename = [&](Message& body) {
      std::size_t in_graph = 0;
      for (Message* node : onnx_scope::nodes_of(body)) {
        if (names == NodeNames::none) remove(*node, fields::NodeProto::name);
        if (names == NodeNames::punctuated)
          set_text(*node, fields::NodeProto::name, styled(Names::punctuated, number++));
        if (names == NodeNames::lengthy) set_text(*node, fields::NodeProto::name, styled(Names::lengthy, number++));
        if (names == NodeNames::of_outputs) {
          const std::string output(text_of(*node, fields::NodeProto::output));
          if (!output.empty()) set_text(*node, fields::NodeProto::name, output);
        }
        if (names == NodeNames::same_in_all_graphs)
          set_text(*node, fields::NodeProto::name, fmt::format("node_{}", in_graph++));
      }
    };
    for_each(model, Kind::graph, rename);
    for_each(model, Kind::function, rename);
  });
}

}  // namespace ifcert::conformance::onnx_rewritings
