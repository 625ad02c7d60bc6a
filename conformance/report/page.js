// The page itself: head and foot, summary, lists, and whatever the address names.

function fact(name, value) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, value));
}

const UNITS = { s: "s", mib: "MiB" };

// "memory 4096 MiB" for memory_mib 4096; a name without a unit stays unchanged.
function limitText([name, value]) {
  const [, what, unit] = /^(.*?)(?:_(s|mib))?$/.exec(name);
  return [what.replaceAll("_", " "), typeof value === "boolean" ? (value ? "yes" : "no") : value, UNITS[unit]].filter((word) => word !== undefined).join(" ");
}

function timeOfRun() {
  const [from, to] = [Date.parse(report.started), Date.parse(report.ended)];
  return Number.isFinite(to - from) ? `${report.started}, ${duration(to - from) === "0 ms" ? "under 1 s" : duration(to - from)}` : report.started;
}

// "8600 of 8649 results are of earlier runs, since 2026-11-20T12:00:00Z"; nothing where all are of this run.
function keptText() {
  return report.kept ? ` · ${report.kept.results} of ${plural(report.results.length, "result")} are of earlier runs, since ${report.kept.since}` : "";
}

function showHead() {
  const tested = report.rules.filter((rule) => vectorsOf.get(rule.name).length > 0).length;
  document.getElementById("scope").textContent =
    `${plural(report.adapters.length, "runtime")} against ${plural(report.vectors.length, "vector")} of ${plural(tested, "rule")}`;
  const isolation = Object.entries(report.isolation).map(([what, how]) => make("li", {}, `${what.replaceAll("_", " ")}: ${how}`));
  document.getElementById("identity").append(
    fact("Run", timeOfRun() + keptText()),
    fact("Vectors' manifest", make("code", { title: "SHA-256 of vectors/manifest.json" }, report.manifest)),
    fact("Vectors", report.selector ? `selected by ${report.selector}` : "all"),
    report.shard ? fact("Shard", report.shard) : "",
    Object.keys(report.limits).length ? fact("Limits", Object.entries(report.limits).map(limitText).join(" · ")) : "",
    isolation.length ? fact("Isolation", make("ul", { class: "isolation" }, ...isolation)) : "");
}

function breachItem(breach) {
  const vector = vectors.get(breach.vector);
  const words = breach.message || breach.vector;
  return make("li", {}, vector ? vectorLink(vector, adapters.get(breach.adapter), words) : words);
}

// One fold per runtime and kind: a runtime without a list may have hundreds.
function showBreaches() {
  if (report.breaches.length === 0) return;
  const section = document.getElementById("breaches");
  section.hidden = false;
  const count = report.breaches.length;
  section.querySelector("h2").textContent = report.limits.strict
    ? `${plural(count, "failure")}, compared with no known-failure list`
    : `${plural(count, "disagreement")} with the known-failure lists`;
  const groups = Map.groupBy(report.breaches, (breach) => key(breach.adapter, breach.kind));
  const title = (members) => `${members[0].adapter}: ${members.length} ${members[0].kind}`;
  const folds = [...groups.values()].map((members) => fold(title(members), report.breaches.length <= 3, make("ul", {}, ...members.map(breachItem))));
  section.append(...(folds.length <= 3 ? folds : [fold(`on ${plural(new Set(report.breaches.map((each) => each.adapter)).size, "runtime")}`, false, ...folds)]));
}

function bar(total) {
  const parts = [...STATES].reverse().map((state) => {
    const count = state.verdicts.reduce((sum, verdict) => sum + total.verdicts[verdict], 0);
    const part = make("span", { class: state.name });
    part.style.flexGrow = count;
    return count ? part : "";
  });
  return make("div", { class: "bar", "aria-hidden": "true" }, ...parts);
}

function summarySentence(total) {
  const rest = remainder(total);
  const kOfN = (k, n, word, verb) => `${k} of ${plural(n, word)} ${n === 1 ? `${verb}${verb.endsWith("s") ? "es" : "s"}` : verb}`;
  const passing = kOfN(total.verdicts.PASS, counting(total), "vector", "pass");
  return `${total.axis}: ${passing}${rest ? `, ${rest}` : ""}; ${kOfN(total.rules_holding, total.rules, "rule", "hold")}.`;
}

// The headline, then the vectors of each axis.
function summarySentences(adapter) {
  const some = AXES.map((axis) => totals.get(key(adapter.name, axis))).filter((total) => total.vectors > 0);
  return [make("p", { class: "headline" }, `${headlines.get(adapter.name).text}.`),
    ...some.map((total) => make("p", { class: "axis-line" }, summarySentence(total)))];
}

