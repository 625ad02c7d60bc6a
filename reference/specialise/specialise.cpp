#include "specialise/specialise.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ifcert/reference.hpp>
#include <set>
#include <utility>

#include "evaluation/plan.hpp"
#include "files/file_bytes.hpp"
#include "model/node_kind.hpp"
#include "model/node_place.hpp"

namespace ifcert {
namespace {

/// Visits each graph once: several nodes may enter a subgraph of TensorFlow Lite.
class Places {
 public:
  explicit Places(const Model& model) : model_(model) {}

  void visit(GraphIndex index, const Place& place) {
    if (!visited_.insert(index).second) return;
    const Graph& graph = model_.graphs[index];
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const Place here = place_of(graph, i, place);
      if (is_if(graph.nodes[i])) found.emplace(NodeIndex{index, i}, to_string(here));
      for (const Body& body : graph.nodes[i].bodies) {
        if (!is_written_in(graph.nodes[i], body)) continue;
        const Graph& inside = model_.graphs[body.graph];
        visit(body.graph, inside.subgraph ? place_of(inside) : here.word(body.role));
      }
    }
  }

  std::map<NodeIndex, std::string> found;

 private:
  const Model& model_;
  std::set<GraphIndex> visited_;
};

}  // namespace

std::map<NodeIndex, std::string> places_of_ifs(const Model& model) {
  Places places(model);
  places.visit(0, place_of(model.main()));
  for (const Function& function : model.functions) {
    const Place place{.kind = Place::Kind::named, .what = "function", .name = function.name};
    places.visit(function.graph, place);
    for (const Body& body : function.default_bodies) places.visit(body.graph, place.word(body.role));
  }
  return std::move(places.found);
}

Decisions ObservedBranches::decisions() const {
  Decisions decisions;
  for (const auto& [node, taken] : taken_) {
    if (taken.size() == 1) decisions.emplace(node, *taken.begin());
  }
  return decisions;
}

std::string specialised_bytes(const Model& model, std::span<const std::byte> bytes, const Decisions& decisions) {
  switch (model.format) {
    case Format::onnx:
      return onnx::specialised(model, bytes, decisions);
    case Format::openvino:
      return openvino::specialised(model, bytes, decisions);
    default:
      return tflite::specialised(model, bytes, decisions);
  }
}

namespace {

/// The weights that are beside the .xml at this path.
Reading read_xml(std::span<const std::byte> xml, std::filesystem::path path) {
  path.replace_extension(".bin");
  std::error_code missing;
  if (!std::filesystem::exists(path, missing)) return openvino::read_bytes(xml);
  const auto weights = std::make_shared<Buffer>(read_whole(path));
  return openvino::read_bytes(xml, weights, weights->bytes());
}

/// `path` is that of the model before: its data is beside it.
Reading read_again(Format format, const std::string& path, const std::shared_ptr<const std::string>& bytes) {
  const auto content = std::as_bytes(std::span(*bytes));
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  switch (format) {
    case Format::onnx:
      return onnx::read_bytes(bytes, content, !path.empty() && folder.empty() ? "." : folder);
    case Format::openvino:
      return read_xml(content, path);
    default:
      return tflite::read_bytes(bytes, content);
  }
}

}  // namespace

Specialised legal_file(const Model& before, std::string bytes, std::string_view how) {
  Specialised made;
  made.bytes = std::make_shared<const std::string>(std::move(bytes));
  try {
    made.reading = read_again(before.format, before.path, made.bytes);
  } catch (const UnreadableModel& error) {
    throw Inexpressible("model", fmt::format("{}, it could not be read: {}", how, error.what()));
  }
  const std::vector<Diagnostic> broken = errors_in(check(made.reading));
  if (broken.empty()) return made;
  throw Inexpressible(broken.front().place,
                      fmt::format("{}, this would break {}: {}", how, broken.front().rule, broken.front().found));
}

Specialised specialised(const Model& model, std::span<const std::byte> bytes, const Decisions& decisions) {
  return legal_file(model, specialised_bytes(model, bytes, decisions), "without an If");
}

}  // namespace ifcert
