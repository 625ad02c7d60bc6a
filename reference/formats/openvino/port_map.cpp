#include "formats/openvino/port_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "formats/openvino/xml.hpp"

namespace ifcert::openvino {
namespace {

/// An entry whose two ids are numbers.
struct Entry {
  std::size_t number;         // its position in the map
  std::uint32_t port, layer;  // external_port_id, internal_layer_id
};

/// The port map of one body, which fills the captures of `body` and the outputs of `graph`.
class PortMap {
 public:
  PortMap(const pugi::xml_node& map, const PortMapSite& site, const BodyLayers& layers, Body& body, Graph& graph,
          Findings& findings)
      : place_(site.place.word(map.name())),
        site_(site),
        layers_(layers),
        body_(body),
        graph_(graph),
        findings_(findings) {
    read_entries(map);
  }

  void map_inputs();
  void map_outputs();

 private:
  void read_entries(const pugi::xml_node& map);
  std::optional<std::uint32_t> id_of(const pugi::xml_node& entry, const char* name, const Place& place);
  void map_input(const Entry& entry);
  void map_output(const Entry& entry, std::vector<std::optional<Slot>>& result_slots);
  std::optional<std::size_t> output_of(std::uint32_t id) const;
  void decide_whether_by_index();
  Place place_of(std::string_view kind, const Entry& entry) const { return place_.numbered(kind, entry.number); }

  /// Reports a faulty entry. After one, unmapped Parameters and outputs are not reported: they may be its consequence.
  void report(std::string_view rule, const Place& place, const std::string& found, const std::string& expected,
              bool allowable = false) {
    sound_ = false;
    findings_.report(rule, place, found, expected, Level::error, allowable);
  }

