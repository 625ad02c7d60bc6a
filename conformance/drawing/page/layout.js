// The same layout as in layout.cpp, because sizes change when bodies are folded. Layers and orders come with the model.

const model = JSON.parse(document.getElementById("model").textContent);

// Kinds of boxes, as picture.hpp numbers them.
const INPUT = 0, CAPTURE = 1, CONSTANT = 2, NODE = 3, OUTPUT = 4;

for (const panel of model.panels) {
  panel.spots = panel.layers.reduce((sum, layer) => sum + layer.length, 0);
  panel.layerOf = new Array(panel.spots);
  panel.layers.forEach((layer, i) => layer.forEach((spot) => { panel.layerOf[spot] = i; }));
  panel.above = Array.from({ length: panel.spots }, () => []);
  panel.below = Array.from({ length: panel.spots }, () => []);
  for (const link of panel.links) {
    panel.above[link[1]].push(link);
    panel.below[link[0]].push(link);
  }
  // Where the bodies of a box are folded, each captured value ends once, at the box itself.
  for (const box of panel.boxes) box.foldedIn = box.in;
  for (const wire of panel.wires) {
    const ports = new Map();
    wire.readers = wire.readers.map(([box, port, inPanel, inner]) => {
      if (inner >= 0 && !ports.has(box)) ports.set(box, panel.boxes[box].foldedIn++);
      return { box, port, panel: inPanel, inner, foldedPort: ports.get(box) };
    });
  }
}

function portOffset(width, port, ports) {
  const step = Math.min(model.portDistance, width / (ports + 1));
  return step * (port - (ports - 1) / 2);
}

// Places boxes as near as possible to their preferred positions, in order and without overlaps; boxes that push each
// other form a block.
function middlesOf(row) {
  const blocks = [];
  let offset = 0;
  for (const item of row) {
    offset += item.distance;
    item.offset = offset;
    blocks.push({ sum: (item.wish - offset) * item.weight, weight: item.weight, count: 1 });
    while (blocks.length > 1) {
      const last = blocks[blocks.length - 1], before = blocks[blocks.length - 2];
      if (before.sum / before.weight <= last.sum / last.weight) break;
      before.sum += last.sum;
      before.weight += last.weight;
      before.count += last.count;
      blocks.pop();
    }
  }
  const middles = [];
  for (const block of blocks) {
    for (let i = 0; i < block.count; ++i) middles.push(block.sum / block.weight + row[middles.length].offset);
  }
  return middles;
}

const isUnfolded = (unfolded, panel, box) => unfolded.has(`${panel}/${box}`);

// The visible panels, outer ones first.
function visiblePanels(unfolded) {
  const seen = new Set();
  model.panels.forEach((panel, i) => {
    if (panel.owner < 0 || (seen.has(panel.owner) && isUnfolded(unfolded, panel.owner, panel.ownerBox))) seen.add(i);
  });
  return seen;
}

function sizeBox(box, open, placed) {
  const frame = { x: 0, y: 0, width: box.size[0], height: box.size[1] };
  if (!box.bodies) return frame;
  if (!open) return { ...frame, width: box.folded[0], height: box.folded[1] };
  let inside = 0, highest = 0;
  for (const body of box.bodies) {
    inside += placed.get(body).frame.width + (inside > 0 ? model.margin : 0);
    highest = Math.max(highest, placed.get(body).frame.height);
  }
  let x = model.margin + Math.max(0, (frame.width - inside) / 2 - model.margin);
  for (const body of box.bodies) {
    const inner = placed.get(body).frame;
    Object.assign(inner, { x, y: box.size[1], height: highest });
    x += inner.width + model.margin;
  }
  frame.width = Math.max(frame.width, inside + 2 * model.margin);
  frame.height = box.size[1] + highest + model.margin;
  return frame;
}

