"""Steps in words: the name of the pattern, what follows, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import combinations, groupby
from re import findall

from ..errors import LimitReached
from ..puzzle.rules.rule_base import Rule
from .atoms import bits, union
from .explanation import listed
from .ladder import Fact, Ladder, after, supposed
from .patterns.board import Pattern
from .patterns.order import rule_name
from .steps import Step, Tree, needed

SETS = {1: "single", 2: "pair", 3: "triple", 4: "quad"}
TRIALS = {2: "forcing chain", 3: "dynamic forcing chain", 4: "nested forcing chain"}
"""The names of trials, by the kind of their level."""

Change = tuple[int, int, int]
"""In a trial: an atom, a cell, and the candidates that it leaves there."""

Trace = tuple[list[Change], int]
"""The changes of a trial, in order, and the atom that fails then."""


class Teller:
    """Describes the steps of one ladder, each once."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder
        self._texts: dict[int, tuple[Step, str]] = {}
        self._traces: dict[int, tuple[Step, Trace | None]] = {}

    def text(self, step: Step) -> str:
        found = self._texts.get(id(step))
        if found is None:  # the step is kept, so that no other one has its id
            found = self._texts[id(step)] = step, self._worded(step)
        return found[1]

    def _worded(self, step: Step) -> str:
        pattern = self.pattern(step)
        name = f"{capital(pattern)}: " if pattern else ""
        if step.pattern and step.pattern.why:
            return name + self._pattern(step, step.pattern)
        with suppress(LimitReached):
            if step.atoms:
                why = self._single(step) if step.trial is None else self._trial(step)
                return name + why if name else capital(why)
        return f"{name}{self.facts(step)}; the reason was not found within the time limit"

    def _pattern(self, step: Step, pattern: Pattern) -> str:
        """Say what a pattern shows; of a single, which cell has which value."""
        if pattern.sets:
            cell, bit = next(iter(step.placed.items()))
            return f"{self.name(cell)} is {bit + self.ladder.low}, {pattern.why}"
        assumed = " if there is one solution" if pattern.assumes else ""
        if pattern.name == "naked singles":
            placed = [f"{self.name(c)} is {b + self.ladder.low}" for c, b in sorted(step.placed.items())]
            return f"{listed(placed)}, the only value{'s' if len(placed) > 1 else ''} left there"
        if pattern.name == "pencil marks":
            return pattern.why
        then = f"; then {pattern.then}" if pattern.then else ""
        return f"{pattern.why}, so {self.facts(step)}{self._rules(step, pattern)}{assumed}{then}"

    def _rules(self, step: Step, pattern: Pattern) -> str:
        """Name the rules by which candidates of a pattern exclude each other; of more than two pairs the rule alone."""
        atoms = [(a, self.ladder.atoms[a]) for a in step.atoms]
        labels = self._labels(a for a, atom in atoms if atom.house is None and not atom.is_assumed)
        said = [label for label in labels if label not in pattern.why]
        return f", by {listed(said)}" if said else ""

    def _labels(self, atoms: Iterable[int]) -> list[str]:
        """Name atoms; of more than two of a kind, and of a rule about the whole board, the kind alone."""
        alike: dict[str, list[str]] = {}
        whole = set[str]()
        for a in atoms:
            label, part = self.ladder.label(a), self.ladder.atoms[a].part
            alike.setdefault(kind := label.split(" (")[0], []).append(label)
            if self.ladder.atoms[a].house is None and isinstance(part, Rule) and self._is_whole(part):
                whole.add(kind)
        return [x for kind, some in alike.items() for x in ([kind] if len(some) > 2 or kind in whole else some)]

    def _is_whole(self, rule: Rule) -> bool:
        """Return whether a rule is about the whole board: it names no cell, not even in fields of another kind."""
        named = rule.scope or rule.parts or not self.ladder.index.keys().isdisjoint(findall(r"\w+", str(rule)))
        return not named

    def _single(self, step: Step) -> str:
        atom = self.ladder.atoms[step.atoms[0]]
        label = f"{'by' if atom.is_assumed else 'in'} {listed(self._labels(step.atoms))}"
        if step.contradiction:
            return f"{label}, nothing is left for {listed(sorted({self.name(c) for c, _ in step.facts}))}"
        reads = self._changed(self.ladder.full, [(c, step.before[c]) for c in sorted(step.reads)])
        return f"{label}, {reads}, so {self.facts(step)}" if reads else f"{label}, {self.facts(step)}"

    def facts(self, step: Step) -> str:
        """Say what a step removes, or which values it settles; of a rule by itself, which range it leaves."""
        named = step.pattern is not None and step.pattern.why != ""
        by_rule = not named and step.trial is None and all(self.ladder.atoms[a].house is None for a in step.atoms)
        gone: dict[int, int] = {}
        for cell, bit in step.facts:
            gone[cell] = gone.get(cell, 0) | 1 << bit
        clauses = []
        for cell, bit in sorted(step.placed.items()):
            lost = gone.get(cell, 0)
            but = f"not {self.values(lost)} but " if lost and not lost & (lost - 1) else ""
            clauses.append(f"{self.name(cell)} is {but}{self.values(1 << bit)}")
        said = []
        rule = self.ladder.atoms[step.atoms[0]].part if by_rule and step.atoms else None
        along = [self.ladder.index.get(x, -1) for x in rule.scope] if isinstance(rule, Rule) else []
        for cell in sorted(gone.keys() - step.placed.keys(), key=lambda c: (along.index(c) if c in along else -1, c)):
            left = step.before[cell] & ~gone[cell]
            few = is_run(left) or left.bit_count() == 2
            ranged = by_rule and few and gone[cell] & (gone[cell] - 1)
            said.append((cell, self.values(left) if ranged else f"not {self.values(gone[cell])}"))
        return listed([*clauses, *self._together(said)])

    def _together(self, said: Iterable[tuple[int, str]]) -> list[str]:
        """Say what cells are: R1C1 is 3, R1C2 and R1C5 are not 4; those of which the same is said together."""
        alike: dict[str, list[str]] = {}
        for cell, what in said:
            alike.setdefault(what, []).append(self.name(cell))
        return [f"{listed(cells)} {'are' if len(cells) > 1 else 'is'} {what}" for what, cells in alike.items()]

    def _trial(self, step: Step) -> str:
        """Describe what follows from a supposed candidate, up to a contradiction."""
        assert step.trial is not None
        cell, bit = step.trial
        supposed = f"if {self.name(cell)} were {self.values(1 << bit)}"
        clauses = self._nested(step) if step.level[0] == 4 else self._chain(step) or self._traced(step)
        if not clauses:
            clauses = [f"{listed(map(self.ladder.label, step.atoms))} could not hold together"]
        return f"{supposed}: {'; then '.join(clauses)}. So {self.facts(step)}"

    def _chain(self, step: Step) -> list[str]:
        """Describe the smallest tree of singles: which cell would have which value, and why; [] if there is none."""
        if not all(self.ladder.atoms[a].house for a in step.atoms):
            return []
        clauses = []
        for part, forced in Tree(self.ladder, step).order:
            cell, bit = forced or part.members[0]
            where = self.ladder.atoms[part.owner].label if part.owner >= 0 else ""
            value = bit + self.ladder.low
            if forced:
                why = f"the only {value} in {where}" if where else "its only value"
                clauses.append(f"{self.name(cell)} is {value}, {why}")
            else:
                clauses.append(f"{value} has no place in {where}" if where else f"{self.name(cell)} has no value")
        return clauses

    def _nested(self, step: Step) -> list[str]:
        """Name the candidates that fall by trials inside a trial, as few as are enough; [] if these are not found."""
        assert step.trial is not None
        ladder, fallen = self.ladder, list[Fact]()
        start = supposed(step.before, step.trial)

        def left(gone: Iterable[Fact]) -> list[int] | None:
            state = after(start, gone)
            return state if all(state) and ladder.follow(state) is None else None

        while (state := left(fallen)) is not None:
            places = [(c, b) for c, mask in enumerate(state) if mask & (mask - 1) for b in bits(mask)]
            new = [fact for fact in places if ladder.fails_in(state, fact, most=step.level[1])]
            if not new:
                return []
            fallen += new
        few = needed(fallen[::-1], lambda some: left(some) is None)
        said = [f"{self.name(c)} is not {b + ladder.low}" for c, b in few[::-1]]
        return [f"{listed(said)}, each by a chain of its own", "nothing would be left"]

    def _changed(self, before: Sequence[int], left: Iterable[tuple[int, int]]) -> str:
        """Say what is left of cells, or what is removed if that is shorter; "" of none."""
        said = []
        for cell, mask in left:
            gone = before[cell] & ~mask
            short = mask.bit_count() <= max(2, gone.bit_count())
            said.append((cell, self.values(mask) if short else f"not {self.values(gone)}"))
        return listed(self._together(said))

    def _traced(self, step: Step) -> list[str]:
        """Describe the changes that a trial needs, in order, and the atom that fails; [] if none does."""
        found = self.trace(step)
        if found is None:
            return []
        changes, end = found
        groups = groupby(changes, key=lambda change: self._labels([change[0]])[0])
        clauses = (
            f"{self._changed(step.before, {c: mask for _, c, mask in group}.items())} ({label})"
            for label, group in groups
        )
        return [*clauses, self._end(step, changes, end)]

    def trace(self, step: Step) -> Trace | None:
        """Return the changes that a trial needs, made once; None if it does not fail one atom after the other."""
        if id(step) not in self._traces:  # the step is kept, as in text
            found = self._followed(step, None)
            if found is not None:
                pairs = list(dict.fromkeys((a, c) for a, c, _ in self._leading(*found)))
                kept = needed(pairs[::-1], lambda some: self._followed(step, frozenset(some)) is not None)
                found = self._followed(step, frozenset(kept)) or found
            self._traces[id(step)] = step, found
        return self._traces[id(step)][1]

    def _leading(self, changes: Sequence[Change], end: int) -> list[Change]:
        """Return the changes that may have led to the failure of an atom, through the cells of one after another."""
        wanted, found = set(self.ladder.atoms[end].cells), list[Change]()
        for change in reversed(changes):
            if change[1] in wanted:
                wanted.update(self.ladder.atoms[change[0]].cells)
                found.append(change)
        return found[::-1]

    def _end(self, step: Step, changes: Sequence[Change], number: int) -> str:
        """Say what an atom lacks after the changes of a trial: a place of a value, a value of a cell, or a solution."""
        assert step.trial is not None
        state, atom, label = list(step.before), self.ladder.atoms[number], self.ladder.label(number)
        for cell, mask in [(step.trial[0], 1 << step.trial[1]), *(change[1:] for change in changes)]:
            state[cell] = mask
        if empty := [self.name(c) for c in atom.cells if not state[c]]:
            return f"{empty[0]} would have no value"
        settled = [c for c in atom.cells if not state[c] & (state[c] - 1)]
        for two in combinations(settled, 2) if atom.house else ():
            if state[two[0]] == state[two[1]]:
                return f"{listed(map(self.name, two))} would both be {self.values(state[two[0]])}"
        missing = atom.house.values & ~union(state[c] for c in atom.cells) if atom.house and atom.house.exact else 0
        if missing:
            return f"{self.values(missing & -missing)} would have no place in {label}"
        return f"{label} could not be filled"

    def _followed(self, step: Step, allowed: frozenset[tuple[int, int]] | None) -> Trace | None:
        """Apply the atoms of a trial one by one; only the allowed pairs (atom, cell) take effect."""
        assert step.trial is not None
        state, atoms, strong = supposed(step.before, step.trial), step.atoms, step.level[0] == 3
        changes: list[Change] = []
        due = set(atoms)  # those with a cell that has changed since they were applied
        while due:
            for a in atoms:
                if a not in due:
                    continue
                due.discard(a)
                cells = self.ladder.atoms[a].cells
                found = self.ladder.revised(a, [state[c] for c in cells], strong)
                if found is None:
                    return changes, a
                for c, mask in zip(cells, found, strict=True):
                    if mask != state[c] and (allowed is None or (a, c) in allowed):
                        state[c] = mask
                        changes.append((a, c, mask))
                        due.update(self.ladder.users[c])
            due.intersection_update(atoms)
        return None

    def pattern(self, step: Step) -> str:
        """Return the usual name of a step; "" if there is none."""
        if step.pattern:
            return step.pattern.name
        if not step.atoms:
            return ""
        if step.trial is not None and (len(step.atoms) > 1 or self.ladder.atoms[step.atoms[0]].house):
            return TRIALS[step.level[0]]
        atom = self.ladder.atoms[step.atoms[0]]
        if atom.house is None:
            return rule_name(atom.part)
        return f"naked {SETS.get(len(step.reads), f'set of {len(step.reads)} cells')}" if step.reads else ""

    def name(self, cell: int) -> str:
        return self.ladder.names[cell]

    def values(self, mask: int) -> str:
        """Format candidates: 3, 3 or 5, 2 to 7."""
        if mask.bit_count() > 3 and is_run(mask):
            return f"{self.values(mask & -mask)} to {mask.bit_length() - 1 + self.ladder.low}"
        return listed((bit + self.ladder.low for bit in bits(mask)), "or") if mask else "nothing"


def capital(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def is_run(mask: int) -> bool:
    """Return whether some values follow one another."""
    return not (mask + (mask & -mask)) & mask
