#include "conformance/drawing/arrangement.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ifcert::drawing {
namespace {

constexpr std::size_t bends_limit = 20000;  // per panel; further wires run straight
constexpr double layer_width = 1200;        // pixels; a wider box is alone in its layer
constexpr int sweeps = 8;

bool enters(const Box& box) {
  return box.kind == Box::Kind::input || box.kind == Box::Kind::capture;
}

/// Assigns layers by the longest path from the top, or a lower one where that layer is full. Each box comes after the
/// boxes it reads.
std::vector<std::size_t> layers_of(const Panel& panel, std::span<const double> widths) {
  std::vector<std::vector<std::size_t>> wires_of(panel.boxes.size());
  for (std::size_t i = 0; i < panel.wires.size(); ++i) wires_of[panel.wires[i].box].push_back(i);
  const bool has_entry = std::ranges::any_of(panel.boxes, enters);
  std::vector<std::size_t> layer(panel.boxes.size(), has_entry ? 1 : 0);
  std::vector<double> taken(1);
  std::size_t last = 0;
  for (std::size_t i = 0; i < panel.boxes.size(); ++i) {
    if (enters(panel.boxes[i])) layer[i] = 0;
    taken.resize(std::max(taken.size(), layer[i] + 1));
    while (panel.boxes[i].kind == Box::Kind::node && panel.boxes[i].in > 0 && taken[layer[i]] > 0 &&
           taken[layer[i]] + widths[i] > layer_width) {
      taken.resize(std::max(taken.size(), ++layer[i] + 1));
    }
    taken[layer[i]] += widths[i];
    for (const std::size_t wire : wires_of[i]) {
      for (const Reader& reader : panel.wires[wire].readers) {
        layer[reader.box] = std::max(layer[reader.box], layer[i] + 1);
      }
    }
    last = std::max(last, layer[i]);
  }
  // A box that reads nothing is placed just above its first reader.
  for (std::size_t i = 0; i < panel.boxes.size(); ++i) {
    if (panel.boxes[i].in > 0 || enters(panel.boxes[i])) continue;
    std::size_t first = nowhere;
    for (const std::size_t wire : wires_of[i]) {
      for (const Reader& reader : panel.wires[wire].readers) first = std::min(first, layer[reader.box]);
    }
    if (first != nowhere && first > 0) layer[i] = std::max(layer[i], first - 1);
  }
  for (std::size_t i = 0; i < panel.boxes.size(); ++i) {
    if (panel.boxes[i].kind == Box::Kind::output || panel.boxes[i].kind == Box::Kind::rest) layer[i] = last;
  }
  return layer;
}

/// Makes one chain of bends for each wire, down to its lowest reader; each reader is attached to the bend just above
/// it.
void link_wire(const Panel& panel, std::size_t index, Arrangement& arrangement) {
  const Wire& wire = panel.wires[index];
  std::vector<std::size_t> order(wire.readers.size());
  std::iota(order.begin(), order.end(), 0);
  const auto layer_of = [&](std::size_t reader) { return arrangement.spots[wire.readers[reader].box].layer; };
  std::ranges::stable_sort(order, {}, layer_of);
  std::size_t end = wire.box;  // of the chain so far
  for (const std::size_t reader : order) {
    while (arrangement.spots[end].layer + 1 < layer_of(reader) &&
           arrangement.spots.size() < panel.boxes.size() + bends_limit) {
      const std::size_t bend = arrangement.spots.size();
      arrangement.spots.push_back({nowhere, index, arrangement.spots[end].layer + 1});
      arrangement.links.push_back({end, bend, index, nowhere});
      end = bend;
    }
    arrangement.links.push_back({end, wire.readers[reader].box, index, reader});
  }
}

/// Orders each layer by the mean position of its neighbours above or below.
class Order {
 public:
  explicit Order(Arrangement& arrangement)
      : arrangement_(arrangement),
        above_(arrangement.spots.size()),
        below_(arrangement.spots.size()),
        position_(arrangement.spots.size()) {
    for (const Link& link : arrangement.links) {
      above_[link.to].push_back(link.from);
      below_[link.from].push_back(link.to);
    }
    for (const auto& layer : arrangement.layers) number(layer);
  }

