"""Each step of whole paths, proved by an engine that shares no code with the ladder: the long run.

``python -m tests.explain.proofs OUT FILE...`` walks the puzzles of the files (.jsonl: each line an object whose
``constraints`` are a puzzle's text; else a puzzle a line) and proves each fact of each step, and that it needs every
atom and every cell that its step names. OUT gets a line for each puzzle; those that it holds whole are not proved
again, so a run that was stopped goes on. ``--limit S`` walks each puzzle for S seconds: of a longer path the stages up
to there are proved. ``--seconds S`` proves stages of each puzzle, by chance, for S seconds of CPU; a run with more
seconds takes up those of which some are left.
"""

from __future__ import annotations

import argparse
import json
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from sudoku_models import Puzzle
from sudoku_models.engine.switches import Part, Switches
from sudoku_models.errors import BackendFailed, LimitReached
from sudoku_models.explain import Path as Way
from sudoku_models.explain import path
from sudoku_models.explain.ladder import Fact, Ladder
from sudoku_models.explain.stating import Stating
from sudoku_models.explain.steps import Step
from sudoku_models.model import AllDifferent, Model, Variable
from tests.explain.test_ladder import Proof

PATIENCE = 10.0
"""Seconds for one question."""


class HouseProof:
    """Asks a SAT solver about a board of houses alone, in clauses of its own: thousands of questions a second."""

    def __init__(self, ladder: Ladder) -> None:
        """State each house under a switch; each cell has exactly one of its values."""
        from pysat.solvers import Solver

        self.ladder, self.sat = ladder, Solver("cadical153")
        self.width = max(ladder.full).bit_length()
        self.cells = len(ladder.full)
        for cell, mask in enumerate(ladder.full):
            self.sat.add_clause([self.literal(cell, bit) for bit in range(self.width) if mask >> bit & 1])
            self.differ([self.literal(cell, bit) for bit in range(self.width)], None)
        for number, atom in enumerate(ladder.atoms):
            switch = self.cells * self.width + 1 + number
            for bit in range(self.width):
                places = [self.literal(cell, bit) for cell in atom.cells]
                self.differ(places, switch)
                if len(places) == self.width:
                    self.sat.add_clause([-switch, *places])

    def literal(self, cell: int, bit: int) -> int:
        return cell * self.width + bit + 1

    def differ(self, literals: list[int], switch: int | None) -> None:
        """Add that no two literals hold, perhaps under a switch."""
        for i, first in enumerate(literals):
            for second in literals[:i]:
                self.sat.add_clause([-first, -second] if switch is None else [-switch, -first, -second])

    def follows(self, step: Step, fact: Fact, without: int | None = None, unread: int | None = None) -> bool:
        """Tell whether the negation of a fact contradicts the atoms and the premises, perhaps without one of them."""
        assumed = [self.cells * self.width + 1 + a for a in step.atoms if a != without]
        for cell in step.reads - {unread, fact[0]}:
            gone = self.ladder.full[cell] & ~step.before[cell]
            assumed += [-self.literal(cell, bit) for bit in range(self.width) if gone >> bit & 1]
        return not self.sat.solve([*assumed, self.literal(*fact)])


class StepProof(Proof):
    """Asks CP-SAT whether facts follow; that they do not follow without a premise is shown by a board.

    No more is stated than the atoms of a step, for as long as it is asked about. The board comes from the engine that
    finds it fastest, and is checked on every constraint: that is proof enough.
    """

    def __init__(self, ladder: Ladder) -> None:
        self.ladder, self.domains = ladder, Stating(ladder.problem).domains
        self.atoms: tuple[int, ...] = ()
        self.proving = self.finding = Switches(Model(), [])

    def state(self, step: Step) -> None:
        """State the atoms of a step, in place of those of the step before."""
        self.atoms = step.atoms
        parts = [Part(str(a), self.ladder.atoms[a].stated) for a in step.atoms]
        scope = dict.fromkeys(x for part in parts for c in part.constraints for x in c.scope)
        base = Model([Variable(x, self.domains[x]) for x in scope])
        self.proving, self.finding = Switches(base, parts, "cp-sat"), Switches(base, parts)

    def follows(self, step: Step, fact: Fact, without: int | None = None, unread: int | None = None) -> bool:
        """Tell whether the negation of a fact contradicts the atoms and the premises, perhaps without one of them."""
        if step.atoms != self.atoms:
            self.state(step)
        switches = self.proving if without is None and unread is None else self.finding
        domains = {self.ladder.names[c]: self.values(step.before[c]) for c in step.reads if c != unread}
        domains[self.ladder.names[fact[0]]] = self.values(1 << fact[1])
        if not domains.keys() <= set(switches.base.names):
            return False  # of a cell that no atom of the step has anything can be supposed
        switches.limit(PATIENCE)
        return switches.ask([i for i, a in enumerate(step.atoms) if a != without], domains).values is None


