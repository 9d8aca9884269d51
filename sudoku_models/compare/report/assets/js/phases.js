// The mean time of each phase, stacked.
let phasesBy = "share";

function drawPhases(host) {
  const names = Object.keys(data.runs.phases), rows = data.backends.map((b, i) => i).filter((i) => Object.keys(data.backends[i].phases).length);
  const total = (b) => Object.values(data.backends[b].phases).reduce((sum, t) => sum + t, 0);
  const most = Math.max(...rows.map(total), 1e-9), width = Math.max(260, host.clientWidth), narrow = width < 560;
  const left = narrow ? 0 : Math.min(280, width * 0.3), right = 72, step = narrow ? 44 : 30, top = 30;
  const height = top + rows.length * step + 6;
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": "Mean time by phase" });
  phaseLegend(root, names, width);
  rows.forEach((b, k) => {
    const y = top + k * step + (narrow ? 18 : 4), whole = phasesBy === "share" ? total(b) : most;
    root.append(svg("text", { class: "strong", x: narrow ? 0 : left - 12, y: narrow ? y - 5 : y + 14, "text-anchor": narrow ? "start" : "end", text: fitted(nameOf(b), narrow ? width - 80 : left) }));
    let x = left;
    names.forEach((name, n) => {
      const t = data.backends[b].phases[name] || 0, w = whole ? t / whole * (width - left - right) : 0;
      if (w <= 0) return;
      root.append(svg("rect", {
        x, y, width: Math.max(0, w - 0.5), height: 20, style: `fill:${phaseColour(n)}`,
        onpointermove: (event) => showTip(event, `${nameOf(b)}, ${name}\n${time(t)}, ${Math.round(100 * t / total(b))} %`), onpointerleave: hideTip,
      }));
      x += w;
    });
    root.append(svg("text", { x: x + 8, y: y + 14, text: time(total(b)) }));
  });
  host.replaceChildren(root);
}
const phaseColour = (n) => `var(--c${[9, 4, 7, 1, 0, 5, 2, 3, 6, 8][n % 10]})`;
const fitted = (text, width) => (text.length * 6.6 > width ? `${text.slice(0, Math.max(8, Math.floor(width / 6.6) - 1))}…` : text);
function phaseLegend(root, names, width) {
  let x = 0;
  const step = Math.min(96, width / Math.max(1, names.length));
  names.forEach((name, n) => {
    root.append(svg("rect", { x, y: 4, width: 10, height: 10, rx: 2, style: `fill:${phaseColour(n)}` }));
    root.append(svg("text", { x: x + 14, y: 13, text: name, "font-size": step < 60 ? 9.5 : 12 }));
    x += step;
  });
}
