// One vector: its steps, its model, and its result on each runtime.

// For expectations that are just accepted or refused.
function inWords(expected) {
  if (expected?.loaded && !expected.loaded.outputs?.length) return "to be accepted";
  return expected?.refused && !expected.refused.message ? "to be refused, in this step or a later one" : "";
}

const side = (title, ...content) => make("div", {}, make("h5", {}, title), ...content);
const inputsNode = (inputs) => (Array.isArray(inputs) && inputs.length ? side("Inputs", namedValues(inputs)) : "");

// A step's work, beyond its name: which earlier run it reads again, what it holds.
function stepWords(kind, body) {
  if (kind === "run" && body.hold) return ", with its outputs held";
  if (kind === "reread") return `: the held outputs of step ${body.step + 1}, read again`;
  if (kind === "concurrent") return `: ${plural(body.runs.length, "run")} at the same time, each in a thread of its own`;
  return "";
}

function sidesOf(expected, got, decided) {
  const sides = expected ? [side("Expected", outcomeNode(expected, decided ? got : null))] : [];
  if (decided) sides.push(side("Got", outcomeNode(got, expected)));
  return make("div", { class: "sides" }, ...sides);
}

// Concurrent runs: each with its own inputs, expectation and answer, where the answer has them run by run.
function concurrentNode(body, got, decided) {
  const answers = Array.isArray(got?.runs) ? got.runs : null;
  return make("div", {},
    make("ol", { class: "runs" }, ...body.runs.map((run, i) => make("li", {}, inputsNode(run.inputs),
      sidesOf(run.expect, answers?.[i] ?? null, decided && answers !== null)))),
    decided && answers === null ? side("Got", outcomeNode(got, null)) : "");
}

// One step of a vector; the step that decided shows expected and got side by side.
function stepNode(step, number, result) {
  const kind = Object.keys(step)[0];
  const body = step[kind] ?? {};
  const decided = Boolean(result) && result.step === number && (result.verdict !== "PASS" || result.got !== null);
  const failed = decided && result.verdict !== "PASS";
  const at = decided && result.phase && result.phase !== kind ? ` (at ${result.phase})` : "";
  const many = kind === "concurrent" && Array.isArray(body.runs);
  const expected = (decided ? result.expected : null) ?? body.expect;
  const words = decided || many ? "" : inWords(expected);
  return make("li", { class: failed ? "step failed" : "step" },
    make("p", { class: "step-name" }, make("strong", {}, `${number + 1}. ${kind}`), many || kind !== "concurrent" ? stepWords(kind, body) : "", at, words && `, ${words}`),
    inputsNode(body.inputs),
    many ? concurrentNode(body, decided ? result.got : null, decided) : words ? "" : sidesOf(expected, decided ? result.got : null, decided));
}

function whyNode(why) {
  const sources = why.map((each) => make("li", {},
    [each.source, each.clause].filter(Boolean).join(": "),
    each.issue ? webLink(each.issue) : "", each.note ? ` ${each.note}` : ""));
  return make("ul", { class: "why" }, ...sources);
}

function twinNode(vector, adapter) {
  const twin = vectors.get(vector.twin);
  return make("p", {}, "Accepted twin: ", twin ? vectorLink(twin, adapter) : vector.twin, " ",
    adapter ? verdictNode(results.get(key(adapter.name, vector.twin))) : "",
    make("span", { class: "quiet" }, " A refusal passes only where this one is computed."));
}

// The whole time, and the runtime's own load and run in it, where the adapter reports them.
function timesOf(result) {
  const whole = duration(result.milliseconds);
  if (result.runtime_milliseconds === null) return whole;
  const ours = Math.max(0, result.milliseconds - result.runtime_milliseconds);
  return `${whole}: ${duration(result.runtime_milliseconds)} in the runtime, ${duration(ours)} in ifcert`;
}

function seenAgain(vector, result) {
  if (result.confirmed_by === vector.id) return "alone in a fresh process";
  return `after ${result.confirmed_by}, which fails in the same way alone in a fresh process`;
}

// What the runtime makes of the model when its file is written otherwise.
function rewritingText(rewriting) {
  return [rewriting.verdict, rewriting.fault, rewriting.message ?? rewriting.reason].filter(Boolean).join(": ");
}

// What the runtime makes of a sibling of the model.
function siblingText(sibling) {
  return sibling.outcome + (sibling.detail ? `: ${sibling.detail}` : "");
}

function circumstances(vector, result) {
  const facts = [];
  if (result.verdict !== "PASS" && result.phase) facts.push(["Phase", result.phase]);
  if (result.verdict !== "PASS" && result.step !== null) facts.push(["Step", `${result.step + 1} of ${vector.steps.length}`]);
  if (result.signal !== null) facts.push(["Signal", `${result.signal} ${SIGNALS[result.signal] ?? ""}`]);
  if (result.confirmed_by) facts.push(["Failed again", seenAgain(vector, result)]);
  if (result.without_ifs) facts.push(["Without the If", siblingText(result.without_ifs)]);
  if (result.rewritten) facts.push(["Written by ifcert", siblingText(result.rewritten)]);
  for (const rewriting of result.rewritings ?? [])
    if (rewriting.verdict !== "PASS") facts.push([`With ${rewriting.name}`, rewritingText(rewriting)]);
  facts.push(["Time", timesOf(result)]);
  return [
    result.reason && make("p", { class: "reason" }, result.reason),
    result.known ? make("p", {}, tag("known failure"), " ", result.link && listLink(result.link)) : result.link && make("p", {}, listLink(result.link)),
    make("dl", { class: "facts small" }, ...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)))),
  ];
}

