"""Finds the pattern that comes next and proves it: nothing that a pattern removes is shown before it is proved.

The proof is the ladder's: each removed candidate is supposed, and the houses and rules of the pattern, with the
candidates of the cells that it reads, leave nothing. What a pattern is called plays no part in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from operator import attrgetter

from ..atoms import bits, union
from ..ladder import RUNGS, TRIALS, Fact, Ladder, Level, Stage, after, supposed
from ..steps import Reasoner, Step, needed
from .board import Board, Pattern, State
from .houses import hidden_single, left_single, naked_single
from .order import FAMILIES, NAMED, TOLD, Family, families_of, in_order, is_called, is_form, stage_of

BANDS = {kind: [number for k, number in RUNGS if k == kind] for kind in (1, 2, 3, 4)}
"""The numbers of the levels of each kind, from the lowest to the highest."""

Follows = Callable[[Iterable[int], Iterable[int]], bool]
"""Whether something follows from some atoms when some cells are read."""


class Finder:
    """Finds and proves the patterns of one ladder."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder, self._board = ladder, Board(ladder)
        self._known: Stage | None = None

    @cached_property
    def reasoner(self) -> Reasoner:
        """What finds the steps of a stage where no pattern is known."""
        return Reasoner(self.ladder)

    def state(self, masks: Sequence[int], placed: Iterable[int]) -> State:
        """Return candidates as patterns see them; cells in ``placed`` are filled in."""
        self.ladder.check_time()
        return State(self._board, list(masks), frozenset(placed), self.ladder.check_time, with_loops=True)

    def easiest(self, state: State, masks: Sequence[int], families: Sequence[Family] = FAMILIES) -> Step | None:
        """Return the easiest proved pattern of the state of some candidates as a step; None if there is none."""
        steps = (self.proved(state, pattern, masks) for pattern in in_order(state, families))
        return next((step for step in steps if step is not None), None)

    def called(self, state: State, masks: Sequence[int], name: str) -> Step | None:
        """Return the easiest proved pattern with a name, or else with that second name; None if there is none."""
        others = list[Pattern]()
        for pattern in in_order(state, families_of(name)):
            if not is_form(pattern.name, name):
                others += [pattern] if is_called(pattern, name) else []
            elif step := self.proved(state, pattern, masks):
                return step
        for pattern in others:
            if (step := self.proved(state, pattern, masks)) and step.pattern:
                title = next(title for title in pattern.also if is_form(title, name))
                return replace(step, pattern=replace(step.pattern, name=title, also=(pattern.name,)))
        return None

    def next(self, state: State, masks: Sequence[int], highest: Level) -> Step | None:
        """Return the easiest proved pattern, or else the ladder's cheapest step; None if there is neither."""
        found = self.easiest(state, masks)
        if found is not None:
            return found
        stage = self._stage(state.masks, highest)
        if stage is None:
            return None
        facts = sorted(self.reasoner.easy(stage) or stage.facts)
        left = after(stage.before, facts)
        settled = [c for c, _ in facts if left[c] and not left[c] & (left[c] - 1)]
        able = (fact for fact in facts if fact[0] in settled[:1] or left_single(state, 1 << self._board.literal(*fact)))
        step = self.reasoner.step(stage, next(able, facts[0]))
        return self._by_one(stage, step) if stage.level <= TRIALS else step

    def _by_one(self, stage: Stage, step: Step) -> Step:
        """Return all that the only rule of a trial removes, which is no trial then; any other step as it is."""
        if step.trial is None or len(step.atoms) > 1 or self.ladder.atoms[step.atoms[0]].house:
            return step
        fails = partial(self.ladder.fails, stage.before, atoms=step.atoms, strong=stage.level[0] == 3)
        facts = frozenset(fact for fact in stage.facts if fails(fact, reads=None))
        cells = [c for c in self.ladder.atoms[step.atoms[0]].cells if stage.before[c] != self.ladder.full[c]]
        reads = needed(cells, lambda some: all(fails(fact, reads=some) for fact in facts))
        return replace(step, facts=facts, reads=frozenset(reads), trial=None)

    def _stage(self, masks: Sequence[int], highest: Level) -> Stage | None:
        """Return the ladder's cheapest stage; what is left of a nested one is not found anew after each step."""
        if self._known and not any(mask & ~old for mask, old in zip(masks, self._known.before, strict=True)):
            level, left = self._known.level, [(c, b) for c, b in self._known.facts if masks[c] >> b & 1]
            if left:
                below = RUNGS[RUNGS.index(level) - 1]
                return self.ladder.stage(masks, below) or Stage.of(level, masks, left)
        stage = self.ladder.stage(masks, highest)
        self._known = stage if stage and stage.level > TRIALS else None
        return stage

    def walk(self, masks: Sequence[int], placed: Iterable[int], highest: Level) -> Iterator[tuple[Step, State, State]]:
        """Yield step after step as people take them, with the candidates before and after it."""
        left, filled = list(masks), set(placed)
        state = self.state(left, filled)
        while all(state.masks) and (step := self.next(state, left, highest)) is not None:
            left = after(left, step.facts)
            for cell, bit in step.placed.items():
                left[cell] = 1 << bit
                filled.add(cell)
            before, state = state, self.state(left, filled)
            yield step, before, state

    def naked_single(self, state: State, cell: int, written: Sequence[int]) -> Step | None:
        """Return the step of an open cell with one value left; None if it has more."""
        found = naked_single(state, cell)
        return None if found is None else self.proved(state, found, written)

    def covering(self, stage: Stage, facts: Iterable[Fact] | None = None) -> Iterator[Step]:
        """Yield steps for some facts of a stage (None: all): proved patterns, the easiest first, then other steps."""
        left = set(stage.facts if facts is None else facts)
        if all(stage.before):
            yield from self._singles(stage, left) if stage.level == (1, 1) else self._patterns(stage, left)
        if left:
            by = {number: facts & left for number, facts in stage.by.items() if facts & left}
            yield from self.reasoner.steps(Stage.of(stage.level, stage.before, left, by))

    def _patterns(self, stage: Stage, left: set[Fact]) -> Iterator[Step]:
        """Yield patterns that remove any of some facts, and take away what they remove."""
        board, settled = self._board, [c for c, mask in enumerate(stage.before) if not mask & (mask - 1)]
        wanted = sum(1 << board.literal(*fact) for fact in left)
        state = State(board, list(stage.before), frozenset(settled), self.ladder.check_time, wanted=wanted)
        of_atoms = ("singles", "sets", "uniqueness") if stage.by else NAMED
        able = [family for family in TOLD if family.level >= stage.level and family.name in of_atoms]
        for pattern in in_order(state, able):
            if new := left.intersection(board.facts(pattern.out & wanted)):
                step = self.proved(state, pattern, stage.before, (frozenset(new), stage.level))
                alone = {f for a in (step.atoms if step else ()) for f in stage.by.get(a, ())}
                if step is not None and (not stage.by or step.facts <= alone):
                    left -= step.facts
                    wanted &= ~sum(1 << board.literal(*fact) for fact in step.facts)
                    yield step
            if not left:
                return
            state.wanted = wanted

    def _singles(self, stage: Stage, left: set[Fact]) -> Iterator[Step]:
        """Yield the values with one place in a house, then what filled cells exclude as one step."""
        masks, board, cells = stage.before, self._board, 0
        places = [0] * board.values
        for c, mask in enumerate(masks):
            if mask & (mask - 1):
                cells |= 1 << c
                for bit in bits(mask):
                    places[bit] |= 1 << c
            else:
                places[mask.bit_length() - 1] |= 1 << c
        able = [(bit, where) for bit, where in enumerate(places) if where & cells]
        for house in (house for house in board.in_order if house.cells & cells):
            for bit, where in able:
                only = where & house.cells
                if not only & cells or only & (only - 1):
                    continue
                cell = only.bit_length() - 1
                if new := {(cell, b) for b in bits(masks[cell]) if b != bit} & left:
                    last = not house.cells & cells & ~only
                    pattern = hidden_single(board, house, cell, bit, masks[cell], last)
                    others = self.ladder.atoms[house.atom].cells
                    reads = frozenset(c for c in others if c != cell and masks[c] != self.ladder.full[c])
                    left -= new
                    yield Step(stage.level, frozenset(new), (house.atom,), reads, masks, pattern=pattern)
        if left and (step := self._tidied(stage, left)):
            left -= step.facts
            yield step

    def _tidied(self, stage: Stage, facts: Iterable[Fact]) -> Step | None:
        """Return all that cells with one candidate take from the cells that they see, as one step."""
        settled = (c for c, mask in enumerate(stage.before) if not mask & (mask - 1))
        step = self._by_filled(stage.before, facts, settled)
        if step is None:
            return None
        if len({cell for cell, _ in step.facts}) == len(step.placed) == 1:
            node = sum(1 << self._board.literal(*fact) for fact in step.placed.items())
            why = "the only value that is left there"
            return replace(step, pattern=Pattern("naked single", 2.3, 0, why, (("single", node),), sets=node))
        node = sum(1 << self._board.literal(c, stage.before[c].bit_length() - 1) for c in sorted(step.reads))
        why = f"the values of {len(step.reads)} filled cells are removed from the cells that they see"
        if len(step.reads) == 1:
            why = "the value of 1 filled cell is removed from the cells that it sees"
        name = "naked singles" if step.placed else "pencil marks"
        return replace(step, pattern=Pattern(name, 2.3, 0, why, (("single", node),)))

    def _by_filled(self, before: Sequence[int], facts: Iterable[Fact], filled: Iterable[int]) -> Step | None:
        """Return what filled cells take from others, by no house or cell without need; None if that is nothing."""
        with_value, within = [0] * self._board.values, self._board.within
        for c in filled:
            with_value[before[c].bit_length() - 1] |= 1 << c
        found: dict[Fact, list[tuple[int, int]]] = {}
        for cell, bit in facts:
            hits = ((a, with_value[bit] & ~(1 << cell) & within[a]) for a in self.ladder.users[cell] if a in within)
            if pairs := [(a, hit) for a, hit in hits if hit]:
                found[cell, bit] = pairs
        if not found:
            return None
        atoms = _hitting(sum(1 << a for a, _ in pairs) for pairs in found.values())
        reads = _hitting(union(hit for a, hit in pairs if a in atoms) for pairs in found.values())
        return Step((1, 1), frozenset(found), tuple(sorted(atoms)), frozenset(reads), tuple(before))

    def proved(
        self, state: State, pattern: Pattern, written: Sequence[int], only: tuple[frozenset[Fact], Level] | None = None
    ) -> Step | None:
        """Return a pattern as a step, with the atoms and cells that it needs; None if it cannot be proved.

        ``written`` are the candidates before those that filled cells exclude were removed; ``only``: some of what the
        pattern removes, and the level of the stage that does.
        """
        facts = frozenset(self._board.facts(pattern.out)) if only is None else only[0]
        pattern = pattern if only is None else replace(pattern, then="")
        if not pattern.why:
            return self._by_rule(state, pattern, facts)
        if pattern.sets and pattern.cells:
            return self._naked_single(state, pattern, written, facts)
        masks = list(state.masks)
        if pattern.sets and not facts:  # the cell has no other value left by the filled cells that it sees
            cell = self._board.where(pattern.sets).bit_length() - 1
            facts = frozenset((cell, b) for b in bits(written[cell] & ~masks[cell]))
            masks[cell] = written[cell]
        atoms, reads = self._premises(state, pattern)
        follows = self._proof(masks, facts, atoms, reads)
        if follows is None:
            return None
        if facts and not pattern.sets:
            atoms = needed(atoms, lambda some: follows(some, reads))
            reads = needed(reads, lambda some: follows(atoms, some))
        level = self._level(masks, pattern, facts, atoms) if only is None else only[1]
        return Step(level, facts, tuple(sorted(atoms)), frozenset(reads), tuple(masks), pattern=pattern)

    def _by_rule(self, state: State, pattern: Pattern, facts: frozenset[Fact]) -> Step | None:
        """Return all that a rule removes with as many cells read for each removal as the level says."""
        stage = stage_of(state)
        if stage is None:
            return None
        by = {number: stage.by[number] & facts for number in pattern.atoms}
        steps = list(self.reasoner.steps(Stage.of(stage.level, stage.before, facts, by)))
        atoms, reads = ({x for step in steps for x in of(step)} for of in (attrgetter("atoms"), attrgetter("reads")))
        return Step(stage.level, facts, tuple(sorted(atoms)), frozenset(reads), stage.before, pattern=pattern)

    def _naked_single(
        self, state: State, pattern: Pattern, written: Sequence[int], facts: frozenset[Fact]
    ) -> Step | None:
        """Return the step of a cell that has one value left: what it sees, or what it takes from the cells it sees."""
        cell = pattern.cells.bit_length() - 1
        if gone := written[cell] & ~state.masks[cell]:
            step = self._by_filled(written, [(cell, b) for b in bits(gone)], state.placed)
            return replace(step, pattern=pattern) if step and len(step.facts) == gone.bit_count() else None
        step = self._by_filled(state.masks, facts, [cell])
        return replace(step or Step((1, 1), facts, (), frozenset([cell]), tuple(state.masks)), pattern=pattern)

    def _premises(self, state: State, pattern: Pattern) -> tuple[list[int], list[int]]:
        """Return atoms and cells that are enough: those that the pattern names, and the houses of two of its cells."""
        atoms, full = self.ladder.atoms, self.ladder.full
        cells = dict.fromkeys(bits(pattern.cells))
        for number, bit in pattern.places:
            cells |= {c: None for c in atoms[number].cells if not state.masks[c] >> bit & 1 or c in state.placed}
        shown = pattern.cells | self._board.where(pattern.out)
        for _, literals in pattern.parts:
            shown |= self._board.where(literals)
        named = dict.fromkeys([number for number, _ in pattern.places] + list(pattern.atoms))
        by_rules = "by rules" in pattern.name
        for number, atom in enumerate(atoms if not pattern.sets else ()):
            able = by_rules or atom.house is not None or number in self._board.pairs
            if able and sum(shown >> c & 1 for c in atom.cells) > 1:
                named.setdefault(number)
        for number in named:
            if atoms[number].house is None and (by_rules or number in pattern.atoms or number not in self._board.pairs):
                cells |= dict.fromkeys(atoms[number].cells)
        return list(named)[::-1], [c for c in cells if state.masks[c] != full[c]]

    def _proof(
        self, before: Sequence[int], facts: frozenset[Fact], atoms: Sequence[int], reads: Sequence[int]
    ) -> Follows | None:
        """Return how facts are proved: by the ladder's own propagation, or by an engine; None if they do not follow."""

        def followed(way: Callable[..., bool], some: Iterable[int], read: Iterable[int]) -> bool:
            return all(way(before, fact, some, read) for fact in facts)

        fails = self.ladder.fails
        ways = (partial(fails, strong=False), partial(fails, strong=True), lambda *asked: self.reasoner.refuted(*asked))
        return next((follows for way in ways if (follows := partial(followed, way))(atoms, reads)), None)

    def _level(self, masks: Sequence[int], pattern: Pattern, facts: frozenset[Fact], atoms: Sequence[int]) -> Level:
        """Return the level of the ladder at which all of some facts follow from some atoms."""
        if pattern.sets:
            return 1, 1
        if len(atoms) <= 2:
            for k in BANDS[1]:
                if facts <= frozenset().union(*(self.ladder.reading(a, masks, k) for a in atoms)):
                    return 1, k
        for kind in (2, 3):
            depths = [self.ladder.fails_in(masks, fact, atoms, kind == 3) or 0 for fact in facts]
            if all(depths):
                return kind, next(band for band in BANDS[kind] if max(depths) <= band)
        tried = self._board.facts(sum(literals for _, literals in pattern.parts))
        inner = (j for j in BANDS[4] if all(self._nested(masks, fact, atoms, j, tried) for fact in facts))
        return 4, next(inner, BANDS[4][-1])

    def _nested(
        self, masks: Sequence[int], fact: Fact, atoms: Sequence[int], inner: int, tried: Sequence[Fact]
    ) -> bool:
        """Return whether a supposed candidate fails when others fall by trials of at most ``inner`` rounds."""
        left = supposed(masks, fact)
        while self.ladder.follow(left, atoms) is None:
            depths = {(c, b): self.ladder.fails_in(left, (c, b), atoms) for c, b in tried if left[c] >> b & 1}
            gone = [(c, b) for (c, b), depth in depths.items() if depth is not None and depth <= inner]
            for c, b in gone:
                left[c] &= ~(1 << b)
            if not gone or not all(left):
                return bool(gone)
        return True


def _hitting(sets: Iterable[int]) -> list[int]:
    """Return members, none without need, such that each set (the bits of an integer) has one of them."""
    every = set(sets)
    chosen = union(one for one in every if not one & (one - 1))
    every = {one for one in every if not one & chosen}
    chosen |= union(every)
    for member in bits(union(every)):
        rest = chosen & ~(1 << member)
        if all(one & rest for one in every):
            chosen = rest
    return list(bits(chosen))