  Place place_;
  const PortMapSite& site_;
  const BodyLayers& layers_;
  Body& body_;
  Graph& graph_;
  Findings& findings_;
  std::vector<Entry> inputs_, outputs_;
  std::map<std::uint32_t, std::size_t> input_ports_, output_ports_;  // by id
  std::set<std::uint32_t> used_results_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> used_entries_;  // of outputs: port, Result
  bool by_index_ = false;
  bool sound_ = true;
};

/// Sentences: if-8-external-port-id-type, if-8-external-port-id-required, if-8-internal-layer-id-type,
/// if-8-internal-layer-id-required.
/// Rule: openvino/if/port-map-required.
std::optional<std::uint32_t> PortMap::id_of(const pugi::xml_node& entry, const char* name, const Place& place) {
  const auto id = unsigned_number(attribute_of(entry, name).value_or(""));
  if (!id) {
    report("openvino/if/port-map-required", place, attribute_text(entry, name),
           "external_port_id and internal_layer_id, both unsigned int");
  }
  return id;
}

/// Sentence: if-8-entries.
/// Rule: openvino/if/two-bodies-two-port-maps.
void PortMap::read_entries(const pugi::xml_node& map) {
  std::size_t number = 0;
  for (const pugi::xml_node& entry : map) {
    const std::string_view kind = entry.type() == pugi::node_element ? entry.name() : "text";
    const std::size_t at = number++;
    const Place place = place_.numbered(kind, at);
    if (kind != "input" && kind != "output") {
      report("openvino/if/two-bodies-two-port-maps", place, "not an entry of a port map",
             "<input> and <output> entries");
      continue;
    }
    const auto port = id_of(entry, "external_port_id", place);
    const auto layer = id_of(entry, "internal_layer_id", place);
    if (port && layer) (kind == "input" ? inputs_ : outputs_).push_back({at, *port, *layer});
  }
  for (std::size_t i = 0; i < site_.layer.inputs.size(); ++i) input_ports_.emplace(site_.layer.inputs[i].id, i);
  for (std::size_t i = 0; i < site_.layer.outputs.size(); ++i) output_ports_.emplace(site_.layer.outputs[i].id, i);
}

/// The Parameter captures the operand of that input port.
/// Sentences: if-8-external-port-id-range, if-8-internal-layer-id-range, if-8-entry-is-a-rule.
/// Rules: openvino/if/external-port-in-range, openvino/if/internal-layer-is-parameter,
/// openvino/if/one-input-many-parameters.
void PortMap::map_input(const Entry& entry) {
  const Place place = place_of("input", entry);
  const auto port = input_ports_.find(entry.port);
  const auto parameter = layers_.parameters.find(entry.layer);
  if (port == input_ports_.end()) {
    report("openvino/if/external-port-in-range", place,
           fmt::format("external_port_id=\"{}\" is not an input port of the If", entry.port),
           "the id of an input port");
  }
  if (parameter == layers_.parameters.end()) {
    report("openvino/if/internal-layer-is-parameter", place,
           fmt::format("internal_layer_id=\"{}\" is not a Parameter of {}", entry.layer, body_.role),
           "the id of a Parameter of the body");
  }
  if (port == input_ports_.end() || parameter == layers_.parameters.end()) return;
  const Slot outer = site_.node.inputs[port->second];
  if (outer != no_slot) body_.captures.push_back({outer, parameter->second});
}

/// Sentence: if-8-parameters-mapped.
/// Rules: openvino/if/every-parameter-mapped, openvino/if/inputs-optional.
void PortMap::map_inputs() {
  std::map<std::uint32_t, std::uint32_t> port_of;  // the port that each Parameter is mapped to
  for (const Entry& entry : inputs_) {
    const auto [first, is_first] = port_of.emplace(entry.layer, entry.port);
    if (!is_first && layers_.parameters.contains(entry.layer)) {
      report("openvino/if/every-parameter-mapped", place_of("input", entry),
             fmt::format("the Parameter {} of {} is mapped a second time", entry.layer, body_.role),
             "each Parameter of the body is mapped to one input of the If", first->second == entry.port);
    } else {
      map_input(entry);
    }
  }
  if (!sound_) return;
  for (const auto& [id, slot] : layers_.parameters) {
    if (port_of.contains(id)) continue;
    findings_.report("openvino/if/every-parameter-mapped", place_,
                     fmt::format("no <input> entry has internal_layer_id=\"{}\", a Parameter of {}", id, body_.role),
                     "each Parameter of the body is mapped to one input of the If");
  }
}

/// An output is identified by its port. But the example in the text writes 0 for its only output, whose port is 4:
/// where not all ids of a map's outputs are ports, but all are numbers of outputs, they are read as such
/// (docs/doubts.md).
/// Sentences: if-8-xml-example-output, if-8-xml-example-then-map-output.
/// Rule: openvino/if/external-port-in-range.
void PortMap::decide_whether_by_index() {
  const auto is_port = [&](const Entry& entry) { return output_ports_.contains(entry.port); };
  const auto is_index = [&](const Entry& entry) { return entry.port < site_.layer.outputs.size(); };
  by_index_ = !std::ranges::all_of(outputs_, is_port) && std::ranges::all_of(outputs_, is_index);
}

std::optional<std::size_t> PortMap::output_of(std::uint32_t id) const {
  if (by_index_) return id;
  const auto port = output_ports_.find(id);
  return port == output_ports_.end() ? std::nullopt : std::optional(port->second);
}

/// The Result becomes the body's output of that number: its slot is put into result_slots[output].
/// Sentences: if-8-external-port-id-range, if-8-internal-layer-id-range, if-8-one-result-one-output.
/// Rules: openvino/if/one-result-one-output, openvino/if/external-port-in-range, openvino/if/internal-layer-is-result,
/// openvino/if/every-output-mapped.
void PortMap::map_output(const Entry& entry, std::vector<std::optional<Slot>>& result_slots) {
  const Place place = place_of("output", entry);
  const auto output = output_of(entry.port);
  const auto result = layers_.results.find(entry.layer);
  const bool says_the_same_again = !used_entries_.emplace(entry.port, entry.layer).second;
  if (!output) {
    report("openvino/if/external-port-in-range", place,
           fmt::format("external_port_id=\"{}\" is not an output port of the If", entry.port),
           "the id of an output port");
  } else if (result_slots[*output]) {
    report("openvino/if/every-output-mapped", place,
           fmt::format("external_port_id=\"{}\": this output is mapped a second time", entry.port),
           "each output of the If is mapped once in each port map", says_the_same_again);
  }
  if (result == layers_.results.end()) {
    report("openvino/if/internal-layer-is-result", place,
           fmt::format("internal_layer_id=\"{}\" is not a Result of {}", entry.layer, body_.role),
           "the id of a Result of the body");
  } else if (!used_results_.insert(entry.layer).second) {
    report("openvino/if/one-result-one-output", place,
           fmt::format("the Result {} of {} is mapped a second time", entry.layer, body_.role),
           "each Result is mapped to one output", says_the_same_again);
  }
  if (output && result != layers_.results.end()) result_slots[*output] = result->second;
}

/// Sentence: if-8-one-result-one-output.
/// Rules: openvino/if/output-order, openvino/if/every-output-mapped.
void PortMap::map_outputs() {
  std::vector<std::optional<Slot>> result_slots(site_.layer.outputs.size());
  decide_whether_by_index();
  for (const Entry& entry : outputs_) map_output(entry, result_slots);
  const bool counts_agree = layers_.results.size() == result_slots.size();  // if not, another rule reports it
  for (std::size_t i = 0; i < result_slots.size(); ++i) {
    if (!result_slots[i] && sound_ && counts_agree) {
      findings_.report("openvino/if/every-output-mapped", place_,
                       fmt::format("no <output> entry for port {} of the If", site_.layer.outputs[i].id),
                       "each output of the If is mapped once in each port map");
    }
    graph_.outputs.push_back(result_slots[i] ? *result_slots[i] : graph_.add_slot(""));
  }
}

}  // namespace

void read_port_map(const pugi::xml_node& map, const PortMapSite& site, const BodyLayers& layers, Body& body,
                   Graph& graph, Findings& findings) {
  PortMap entries(map, site, layers, body, graph, findings);
  entries.map_inputs();
  entries.map_outputs();
}

}  // namespace ifcert::openvino
