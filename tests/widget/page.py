"""A page that holds the widget's module, with a small model in place of a notebook's.

The model is what anywidget hands to a module: values by name, whose changes are heard and saved, and messages. What a
notebook would send to the kernel waits in the page's ``outbox``; ``take`` is given what the kernel sends.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sudoku_models.widget import SudokuWidget

from ..browser import chromium, until

PAGE = """<!doctype html><meta charset="utf-8"><title>widget</title><style>%s</style>
<body style="color-scheme: light dark; background: Canvas"><div id="here"></div>
<script>
const state = %s, listeners = {}, sent = [], saved = [], outbox = [];
let changed = {};
const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const model = {
  get: (name) => state[name],
  set(name, value) { changed[name] = value; take({ [name]: value }); },
  save_changes() {
    saved.push(structuredClone(state.values));
    outbox.push({ method: "update", state: changed, buffer_paths: [] });
    changed = {};
  },
  on: (name, f) => (listeners[name] ??= []).push(f),
  off: (name, f) => (listeners[name] = listeners[name].filter((g) => g !== f)),
  send(message) { sent.push(message); outbox.push({ method: "custom", content: message }); },
};
function take(update) {
  const news = Object.keys(update).filter((name) => !equal(state[name], update[name]));
  Object.assign(state, update);
  for (const name of news) for (const f of listeners["change:" + name] ?? []) f();
}
const source = %s;
import(URL.createObjectURL(new Blob([source], { type: "text/javascript" }))).then((module) => {
  window.remove = module.default.render({ model, el: document.getElementById("here") });
  window.ready = true;
});
</script>"""


def state_of(widget: SudokuWidget) -> str:
    """Return what a notebook sends to the page."""
    state = {key: value for key, value in widget.get_state().items() if not key.startswith(("_esm", "_css", "layout"))}
    return json.dumps(state, default=str).replace("</", "<\\/")


def page_of(widget: SudokuWidget) -> str:
    """Return the page's text."""
    script = json.dumps(str(SudokuWidget._esm)).replace("</", "<\\/")
    return PAGE % (SudokuWidget._css, state_of(widget), script)


@contextmanager
def shown(widget: SudokuWidget, folder: Path, *, dark: bool = False, width: int = 800) -> Iterator[Any]:
    """Open the widget in a browser, and wait until the module has drawn."""
    (folder / "page.html").write_text(page_of(widget), encoding="utf-8")
    with chromium(width, dark=dark) as driver:
        driver.get((folder / "page.html").as_uri())
        until(driver, lambda _: driver.execute_script("return window.ready"))
        yield driver
