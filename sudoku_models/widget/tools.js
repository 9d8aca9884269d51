// The controls above and below the board.

const MARKS = { none: "none", houses: "left by the houses", solutions: "of all solutions" };
const SPEEDS = { 0: "full speed", 0.02: "50 decisions a second", 0.1: "10 a second", 0.5: "2 a second" };
const MODES = ["Value", "Corner", "Centre", "Colour"];
const COLOURS = 9;

class Tools {
  constructor(view) {
    this.view = view;
    this.model = view.model;
    this.busy = []; // what waits while a search is shown
    this.top = html("div", { className: "tools" }, this.asking(), this.choosing(), this.setter());
    this.pad = html("div", { className: "pad" });
    this.bottom = html("div", { className: "tools" }, this.modes(), this.pad, this.stepping());
  }

  button(textContent, onclick, title = "") {
    return control("button", { type: "button", textContent, onclick, title });
  }

  /** A button for the board: the cell has the focus again, so that keys go on. */
  playing(textContent, act, title = "") {
    return this.button(textContent, () => { act(); this.view.drawn[this.view.at].focus({ preventScroll: true }); }, title);
  }

  ask(text, what) {
    return this.button(text, () => this.model.send({ do: what }));
  }

  asking() {
    this.stop = this.ask("Stop", "stop");
    this.backend = this.select("backend", (text) => text);
    const rest = [this.ask("Hint", "hint"), this.ask("Path", "path"), this.ask("Two solutions", "two_solutions"), this.ask("Clear", "clear")];
    this.busy.push(...rest);
    return html("div", {}, this.ask("Solve", "watch"), this.stop, ...rest, this.labelled("Backend", this.backend));
  }

  choosing() {
    this.marks = this.select("marks", (text) => text);
    this.delay = this.select("delay", Number);
    return html("div", {}, this.labelled("Candidates", this.marks), this.labelled("Search at", this.delay));
  }

  setter() {
    this.setting = this.ticked("setting");
    this.assuming = this.ticked("assume_unique");
    return html("div", {}, this.labelled("Typed figures are givens", this.setting), this.labelled("Steps may assume one solution", this.assuming));
  }

  modes() {
    this.mode = MODES.map((name, mode) => this.playing(name, () => this.view.keys.choose(mode), `Key ${"zxcv"[mode]}, or Space`));
    this.undo = this.playing("Undo", () => this.model.send({ do: "undo" }), "Ctrl + Z");
    this.redo = this.playing("Redo", () => this.model.send({ do: "redo" }), "Ctrl + Y");
    const erase = this.playing("Erase", () => this.view.keys.erase(), "Delete");
    return html("div", {}, ...this.mode, this.undo, this.redo, erase);
  }

  stepping() {
    const move = (text, by, title) => this.playing(text, () => this.view.steps.go(by), title);
    this.reason = this.playing("Show reason", () => this.view.steps.explain());
    const keep = this.button("Keep", () => this.view.steps.keep(), "Write the values found so far into the grid");
    const leave = this.button("Leave path", () => this.view.steps.leave(), "Escape");
    this.steps = html("div", { hidden: true }, move("Step back", -1, "Left arrow"), move("Next step", 1, "Right arrow"), this.reason, keep, leave);
    return this.steps;
  }

  labelled(text, node) {
    return html("label", {}, html("span", { textContent: text }), node);
  }

  ticked(trait) {
    return control("input", { type: "checkbox", onchange: (event) => this.view.set({ [trait]: event.target.checked }) });
  }

  select(trait, read) {
    return control("select", { onchange: (event) => this.view.set({ [trait]: read(event.target.value) }) });
  }

  options(select, texts, chosen) {
    const listed = Object.entries(texts);
    if (!listed.some(([value]) => value === String(chosen))) listed.push([String(chosen), String(chosen)]);
    select.replaceChildren(...listed.map(([value, textContent]) => html("option", { value, textContent })));
    select.value = String(chosen);
  }

  /** Show what is chosen. */
  refresh() {
    const names = this.model.get("_backends");
    this.options(this.backend, Object.fromEntries(names.map((name) => [name, name])), this.model.get("backend"));
    this.options(this.marks, MARKS, this.model.get("marks"));
    this.options(this.delay, SPEEDS, this.model.get("delay"));
    this.setting.checked = this.model.get("setting");
    this.assuming.checked = this.model.get("assume_unique");
    this.mode.forEach((button, mode) => button.setAttribute("aria-pressed", mode === this.view.keys.mode));
    [this.undo.disabled, this.redo.disabled] = this.model.get("_travels").map((can) => !can || this.model.get("_status").running);
    this.reason.setAttribute("aria-pressed", this.view.steps.shown);
    this.steps.hidden = !this.view.steps.on;
    this.figures();
  }

  /** The buttons of values, or of colours: for fingers. */
  figures() {
    const colours = MODES[this.view.keys.mode] === "Colour";
    const values = colours ? Array.from({ length: COLOURS }, (_, i) => i + 1) : this.view.shape.domain;
    const key = `${colours} ${values}`;
    if (this.pad.dataset.key === key) return;
    this.pad.dataset.key = key;
    const made = values.map((value) => this.playing(String(value), () => this.view.keys.put(value)));
    if (colours) made.forEach((button, i) => button.classList.add(`colour-${i + 1}`));
    this.pad.replaceChildren(...made);
  }

  running(is) {
    this.stop.disabled = !is;
    for (const button of this.busy) button.disabled = is;
    this.refresh();
  }
}
