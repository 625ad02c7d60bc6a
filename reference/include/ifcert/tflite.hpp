// TensorFlow Lite (identifier TFL3) and Circle (CIR0) → graph form, and back.
//
// Subgraph i of the file is graph i of the model, tensor i of a subgraph its slot i, operator i its node i. An operator
// has its name from the schema ("ADD"), except that IF and WHILE are "If" and "While". The bodies of an If are
// "then_subgraph" and "else_subgraph", which capture its operands after cond; those of a While are "cond_subgraph" and
// "body_subgraph", which have the loop variables as their inputs.
#pragma once

#include <filesystem>
#include <ifcert/inexpressible.hpp>
#include <ifcert/reading.hpp>
#include <memory>
#include <span>
#include <string>

namespace ifcert::tflite {

/// Reads a file. Throws UnreadableModel.
Reading read_file(const std::filesystem::path& path, const AllowedRules& allowed = {});

/// Reads bytes, which `owner` keeps alive; tensors may refer to them. Throws UnreadableModel.
Reading read_bytes(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                   const AllowedRules& allowed = {});

/// "TFL3" or "CIR0".
enum class Identifier : std::uint8_t { tflite, circle };

/// The bytes of a file that reads as this model, which must be legal and in the graph form of TensorFlow Lite. Throws
/// Inexpressible.
std::string write(const Model& model, Identifier identifier);

}  // namespace ifcert::tflite
