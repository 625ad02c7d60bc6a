// A file of TensorFlow Lite or Circle whose operators are in execution order: every other byte stays as it is.
#pragma once

#include <ifcert/graph.hpp>
#include <span>
#include <string>

namespace ifcert::tflite {

/// `model` is the file as it was read.
std::string with_sorted_operators(std::span<const std::byte> bytes, const Model& model);

}  // namespace ifcert::tflite
