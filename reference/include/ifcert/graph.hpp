// The one in-memory form of a model, for ONNX, OpenVINO IR and TensorFlow Lite alike; built, read, evaluated and
// written.
//
// A model is a list of graphs. A graph is a list of nodes over numbered slots; a use of a value is a slot number, never
// a name. A body (a branch of If, the body of a loop, the callee of a function call) is one of the model's graphs,
// entered from a node; the outer values that it reads are an explicit list of captures.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <ifcert/types.hpp>
#include <ifcert/values.hpp>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ifcert {

/// The number of a value within its graph.
using Slot = std::uint32_t;

/// An operand that is left out.
inline constexpr Slot no_slot = std::numeric_limits<Slot>::max();

/// The number of a graph within its model.
using GraphIndex = std::uint32_t;

/// The deepest nesting of bodies that any reader accepts; deeper models are refused.
inline constexpr std::size_t nesting_limit = 1000;

/// In a function's body: the attribute has the value that the call passes under this name.
struct AttributeReference {
  std::string name;
  bool operator==(const AttributeReference&) const = default;
};

using AttributeValue = std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>,
                                    std::vector<std::string>, Value, Type, AttributeReference>;

using Attributes = std::map<std::string, AttributeValue, std::less<>>;

/// The body reads the outer graph's value `outer` as its own value `inner`.
struct Capture {
  Slot outer = no_slot;
  Slot inner = no_slot;
};

/// A graph that a node enters. A subgraph of TensorFlow Lite may be the body of several nodes, and a function's graph
/// is the body of each of its calls; any other graph is the body of one node.
///
/// An If passes values to its bodies by captures alone: what an ONNX branch reads of its outer scope, what an OpenVINO
/// port map gives to the Parameters, the operands of a TFLite If. A loop and a call also fill the formal inputs, which
/// are the graph's `inputs`: a loop for each trip, a call with its operands.
struct Body {
  std::string role;      // the format's name for it: "then_branch", "else_branch", "body", "cond", …
  GraphIndex graph = 0;  // the graph that is entered, unless `reference` names it
  std::vector<Capture> captures;
  /// Within a function of ONNX: the name under which the call passes the graph. The call's node has a Body whose `role`
  /// is that name; its `graph` is entered, and its captures are of values around the call. Empty for any other body.
  std::string reference;
  /// In ONNX: the body is one of a list of graphs (an attribute of type GRAPHS). A `reference`, which stands for a
  /// single graph, must not resolve to it.
  bool in_list = false;
};

/// One operation. `inputs` may hold no_slot for an optional operand left out; an output slot of no_slot is not wanted.
struct Node {
  std::string name;
  std::string domain;  // empty for the format's own operators
  std::string op;      // the operator's name in its format
  int version = 0;     // the version of the operator set in force: ONNX's imported opset, OpenVINO's opsetN
  std::vector<Slot> inputs;
  std::vector<Slot> outputs;
  Attributes attributes;
  // If: then, else. Loop: body. While: cond, body. Call: the function's graph, then the graphs passed to it.
  std::vector<Body> bodies;
  bool call = false;  // a call of a function of the model: enters bodies[0] with `inputs` as its inputs
  std::optional<std::uint32_t> layer = std::nullopt;  // in OpenVINO IR: the layer's id
};

/// The name and the declared type of a slot.
struct SlotInfo {
  std::string name;  // the format's name, for messages and pictures
  Type declared;     // the type the file declares; unknown where it declares none
};

struct Constant {
  Slot slot = no_slot;
  Value value;
};

/// A node of a model: its graph, and its number among the graph's nodes.
struct NodeIndex {
  GraphIndex graph = 0;
  std::size_t node = 0;
  auto operator<=>(const NodeIndex&) const = default;
};

/// Nodes are in an order in which they can be evaluated.
struct Graph {
  std::string name;
  std::vector<SlotInfo> slots;
  std::vector<Slot> inputs;
  std::vector<Slot> outputs;
  std::vector<Constant> constants;  // initializers and the like; in the slot of an input: the input's default
  std::vector<Node> nodes;
  // In TensorFlow Lite, values that the reference does not evaluate: constants in sparse form or in another file, and
  // variables and resources that are read.
  std::vector<Slot> unevaluated = {};
  std::optional<std::uint32_t> subgraph = std::nullopt;  // in TensorFlow Lite: its index

  Slot add_slot(std::string slot_name, Type declared = {});
};

struct Function {
  std::string domain;
  std::string name;
  std::string overload;
  GraphIndex graph = 0;
  Attributes defaults;  // attributes that have a default
  // Attributes without a default: one that a call leaves out is left out in the body too.
  std::vector<std::string> required;
  std::vector<Body> default_bodies = {};  // attributes whose default is a graph, by role; they capture nothing
};

enum class Format : std::uint8_t { onnx, openvino, tflite };

struct Model {
  Format format = Format::onnx;
  std::string path;      // of the file, for messages; empty for bytes
  std::string producer;  // "name version", as in the file
  std::int64_t ir_version = 0;
  std::map<std::string, std::int64_t, std::less<>> opsets;  // domain → version, as the main graph imports them
  std::vector<Graph> graphs;                                // graphs[0] is the main graph
  std::vector<Function> functions;
  Buffer file = {};  // in TensorFlow Lite: the bytes that were read, which have more than the graph form
  /// In OpenVINO IR: the further names, if any, of an input or output of the main graph, by the first of its names.
  std::map<std::string, std::vector<std::string>, std::less<>> further_names = {};

  const Graph& main() const { return graphs.front(); }
};

/// The name of a node in messages: `node "name" (If)` or, without a name, `node 3 (If)`; in OpenVINO IR `layer 3 "name"
/// (If)`; in TensorFlow Lite `operator 3 (If)`.
std::string describe(const Graph& graph, std::size_t node);

}  // namespace ifcert
