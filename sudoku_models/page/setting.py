"""A page to set puzzles on: the board that is drawn, and a small server on this machine that keeps it.

The page draws with the script of the page to solve on. Nothing leaves the machine: the server listens on 127.0.0.1 and
answers only requests with the random token of its address, from a page of its own.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ..display.player import board_data, player_page, shades
from ..errors import LimitReached, SudokuModelsError
from ..explain import NoSolution, OneSolution, SeveralSolutions, explain, hint, rate
from ..explain.explanation import by_name
from ..formats import parse, unwritten, write
from ..formats.iss.notation import link
from ..formats.json_text import loaded
from ..formats.kinds.iss import without_comments
from ..puzzle import Puzzle, Shape
from ..puzzle.puzzle import author_and_words, comment_of
from ..puzzle.rules import Board, CellsRule, Rule, known_rules
from ..verbs.solving import candidates, solve, validate
from ..verbs.task import Problem, as_puzzle

PATIENCE = 2.0
"""Seconds for each answer about the board while it is drawn: its solutions, true candidates, its level."""

LARGEST = 2_000_000
"""The most bytes of a request."""

SLOWEST = 20
"""Seconds in which a request must arrive."""

FIRST = 3
"""The clues that are not needed which are named at once."""

MOST_UNDONE = 500
"""Boards that are remembered, to be taken back."""

LINKS = ("sudokupad", "f-puzzles", "iss")
"""The formats of the links that the page offers."""

ABOUT = ("title", "author", "words")
"""What is said of a puzzle: its title, its author, its rules in words."""

LONGEST = 5_000
"""The most letters of these."""

GROUPS = {"line": "Lines", "middle": "Lines", "cage": "Cages", "couple": "Cells", "single": "Cells", "square": "Cells"}
GROUPS |= {"anywhere": "Cells", "row or column": "Outside", "outside": "Outside", "diagonal": "Outside"}
WORDS = {"odd": True, "even": False, "rising": True, "falling": False}
"""What may be written for a field that is true or false."""


# ---- the rules that can be drawn


def drawable() -> list[dict[str, str]]:
    """Return the kinds of rules that selected cells, and at most one number, state: name, title, group, the number.

    Rules of one's own (``@rule``) are among them as soon as they are defined.
    """
    found = []
    for name, kind in known_rules().items():
        placing = vars(kind).get("placing")
        title = vars(kind).get("title") or re.sub(r"(?<=[a-z])(?=[A-Z])|_+", " ", name).strip().capitalize()
        needed = [f for f in fields(kind) if f.init and f.default is MISSING and f.default_factory is MISSING]
        if placing is not None:
            group, number = GROUPS[placing.place], placing.number
        elif name == "Quadruple":
            group, number = "Cells", "values"
        elif kind.__bases__ == (CellsRule,):
            group, number = "Your own", ""
        elif not needed and not kind.__module__.endswith("composed"):
            group, number = "Whole grid", ""
        else:
            continue
        found.append({"name": name, "title": title, "group": group, "number": number})
    order = ["Your own", "Lines", "Cages", "Cells", "Outside", "Whole grid"]
    return sorted(found, key=lambda kind: (order.index(kind["group"]), kind["title"]))


def drawn(kind: str, cells: Sequence[str], number: str, shape: Shape) -> Rule:
    """Return the rule that selected cells state, in the order of selection; ValueError says what is missing."""
    known = next((one for one in drawable() if one["name"] == kind), None)
    if known is None:
        raise ValueError(f"{kind[:40]!r} is not a kind of rule that can be drawn")
    rule: Any = known_rules()[kind]
    if known["group"] == "Whole grid":
        made: Rule = rule()
        return made
    if not cells:
        raise ValueError(f"{known['title']}: select its cells first")
    names = line_from(shape, cells) if known["group"] == "Outside" else tuple(cells)
    stated = {known["number"]: _number(known, number)} if known["number"] and number.strip() else {}
    single = any(field.name == "cell" for field in fields(rule))
    try:
        made = rule(names[0] if single else names, **stated)
    except TypeError:
        raise ValueError(f"{known['title']}: write its {known['number'] or 'number'} first") from None
    made.check(Board(shape))
    for _ in made.constraints(Board(shape)):  # a function of a user says here what is wrong with it
        pass
    return made


def _number(known: Mapping[str, str], text: str) -> Any:
    """Parse what was written for a rule: a number, several for a circle, or a word."""
    if text.strip().lower() in WORDS:
        return WORDS[text.strip().lower()]
    try:
        numbers = tuple(map(int, re.split(r"[\s,]+", text.strip())))
    except ValueError:
        raise ValueError(f"{known['title']}: {text[:40]!r} is not a number") from None
    return numbers if known["number"] == "values" else numbers[0]


def line_from(shape: Shape, cells: Sequence[str]) -> tuple[str, ...]:
    """Return the whole row, column or diagonal in the direction of the first two cells, from rim to rim."""
    places = [divmod(shape.cell(name), shape.width) for name in cells[:2]]
    if len(places) < 2:
        raise ValueError(
            "a clue outside needs a direction: select two cells of its line or more, the nearest one first"
        )
    (y, x), (v, u) = places
    dy, dx = (v > y) - (v < y), (u > x) - (u < x)
    if (dy, dx) == (0, 0):
        raise ValueError("a clue outside needs a direction: select two different cells")
    line = {}  # by the steps from the first cell
    for cell, name in enumerate(shape.names):
        down, across = cell // shape.width - y, cell % shape.width - x
        if down * dx == across * dy:
            line[down * dy + across * dx] = name
    return tuple(line[step] for step in sorted(line))


# ---- the board


class SettingBoard:
    """A puzzle that is being set, with its history; ``do`` changes it, ``state`` is what the page shows."""

    def __init__(self, problem: Problem | None = None) -> None:
        self.version, self.said, self.failed = 0, "", False
        self._boards = [Puzzle.empty(Shape.square(9)) if problem is None else as_puzzle(problem)]
        self._at = 0
        self._acts: dict[str, Callable[[Mapping[str, Any]], Puzzle]] = {
            "values": self._with_values,
            "add": self._with_rule,
            "remove": lambda asked: self._without(int(asked["rule"])),
            "read": lambda asked: parse(str(asked.get("text", ""))[:LARGEST]),
            "title": self._titled,
            "clear": lambda _: Puzzle.empty(self.puzzle.shape),
        }

    @property
    def puzzle(self) -> Puzzle:
        """The board as it is now."""
        return self._boards[self._at]

    def do(self, asked: Mapping[str, Any]) -> None:
        """Change the board as the page asks; what is wrong with that is said, and changes nothing."""
        what, before = asked.get("do"), self.puzzle
        self.said, self.failed = "", False
        try:
            if what in ("undo", "redo"):
                self._at = max(0, self._at - 1) if what == "undo" else min(self._at + 1, len(self._boards) - 1)
            elif isinstance(what, str) and what in self._acts:
                boards = [*self._boards[: self._at + 1], self._acts[what](asked)]
                if boards[-1] != before:
                    self._boards, self._at = boards[-MOST_UNDONE:], min(self._at + 1, MOST_UNDONE - 1)
            else:
                raise ValueError(f"{str(what)[:40]!r} is not something that this page does")
        except Exception as error:  # a rule of one's own may raise anything
            self.said, self.failed = f"{error or type(error).__name__}"[:500], True
        self.version += self.puzzle is not before

    def _with_values(self, asked: Mapping[str, Any]) -> Puzzle:
        shape, values = self.puzzle.shape, asked["values"]
        if len(values) != shape.cells or any(
            value is not None and (type(value) is not int or value not in shape.values) for value in values
        ):
            raise ValueError(f"{shape.cells} values are expected, each empty or one of the board's")
        return replace(self.puzzle, givens=tuple(values), stated=None)

    def _with_rule(self, asked: Mapping[str, Any]) -> Puzzle:
        names = [self.puzzle.shape.names[int(cell)] for cell in asked.get("cells", ())]
        rule = drawn(str(asked.get("kind")), names, str(asked.get("number", "")), self.puzzle.shape)
        if rule in self.puzzle.rules:
            raise ValueError(f"{rule} is there already")
        return replace(self.puzzle.with_rules(rule), stated=None)

    def _without(self, gone: int) -> Puzzle:
        return replace(self.puzzle, rules=tuple(rule for i, rule in enumerate(self.puzzle.rules) if i != gone))

    def _titled(self, asked: Mapping[str, Any]) -> Puzzle:
        title, author, words = (str(asked.get(name, ""))[:LONGEST] for name in ABOUT)
        return replace(self.puzzle, title=title, comment=comment_of(" ".join(author.split()), words.strip()))

    def state(self) -> dict[str, Any]:
        """Return what the page shows, by the names of the script's model."""
        puzzle = self.puzzle
        about = dict(zip(ABOUT, (puzzle.title, *author_and_words(puzzle.comment)), strict=True))
        return {
            "values": list(puzzle.givens),
            "_given": [value is not None for value in puzzle.givens],
            "_board": board_data(puzzle),
            "_rules": [str(rule) for rule in puzzle.rules],
            "_about": about,
            "_travels": [self._at > 0, self._at < len(self._boards) - 1],
            "_version": self.version,
            "_status": {"text": self.said, "running": False, "failed": self.failed},
            "clashes": sorted({name for clash in validate(puzzle).clashes for name in clash.cells}),
        }


