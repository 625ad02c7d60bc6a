// The filter selects the results that are shown. Its state is that of the form and of the address, and nothing else.

const FACETS = ["runtime", "system", "axis", "verdict", "known", "cause"];
const FILTER_WORDS = [...FACETS, "q"];
const MEANINGS = {
  "not-pass": "does not pass", failing: "fails in any way", known: "on the known-failure list", unlisted: "on no list",
};

// The values of a result for the verdict's choice: PASS; or not-pass, failing, FAIL, wrong-value; …
function verdictWords(result) {
  const verdict = verdictOf(result);
  if (verdict === "PASS") return [verdict];
  const kind = kindOf(result);
  const kinds = KINDS.filter((each) => each.name === kind && each.word === kind).map((each) => each.word);
  return [...new Set(["not-pass", ...(verdict in FAILING_WORDS ? ["failing"] : []), ...kinds, verdict, ...(result?.fault ? [result.fault] : [])])];
}

function pairOf(adapter, vector) {
  const result = results.get(key(adapter.name, vector.id)) ?? null;
  const listable = verdictOf(result) in LISTED_WORDS;
  const facts = {
    runtime: [adapter.name], system: [ruleName(vector.rule).system], axis: [vector.axis],
    verdict: verdictWords(result), known: listable ? [result.known ? "known" : "unlisted"] : [],
    cause: result && result.cause !== null ? [String(result.cause)] : [],
  };
  return { adapter, vector, result, facts, words: null };
}

// The runtime's own message.
const messageOf = (got) => ["refused", "unsupported", "adapter_error"].map((answer) => got?.[answer]?.message ?? "").join(" ");

// The text that is searched: of the vector, and of the result what was said and printed. Made when it is first needed.
function wordsOf(pair) {
  const { vector, result } = pair;
  pair.words ??= [vector.id, vector.title, rules.get(vector.rule).holds, lineOf(result), result?.reason, messageOf(result?.got), result?.evidence].join(" ").toLowerCase();
  return pair.words;
}

// Every runtime with every vector in its scope.
const pairs = report.adapters.flatMap((adapter) => report.vectors.filter((vector) => inScope(adapter, vector)).map((vector) => pairOf(adapter, vector)));

const form = () => document.getElementById("filter");
const filterNow = () => Object.fromEntries(FILTER_WORDS.map((name) => [name, form().elements[name].value.trim()]));
const isIdle = (filter) => FILTER_WORDS.every((name) => filter[name] === "");
const judges = (filter) => filter.verdict !== "" || filter.known !== "" || filter.cause !== "";

const hasWords = (text, filter) => filter.q.toLowerCase().split(/\s+/).every((word) => text.includes(word));

// {matching, vectors, offered}: the pairs that match everything; those that match everything that concerns the vector;
// and how many would match each value of each choice if the other choices stayed.
function look(filter) {
  const offered = Object.fromEntries(FACETS.map((facet) => [facet, new Map()]));
  const found = { matching: [], vectors: [], offered };
  for (const pair of pairs) {
    if (filter.q !== "" && !hasWords(wordsOf(pair), filter)) continue;
    const missed = FACETS.filter((facet) => filter[facet] !== "" && !pair.facts[facet].includes(filter[facet]));
    if (missed.length === 0) found.matching.push(pair);
    if (!missed.some((facet) => !["verdict", "known", "cause"].includes(facet))) found.vectors.push(pair);
    for (const facet of FACETS.filter((each) => missed.every((other) => other === each))) {
      for (const value of pair.facts[facet]) offered[facet].set(value, (offered[facet].get(value) ?? 0) + 1);
    }
  }
  return found;
}

// The values of a choice: in the report's order; verdicts from the general to the specific.
function valuesOf(facet) {
  const present = new Set(pairs.flatMap((pair) => pair.facts[facet]));
  if (facet === "cause") return [...present].sort((a, b) => a - b);
  if (facet !== "verdict") return [...present];
  const faults = [...new Set(report.results.map((result) => result.fault))].sort();
  const order = ["not-pass", "failing", ...KINDS.map((kind) => kind.word).filter((word) => word.includes(" ")), ...STATES.flatMap((state) => state.verdicts).flatMap((verdict) => [verdict, ...(verdict === "FAIL" ? faults : [])])];
  return order.filter((word) => present.has(word));
}

function showChoices() {
  for (const facet of FACETS) {
    const options = valuesOf(facet).map((value) => make("option", { value }));
    form().elements[facet].replaceChildren(make("option", { value: "" }, "all"), ...options);
  }
}

// Shows after each value of a choice how many results it would leave.
function countChoices(offered) {
  for (const facet of FACETS) {
    for (const option of form().elements[facet].options) {
      if (option.value === "") continue;
      const indent = facet === "verdict" && /^[a-z]+-[a-z]+$/.test(option.value) && !(option.value in MEANINGS) ? "\u00a0\u00a0" : "";
      const meaning = facet === "cause" ? causeWords(option.value) : MEANINGS[option.value] ?? option.value;
      option.textContent = seen(`${indent}${meaning} (${offered[facet].get(option.value) ?? 0})`);
    }
  }
}

// An unknown value leaves its choice open.
function setFilter(words) {
  for (const facet of FACETS) {
    const wanted = words.get(facet) ?? "";
    const choice = form().elements[facet];
    choice.value = [...choice.options].some((option) => option.value === wanted) ? wanted : "";
  }
  form().elements.q.value = words.get("q") ?? "";
}

function filterPlace(filter) {
  const said = Object.entries(filter).filter(([, value]) => value !== "");
  return said.length ? place(Object.fromEntries(said)) : location.pathname + location.search;
}

function foundSentence(filter, found) {
  const ruleCount = new Set(found.matching.map((pair) => pair.vector.rule)).size;
  if (isIdle(filter)) return `${plural(pairs.length, "result")} of ${plural(ruleCount, "rule")}.`;
  if (found.matching.length === 0) return "No result matches.";
  const runtimeCount = new Set(found.matching.map((pair) => pair.adapter)).size;
  return `${found.matching.length} of ${plural(pairs.length, "result")} match: ${plural(ruleCount, "rule")}, ${plural(runtimeCount, "runtime")}.`;
}

let filterShown = null;  // key() of the filter shown: opening or closing a panel rebuilds nothing, and the focus stays

// Rebuilds everything that depends on the filter.
function showFiltered() {
  const filter = filterNow();
  filterShown = key(filter);
  const found = look(filter);
  countChoices(found.offered);
  document.querySelector("#found [role=status]").textContent = foundSentence(filter, found);
  document.getElementById("clear").hidden = isIdle(filter);
  showCauses(found);
  showMatrix(filter, found);
  showDetails(filter, found);
  fitMatrix();
}

function listenToFilter() {
  const changed = () => {
    history.replaceState(null, "", filterPlace(filterNow()));
    showFiltered();
  };
  form().addEventListener("submit", (event) => event.preventDefault());
  form().addEventListener("input", changed);
  document.getElementById("clear").addEventListener("click", () => {
    setFilter(new URLSearchParams());
    changed();
    form().elements.q.focus();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
    event.preventDefault();
    form().elements.q.focus();
  });
}
