// The report, indexed; words and signs for its verdicts; and the function that creates all elements.

const report = JSON.parse(document.getElementById("report").textContent);

const key = (...words) => JSON.stringify(words);
const results = new Map(report.results.map((result) => [key(result.adapter, result.vector), result]));
const AXES = ["computes", "diagnoses", "open"];
const totals = new Map(report.totals.map((total) => [key(total.adapter, total.axis), total]));
const headlines = new Map(report.headlines.map((headline) => [headline.adapter, headline]));
const costs = new Map(report.costs.map((cost) => [cost.adapter, cost]));
const vectors = new Map(report.vectors.map((vector) => [vector.id, vector]));
const rules = new Map(report.rules.map((rule) => [rule.name, rule]));
const adapters = new Map(report.adapters.map((adapter) => [adapter.name, adapter]));
const vectorsOf = new Map(report.rules.map((rule) => [rule.name, []]));
for (const vector of report.vectors) vectorsOf.get(vector.rule).push(vector);

// From worst to best; a cell shows its worst.
const STATES = [
  { name: "crash", sign: "!", verdicts: ["CRASH", "TIMEOUT", "MEMORY"], meaning: "crashed, hung or ran out of memory" },
  { name: "fail", sign: "✗", verdicts: ["FAIL"], meaning: "does not hold" },
  { name: "broken", sign: "?", verdicts: ["ADAPTER", "HARNESS"], meaning: "not measured: the adapter or the runner failed" },
  { name: "lenient", sign: "~", verdicts: ["LENIENT"], meaning: "lenient: an illegal model was computed, and no text obliges a runtime to notice" },
  { name: "not-shown", sign: "∅", verdicts: ["NOT-SHOWN"], meaning: "not shown: refused as expected, but the legal twin is not computed either" },
  { name: "unsupported", sign: "–", verdicts: ["UNSUPPORTED"], meaning: "unsupported by the runtime: not a pass" },
  { name: "not-run", sign: "○", verdicts: ["NOT-RUN"], meaning: "not run: not a pass" },
  { name: "holds", sign: "✓", verdicts: ["PASS"], meaning: "holds: all vectors pass" },
  { name: "not-if", sign: "≠", verdicts: ["NOT-IF"], meaning: "not the If: the same model without its Ifs fails alike; not counted" },
];
const FAILING_WORDS = { FAIL: "fail", CRASH: "crash", TIMEOUT: "timeout", MEMORY: "out of memory", ADAPTER: "adapter error" };
// The verdicts that a list of known failures names.
const LISTED_WORDS = { ...FAILING_WORDS, LENIENT: "lenient", "NOT-IF": "not the If" };
const OTHER_WORDS = { "NOT-SHOWN": "not shown", UNSUPPORTED: "unsupported", HARNESS: "runner error", "NOT-RUN": "not run" };
const SIGNALS = {
  4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 24: "SIGXCPU",
};

// An adapter is certified on the vectors of its systems; an empty list means all.
const inScope = (adapter, vector) => adapter.systems.length === 0 || adapter.systems.includes(vector.system);

const stateOf = (verdict) => STATES.find((state) => state.verdicts.includes(verdict));
const verdictOf = (result) => (result ? result.verdict : "NOT-RUN");
const lineOf = (result) => (result ? result.line : "NOT-RUN");
const stateOfTally = (tally) =>
  tally.vectors === 0 ? null : STATES.find((state) => state.verdicts.some((verdict) => tally.verdicts[verdict] > 0));

// Failing first, then unsupported, then passing.
const severity = (result) => STATES.indexOf(stateOf(verdictOf(result)));

// How many of these results got each verdict.
function tallyOf(some) {
  const verdicts = Object.fromEntries(STATES.flatMap((state) => state.verdicts).map((verdict) => [verdict, 0]));
  let known = 0;
  for (const result of some) {
    ++verdicts[verdictOf(result)];
    if (result?.known) ++known;
  }
  return { vectors: some.length, verdicts, known };
}

