// The interactive grid. State lives in the model's traits; what is drawn here is a view of them.

/** A path, step by step: which step is shown is the trait `step`. */
class Steps {
  constructor(view) {
    this.view = view;
    this.model = view.model;
    this.shown = !offers(this.model, "hint"); // whether the reason is shown: always, where there is nothing to play
  }

  get on() {
    return "steps" in this.model.get("_path");
  }

  /** The step that is shown; undefined at the end. */
  get step() {
    return this.model.get("_path").steps[this.model.get("step")];
  }

  go(by) {
    const last = this.model.get("_path").steps.length;
    this.view.set({ step: Math.max(0, Math.min(last, this.model.get("step") + by)) });
  }

  explain() {
    this.shown = !this.shown;
    this.view.refresh();
  }

  leave() {
    this.view.ask("leave_path");
  }

  press(key) {
    const acts = { ArrowRight: () => this.go(1), ArrowLeft: () => this.go(-1), Home: () => this.go(-Infinity), End: () => this.go(Infinity) };
    Object.assign(acts, { PageDown: () => this.go(10), PageUp: () => this.go(-10) });
    if (offers(this.model, "play")) Object.assign(acts, { Escape: () => this.leave(), Enter: () => this.explain(), " ": () => this.explain() });
    else acts[" "] = acts.ArrowRight;
    acts[key]?.();
    return key in acts;
  }

  /** The candidates of each cell before the step that is shown. */
  left() {
    const { start, steps } = this.model.get("_path");
    const left = start.map((values) => new Set(values));
    for (const { removed } of steps.slice(0, this.model.get("step"))) for (const [cell, value] of removed) left[cell].delete(value);
    return left.map((values) => [...values]);
  }

  /** Write the values that are settled so far into the grid. */
  keep() {
    const left = this.left();
    const gone = new Set(this.step?.removed.map(([cell]) => cell));
    const found = (old, i) => old ?? (left[i].length === 1 && !gone.has(i) ? left[i][0] : null);
    this.view.set({ values: this.model.get("values").map(found) });
  }

  text() {
    const { steps, end } = this.model.get("_path");
    if (!this.step) return `The end of the path: ${end}.`;
    const head = `Step ${this.model.get("step") + 1} of ${steps.length}, level ${this.step.level}`;
    return this.shown ? `${head}: ${this.step.text}` : `${head}. Look at the shaded cells, or press “Show reason”.`;
  }
}

class View {
  constructor(model, el) {
    this.model = model;
    this.at = 0;
    this.selected = new Set([0]);
    this.several = false; // whether each cell that is pointed at joins the selection
    this.keys = new Keys(this);
    this.steps = new Steps(this);
    this.tools = new Tools(this);
    this.fingers = Boolean(model.get("_offers")?.includes("play")); // a finger across the board selects, as a mouse does
    this.root = html("div", { className: `sudoku-models-widget${this.fingers ? " fingers" : ""}` });
    this.stage = html("div", { className: "stage" });
    this.said = html("p", { className: "said", role: "status" });
    this.pair = html("div", { className: "pair" });
    const help =
      "Arrows move, with Shift they select more; figures fill, with Shift they mark corners, with Ctrl the middle; Space or Z X C V " +
      "change the mode; Delete empties; Ctrl + Z takes back";
    const pasting = offers(model, "read") ? `${help}; paste a puzzle to read it.` : `${help}.`;
    this.legend = html("ul", { className: "legend" });
    const words = offers(this.model, "play") ? pasting : "Arrows go forward and back, or swipe; Home and End to the first and the last step.";
    const side = html("div", { className: "side" }, this.tools.bottom, this.said, this.tools.top, this.legend, html("p", { className: "hint", textContent: words }));
    this.root.append(this.stage, side, this.pair);
    this.swipe();
    if (!offers(model, "play")) document.addEventListener("keydown", (event) => event.target === document.body && this.keys.press(event));
    this.root.addEventListener("paste", (event) => this.paste(event));
    this.root.addEventListener("keydown", (event) => { // a button that was pressed has the focus: what it did is taken back
      if (event.target.closest("button") && (event.ctrlKey || event.metaKey) && "zy".includes(event.key.toLowerCase())) this.keys.press(event);
    });
    el.append(this.root);
    this.listen();
    this.board();
  }

