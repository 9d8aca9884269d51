// The times of any two, puzzle by puzzle.
const pairChoice = { x: rankedBackends[1] ?? rankedBackends[0] ?? 0, y: rankedBackends[0] ?? 0, kind: "log" };

function pairOf(first, second) {
  for (const pair of data.pairs) {
    if (pair.first === first && pair.second === second) return pair;
    if (pair.first === second && pair.second === first) {
      const [value, low, high] = pair.speedup, [faster, ties, slower, neither, bounds] = pair.counts;
      const turned = value === null ? pair.speedup : [1 / value, 1 / high, 1 / low];
      return { first, second, speedup: turned, counts: [slower, ties, faster, neither, bounds], p: pair.p };
    }
  }
  return null;
}

function drawScatter(host) {
  const { x: a, y: b, kind } = pairChoice, both = [a, b];
  const [low, high] = timeBounds(both, kind), lost = anyLost(both), edge = lost && data.limit ? data.limit : high;
  const axis = (backend) => ({ kind, low, high, text: shortTime, title: nameOf(backend), limit: lost ? data.limit : null });
  const found = frame(host, { label: `Times of ${nameOf(a)} and ${nameOf(b)}`, square: true, x: axis(a), y: axis(b) });
  drawDiagonals(found, low, high, kind);
  const at = (t) => (t === -1 ? edge : t);
  for (const i of counted) {
    const ta = data.medians[a][i], tb = data.medians[b][i];
    if (ta === null || tb === null) continue;
    const px = found.x(at(ta)), py = found.y(at(tb)), unanswered = ta === -1 || tb === -1;
    const winner = ta !== -1 && (tb === -1 || ta < tb) ? a : b;
    found.add(svg("circle", { class: unanswered ? "mark open" : "mark", cx: px, cy: py, r: 3.6, colour: colourOf(winner) }));
    found.points.push({
      x: px, y: py, go: () => openInstance(i),
      text: () => `${instanceText(i)}\n${nameOf(a)}: ${answerText(ta)}\n${nameOf(b)}: ${answerText(tb)}`,
    });
  }
  drawWords();
}

function drawDiagonals(found, low, high, kind) {
  const clip = `clip-${Math.round(found.box.width)}`;
  found.add(svg("clipPath", { id: clip }, svg("rect", {
    x: found.box.left, y: found.box.top, width: found.box.right - found.box.left, height: found.box.bottom - found.box.top,
  })));
  const base = kind === "log" ? low : Math.max(low, high * 1e-6);
  for (const k of [1, 10, 0.1]) {
    found.add(svg("line", {
      class: k === 1 ? "diagonal" : "diagonal far", "clip-path": `url(#${clip})`,
      x1: found.x(base), y1: found.y(base) - shift(found, base, k), x2: found.x(high), y2: kind === "log" ? found.y(high) - shift(found, high, k) : found.y(high * k),
    }));
  }
}
// Beyond its bounds a scale stands still, so a line of k times the other is moved by pixels.
function shift(found, value, k) {
  return k === 1 || pairChoice.kind !== "log" ? 0 : Math.log(k) / (Math.log(found.decade || (found.decade = decadeOf(found)))) ;
}
function decadeOf(found) {
  const [low, high] = timeBounds([pairChoice.x, pairChoice.y], "log");
  return Math.exp(Math.log(high / low) / (found.box.bottom - found.box.top));
}

function drawWords() {
  const { x: a, y: b } = pairChoice, host = byId("scatter-words"), pair = pairOf(b, a);
  if (!pair) { host.replaceChildren(el("p", { class: "soft", text: "Choose two different backends." })); return; }
  const [value, low, high] = pair.speedup, [faster, ties, slower, neither, bounds] = pair.counts;
  if (value === null) { host.replaceChildren(el("p", { class: "soft", text: "No puzzle was answered by either, or there is no limit to compare with." })); return; }
  const [quick, slow, shown] = value >= 1 ? [b, a, [value, low, high]] : [a, b, [1 / value, 1 / high, 1 / low]];
  const total = faster + ties + slower;
  const part = (size, colour) => el("i", { background: colour, flex: String(size) });
  const bar = el("div", { class: "bar", role: "img", "aria-label": `${faster}, ${ties}, ${slower}` }, part(faster, colourOf(b)), part(ties, "var(--line)"), part(slower, colourOf(a)));
  host.replaceChildren(...[
    el("b", { class: "big", text: ratio(shown[0]) }),
    el("p", { text: `${nameOf(quick)} is quicker than ${nameOf(slow)}, by the geometric mean over ${total} puzzles.` }),
    el("p", { class: "soft", text: `95 % interval ${ratio(shown[1]).replace(" ×", "")} – ${ratio(shown[2])}; ${pText(pair.p)}` }),
    bar,
    el("p", { text: `${nameOf(b)} quicker on ${faster}, ties on ${ties}, ${nameOf(a)} quicker on ${slower}.` }),
    neither || bounds ? el("p", { class: "soft", text: `${bounds} with one answer missing (the ratio is a bound), ${neither} with neither.` }) : null,
  ].filter(Boolean));
}
function pText(p) {
  const text = p < 0.0001 ? "p < 0.0001" : `p = ${Number(p.toPrecision(2))}`;
  return `${text} (Wilcoxon, Holm): ${p < 0.05 ? "told apart" : "not told apart"}.`;
}

function choosePair(x, y) {
  Object.assign(pairChoice, { x, y });
  byId("scatter-x").value = x;
  byId("scatter-y").value = y;
  drawScatter(byId("scatter"));
}
function scatterControls() {
  for (const side of ["x", "y"]) {
    const select = byId(`scatter-${side}`);
    select.replaceChildren(...rankedBackends.map((b) => el("option", { value: b, text: nameOf(b) })));
    select.addEventListener("change", () => choosePair(Number(byId("scatter-x").value), Number(byId("scatter-y").value)));
    select.value = pairChoice[side];
  }
  byId("scatter-swap").addEventListener("click", () => choosePair(pairChoice.y, pairChoice.x));
}
