// The frame of a plot: axes, labels, a layer to draw in, the nearest point under the pointer.
const plots = [];

function plot(host, draw) {
  const redraw = () => { if (host.clientWidth) draw(host); };
  plots.push(redraw);
  let width = 0;
  new ResizeObserver(() => { if (host.clientWidth !== width) { width = host.clientWidth; redraw(); } }).observe(host);
  return redraw;
}
function redrawAll() { for (const redraw of plots) redraw(); }

// options: height, square, label, x and y: {kind, low, high, text, title, limit}
function frame(host, options) {
  const width = Math.max(260, host.clientWidth), pad = { left: 58, right: 16, top: options.y.title ? 30 : 12, bottom: 42 };
  const height = options.square ? Math.min(width, 560) : options.height || 320;
  const right = options.square ? Math.min(width - pad.right, pad.left + height - pad.top - pad.bottom) : width - pad.right;
  const x = scaleOf(options.x.kind, options.x.low, options.x.high, pad.left, right);
  const y = scaleOf(options.y.kind, options.y.low, options.y.high, height - pad.bottom, pad.top);
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": options.label });
  const box = { left: pad.left, right, top: pad.top, bottom: height - pad.bottom, width, height };
  drawTicks(root, box, x, y, options);
  drawLimits(root, box, x, y, options);
  host.replaceChildren(root);
  const points = [];
  const found = { root, x, y, box, points, add: (node) => (root.append(node), node) };
  hover(found, options);
  return found;
}

function drawTicks(root, box, x, y, options) {
  const ticks = options.x.ticks || x.ticks(), room = (box.right - box.left) / Math.max(1, ticks.length);
  ticks.forEach((tick, i) => {
    root.append(svg("line", { class: "tick", x1: x(tick), x2: x(tick), y1: box.top, y2: box.bottom }));
    if (room < 38 && i % 2) return;
    root.append(svg("text", { x: x(tick), y: box.bottom + 17, "text-anchor": "middle", text: options.x.text(tick) }));
  });
  for (const tick of y.ticks()) {
    root.append(svg("line", { class: "tick", x1: box.left, x2: box.right, y1: y(tick), y2: y(tick) }));
    root.append(svg("text", { x: box.left - 8, y: y(tick) + 4, "text-anchor": "end", text: options.y.text(tick) }));
  }
  root.append(svg("line", { class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }));
  root.append(svg("line", { class: "axis", x1: box.left, x2: box.left, y1: box.top, y2: box.bottom }));
  root.append(svg("text", { class: "strong", x: box.right, y: box.bottom + 36, "text-anchor": "end", text: options.x.title }));
  if (options.y.title) root.append(svg("text", { class: "strong", x: 0, y: 14, text: options.y.title }));
}

function drawLimits(root, box, x, y, options) {
  if (options.x.limit) {
    const at = x(options.x.limit);
    root.append(svg("line", { class: "limit", x1: at, x2: at, y1: box.top, y2: box.bottom }));
  }
  if (options.y.limit) {
    const at = y(options.y.limit);
    root.append(svg("line", { class: "limit", x1: box.left, x2: box.right, y1: at, y2: at }));
  }
}

// points: {x, y, text, series?, go?}; the nearest within 28 pixels answers.
function hover(found, options) {
  const halo = svg("circle", { class: "halo", r: 6, visibility: "hidden" });
  const nearest = (event) => {
    const box = found.root.getBoundingClientRect(), k = found.box.width / box.width;
    const px = (event.clientX - box.left) * k, py = (event.clientY - box.top) * k;
    let best = null, least = 28 * 28;
    for (const point of found.points) {
      const d = (point.x - px) ** 2 + (point.y - py) ** 2;
      if (d < least) [best, least] = [point, d];
    }
    return best;
  };
  found.root.addEventListener("pointermove", (event) => {
    const point = nearest(event);
    if (!point) { leave(); return; }
    found.root.append(halo);
    put(halo, { cx: point.x, cy: point.y, visibility: "visible" });
    showTip(event, point.text());
    found.root.style.cursor = point.go ? "pointer" : "";
    if (options.emphasise) emphasise(found.root, point.series);
  });
  const leave = () => { halo.setAttribute("visibility", "hidden"); hideTip(); found.root.style.cursor = ""; emphasise(found.root, null); };
  found.root.addEventListener("pointerleave", leave);
  found.root.addEventListener("click", (event) => { const point = nearest(event); if (point && point.go) { hideTip(); point.go(); } });
}
function emphasise(root, series) {
  for (const node of root.querySelectorAll("[data-series]")) {
    node.classList.toggle("faint", series !== null && series !== undefined && Number(node.dataset.series) !== series);
  }
}

function instanceText(i) {
  const instance = data.instances[i], side = instance.side ? `, ${instance.side} × ${instance.side}` : "";
  return `#${instance.n} ${instance.name}${side}, ${instance.clues} givens`;
}
const answerText = (t) => (t === null ? "not run" : t === -1 ? "no answer" : time(t));
