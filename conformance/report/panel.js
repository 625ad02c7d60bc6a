// The panel: one rule on one runtime, or one rule with its vectors; opened by the page's address.

function verdictNode(result) {
  const state = stateOf(result ? result.verdict : "NOT-RUN");
  return make("span", { class: `verdict ${state.name}` }, sign(state), ` ${result ? result.line : "NOT-RUN"}`);
}

function copyButton(text) {
  const button = make("button", { type: "button", class: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling);
      button.textContent = "Press Ctrl+C";
    }
  });
  return button;
}

function fold(title, open, ...content) {
  return make("details", { class: "fold", open }, make("summary", {}, title), ...content);
}

// Where an expectation says no more than accepted or refused.
function inWords(expected) {
  if (expected?.loaded && !expected.loaded.outputs?.length) return "to be accepted";
  return expected?.refused && !expected.refused.message ? "to be refused, here or later" : "";
}

// One step of a vector; the step that decided shows expected and got side by side.
function stepNode(step, number, result) {
  const kind = Object.keys(step)[0];
  const body = step[kind] ?? {};
  const decided = result !== null && result.step === number && (result.verdict !== "PASS" || result.got !== null);
  const failed = decided && result.verdict !== "PASS";
  const expected = (decided ? result.expected : null) ?? body.expect;
  const words = decided ? "" : inWords(expected);
  const heading = [
    make("strong", {}, `${number + 1}. ${kind}`),
    decided && result.phase && result.phase !== kind ? ` (at ${result.phase})` : "",
    words ? `, ${words}` : "",
  ];
  const sides = [make("div", {}, make("h5", {}, "Expected"), outcomeNode(expected, decided ? result.got : null))];
  if (decided) sides.push(make("div", {}, make("h5", {}, "Got"), outcomeNode(result.got, expected)));
  return make("li", { class: failed ? "step failed" : "step" },
    make("p", { class: "step-name" }, ...heading),
    Array.isArray(body.inputs) && body.inputs.length ? make("div", {}, make("h5", {}, "Inputs"), namedValues(body.inputs)) : "",
    words ? "" : make("div", { class: "sides" }, ...sides));
}

function whyNode(why) {
  const sources = why.map((each) => make("li", {},
    [each.source, each.clause].filter(Boolean).join(": "),
    each.issue ? webLink(each.issue) : "", each.note ? ` ${each.note}` : ""));
  return make("ul", { class: "why" }, ...sources);
}

function twinNode(vector, adapter) {
  const twin = vectors.get(vector.twin);
  const words = { rule: twin ? twin.rule : vector.rule, vector: vector.twin };
  if (adapter) words.adapter = adapter.name;
  return make("p", {}, "Accepted twin: ", make("a", { href: place(words) }, vector.twin), " ",
    adapter ? verdictNode(results.get(key(adapter.name, vector.twin))) : "",
    make("span", { class: "quiet" }, " A refusal passes only where this one is computed."));
}

function elsewhere(vector, adapter) {
  const others = report.adapters.filter((other) => other !== adapter && inScope(other, vector));
  if (others.length === 0) return "";
  return make("div", { class: "elsewhere" }, make("h4", {}, adapter ? "The same vector elsewhere" : "On each runtime"),
    make("ul", { class: "chips" }, ...others.map((other) => make("li", {},
      make("a", { href: place({ adapter: other.name, rule: vector.rule, vector: vector.id }) }, other.name), " ",
      verdictNode(results.get(key(other.name, vector.id)))))));
}

function circumstances(result) {
  const lines = [];
  if (result.reason) lines.push(make("p", { class: "reason" }, result.reason));
  if (result.signal !== null) lines.push(make("p", {}, `Signal ${result.signal} ${SIGNALS[result.signal] ?? ""}`));
  if (result.known) lines.push(make("p", {}, make("span", { class: "tag" }, "known failure"), " ", result.link ? webLink(result.link) : ""));
  else if (result.link) lines.push(make("p", {}, webLink(result.link)));
  return lines;
}