function evidenceNode(result) {
  if (!result.evidence) return "";
  const telling = result.verdict !== "PASS" && result.verdict !== "FAIL";
  return fold("What the process printed on standard error", telling, make("pre", {}, result.evidence));
}

// The step that decided appears in the list of steps; a result without one is shown by itself.
function looseNode(result) {
  if (result.expected === null && result.got === null) return "";
  return sidesOf(result.expected, result.got, true);
}

// The commands that show the result again: by ifcert, and by a script that needs nothing but the runtime.
function commandNode(result) {
  const command = (text) => make("div", { class: "command" }, make("code", {}, text), copyButton(text));
  const script = result.script && make("div", {}, make("p", { class: "quiet" }, "As a script that needs only the runtime and numpy:"), command(result.script));
  return make("div", {}, command(result.reproduce), script);
}

// One runtime on this vector, in one fold.
function runtimeFold(vector, adapter) {
  const result = results.get(key(adapter.name, vector.id)) ?? null;
  return lazyFold({ class: "fold on-runtime" }, [
    make("strong", {}, adapter.name), " ", verdictNode(result), result?.known ? tag("known") : "",
    result ? make("span", { class: "quiet" }, duration(result.milliseconds)) : "",
  ], false, () => [
    ...(result ? circumstances(vector, result) : [make("p", {}, "It was not run.")]),
    ...(result ? [looseNode(result), evidenceNode(result), commandNode(result)] : []),
    make("p", {}, vectorLink(vector, adapter, `Step by step on ${adapter.name}`)),
  ].filter(Boolean));
}

function elsewhere(vector, adapter) {
  const others = report.adapters.filter((other) => other !== adapter && inScope(other, vector));
  if (others.length === 0) return "";
  return make("div", { class: "elsewhere" }, make("h4", {}, adapter ? "The same vector on other runtimes" : "On each runtime"),
    ...others.map((other) => runtimeFold(vector, other)));
}

// The file, as a link where the report is inside the project.
function modelPath(vector) {
  if (!vector.model_path) return "";
  const { project } = document.documentElement.dataset;
  const path = make("code", {}, vector.model_path);
  return make("p", { class: "model-path" }, "Model: ", project && /^vectors\/[\w./+-]+$/.test(vector.model_path) ? make("a", { href: project + vector.model_path }, path) : path);
}

function modelNodes(vector, open) {
  return [
    modelPath(vector),
    lazyFold({ class: "fold" }, ["Model, drawn"], open, () => drawingNode(vector)),
    fold("Model, as text", false, make("pre", { class: "model" }, vector.model)),
  ];
}

function vectorBody(vector, adapter) {
  const result = adapter ? results.get(key(adapter.name, vector.id)) ?? null : null;
  const failing = result !== null && result.verdict !== "PASS";
  const reached = failing && result.step !== null ? result.step + 1 : vector.steps.length;
  const steps = vector.steps.map((step, i) => stepNode(step, i, result));
  const missed = vector.steps.length - reached;
  const sections = [
    fold("Why", true, whyNode(vector.why)),
    vector.obliged_by ? fold("Obliges the implementation to refuse", true, whyNode([vector.obliged_by])) : "",
    vector.twin ? twinNode(vector, adapter) : "",
  ];
  const facts = make("dl", { class: "facts small" },
    make("div", {}, make("dt", {}, "Axis"), make("dd", {}, vector.axis)), make("div", {}, make("dt", {}, "System"), make("dd", {}, vector.system)));
  return make("div", { class: "vector-body" },
    ...(result ? [...circumstances(vector, result), commandNode(result)] : [facts, ...sections]),
    make("ol", { class: "steps" }, ...steps.slice(0, reached)),
    missed ? fold(`${plural(missed, "step")} not reached`, false, make("ol", { class: "steps" }, ...steps.slice(reached))) : "",
    failing && result.step === null ? looseNode(result) : "",
    result ? evidenceNode(result) : "",
    ...modelNodes(vector, failing || adapter === null),
    ...(result ? sections : []),
    elsewhere(vector, adapter));
}

// Each runtime's result, in one line.
function signsOf(vector) {
  const signs = report.adapters.filter((adapter) => inScope(adapter, vector)).map((adapter) => {
    const result = results.get(key(adapter.name, vector.id));
    return make("span", { class: "fared", title: `${adapter.name}: ${lineOf(result)}` }, sign(stateOf(verdictOf(result))), adapter.name);
  });
  return make("span", { class: "signs" }, ...signs);
}

// A vector's details are created when it is opened: a rule may have hundreds.
function vectorItem(vector, adapter, open) {
  const result = adapter ? results.get(key(adapter.name, vector.id)) : null;
  return lazyFold({ class: "vector", "data-vector": vector.id }, [
    adapter ? verdictNode(result) : "",
    make("span", { class: "vector-title" }, vector.title || vector.id),
    adapter ? "" : signsOf(vector),
    tag(vector.axis),
    result?.known ? tag("known") : "",
    make("code", { class: "vector-id" }, vector.id),
  ], open, () => vectorBody(vector, adapter));
}