// The time of the vectors, and our overhead, so that authors of runtimes can tell whether to trust the times.
function costSentence(adapter) {
  const cost = costs.get(adapter.name);
  if (!cost || cost.vectors === 0) return "";
  const overhead = cost.own_share;
  const ours = overhead ? `; overhead per vector ${duration(overhead.median)}, 95 % under ${duration(overhead.percentile_95)}` : "";
  return `${plural(cost.vectors, "vector")} in ${duration(cost.milliseconds)}${ours}`;
}

function summaryCard(adapter) {
  return make("article", { class: "card" },
    make("h3", {}, make("a", { href: place({ adapter: adapter.name }) }, adapter.name),
      make("span", { class: "quiet" }, `${adapter.runtime} ${adapter.version}`)),
    bar(totals.get(key(adapter.name, "computes"))),
    ...summarySentences(adapter),
    make("p", { class: "cost quiet" }, costSentence(adapter)));
}

function openItem({ adapter, vector, result }) {
  return make("li", {},
    vectorLink(vector, adapter), " ", verdictNode(result), result?.known ? tag("known") : "",
    result?.reason ? make("p", {}, result.reason) : "");
}

function aboutRuntime(adapter) {
  const cannot = adapter.cannot.map((each) => make("li", {},
    make("code", {}, each.what), each.why ? ` ${each.why} ` : " ", each.link ? webLink(each.link) : ""));
  return [
    make("p", { class: "quiet" }, [`${adapter.runtime} ${adapter.version}`, adapter.language,
      adapter.computes ? "" : "accepts or refuses, computes nothing"].filter(Boolean).join(" · "), " ", adapter.home ? webLink(adapter.home) : ""),
    cannot.length ? make("div", {}, make("h4", {}, "Declared as unsupported before the run"), make("ul", {}, ...cannot)) : "",
  ];
}

function runtimeSection(adapter, filter, listed) {
  const scope = pairs.filter((pair) => pair.adapter === adapter).length;
  const verdicts = remainder(tallyOf(listed.map((pair) => pair.result)));
  const title = listed.length === 0 ? "all pass" : judges(filter) ? `${listed.length} of ${scope} match` : verdicts;
  listed.sort((a, b) => severity(a.result) - severity(b.result));
  return lazyFold({ class: "fold", "data-adapter": adapter.name }, [`${adapter.name}: ${title}`], listed.length > 0 && listed.length <= 12, () => [
    ...aboutRuntime(adapter),
    listed.length ? make("ol", { class: "open-list" }, ...listed.map(openItem)) : "",
  ]);
}

// The results one by one: those that match the filter's verdict, or, without one, those that do not pass.
function showDetails(filter, found) {
  document.getElementById("details-title").textContent = judges(filter) ? "Results that match" : "Results that do not pass";
  const listed = judges(filter) ? found.matching : found.matching.filter((pair) => verdictOf(pair.result) !== "PASS");
  const byAdapter = Map.groupBy(listed, (pair) => pair.adapter);
  const sections = report.adapters.filter((adapter) => isIdle(filter) || byAdapter.has(adapter))
    .map((adapter) => runtimeSection(adapter, filter, byAdapter.get(adapter) ?? []));
  document.getElementById("details").replaceChildren(...(sections.length ? sections : [make("p", { class: "quiet" }, "Nothing.")]));
}

function goToRuntime(name) {
  const section = document.querySelector(`#details [data-adapter="${CSS.escape(name)}"]`);
  if (!section) return;
  section.open = true;
  fillFold(section);
  section.scrollIntoView();
  section.querySelector("summary").focus({ preventScroll: true });
}

// The address names what is open and how the results are filtered: #rule=…&adapter=…&vector=…, #adapter=…,
// #verdict=…&q=…; unknown names open nothing. The address of a panel leaves the filter unchanged.
function followAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const rule = rules.get(words.get("rule"));
  const adapter = adapters.get(words.get("adapter"));
  if (FILTER_WORDS.some((name) => words.has(name)) || (!rule && !adapter)) setFilter(words);
  if (key(filterNow()) !== filterShown) showFiltered();
  if (rule) openPanel(rule, adapter ?? null, words.get("vector"));
  else document.getElementById("panel").close();
  if (!rule && adapter) goToRuntime(adapter.name);
}

function listen() {
  const panel = document.getElementById("panel");
  panel.addEventListener("cancel", forgetAddress);
  panel.addEventListener("click", (event) => {
    if (event.target === panel) closePanel();
  });
  document.getElementById("matrix").addEventListener("keydown", moveBetweenCells);
  addEventListener("hashchange", followAddress);
  addEventListener("resize", fitMatrix);
  addEventListener("beforeprint", () => document.querySelectorAll("#details details").forEach((each) => {
    each.open = true;
    fillFold(each);
  }));
  listenToFilter();
}

showHead();
showKinds();
showBreaches();
document.getElementById("summary").append(...report.adapters.map(summaryCard));
showRewritings();
showProfiles();
showLegend();
showChoices();
listen();
followAddress();
