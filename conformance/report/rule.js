// The panel with the page of a rule, on all runtimes or on one; opened by the page's address.

const resultsOf = (adapter, rule, axis) =>
  vectorsOf.get(rule.name).filter((vector) => vector.axis === axis && inScope(adapter, vector)).map((vector) => results.get(key(adapter.name, vector.id)) ?? null);

function tallyNode(axis, tally) {
  const state = stateOfTally(tally);
  if (state === null) return "";
  const rest = remainder(tally);
  return make("span", { class: "axis" }, `${axis} `, make("span", { class: `verdict ${state.name}` }, sign(state), ` ${tally.verdicts.PASS} of ${counting(tally)}`), rest ? ` (${rest})` : "");
}

// A runtime's results on a rule, each axis separately.
function talliesNode(adapter, rule) {
  const nodes = AXES.map((axis) => tallyNode(axis, tallyOf(resultsOf(adapter, rule, axis)))).filter(Boolean);
  return nodes.length ? make("span", {}, ...nodes) : make("span", { class: "quiet" }, "no vector");
}

function panelHead(rule, adapter) {
  const close = make("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
  close.addEventListener("click", closePanel);
  const name = ruleName(rule.name);
  return make("header", { class: "panel-head" }, close,
    make("p", { class: "quiet" }, name.system),
    make("h2", { id: "panel-title", tabindex: "-1", autofocus: true }, name.holds, adapter ? make("span", { class: "on" }, ` on ${adapter.name}`) : ""),
    rule.holds && make("p", {}, prose(rule.holds)),
    rule.clause && make("p", { class: "quiet" }, "Clause: ", prose(rule.clause)),
    adapter ? make("p", {}, `${adapter.runtime} ${adapter.version}: `, talliesNode(adapter, rule),
      make("span", { class: "quiet" }, " · "), make("a", { href: place({ rule: rule.name }) }, "all runtimes")) : "");
}

// Each runtime's k of n.
function standings(rule) {
  const rows = report.adapters.filter((adapter) => vectorsOf.get(rule.name).some((vector) => inScope(adapter, vector))).map((adapter) => make("tr", {},
    make("th", { scope: "row" }, make("a", { href: place({ adapter: adapter.name, rule: rule.name }) }, adapter.name),
      make("span", { class: "quiet" }, ` ${adapter.runtime} ${adapter.version}`)),
    make("td", {}, talliesNode(adapter, rule))));
  return make("section", {}, make("h3", {}, "On each runtime"),
    rows.length ? make("table", { class: "standings" }, ...rows) : make("p", { class: "quiet" }, "No vector tests this rule yet."));
}

// Failures of one kind: a reason and a link that several runtimes or vectors share appear once.
function reasonItem(members) {
  const [{ adapter, result }] = members;
  return make("li", {},
    make("p", {}, make("strong", {}, adapter.name), result?.reason ? `: ${result.reason}` : ""),
    result?.known ? make("p", {}, tag("known failure"), " ", result.link && listLink(result.link)) : "",
    make("ul", { class: "links" }, ...members.map((pair) => make("li", {}, vectorLink(pair.vector, pair.adapter, pair.vector.title || pair.vector.id)))));
}

// The results that do not pass: by verdict and fault, the worst first, then by runtime and reason.
function failures(rule) {
  const open = pairs.filter((pair) => pair.vector.rule === rule.name && verdictOf(pair.result) !== "PASS");
  if (open.length === 0) return "";
  open.sort((a, b) => severity(a.result) - severity(b.result));
  const byLine = [...Map.groupBy(open, (pair) => lineOf(pair.result)).values()];
  return make("section", {}, make("h3", {}, "Results that do not pass"), ...byLine.map((members) => {
    const reasons = Map.groupBy(members, (pair) => key(pair.adapter.name, pair.result?.reason, pair.result?.link, pair.result?.known));
    return make("details", { class: "fold group", open: !["UNSUPPORTED", "NOT-SHOWN", "NOT-IF"].includes(verdictOf(members[0].result)) },
      make("summary", {}, verdictNode(members[0].result), make("span", { class: "quiet" }, ` ${plural(members.length, "result")}`)),
      make("ul", { class: "reasons" }, ...[...reasons.values()].map(reasonItem)));
  }));
}

function forgetAddress() {
  history.replaceState(null, "", filterPlace(filterNow()));
}

function closePanel() {
  document.getElementById("panel").close();
  forgetAddress();
}

function openPanel(rule, adapter, chosen) {
  const panel = document.getElementById("panel");
  const judged = adapter ? [adapter] : report.adapters;
  const members = vectorsOf.get(rule.name).filter((vector) => judged.some((each) => inScope(each, vector)));
  const worst = (vector) => Math.min(...judged.filter((each) => inScope(each, vector)).map((each) => severity(results.get(key(each.name, vector.id)))));
  members.sort((a, b) => worst(a) - worst(b));
  const wanted = members.find((vector) => vector.id === chosen);
  const first = wanted ?? (adapter || members.length === 1 ? members[0] : null);
  const list = members.map((vector) => vectorItem(vector, adapter, vector === first));
  panel.replaceChildren(panelHead(rule, adapter), make("div", { class: "panel-body" },
    ...(adapter ? list : [standings(rule), failures(rule), members.length ? make("section", {}, make("h3", {}, plural(members.length, "vector")), ...list) : ""])));
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  if (wanted) panel.querySelector("details.vector[open]").scrollIntoView();
}
