#include "convert/onnx_list.hpp"

namespace ifcert::translation {

List list_in(const TranslationSite& site, const std::string& attribute, std::size_t operand) {
  List list;
  list.known = site.attribute<Integers>(attribute);
  list.present = list.known.has_value();
  if (site.input(operand) == no_slot) return list;
  return {true, site.integers(operand), site.input(operand)};
}

Slot slot_of(TranslationSite& site, const List& list) {
  return list.slot == no_slot ? site.constant(list_of(list.known.value_or(Integers{}))) : list.slot;
}

void expect_elements(const TranslationSite& site, const List& list, std::size_t operand) {
  const std::optional<Shape> shape = site.shape(operand);
  const bool some = list.known ? !list.known->empty() : shape && shape->size() == 1 && shape->front().value > 0;
  if (!some) site.refuse(fmt::format("{} with a list of axes that may be empty has no counterpart", site.node.op));
}

}  // namespace ifcert::translation