# ---- what is known of a board


def texts(puzzle: Puzzle, time_limit: float = PATIENCE) -> dict[str, dict[str, str]]:
    """Return the puzzle as links, and in the format that the page saves; or why it cannot be written.

    Links have the solution, if it is found in time to be the only one. Rules that a format does not hold are in words,
    and listed.
    """
    found, solved = dict[str, dict[str, str]](), puzzle
    with suppress(SudokuModelsError, ValueError):
        result = solve(puzzle, unique=True, time_limit=time_limit)
        solved = puzzle.with_title(puzzle.title, solution=result.grid) if result.unique else puzzle
    for name in (*LINKS, "json"):
        try:
            text = next(write(puzzle if name == "json" else solved, name, partly=True)).strip()
            found[name] = {
                "text": link(without_comments(text)[0].strip()) if name == "iss" else text,
                "words": ", ".join(map(str, unwritten(puzzle, name))),
            }
        except (SudokuModelsError, ValueError) as error:
            found[name] = {"refused": str(error)[:300]}
    return found


def whole_text(puzzle: Puzzle) -> str:
    """Return a line that holds all of a puzzle: a constraint string, or JSON if that has no place for a part of it."""
    with suppress(SudokuModelsError, ValueError):
        if not (puzzle.title or puzzle.comment or unwritten(puzzle, "iss")):
            return next(write(puzzle, "iss")).strip()
    return next(write(puzzle, "json", partly=True)).strip()


