#include "specialise/openvino_main_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/inexpressible.hpp>
#include <new>
#include <vector>

#include "formats/openvino/port_names.hpp"

namespace ifcert::openvino {

/// A value without names of its own has one that the reader makes from the layer's, as long as no other value has it.
MainNames::MainNames(const Graph& main, const EditedPart& part, EditedNetwork& network)
    : main_(main), outputs_(main.outputs.begin(), main.outputs.end()) {
  const auto add = [&](Slot slot) {
    const EditedPort& port = part.ports[slot];
    const std::string& name = main.slots[slot].name;
    const bool stays = !part.replaced.contains(port.layer);
    if (stays) names_.emplace(port.key(), name);
    const std::vector<std::string> own = names_in(port.xml.attribute("names").value());
    if (std::ranges::find(own, name) != own.end()) return;
    network.reserve_for_port(name);
    if (stays) network.reserve_for_layer(name);
  };
  std::ranges::for_each(main.inputs, add);
  std::ranges::for_each(main.outputs, add);
}

EditedPort MainNames::named(const EditedPort& value, Slot output, pugi::xml_node port, EditedNetwork& network,
                            const IfSite& site, const Place& place) {
  const std::string& name = main_.slots[output].name;
  if (names_in(port.attribute("names").value()).empty()) set_attribute(port, "names", in_list(name));
  const auto known = names_.find(value.key());
  if (known != names_.end() && known->second == name) return value;
  if (known == names_.end()) {
    set_attribute(value.xml, "names", port.attribute("names").value());
    network.forget_names(value);
    names_.emplace(value.key(), name);
    return value;
  }
  if (main_.slots[output].declared.element == ElementType::string) {
    throw Inexpressible(
        to_string(place),
        fmt::format("the output \"{}\" would be \"{}\" by another name; IR has no operation that copies strings",
                    shortened(name, 200), shortened(known->second, 200)));
  }
  const EditedPort copy = copy_of(value, port, network, site);
  names_.emplace(copy.key(), name);
  return copy;
}

EditedPort MainNames::copy_of(const EditedPort& value, pugi::xml_node port, EditedNetwork& network,
                              const IfSite& site) {
  const std::string name = shortened(site.layer.attribute("name").value(), 200);  // an If may have many outputs
  const pugi::xml_node shape = network.add_layer(name + "/shape", "ShapeOf", "opset3", site);
  set_attribute(appended(shape, "data"), "output_type", std::string("i64"));
  set_attribute(appended(appended(shape, "input"), "port"), "id", 0);
  const pugi::xml_node lengths = appended(appended(shape, "output"), "port");
  set_attribute(lengths, "id", 1);
  set_attribute(lengths, "precision", std::string("I64"));

  const pugi::xml_node copy = network.add_layer(name, "Reshape", "opset1", site);
  set_attribute(appended(copy, "data"), "special_zero", std::string("false"));
  pugi::xml_node input = appended(copy, "input");
  set_attribute(appended(input, "port"), "id", 0);
  set_attribute(appended(input, "port"), "id", 1);
  if (!appended(copy, "output").append_move(port)) throw std::bad_alloc();
  set_attribute(port, "id", 2);

  const std::uint32_t shape_id = id_in(shape, "id");
  const std::uint32_t copy_id = id_in(copy, "id");
  network.add_edge(value, shape_id, 0, site);
  network.add_edge(value, copy_id, 0, site);
  network.add_edge({shape_id, 1, lengths}, copy_id, 1, site);
  return {copy_id, 2, port};
}

}  // namespace ifcert::openvino
