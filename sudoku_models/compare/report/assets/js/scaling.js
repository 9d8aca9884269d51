// Time against the side of the board, the share of givens, their number: each backend on all that it takes.
const everyInstance = data.instances.map((_, i) => i);
const scalingMeasures = {
  side: { title: "side of the board", of: (n) => n.side || null, text: count },
  density: { title: "share of cells given", of: (n) => (n.cells ? n.clues / n.cells : null), text: (v) => `${Math.round(v * 100)} %` },
  clues: { title: "givens", of: (n) => n.clues, text: count },
};
let scalingBy = null;

const distinct = (measure) => [...new Set(everyInstance.map((i) => measure.of(data.instances[i])).filter((v) => v !== null))].sort((a, b) => a - b);

function drawScaling(host) {
  const measure = scalingMeasures[scalingBy], values = distinct(measure);
  const wide = values.length && values[0] > 0 && values[values.length - 1] / values[0] > 8 ? "log" : "linear";
  const [first, last] = [values[0] ?? 0, values[values.length - 1] ?? 1], margin = (last - first || 1) * 0.06;
  const bounds = wide === "log" ? [first / 1.15, last * 1.15] : [first - margin, last + margin];
  const found = frame(host, {
    label: `Time against ${measure.title}`, height: 360, emphasise: true,
    x: { kind: wide, low: bounds[0], high: bounds[1], text: measure.text, title: measure.title, ticks: values.length <= 8 ? values : null },
    y: { ...timeAxis("log", ""), title: "time of a run" },
  });
  const some = shown(), spread = values.length <= 8 ? Math.min(44, 0.5 * (found.box.right - found.box.left) / Math.max(1, values.length)) : 0;
  some.forEach((b, k) => {
    const offset = some.length > 1 ? (k / (some.length - 1) - 0.5) * spread : 0;
    drawMarks(found, measure, b, offset);
  });
  some.forEach((b, k) => {
    const offset = some.length > 1 ? (k / (some.length - 1) - 0.5) * spread : 0;
    drawMedians(found, measure, b, values, offset);
  });
}

function drawMarks(found, measure, b, offset) {
  for (const i of everyInstance) {
    const t = data.medians[b][i], v = measure.of(data.instances[i]);
    if (t === null || v === null || (t === -1 && !data.limit)) continue;
    const px = found.x(v) + offset, py = found.y(t === -1 ? data.limit : t);
    found.add(svg("circle", { class: t === -1 ? "mark open" : "mark", cx: px, cy: py, r: 2.6, colour: colourOf(b), "data-series": b }));
    found.points.push({ x: px, y: py, series: b, text: () => `${nameOf(b)}: ${answerText(t)}\n${instanceText(i)}`, go: () => openInstance(i) });
  }
}

// Medians of up to ten groups of the sorted values, each of about as many puzzles.
function drawMedians(found, measure, b, values, offset) {
  const run = everyInstance.filter((i) => data.medians[b][i] !== null && measure.of(data.instances[i]) !== null);
  const sorted = run.sort((p, q) => measure.of(data.instances[p]) - measure.of(data.instances[q]));
  const groups = values.length <= 10 ? values.map((v) => sorted.filter((i) => measure.of(data.instances[i]) === v))
    : Array.from({ length: 10 }, (_, k) => sorted.slice(Math.floor(k * sorted.length / 10), Math.floor((k + 1) * sorted.length / 10)));
  const points = groups.filter((group) => group.length).map((group) => {
    const middle = median(group.map((i) => (data.medians[b][i] === -1 ? Infinity : data.medians[b][i])));
    const level = middle === Infinity ? data.limit : middle;
    return level === null ? null : [found.x(median(group.map((i) => measure.of(data.instances[i])))) + offset, found.y(level)];
  }).filter(Boolean);
  if (points.length > 1) series(found, b, "M" + points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join("L"));
}

function scalingControls(changed) {
  const usable = Object.keys(scalingMeasures).filter((name) => distinct(scalingMeasures[name]).length > 1);
  const names = usable.length ? usable : ["clues"];
  scalingBy = names[0];
  switcher(byId("scaling-by"), names.map((name) => [name, scalingMeasures[name].title]), scalingBy, (name) => { scalingBy = name; changed(); });
}
