// The rules of OpenVINO's If about types. Its ports, bodies and port maps are checked by the reader
// (formats/openvino/read.cpp, port_map.cpp).
#include <fmt/format.h>

#include <algorithm>

#include "if/if_rules.hpp"
#include "model/type_union.hpp"

namespace ifcert::rules {
namespace {

// "A scalar or 1D tensor with 1 element of boolean type"
// Sentence: if-8-cond.
// Rule: openvino/if/cond-is-boolean.
void cond_is_boolean(const InferredIfSite& site, const Report& report) {
  if (agree_except_shape(site.cond, Type::tensor(ElementType::boolean))) return;
  report(site.place.word("cond"), fmt::format("cond is {}", kind_text(site.cond)), "cond is tensor(bool)");
}

// "A scalar or 1D tensor with 1 element"
// Sentence: if-8-cond.
// Rule: openvino/if/cond-shape.
void cond_shape(const InferredIfSite& site, const Report& report) {
  if (!site.cond.is_tensor() || !site.cond.shape) return;
  const Shape& shape = *site.cond.shape;
  if (shape.empty() || (shape.size() == 1 && (!shape[0].known() || shape[0].value == 1))) return;
  report(site.place.word("cond"), fmt::format("cond has shape {}", to_string(shape)), "a scalar, or one dim of 1");
}

// "The type of the subgraph output and the type of the associated output from If must be equal."
// Sentence: if-8-types-equal.
// Rule: openvino/if/output-type.
void output_type(const InferredIfSite& site, const Report& report) {
  const std::size_t count = std::min({site.node.outputs.size(), site.then_outputs.size(), site.else_outputs.size()});
  for (std::size_t i = 0; i < count; ++i) {
    const Type& then_type = site.then_outputs[i];
    const Type& else_type = site.else_outputs[i];
    const Type declared = site.declared(i);
    if (agree_except_shape(then_type, else_type) && agree_except_shape(declared, then_type) &&
        agree_except_shape(declared, else_type))
      continue;
    report(site.place.numbered("output", i),
           fmt::format("then_body returns {}, else_body {}, and the port declares {}", kind_text(then_type),
                       kind_text(else_type), kind_text(declared)),
           "the same type from both bodies and in the port");
  }
}

constexpr IfRule openvino_if_rules[] = {
    {"openvino/if/cond-is-boolean", cond_is_boolean},
    {"openvino/if/cond-shape", cond_shape},
    {"openvino/if/output-type", output_type},
};

}  // namespace

void check_openvino_if(const InferredIfSite& site, Findings& findings) {
  for (const IfRule& rule : openvino_if_rules) rule.check(site, {rule.name, findings});
}

}  // namespace ifcert::rules
