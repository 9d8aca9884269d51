// The keyboard and the selection, as the apps have them that players use.

const TYPING = 900; // milliseconds within which a second figure belongs to the first: 1, 2 is 12
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const WRITTEN = ["values", "corners", "centres", "colours"]; // what each mode writes

class Keys {
  constructor(view) {
    this.view = view;
    this.mode = 0;
    this.typed = { text: "", cell: -1, at: 0, mode: 0 };
  }

  press(event) {
    if (!(this.view.steps.on ? this.view.steps.press(event.key) : this.command(event) || this.write(event))) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Keys that move, choose and take back; false for others. */
  command(event) {
    const control = event.ctrlKey || event.metaKey;
    const letter = event.key.toLowerCase();
    if (control && letter === "z") this.view.ask(event.shiftKey ? "redo" : "undo");
    else if (control && letter === "y") this.view.ask("redo");
    else if (control && letter === "a") this.view.select(this.view.drawn.keys());
    else if (control && ["Home", "End"].includes(event.key)) this.view.go(event.key === "Home" ? 0 : this.view.drawn.length - 1);
    else if (event.key === "Escape") this.view.select([this.view.at]);
    else if (event.key in ARROWS && !event.altKey) this.move(...ARROWS[event.key], event.shiftKey || control);
    else if (["Home", "End"].includes(event.key)) this.edge(event.key === "Home");
    else if (control || event.altKey) return false;
    else if (event.key === " ") this.choose((this.mode + 1) % MODES.length);
    else if (letter.length === 1 && "zxcv".includes(letter)) this.choose("zxcv".indexOf(letter));
    else return false;
    return true;
  }

  /** Keys that write and erase; false for others. */
  write(event) {
    const { domain, largest } = this.view.shape;
    const figure = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1] ?? (/^\d$/.test(event.key) ? event.key : null);
    const mode = event.shiftKey ? 1 : event.ctrlKey || event.metaKey ? 2 : event.altKey ? 3 : this.mode;
    const empty = figure === "0" && largest === 1 && !domain.includes(0) && mode === this.mode;
    if (["Backspace", "Delete", "."].includes(event.key) || empty) this.erase();
    else if (figure !== null) this.figure(figure, mode);
    else return false;
    return true;
  }

  choose(mode) {
    this.mode = mode;
    this.view.tools.refresh();
  }

  move(down, right, more) {
    const { height, width } = this.view.shape;
    const [r, c] = [Math.floor(this.view.at / width), this.view.at % width];
    this.view.go(((r + down + height) % height) * width + ((c + right + width) % width), more);
  }

  edge(first) {
    const { width } = this.view.shape;
    this.view.go(this.view.at - (this.view.at % width) + (first ? 0 : width - 1));
  }

  /** A figure was typed: a value by itself, or the second figure of one. */
  figure(key, mode) {
    const { domain, largest } = this.view.shape;
    const now = performance.now();
    const before = this.typed;
    const same = before.cell === this.view.at && before.mode === mode && now - before.at < TYPING;
    const second = mode !== 3 && largest > 1 && same && domain.includes(Number(before.text + key));
    const text = second ? before.text + key : key;
    this.typed = { text, cell: this.view.at, at: now, mode };
    if (second && mode > 0 && domain.includes(Number(before.text))) this.put(Number(before.text), mode); // it was not a mark
    if (mode === 3 ? text !== "0" : domain.includes(Number(text))) this.put(Number(text), mode, second);
  }

  /** Write a value, a mark or a colour into the selected cells; once more takes it out. */
  put(value, mode = this.mode, second = false) {
    const trait = WRITTEN[mode];
    const now = [...this.view.model.get(trait)];
    const values = this.view.model.get("values");
    const cells = this.view.chosen().filter((i) => mode === 3 || (mode === 0 ? this.view.open(i) : values[i] == null));
    if (!cells.length || this.view.running()) return this.view.refuse();
    const all = cells.every((i) => (mode === 1 || mode === 2 ? now[i].includes(value) : now[i] === value)) && !second;
    for (const i of cells) now[i] = this.changed(now[i], value, mode, all);
    this.view.set({ [trait]: now });
  }

  changed(old, value, mode, out) {
    if (mode === 0) return out ? null : value;
    if (mode === 3) return out ? 0 : value;
    return out ? old.filter((mark) => mark !== value) : [...new Set([...old, value])].sort((a, b) => a - b);
  }

  /** Empty the selected cells: values first, then marks, then colours. */
  erase() {
    this.typed.cell = -1;
    const get = (trait) => this.view.model.get(trait);
    const cells = this.view.chosen();
    const filled = cells.filter((i) => get("values")[i] != null && this.view.open(i));
    const marked = cells.filter((i) => get("corners")[i].length || get("centres")[i].length);
    const without = (trait, some, nothing) => ({ [trait]: get(trait).map((old, i) => (some.includes(i) ? nothing : old)) });
    if (this.view.running()) return;
    if (filled.length) this.view.set(without("values", filled, null));
    else if (marked.length) this.view.set({ ...without("corners", marked, []), ...without("centres", marked, []) });
    else if (cells.some((i) => get("colours")[i])) this.view.set(without("colours", cells, 0));
    else this.view.refuse();
  }
}
