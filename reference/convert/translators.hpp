// The directions of translation. Their results are checked against the rules; translate() translates between IR and
// TensorFlow Lite through ONNX. `types` are those of the model that is translated.
#pragma once

#include <ifcert/graph.hpp>
#include <ifcert/rules.hpp>
#include <string_view>

#include "convert/translation_site.hpp"

namespace ifcert::translation {

/// The values of a graph that is translated, by their old slots.
using Scope = std::vector<TranslationSite::Facts>;

/// A graph while it is translated: its index in the old model, the new graph, and the values so far.
struct Translated {
  GraphIndex index;
  Graph& to;
  Scope& scope;
};

/// A model that breaks no rule, with its types.
struct LegalModel {
  Model model;
  SlotTypes types;
};

/// The model, checked; throws Inexpressible where it breaks a rule. `how` it was made begins the message.
LegalModel legal(Model model, std::string_view how);

inline constexpr std::string_view translated = "translated, ";

Model onnx_to_openvino(const Model& from, const SlotTypes& types);
Model openvino_to_onnx(const Model& from, const SlotTypes& types);
Model onnx_to_tflite(const Model& from, const SlotTypes& types);
LegalModel tflite_to_onnx(const Model& from, const SlotTypes& types);

/// Throws Inexpressible.
[[noreturn]] void refuse(const Place& place, const std::string& reason);

/// The operands of a node.
std::vector<TranslationSite::Facts> operands_of(const Node& node, const Scope& scope);

}  // namespace ifcert::translation
