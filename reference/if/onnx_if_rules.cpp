// The rules of ONNX's If about types and numbers of outputs. The reader checks its inputs and attributes
// (formats/onnx/if_file_rules.cpp).
#include <fmt/format.h>

#include <algorithm>

#include "if/if_rules.hpp"
#include "if/if_versions.hpp"
#include "model/type_union.hpp"

namespace ifcert::rules {
namespace {

/// Calls `see(i, place)` for each output that both branches and the node have.
template <class See>
void for_each_output(const InferredIfSite& site, const See& see) {
  const std::size_t count = std::min({site.node.outputs.size(), site.then_outputs.size(), site.else_outputs.size()});
  for (std::size_t i = 0; i < count; ++i) see(i, site.place.numbered("output", i));
}

bool is_static(const Type& type) {
  return type.is_tensor() && type.shape && std::ranges::all_of(*type.shape, &Dim::known);
}

// "Outputs (1 - 2147483647)"; "The number of outputs must match the number of outputs in the else_branch."
// Sentences: if-outputs, if-then-branch-output-count.
// Rule: onnx/if/output-count.
void output_count(const InferredIfSite& site, const Report& report) {
  const std::size_t node = site.node.outputs.size();
  const std::size_t then_count = site.then_outputs.size();
  const std::size_t else_count = site.else_outputs.size();
  if (node == then_count && node == else_count && node > 0) return;
  report(site.place,
         fmt::format("then_branch has {}, else_branch {} and the node {} outputs", then_count, else_count, node),
         "the same number for all three, at least one");
}

// "Only bool"
// Sentence: if-cond-only-bool.
// Rule: onnx/if/cond-is-bool.
void cond_is_bool(const InferredIfSite& site, const Report& report) {
  if (agree_except_shape(site.cond, Type::tensor(ElementType::boolean))) return;
  report(site.place.word("cond"), fmt::format("cond is {}", kind_text(site.cond)), "cond is tensor(bool)");
}

// "The tensor must contain a single element."
// Sentence: if-cond-single-element.
// Rule: onnx/if/cond-single-element.
void cond_single_element(const InferredIfSite& site, const Report& report) {
  if (!site.cond.is_tensor() || !site.cond.shape) return;
  const bool never_one =
      std::ranges::any_of(*site.cond.shape, [](const Dim& dim) { return dim.known() && dim.value != 1; });
  if (!never_one) return;
  report(site.place.word("cond"), fmt::format("cond has shape {}", to_string(*site.cond.shape)),
         "a single element, of any rank");
}

// "The return values in the then_branch and else_branch must be of the same data type."
// Sentence: if-same-data-type.
// Rule: onnx/if/same-data-type.
void same_data_type(const InferredIfSite& site, const Report& report) {
  for_each_output(site, [&](std::size_t i, const Place& place) {
    if (agree_except_shape(site.then_outputs[i], site.else_outputs[i])) return;
    report(place,
           fmt::format("then_branch returns {}, else_branch {}", kind_text(site.then_outputs[i]),
                       kind_text(site.else_outputs[i])),
           "the same data type from both");
  });
}

// The type of the output variable is the branches' type.
// Sentence: if-same-data-type.
// Rule: onnx/if/declared-type-agrees.
void declared_type_agrees(const InferredIfSite& site, const Report& report) {
  for_each_output(site, [&](std::size_t i, const Place& place) {
    const Type declared = site.declared(i);
    if (agree_except_shape(declared, site.then_outputs[i]) && agree_except_shape(declared, site.else_outputs[i]))
      return;
    report(place,
           fmt::format("declared as {}, but then_branch returns {} and else_branch {}", kind_text(declared),
                       kind_text(site.then_outputs[i]), kind_text(site.else_outputs[i])),
           "the declared type is the branches' type");
  });
}

// "If corresponding outputs […] have static shapes S1 and S2, then the shape of the corresponding output variable […]
// must be compatible with both S1 and S2"
// Sentence: if-declared-shape.
// Rule: onnx/if/declared-shape-compatible.
void declared_shape_compatible(const InferredIfSite& site, const Report& report) {
  const auto compatible = [](const Shape& declared, const Shape& branch) {
    return std::ranges::equal(declared, branch,
                              [](const Dim& d, const Dim& b) { return !d.known() || d.value == b.value; });
  };
  for_each_output(site, [&](std::size_t i, const Place& place) {
    const Type declared = site.declared(i);
    const Type& s1 = site.then_outputs[i];
    const Type& s2 = site.else_outputs[i];
    if (!declared.is_tensor() || !declared.shape || !is_static(s1) || !is_static(s2)) return;
    if (compatible(*declared.shape, *s1.shape) && compatible(*declared.shape, *s2.shape)) return;
    report(place,
           fmt::format("declared with shape {}, but then_branch returns {} and else_branch {}",
                       to_string(*declared.shape), to_string(*s1.shape), to_string(*s2.shape)),
           "a shape compatible with both: none, or the rank with unset dims where they differ");
  });
}

// "must be of the same shape and same data type."
// Sentence: if-1-same-shape-and-type.
// Rule: onnx/if/same-shape-in-opset-1.
void same_shape_in_opset_1(const InferredIfSite& site, const Report& report) {
  if (if_version(site.node.version) != 1) return;
  for_each_output(site, [&](std::size_t i, const Place& place) {
    const Type& s1 = site.then_outputs[i];
    const Type& s2 = site.else_outputs[i];
    if (!is_static(s1) || !is_static(s2) || *s1.shape == *s2.shape) return;
    report(place,
           fmt::format("then_branch returns shape {}, else_branch {}", to_string(*s1.shape), to_string(*s2.shape)),
           "before opset 11 both branches return the same shape");
  });
}

// The types that the version lists.
// Sentences: if-types-25, if-history-24.
// Rule: onnx/if/types-of-opset.
void types_of_opset(const InferredIfSite& site, const Report& report) {
  const int version = if_version(site.node.version);
  for_each_output(site, [&](std::size_t i, const Place& place) {
    for (const Type* type : {&site.then_outputs[i], &site.else_outputs[i]}) {
      if (!fully_known(*type) || if_lists(version, *type)) continue;
      report(place, fmt::format("{} under opset {}", kind_text(*type), site.node.version),
             fmt::format("a type that If-{} lists for its outputs", version));
      return;
    }
  });
}

constexpr IfRule onnx_if_rules[] = {
    {"onnx/if/output-count", output_count},
    {"onnx/if/cond-is-bool", cond_is_bool},
    {"onnx/if/cond-single-element", cond_single_element},
    {"onnx/if/same-data-type", same_data_type},
    {"onnx/if/declared-type-agrees", declared_type_agrees},
    {"onnx/if/declared-shape-compatible", declared_shape_compatible},
    {"onnx/if/same-shape-in-opset-1", same_shape_in_opset_1},
    {"onnx/if/types-of-opset", types_of_opset},
};

}  // namespace

void check_onnx_if(const InferredIfSite& site, Findings& findings) {
  for (const IfRule& rule : onnx_if_rules) rule.check(site, {rule.name, findings});
}

}  // namespace ifcert::rules
