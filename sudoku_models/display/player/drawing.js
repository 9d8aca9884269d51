// How elements are made, and what a cell shows. The files of this folder are joined to one module.

const NS = "http://www.w3.org/2000/svg";
const CELL = 48;
const EDGE = 5.5; // of a cell, which candidates leave free
const OWN_KEYS = "data-lm-suppress-shortcuts"; // on what has the focus: its keys are no commands of JupyterLab
const CORNERS = [[9, 14], [39, 14], [9, 42], [39, 42]]; // as players' apps fill them

function svg(name, attributes = {}, text = "") {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.textContent = text;
  return node;
}

function html(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

function control(name, properties) {
  const node = html(name, properties);
  node.setAttribute(OWN_KEYS, "");
  return node;
}

/** A digit; in a cell with a label in its corner it is smaller and lower, so that both can be read. */
function digit(value, largest, labelled = false) {
  const size = ({ 1: 27, 2: 21 }[largest] ?? 16) * (labelled ? 0.88 : 1);
  return svg("text", { x: CELL / 2, y: CELL / 2 + (labelled ? 4 : 0) + 0.36 * size, "font-size": size }, value);
}

/** Where the candidate of a value is in a cell, and the size of its text: below the cell's label, inside the dashes of cages. */
function markPlace(domain, value, labelled) {
  const side = Math.ceil(Math.sqrt(domain.length));
  const top = labelled ? 15 : EDGE;
  const [across, down] = [(CELL - 2 * EDGE) / side, (CELL - EDGE - top) / side];
  const i = domain.indexOf(value);
  return { x: EDGE + ((i % side) + 0.5) * across, y: top + (Math.floor(i / side) + 0.5) * down, size: Math.min(11, down * 0.8) };
}

/** The candidates of a cell in their places; those in `gone` are crossed out; a cross where there are none. */
function candidateTexts(marks, domain, gone = [], labelled = false) {
  if (!marks.length) return [svg("text", { x: CELL / 2, y: CELL / 2 + 8, "font-size": 22, class: "none" }, "×")];
  const texts = marks.map((value) => {
    const { x, y, size } = markPlace(domain, value, labelled);
    return svg("text", { x, y: y + 0.36 * size, "font-size": size, class: "mark" }, value);
  });
  const lines = gone.map((value) => {
    const { x, y, size } = markPlace(domain, value, labelled);
    const half = size * 0.55;
    return svg("line", { x1: x - half, y1: y + half, x2: x + half, y2: y - half, class: "gone" });
  });
  return [...texts, ...lines];
}

/** The player's own marks: up to four in the corners as in the apps, more as candidates; in the middle side by side. */
function ownMarks(corners, centres, domain, labelled) {
  const places = corners.map((value, i) => {
    if (corners.length <= CORNERS.length) return { x: CORNERS[i][0], y: CORNERS[i][1] + (labelled && i < 2 ? 11 : 0), size: 11 };
    const { x, y, size } = markPlace(domain, value, labelled);
    return { x, y: y + 0.36 * size, size };
  });
  const small = corners.map((value, i) => svg("text", { x: places[i].x, y: places[i].y, "font-size": places[i].size, class: "own" }, value));
  const text = centres.join(centres.some((value) => value > 9) ? " " : "");
  const size = Math.min(14, 60 / Math.max(1, text.length));
  return text ? [...small, svg("text", { x: CELL / 2, y: CELL / 2 + 0.36 * size, "font-size": size, class: "own" }, text)] : small;
}

/** What a cell says to those who hear the board. */
function spoken({ name, value, decided, given, marks, corners, centres, colour, clash, gone, unused }) {
  if (unused) return `${name}: black`;
  const open = marks ? `open, candidates ${marks.join(" ") || "none"}` : "open";
  const parts = [`${name}: ${value ?? decided ?? open}`];
  if (corners?.length) parts.push(`corner ${corners.join(" ")}`);
  if (centres?.length) parts.push(`centre ${centres.join(" ")}`);
  if (gone?.length) parts.push(`goes ${gone.join(" ")}`);
  if (colour) parts.push(`colour ${colour}`);
  if (given) parts.push("given");
  if (clash) parts.push("clashes");
  return parts.join(", ");
}