def judged(puzzle: Puzzle, time_limit: float = PATIENCE) -> dict[str, Any]:
    """Return what is known of a puzzle within some seconds: how many solutions it has, and what that is due to.

    If there is none: a proved reason, whose cells are shaded. Else the ``candidates``, the values that each cell takes
    in some solution, and if there is one: the level, and what could be left out, with the rest of it as ``more``. Half
    of the time is for the count and what it is due to, what is left for the level or the candidates, which may be
    missing; ``whole`` says whether nothing is.
    """
    deadline = time.monotonic() + time_limit

    def left() -> float:
        return max(0.0, deadline - time.monotonic())

    found = explain(puzzle, time_limit=time_limit / 2)
    answer: dict[str, Any] = {"count": "unknown", "text": str(found), "_shaded": {}, "whole": not found.limit}
    if isinstance(found, NoSolution):
        shape, parts = puzzle.shape, found.reason.parts if found.reason is not None else ()
        shaded = {shape.cell(x): "stated" for part in parts for x in part.cells if x in shape.names}
        return {**answer, "_shaded": shaded, "count": "none"}
    if isinstance(found, OneSolution):
        level, answer["whole"] = "", False
        with suppress(SudokuModelsError):
            level = f" It has {rate(puzzle, time_limit=left())}."
            answer["whole"] = not found.limit
        if found.solution is not None:
            answer["candidates"] = {x: [value] for x, value in by_name(found.solution).items()}
        text, more = _spare(found)
        return {**answer, "count": "one", "text": f"There is exactly one solution.{level}{text}", "more": more}
    if isinstance(found, SeveralSolutions):
        answer |= {"text": str(replace(found, limit="")), "whole": False}  # further givens are the setter's
        with suppress(LimitReached):
            answer["candidates"] = {x: list(left_to) for x, left_to in candidates(puzzle, time_limit=left()).items()}
            answer["whole"] = True
        return {**answer, "count": "several"}
    return answer


def _spare(found: OneSolution) -> tuple[str, str]:
    """Return how many clues are not needed and the first of them as a sentence, and the others."""
    spare = [str(part) for part in found.redundant]
    clues = "clue" if len(found.open) == 1 else "clues"
    left = f" Whether {len(found.open)} {'more ' * bool(spare)}{clues} can be left out was not settled in time."
    left = left if found.open else ""
    if not spare:
        return left or " Every given and every rule is needed.", ""
    named = FIRST if len(spare) > FIRST + 1 else len(spare)  # one more takes no more room than "and 1 other"
    others = f" and {len(spare) - named} others" if len(spare) > named else ""
    first = f"{', '.join(spare[:named])}{others}"
    each = f"Any one of {len(spare)} clues can" if len(spare) > 1 else "One clue can"
    return f" {each} be left out: {first}.{left}", ", ".join(spare[named:])


