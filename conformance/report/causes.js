// The results that did not pass: how many of each kind each runtime has, then every cause with an example.

// From the report's order of kinds. `word` is the value of the verdict's choice that selects the same results.
const KINDS = [
  { name: "wrong values", state: "fail", word: "wrong values", always: true },
  { name: "crashes and hangs", state: "crash", word: "crashes and hangs", always: true },
  { name: "unstable", state: "fail", word: "unstable" },
  { name: "wrongly accepted", state: "fail", word: "wrongly-accepted" },
  { name: "lenient", state: "lenient", word: "LENIENT", always: true },
  { name: "refused", state: "fail", word: "wrongly-refused", always: true },
  { name: "not the If", state: "not-if", word: "NOT-IF" },
  { name: "unsupported", state: "unsupported", word: "UNSUPPORTED", always: true },
  { name: "not shown", state: "not-shown", word: "NOT-SHOWN" },
  { name: "not judged", state: "broken", word: "not judged" },
];
const CAUSES_AT_FIRST = 6;
const LONGEST_MESSAGE = 240;

const shortened = (text, limit = LONGEST_MESSAGE) => (text.length <= limit ? text : `${text.slice(0, limit)}…`);
const stateNamed = (name) => STATES.find((state) => state.name === name);

// The kind of a result that does not pass; a vector without a result was not judged.
const kindOf = (result) => (result ? report.causes[result.cause]?.kind ?? null : "not judged");

// "10 computes, 2 open": counts of different axes measure different things.
const axesText = (axes) => AXES.filter((axis) => axes[axis]).map((axis) => `${axes[axis]} ${axis}`).join(", ");

function axesOf(some) {
  const axes = {};
  for (const pair of some) axes[pair.vector.axis] = (axes[pair.vector.axis] ?? 0) + 1;
  return axes;
}

function kindCell(adapter, kind, some) {
  if (some.length === 0) return make("td", {}, make("span", { class: "quiet" }, "0"));
  const link = make("a", {
    class: `verdict ${kind.state}`, href: place({ runtime: adapter.name, verdict: kind.word }),
    "aria-label": `${adapter.name}, ${kind.name}: ${axesText(axesOf(some))}`, title: axesText(axesOf(some)),
  }, sign(stateNamed(kind.state)), ` ${some.length}`);
  return make("td", {}, link);
}

function kindsRow(adapter, kinds, byKind) {
  const { rules, text } = headlines.get(adapter.name);
  const ofIf = ["If", "around If"].map((group) => rules[group]);
  const [hold, run] = ["hold", "run"].map((each) => ofIf.reduce((sum, standing) => sum + standing[each], 0));
  return make("tr", { "data-runtime": adapter.name },
    make("th", { scope: "row" }, make("a", { href: place({ runtime: adapter.name }) }, adapter.name),
      make("span", { class: "quiet" }, ` ${adapter.runtime} ${adapter.version}`)),
    make("td", { title: text }, run ? `${hold} of ${run}` : make("span", { class: "quiet" }, "none run")),
    ...kinds.map((kind) => kindCell(adapter, kind, byKind.get(key(adapter.name, kind.name)) ?? [])));
}

// A row per runtime: how many rules of If hold of those that it runs, and how many of its results are of each kind.
function showKinds() {
  const byKind = Map.groupBy(pairs, (pair) => key(pair.adapter.name, kindOf(pair.result)));
  const kinds = KINDS.filter((kind) => kind.always || report.adapters.some((adapter) => byKind.has(key(adapter.name, kind.name))));
  document.getElementById("kinds").append(make("table", {},
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Runtime"), make("th", { scope: "col" }, "Rules of If that hold"),
      ...kinds.map((kind) => make("th", { scope: "col" }, kind.name)))),
    make("tbody", {}, ...report.adapters.map((adapter) => kindsRow(adapter, kinds, byKind)))));
}

// The runtime's own line, then our reason where it adds something.
function messageNodes(cause) {
  const own = cause.message && make("code", { class: "own" }, shortened(cause.message));
  return [own, make("span", { class: cause.message ? "ours quiet" : "ours" }, shortened(cause.reason))].filter(Boolean);
}

function causeRow(index, members) {
  const cause = report.causes[index];
  const example = members.find((pair) => pair.vector.id === cause.example) ?? members[0];
  const known = members.filter((pair) => pair.result.known).length;
  return make("tr", { "data-cause": index },
    make("td", { class: "count" }, String(members.length), make("span", { class: "quiet" }, axesText(axesOf(members)))),
    make("td", {}, make("a", { href: place({ runtime: cause.adapter }) }, cause.adapter)),
    make("td", {}, verdictNode(example.result), cause.phase && make("span", { class: "quiet" }, ` at ${cause.phase} `), known ? tag(known === members.length ? "known" : `${known} known`) : ""),
    make("td", { class: "words" }, ...messageNodes(cause)),
    make("td", {}, vectorLink(example.vector, example.adapter),
      members.length > 1 ? make("a", { class: "all", href: place({ cause: index }) }, `all ${members.length}`) : ""));
}

// One kind: its most frequent causes, the others after a click.
function kindRows(kind, groups) {
  const rows = groups.map(([index, members]) => causeRow(index, members));
  const results = groups.reduce((sum, [, members]) => sum + members.length, 0);
  const body = make("tbody", {}, make("tr", { class: "kind" },
    make("th", { scope: "rowgroup", colspan: 5 }, make("span", { class: `verdict ${kind.state}` }, sign(stateNamed(kind.state)), ` ${kind.name}`),
      make("span", { class: "quiet" }, ` ${plural(results, "result")} of ${plural(groups.length, "cause")}`))), ...rows.slice(0, CAUSES_AT_FIRST));
  if (rows.length <= CAUSES_AT_FIRST) return body;
  const more = make("button", { type: "button" }, `all ${rows.length} causes`);
  const last = make("tr", {}, make("td", { colspan: 5 }, more));
  more.addEventListener("click", () => last.replaceWith(...rows.slice(CAUSES_AT_FIRST)));
  body.append(last);
  return body;
}

// The causes of the results that match the filter, the kinds in their order and the most frequent causes first.
function showCauses(found) {
  const groups = [...Map.groupBy(found.matching.filter((pair) => kindOf(pair.result) && pair.result), (pair) => pair.result.cause)];
  groups.sort(([a, some], [b, others]) => others.length - some.length || a - b);
  const bodies = KINDS.map((kind) => [kind, groups.filter(([index]) => report.causes[index].kind === kind.name)]).filter(([, some]) => some.length);
  const head = make("thead", {}, make("tr", {}, ...["Results", "Runtime", "Verdict", "Its words, or ours", "Example"].map((title) => make("th", { scope: "col" }, title))));
  document.getElementById("causes").replaceChildren(bodies.length
    ? make("table", {}, head, ...bodies.map(([kind, some]) => kindRows(kind, some)))
    : make("p", { class: "nothing" }, pairs.length ? "Every result that matches passes." : "Nothing was run."));
}

// The causes as choices of the filter.
const causeWords = (index) => shortened(`${report.causes[index].adapter}: ${report.causes[index].message || report.causes[index].reason || report.causes[index].line}`, 60);
