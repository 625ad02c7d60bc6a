// Profiles: what each runtime reaches of each version of an operator, and which rules are missing.

function levelCell(level) {
  if (!level) return make("td", { class: "none" }, make("span", { class: "quiet" }, "no vector"));
  const words = `${level.rules_holding} of ${plural(level.rules, "rule")}`;
  if (level.missing.length === 0) return make("td", {}, `✓ ${words}`);
  const links = level.missing.map((rule) => make("li", {}, make("a", { href: place({ adapter: level.adapter, rule }) }, ruleName(rule).holds)));
  return make("td", {}, fold(`${words}; ${level.missing.length} missing`, false, make("ul", {}, ...links)));
}

function profileRow(profile, of) {
  return make("tr", {}, make("th", { scope: "row" }, make("code", {}, profile)), ...AXES.map((axis) => levelCell(of.find((level) => level.axis === axis))));
}

// A fold of a runtime's card would be too narrow for a table: each runtime has a fold of its own below the cards.
function profilesOf(adapter) {
  const levels = report.levels.filter((level) => level.adapter === adapter.name);
  if (levels.length === 0) return "";
  const rows = [...Map.groupBy(levels, (level) => level.profile)].map(([profile, of]) => profileRow(profile, of));
  const head = make("tr", {}, make("th", { scope: "col" }, "Profile"), ...AXES.map((axis) => make("th", { scope: "col" }, axis)));
  return fold(`${adapter.name}: rules that hold in each profile`, false, make("div", { class: "matrix" }, make("table", { class: "levels" }, make("thead", {}, head), make("tbody", {}, ...rows))));
}

function showProfiles() {
  document.getElementById("profiles").append(...report.adapters.map(profilesOf).filter(Boolean));
}
