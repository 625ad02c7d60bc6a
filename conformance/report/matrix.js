// The matrix: a row per rule, a column per runtime, "k of n" of each axis in each cell.

const LEGEND = ["holds", "fail", "crash", "lenient", "not-shown", "unsupported", "not-run", "broken", "not-if"];

// One axis of a cell. Where the filter selects verdicts it counts the results that match, otherwise those that pass.
function axisCount(axis, members, filter) {
  const all = members.vectors.filter((pair) => pair.vector.axis === axis).map((pair) => pair.result);
  if (all.length === 0) return null;
  const n = judges(filter) ? all.length : counting(tallyOf(all));
  const tally = tallyOf(members.matching.filter((pair) => pair.vector.axis === axis).map((pair) => pair.result));
  return { axis, state: stateOfTally(tally), rest: remainder(tally), words: `${judges(filter) ? tally.vectors : tally.verdicts.PASS} of ${n}` };
}

function axisLine({ axis, state, rest, words }) {
  return make("span", { class: `axis ${state ? state.name : "none"}` },
    make("span", { class: "count" }, state ? sign(state) : "", ` ${words} `), make("span", { class: "axis-name" }, axis),
    rest && make("span", { class: "rest" }, rest));
}

function matrixCell(adapter, rule, members, filter) {
  const counts = AXES.map((axis) => axisCount(axis, members, filter)).filter(Boolean);
  if (counts.length === 0) {
    const why = vectorsOf.get(rule.name).length === 0 ? "no vector" : isIdle(filter) ? "not its format" : "none here";
    return make("td", { class: "none" }, make("span", { class: "quiet" }, why));
  }
  const states = counts.map((count) => count.state).filter(Boolean);
  if (states.length === 0) return make("td", { class: "none" }, make("span", { class: "quiet" }, `0 of ${members.vectors.length}`));
  const worst = states.reduce((a, b) => (STATES.indexOf(a) < STATES.indexOf(b) ? a : b));
  const said = counts.map(({ axis, words, rest }) => [`${axis} ${words}`, rest].filter(Boolean).join(", "));
  return make("td", {},
    make("a", {
      class: `cell ${worst.name}`,
      href: place({ adapter: adapter.name, rule: rule.name }),
      "aria-label": `${adapter.name}, ${rule.name}: ${said.join("; ")}${judges(filter) ? " match" : ""}`,
    }, ...counts.map(axisLine)));
}

function matrixRow(rule, columns, members, filter) {
  const name = ruleName(rule.name);
  const none = { matching: [], vectors: [] };
  return make("tr", { "data-rule": rule.name },
    make("th", { scope: "row" },
      make("a", { class: "rule", href: place({ rule: rule.name }) }, name.holds),
      rule.group === "If" ? "" : make("span", { class: "quiet" }, ` ${rule.group}`),
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

function axisTotals(axis, columns) {
  const total = (adapter) => totals.get(key(adapter.name, axis));
  const k = (text) => (adapter) => (total(adapter).vectors === 0 ? "" : text(total(adapter)));
  return [
    totalsRow(`${axis}: vectors that pass`, columns, k((each) => `${each.verdicts.PASS} of ${counting(each)}`)),
    totalsRow(`${axis}: rules that hold`, columns, k((each) => `${each.rules_holding} of ${each.rules}`)),
  ];
}

function totalsRows(columns, filter, found) {
  if (isIdle(filter)) return AXES.flatMap((axis) => axisTotals(axis, columns));
  const count = (some, adapter) => some.filter((pair) => pair.adapter === adapter).length;
  return [totalsRow("results that match", columns, (adapter) => `${count(found.matching, adapter)} of ${count(pairs, adapter)}`)];
}

// (adapter, rule) → its pairs: those that match, and those whose vectors match.
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

// Rules that no vector tests stay visible, unless a part of the suite was selected, in the run or here.
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

// Arrow keys move between the cells; Tab still visits each.
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

// A matrix that is wider than the page scrolls in its own box; otherwise its head stays at the top of the window.
function fitMatrix() {
  const box = document.getElementById("matrix");
  box.classList.remove("wide");
  box.classList.toggle("wide", box.firstElementChild.offsetWidth > box.clientWidth + 1);
}
