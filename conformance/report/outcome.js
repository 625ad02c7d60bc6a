// Outcomes that the vectors expect and answers of the adapters, with differences marked.

const SHOWN_AT_FIRST = 128;

// The elements of a counterpart tensor, where the two can be compared element by element.
function comparable(value, other) {
  const same = other?.kind === "tensor" && other.type === value.type && key(other.shape) === key(value.shape);
  return same ? tensorElements(other).elements : null;
}

function elementNode(element, other) {
  const differs = other !== null && other?.bits !== element.bits;
  const bits = element.text.includes("NaN") || (differs && other?.text === element.text);
  const text = bits ? `${element.text} ${element.bits}` : element.text;
  return make(differs ? "mark" : "span", {}, text);
}

// Rows of the last dimension on lines of their own: [[1, 2],\n [3, 4]].
function brackets(shape, nodes) {
  if (shape.length === 0) return nodes;
  const out = [];
  const last = shape[shape.length - 1];
  nodes.forEach((node, i) => {
    let opened = 0, size = 1;
    for (let axis = shape.length - 1; axis >= 0; --axis) {
      size *= shape[axis];
      if (i % size === 0) ++opened;
    }
    if (i > 0) out.push(i % last === 0 ? `${"]".repeat(opened)},\n${" ".repeat(shape.length - opened)}` : ", ");
    out.push("[".repeat(opened), node);
  });
  out.push("]".repeat(shape.length));
  return out;
}

function tensorNode(value, other) {
  const { elements, note } = tensorElements(value);
  const others = comparable(value, other);
  const counterpart = (i) => (others === null ? null : others[i]);
  const body = make("code", { class: "value" });
  const fill = (count) => {
    const nodes = elements.slice(0, count).map((element, i) => elementNode(element, counterpart(i)));
    const open = count < elements.length;
    body.replaceChildren(...(open ? nodes.flatMap((node) => [node, " "]) : brackets(value.shape, nodes)));
    if (!open) return;
    const more = make("button", { type: "button" }, `all ${elements.length}`);
    more.addEventListener("click", () => fill(elements.length));
    body.append("… ", more);
  };
  fill(Math.min(elements.length, SHOWN_AT_FIRST));
  const differing = others === null ? [] : elements.flatMap((element, i) => (element.bits === others[i]?.bits ? [] : [i]));
  const where = `${differing.length} of ${elements.length} elements differ; the first has index ${differing[0]}`;
  const typeDiffers = other?.kind === "tensor" && other.type !== value.type;
  const shapeDiffers = other?.kind === "tensor" && key(other.shape) !== key(value.shape);
  return make("span", { class: "tensor" },
    make("span", { class: "type" },
      make(typeDiffers ? "mark" : "span", {}, value.type), " ",
      make(shapeDiffers ? "mark" : "span", {}, `[${value.shape.join(", ")}]`)),
    elements.length ? body : make("span", { class: "quiet" }, "no elements"),
    differing.length && elements.length > 16 ? make("span", { class: "warning" }, where) : "",
    note && make("span", { class: "warning" }, note));
}

// Anything that is not a value of the protocol is shown unchanged.
function valueNode(value, other) {
  try {
    if (value.kind === "tensor") return tensorNode(value, other);
    if (value.kind === "sequence") {
      const items = value.items.map((item, i) => make("li", {}, valueNode(item, other?.items?.[i])));
      return make("span", { class: "tensor" },
        make("span", { class: "type" }, `sequence of ${value.of ?? "unknown"}, ${plural(items.length, "item")}`),
        make("ol", { start: "0" }, ...items));
    }
    if (value.kind === "optional") {
      return make("span", { class: "tensor" }, make("span", { class: "type" }, `optional of ${value.of ?? "unknown"}`),
        value.absent ? make("code", { class: "value" }, "absent") : valueNode(value.value, other?.value));
    }
  } catch {
    // falls through: broken base64, a missing member
  }
  return make("pre", {}, JSON.stringify(value, null, 1) ?? "nothing");
}

function namedValues(named, others) {
  return make("dl", { class: "values" },
    ...named.flatMap((each, i) => [make("dt", {}, each.name), make("dd", {}, valueNode(each.value, others?.[i]?.value))]));
}

function loadedNode(loaded) {
  const declared = loaded.outputs ?? [];
  if (declared.length === 0) return make("p", {}, "accepted");
  const shape = (dims) => (dims ? `[${dims.map((dim) => dim ?? "?").join(", ")}]` : "shape unknown");
  return make("div", {}, make("p", {}, "accepted, with outputs"),
    make("dl", { class: "values" }, ...declared.flatMap((output) => [
      make("dt", {}, output.name), make("dd", { class: "type" }, `${output.type ?? "type unknown"} ${shape(output.shape)}`)])));
}

// The outputs that an outcome names, in one of its alternatives at least.
const outputsOf = (outcome) => outcome?.outputs ?? outcome?.either?.find((each) => each.outputs)?.outputs;

// A vector's expectation or an adapter's answer; `against` is the other of the two.
function outcomeNode(outcome, against) {
  if (outcome === null || outcome === undefined) return make("p", { class: "quiet" }, "nothing");
  if (Array.isArray(outcome.outputs)) return namedValues(outcome.outputs, outputsOf(against));
  if (outcome.loaded) return loadedNode(outcome.loaded);
  if (outcome.refused) {
    return make("div", {}, make("p", {}, "refused"), outcome.refused.message && make("pre", {}, outcome.refused.message));
  }
  if (outcome.unsupported) {
    const { what, status, message } = outcome.unsupported;
    return make("div", {}, make("p", {}, `unsupported: ${what ?? ""}${status ? ` (${status})` : ""}`), message && make("pre", {}, message));
  }
  if (outcome.adapter_error) return make("div", {}, make("p", {}, "adapter error"), make("pre", {}, outcome.adapter_error.message ?? ""));
  if (Array.isArray(outcome.runs)) {
    return make("ol", { class: "runs" }, ...outcome.runs.map((each, i) => make("li", {}, outcomeNode(each, against?.runs?.[i]))));
  }
  if (Array.isArray(outcome.either)) {
    return make("div", {}, make("p", {}, "any of", outcome.reason ? make("span", { class: "quiet" }, ` (${outcome.reason})`) : ""),
      make("ul", { class: "either" }, ...outcome.either.map((each) => make("li", {}, outcomeNode(each, against)))));
  }
  return make("pre", {}, JSON.stringify(outcome, null, 1));
}