function vectorBody(vector, adapter) {
  const result = adapter ? results.get(key(adapter.name, vector.id)) ?? null : null;
  const failing = result !== null && result.verdict !== "PASS";
  const steps = make("ol", { class: "steps" }, ...vector.steps.map((step, i) => stepNode(step, i, result)));
  const loose = failing && result.step === null && (result.expected !== null || result.got !== null);
  return make("div", { class: "vector-body" },
    ...(result ? circumstances(result) : []),
    result ? make("div", { class: "command" }, make("code", {}, result.reproduce), copyButton(result.reproduce)) : "",
    steps,
    loose ? make("div", { class: "sides" },
      make("div", {}, make("h5", {}, "Expected"), outcomeNode(result.expected, result.got)),
      make("div", {}, make("h5", {}, "Got"), outcomeNode(result.got, result.expected))) : "",
    result && result.evidence
      ? fold("What the process printed on standard error", failing && result.verdict !== "FAIL", make("pre", {}, result.evidence)) : "",
    fold("Model", failing || adapter === null, make("pre", { class: "model" }, vector.model)),
    fold("Why", true, whyNode(vector.why)),
    vector.twin ? twinNode(vector, adapter) : "",
    elsewhere(vector, adapter));
}

// How each runtime fared, in one line.
function signsOf(vector) {
  const signs = report.adapters.filter((adapter) => inScope(adapter, vector)).map((adapter) => {
    const result = results.get(key(adapter.name, vector.id));
    const state = stateOf(result ? result.verdict : "NOT-RUN");
    return make("span", { class: "fared", title: `${adapter.name}: ${result ? result.line : "NOT-RUN"}` }, sign(state), adapter.name);
  });
  return make("span", { class: "signs" }, ...signs);
}

// A vector's details are laid out when it is opened: a rule may have hundreds.
function vectorItem(vector, adapter, open) {
  const result = adapter ? results.get(key(adapter.name, vector.id)) : null;
  const item = make("details", { class: "vector", "data-vector": vector.id },
    make("summary", {},
      adapter ? verdictNode(result) : "",
      make("span", { class: "vector-title" }, vector.title || vector.id),
      adapter ? "" : signsOf(vector),
      vector.strength === "either" ? make("span", { class: "tag" }, "either") : "",
      result?.known ? make("span", { class: "tag" }, "known") : "",
      make("code", { class: "vector-id" }, vector.id)));
  const fill = () => {
    if (item.open && item.children.length === 1) item.append(vectorBody(vector, adapter));
  };
  item.addEventListener("toggle", fill);
  item.open = open;
  fill();
  return item;
}

function panelHead(rule, adapter) {
  const close = make("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
  close.addEventListener("click", closePanel);
  const name = ruleName(rule.name);
  const tally = adapter ? tallies.get(key(adapter.name, rule.name)) : null;
  const state = tally ? stateOfTally(tally) : null;
  return make("header", { class: "panel-head" }, close,
    make("p", { class: "quiet" }, name.system),
    make("h2", { id: "panel-title", tabindex: "-1", autofocus: true }, name.holds, adapter ? make("span", { class: "on" }, ` on ${adapter.name}`) : ""),
    rule.holds && make("p", {}, prose(rule.holds)),
    rule.clause && make("p", { class: "quiet" }, "Clause: ", prose(rule.clause)),
    adapter ? make("p", {}, `${adapter.runtime} ${adapter.version}: `,
      state ? make("span", { class: `verdict ${state.name}` }, sign(state), ` ${tally.verdicts.PASS} of ${tally.vectors}`) : "no vector",
      state ? ` pass${remainder(tally) ? `, ${remainder(tally)}` : ""}` : "",
      make("span", { class: "quiet" }, " · "), make("a", { href: place({ rule: rule.name }) }, "all runtimes")) : "");
}

function forgetAddress() {
  history.replaceState(null, "", location.pathname + location.search);
}

function closePanel() {
  document.getElementById("panel").close();
  forgetAddress();
}

function openPanel(rule, adapter, chosen) {
  const panel = document.getElementById("panel");
  const members = [...vectorsOf.get(rule.name)];
  const judged = adapter ? [adapter] : report.adapters;
  const worst = (vector) => Math.min(...judged.filter((each) => inScope(each, vector)).map((each) => severity(results.get(key(each.name, vector.id)))));
  members.sort((a, b) => worst(a) - worst(b));
  const wanted = members.find((vector) => vector.id === chosen);
  const first = wanted ?? (adapter || members.length === 1 ? members[0] : null);
  panel.replaceChildren(panelHead(rule, adapter),
    make("div", { class: "panel-body" }, ...members.map((vector) => vectorItem(vector, adapter, vector === first))));
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  if (wanted) panel.querySelector("details.vector[open]").scrollIntoView();
}
