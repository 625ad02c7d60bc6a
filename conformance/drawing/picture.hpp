// The content of a picture of a model, before anything has a position: panels (graphs) of boxes, and which box reads
// which.
#pragma once

#include <cstdint>
#include <ifcert/reference.hpp>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace ifcert::drawing {

inline constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

/// The limits on what a picture shows, since readers can take in no more; the rest is summarized in words.
struct PictureLimits {
  std::size_t depth = 12;       // nested bodies
  std::size_t boxes = 4000;     // in total
  std::size_t readers = 20000;  // arrows in total
};

/// One element in a panel. Texts are printable and short.
struct Box {
  enum class Kind : std::uint8_t { input, capture, constant, node, output, rest };

  Kind kind = Kind::node;
  std::string label;                // an operator, or a value's name
  std::string name;                 // of a node; empty where it has none
  std::vector<std::string> notes;   // constants it reads, bodies drawn elsewhere
  std::string title;                // everything known about it
  std::vector<std::size_t> bodies;  // panels within it
  std::vector<std::size_t> broken;  // diagnostics that name it
  std::vector<std::string> rules;   // and their rules
  std::size_t in = 0;               // arrows that end at it
  std::size_t out = 0;              // values that leave it
};

/// One use of a value. A body that captures the value shows it as a box of its own: `inner` in panel `panel`.
struct Reader {
  std::size_t box = nowhere;
  std::size_t port = 0;
  std::size_t panel = nowhere;
  std::size_t inner = nowhere;
};

/// A value of a panel, from the box that produces it to the boxes that read it.
struct Wire {
  std::size_t box = nowhere;
  std::size_t port = 0;
  std::string name;
  std::string title;
  std::vector<Reader> readers;
};

/// A graph. One that exceeds the limits has no boxes; `summary` describes what is left out.
struct Panel {
  std::string label;
  std::string summary;
  std::size_t owner = nowhere;  // the panel around it, and the box there
  std::size_t owner_box = nowhere;
  std::size_t depth = 0;
  bool drawn = false;
  std::vector<Box> boxes;
  std::vector<Wire> wires;
  std::vector<std::size_t> broken;  // diagnostics that name the body, but nothing drawn in it
  std::vector<std::string> rules;   // and their rules
  std::string title;
};

/// Outer panels come before the panels within them.
struct Picture {
  std::vector<Panel> panels;
  std::vector<std::size_t> elsewhere;  // diagnostics whose place is not drawn
};

Picture picture_of(const Model& model, const SlotTypes& types, std::span<const Diagnostic> broken,
                   const PictureLimits& limits);

}  // namespace ifcert::drawing