def hinted(puzzle: Puzzle, time_limit: float = PATIENCE) -> dict[str, Any]:
    """Return the easiest next step of a puzzle, and the cells that are shaded for it."""
    found = hint(puzzle, time_limit=time_limit)
    return {"text": str(found), "_shaded": shades(puzzle, found.to_json()["steps"])}


# ---- the server


class SettingPage:
    """A server with one board, at ``url``; ``serve`` answers until ``close``, ``start`` does so in a thread."""

    def __init__(self, problem: Problem | None = None, port: int = 0, time_limit: float = PATIENCE) -> None:
        self.board, self.time_limit = SettingBoard(problem), time_limit
        self.token = secrets.token_urlsafe(24)
        self._changing, self._judging, self._serving = threading.Lock(), threading.Lock(), threading.Event()
        self._known: dict[int, tuple[Puzzle, dict[str, Any]]] = {}  # by identity, as history has the boards
        self._server = _Server(self, port)

    @property
    def host(self) -> str:
        """The address without the token."""
        return f"127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """The address to open in a browser."""
        return f"http://{self.host}/{self.token}/"

    def serve(self, time_limit: float | None = None) -> None:
        """Answer requests until ``close`` is called, or for some seconds."""
        try:
            self._serving.set()
            if time_limit is not None:
                timer = threading.Timer(time_limit, self._server.shutdown)
                timer.daemon = True  # or the program would wait for it after Ctrl-C
                timer.start()
            self._server.serve_forever(poll_interval=0.1)
        finally:
            self._serving.clear()  # to shut down a server that Ctrl-C ended would wait for ever

    def start(self) -> SettingPage:
        """Answer requests in a thread."""
        self._serving.set()
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def close(self) -> None:
        """Stop answering."""
        if self._serving.is_set():
            self._server.shutdown()
        self._server.server_close()

    def html(self) -> str:
        """Return the page."""
        with self._changing:
            offers = ["play", "hint", "clear", "read"]
            state = {**self.board.state(), "_kinds": drawable(), "_offers": offers, "setting": True}
            state["marks"] = "solutions"
            return player_page(self.board.puzzle, "Set a puzzle", state, setting=True)

    def answer(self, what: str, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a request of the page gets."""
        with self._changing:
            if what == "do":
                self.board.do(asked)
                return self.board.state()
            puzzle, version = self.board.puzzle, self.board.version
        try:
            if what != "judge":
                return (texts if what == "texts" else hinted)(puzzle, self.time_limit)
            with self._judging:  # a board that changed meanwhile is not judged
                return {"version": version, **(self._known_of(puzzle) if version == self.board.version else {})}
        except Exception as error:  # a rule of one's own may raise anything
            return {"version": version, "count": "unknown", "text": f"{error or type(error).__name__}"[:500]}

    def _known_of(self, puzzle: Puzzle) -> dict[str, Any]:
        """Return what is known of a board: at once if it is that of an earlier state, of which all was found."""
        known = self._known.get(id(puzzle), (puzzle, {}))[1] or judged(puzzle, self.time_limit)
        if known["whole"]:
            self._known[id(puzzle)] = puzzle, known
        while len(self._known) > MOST_UNDONE:
            del self._known[next(iter(self._known))]
        return known


class _Server(ThreadingHTTPServer):
    """A server on this machine, for one page."""

    daemon_threads = True

    def __init__(self, page: SettingPage, port: int) -> None:
        self.page = page
        super().__init__(("127.0.0.1", port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    """Answers requests for a page."""

    timeout = SLOWEST
    server: _Server

    def do_GET(self) -> None:
        page = self.server.page
        if self._is_ours() and self.path == f"/{page.token}/":
            self._send(page.html().encode(), "text/html; charset=utf-8")
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        """Answer a request of the page, in JSON."""
        page, size = self.server.page, self.headers.get("Content-Length", "")
        found = re.fullmatch(rf"/{re.escape(page.token)}/(do|judge|texts|hint)", self.path)
        if not found or not self._is_ours() or self.headers.get("Content-Type") != "application/json":
            self.send_error(404)
        elif not size.isdecimal() or len(size) > len(str(LARGEST)) or int(size) > LARGEST:
            self.send_error(413)
        else:
            try:
                asked = loaded(self.rfile.read(int(size)).decode())
            except ValueError:
                self.send_error(400)
            else:
                self._send(json.dumps(page.answer(found[1], asked)).encode(), "application/json")

    def _is_ours(self) -> bool:
        """Return whether a request was meant for this server, and comes from no other page."""
        host, origin = self.server.page.host, self.headers.get("Origin")
        return self.headers.get("Host") == host and origin in (None, f"http://{host}")

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.end_headers()
        with suppress(OSError):  # the page is closed
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Write no log: the address has the token."""
