// The layer of each box in its panel, and the order within the layers: everything that stays the same when a body is
// folded.
#pragma once

#include <vector>

#include "conformance/drawing/picture.hpp"

namespace ifcert::drawing {

/// A box, or a bend of a wire that passes through a layer.
struct Spot {
  std::size_t box = nowhere;
  std::size_t wire = nowhere;  // for a bend
  std::size_t layer = 0;
};

/// A piece of a wire from one spot to a lower one: to a bend, or to a reader.
struct Link {
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t wire = 0;
  std::size_t reader = nowhere;
};

struct Arrangement {
  std::vector<Spot> spots;                       // the panel's boxes in their order, then the bends
  std::vector<std::vector<std::size_t>> layers;  // spots from left to right
  std::vector<Link> links;
};

/// Inputs and captures are in the first layer, outputs in the last, every reader below what it reads; wires run through
/// bends, so that none crosses a box, and the number of crossings is reduced in a few sweeps. A layer that is too wide
/// continues in the next one.
Arrangement arrange(const Panel& panel, std::span<const double> widths);

}  // namespace ifcert::drawing
