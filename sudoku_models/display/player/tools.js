// The controls above and below the board.

const MARKS = { none: "none", houses: "left by the houses", solutions: "of all solutions" };
const SPEEDS = { 0: "full speed", 0.02: "50 decisions a second", 0.1: "10 a second", 0.5: "2 a second" };
const MODES = ["Value", "Corner", "Centre", "Colour"];
const COLOURS = 9;

/** Whether a model offers a tool: a page without a kernel lists those that it has, the widget has all. */
function offers(model, tool) {
  return model.get("_offers")?.includes(tool) ?? !["check", "fill"].includes(tool);
}

class Tools {
  constructor(view) {
    this.view = view;
    this.model = view.model;
    this.busy = []; // what waits while a search is shown
    this.top = html("div", { className: "tools" }, this.asking(), this.choosing(), this.setter());
    this.pad = html("div", { className: "pad" });
    this.bottom = html("div", { className: "tools" }, this.pad, this.modes(), this.stepping());
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
    const asked = { check: "Check", hint: "Hint", path: "Path", two_solutions: "Two solutions", fill: "Candidates", clear: "Clear" };
    const rest = Object.entries(asked).filter(([what]) => offers(this.model, what)).map(([what, text]) => this.ask(text, what));
    this.busy.push(...rest);
    const search = offers(this.model, "watch");
    const [before, after] = search ? [[this.ask("Solve", "watch"), this.stop], [this.labelled("Backend", this.backend)]] : [[], []];
    return html("div", {}, ...before, ...rest, ...after);
  }

  choosing() {
    this.marks = this.select("marks", (text) => text);
    this.delay = this.select("delay", Number);
    return html("div", { hidden: !offers(this.model, "watch") }, this.labelled("Candidates", this.marks), this.labelled("Search at", this.delay));
  }

  setter() {
    this.setting = this.ticked("setting");
    this.assuming = this.ticked("assume_unique");
    return html("div", { hidden: !offers(this.model, "setting") }, this.labelled("Typed figures are givens", this.setting), this.labelled("Steps may assume one solution", this.assuming));
  }

  modes() {
    this.mode = MODES.map((name, mode) => this.playing(name, () => this.view.keys.choose(mode), `Key ${"zxcv"[mode]}, or Space`));
    this.several = this.playing("Several", () => this.view.gather(), "Each cell that you tap joins the selection, or leaves it");
    this.undo = this.playing("Undo", () => this.model.send({ do: "undo" }), "Ctrl + Z");
    this.redo = this.playing("Redo", () => this.model.send({ do: "redo" }), "Ctrl + Y");
    return html("div", { hidden: !offers(this.model, "play") }, ...this.mode, this.several, this.undo, this.redo);
  }

  stepping() {
    const move = (text, by, title) => this.playing(text, () => this.view.steps.go(by), title);
    this.reason = this.playing("Show reason", () => this.view.steps.explain());
    const keep = this.button("Keep", () => this.view.steps.keep(), "Write the values found so far into the grid");
    const leave = this.button("Leave path", () => this.view.steps.leave(), "Escape");
    this.slider = control("input", { type: "range", min: 0, ariaLabel: "Step", oninput: () => this.view.set({ step: Number(this.slider.value) }) });
    const playing = offers(this.model, "play") ? [this.reason, keep, leave] : [];
    this.steps = html("div", { hidden: true }, move("Step back", -1, "Left arrow"), move("Next step", 1, "Right arrow"), this.slider, ...playing);
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
    this.several.setAttribute("aria-pressed", this.view.several);
    [this.undo.disabled, this.redo.disabled] = this.model.get("_travels").map((can) => !can || this.model.get("_status").running);
    this.reason.setAttribute("aria-pressed", this.view.steps.shown);
    this.steps.hidden = !this.view.steps.on;
    if (this.view.steps.on) [this.slider.max, this.slider.value] = [this.model.get("_path").steps.length, this.model.get("step")];
    if (offers(this.model, "play")) this.figures();
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
    const erase = this.playing("Erase", () => this.view.keys.erase(), "Delete");
    erase.className = "erase";
    this.pad.replaceChildren(...made, erase);
  }

  running(is) {
    this.stop.disabled = !is;
    for (const button of this.busy) button.disabled = is;
    this.refresh();
  }
}
