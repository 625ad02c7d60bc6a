// Models of one node, in the format of the model that has the node: what a runtime needs to compute it.
#pragma once

#include <ifcert/delegate.hpp>
#include <ifcert/translate.hpp>
#include <string>
#include <vector>

namespace ifcert {

struct SingleNodeModel {
  std::vector<WrittenFile> files;    // the model's own file is the last one
  std::vector<std::string> inputs;   // inputs[i]: the name under which operand i is passed; empty: it is not passed
  std::vector<std::string> outputs;  // outputs[i]: the name of output i; empty: it is not wanted
};

/// The model. Operands that are constants become constants of it; the others become inputs with the types of their
/// values. Throws Inexpressible where the format cannot express it, with the place in the model of one node, and
/// EvaluationError, without the place of the node, where the node cannot be computed alone.
SingleNodeModel single_node_model(const DelegatedNode& node);

/// A text that two evaluations have in common if one model serves both. It is only valid as long as the constant
/// operands, the attributes' tensors and the model's file exist.
std::string single_node_key(const DelegatedNode& node);

}  // namespace ifcert
