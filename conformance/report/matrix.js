// The matrix: a row per rule, a column per runtime, "k of n" in each cell.

const LEGEND = ["holds", "fail", "crash", "unsupported", "not-run", "broken"];

// Where the filter asks for verdicts a cell counts the results that match, otherwise those that pass.
function matrixCell(adapter, rule, members, filter) {
  if (members.vectors.length === 0) {
    const why = vectorsOf.get(rule.name).length === 0 ? "no vector" : isIdle(filter) ? "not its format" : "none here";
    return make("td", { class: "none" }, make("span", { class: "quiet" }, why));
  }
  const tally = tallyOf(members.matching.map((pair) => pair.result));
  const state = stateOfTally(tally);
  const n = members.vectors.length;
  if (state === null) return make("td", { class: "none" }, make("span", { class: "quiet" }, `0 of ${n}`));
  const rest = remainder(tally);
  const words = judges(filter) ? `${tally.vectors} of ${n}` : `${tally.verdicts.PASS} of ${n}`;
  return make("td", {},
    make("a", {
      class: `cell ${state.name}`,
      href: place({ adapter: adapter.name, rule: rule.name }),
      "aria-label": [`${adapter.name}, ${rule.name}: ${words} ${judges(filter) ? "match" : "pass"}`, rest].filter(Boolean).join(", "),
    },
      make("span", { class: "count" }, sign(state), ` ${words}`),
      rest && make("span", { class: "rest" }, rest)));
}

function matrixRow(rule, columns, members, filter) {
  const name = ruleName(rule.name);
  const none = { matching: [], vectors: [] };
  return make("tr", { "data-rule": rule.name },
    make("th", { scope: "row" },
      make("a", { class: "rule", href: place({ rule: rule.name }) }, name.holds),
      rule.holds && make("span", { class: "holds-text", title: rule.holds }, prose(rule.holds))),
    ...columns.map((adapter) => matrixCell(adapter, rule, members.get(key(adapter.name, rule.name)) ?? none, filter)));
}

function columnHead(adapter) {
  return make("th", { scope: "col" },
    make("a", { href: place({ adapter: adapter.name }) }, adapter.name),
    make("span", { class: "quiet" }, `${adapter.runtime} ${adapter.version}`));
}

function totalsRow(title, columns, text) {
  return make("tr", {}, make("th", { scope: "row" }, title), ...columns.map((adapter) => make("td", {}, text(adapter))));
}

function totalsRows(columns, filter, found) {
  if (isIdle(filter)) {
    return [
      totalsRow("Rules that hold", columns, (adapter) => `${totals.get(adapter.name).rules_holding} of ${totals.get(adapter.name).rules}`),
      totalsRow("Vectors that pass", columns, (adapter) => `${totals.get(adapter.name).verdicts.PASS} of ${totals.get(adapter.name).vectors}`),
      totalsRow("Vectors unsupported", columns, (adapter) => `${totals.get(adapter.name).verdicts.UNSUPPORTED} of ${totals.get(adapter.name).vectors}`),
    ];
  }
  const count = (some, adapter) => some.filter((pair) => pair.adapter === adapter).length;
  return [totalsRow("Results that match", columns, (adapter) => `${count(found.matching, adapter)} of ${totals.get(adapter.name).vectors}`)];
}

// (adapter, rule) → its pairs, those that match and those whose vectors match.
function membersOf(found) {
  const members = new Map();
  for (const group of ["vectors", "matching"]) {
    for (const pair of found[group]) {
      const at = key(pair.adapter.name, pair.vector.rule);
      if (!members.has(at)) members.set(at, { vectors: [], matching: [] });
      members.get(at)[group].push(pair);
    }
  }
  return members;
}

// Rules that no vector tests stay in sight, unless a part of the suite was asked for, in the run or here.
function rulesShown(filter, found) {
  const matched = new Set(found.matching.map((pair) => pair.vector.rule));
  return report.rules.filter((rule) => matched.has(rule.name) || (isIdle(filter) && report.selector === ""));
}

function rowsBySystem(shown, columns, members, filter) {
  const systems = Map.groupBy(shown, (rule) => ruleName(rule.name).system);
  return [...systems].map(([system, some]) =>
    make("tbody", {},
      make("tr", { class: "system" }, make("th", { scope: "rowgroup", colspan: columns.length + 1 }, system || "rules")),
      ...some.map((rule) => matrixRow(rule, columns, members, filter))));
}

function showMatrix(filter, found) {
  const box = document.getElementById("matrix");
  const columns = report.adapters.filter((adapter) => filter.runtime === "" || adapter.name === filter.runtime);
  const shown = rulesShown(filter, found);
  if (shown.length === 0) {
    box.replaceChildren(make("p", { class: "nothing" }, pairs.length ? "No result matches the filter." : "Nothing was run."));
    return;
  }
  const table = make("table", {},
    make("thead", {}, make("tr", {}, make("th", { scope: "col", class: "corner" }, "Rule"), ...columns.map(columnHead))),
    ...rowsBySystem(shown, columns, membersOf(found), filter),
    make("tfoot", {}, ...totalsRows(columns, filter, found)));
  table.style.setProperty("--runtimes", columns.length);
  box.replaceChildren(table);
}

function showLegend() {
  document.getElementById("legend").append(
    ...LEGEND.map((name) => STATES.find((state) => state.name === name)).map((state) => make("li", {}, sign(state), ` ${state.meaning}`)));
}

// Arrow keys walk the cells; Tab still visits each.
function moveBetweenCells(event) {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  const cell = event.target.closest("#matrix td, #matrix th");
  if (!step || !cell) return;
  const rows = [...document.querySelectorAll("#matrix tr[data-rule]")];
  let at = rows.indexOf(cell.parentElement), column = cell.cellIndex, target = null;
  do {
    at += step[0];
    column += step[1];
    target = rows[at]?.cells[column]?.querySelector("a");
  } while (!target && rows[at]?.cells[column]);
  if (!target) return;
  event.preventDefault();
  target.focus();
}

// A matrix that is wider than the page scrolls in its own box; otherwise its head sticks to the window.
function fitMatrix() {
  const box = document.getElementById("matrix");
  box.classList.remove("wide");
  box.classList.toggle("wide", box.firstElementChild.offsetWidth > box.clientWidth + 1);
}