  void improve() {
    auto best = arrangement_.layers;
    std::size_t fewest = crossings();
    for (int sweep = 0; sweep < sweeps && fewest > 0; ++sweep) {
      for (auto& layer : arrangement_.layers) sort(layer, above_);
      for (std::size_t i = arrangement_.layers.size(); i-- > 0;) sort(arrangement_.layers[i], below_);
      for (auto& layer : arrangement_.layers) sort(layer, above_);
      if (const std::size_t now = crossings(); now < fewest) {
        fewest = now;
        best = arrangement_.layers;
      }
    }
    arrangement_.layers = std::move(best);
  }

 private:
  using Neighbours = std::vector<std::vector<std::size_t>>;

  void number(const std::vector<std::size_t>& layer) {
    for (std::size_t i = 0; i < layer.size(); ++i) {
      position_[layer[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(layer.size());
    }
  }

  void sort(std::vector<std::size_t>& layer, const Neighbours& neighbours) {
    std::vector<std::pair<double, std::size_t>> keys;
    for (const std::size_t spot : layer) {
      double mean = position_[spot];
      if (!neighbours[spot].empty()) {
        double sum = 0;
        for (const std::size_t other : neighbours[spot]) sum += position_[other];
        mean = sum / static_cast<double>(neighbours[spot].size());
      }
      keys.emplace_back(mean, spot);
    }
    std::ranges::stable_sort(keys, {}, &std::pair<double, std::size_t>::first);
    for (std::size_t i = 0; i < layer.size(); ++i) layer[i] = keys[i].second;
    number(layer);
  }

  /// Pairs of links between neighbouring layers that cross, counted with a tree of partial sums.
  std::size_t crossings() const {
    std::size_t count = 0;
    std::vector<std::size_t> rank(arrangement_.spots.size());
    for (const auto& layer : arrangement_.layers) {
      for (std::size_t i = 0; i < layer.size(); ++i) rank[layer[i]] = i;
    }
    for (std::size_t l = 0; l + 1 < arrangement_.layers.size(); ++l) {
      std::vector<std::size_t> ends;
      for (const std::size_t spot : arrangement_.layers[l]) {
        const std::size_t start = ends.size();
        for (const std::size_t other : below_[spot]) {
          if (arrangement_.spots[other].layer == l + 1) ends.push_back(rank[other]);
        }
        std::sort(ends.begin() + static_cast<std::ptrdiff_t>(start), ends.end());
      }
      count += inversions(ends, arrangement_.layers[l + 1].size());
    }
    return count;
  }

  static std::size_t inversions(const std::vector<std::size_t>& values, std::size_t size) {
    std::vector<std::size_t> tree(size + 1);
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::size_t not_above = 0;
      for (std::size_t at = values[i] + 1; at > 0; at -= at & (~at + 1)) not_above += tree[at];
      count += i - not_above;
      for (std::size_t at = values[i] + 1; at <= size; at += at & (~at + 1)) ++tree[at];
    }
    return count;
  }

  Arrangement& arrangement_;
  Neighbours above_;
  Neighbours below_;
  std::vector<double> position_;  // from 0 to 1 in its layer
};

}  // namespace

Arrangement arrange(const Panel& panel, std::span<const double> widths) {
  Arrangement arrangement;
  const std::vector<std::size_t> layer = layers_of(panel, widths);
  for (std::size_t i = 0; i < panel.boxes.size(); ++i) arrangement.spots.push_back({i, nowhere, layer[i]});
  for (std::size_t i = 0; i < panel.wires.size(); ++i) link_wire(panel, i, arrangement);
  for (std::size_t i = 0; i < arrangement.spots.size(); ++i) {
    const std::size_t at = arrangement.spots[i].layer;
    if (arrangement.layers.size() <= at) arrangement.layers.resize(at + 1);
    arrangement.layers[at].push_back(i);
  }
  Order(arrangement).improve();
  return arrangement;
}

}  // namespace ifcert::drawing
