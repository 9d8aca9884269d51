"""Backends made of several others: ``relay`` (in turn) and ``portfolio`` (at the same time, each in its own process).

Written ``name:(spec)|(spec)``. Each member lowers the model itself and keeps its own options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import field
from functools import partial
from itertools import chain
from typing import Any

from ..dataclass import dataclass
from ..errors import BackendFailed, BackendMissing, BadOption, Unsupported
from ..model import AllDifferent, Constraint, Model
from .budget import Budget
from .contract import Capabilities, Compiled, Ending, Feature, Isolate, Reason, Request, Search
from .record import Record
from .registry import Selection, select

TURN = 5_000_000
"""The patience of the second of two engines that take turns, in its first one: about half a second."""

TURN_WITH_HOUSES = TURN // 4
"""The same if every cell is in a full house: then it seldom is the quicker one."""

ALONE = {Feature.PATIENCE, Feature.BATCH, Feature.ASSUME}
"""Features of a single compiled form, which a combined backend does not have."""

EVERY = frozenset(Constraint.kinds.values())


@dataclass(frozen=True)
class Members:
    """The options of a combined backend: its members, each in parentheses, separated by ``|``; see ``Relay`` for
    ``turns``: there are none where up to ``alone`` solutions are wanted. ``more`` returns further members: they are
    chosen when they are first needed.
    """

    members: tuple[Selection, ...] = ()
    turns: bool = False
    alone: int = 0
    more: Callable[[], tuple[Selection, ...]] = field(default=tuple, repr=False, compare=False)

    def __iter__(self) -> Iterator[Selection]:
        yield from self.members
        yield from self.more()

    def __str__(self) -> str:
        return "|".join(f"({member})" for member in self)


class Combined:
    """A backend made of others."""

    name: str
    Options = Members
    capabilities = Capabilities(frozenset())

    search: Callable[..., Search]
    """Lets the members search; see ``road.search``."""
    capabilities_with: Callable[[Members], Capabilities]

    def compile(self, model: Model, options: Members) -> Compiled:
        """Refuse: each member compiles the model itself."""
        raise Unsupported(f"a {self.name} has no compiled form: each of its members compiles the model")

    def of(self, text: str) -> Selection:
        """Parse ``(spec)|(spec)``; BadOption if it is malformed or has fewer than two members."""
        parts, example = list(_parted(text)), f"{self.name}:(pycosat)|(cp-sat)"
        for part in parts:
            if not (part.startswith("(") and part.endswith(")")):
                raise BadOption(f"{self.name}: {part!r} is not a specification in parentheses, as in {example}")
        if len(parts) < 2:
            raise BadOption(f"{self.name}:{text}: two or more members are expected, as in {example}")
        return Selection(self, Members(tuple(select(part[1:-1]) for part in parts)))


def _parted(text: str) -> Iterator[str]:
    """Yield the parts of a text between each ``|`` outside parentheses."""
    part, depth = "", 0
    for sign in text:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "|" and not depth:
            yield part.strip()
            part = ""
        else:
            part += sign
    yield part.strip()


class Relay(Combined):
    """Members that work one after another, each where the previous one gave up: ``relay:(native:patience=9)|(cp-sat)``.

    Solutions that were already yielded are not repeated. A member is passed over if it does not accept the model or
    lacks a feature that the request needs. The record names the member that finished, and its notes list those that
    gave up or were passed over. If members give up by the amount of work, not by a clock, the same request always has
    the same answers.

    Members with ``turns`` have several: if the second one gives up too, the first goes on where it was, and so on, each
    time with twice the patience.
    """

    name = "relay"

    def capabilities_with(self, options: Members) -> Capabilities:
        """Return what the first member can do, and that a time limit is observed, since each member does so by itself
        or in a process that can be killed. It proves if one of the members chosen so far does.
        """
        members = [member.capabilities for member in options.members]
        features = set(members[0].features) - ALONE | {Feature.TIME_LIMIT} if members else set()
        features |= {Feature.PROVE for member in members if Feature.PROVE in member.features}
        return Capabilities(
            EVERY,
            frozenset(features),
            requires=tuple(chain.from_iterable(member.requires for member in members)),
            conflicts=tuple(chain.from_iterable(member.conflicts for member in members)),
        )

    def search(
        self, selection: Selection, request: Request, budget: Budget, record: Record, guard: Any, isolate: bool
    ) -> Search:
        """Let the members search in turn; one that does not accept the model, or fails, is passed over.

        If no member settles the question, what a member that failed raised is raised, or, if none accepts the model,
        what the last one raised.
        """
        from . import road

        ending, refused, order = None, None, _order(selection.options, request, guard.checker.model)
        with ExitStack() as searches:

            def start(member: Selection, asked: Request) -> Search:
                road.refuse_undeclared(member, request, guard.checker.model)
                return searches.enter_context(closing(road.search(member, asked, budget, record, guard, isolate)))

            while _goes_on(ending, guard) and (runner := next(order, None)):
                try:
                    ending = yield from runner.turn(start, record, guard)
                except (Unsupported, BackendMissing, BackendFailed) as error:
                    if not guard.remembers_all:  # another one would yield solutions again that are forgotten
                        raise
                    refused, runner.refused = refused if isinstance(refused, BackendFailed) else error, True
                    record.notes.append(f"{runner.member} was passed over: {error}")
        is_open = ending is None or (ending.reason is Reason.GAVE_UP and isinstance(refused, BackendFailed))
        if refused is not None and is_open:
            raise refused
        return ending or Ending(Reason.GAVE_UP)


def _order(members: Members, request: Request, model: Model) -> Iterator[_Runner]:
    """Yield the member whose turn it is: one that can go on alternates with the one behind it."""
    first: _Runner | None = None
    for member in members:
        paused = first is not None and first.search is not None
        turns = members.turns and first is None and not 0 < (request.limit or 0) <= members.alone
        asked = request.but(patience=_turn(model)) if paused else request.but(turns=turns)
        yield (runner := _Runner(member, asked))
        while first and first.search and not runner.refused:
            yield first
            yield runner
        first = runner if runner.search else first
    while first and first.search:
        yield first


def _turn(model: Model) -> int:
    """Return the patience of the second of two engines that take turns, in its first one."""
    full = [c.xs for c in model.constraints if isinstance(c, AllDifferent) and _is_full(model, c.xs)]
    board = model.names if model.board is None else model.names[: model.board.cells]
    return TURN_WITH_HOUSES if frozenset(chain.from_iterable(full)).issuperset(board) else TURN


def _is_full(model: Model, house: Sequence[str]) -> bool:
    """Return whether variables have no more values than they are."""
    return all(len(model.domains[x]) <= len(house) for x in house)


def _goes_on(ending: Ending | None, guard: Any) -> bool:
    """Return whether another member may go on: then all that was found is known, so nothing comes twice."""
    return ending is None or bool(ending.reason is Reason.GAVE_UP and guard.left and guard.remembers_all)


@dataclass
class _Runner:
    """A member of a relay, whose search goes on in its next turn, or begins anew with twice the patience."""

    member: Selection
    request: Request
    search: Search | None = None
    state: Any = None
    tired: bool = False
    refused: bool = False

    def turn(self, start: Callable[[Selection, Request], Search], record: Record, guard: Any) -> Search:
        """Yield the blocks of a turn; return how it ended: if it gave up, ``search`` says whether it can go on."""
        record.backend, record.options = self.member.backend.name, self.member.changed
        guard.next_engine(self.member, self.state if self.search else None)
        search, self.search = self.search or start(self.member, self.request), None
        if self.request.patience:
            self.request = self.request.but(patience=2 * self.request.patience)
        try:
            while len(block := next(search)):
                yield block
            self.search, self.state = search, guard.state
            ending = Ending(Reason.GAVE_UP)
        except StopIteration as stop:
            ending = stop.value
        if ending.reason is Reason.GAVE_UP and guard.left and not self.tired:
            self.tired = True
            record.notes.append(f"{self.member} gave up")
        return ending


class Portfolio(Combined):
    """Members that work side by side: the first answer wins and the others are killed. The record names the winner.

    It declares the features that all members declare, and proves if any member does: a member that cannot prove gives
    up, and the others continue. With an objective all of them improve side by side until one has proved its best
    solution optimal.
    """

    name = "portfolio"

    def capabilities_with(self, options: Members) -> Capabilities:
        """Return what every member can do; all kinds are accepted, since each member lowers the model itself."""
        declared = [member.capabilities.features for member in options.members] or [frozenset()]
        proves = {Feature.PROVE} & frozenset.union(*declared)
        features = (frozenset.intersection(*declared) - ALONE) | proves
        return Capabilities(EVERY, features, isolate=Isolate.ALWAYS)

    def search(
        self, selection: Selection, request: Request, budget: Budget, record: Record, guard: Any, isolate: bool
    ) -> Search:
        """Start every member in a child process; yield the solutions of the first that answers, or all improvements."""
        from . import workers
        from .road import checked

        if request.trace is not None:
            raise Unsupported(f"{selection}: a search in another process cannot be traced")
        model, asked = guard.checker.model, guard.asked(request)
        together = model.objective is not None and request.limit != 1
        guard.merging = guard.merging or together
        source = partial(
            workers.search, model, selection.options.members, asked, budget, won=partial(setattr, guard, "selection")
        )
        return (yield from checked(source, budget, record, guard))


RELAY, PORTFOLIO = Relay(), Portfolio()
