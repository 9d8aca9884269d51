"""The page to set on: rules are drawn by mouse and keys, what is known is shown meanwhile, and nobody else gets in."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.page import SettingPage
from sudoku_models.page.setting import (
    SettingBoard,
    _spare,
    drawable,
    drawn,
    hinted,
    judged,
    line_from,
    texts,
    whole_text,
)
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import rule
from tests.browser import CONTROL, RIGHT, SHIFT, cell, chromium, click, labels, press, touched, until

FOUR = Puzzle.empty(4)
SOLVED = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)


@pytest.fixture
def page() -> Iterator[SettingPage]:
    page = SettingPage(FOUR, time_limit=60).start()
    yield page
    page.close()


def asked(page: SettingPage, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
    """Send a request as the page does, or with other headers."""
    connection = http.client.HTTPConnection(page.host, timeout=300)
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    usual = {"Host": page.host, "Content-Type": "application/json", **headers}
    connection.request("GET" if body is None else "POST", path, None if body is None else content, usual)
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_only_its_own_page_is_answered(page: SettingPage) -> None:
    root, add = f"/{page.token}/", {"do": "add", "kind": "Thermo", "cells": [0, 1]}
    assert asked(page, root)[0] == 200
    for path in ("/", "/x/", f"/{page.token}", f"/{page.token}/../etc/passwd", f"/{page.token[:-1]}/"):
        assert asked(page, path)[0] == 404
    assert asked(page, root, Host="evil.example")[0] == 404  # a name that was bound to this address
    assert asked(page, f"{root}do", add, Origin="https://evil.example")[0] == 404
    assert asked(page, f"{root}do", add, **{"Content-Type": "text/plain"})[0] == 404  # a form of another site
    assert asked(page, "/other/do", add)[0] == 404
    for body in (b"{", b"[" * 100_000, b"\xff", b'{"do": "title", "title": "\\ud800"}'):
        assert asked(page, f"{root}do", body)[0] == 400
    for size in ("99999999", "9" * 5000):
        assert asked(page, f"{root}do", add, **{"Content-Length": size})[0] == 413
    assert page.board.puzzle == FOUR
    assert asked(page, f"{root}do", add, Origin=f"http://{page.host}")[0] == 200
    assert page.board.puzzle.rules == (r.Thermo("R1C1 R1C2"),)


def test_what_was_found_of_a_board_is_there_at_once_after_undo(
    page: SettingPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = page.answer("judge", {})
    page.answer("do", {"do": "add", "kind": "Thermo", "cells": [0, 1, 2, 3]})
    second = page.answer("judge", {})
    monkeypatch.setattr("sudoku_models.page.setting.judged", lambda *_: {"text": "asked again", "whole": False})
    for what, known in (("undo", first), ("redo", second)):
        page.answer("do", {"do": what})
        assert {**page.answer("judge", {}), "version": 0} == {**known, "version": 0}
    page.answer("do", {"do": "clear"})
    assert page.answer("judge", {})["text"] == "asked again"


def test_a_request_that_does_not_arrive_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_models.page.setting._Handler.timeout", 0.2)
    page = SettingPage(FOUR, time_limit=60).start()
    host, port = page.host.split(":")
    with socket.create_connection((host, int(port)), timeout=300) as slow:
        slow.sendall(b"GET /")
        assert slow.recv(10) == b""
    page.close()


def test_a_time_limit_does_not_keep_the_program_from_ending() -> None:
    page = SettingPage(FOUR)
    serving = threading.Thread(target=page.serve, args=(600,))
    serving.start()
    assert asked(page, f"/{page.token}/")[0] == 200
    timers = [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
    assert timers and all(timer.daemon for timer in timers)
    for timer in timers:
        timer.cancel()
    page.close()


def test_texts_of_a_puzzle_are_escaped() -> None:
    page = SettingPage(Puzzle(FOUR.shape, FOUR.givens, title="</script><script>alert(1)</script>"))
    assert "<script>alert" not in page.html() and "connect-src 'self'" in page.html()
    page.close()


OWN = [kind for kind in drawable() if kind["name"] in r.__all__]  # other tests define rules too


@pytest.mark.parametrize("kind", OWN, ids=lambda kind: kind["name"])
def test_each_kind_is_drawn_over_cells_or_says_what_it_needs(kind: dict[str, str]) -> None:
    shape, cells = Shape.square(9), ["R5C1", "R5C2", "R4C2", "R4C1"]
    number = {"odd": "odd", "rising": "rising", "values": "1 2"}.get(kind["number"], "5" if kind["number"] else "")
    names = (
        cells
        if kind["name"] in ("Quadruple", "CountingCircles")
        else cells[: 3 if kind["group"] in ("Lines", "Cages") else 2]
    )
    rule = drawn(kind["name"], names, number, shape)
    assert type(rule).__name__ == kind["name"]
    if kind["group"] != "Whole grid":
        with pytest.raises(ValueError, match="select"):
            drawn(kind["name"], [], number, shape)
    if kind["number"]:
        with pytest.raises(ValueError, match="is not a number"):
            drawn(kind["name"], names, "x", shape)


def test_a_clue_outside_takes_the_whole_line_from_where_it_is_read() -> None:
    shape = Shape.square(4)
    assert line_from(shape, ["R2C3", "R2C2"]) == ("R2C4", "R2C3", "R2C2", "R2C1")
    assert line_from(shape, ["R2C2", "R3C3"]) == ("R1C1", "R2C2", "R3C3", "R4C4")
    for cells in (["R1C1"], ["R1C1", "R1C1"]):
        with pytest.raises(ValueError, match="needs a direction"):
            line_from(shape, cells)


def test_rules_of_ones_own_are_drawn_too_and_say_what_is_wrong_with_them() -> None:
    @rule
    def adds_up(cells: Any) -> Any:
        """The cells add up to five."""
        return sum(cells) == 5

    @rule
    def torn(cells: Any) -> Any:
        return 1 // 0

    kinds = {kind["name"]: kind for kind in drawable()}
    assert kinds["adds_up"] == {"name": "adds_up", "title": "Adds up", "group": "Your own", "number": ""}
    board = SettingBoard(FOUR)
    board.do({"do": "add", "kind": "adds_up", "cells": [0, 1]})
    assert board.puzzle.rules == (adds_up("R1C1 R1C2"),)
    board.do({"do": "add", "kind": "torn", "cells": [0, 1]})
    assert board.failed and "division" in board.said and len(board.puzzle.rules) == 1


def test_what_is_wrong_changes_nothing_and_what_was_done_is_taken_back() -> None:
    board = SettingBoard(FOUR)
    board.do({"do": "values", "values": [1, *[None] * 15]})
    board.do({"do": "add", "kind": "Thermo", "cells": [0, 1, 2]})
    good = board.puzzle
    wrong: list[dict[str, Any]] = [
        {"do": "values", "values": [9] * 16},
        {"do": "values", "values": [[1]] * 16},
        {"do": "values", "values": [True] + [None] * 15},
        {"do": "values", "values": [1.0] + [None] * 15},
        {"do": "add", "kind": "Thermo", "cells": [0, float("inf")]},
        {"do": "remove", "rule": float("inf")},
        {"do": "add", "kind": "Thermo", "cells": [0, 99]},
        {"do": "add", "kind": "Thermo", "cells": [0, 1, 2]},
        {"do": "add", "kind": "KillerCage", "cells": [0], "number": "many"},
        {"do": "add", "kind": "Snake", "cells": [0]},
        {"do": "read", "text": "no puzzle"},
        {"do": "remove"},
        {"do": "__init__"},
        {},
    ]
    for change in wrong:
        board.do(change)
        assert board.failed and board.said and board.puzzle == good, change
    board.do({"do": "remove", "rule": 0})
    assert not board.puzzle.rules
    for what, puzzle in (("undo", good), ("undo", None), ("redo", good)):
        board.do({"do": what})
        assert puzzle is None or board.puzzle == puzzle
    board.do({"do": "read", "text": "." * 81})
    assert board.state()["_board"]["width"] == 9 and board.state()["_travels"] == [True, False]


def test_what_is_known_of_a_board() -> None:
    none = judged(FOUR.with_rules(r.Thermo("R1C1 R1C2 R1C3 R1C4"), r.KillerCage("R1C1 R1C2", 7)), 60)
    assert none["count"] == "none" and "cannot hold together" in none["text"] and none["_shaded"][0] == "stated"
    several = judged(FOUR.with_rules(r.Thermo("R1C1 R1C2 R1C3 R1C4")), 60)
    assert several["count"] == "several" and several["candidates"]["R1C1"] == [1]
    almost = Puzzle.parse("1234341221434...")
    one = judged(almost, 60)
    assert one["count"] == "one" and one["text"].startswith("There is exactly one solution. It has level 1")
    assert one["candidates"]["R4C2"] == [3]
    first, _, rest = one["text"].partition("clues can be left out: ")
    named = [*rest.partition(" and ")[0].split(", "), *one["more"].split(", ")]
    assert len(named) == len({*named}) == int(first.split()[-1]) and len(named) > 4
    assert hinted(almost, 60)["text"].startswith("Full house") and "placed" in hinted(almost, 60)["_shaded"].values()


def test_clues_that_are_not_needed_are_counted_in_plain_words() -> None:
    four, five = (judged(Puzzle.parse(text), 60) for text in (".234.4...1....21", ".2...4122..34..."))
    assert "4 clues can be left out" in four["text"] and four["text"].count("given") == 4 and not four["more"]
    assert five["text"].endswith(" and 2 others.") and five["more"].count("given") == 2
    assert "others" not in four["text"]
    late = SimpleNamespace(redundant=(), open=("a clue",), limit="no word of an engine")
    assert _spare(late) == (" Whether 1 clue can be left out was not settled in time.", "")  # type: ignore[arg-type]


def test_links_have_title_and_solution_and_say_in_words_what_they_cannot_hold() -> None:
    board = SettingBoard(
        Puzzle.parse("1234341221434...").with_rules(r.Whisper("R1C1 R1C4"), r.XSum("R1C1 R2C1 R3C1 R4C1", 1))
    )
    board.do({"do": "title", "title": "Odd", "author": "A. Setter", "words": ""})
    assert board.state()["_about"] == {"title": "Odd", "author": "A. Setter", "words": ""}
    found = texts(board.puzzle, 60)
    assert "?q=.Shape~4x4" in found["iss"]["text"] and "Odd" not in found["iss"]["text"] and not found["iss"]["words"]
    assert Puzzle.parse(found["iss"]["text"]).givens == board.puzzle.givens
    assert Puzzle.parse(found["json"]["text"]) == board.puzzle
    said = texts(board.puzzle.with_rules(r.CountingCircles("R1C1 R1C2")))["sudokupad"]
    assert said["text"].startswith("https://") and said["words"] == "Counting circles (R1C1 R1C2)"
    again = Puzzle.parse(found["sudokupad"]["text"])
    assert (again.title, again.comment.splitlines()[0], again.stated) == ("Odd", "author: A. Setter", SOLVED)


def test_what_the_command_writes_in_the_end_holds_all_of_the_puzzle() -> None:
    plain = FOUR.with_rules(r.Thermo("R1C1 R1C2"))
    assert whole_text(plain) == ".Shape~4x4.Thermo~R1C1~R1C2"
    for puzzle in (plain.with_title("Odd", author="A. Setter"), plain.with_rules(r.CountingCircles("R2C1 R2C2"))):
        assert Puzzle.parse(whole_text(puzzle)) == puzzle


def test_a_page_that_ctrl_c_ends_before_it_answers_is_closed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    page = SettingPage(FOUR, 0)

    def interrupted(**_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(page._server, "serve_forever", interrupted)
    with pytest.raises(KeyboardInterrupt):
        page.serve()
    closing = threading.Thread(target=page.close, daemon=True)
    closing.start()
    closing.join(300)
    assert not closing.is_alive()


def test_the_command_ends_with_the_puzzle(tmp_path: Any) -> None:
    command = [sys.executable, "-m", "sudoku_models", "set", "1234341221434...", "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    line = process.stderr.readline()
    assert "http://127.0.0.1:" in line
    os.kill(process.pid, signal.SIGINT)
    out, error = process.communicate(timeout=600)
    assert (process.returncode, "Traceback" in error) == (130, False), error
    assert Puzzle.parse(out).givens == Puzzle.parse("1234341221434...").givens


# ---- in a browser


def known(driver: Any, count: str) -> str:
    """Wait until a count of solutions is shown; return the text."""
    shown = f"return document.querySelector('.count[data-count={count}]')?.innerText"
    return str(until(driver, lambda _: driver.execute_script(shown)))


def dragged(driver: Any, *cells: int) -> None:
    """Press the mouse on a cell, and draw it over others."""
    from selenium.webdriver import ActionChains

    mouse = ActionChains(driver).move_to_element(cell(driver, cells[0])).click_and_hold()
    for number in cells[1:]:
        mouse = mouse.move_to_element(cell(driver, number))
    mouse.release().perform()


def choose(driver: Any, kind: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(driver.find_element("css selector", ".kind")).select_by_value(kind)


def test_a_puzzle_is_set_by_mouse_and_keys(page: SettingPage) -> None:
    with chromium() as driver:
        driver.get(page.url)
        cell(driver, 0)
        assert known(driver, "several").startswith("There are several solutions")
        choose(driver, "Thermo")
        dragged(driver, 0, 1, 2, 3)
        assert driver.find_elements("css selector", "polyline.preview")
        click(driver, "Add rule")
        until(driver, lambda d: "Thermo (R1C1 R1C2 R1C3 R1C4)" in d.find_element("css selector", ".rules").text)
        known(driver, "several")
        until(driver, lambda d: labels(d)["R1C1"] == "open, candidates 1")
        choose(driver, "KillerCage")
        cell(driver, 4).click()
        press(driver, RIGHT, held=SHIFT)
        driver.find_element("css selector", ".number").send_keys("9\n")
        assert "cannot hold" in known(driver, "none")
        until(driver, lambda d: "stated" in cell(d, 4).get_attribute("class"))
        assert labels(driver)["R1C1"] == "open, candidates 1"  # those before stay, pale
        assert driver.find_elements("css selector", ".stale")
        press(driver, "z", held=CONTROL)  # the keys go to the grid again
        known(driver, "several")
        assert not driver.find_elements("css selector", ".stale")
        assert page.board.puzzle.rules == (r.Thermo("R1C1 R1C2 R1C3 R1C4"),)
        cell(driver, 12).click()
        press(driver, "4", "\ue010", "1")
        until(driver, lambda _: page.board.puzzle.givens[12:] == (4, None, None, 1))
        assert "level" in known(driver, "one")
        click(driver, "Links")
        until(driver, lambda d: d.find_elements("css selector", ".links input"))
        link = driver.find_element("css selector", ".links input").get_attribute("value")
        assert Puzzle.parse(link).rules == page.board.puzzle.rules
        driver.find_element("xpath", "//button[text()='Remove']").click()
        until(driver, lambda _: not page.board.puzzle.rules)
        driver.find_element("xpath", "//button[text()='Clear']").click()
        until(driver, lambda _: not page.board.puzzle.clues)
        press(driver, "z", held=CONTROL)  # with the focus on the button
        until(driver, lambda _: page.board.puzzle.clues)


def test_rules_are_drawn_with_a_finger_on_a_phone(page: SettingPage) -> None:
    with chromium(390) as driver:
        driver.get(page.url)
        cell(driver, 0)
        choose(driver, "Thermo")
        touched(driver, 0, 5, 10, 11)
        click(driver, "Add rule")
        until(driver, lambda _: page.board.puzzle.rules == (r.Thermo("R1C1 R2C2 R3C3 R3C4"),))
        touched(driver, 4)
        click(driver, "3")
        until(driver, lambda _: page.board.puzzle.givens[4] == 3)
        assert page.board.puzzle.clues == 1
        choose(driver, "Arrow")
        touched(driver, 15)
        click(driver, "Several")
        for number in (11, 14, 6, 11, 7):  # one is left out again: the others keep their order
            touched(driver, number)
        click(driver, "Add rule")
        until(driver, lambda _: page.board.puzzle.rules[1:] == (r.Arrow("R4C4 R4C3 R2C3 R2C4"),))


def test_what_is_typed_while_an_answer_is_on_its_way_stays(page: SettingPage) -> None:
    with chromium() as driver:
        driver.get(page.url)
        cell(driver, 0)
        title, author = (driver.find_element("css selector", f"[name={name}]") for name in ("title", "author"))
        with page._changing:  # the program answers later
            title.send_keys("Odd")
            author.send_keys("A. Set")
        until(driver, lambda _: page.board.puzzle.title == "Odd")
        known(driver, "several")  # the answer has arrived, and the board has been looked at again
        author.send_keys("ter", "\t")
        until(driver, lambda _: page.board.puzzle.comment == "author: A. Setter")
        assert author.get_attribute("value") == "A. Setter"


def test_a_file_is_loaded(page: SettingPage, tmp_path: Any) -> None:
    (tmp_path / "it.txt").write_text(".Shape~4x4.Whisper~R1C1~R1C2")
    with chromium(700, dark=True) as driver:
        driver.get(page.url)
        cell(driver, 0)
        driver.find_element("css selector", "input[type=file]").send_keys(str(tmp_path / "it.txt"))
        until(driver, lambda d: "Whisper" in d.find_element("css selector", ".rules").text)
