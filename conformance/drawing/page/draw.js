// The picture of a layout: rectangles from the outside in, then wires, then texts. The styles are those of svg.cpp.

const CLASSES = ["i", "k", "c", "n", "o", "r"];

function shape(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The value that a wire carries: the same in every body that captures it.
model.values = [];
const enteredAs = new Map();
model.panels.forEach((panel, p) => {
  panel.makes = panel.boxes.map(() => []);
  panel.reads = panel.boxes.map(() => []);
  panel.wires.forEach((wire, w) => {
    const captured = panel.boxes[wire.box].kind === CAPTURE ? enteredAs.get(`${p}/${wire.box}`) : undefined;
    wire.value = captured ?? model.values.push([]) - 1;
    model.values[wire.value].push([p, w]);
    panel.makes[wire.box].push(w);
    for (const reader of wire.readers) {
      if (reader.inner >= 0) enteredAs.set(`${reader.panel}/${reader.inner}`, wire.value);
      if (!panel.reads[reader.box].includes(w)) panel.reads[reader.box].push(w);
    }
  });
});

function startOf(panel, placed, wire) {
  const frame = placed.boxes[wire.box];
  return [frame.x + frame.width / 2 + portOffset(frame.width, wire.port, panel.boxes[wire.box].out), frame.y + frame.height];
}

function endOf(panel, placed, picture, reader) {
  const frame = placed.boxes[reader.box], box = panel.boxes[reader.box];
  if (reader.inner >= 0 && placed.open[reader.box]) {
    const inner = picture.panels.get(reader.panel).boxes[reader.inner];
    return [inner.x + inner.width / 2, inner.y];
  }
  const folded = Boolean(box.bodies) && !placed.open[reader.box];
  const port = reader.inner >= 0 ? reader.foldedPort : reader.port;
  return [frame.x + frame.width / 2 + portOffset(frame.width, port, folded ? box.foldedIn : box.in), frame.y];
}

// Straight down to the end of the layer, across to the next one, and so on.
function pathOf(panel, placed, picture, [from, to, w, reader]) {
  const wire = panel.wires[w], count = panel.boxes.length;
  const upper = placed.layers[panel.layerOf[from]], lower = placed.layers[panel.layerOf[to]];
  const [x1, y1] = (from < count ? startOf(panel, placed, wire) : [placed.centers[from], upper.bottom]).map(Math.round);
  const end = reader < 0 ? [placed.centers[to], lower.bottom] : endOf(panel, placed, picture, wire.readers[reader]);
  const [x2, y2] = end.map(Math.round);
  if (x1 === x2) return `M${x1} ${y1}V${y2}`;
  const middle = Math.round((upper.bottom + lower.top) / 2);
  return `M${x1} ${y1}V${Math.round(upper.bottom)}C${x1} ${middle} ${x2} ${middle} ${x2} ${Math.round(lower.top)}V${y2}`;
}

function drawWire(p, w, panel, placed, picture, links, drawing) {
  const wire = panel.wires[w];
  const entered = panel.boxes[wire.box].kind === CAPTURE;
  const paths = { w: "", d: "", h: "", g: "" };
  for (const link of links) {
    const reader = wire.readers[link[3]];
    const dashed = entered || (reader ? reader.panel >= 0 : wire.readers.every((each) => each.panel >= 0));
    paths[dashed ? "d" : "w"] += pathOf(panel, placed, picture, link);
    if (!reader) continue;
    const [x, y] = endOf(panel, placed, picture, reader).map(Math.round);
    paths[dashed ? "g" : "h"] += `M${x} ${y}l-3-6h6z`;
  }
  const add = (name, d) => {
    const path = shape("path", { class: name, d });
    path.value = wire.value;
    drawing.wires.append(path);
    drawing.paths[wire.value].push(path);
    return path;
  };
  if (paths.w) add("w", paths.w);
  if (paths.d) add("w d", paths.d);
  if (paths.h) add("h", paths.h);
  if (paths.g) add("h g", paths.g);
  if (!paths.w && !paths.d) return;
  // An invisible broad path for the pointer.
  const near = shape("path", { class: "near", d: paths.w + paths.d }, shape("title", {}, wire.title));
  near.value = wire.value;
  drawing.wires.append(near);
}

function drawBox(p, b, box, frame, open, drawing) {
  const round = box.kind === INPUT || box.kind === CAPTURE || box.kind === OUTPUT;
  const rect = shape("rect", {
    class: CLASSES[box.kind] + (box.rules ? " x" : "") + (box.bodies ? " f" : ""),
    x: frame.x, y: frame.y, width: frame.width, height: frame.height, rx: round ? 10 : 3,
  }, shape("title", {}, box.title));
  rect.place = [p, b];
  if (box.bodies) {
    rect.setAttribute("tabindex", 0);
    rect.setAttribute("role", "button");
    rect.setAttribute("aria-expanded", open);
    rect.setAttribute("aria-label", `${box.label} ${box.name ?? ""}: ${box.lines.join("; ")}`);
  }
  drawing.rects.append(rect);
  drawing.boxes.set(`${p}/${b}`, rect);
  const left = Boolean(box.bodies);
  const x = left ? frame.x + model.margin : frame.x + frame.width / 2;
  let y = frame.y + model.labelHeight - 2;
  const say = (classes, text) => drawing.texts.append(shape("text", { class: classes, x, y }, text));
  const start = left ? "s" : "";
  say(left ? "s b" : box.kind === NODE ? "b" : "v", (left ? (open ? "▾ " : "▸ ") : "") + box.label);
  for (const [classes, lines] of [
    [start, box.name ? [box.name] : []], [start, box.notes ?? []], [`${start} e`, (box.rules ?? []).map((rule) => `✗ ${rule}`)],
    [start, left && !open ? box.lines : []]]) {
    for (const line of lines) {
      y += model.lineHeight;
      say(classes, line);
    }
  }
}

function drawPanel(p, panel, placed, drawing) {
  const { x, y, width, height } = placed.frame;
  const rect = shape("rect", { class: panel.rules.length > 0 ? "p x" : "p", x, y, width, height, rx: 6 });
  if (panel.title) rect.append(shape("title", {}, panel.title));
  rect.place = panel.owner >= 0 ? [panel.owner, panel.ownerBox] : null;
  rect.body = p;
  drawing.rects.append(rect);
  drawing.frames.set(p, rect);
  const lines = [["s b", panel.label], ...(panel.drawn ? [] : [["s", `… ${panel.summary}`]]),
    ...panel.rules.map((rule) => ["s e", `✗ ${rule}`])];
  lines.forEach(([classes, text], i) => drawing.texts.append(
    shape("text", { class: classes, x: x + model.margin, y: y + (i + 1) * model.lineHeight + 1 }, text)));
  panel.boxes.forEach((box, b) => drawBox(p, b, box, placed.boxes[b], placed.open[b], drawing));
}

// The picture's elements: all of them in `root`, boxes by place, paths by value.
function draw(picture) {
  const drawing = {
    root: shape("g", {}), rects: shape("g", {}), wires: shape("g", {}), texts: shape("g", {}),
    boxes: new Map(), frames: new Map(), paths: model.values.map(() => []),
  };
  for (const [p, placed] of picture.panels) drawPanel(p, model.panels[p], placed, drawing);
  for (const [p, placed] of picture.panels) {
    const panel = model.panels[p];
    const linksOf = panel.wires.map(() => []);
    for (const link of panel.links) linksOf[link[2]].push(link);
    linksOf.forEach((links, w) => drawWire(p, w, panel, placed, picture, links, drawing));
  }
  drawing.root.append(drawing.rects, drawing.wires, drawing.texts);
  return drawing;
}
