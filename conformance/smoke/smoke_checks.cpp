#include "conformance/smoke/smoke_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace ifcert::conformance {
namespace {

using Form = SmokeForm;

constexpr std::array onnx_types{"bfloat16-edges",
                                "complex64-edges",
                                "complex128-edges",
                                "float16-edges",
                                "float32-edges",
                                "float64-edges",
                                "float8e4m3fn-all-codes",
                                "float8e4m3fnuz-all-codes",
                                "float8e5m2-all-codes",
                                "float8e5m2fnuz-all-codes",
                                "float8e8m0-all-codes",
                                "int8-edges",
                                "int16-edges",
                                "int32-edges",
                                "int64-edges",
                                "uint8-edges",
                                "uint16-edges",
                                "uint32-edges",
                                "uint64-edges"};
constexpr std::array onnx_packed{"float4e2m1", "int2", "int4", "uint2", "uint4"};
constexpr std::array openvino_types{"bf16",   "boolean", "f16", "f32", "f4e2m1", "f64", "f8e4m3",
                                    "f8e5m2", "f8e8m0",  "i16", "i32", "i4",     "i64", "i8",
                                    "string", "u16",     "u2",  "u32", "u4",     "u64", "u8"};
constexpr std::array tflite_types{"bfloat16", "bool",   "complex128", "complex64", "float16", "float32",
                                  "float64",  "int16",  "int32",      "int64",     "int8",    "string",
                                  "uint16",   "uint32", "uint64",     "uint8"};

/// A check of a vector as it is: its name within the system, and the rest of its id.
struct Plain {
  std::string_view name, vector;
};

constexpr std::array onnx_plain{Plain{"then", "if/then-when-true/test-cc-if"},
                                Plain{"else", "if/else-when-false/test-cc-if-else"},
                                Plain{"type/bool", "if/types-of-opset/tensor-of-bool"},
                                Plain{"string/empty", "if/value-unchanged/string-empty"},
                                Plain{"string/long", "if/value-unchanged/string-long"},
                                Plain{"string/not-ascii", "if/value-unchanged/string-not-ascii"},
                                Plain{"string/nul", "if/value-unchanged/string-with-nul"},
                                Plain{"sequence", "if/same-data-type/sequences-of-float"},
                                Plain{"sequence/empty", "if/value-unchanged/sequence-empty"},
                                Plain{"sequence/strings", "if/value-unchanged/sequence-of-strings"},
                                Plain{"optional/present", "if/value-unchanged/optional-present"},
                                Plain{"optional/absent", "if/value-unchanged/optional-absent"},
                                Plain{"optional/sequence", "if/value-unchanged/optional-sequence"},
                                Plain{"shape/scalar", "if/value-unchanged/shape-rank-none-of-float"},
                                Plain{"shape/no-rows", "if/value-unchanged/shape-no-rows-of-float"},
                                Plain{"shape/no-columns-of-string", "if/value-unchanged/shape-no-columns-of-string"},
                                Plain{"shape/rank-six", "if/value-unchanged/shape-rank-six-of-float"},
                                Plain{"refused-model", "if/same-data-type/sequences-of-float-and-int64"},
                                Plain{"refused-run", "if/cond-single-element/dynamic-length-two"},
                                Plain{"names-beyond-ascii", "model/names-are-utf-8/other-letters"},
                                Plain{"external-data", "model/external-data/whole-file"}};
constexpr std::array openvino_plain{Plain{"then", "if/then-when-true/negated"},
                                    Plain{"else", "if/else-when-false/doubled"},
                                    Plain{"string", "if/value-unchanged/texts"},
                                    Plain{"shape/scalar", "if/value-unchanged/scalar-f32"},
                                    Plain{"shape/no-rows", "if/value-unchanged/no-rows-f32"},
                                    Plain{"shape/no-columns-of-string", "if/value-unchanged/no-columns-string"},
                                    Plain{"packed/odd-i4", "if/value-unchanged/1-i4"},
                                    Plain{"packed/odd-u4", "if/value-unchanged/3-by-3-u4"},
                                    Plain{"nan-payloads", "if/value-unchanged/nan-payloads-f32"},
                                    Plain{"signed-zeros", "if/value-unchanged/signed-zeros-f32"},
                                    Plain{"infinities", "if/value-unchanged/infinities-f32"},
                                    Plain{"refused-model", "if/output-type/fifth-example"},
                                    Plain{"refused-run", "if/cond-shape/dynamic-length-two"},
                                    Plain{"weights", "if/output-type/doubles"}};
constexpr std::array tflite_plain{Plain{"then", "if/then-when-true/add-or-negate"},
                                  Plain{"else", "if/else-when-false/add-or-negate"},
                                  Plain{"string/empty", "subgraph/value-unchanged/strings-empty"},
                                  Plain{"string/long", "subgraph/value-unchanged/strings-long"},
                                  Plain{"string/not-ascii", "subgraph/value-unchanged/strings-not-ascii"},
                                  Plain{"string/nul", "subgraph/value-unchanged/strings-with-nul"},
                                  Plain{"shape/scalar", "subgraph/value-unchanged/strings-scalar"},
                                  Plain{"nan-payload", "subgraph/value-unchanged/scalar-quiet-nan"},
                                  Plain{"negative-zero", "subgraph/value-unchanged/scalar-negative-zero"},
                                  Plain{"infinity", "subgraph/value-unchanged/scalar-negative-infinity"},
                                  Plain{"refused-model", "if/subgraph-index/then-99"}};

/// A check of a vector in another form.
struct Changed {
  std::string_view name, vector;
  Form form;
  std::string_view before = {};
};

constexpr std::array onnx_changed{
    Changed{"junk-file", "if/then-when-true/test-cc-if", Form::junk},
    Changed{"empty-file", "if/then-when-true/test-cc-if", Form::empty},
    Changed{"half-a-file", "if/then-when-true/test-cc-if", Form::half},
    Changed{"missing-data", "model/external-data/whole-file", Form::without_data},
    Changed{"skipped", "if/then-when-true/test-cc-if", Form::skipped},
    Changed{"load-without-unload", "if/else-when-false/test-cc-if-else", Form::replaces,
            "if/types-of-opset/tensor-of-bool"},
    Changed{"long-names", "if/outer-scope-capture/graph-input", Form::long_names},
    Changed{"large-values", "if/no-state-between-runs/lengths-grow-and-shrink", Form::large},
    Changed{"hold", "if/outer-scope-capture/graph-input", Form::held},
    Changed{"threads", "if/outer-scope-capture/graph-input", Form::concurrent}};
constexpr std::array openvino_changed{
    Changed{"junk-file", "if/then-when-true/negated", Form::junk},
    Changed{"empty-file", "if/then-when-true/negated", Form::empty},
    Changed{"half-a-file", "if/then-when-true/negated", Form::half},
    Changed{"missing-data", "if/output-type/doubles", Form::without_data},
    Changed{"skipped", "if/then-when-true/negated", Form::skipped},
    Changed{"load-without-unload", "if/else-when-false/doubled", Form::replaces, "if/any-type/f32"},
    Changed{"long-names", "if/then-when-true/negated", Form::long_names},
    Changed{"large-values", "if/no-state-between-runs/lengths-grow-and-shrink", Form::large},
    Changed{"hold", "if/no-state-between-runs/lengths-grow-and-shrink", Form::held},
    Changed{"threads", "if/no-state-between-runs/lengths-grow-and-shrink", Form::concurrent}};
constexpr std::array tflite_changed{
    Changed{"junk-file", "if/then-when-true/add-or-negate", Form::junk},
    Changed{"empty-file", "if/then-when-true/add-or-negate", Form::empty},
    Changed{"half-a-file", "if/then-when-true/add-or-negate", Form::half},
    Changed{"skipped", "if/then-when-true/add-or-negate", Form::skipped},
    Changed{"load-without-unload", "if/else-when-false/add-or-negate", Form::replaces,
            "subgraph/value-unchanged/float32"},
    Changed{"long-names", "if/then-when-true/add-or-negate", Form::long_names},
    Changed{"large-values", "if/no-state-between-runs/cond-and-length-flipped", Form::large},
    Changed{"hold", "subgraph/value-unchanged/float32", Form::held},
    Changed{"threads", "subgraph/value-unchanged/float32", Form::concurrent}};

/// Collects the checks of one system.
struct Checks {
  std::string system;
  std::vector<SmokeCheck>& all;

