// The page itself: head, summary, lists, and what the address asks for.

function fact(name, value) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, value));
}

function showHead() {
  const tested = report.rules.filter((rule) => vectorsOf.get(rule.name).length > 0).length;
  document.getElementById("scope").textContent =
    `${plural(report.adapters.length, "runtime")} against ${plural(report.vectors.length, "vector")} of ${plural(tested, "rule")}` +
    (report.selector ? `, selected by ${report.selector}` : "");
  const limits = Object.entries(report.limits).map(([name, value]) => `${name} ${value}`).join(" · ");
  document.getElementById("identity").append(
    fact("Run", report.ended ? `${report.started} to ${report.ended}` : report.started),
    fact("Vectors' manifest", make("code", { title: "SHA-256 of vectors/manifest.json" }, report.manifest)),
    limits ? fact("Limits", limits) : "");
}

function breachItem(breach) {
  const rule = vectors.get(breach.vector)?.rule;
  const words = breach.message || breach.vector;
  return make("li", {}, rule ? make("a", { href: place({ adapter: breach.adapter, rule, vector: breach.vector }) }, words) : words);
}

// One fold per runtime and kind: a runtime that nobody listed yet may have hundreds.
function showBreaches() {
  if (report.breaches.length === 0) return;
  const section = document.getElementById("breaches");
  section.hidden = false;
  section.querySelector("h2").textContent = `${plural(report.breaches.length, "disagreement")} with the known-failure lists`;
  const groups = Map.groupBy(report.breaches, (breach) => key(breach.adapter, breach.kind));
  const title = (members) => `${members[0].adapter}: ${members.length} ${members[0].kind}`;
  section.append(...[...groups.values()].map((members) =>
    fold(title(members), report.breaches.length <= 8, make("ul", {}, ...members.map(breachItem)))));
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
  return `${total.rules_holding} of ${total.rules} rules hold: ${total.verdicts.PASS} of ${total.vectors} vectors pass${rest ? `, ${rest}` : ""}.`;
}

function summaryCard(adapter) {
  const total = totals.get(adapter.name);
  return make("article", { class: "card" },
    make("h3", {}, make("a", { href: place({ adapter: adapter.name }) }, adapter.name),
      make("span", { class: "quiet" }, `${adapter.runtime} ${adapter.version}`)),
    bar(total),
    make("p", {}, summarySentence(total)));
}

function openItem(adapter, vector, result) {
  return make("li", {},
    make("a", { href: place({ adapter: adapter.name, rule: vector.rule, vector: vector.id }) }, vector.id), " ",
    verdictNode(result), result?.known ? make("span", { class: "tag" }, "known") : "",
    result?.reason ? make("p", {}, result.reason) : "");
}

function runtimeSection(adapter) {
  const scope = report.vectors.filter((vector) => inScope(adapter, vector));
  const open = scope
    .map((vector) => [vector, results.get(key(adapter.name, vector.id))])
    .filter(([, result]) => result?.verdict !== "PASS")
    .sort((a, b) => severity(a[1]) - severity(b[1]));
  const cannot = adapter.cannot.map((each) => make("li", {},
    make("code", {}, each.what), each.why ? ` ${each.why} ` : " ", each.link ? webLink(each.link) : ""));
  const section = fold(`${adapter.name}: ${open.length ? `${open.length} of ${scope.length} do not pass` : "all pass"}`, open.length > 0 && open.length <= 12,
    make("p", { class: "quiet" }, [`${adapter.runtime} ${adapter.version}`, adapter.language,
      adapter.computes ? "" : "accepts or refuses, computes nothing"].filter(Boolean).join(" · "), " ", adapter.home ? webLink(adapter.home) : ""),
    open.length ? make("ol", { class: "open-list" }, ...open.map(([vector, result]) => openItem(adapter, vector, result))) : "",
    cannot.length ? make("div", {}, make("h4", {}, "Declared as unsupported before the run"), make("ul", {}, ...cannot)) : "");
  section.dataset.adapter = adapter.name;
  return section;
}

function goToRuntime(name) {
  const section = document.querySelector(`#details [data-adapter="${CSS.escape(name)}"]`);
  if (!section) return;
  section.open = true;
  section.scrollIntoView();
  section.querySelector("summary").focus({ preventScroll: true });
}

// The address says what is open: #adapter=…&rule=…&vector=…; one that names nothing here opens nothing.
function openAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const rule = rules.get(words.get("rule"));
  const adapter = adapters.get(words.get("adapter"));
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
  document.getElementById("filter").addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("filter").addEventListener("input", filterMatrix);
  addEventListener("hashchange", openAddress);
  addEventListener("resize", fitMatrix);
  addEventListener("beforeprint", () => document.querySelectorAll("#details details").forEach((each) => (each.open = true)));
}

showHead();
showBreaches();
document.getElementById("summary").append(...report.adapters.map(summaryCard));
showMatrix();
document.getElementById("details").append(...report.adapters.map(runtimeSection));
listen();
fitMatrix();
openAddress();
