// The page's side of the interactive grid. State lives in the model's traits; what is drawn here is a view of them.

const NS = "http://www.w3.org/2000/svg";
const CELL = 48;
const OWN_KEYS = "data-lm-suppress-shortcuts"; // on what has the focus: its keys are no commands of JupyterLab
const TYPING = 900; // milliseconds within which a second figure belongs to the first: 1, 2 is 12
const MARKS = { none: "none", houses: "left by the houses", solutions: "of all solutions" };
const SPEEDS = { 0: "full speed", 0.02: "50 decisions a second", 0.1: "10 a second", 0.5: "2 a second" };

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

class View {
  constructor(model, el) {
    this.model = model;
    this.typed = { text: "", cell: -1, at: 0 };
    this.at = 0;
    this.root = html("div", { className: "sudoku-models-widget" });
    this.stage = html("div", { className: "stage" });
    this.said = html("p", { className: "said", role: "status" });
    const hint = "Arrow keys move, figures fill, Delete empties; paste a puzzle to read it.";
    this.root.append(this.tools(), this.stage, this.said, html("p", { className: "hint", textContent: hint }));
    this.root.addEventListener("paste", (event) => this.paste(event));
    el.append(this.root);
    this.listen();
    this.board();
  }

  listen() {
    const shown = [
      [() => this.board(), ["_board"]],
      [() => this.status(), ["_status"]],
      [() => this.choices(), ["backend", "marks", "delay", "setting", "_backends"]],
      [() => this.cells(), ["values", "candidates", "clashes", "marks", "_given", "_decisions", "_status"]],
    ];
    this.listeners = shown.flatMap(([listener, traits]) => traits.map((trait) => [`change:${trait}`, listener]));
    for (const [name, listener] of this.listeners) this.model.on(name, listener);
  }

  close() {
    for (const [name, listener] of this.listeners) this.model.off(name, listener);
    this.root.remove();
  }

  // --- controls

  tools() {
    const button = (textContent, onclick) => control("button", { type: "button", textContent, onclick });
    const ask = (what) => () => this.model.send({ do: what });
    this.solve = button("Solve", ask("watch"));
    this.stop = button("Stop", ask("stop"));
    this.hint = button("Hint", ask("hint"));
    this.backend = this.select("backend", (text) => text);
    this.marks = this.select("marks", (text) => text);
    this.delay = this.select("delay", Number);
    this.setting = control("input", { type: "checkbox", onchange: () => this.set("setting", this.setting.checked) });
    const labelled = (text, node) => html("label", {}, html("span", { textContent: text }), node);
    return html(
      "div",
      { className: "tools" },
      html("div", {}, this.solve, this.stop, this.hint, button("Clear", ask("clear")), labelled("Backend", this.backend)),
      html("div", {}, labelled("Candidates", this.marks), labelled("Search at", this.delay)),
      html("div", {}, labelled("Typed figures are givens", this.setting)),
    );
  }

  select(trait, read) {
    return control("select", { onchange: (event) => this.set(trait, read(event.target.value)) });
  }

  options(select, texts, chosen) {
    const listed = Object.entries(texts);
    if (!listed.some(([value]) => value === String(chosen))) listed.push([String(chosen), String(chosen)]);
    select.replaceChildren(...listed.map(([value, textContent]) => html("option", { value, textContent })));
    select.value = String(chosen);
  }

  choices() {
    const names = this.model.get("_backends");
    this.options(this.backend, Object.fromEntries(names.map((name) => [name, name])), this.model.get("backend"));
    this.options(this.marks, MARKS, this.model.get("marks"));
    this.options(this.delay, SPEEDS, this.model.get("delay"));
    this.setting.checked = this.model.get("setting");
  }

  set(trait, value) {
    this.model.set(trait, value);
    this.model.save_changes();
  }

  // --- drawing

  board() {
    const { svg: picture, viewBox, height, width, names, domain } = this.model.get("_board");
    this.shape = { height, width, names, domain, largest: Math.max(...domain.map((value) => String(value).length)) };
    this.at = 0;
    this.stage.innerHTML = picture;
    const grid = svg("svg", { viewBox, class: "cells", role: "grid", "aria-label": `Sudoku, ${height} by ${width}` });
    this.drawn = [];
    for (let r = 0; r < height; r++) {
      const row = grid.appendChild(svg("g", { role: "row" }));
      for (let c = 0; c < width; c++) row.append(this.cell(r, c));
    }
    grid.addEventListener("keydown", (event) => this.key(event));
    this.stage.append(grid);
    this.choices();
    this.cells();
    this.status();
  }

  cell(r, c) {
    const number = this.drawn.length;
    const place = `translate(${c * CELL} ${r * CELL})`;
    const attributes = { role: "gridcell", transform: place, tabindex: number === this.at ? 0 : -1, [OWN_KEYS]: "" };
    const group = svg("g", attributes);
    group.append(svg("rect", { width: CELL, height: CELL }), svg("g", { class: "content" }));
    group.addEventListener("focus", () => this.moved(number));
    group.addEventListener("pointerdown", () => group.focus());
    this.drawn.push(group);
    return group;
  }