def proof_of(ladder: Ladder) -> StepProof | HouseProof:
    """Return what proves the steps of a ladder."""
    houses = all(atom.house is not None and _is_plain(atom.stated) for atom in ladder.atoms)
    return HouseProof(ladder) if houses and len(set(ladder.full)) == 1 else StepProof(ladder)


def _is_plain(stated: Any) -> bool:
    return len(stated) == 1 and isinstance(stated[0], AllDifferent)


def differences(way: Way, seconds: float) -> Iterator[tuple[int, int, list[str]]]:
    """Yield for each stage, by chance, how many steps and facts are proved, and what is wrong, until the time is up.

    A fact that an engine does not settle within its patience counts as not proved.
    """
    proof, stages = proof_of(way.ladder), list(enumerate(way.stages, 1))
    end = time.process_time() + seconds
    for number, stage in Random(4).sample(stages, len(stages)):
        seen, steps, facts, wrong = set[Fact](), 0, 0, list[str]()
        with suppress(LimitReached):
            way.ladder.limit(10 * PATIENCE)
            for step in way.steps(stage):
                steps, seen = steps + 1, seen | step.facts
                for fact in sorted(step.facts):
                    with suppress(LimitReached):
                        flaw = _flaw(proof, step, fact)
                        facts += 1
                        wrong += [f"stage {number}: {flaw}"] if flaw else []
                if time.process_time() > end:
                    yield steps, facts, wrong
                    return
            left = stage.facts - seen
            wrong += [f"stage {number}: no step removes {sorted(left)}"] if left else []
        yield steps, facts, wrong


def _flaw(proof: StepProof | HouseProof, step: Step, fact: Fact) -> str:
    if not proof.follows(step, fact):
        return f"{fact} does not follow"
    spare = [a for a in step.atoms if proof.follows(step, fact, without=a)]
    unread = [c for c in step.reads if proof.follows(step, fact, unread=c)]
    return f"{fact} does not need the atoms {spare}, the cells {unread}" if spare or unread else ""


def puzzles(file: Path) -> Iterator[tuple[str, str]]:
    """Yield a name and the text of each puzzle of a file."""
    for line in file.read_text("utf-8").splitlines():
        if file.suffix == ".jsonl":
            row = json.loads(line)
            yield row["name"], row["constraints"]
        elif line and line[0] != "#":
            yield line, line.split()[0]


def proved(text: str, limit: float, seconds: float) -> dict[str, Any]:
    """Walk a puzzle and prove its steps; return what was counted."""
    started = time.process_time()
    way = path(Puzzle.parse(text), time_limit=limit)
    walked = time.process_time() - started
    way.ladder.limit(None)
    found: list[tuple[int, int, list[str]]] = []
    with suppress(TimeoutError, BackendFailed):
        found.extend(differences(way, seconds))
    counts = {"stages": len(way.stages), "proved": len(found), "steps": sum(n for n, _, _ in found)}
    counts["facts"] = sum(n for _, n, _ in found)
    counts["left"] = sum(len(stage.facts) for stage in way.stages) - counts["facts"]
    taken = {"walked": round(walked, 2), "seconds": round(time.process_time() - started, 2)}
    return {"end": way.end, **counts, **taken, "differences": [text for *_, wrong in found for text in wrong]}


def known(out: Path, seconds: float) -> set[str]:
    """Return the names of the puzzles in a file of answers that are proved whole, or for that many seconds."""
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()] if out.exists() else []
    return {row["name"] for row in rows if not row["left"] or row["asked"] >= seconds}


def late(*_: object) -> None:
    """End what one puzzle takes: some have atoms that an engine needs minutes to state."""
    raise TimeoutError


def main() -> None:
    """Prove the puzzles of the files that are not proved yet."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--limit", type=float, default=12.0)
    parser.add_argument("--seconds", type=float, default=1e9)
    chosen = parser.parse_args()
    signal.signal(signal.SIGALRM, late)
    done = known(chosen.out, chosen.seconds)
    for file in chosen.files:
        for name, text in puzzles(file):
            if name not in done:
                signal.alarm(int(min(chosen.limit + 5 * chosen.seconds, 1e6)))
                try:
                    row = {"name": name, "asked": chosen.seconds, **proved(text, chosen.limit, chosen.seconds)}
                except (TimeoutError, BackendFailed):
                    row = {"name": name, "asked": chosen.seconds, "end": "not stated in time", "left": 1}
                signal.alarm(0)
                with chosen.out.open("a", encoding="utf-8") as out:
                    out.write(f"{json.dumps(row)}\n")
                print(*row.values(), flush=True)


if __name__ == "__main__":
    main()
