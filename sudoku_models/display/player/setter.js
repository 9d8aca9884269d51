// The page to set puzzles on: its model keeps the board on the server, its panel draws rules over the selected cells.

const MARKED = ["corners", "centres", "colours"]; // the setter's own notes, which stay in the page

class Setter extends Alone {
  constructor(state) {
    super(state);
    this.queue = Promise.resolve();
    this.waiting = 0;
    this.judge();
  }

  async ask(what, asked = {}) {
    const answer = await fetch(what, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(asked) });
    if (!answer.ok) throw new Error(`the program answers with ${answer.status}`);
    return answer.json();
  }

  /** Changes go to the server one after another. */
  send(asked) {
    if (asked.do === "hint") return this.hint();
    this.waiting += 1;
    this.queue = this.queue.then(() => this.change(asked)).catch((error) => this.say(`The board is not kept: ${error.message}`, true));
  }

  async change(asked) {
    const before = this.shown ?? this.state._version;
    const news = await this.ask("do", asked).finally(() => { this.waiting -= 1; });
    if (this.waiting) return; // what was typed since is on its way: its answer shows all of it
    if (news.values.length !== this.state.values.length) Object.assign(news, this.unmarked(news.values.length), { candidates: {} });
    if (news._version !== before) Object.assign(news, { _shaded: {} }, ["read", "clear"].includes(asked.do) ? { candidates: {} } : {});
    this.shown = news._version;
    this.sent = news.values;
    this.update(news);
    if (news._version !== before) this.judge();
  }

  async hint() {
    const { text, _shaded } = await this.ask("hint").catch((error) => ({ text: error.message, _shaded: {} }));
    this.update({ _shaded });
    this.say(text);
  }

  unmarked(cells) {
    return { corners: Array(cells).fill([]), centres: Array(cells).fill([]), colours: Array(cells).fill(0) };
  }

  save_changes() {
    if (!same(this.state.values, this.sent ?? this.now.values)) this.send({ do: "values", values: this.state.values });
    this.sent = this.state.values;
  }

  /** Ask about the board in the background; an answer about an earlier board is left out. */
  async judge() {
    this.update({ _judged: { count: "", text: "" } });
    const found = await this.ask("judge").catch((error) => ({ version: this.state._version, count: "unknown", text: error.message }));
    if (found.version !== this.state._version || !found.count) return;
    const { count, text, more, candidates, _shaded = {} } = found;
    this.update({ _judged: { count, text, more, known: Boolean(candidates) }, candidates: candidates ?? this.state.candidates, _shaded });
  }
}

class Panel {
  constructor(model, view) {
    this.model = model;
    this.view = view;
    this.kind = control("select", { className: "kind", ariaLabel: "Kind of rule", onchange: () => this.chosen() });
    this.number = control("input", { className: "number", size: 6, ariaLabel: "Number" });
    this.count = html("div", { className: "count", role: "status" });
    this.rules = html("ul", { className: "rules" });
    this.links = html("div", { className: "links" });
    this.about = ["title", "author", "words"].map((name) => this.field(name));
    this.file = control("input", { type: "file", hidden: true, onchange: () => this.load() });
    const group = (label, ...children) => html("div", { className: "group", role: "group", ariaLabel: label }, ...children);
    const add = view.tools.button("Add rule", () => this.add(), "Enter");
    this.root = html("div", { className: "setter" }, this.count, group("Draw", this.kind, this.number, add), this.rules, group("About", ...this.about),
      group("Files", view.tools.button("Save", () => this.save()), view.tools.button("Load", () => this.file.click()), this.file, view.tools.button("Links", () => this.list())), this.links);
    this.fillKinds();
    view.root.querySelector(".side").prepend(this.root);
    view.root.addEventListener("keydown", (event) => this.press(event));
    const select = view.select.bind(view);
    view.select = (cells) => { select(cells); this.preview(); };
    model.on("change:_judged", () => this.judged());
    model.on("change:_rules", () => this.listed());
    model.on("change:_about", () => this.told());
    for (const show of ["judged", "listed", "told"]) this[show]();
  }

  /** What is said of the puzzle: it is kept when the field is left. */
  field(name) {
    const tell = () => this.model.send({ do: "title", ...Object.fromEntries(this.about.map((field) => [field.name, field.value])) });
    const placeholder = name === "words" ? "rules in words" : name;
    return control(name === "words" ? "textarea" : "input", { name, placeholder, ariaLabel: placeholder, onchange: tell });
  }

