#include "convert/onnx_constant.hpp"

#include <ifcert/inexpressible.hpp>

#include "operators/onnx_operators.hpp"

namespace ifcert::translation {

Value value_of_constant(const Node& node, const Place& place) {
  if (node.attributes.contains("sparse_value"))
    throw Inexpressible(to_string(place), "a Constant whose value is sparse has no counterpart");
  try {
    Value value;
    kernels::evaluate_constant({node, {}}, std::span(&value, 1));
    return value;
  } catch (const EvaluationError& error) {
    throw Inexpressible(to_string(place), error.what());
  }
}

}  // namespace ifcert::translation
