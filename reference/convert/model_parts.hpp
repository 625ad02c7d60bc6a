// Parts of ONNX messages for the models that model_maker.hpp makes.
#pragma once

#include "formats/onnx/file_builder.hpp"

namespace ifcert::onnx::model_parts {

using namespace file_builder;

constexpr int float32 = 1, int32 = 6, int64 = 7, boolean = 9;  // of TensorProto.DataType
constexpr int of_int = 2, of_graph = 5, of_ints = 7;           // of AttributeProto.AttributeType

using Integers = std::vector<std::int64_t>;

inline std::string tensor(std::string_view name, int type, const Integers& dims, const Integers& numbers) {
  return message([&](pbf_writer& w) {
    w.add_packed_int64(fields::TensorProto::dims, dims.begin(), dims.end());
    w.add_int32(fields::TensorProto::data_type, type);
    if (type == float32) {
      const std::vector<float> floats(numbers.begin(), numbers.end());
      w.add_packed_float(fields::TensorProto::float_data, floats.begin(), floats.end());
    } else if (type == int64) {
      w.add_packed_int64(fields::TensorProto::int64_data, numbers.begin(), numbers.end());
    } else {
      const std::vector<std::int32_t> narrow(numbers.begin(), numbers.end());
      w.add_packed_int32(fields::TensorProto::int32_data, narrow.begin(), narrow.end());
    }
    w.add_string(fields::TensorProto::name, name.data(), name.size());
  });
}

inline std::string ints_attribute(std::string_view name, const Integers& values) {
  return message([&](pbf_writer& w) {
    w.add_string(fields::AttributeProto::name, name.data(), name.size());
    for (const std::int64_t value : values) w.add_int64(fields::AttributeProto::ints, value);
    w.add_int32(fields::AttributeProto::type, of_ints);
  });
}

inline std::string tensor_attribute(std::string_view name, const std::string& value) {
  return message([&](pbf_writer& w) {
    w.add_string(fields::AttributeProto::name, name.data(), name.size());
    w.add_message(fields::AttributeProto::t, value);
    w.add_int32(fields::AttributeProto::type, 4);
  });
}

}  // namespace ifcert::onnx::model_parts
