// The page's state: unfolded bodies, the selection, the search.

const element = (id) => document.getElementById(id);
const unfolded = new Set();
const START_BOXES = 180;  // shown at the start
let picture, drawing;
let chosen = null;  // {box: [panel, box]} or {value: number}
let hits = [], hit = -1;

const boxAt = ([p, b]) => model.panels[p].boxes[b];
const foldable = () => model.panels.flatMap((panel, p) => panel.boxes.flatMap((box, b) => (box.bodies ? [`${p}/${b}`] : [])));

// The boxes around a place, from the inside out.
function around(place) {
  const found = [];
  for (let p = place[0]; model.panels[p].owner >= 0; p = model.panels[p].owner) {
    found.push([model.panels[p].owner, model.panels[p].ownerBox]);
  }
  return found;
}

function redraw() {
  picture = layOut(unfolded);
  drawing = draw(picture);
  view.group.replaceChildren(drawing.root);
  mark();
}

// Folds or unfolds a box; its corner stays where it is on the screen.
function toggle(place) {
  const key = place.join("/");
  const before = picture.panels.get(place[0]).boxes[place[1]];
  if (!unfolded.delete(key)) unfolded.add(key);
  redraw();
  const after = picture.panels.get(place[0]).boxes[place[1]];
  view.x += (before.x - after.x) * view.scale;
  view.y += (before.y - after.y) * view.scale;
  showView();
}

function reveal(place) {
  for (const outer of around(place)) unfolded.add(outer.join("/"));
  redraw();
  centreOn(picture.panels.get(place[0]).boxes[place[1]]);
}

// The innermost visible box that contains a place.
function seenFor(place) {
  let seen = place;
  for (const outer of around(place)) {
    if (!isUnfolded(unfolded, ...outer)) seen = outer;
  }
  return seen;
}

function mark() {
  for (const one of drawing.root.querySelectorAll(".hit, .now, .holds-hit, .chosen")) {
    one.classList.remove("hit", "now", "holds-hit", "chosen");
  }
  hits.forEach((place, i) => {
    const seen = seenFor(place);
    const inside = seen !== place;
    const rect = drawing.boxes.get(seen.join("/"));
    rect?.classList.add(inside ? "holds-hit" : "hit");
    if (i === hit) rect?.classList.add("now");
  });
  if (!chosen) return;
  const values = chosen.box
    ? [...model.panels[chosen.box[0]].reads[chosen.box[1]], ...model.panels[chosen.box[0]].makes[chosen.box[1]]]
      .map((w) => model.panels[chosen.box[0]].wires[w].value)
    : [chosen.value];
  for (const value of values) markValue(value, Boolean(chosen.box));
  if (chosen.box) drawing.boxes.get(seenFor(chosen.box).join("/"))?.classList.add("chosen");
}

function markValue(value, wiresOnly) {
  for (const path of drawing.paths[value]) path.classList.add("chosen");
  if (wiresOnly) return;
  for (const place of [producerOf(value), ...readersOf(value), ...capturesOf(value)]) {
    drawing.boxes.get(seenFor(place).join("/"))?.classList.add("chosen");
  }
}

function producerOf(value) {
  const [p, w] = model.values[value][0];
  return [p, model.panels[p].wires[w].box];
}

const capturesOf = (value) => model.values[value].slice(1).map(([p, w]) => [p, model.panels[p].wires[w].box]);

function readersOf(value) {
  const places = model.values[value].flatMap(([p, w]) =>
    model.panels[p].wires[w].readers.filter((reader) => reader.inner < 0).map((reader) => [p, reader.box]));
  return places.filter((place, i) => places.findIndex((other) => other.join() === place.join()) === i);
}

