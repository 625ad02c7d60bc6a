// A subgraph with the operators of branches in place of those of its Ifs whose branch is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ifcert/specialise.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "formats/tflite/schema_generated.h"

namespace ifcert::tflite::specialisation {

/// A tensor of the file, perhaps under another name; without `from` an int32 list of that `length`: the shape of a
/// tensor.
struct InlinedTensor {
  const schema::Tensor* from = nullptr;
  std::optional<std::string> name = std::nullopt;
  bool constant = false;
  std::optional<std::int32_t> length = std::nullopt;  // unknown where the rank is
};

/// An operator of the file; if it `moved`, with other tensors. Without `from` one that was added to copy a tensor: CAST
/// to the same `type`, SHAPE or RESHAPE.
struct InlinedOperator {
  const schema::Operator* from = nullptr;
  NodeIndex node = {};  // its number in the file
  schema::BuiltinOperator added = schema::BuiltinOperator_RESHAPE;
  schema::TensorType type = schema::TensorType_FLOAT32;
  bool moved = false;
  std::vector<std::int32_t> inputs = {}, outputs = {}, intermediates = {};  // where it moved or was added
};

/// The first tensors are those of the subgraph, by their old indices, though the results of replaced Ifs may have
/// become other tensors. Its inputs and outputs are what they were. Unless it `changed`, only `operators` is set.
struct InlinedSubgraph {
  std::vector<InlinedTensor> tensors;
  std::vector<InlinedOperator> operators;
  bool changed = false;
};

/// Where the tensor of a subgraph gets its value.
enum class Source : std::uint8_t { buffer, input, computed };

/// The inliner of one file.
class Inliner {
 public:
  /// `read` is the file from which `model` was read. All three must outlive the inliner.
  Inliner(const Model& model, const schema::Model& read, const Decisions& decisions);

  /// `kept`: the tensors that keep their names and types, because the outputs of the subgraph, or signatures, refer to
  /// them. Throws Inexpressible for an If that cannot be replaced, and where all subgraphs together would have too many
  /// copies of operators and tensors: a few subgraphs that enter each other twice would become millions of operators.
  InlinedSubgraph inlined(GraphIndex graph, std::set<std::int32_t> kept);

  // For the inlining of one subgraph.
  const Model& model() const { return model_; }
  const schema::Model& read() const { return read_; }
  const Decisions& decisions() const { return decisions_; }
  Source source(GraphIndex graph, Slot slot);
  /// Throws Inexpressible where more bytes are copied than are allowed.
  void spend(std::size_t bytes, NodeIndex node);

 private:
  const Model& model_;
  const schema::Model& read_;
  const Decisions& decisions_;
  std::size_t copied_bytes_ = 0;
  std::vector<std::vector<Source>> sources_;  // by graph and slot, once they are asked for
};

}  // namespace ifcert::tflite::specialisation
