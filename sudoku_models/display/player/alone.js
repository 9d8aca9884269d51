// The model of a page without a kernel: it keeps the entries with their history, and answers what needs no library.
//
// Besides the names that the widget knows it takes: `_solution`, the only solution, row by row, or null; `_peers`, for each
// cell the cells that share a house with it; `_way`, a path from the givens, or null; `_offers`, the tools that are shown.

const DEFAULTS = {
  candidates: {}, clashes: [], marks: "none", setting: false, assume_unique: false, backend: "", delay: 0, step: 0,
  _path: {}, _found: [], _backends: [], _decisions: [], _travels: [false, false], _shaded: {}, _solution: null, _peers: [], _way: null,
  _status: { text: "", running: false, failed: false },
};

class Alone {
  constructor(state) {
    this.state = { ...DEFAULTS, ...state };
    this.listeners = {};
    this.past = [];
    this.future = [];
    this.start = this.now = this.written();
    this.told = -1; // the number of the step of the last hint
  }

  // --- what a view needs of a model

  get(name) {
    return this.state[name];
  }

  on(name, listener) {
    (this.listeners[name] ??= []).push(listener);
  }

  off(name, listener) {
    this.listeners[name] = this.listeners[name].filter((other) => other !== listener);
  }

  set(name, value) {
    this.update({ [name]: value });
  }

  /** What the view has changed is one step of the history. */
  save_changes() {
    const now = this.written();
    if (same(now, this.now)) return;
    this.past.push(this.now);
    this.future = [];
    this.show(now);
    if (this.isSolved()) this.say("Solved.");
  }

  send({ do: what }) {
    const acts = { undo: () => this.travel(this.past, this.future), redo: () => this.travel(this.future, this.past) };
    Object.assign(acts, { clear: () => this.restart(), check: () => this.check(), fill: () => this.fill() });
    Object.assign(acts, { hint: () => this.hint(), path: () => this.path(), leave_path: () => this.update({ _path: {} }) });
    acts[what]?.();
  }

  update(changes) {
    const names = Object.keys(changes).filter((name) => !same(this.state[name], changes[name]));
    Object.assign(this.state, changes);
    for (const name of names) for (const listener of this.listeners[`change:${name}`] ?? []) listener();
  }

  say(text, failed = false) {
    this.update({ _status: { text, running: false, failed } });
  }

  // --- the history

  written() {
    return Object.fromEntries(WRITTEN.map((name) => [name, this.state[name]]));
  }

  show(written) {
    this.now = written;
    this.update({ ...written, clashes: [], _shaded: {}, _path: {}, _travels: [this.past.length > 0, this.future.length > 0] });
    this.say("");
  }

  travel(from, to) {
    if (!from.length) return;
    to.push(this.now);
    this.show(from.pop());
  }

  restart() {
    this.update(this.start);
    this.save_changes();
  }

  // --- what the page answers

  open() {
    return this.state.values.flatMap((value, i) => (value === null && !this.state._given[i] ? [i] : []));
  }

  wrong() {
    const { values, _given, _solution, _peers } = this.state;
    const clashes = (value, i) => _peers[i].some((j) => values[j] === value);
    return values.flatMap((value, i) => (value !== null && !_given[i] && (_solution ? value !== _solution[i] : clashes(value, i)) ? [i] : []));
  }

  isSolved() {
    return this.state._solution !== null && !this.open().length && !this.wrong().length;
  }

  check() {
    const wrong = this.wrong(), left = this.open().length;
    this.update({ clashes: wrong.map((i) => this.state._board.names[i]) });
    if (wrong.length) this.say(`${wrong.length} wrong`, true);
    else if (left) this.say(`No mistake so far; ${left} ${left === 1 ? "cell is" : "cells are"} open.`);
    else this.say(this.state._solution ? "Solved." : "No value is twice in a row, column or region.");
  }

  /** Write as corner marks what the houses of each open cell leave to it. */
  fill() {
    const open = new Set(this.open());
    this.update({ corners: this.state.corners.map((old, i) => (open.has(i) ? this.left(i) : old)) });
    this.save_changes();
  }

  /** The values that no cell of its houses has taken from a cell. */
  left(cell) {
    const { values, _board, _peers } = this.state;
    return _board.domain.filter((value) => !_peers[cell].some((other) => values[other] === value));
  }

  /** The number of the first step of the path that tells something: a value that houses and marks leave to an open cell falls. */
  next(from = 0) {
    const { values, corners, _way } = this.state;
    const marked = (cell, value) => !corners[cell].length || corners[cell].includes(value);
    const news = ([cell, value]) => values[cell] === null && marked(cell, value) && this.left(cell).includes(value);
    return _way.steps.findIndex((step, i) => i >= from && step.removed.some(news));
  }

  hint() {
    const wrong = this.wrong(), { names } = this.state._board;
    if (wrong.length) return this.say(`Look at ${names[wrong[0]]} again: its value is wrong.`, true);
    const single = this.open().find((cell) => this.left(cell).length === 1);
    if (single !== undefined) {
      this.update({ _shaded: { [single]: "placed" } });
      return this.say(`${names[single]} is ${this.left(single)[0]}: every other value is in one of its houses already.`);
    }
    const again = this.next(); // a step that was told is not told twice, unless nothing comes after it
    const later = this.told >= again ? this.next(this.told + 1) : again;
    const number = later < 0 ? again : later;
    if (number < 0) return this.say(this.open().length ? `There is no further step: ${this.state._way.end}.` : "Nothing is open.");
    this.told = number;
    const { placed, reads, stated, text } = this.state._way.steps[number];
    const shades = [[stated, "stated"], [reads, "reads"], [placed, "placed"]];
    this.update({ _shaded: Object.fromEntries(shades.flatMap(([cells, kind]) => cells.map((cell) => [cell, kind]))) });
    this.say(text);
  }

  path() {
    const number = Math.max(0, this.next());
    this.say("");
    this.update({ _path: this.state._way, step: number, _shaded: {} });
  }
}

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
