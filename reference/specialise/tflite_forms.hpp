// The fields of tables in the full schemas of TensorFlow Lite 2.20 and Circle 0.9. In Circle the last position of two
// tables may be another field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ifcert::tflite::specialisation {

/// A table's name, and a letter for each of its fields, which are identified by their position: o for an offset, b for
/// a byte, n for a number of four bytes, l for one of eight.
struct TableForm {
  std::string_view name, fields;
};

inline constexpr TableForm model_form{"Model", "nooooooooo"};
inline constexpr TableForm subgraph_form{"SubGraph", "ooooon"};
inline constexpr TableForm circle_subgraph_form{"SubGraph", "ooooo"};
inline constexpr TableForm tensor_form{"Tensor", "obnooboobon"};
inline constexpr TableForm circle_tensor_form{"Tensor", "obnooboobo"};
inline constexpr TableForm operator_form{"Operator", "noobooboollbon"};
inline constexpr TableForm signature_form{"SignatureDef", "oooon"};
inline constexpr TableForm buffer_form{"Buffer", "oll"};
inline constexpr TableForm options_form{"of options", "nn"};

inline constexpr std::size_t model_operator_codes = 1;
inline constexpr std::size_t model_subgraphs = 2;
inline constexpr std::size_t model_buffers = 4;
inline constexpr std::size_t model_signature_defs = 7;
inline constexpr std::size_t subgraph_tensors = 0;
inline constexpr std::size_t subgraph_operators = 3;
inline constexpr std::size_t tensor_name = 3;
inline constexpr std::size_t operator_inputs = 1;
inline constexpr std::size_t operator_outputs = 2;
inline constexpr std::size_t operator_builtin_options = 4;
inline constexpr std::size_t operator_intermediates = 8;
inline constexpr std::size_t signature_subgraph_index = 4;

}  // namespace ifcert::tflite::specialisation
