// A board: thick lines between regions and around the whole. Large ones, and small pictures, mark givens only.
const SYMBOLS = "123456789ABCDEFGHIJKLMNOP";

function boardOf(instance, small) {
  const board = instance.board;
  if (!board) return svg("svg", { class: "board", viewBox: "0 0 1 1" });
  const { height, width } = board, plain = small || width > 36;
  const root = svg("svg", {
    class: "board", viewBox: `-0.12 -0.12 ${width + 0.24} ${height + 0.24}`, role: "img", "aria-label": `board of ${height} × ${width}`,
    width: small ? 40 : null, height: small ? 40 : null,
  });
  if (plain) root.append(svg("path", { class: "given", d: givenSquares(board) }));
  if (!small) root.append(svg("path", { class: "thin", "stroke-width": 0.02 * Math.max(1, width / 12), d: everyLine(board) }));
  root.append(svg("path", { class: small ? "thin" : "thick", "stroke-width": small ? width / 40 : Math.max(0.06, width / 220), d: borders(board) }));
  if (!plain) givenTexts(root, board);
  return root;
}
function givenSquares({ width, givens }) {
  return givens.map((v, i) => (v ? `M${i % width + 0.12},${Math.floor(i / width) + 0.12}h.76v.76h-.76z` : "")).join("");
}
function givenTexts(root, { width, givens }) {
  const short = width <= SYMBOLS.length;
  givens.forEach((v, i) => {
    if (v) root.append(svg("text", { x: i % width + 0.5, y: Math.floor(i / width) + 0.53, "font-size": short ? 0.62 : 0.5, text: short ? SYMBOLS[v - 1] : v }));
  });
}
function everyLine({ height, width }) {
  let d = "";
  for (let c = 1; c < width; c++) d += `M${c},0V${height}`;
  for (let r = 1; r < height; r++) d += `M0,${r}H${width}`;
  return d;
}
function borders({ height, width, regions }) {
  const at = (r, c) => (r < 0 || c < 0 || r >= height || c >= width ? -2 : regions[r * width + c]);
  let d = "";
  for (let r = 0; r <= height; r++) {
    for (let c = 0; c <= width; c++) {
      if (c < width && at(r - 1, c) !== at(r, c)) d += `M${c},${r}h1`;
      if (r < height && at(r, c - 1) !== at(r, c)) d += `M${c},${r}v1`;
    }
  }
  return d;
}