  listen() {
    const cells = ["values", "candidates", "clashes", "marks", "corners", "centres", "colours", "step", "_given", "_decisions"];
    const shown = [
      [() => this.board(), ["_board"]],
      [() => this.cells(), ["_shaded"]],
      [() => this.refresh(), ["_status", "_path", "step", "_travels"]],
      [() => this.tools.refresh(), ["backend", "marks", "delay", "setting", "assume_unique", "_backends"]],
      [() => this.cells(), cells],
      [() => this.side(), ["_found"]],
    ];
    this.listeners = shown.flatMap(([listener, traits]) => traits.map((trait) => [`change:${trait}`, listener]));
    for (const [name, listener] of this.listeners) this.model.on(name, listener);
  }

  close() {
    for (const [name, listener] of this.listeners) this.model.off(name, listener);
    this.root.remove();
  }

  // --- what the page changes and asks for

  set(changes) {
    for (const [trait, value] of Object.entries(changes)) this.model.set(trait, value);
    this.model.save_changes();
  }

  ask(what) {
    this.model.send({ do: what });
  }

  running() {
    return this.model.get("_status").running;
  }

  open(i) {
    return !this.unused.has(i) && (this.model.get("setting") || !this.model.get("_given")[i]);
  }

  /** Say why a key did nothing. */
  refuse() {
    const name = this.shape.names[this.at];
    if (this.unused.has(this.at)) this.said.textContent = `${name} is black: nothing is written there`;
    else if (!this.open(this.at)) this.said.textContent = `${name} is a given: “Typed figures are givens” lets you change it`;
  }

  // --- the selection

  chosen() {
    return [...this.selected].sort((a, b) => a - b);
  }

  select(cells) {
    this.selected = new Set(cells);
    this.drawn.forEach((group, i) => group.setAttribute("aria-selected", this.selected.has(i)));
  }

  /** Go to a cell; with `more` the selection stays and grows. */
  go(number, more = false) {
    this.select(more ? [...this.selected, number] : [number]);
    this.drawn[number].focus();
  }

  /** A cell has the focus. */
  moved(number) {
    this.drawn[this.at].setAttribute("tabindex", -1);
    this.at = number;
    this.drawn[number].setAttribute("tabindex", 0);
    if (!this.selected.has(number)) this.select([number]);
  }

