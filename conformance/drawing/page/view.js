// The view of the picture: its position, its scale, and how mouse, touch and keys move it.

const view = { x: 0, y: 0, scale: 1, canvas: document.getElementById("canvas"), group: null };

function showView() {
  view.group?.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
}

// Zooms, keeping the point (x, y) of the canvas in place.
function zoom(factor, x = view.canvas.clientWidth / 2, y = view.canvas.clientHeight / 2) {
  const scale = Math.min(4, Math.max(0.02, view.scale * factor));
  view.x = x - ((x - view.x) * scale) / view.scale;
  view.y = y - ((y - view.y) * scale) / view.scale;
  view.scale = scale;
  showView();
}

// Never larger than the original size; `least`: the text size that can still be read at the start.
function fit(picture, least = 0) {
  const { clientWidth: width, clientHeight: height } = view.canvas;
  view.scale = Math.max(least, Math.min(1.25, width / picture.width, height / picture.height));
  view.x = (width - picture.width * view.scale) / 2;
  view.y = Math.max(0, (height - picture.height * view.scale) / 2);
  showView();
}

function centreOn({ x, y, width, height }) {
  view.scale = Math.max(view.scale, 0.8);
  view.x = view.canvas.clientWidth / 2 - (x + width / 2) * view.scale;
  view.y = view.canvas.clientHeight / 2 - (y + Math.min(height / 2, 150)) * view.scale;
  showView();
}

const pointers = new Map();
let moved = 0;  // pixels since the pointer was pressed; a click moves little

function spread() {
  const [a, b] = [...pointers.values()];
  return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function at(event) {
  const frame = view.canvas.getBoundingClientRect();
  return { x: event.clientX - frame.left, y: event.clientY - frame.top };
}

view.canvas.addEventListener("pointerdown", (event) => {
  if (pointers.size === 0) moved = 0;
  pointers.set(event.pointerId, at(event));
});

window.addEventListener("pointermove", (event) => {
  const before = pointers.get(event.pointerId);
  if (!before) return;
  const now = at(event);
  if (pointers.size === 2) {
    const old = spread();
    pointers.set(event.pointerId, now);
    const fresh = spread();
    view.x += fresh.x - old.x;
    view.y += fresh.y - old.y;
    zoom(fresh.distance / Math.max(1, old.distance), fresh.x, fresh.y);
    moved = 100;
    return;
  }
  pointers.set(event.pointerId, now);
  moved += Math.hypot(now.x - before.x, now.y - before.y);
  if (moved < 4) return;
  view.canvas.classList.add("moving");
  view.x += now.x - before.x;
  view.y += now.y - before.y;
  showView();
});

for (const name of ["pointerup", "pointercancel"]) {
  window.addEventListener(name, (event) => {
    pointers.delete(event.pointerId);
    view.canvas.classList.remove("moving");
  });
}

view.canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const { x, y } = at(event);
  const lines = event.deltaMode === 1 ? 16 : 1;
  zoom(Math.exp(-Math.max(-100, Math.min(100, event.deltaY * lines)) / (event.ctrlKey ? 100 : 400)), x, y);
}, { passive: false });

const STEPS = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] };

view.canvas.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !STEPS[event.key]) return;
  event.preventDefault();
  view.x += STEPS[event.key][0];
  view.y += STEPS[event.key][1];
  showView();
});