function make(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function nameOf(place) {
  const box = boxAt(place);
  const inside = model.panels[place[0]].owner >= 0 ? ` in ${model.panels[place[0]].label}` : "";
  return `${box.label}${box.name ? ` ${box.name}` : ""}${inside}`;
}

function jump(place, words) {
  const button = make("button", { type: "button", class: "link" }, words);
  button.addEventListener("click", () => {
    chosen = { box: place };
    reveal(place);
    showChosen();
  });
  return button;
}

const LIST = 40;

function list(title, places) {
  if (places.length === 0) return [];
  const more = places.length > LIST ? [make("p", { class: "quiet" }, `… ${places.length - LIST} more`)] : [];
  return [make("h3", {}, title), ...places.slice(0, LIST).map((place) => jump(place, nameOf(place))), ...more];
}

function describeValue(value) {
  const [p, w] = model.values[value][0];
  return [make("pre", {}, model.panels[p].wires[w].title), ...list("produced by", [producerOf(value)]),
    ...list("captured by", capturesOf(value)), ...list("read by", readersOf(value))];
}

function showChosen() {
  const section = element("selection");
  section.hidden = !chosen;
  element("help").hidden = Boolean(chosen);
  if (!chosen) return;
  if (!chosen.box) {
    section.replaceChildren(make("h2", {}, "Value"), ...describeValue(chosen.value));
    return;
  }
  const [p, b] = chosen.box;
  const panel = model.panels[p];
  const valueOf = (w) => panel.wires[w].value;
  section.replaceChildren(make("h2", {}, nameOf(chosen.box)), make("pre", {}, panel.boxes[b].title),
    ...list("reads from", panel.reads[b].map((w) => producerOf(valueOf(w)))),
    ...list("read by", panel.makes[b].flatMap((w) => readersOf(valueOf(w)))));
}

function choose(what) {
  chosen = what;
  mark();
  showChosen();
}

// Search: every word must occur in the texts of a box.
const textOf = (box, panel, b) => [box.label, box.name ?? "", box.title, ...panel.makes[b].map((w) => panel.wires[w].name)]
  .join("\n").toLowerCase();

function search() {
  const words = element("query").value.toLowerCase().split(/\s+/).filter(Boolean);
  hits = words.length === 0 ? [] : model.panels.flatMap((panel, p) => panel.boxes.flatMap((box, b) => {
    const text = textOf(box, panel, b);
    return words.every((word) => text.includes(word)) ? [[p, b]] : [];
  }));
  hit = -1;
  sayHits(words.length > 0);
  mark();
}

function sayHits(asked = true) {
  element("hits").textContent = !asked ? "" : hits.length === 0 ? "none" : hit < 0 ? `${hits.length} found` : `${hit + 1} of ${hits.length}`;
}

function step(by) {
  if (hits.length === 0) return;
  hit = hit < 0 ? (by > 0 ? 0 : hits.length - 1) : (hit + by + hits.length) % hits.length;
  chosen = { box: hits[hit] };
  reveal(hits[hit]);
  showChosen();
  sayHits();
}

function showFindings() {
  if (model.findings.length === 0) return;
  const section = element("broken");
  section.hidden = false;
  section.querySelector("summary").textContent =
    model.findings.length === 1 ? "1 broken rule" : `${model.findings.length} broken rules`;
  section.querySelector("ol").append(...model.findings.map((finding) => {
    const place = finding.panel < 0 ? null
      : finding.box >= 0 ? [finding.panel, finding.box]
        : model.panels[finding.panel].owner >= 0 ? [model.panels[finding.panel].owner, model.panels[finding.panel].ownerBox] : null;
    return make("li", {}, place ? jump(place, finding.rule) : finding.rule, make("p", {}, finding.found),
      make("p", { class: "quiet" }, `expected: ${finding.expected}`), make("p", { class: "quiet" }, finding.place));
  }));
}

// Unfolds from the outside in while the picture stays small enough to read, and everything that leads to a broken rule.
function unfoldAtStart() {
  let shown = model.panels.filter((panel) => panel.owner < 0).reduce((sum, panel) => sum + panel.boxes.length, 0);
  const seen = (p) => model.panels[p].owner < 0 || isUnfolded(unfolded, model.panels[p].owner, model.panels[p].ownerBox);
  model.panels.forEach((panel, p) => panel.boxes.forEach((box, b) => {
    if (!box.bodies || !seen(p)) return;
    const more = box.bodies.reduce((sum, body) => sum + model.panels[body].boxes.length, 0);
    if (shown + more > START_BOXES) return;
    shown += more;
    unfolded.add(`${p}/${b}`);
  }));
  for (const { panel, box } of model.findings.slice(0, 10)) {
    if (panel >= 0) for (const outer of around([panel, box])) unfolded.add(outer.join("/"));
  }
}

view.canvas.addEventListener("click", (event) => {
  if (moved >= 4) return;
  const { place, value, body } = event.target;
  if (value !== undefined) return choose({ value });
  if (!place) return choose(null);
  if (body !== undefined) return choose({ box: place });
  if (boxAt(place).bodies) toggle(place);
  choose({ box: place });
});

view.canvas.addEventListener("keydown", (event) => {
  const place = event.target.place;
  if (!place || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  toggle(place);
  choose({ box: place });
  drawing.boxes.get(place.join("/")).focus();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    element("query").value = "";
    search();
    return choose(null);
  }
  if (event.target.matches("input")) return;
  if (event.key === "/") {
    event.preventDefault();
    element("query").focus();
  }
  if (event.key === "+" || event.key === "=") zoom(1.25);
  if (event.key === "-") zoom(0.8);
  if (event.key === "0") fit(picture);
});

element("search").addEventListener("submit", (event) => {
  event.preventDefault();
  step(1);
});
element("query").addEventListener("input", search);
element("query").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.shiftKey) return;
  event.preventDefault();
  step(-1);
});
element("previous").addEventListener("click", () => step(-1));
element("in").addEventListener("click", () => zoom(1.25));
element("out").addEventListener("click", () => zoom(0.8));
element("fit").addEventListener("click", () => fit(picture));
element("fold").addEventListener("click", () => {
  unfolded.clear();
  redraw();
  fit(picture);
});
element("unfold").addEventListener("click", () => {
  for (const key of foldable()) unfolded.add(key);
  redraw();
  fit(picture);
});

const opsets = Object.entries(model.opsets).map(([domain, version]) => `${domain || "ai.onnx"} ${version}`).join(", ");
element("title").textContent = `${model.title} · ${[model.producer.trim(), opsets && `opset ${opsets}`].filter(Boolean).join(" · ")}`;
document.title = `${model.title} · ifcert show`;
view.group = shape("g", {});
view.canvas.append(shape("svg", { class: "ifc" }, view.group));
unfoldAtStart();
showFindings();
redraw();
fit(picture, 0.3);