function placePanel(panel, placed, all) {
  const boxes = placed.boxes, count = boxes.length;
  const width = (spot) => (spot < count ? boxes[spot].width : 0);
  const outPort = ([from, , wire]) =>
    (from < count ? portOffset(width(from), panel.wires[wire].port, panel.boxes[from].out) : 0);
  const inPort = ([, to, wire, reader]) => {
    if (to >= count) return 0;
    const it = panel.wires[wire].readers[reader];
    if (it.inner < 0) return portOffset(width(to), it.port, placed.open[to] ? panel.boxes[to].in : panel.boxes[to].foldedIn);
    if (!placed.open[to]) return portOffset(width(to), it.foldedPort, panel.boxes[to].foldedIn);
    const inner = all.get(it.panel);
    return inner.frame.x + inner.centers[it.inner] - width(to) / 2;
  };
  const pull = ([from, to]) => (from >= count && to >= count ? 8 : from >= count || to >= count ? 2 : 1);
  const centers = placed.centers = new Array(panel.spots).fill(0);
  const wish = (spot, above, below) => {
    let sum = 0, weight = 0;
    if (above) {
      for (const link of panel.above[spot]) {
        sum += (centers[link[0]] + outPort(link) - inPort(link)) * pull(link);
        weight += pull(link);
      }
    }
    if (below) {
      for (const link of panel.below[spot]) {
        sum += (centers[link[1]] + inPort(link) - outPort(link)) * pull(link);
        weight += pull(link);
      }
    }
    return weight > 0 ? sum / weight : centers[spot];
  };
  const settle = (layer, above, below) => {
    const row = layer.map((spot, i) => {
      const bends = i > 0 && spot >= count && layer[i - 1] >= count;
      const distance = i > 0 ? (width(layer[i - 1]) + width(spot)) / 2 + (bends ? model.betweenBends : model.between) : 0;
      return { wish: wish(spot, above, below), weight: spot >= count ? model.bendWeight : 1, distance };
    });
    middlesOf(row).forEach((middle, i) => { centers[layer[i]] = middle; });
  };
  for (const layer of panel.layers) settle(layer, false, false);
  for (let sweep = 0; sweep < model.sweeps; ++sweep) {
    const last = sweep + 1 === model.sweeps;
    for (const layer of panel.layers) settle(layer, true, last);
    for (let i = panel.layers.length; i-- > 0;) settle(panel.layers[i], last, true);
  }
  stack(panel, placed, width);
}

function stack(panel, placed, width) {
  const { centers, boxes, frame } = placed;
  let left = Infinity, right = -Infinity;
  centers.forEach((center, spot) => {
    left = Math.min(left, center - width(spot) / 2);
    right = Math.max(right, center + width(spot) / 2);
  });
  if (centers.length === 0) left = right = 0;
  const inside = Math.max(right - left, panel.size[0]);
  const shift = model.margin - left + (inside - (right - left)) / 2;
  for (let i = 0; i < centers.length; ++i) centers[i] += shift;
  frame.width = inside + 2 * model.margin;
  let y = panel.size[1];
  placed.layers = panel.layers.map((layer, l) => {
    let height = 0, farthest = 0;
    for (const spot of layer) {
      for (const link of panel.below[spot]) farthest = Math.max(farthest, Math.abs(centers[link[1]] - centers[spot]));
      if (spot >= boxes.length) continue;
      boxes[spot].x = centers[spot] - boxes[spot].width / 2;
      boxes[spot].y = y;
      height = Math.max(height, boxes[spot].height);
    }
    const at = { top: y, bottom: y + height };
    y += height + (l + 1 < panel.layers.length ? model.betweenLayers + Math.min(40, farthest / 12) : 0);
    return at;
  });
  frame.height = y + model.margin;
}

function move(placed, x, y) {
  placed.frame.x += x;
  placed.frame.y += y;
  for (const box of placed.boxes) {
    box.x += placed.frame.x;
    box.y += placed.frame.y;
  }
  placed.centers = placed.centers.map((center) => center + placed.frame.x);
  placed.layers = placed.layers.map(({ top, bottom }) => ({ top: top + placed.frame.y, bottom: bottom + placed.frame.y }));
}

// Every visible panel with its frame, boxes, layers and the centres of its spots.
function layOut(unfolded) {
  const order = [...visiblePanels(unfolded)];
  const all = new Map();
  for (const i of [...order].reverse()) {
    const panel = model.panels[i];
    const placed = { frame: { x: 0, y: 0, width: 0, height: 0 } };
    placed.open = panel.boxes.map((box, b) => Boolean(box.bodies) && isUnfolded(unfolded, i, b));
    placed.boxes = panel.boxes.map((box, b) => sizeBox(box, placed.open[b], all));
    placePanel(panel, placed, all);
    all.set(i, placed);
  }
  const picture = { panels: new Map(), width: 0, height: 0 };
  let x = model.margin;
  for (const i of order) {
    const panel = model.panels[i], placed = all.get(i);
    if (panel.owner < 0) {
      move(placed, x, model.margin);
      x = placed.frame.x + placed.frame.width + 2 * model.margin;
    } else {
      const box = all.get(panel.owner).boxes[panel.ownerBox];
      move(placed, box.x, box.y);
    }
    picture.panels.set(i, placed);
    picture.width = Math.max(picture.width, placed.frame.x + placed.frame.width + model.margin);
    picture.height = Math.max(picture.height, placed.frame.y + placed.frame.height + model.margin);
  }
  return picture;
}
