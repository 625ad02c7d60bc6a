// IR as text, for tests: layers, edges, port maps, and a main network around one If.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <ifcert/openvino.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ifcert::openvino::ir_text {

using Texts = std::vector<std::string>;

inline std::string joined(const Texts& texts) {
  std::string all;
  for (const std::string& text : texts) all += text;
  return all;
}

inline std::string parameter(unsigned id, std::string_view type, std::string_view shape) {
  return fmt::format(
      R"(<layer id="{}" name="in{}" type="Parameter" version="opset1"><data element_type="{}" shape="{}"/>)"
      R"(<output><port id="0"/></output></layer>)",
      id, id, type, shape);
}

inline std::string constant(unsigned id, std::string_view type, std::string_view shape, std::size_t offset,
                            std::size_t size) {
  return fmt::format(
      R"(<layer id="{}" name="const{}" type="Const" version="opset1"><data element_type="{}" shape="{}" offset="{}" )"
      R"(size="{}"/><output><port id="0"/></output></layer>)",
      id, id, type, shape, offset, size);
}

inline std::string result(unsigned id) {
  return fmt::format(
      R"(<layer id="{}" name="out{}" type="Result" version="opset1"><input><port id="0"/></input></layer>)", id, id);
}

/// An operation of opset1 with inputs 0, 1, … and one output, whose id follows those of the inputs.
inline std::string operation(unsigned id, std::string_view type, unsigned inputs, std::string_view data = "") {
  std::string ports;
  for (unsigned i = 0; i < inputs; ++i) ports += fmt::format(R"(<port id="{}"/>)", i);
  return fmt::format(
      R"(<layer id="{}" name="op{}" type="{}" version="opset1">{}<input>{}</input><output><port id="{}"/></output></layer>)",
      id, id, type, data, ports, inputs);
}

inline std::string edge(unsigned from, unsigned from_port, unsigned to, unsigned to_port) {
  return fmt::format(R"(<edge from-layer="{}" from-port="{}" to-layer="{}" to-port="{}"/>)", from, from_port, to,
                     to_port);
}

inline std::string network(const Texts& layers, const Texts& edges) {
  return fmt::format("<layers>{}</layers><edges>{}</edges>", joined(layers), joined(edges));
}

inline std::string net(const std::string& inside, std::string_view version = "11") {
  return fmt::format(R"(<?xml version="1.0"?><net name="main" version="{}">{}</net>)", version, inside);
}

inline std::string in(std::string_view port, std::string_view layer) {
  return fmt::format(R"(<input external_port_id="{}" internal_layer_id="{}"/>)", port, layer);
}

inline std::string out(std::string_view port, std::string_view layer) {
  return fmt::format(R"(<output external_port_id="{}" internal_layer_id="{}"/>)", port, layer);
}

/// An If: `outputs` are the precisions of its output ports, which are numbered after the inputs.
struct If {
  unsigned inputs;
  Texts outputs;
  std::string then_map, else_map, then_body, else_body;
  std::string version = "opset8";
};

inline std::string if_layer(unsigned id, const If& choice) {
  std::string inputs, outputs;
  for (unsigned i = 0; i < choice.inputs; ++i) inputs += fmt::format(R"(<port id="{}"/>)", i);
  unsigned port = choice.inputs;
  for (const std::string& precision : choice.outputs)
    outputs += fmt::format(R"(<port id="{}" precision="{}"/>)", port++, precision);
  return fmt::format(R"(<layer id="{}" name="choice" type="If" version="{}"><input>{}</input><output>{}</output>)"
                     "<then_port_map>{}</then_port_map><else_port_map>{}</else_port_map>"
                     "<then_body>{}</then_body><else_body>{}</else_body></layer>",
                     id, choice.version, inputs, outputs, choice.then_map, choice.else_map, choice.then_body,
                     choice.else_body);
}

/// A type and a shape of a Parameter.
using Declared = std::pair<std::string, std::string>;

/// Parameters 0, 1, … into an If with the id 10, whose outputs are the Results 20, 21, …
inline std::string model(const If& choice, const std::vector<Declared>& parameters) {
  Texts layers, edges;
  for (unsigned i = 0; i < parameters.size(); ++i) {
    layers.push_back(parameter(i, parameters[i].first, parameters[i].second));
    edges.push_back(edge(i, 0, 10, i));
  }
  layers.push_back(if_layer(10, choice));
  for (unsigned i = 0; i < choice.outputs.size(); ++i) {
    layers.push_back(result(20 + i));
    edges.push_back(edge(10, choice.inputs + i, 20 + i, 0));
  }
  return net(network(layers, edges));
}

/// The bytes of the numbers, concatenated: a .bin.
template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

inline Reading read(const std::string& xml, const std::string& weights = "") {
  const auto owner = std::make_shared<const std::string>(weights);
  return read_bytes(std::as_bytes(std::span(xml)), owner, std::as_bytes(std::span(*owner)));
}

inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::invalid_argument("the text does not hold " + std::string(what));
  return text.replace(at, what.size(), by);
}

}  // namespace ifcert::openvino::ir_text
