// The matrix: a row per rule, a column per runtime, "k of n" in each cell.

const LEGEND = ["holds", "fail", "crash", "unsupported", "not-run", "broken"];

function matrixCell(adapter, rule) {
  const tally = tallies.get(key(adapter.name, rule.name));
  const state = stateOfTally(tally);
  if (state === null) return make("td", { class: "none" }, make("span", { class: "quiet" }, vectorsOf.get(rule.name).length ? "not its format" : "no vector"));
  const rest = remainder(tally);
  const words = `${tally.verdicts.PASS} of ${tally.vectors}`;
  return make("td", {},
    make("a", {
      class: `cell ${state.name}`,
      href: place({ adapter: adapter.name, rule: rule.name }),
      "aria-label": [`${adapter.name}, ${rule.name}: ${words} pass`, rest].filter(Boolean).join(", "),
    },
      make("span", { class: "count" }, sign(state), ` ${words}`),
      rest && make("span", { class: "rest" }, rest)));
}

function matrixRow(rule) {
  const name = ruleName(rule.name);
  const cells = report.adapters.map((adapter) => matrixCell(adapter, rule));
  const tallied = report.adapters.map((adapter) => tallies.get(key(adapter.name, rule.name)));
  const row = make("tr", {},
    make("th", { scope: "row" },
      make("a", { class: "rule", href: place({ rule: rule.name }) }, name.holds),
      rule.holds && make("span", { class: "holds-text", title: rule.holds }, prose(rule.holds))),
    ...cells);
  row.dataset.words = `${rule.name} ${rule.holds}`.toLowerCase();
  row.dataset.open = tallied.some((tally) => tally.vectors > 0 && !tally.holds) ? "yes" : "no";
  return row;
}

function columnHead(adapter) {
  return make("th", { scope: "col" },
    make("a", { href: place({ adapter: adapter.name }) }, adapter.name),
    make("span", { class: "quiet" }, `${adapter.runtime} ${adapter.version}`));
}

function totalsRow(title, text) {
  return make("tr", {}, make("th", { scope: "row" }, title),
    ...report.adapters.map((adapter) => make("td", {}, text(totals.get(adapter.name)))));
}

// Rules that no vector tests stay in sight, unless the user asked for a part of the suite only.
function rowsBySystem() {
  const shown = report.rules.filter((rule) => report.selector === "" || vectorsOf.get(rule.name).length > 0);
  const systems = new Map();
  for (const rule of shown) {
    const { system } = ruleName(rule.name);
    if (!systems.has(system)) systems.set(system, []);
    systems.get(system).push(rule);
  }
  return [...systems].map(([system, members]) =>
    make("tbody", {},
      make("tr", { class: "system" }, make("th", { scope: "rowgroup", colspan: report.adapters.length + 1 }, system || "rules")),
      ...members.map(matrixRow)));
}

function showMatrix() {
  document.getElementById("matrix").append(
    make("table", {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col", class: "corner" }, "Rule"), ...report.adapters.map(columnHead))),
      ...rowsBySystem(),
      make("tfoot", {},
        totalsRow("Rules that hold", (total) => `${total.rules_holding} of ${total.rules}`),
        totalsRow("Vectors that pass", (total) => `${total.verdicts.PASS} of ${total.vectors}`),
        totalsRow("Vectors unsupported", (total) => `${total.verdicts.UNSUPPORTED} of ${total.vectors}`))));
  document.querySelector("#matrix table").style.setProperty("--runtimes", report.adapters.length);
  document.getElementById("legend").append(
    ...LEGEND.map((name) => STATES.find((state) => state.name === name)).map((state) => make("li", {}, sign(state), ` ${state.meaning}`)));
  document.getElementById("matrix").addEventListener("keydown", moveBetweenCells);
}

function filterMatrix() {
  const words = document.getElementById("filter-text").value.trim().toLowerCase();
  const openOnly = document.getElementById("filter-open").checked;
  for (const row of document.querySelectorAll("#matrix tr[data-words]")) {
    row.hidden = !row.dataset.words.includes(words) || (openOnly && row.dataset.open === "no");
  }
  for (const body of document.querySelectorAll("#matrix tbody")) {
    body.hidden = !body.querySelector("tr[data-words]:not([hidden])");
  }
}

// Arrow keys walk the cells; Tab still visits each.
function moveBetweenCells(event) {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  const cell = event.target.closest("#matrix td, #matrix th");
  if (!step || !cell) return;
  const rows = [...document.querySelectorAll("#matrix tr[data-words]:not([hidden])")];
  const row = rows[rows.indexOf(cell.parentElement) + step[0]];
  const target = row?.cells[cell.cellIndex + step[1]]?.querySelector("a");
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
