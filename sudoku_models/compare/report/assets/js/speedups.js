// The matrix of speed-ups; a click shows the two in the scatter.
function speedupMatrix() {
  const head = el("tr", {}, el("th", { text: "" }), ...rankedBackends.map((b) => backendHeading(b)));
  const body = rankedBackends.map((a) => el("tr", {}, backendHeading(a), ...rankedBackends.map((b) => speedupCell(a, b))));
  byId("speedup-matrix").replaceChildren(el("table", { class: "matrix" }, el("thead", {}, head), el("tbody", {}, ...body)));
}
function backendHeading(b) {
  return el("th", { scope: "col" }, el("i", { class: "dot", colour: colourOf(b) }), ...breakable(nameOf(b)));
}
// A name may be broken after its punctuation.
function breakable(name) {
  return name.split(/(?<=[:,=(|])/).flatMap((part) => [document.createTextNode(part), el("wbr")]);
}
function speedupCell(a, b) {
  if (a === b) return el("td", { class: "self" });
  const pair = pairOf(a, b), [value, low, high] = pair ? pair.speedup : [null];
  if (value === null) return el("td", { class: "self", text: "–", title: "no ratio" });
  const strength = Math.min(1, Math.abs(Math.log10(value)) / 2), hue = value >= 1 ? "var(--good)" : "var(--bad)";
  const cell = el("td", {
    class: pair.p < 0.05 ? "chosen" : "chosen unclear", background: `color-mix(in srgb, ${hue} ${Math.round(6 + 34 * strength)}%, transparent)`,
    title: `${nameOf(a)} against ${nameOf(b)}: ${pText(pair.p)}`,
    onclick: () => { choosePair(b, a); byId("two").scrollIntoView(); },
  }, document.createTextNode(ratio(value)), el("small", { text: `${ratio(low).replace(" ×", "")} – ${ratio(high).replace(" ×", "")}` }));
  return cell;
}
