// The report, indexed; words and signs for its verdicts; and the one way in which elements are made.

const report = JSON.parse(document.getElementById("report").textContent);

const key = (...words) => JSON.stringify(words);
const results = new Map(report.results.map((result) => [key(result.adapter, result.vector), result]));
const tallies = new Map(report.tallies.map((tally) => [key(tally.adapter, tally.rule), tally]));
const totals = new Map(report.totals.map((total) => [total.adapter, total]));
const vectors = new Map(report.vectors.map((vector) => [vector.id, vector]));
const rules = new Map(report.rules.map((rule) => [rule.name, rule]));
const adapters = new Map(report.adapters.map((adapter) => [adapter.name, adapter]));
const vectorsOf = new Map(report.rules.map((rule) => [rule.name, []]));
for (const vector of report.vectors) vectorsOf.get(vector.rule).push(vector);

// From worst to best; a cell shows the worst that it holds.
const STATES = [
  { name: "crash", sign: "!", verdicts: ["CRASH", "TIMEOUT", "MEMORY"], meaning: "crashed, hung or ran out of memory" },
  { name: "fail", sign: "✗", verdicts: ["FAIL"], meaning: "does not hold" },
  { name: "broken", sign: "?", verdicts: ["ADAPTER", "HARNESS"], meaning: "not measured: the adapter or the runner failed" },
  { name: "unsupported", sign: "–", verdicts: ["UNSUPPORTED"], meaning: "unsupported by the runtime: not a pass" },
  { name: "not-run", sign: "○", verdicts: ["NOT-RUN"], meaning: "not run: not a pass" },
  { name: "holds", sign: "✓", verdicts: ["PASS"], meaning: "holds: all vectors pass" },
];
const FAILING_WORDS = { FAIL: "fail", CRASH: "crash", TIMEOUT: "timeout", MEMORY: "out of memory", ADAPTER: "adapter error" };
const OTHER_WORDS = { UNSUPPORTED: "unsupported", HARNESS: "runner error", "NOT-RUN": "not run" };
const SIGNALS = {
  4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 24: "SIGXCPU",
};

// An adapter is certified on the vectors of its systems; none named means all.
const inScope = (adapter, vector) => adapter.systems.length === 0 || adapter.systems.includes(vector.system);

const stateOf = (verdict) => STATES.find((state) => state.verdicts.includes(verdict));
const stateOfTally = (tally) =>
  tally.vectors === 0 ? null : STATES.find((state) => state.verdicts.some((verdict) => tally.verdicts[verdict] > 0));

// Failing first, then unsupported, then passing.
const severity = (result) => (result ? STATES.indexOf(stateOf(result.verdict)) : STATES.indexOf(stateOf("NOT-RUN")));

function counted(tally, words) {
  const present = Object.keys(words).filter((verdict) => tally.verdicts[verdict] > 0);
  return present.map((verdict) => `${tally.verdicts[verdict]} ${words[verdict]}`).join(", ");
}

// "3 fail, 1 crash (2 known), 1 unsupported": every verdict but PASS under its own name.
function remainder(tally) {
  const failing = Object.keys(FAILING_WORDS).reduce((sum, verdict) => sum + tally.verdicts[verdict], 0);
  const known = tally.known === 0 ? "" : tally.known === failing ? " (known)" : ` (${tally.known} known)`;
  return [counted(tally, FAILING_WORDS) + known, counted(tally, OTHER_WORDS)].filter(Boolean).join(", ");
}

// An element. Text and attribute values go in as data; nothing here parses markup.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

// A link to the web, or plain text where the address is not http(s).
function webLink(address, text = address) {
  if (!/^https?:\/\//i.test(address)) return make("span", {}, text);
  return make("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, text);
}

// Prose of ours that marks `names` and **stress**.
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

// A rule's name in two parts: the system it belongs to, and what holds.
function ruleName(name) {
  const cut = name.lastIndexOf("/");
  return { system: cut < 0 ? "" : name.slice(0, cut), holds: name.slice(cut + 1) };
}

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