// The n of "k of n": what fails without the If too shows nothing about it.
const counting = (tally) => tally.vectors - tally.verdicts["NOT-IF"];

function counted(tally, words) {
  const present = Object.keys(words).filter((verdict) => tally.verdicts[verdict] > 0);
  return present.map((verdict) => `${tally.verdicts[verdict]} ${words[verdict]}`).join(", ");
}

// "3 fail, 1 crash (2 known), 1 unsupported": every verdict but PASS under its own name.
function remainder(tally) {
  const listable = Object.keys(LISTED_WORDS).reduce((sum, verdict) => sum + tally.verdicts[verdict], 0);
  const known = tally.known === 0 ? "" : tally.known === listable ? " (known)" : ` (${tally.known} known)`;
  return [counted(tally, LISTED_WORDS) + known, counted(tally, OTHER_WORDS)].filter(Boolean).join(", ");
}

// Characters that change the writing direction or are invisible could make one text look like another: they are shown
// by name.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]/g;
const seen = (text) => text.replace(UNSEEN, (letter) => `⟨U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

// Creates an element. Text and attribute values are passed as data; nothing here parses markup.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  const present = children.filter((child) => child !== null && child !== undefined && child !== "");
  element.append(...present.map((child) => (child instanceof Node ? child : seen(String(child)))));
  return element;
}

// A link to the web, or plain text where the address is not http(s).
function webLink(address, text = address) {
  if (!/^https?:\/\//i.test(address)) return make("span", {}, text);
  return make("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, text);
}

// The link of a known failure: to the web, or to a page of the project, which works only where the report is inside
// one.
function listLink(link) {
  const { project } = document.documentElement.dataset;
  if (!project || !/^docs\/[\w/-]+\.md(#[\w-]*)?$/.test(link)) return webLink(link);
  return make("a", { href: project + link }, link);
}

// A fold whose content is created when it is opened or printed.
const unfilled = new WeakMap();
function lazyFold(attributes, summary, open, fill) {
  const fold = make("details", attributes, make("summary", {}, ...summary));
  unfilled.set(fold, fill);
  fold.addEventListener("toggle", () => fold.open && fillFold(fold));
  fold.open = open;
  if (open) fillFold(fold);
  return fold;
}
function fillFold(fold) {
  const fill = unfilled.get(fold);
  unfilled.delete(fold);
  if (fill) fold.append(...[fill()].flat());
}

function fold(title, open, ...content) {
  return make("details", { class: "fold", open }, make("summary", {}, title), ...content);
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

// Our own prose, with `names` and **stress** marked.
function prose(text) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return make("span", {}, ...parts.map((part) => {
    if (/^`.+`$/.test(part)) return make("code", {}, part.slice(1, -1));
    return /^\*\*.+\*\*$/.test(part) ? make("strong", {}, part.slice(2, -2)) : part;
  }));
}

const place = (words) => "#" + new URLSearchParams(words);

function sign(state) {
  return make("span", { class: `sign ${state.name}`, "aria-hidden": "true" }, state.sign);
}

function verdictNode(result) {
  const state = stateOf(verdictOf(result));
  return make("span", { class: `verdict ${state.name}` }, sign(state), ` ${lineOf(result)}`);
}

const tag = (text) => make("span", { class: "tag" }, text);
const vectorLink = (vector, adapter, text = vector.id) =>
  make("a", { href: place({ ...(adapter && { adapter: adapter.name }), rule: vector.rule, vector: vector.id }) }, text);

// A duration in seconds or minutes.
function duration(milliseconds) {
  if (milliseconds < 1000) return `${Number(milliseconds.toPrecision(2))} ms`;
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

// A rule's name in two parts: the system it belongs to, and the name of what holds.
function ruleName(name) {
  const cut = name.lastIndexOf("/");
  return { system: cut < 0 ? "" : name.slice(0, cut), holds: name.slice(cut + 1) };
}

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
