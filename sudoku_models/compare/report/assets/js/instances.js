// Every puzzle, with its board and the backends' runs. Bodies are drawn when they are opened.
const PAGE = 30;
const runsOf = data.instances.map(() => []);
data.runs.instance.forEach((instance, run) => runsOf[instance].push(run));
let instancesShown = PAGE;

const everyBackend = data.backends.map((_, b) => b);
const slowest = (i) => Math.max(...everyBackend.map((b) => (data.medians[b][i] === -1 ? Infinity : data.medians[b][i] ?? 0)));
const missing = (i) => everyBackend.filter((b) => data.medians[b][i] === -1).length;
function discord(i) {
  const times = rankedBackends.map((b) => data.medians[b][i]).filter((t) => t > 0);
  return times.length > 1 ? Math.max(...times) / Math.min(...times) : 0;
}
const quickest = (i) => Math.min(...rankedBackends.map((b) => (data.medians[b][i] > 0 ? data.medians[b][i] : Infinity)));
const orders = {
  "as they came": (p, q) => data.instances[p].n - data.instances[q].n,
  "hardest for the best": (p, q) => quickest(q) - quickest(p) || 0,
  "most missing answers": (p, q) => missing(q) - missing(p) || slowest(q) - slowest(p) || 0,
  "widest apart": (p, q) => discord(q) - discord(p),
  "fewest givens": (p, q) => data.instances[p].clues - data.instances[q].clues,
};

function searchText(i) {
  const n = data.instances[i], statuses = new Set(runsOf[i].map((run) => data.statuses[data.runs.status[run]]));
  return `#${n.n} ${n.name} ${n.place} ${n.sha} ${n.side}x${n.side} ${n.clues} givens ${[...statuses].join(" ")}`.toLowerCase();
}
let searchTexts = null;

function chosenInstances() {
  searchTexts = searchTexts || data.instances.map((_, i) => searchText(i));
  const words = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = data.instances.map((_, i) => i).filter((i) => words.every((word) => searchTexts[i].includes(word)));
  return found.sort(orders[byId("order").value]);
}

function listInstances() {
  const found = chosenInstances(), part = found.slice(0, instancesShown);
  byId("instance-list").replaceChildren(...part.map(instanceEntry));
  byId("instances-count").textContent = `${count(found.length)} of ${count(data.instances.length)} puzzles. A mark is a backend's median time, from quick to slow; hollow at the right end: no answer.`;
  byId("more").hidden = part.length === found.length;
}

function instanceEntry(i) {
  const n = data.instances[i], size = n.side ? `${n.side} × ${n.side}, ` : "";
  const entry = el("details", { class: "instance", id: `instance-${i}` },
    el("summary", {}, boardOf(n, true), el("span", { class: "name", text: `#${n.n} ${n.name}`, title: n.place }), el("span", { class: "soft", text: `${size}${n.clues} givens` }), strip(i)));
  entry.addEventListener("toggle", () => { if (entry.open && entry.children.length === 1) entry.append(instanceBody(i)); });
  return entry;
}

let stripScale = null;
function strip(i) {
  stripScale = stripScale || logScale(...timeBounds(everyBackend, "log"), 6, 286);
  const root = svg("svg", { class: "strip", viewBox: "0 0 300 22", preserveAspectRatio: "xMidYMid meet", role: "img", "aria-label": "times of all backends" });
  root.append(svg("line", { x1: 4, x2: 296, y1: 11, y2: 11 }));
  for (const b of everyBackend) {
    const t = data.medians[b][i];
    if (t === null) continue;
    const lost = t === -1;
    const mark = svg("circle", { cx: lost ? 294 : stripScale(t), cy: 11, r: 4.4, style: lost ? `fill:var(--card);stroke:${colourOf(b)};stroke-width:1.6` : `fill:${colourOf(b)};fill-opacity:.85` });
    mark.append(svg("title", { text: `${nameOf(b)}: ${answerText(t)}` }));
    root.append(mark);
  }
  return root;
}

function instanceBody(i) {
  const headings = ["backend", "status", "time", "CPU", "memory", "unique", ...Object.keys(data.runs.phases), "remark"];
  const head = el("tr", {}, ...headings.map((text, k) => el("th", { class: k < 2 || text === "remark" ? "text" : "number", scope: "col", text })));
  const table = el("table", { class: "sheet" }, el("thead", {}, head), el("tbody", {}, ...runsOf[i].map(runRow)));
  sortable(table);
  const place = el("p", { class: "caption", text: `${data.instances[i].place ? `${data.instances[i].place}, ` : ""}SHA-256 ${data.instances[i].sha.slice(0, 16)}…` });
  return el("div", { class: "body" }, el("div", {}, data.instances[i].board ? boardOf(data.instances[i], false) : null, place), el("div", { class: "scroll" }, table));
}

function runRow(run) {
  const r = data.runs, b = r.backend[run], status = data.statuses[r.status[run]], fine = data.fine[r.status[run]];
  const number = (value, text) => el("td", { class: "number", "data-value": value ?? "", text });
  const again = r.seed[run] || r.repeat[run] ? ` (seed ${r.seed[run]}, repeat ${r.repeat[run]})` : "";
  return el("tr", {},
    el("td", { class: "text" }, el("i", { class: "dot", colour: colourOf(b) }), document.createTextNode(nameOf(b) + again)),
    el("td", { class: `text ${status === "WRONG" ? "status-WRONG" : fine ? "" : "status-bad"}`, text: status }),
    number(r.wall[run], time(r.wall[run])), number(r.cpu[run], time(r.cpu[run])), number(r.memory[run], bytes(r.memory[run])),
    el("td", { class: "number", text: r.unique[run] === null ? "" : r.unique[run] ? "yes" : "no" }),
    ...Object.values(r.phases).map((walls) => number(walls[run], time(walls[run]))),
    el("td", { class: "text reason", text: r.reasons[r.reason[run]] }));
}

function openInstance(i) {
  byId("find").value = "";
  instancesShown = Math.max(instancesShown, chosenInstances().indexOf(i) + 1);
  listInstances();
  const entry = byId(`instance-${i}`);
  entry.open = true;
  entry.scrollIntoView({ block: "center" });
}

function instanceControls() {
  byId("order").replaceChildren(...Object.keys(orders).map((text) => el("option", { value: text, text })));
  byId("order").addEventListener("change", listInstances);
  byId("find").addEventListener("input", () => { instancesShown = PAGE; listInstances(); });
  byId("more").addEventListener("click", () => { instancesShown += 240; listInstances(); });
}