  fillKinds() {
    const groups = Map.groupBy ? Map.groupBy(this.model.get("_kinds"), (kind) => kind.group) : new Map([["Rules", this.model.get("_kinds")]]);
    for (const [label, kinds] of groups) this.kind.append(html("optgroup", { label }, ...kinds.map(({ name, title }) => html("option", { value: name, textContent: title }))));
    this.chosen();
  }

  get known() {
    return this.model.get("_kinds").find(({ name }) => name === this.kind.value);
  }

  chosen() {
    const { number } = this.known;
    this.number.disabled = !number;
    this.number.placeholder = number;
    this.preview();
  }

  press(event) {
    if (event.key !== "Enter" || !event.target.closest("[role=gridcell], .number")) return;
    event.preventDefault();
    this.add();
  }

  add() {
    this.model.send({ do: "add", kind: this.kind.value, cells: [...this.view.selected], number: this.number.value });
    this.number.value = "";
    this.view.drawn[this.view.at].focus({ preventScroll: true }); // so that keys go on: arrows, Ctrl+Z
  }

  /** A thin line through the selected cells, in the order in which they were selected. */
  preview() {
    const grid = this.view.root.querySelector("svg.cells");
    grid?.querySelector(".preview")?.remove();
    const cells = [...this.view.selected];
    if (cells.length < 2 || this.known.group === "Whole grid") return;
    const points = cells.map((i) => this.view.shape.corners[i].map((at) => at + CELL / 2).join(",")).join(" ");
    grid?.append(svg("polyline", { class: "preview", points, fill: "none", stroke: "currentColor", "stroke-opacity": 0.4, "stroke-width": 4, "pointer-events": "none" }));
  }

  judged() {
    const { count, text, more, known } = this.model.get("_judged") ?? {};
    const before = count === "none" && Object.keys(this.model.get("candidates")).length > 0;
    this.count.dataset.count = count || "asked";
    this.count.replaceChildren(count ? text : "Looking at the solutions …", before ? " The pale candidates are those before." : "");
    if (more) this.count.append(html("details", {}, html("summary", { textContent: "The others" }), more));
    this.view.root.classList.toggle("stale", !known);
    if (!count) this.links.replaceChildren(); // the board has changed
  }

  listed() {
    const rules = this.model.get("_rules");
    const row = (text, rule) => html("li", {}, text, " ", control("button", { type: "button", textContent: "Remove", ariaLabel: `Remove ${text}`, onclick: () => this.model.send({ do: "remove", rule }) }));
    this.rules.replaceChildren(...rules.map(row));
    this.rules.scrollTop = this.rules.scrollHeight;
  }

  /** Show what is said of the puzzle, but in the field that is being filled in. */
  told() {
    const { activeElement } = this.root.getRootNode();
    for (const field of this.about) if (field !== activeElement) field.value = this.model.get("_about")[field.name];
  }

  async save() {
    const { json } = await this.model.ask("texts");
    if (!json.text) return this.model.say(json.refused, true);
    const address = URL.createObjectURL(new Blob([json.text], { type: "application/json" }));
    html("a", { href: address, download: "puzzle.json" }).click();
    URL.revokeObjectURL(address);
  }

  async load() {
    const [file] = this.file.files;
    if (file) this.model.send({ do: "read", text: await file.text() });
    this.file.value = "";
  }

  async list() {
    const texts = await this.model.ask("texts");
    const row = ([name, { text, refused, words }]) => html("p", {}, html("b", { textContent: `${name}: ` }), text ? this.copied(name, text) : refused, words ? ` In words: ${words}.` : "");
    this.links.replaceChildren(...Object.entries(texts).filter(([name]) => name !== "json").map(row));
  }

  copied(name, value) {
    const shown = control("input", { readOnly: true, value, ariaLabel: name, onfocus: () => shown.select() });
    const copy = this.view.tools.button("Copy", () => navigator.clipboard.writeText(value).then(() => { copy.textContent = "Copied"; }));
    return html("span", {}, shown, " ", copy, " ", html("a", { href: value, target: "_blank", rel: "noopener noreferrer", textContent: "Open" }));
  }
}