  pointed(event, number) {
    if (event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId); // a finger enters cells too
    this.pointer = event.pointerId; // a finger enters its first cell before it is down there
    const more = this.several || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!more || !this.selected.has(number) || this.selected.size === 1) return this.go(number, more);
    const left = [...this.selected].filter((i) => i !== number); // in the order of selection: a line is drawn in it
    this.select(left);
    if (number === this.at) this.drawn[left.at(-1)].focus();
  }

  draws(event) {
    return event.pointerType === "mouse" || this.fingers || this.several;
  }

  /** Begin or end to select several cells: for fingers, which hold no key; meanwhile they do not scroll on the board. */
  gather() {
    this.several = !this.several;
    this.root.classList.toggle("fingers", this.fingers || this.several);
    this.tools.refresh();
  }

  // --- drawing

  board() {
    const { svg: picture, viewBox, height, width, names, domain, unused, corners, labelled, legend } = this.model.get("_board");
    const focused = this.stage.contains(this.root.getRootNode().activeElement);
    this.unused = new Set(unused);
    this.labelled = new Set(labelled);
    this.legend.replaceChildren(...legend.map(legendLine));
    this.at = this.shape?.names.length === names.length ? this.at : 0; // of a board that is drawn anew
    this.shape = { height, width, names, domain, corners, largest: Math.max(...domain.map((value) => String(value).length)) };
    this.selected = new Set([this.at]);
    this.stage.innerHTML = picture;
    const grid = svg("svg", { viewBox, class: "cells", role: "grid", "aria-label": `Sudoku, ${height} by ${width}`, "aria-multiselectable": true });
    this.drawn = [];
    for (let r = 0; r < height; r++) {
      const row = grid.appendChild(svg("g", { role: "row" }));
      for (let c = 0; c < width; c++) row.append(this.cell(r, c));
    }
    this.lines = grid.appendChild(svg("g"));
    grid.addEventListener("keydown", (event) => this.keys.press(event));
    this.stage.append(grid);
    if (focused) this.drawn[this.at].focus({ preventScroll: true });
    this.refresh();
    this.side();
  }

  cell(r, c) {
    const number = this.drawn.length;
    const place = `translate(${this.shape.corners[number].join(" ")})`;
    const attributes = { role: "gridcell", transform: place, tabindex: number === this.at ? 0 : -1, [OWN_KEYS]: "" };
    const group = svg("g", { ...attributes, "aria-selected": this.selected.has(number) });
    const rect = (kind) => svg("rect", { width: CELL, height: CELL, class: kind });
    group.append(rect("colour"), rect("shade"), rect("cell"), svg("g", { class: "content" }));
    group.addEventListener("focus", () => this.moved(number));
    group.addEventListener("pointerdown", (event) => this.pointed(event, number));
    group.addEventListener("mousedown", (event) => event.preventDefault()); // the focus goes where `pointed` says
    group.addEventListener("pointerenter", (event) => event.pointerId === this.pointer && event.buttons === 1 && this.draws(event) && this.go(number, true));
    this.drawn.push(group);
    return group;
  }

  /** Draw all that may have changed. */
  refresh() {
    this.status();
    this.tools.running(this.running());
    this.cells();
  }

  cells() {
    const get = (trait) => this.model.get(trait);
    const count = this.drawn?.length;
    if (!["values", "corners", "centres", "colours"].every((trait) => get(trait).length === count)) return;
    const states = this.steps.on ? this.steps.left().map((left, i) => this.onPath(left, i)) : this.drawn.map((_, i) => this.written(i));
    this.drawn.forEach((group, i) => this.fill(group, { ...states[i], name: this.shape.names[i], given: get("_given")[i], colour: get("colours")[i], unused: this.unused.has(i), labelled: this.labelled.has(i) }));
    this.links();
  }

  /** The links of the step that is shown: solid if one of both ends is true, dashed if not both are. */
  links() {
    const { corners, domain } = this.shape;
    const found = this.steps.on && this.steps.shown ? this.steps.step?.links ?? [] : [];
    const at = ([cell, value]) => {
      const { x, y } = markPlace(domain, value, this.labelled.has(cell));
      return [corners[cell][0] + x, corners[cell][1] + y];
    };
    const far = ([[x1, y1], [x2, y2]]) => Math.hypot(x1 - x2, y1 - y2);
    const lines = found.flatMap(([from, to, kind]) => {
      const [nearest] = from.flatMap((a) => to.map((b) => [at(a), at(b)])).sort((a, b) => far(a) - far(b));
      if (!nearest) return [];
      const [[x1, y1], [x2, y2]] = nearest;
      return [svg("line", { x1, y1, x2, y2, class: `link ${kind}` })];
    });
    this.lines.replaceChildren(...lines);
  }

  /** What a cell shows of the values, the marks and a search. */
  written(i) {
    const get = (trait) => this.model.get(trait);
    const name = this.shape.names[i];
    const decided = new Map(get("_decisions"));
    const watched = this.running() && decided.size > 0;
    const value = (watched && !get("_given")[i] ? null : get("values")[i]) ?? null;
    const open = value === null && !watched;
    const own = open && (get("corners")[i].length > 0 || get("centres")[i].length > 0);
    return {
      value,
      decided: watched ? decided.get(name) : undefined,
      marks: open && !own && get("marks") !== "none" ? get("candidates")[name] : undefined,
      corners: own ? get("corners")[i] : [],
      centres: own ? get("centres")[i] : [],
      clash: !watched && get("clashes").includes(name),
      shade: get("_shaded")?.[i] ?? "",
    };
  }

  /** What a cell shows of a path: its candidates, those that go in this step, and the cells to look at. */
  onPath(left, i) {
    const step = this.steps.step;
    const shown = this.steps.shown;
    const gone = step ? step.removed.filter(([cell]) => cell === i).map(([, value]) => value) : [];
    const placed = step?.placed.includes(i) || (step && !step.placed.length && gone.length > 0);
    const shade = placed ? "placed" : shown && step?.reads.includes(i) ? "reads" : shown && step?.stated.includes(i) ? "stated" : "";
    const value = this.model.get("values")[i] ?? null;
    const settled = value === null && left.length === 1 && !gone.length ? left[0] : undefined;
    return { value, decided: settled, marks: value === null && settled === undefined ? left : undefined, gone: shown ? gone : [], shade };
  }

  fill(group, state) {
    const key = JSON.stringify(state);
    if (group.dataset.key === key) return;
    group.dataset.key = key;
    const shown = state.value ?? state.decided;
    const kind = state.given ? "given" : state.decided !== undefined ? "decided" : "entry";
    group.setAttribute("class", `${kind}${state.clash ? " clash" : ""}${state.shade ? ` ${state.shade}` : ""}`);
    group.firstChild.setAttribute("class", state.colour ? `colour colour-${state.colour}` : "colour");
    group.setAttribute("aria-label", spoken(state));
    const content = group.lastChild;
    content.replaceChildren();
    if (state.unused) return;
    if (shown != null) content.append(digit(shown, this.shape.largest, state.labelled));
    else if (state.marks) content.append(...candidateTexts(state.marks, this.shape.domain, state.gone, state.labelled));
    else content.append(...ownMarks(state.corners, state.centres, this.shape.domain, state.labelled));
  }

  status() {
    const { text, running, failed } = this.model.get("_status");
    this.said.setAttribute("aria-live", running ? "off" : "polite"); // twenty times a second is not for reading aloud
    this.said.textContent = this.steps.on && !text ? this.steps.text() : text;
    this.said.classList.toggle("failed", failed);
    this.root.classList.toggle("running", running);
  }

  /** Two solutions side by side; where they differ the cells are shaded. */
  side() {
    const found = this.model.get("_found");
    const [one, two] = found;
    const differ = two ? one.flatMap((value, i) => (value === two[i] ? [] : [i])) : [];
    this.pair.replaceChildren(...found.map((values, number) => this.small(values, number + 1, differ)));
    if (found.length) this.pair.append(this.tools.button("Close", () => this.set({ _found: [] })));
  }

  small(values, number, differ) {
    const { svg: picture, viewBox } = this.model.get("_board");
    const figure = html("figure", { innerHTML: picture });
    const layer = svg("svg", { viewBox, class: "cells", role: "img", "aria-label": `Solution ${number}: ${values.join(" ")}` });
    values.forEach((value, i) => {
      const place = `translate(${this.shape.corners[i].join(" ")})`;
      const kind = this.model.get("_given")[i] ? "given" : differ.includes(i) ? "differs" : "entry";
      const group = svg("g", { transform: place, class: kind });
      group.append(svg("rect", { width: CELL, height: CELL }));
      if (!this.unused.has(i)) group.append(digit(value, this.shape.largest, this.labelled.has(i)));
      layer.append(group);
    });
    figure.append(layer);
    return figure;
  }

  /** On a path a finger across the board goes one step. */
  swipe() {
    let from = null;
    this.stage.addEventListener("touchstart", (event) => { from = event.changedTouches[0].clientX; }, { passive: true });
    this.stage.addEventListener("touchend", (event) => {
      const across = from === null ? 0 : event.changedTouches[0].clientX - from;
      if (this.steps.on && Math.abs(across) > 40) this.steps.go(across < 0 ? 1 : -1);
      from = null;
    }, { passive: true });
  }

  paste(event) {
    if (!offers(this.model, "read") || event.target.closest("input, textarea")) return;
    const text = event.clipboardData?.getData("text") ?? "";
    if (text.trim().length < 2) return;
    event.preventDefault();
    event.stopPropagation();
    this.model.send({ do: "read", text });
  }
}

function legendLine([text, colour, indent]) {
  const swatch = html("span", { className: "swatch" });
  if (colour) swatch.style.background = colour;
  return html("li", indent ? { className: "more" } : {}, swatch, text);
}

function render({ model, el }) {
  const view = new View(model, el);
  return () => view.close();
}

export default { render };