  void add(std::string_view name, std::string_view vector, Form form = Form::as_it_is) const {
    all.push_back({fmt::format("{}/{}", system, name), fmt::format("{}/{}", system, vector), form});
  }
  void add(std::span<const Plain> plain, std::span<const Changed> changed) const {
    for (const Plain& each : plain) add(each.name, each.vector);
    for (const Changed& each : changed) {
      add(each.name, each.vector, each.form);
      if (!each.before.empty()) all.back().before = fmt::format("{}/{}", system, each.before);
    }
  }
  void add_types(std::span<const char* const> types, std::string_view prefix) const {
    for (const std::string_view type : types)
      add(fmt::format("type/{}", type.substr(0, type.find('-'))), fmt::format("{}/{}", prefix, type));
  }
};

}  // namespace

std::string described(SmokeForm form) {
  switch (form) {
    case Form::as_it_is:
      return "";
    case Form::junk:
      return "the model file is a line of text: refused";
    case Form::empty:
      return "the model file is empty: refused";
    case Form::half:
      return "the second half of the model file is missing: refused";
    case Form::without_data:
      return "the file with the model's data is missing: refused";
    case Form::long_names:
      return "inputs and outputs with names of 4 kB, beyond ASCII";
    case Form::large:
      return "an input and an output of 1 MB";
    case Form::replaces:
      return "a load replaces the model before it, without an unload";
    case Form::skipped:
      return "a run after a refused load is skipped";
    case Form::held:
      return "outputs are held, and read again after another run";
    case Form::concurrent:
      return "four threads run it at once";
  }
  return "";
}

bool is_damaged(SmokeForm form) {
  return form == Form::junk || form == Form::empty || form == Form::half || form == Form::without_data;
}

std::vector<SmokeCheck> smoke_checks(std::span<const std::string> systems) {
  std::vector<SmokeCheck> all;
  for (const std::string& system : systems) {
    const Checks checks{system, all};
    if (system == "onnx") {
      checks.add_types(onnx_types, "if/value-unchanged");
      for (const char* type : onnx_packed) {
        checks.add(fmt::format("type/{}", type), fmt::format("if/value-unchanged/{}-times-17", type));
        checks.add(fmt::format("packed/odd-rows-of-{}", type),
                   fmt::format("if/value-unchanged/{}-three-by-five", type));
      }
      checks.add(onnx_plain, onnx_changed);
    } else if (system == "openvino") {
      checks.add_types(openvino_types, "if/any-type");
      checks.add(openvino_plain, openvino_changed);
    } else if (system == "tflite") {
      checks.add_types(tflite_types, "subgraph/value-unchanged");
      checks.add(tflite_plain, tflite_changed);
    }
  }
  return all;
}

}  // namespace ifcert::conformance
