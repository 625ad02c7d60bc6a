// Drawings of the models. They are one compressed block, decompressed when the first is needed. A drawing is shown as
// an image: whatever a model's names are, an image runs nothing and loads nothing.

let drawings = null;

async function readDrawings() {
  const packed = bytesOf(document.getElementById("drawings").textContent);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// The page's colours, light and dark, for an image that cannot see the page's styles.
function drawingStyle() {
  const colours = [...document.styleSheets[0].cssRules]
    .flatMap((rule) => (rule instanceof CSSMediaRule && rule.conditionText.includes("dark") ? [...rule.cssRules].map((each) => [rule.conditionText, each]) : [["", rule]]))
    .filter(([, rule]) => rule.selectorText === ":root")
    .map(([condition, rule]) => (condition ? `@media ${condition} { ${rule.cssText} }` : rule.cssText));
  return `<style>${colours.join("\n")} svg { color: var(--ink); }</style>`;
}

function drawingImage(svg, title) {
  const styled = svg.replace(/<svg\b[^>]*>/, (opening) => opening + drawingStyle());
  const address = URL.createObjectURL(new Blob([styled], { type: "image/svg+xml" }));
  const image = make("img", { src: address, alt: `The model of ${title}, drawn. The text below has the same content.` });
  return make("div", { class: "drawing", tabindex: "0", role: "group", "aria-label": "The model, drawn" }, image);
}

// {svg} or {undrawn: why}, then the text of the model.
function drawingNode(vector) {
  const box = make("div", {}, make("p", { class: "quiet" }, "Drawing …"));
  drawings ??= readDrawings();
  drawings.then(
    ({ svgs, of, undrawn }) => {
      const why = undrawn[vector.id] ?? "this vector has no drawing";
      box.replaceChildren(Object.hasOwn(of, vector.id) ? drawingImage(svgs[of[vector.id]], vector.id) : make("p", { class: "quiet" }, `No drawing: ${why}`));
    },
    (fault) => box.replaceChildren(make("p", { class: "warning" }, `The drawings cannot be read: ${fault.message}`)));
  return box;
}