  cells() {
    if (!this.drawn || this.model.get("values").length !== this.drawn.length) return;
    const values = this.model.get("values");
    const given = this.model.get("_given");
    const clashes = new Set(this.model.get("clashes"));
    const candidates = this.model.get("marks") === "none" ? {} : this.model.get("candidates");
    const decided = new Map(this.model.get("_decisions"));
    const watched = this.model.get("_status").running && decided.size > 0;
    this.drawn.forEach((group, i) => {
      const name = this.shape.names[i];
      const entry = watched && !given[i] ? null : values[i];
      const state = { name, value: entry ?? null, decided: watched ? decided.get(name) : undefined, given: given[i] };
      state.marks = entry == null && !watched ? candidates[name] : undefined;
      state.clash = !watched && clashes.has(name);
      this.fill(group, state);
    });
  }

  fill(group, state) {
    const key = JSON.stringify(state);
    if (group.dataset.key === key) return;
    group.dataset.key = key;
    const shown = state.value ?? state.decided;
    const kind = state.given ? "given" : state.decided !== undefined ? "decided" : "entry";
    group.setAttribute("class", `${kind}${state.clash ? " clash" : ""}`);
    const said = shown ?? (state.marks ? `open, candidates ${state.marks.join(" ") || "none"}` : "open");
    group.setAttribute("aria-label", `${state.name}: ${said}${state.given ? ", given" : ""}${state.clash ? ", clashes" : ""}`);
    const content = group.lastChild;
    content.replaceChildren();
    if (shown != null) content.append(this.digit(shown));
    else if (state.marks) content.append(...this.small(state.marks));
  }

  digit(value) {
    const size = { 1: 27, 2: 21 }[this.shape.largest] ?? 16;
    return svg("text", { x: CELL / 2, y: CELL / 2 + 0.36 * size, "font-size": size }, value);
  }

  small(marks) {
    const side = Math.ceil(Math.sqrt(this.shape.domain.length));
    const step = (CELL - 6) / side;
    const size = Math.min(11, step * 0.8);
    if (!marks.length) return [svg("text", { x: CELL / 2, y: CELL / 2 + 8, "font-size": 22, class: "none" }, "×")];
    return marks.map((value) => {
      const i = this.shape.domain.indexOf(value);
      const at = { x: 3 + ((i % side) + 0.5) * step, y: 3 + (Math.floor(i / side) + 0.5) * step + 0.36 * size };
      return svg("text", { ...at, "font-size": size, class: "mark" }, value);
    });
  }

  status() {
    const { text, running, failed } = this.model.get("_status");
    this.said.setAttribute("aria-live", running ? "off" : "polite"); // twenty times a second is not for reading aloud
    this.said.textContent = text;
    this.said.classList.toggle("failed", failed);
    this.stop.disabled = !running;
    this.root.classList.toggle("running", running);
  }

  // --- the keyboard

  moved(number) {
    this.drawn[this.at].setAttribute("tabindex", -1);
    this.at = number;
    this.drawn[number].setAttribute("tabindex", 0);
  }

  key(event) {
    if (event.ctrlKey && ["Home", "End"].includes(event.key)) this.go(event.key === "Home" ? 0 : this.drawn.length - 1);
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (!this.move(event.key) && !this.type(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  move(key) {
    const { height, width } = this.shape;
    const [r, c] = [Math.floor(this.at / width), this.at % width];
    const places = {
      ArrowUp: [(r + height - 1) % height, c],
      ArrowDown: [(r + 1) % height, c],
      ArrowLeft: [r, (c + width - 1) % width],
      ArrowRight: [r, (c + 1) % width],
      Home: [r, 0],
      End: [r, width - 1],
    };
    if (!(key in places)) return false;
    this.go(places[key][0] * width + places[key][1]);
    return true;
  }

  go(number) {
    this.drawn[number].focus();
  }

  type(key) {
    const { domain, largest } = this.shape;
    if (["Backspace", "Delete", " ", "."].includes(key) || (key === "0" && largest === 1 && !domain.includes(0)))
      return this.enter(null);
    if (!/^\d$/.test(key)) return false;
    const now = performance.now();
    const further = largest > 1 && this.typed.cell === this.at && now - this.typed.at < TYPING;
    const text = further && domain.includes(Number(this.typed.text + key)) ? this.typed.text + key : key;
    this.typed = { text, cell: this.at, at: now };
    if (domain.includes(Number(text))) this.enter(Number(text));
    return true;
  }

  enter(value) {
    const open = this.model.get("setting") || !this.model.get("_given")[this.at];
    if (!open) {
      this.said.textContent = `${this.shape.names[this.at]} is a given: “Typed figures are givens” lets you change it`;
    } else if (!this.model.get("_status").running) {
      const values = [...this.model.get("values")];
      values[this.at] = value;
      this.set("values", values);
    }
    return true;
  }

  paste(event) {
    const text = event.clipboardData?.getData("text") ?? "";
    if (text.trim().length < 2) return;
    event.preventDefault();
    event.stopPropagation();
    this.model.send({ do: "read", text });
  }
}

function render({ model, el }) {
  const view = new View(model, el);
  return () => view.close();
}

export default { render };
