// One operation while it is translated: its operands and results as slots of the new graph, with their types and known
// values.
#pragma once

#include <fmt/format.h>

#include <ifcert/graph.hpp>
#include <ifcert/inexpressible.hpp>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convert/defined_types.hpp"
#include "convert/growth.hpp"
#include "model/place.hpp"

namespace ifcert::translation {

using Integers = std::vector<std::int64_t>;

Value list_of(const Integers& numbers);

/// A number as a tensor of rank 0.
Value scalar_of(ElementType type, std::int64_t number);

/// The elements of a tensor of integers; nullopt for any other.
std::optional<Integers> integers_of(const Value& value);

class TranslationSite {
 public:
  /// A value of the old graph: its slot in the new one, its type, and its value where that is the same in every run.
  struct Facts {
    Slot slot = no_slot;
    Type type;
    Value value;
  };

  TranslationSite(const Node& from, std::vector<Facts> operands, std::vector<Slot> results, Graph& graph, Format format,
                  int version, const Place& where, Growth& growth)
      : node(from),
        place(where),
        operands_(std::move(operands)),
        results_(std::move(results)),
        graph_(graph),
        format_(format),
        version_(version),
        growth_(growth) {}

  const Node& node;
  const Place& place;

  /// The version of added operations, where they have none of their own.
  int version() const { return version_; }

  std::size_t operands() const { return operands_.size(); }
  std::size_t results() const { return results_.size(); }

  /// Operand `i`: no_slot where it is left out.
  Slot input(std::size_t i) const { return i < operands_.size() ? operands_[i].slot : no_slot; }
  std::vector<Slot> inputs() const;
  const std::vector<Slot>& outputs() const { return results_; }
  ElementType element(std::size_t i) const { return i < operands_.size() ? operands_[i].type.element : ElementType{}; }
  std::optional<Shape> shape(std::size_t i) const;
  std::optional<std::size_t> rank(std::size_t i) const;

  /// The integers of operand `i`, where they are the same in every run.
  std::optional<Integers> integers(std::size_t i) const;

  /// An attribute of an ONNX node; refuses one of another type.
  template <class T>
  std::optional<T> attribute(const std::string& name) const {
    const auto found = node.attributes.find(name);
    if (found == node.attributes.end()) return std::nullopt;
    if (const T* value = std::get_if<T>(&found->second)) return *value;
    refuse(fmt::format("attribute {} has a type that {} does not have", name, node.op));
  }

  /// An attribute, and the versions of the operator that have it; other versions ignore it.
  struct Attribute {
    std::string_view name;
    int since = std::numeric_limits<int>::min();
    int before = std::numeric_limits<int>::max();
  };

  /// Refuses a node with attributes other than these.
  void expect_attributes(std::initializer_list<Attribute> known) const;

  /// Refuses a node without an attribute that its operator requires.
  void require_attribute(const std::string& name) const {
    if (!node.attributes.contains(name)) refuse(fmt::format("{} without {} has no value", node.op, name));
  }

  /// Adds a constant to the new graph.
  Slot constant(Value value);

  /// Adds an operation to the new graph, by default with the version of the model.
  void add(const std::string& op, std::vector<Slot> inputs, std::vector<Slot> outputs, Attributes attributes = {},
           int version = 0);

  /// Adds an operation and returns its only result, a new value.
  Slot add_inner(const std::string& op, std::vector<Slot> inputs, Attributes attributes = {}, int version = 0);

  /// The same in a format where every value has a type. (`type` is passed by value: it may be the type of a slot.)
  Slot add_value(Type type, const std::string& op, std::vector<Slot> inputs, Attributes attributes = {});

  [[noreturn]] void refuse(const std::string& reason) const { throw Inexpressible(to_string(place), reason); }

 private:
  /// Refuses an operation that its page does not define for the types of these values.
  void expect_defined(const std::string& op, const std::vector<Slot>& inputs, const std::vector<Slot>& outputs) const;
  void expect_in(const ElementTypes& types, Slot slot, const std::string& op) const;
  void expect_in_onnx(const DefinedTypes* types, const std::string& op, const std::vector<Slot>& inputs) const;

  std::vector<Facts> operands_;
  std::vector<Slot> results_;
  Graph& graph_;
  Format format_;  // of the new graph
  int version_;
  Growth& growth_;
  std::size_t added_ = 0;
};

}  // namespace ifcert::translation
