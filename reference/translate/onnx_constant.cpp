#include "translate/onnx_constant.hpp"

#include "translate/site.hpp"

namespace ifcert::translation {
namespace {

/// The value of a Constant, by the type of its one attribute.
struct ConstantValue {
  const Place& place;

  Value operator()(const Value& value) const { return value; }
  Value operator()(std::int64_t value) const {
    return make_tensor<std::int64_t>(ElementType::int64, {}, std::span(&value, 1));
  }
  Value operator()(float value) const { return make_tensor<float>(ElementType::float32, {}, std::span(&value, 1)); }
  Value operator()(const std::string& value) const { return make_strings({}, {value}); }
  Value operator()(const Integers& values) const { return list_of(values); }
  Value operator()(const std::vector<float>& values) const {
    return make_tensor<float>(ElementType::float32, {static_cast<std::int64_t>(values.size())}, values);
  }
  Value operator()(const std::vector<std::string>& values) const {
    return make_strings({static_cast<std::int64_t>(values.size())}, values);
  }
  template <class Other>
  Value operator()(const Other&) const {
    throw Inexpressible(to_string(place), "a Constant whose value is sparse has no counterpart");
  }
};

}  // namespace

Value value_of_constant(const Node& node, const Place& place) {
  return std::visit(ConstantValue{place}, node.attributes.begin()->second);
}

}  // namespace ifcert::translation
