// Files written otherwise: which rewritings models do not survive on a runtime that computes them as they are.

function rewrittenItem(finding) {
  const { vector, line, message, known } = finding;
  return make("li", {}, vectorLink(vectors.get(vector), adapters.get(finding.adapter)), " ", line, known ? tag("known") : "",
    message ? make("p", { class: "quiet" }, shortened(message)) : "");
}

// The models of one runtime, after a click.
function rewrittenRow({ adapter, run, vectors: findings }) {
  const known = findings.filter((finding) => finding.known).length;
  const some = findings.map((finding) => ({ ...finding, adapter }));
  return make("tr", {},
    make("td", {}, make("a", { href: place({ runtime: adapter }) }, adapter)),
    make("td", { class: "count" }, `${findings.length} of ${run}`, known ? make("span", { class: "quiet" }, `${known} known`) : ""),
    make("td", { class: "words" }, lazyFold({ class: "fold" }, [`${findings[0].line}: ${shortened(findings[0].message, 80)}`], false,
      () => make("ol", { class: "open-list" }, ...some.map(rewrittenItem)))));
}

function rewrittenRows([name, groups]) {
  return make("tbody", { "data-rewriting": name }, make("tr", { class: "kind" },
    make("th", { scope: "rowgroup", colspan: 3 }, `differs with ${name}`, make("span", { class: "quiet" }, ` ${groups[0].what}`))), ...groups.map(rewrittenRow));
}

// "quick: 3 of 812 rewritings of models that pass fail"
function rewrittenCount(adapter) {
  const run = report.results.filter((result) => result.adapter === adapter.name).flatMap((result) => result.rewritings ?? []);
  const failing = run.filter((rewriting) => ["fail", "crash"].includes(stateOf(rewriting.verdict).name)).length;
  return run.length ? make("li", {}, `${adapter.name}: ${failing} of ${plural(run.length, "rewriting")} of models that pass fail`) : "";
}

function showRewritings() {
  if (!report.rewritings) return;
  const section = document.getElementById("rewritings");
  section.hidden = false;
  const groups = [...Map.groupBy(report.rewritings, (group) => group.name)];
  const head = make("tr", {}, ...["Runtime", "Models", "Its words, or ours"].map((title) => make("th", { scope: "col" }, title)));
  section.append(make("ul", {}, ...report.adapters.map(rewrittenCount)),
    groups.length ? make("div", { class: "differences" }, make("table", {}, make("thead", {}, head), ...groups.map(rewrittenRows)))
      : make("p", { class: "nothing" }, "Every model that passes also passes when its file is written otherwise."));
}
