// Lists of integers that are attributes in old versions of ONNX's operators, and operands in later ones.
#pragma once

#include "convert/translation_site.hpp"

namespace ifcert::translation {

struct List {
  bool present = false;
  std::optional<Integers> known;  // where it is the same in every run
  Slot slot = no_slot;            // of an operand
};

List list_in(const TranslationSite& site, const std::string& attribute, std::size_t operand);

/// The list as a value; without elements where it is absent.
Slot slot_of(TranslationSite& site, const List& list);

/// Refuses a list operand that is not known to have elements, from its value or its declared shape.
void expect_elements(const TranslationSite& site, const List& list, std::size_t operand);

}  // namespace ifcert::translation
