// Which names a graph or a function of an ONNX file defines, and which names its nodes read.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/rewritings/onnx_tree.hpp"

namespace ifcert::conformance::onnx_scope {

using NameSet = std::set<std::string, std::less<>>;

/// The names that a graph or function defines, each once, in order: inputs, initializers, outputs of nodes.
std::vector<std::string> defined_names(onnx_tree::Message& body);

/// The nodes of a graph or function.
std::vector<onnx_tree::Message*> nodes_of(onnx_tree::Message& body);

/// The names that a node reads where it is: its operands, and what its graphs read of the graphs around them.
NameSet names_read(onnx_tree::Message& node);

/// The names that the graphs of a node define, at any depth.
NameSet names_defined_inside(onnx_tree::Message& node);

/// The names of the main graph's inputs and outputs: the interface of the model.
NameSet main_names(onnx_tree::Message& model);

/// The main graph and the functions: what has no graph around it.
std::vector<onnx_tree::Message*> outermost_bodies(onnx_tree::Message& model);

/// Calls `visit` with each name of a value in a graph or function, where it is defined, read or described, but not in
/// the graphs of its nodes. Throws NotMade where values are named in ways that are not looked into.
void for_each_value_name(onnx_tree::Message& body, const std::function<void(std::string& name)>& visit);

/// A beginning of names that no name of the model has.
std::string unused_name(onnx_tree::Message& model, std::string_view stem);

/// Throws NotMade for an older one.
void require_ir_version(onnx_tree::Message& model, std::int64_t least);

/// The version of the default operator set that the model imports. Throws NotMade where it imports none.
std::int64_t default_version(onnx_tree::Message& model);

/// Whether it is an If of ONNX.
bool is_if(const onnx_tree::Message& node);

/// Throws NotMade where the output of an If has another rank, as the main graph declares it, than as a branch does:
/// what that means is open for an If, and not allowed for the node that would take its place.
void require_declared_ranks(onnx_tree::Message& main);

/// Whether it is the domain of ONNX's own operators.
bool is_default_domain(std::string_view domain);

/// Throws NotMade where a function of the model is in that domain, so that a name in it may mean another operator.
void require_default_domain_unextended(onnx_tree::Message& model);

}  // namespace ifcert::conformance::onnx_scope
