"""The answers: numbers that are known, and random models against brute force, in every shape of a request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from operator import itemgetter
from random import Random

from ...engine.contract import Feature, Request, Solution
from ...engine.road import prepare, run
from ...errors import Unsupported
from ...model import OPERATORS, AllDifferent, Compare, Constraint, Domain, InDomain, Linear, Model, Table, Variable
from ..examples import Known, NarrowedBoard, known, random_board, solved, structure
from ..generators import GENERATORS, random_domains, random_model
from ..subject import Check, Restricted, Subject, check, require

Question = tuple[Model, dict[str, Domain]]


@check(Feature.ENUMERATE, Feature.PROVE, on=lambda: (model for _, model, _ in known()))
def known_counts(subject: Subject) -> None:
    """All solutions are found: the known number, each once, and the search ends complete.

    With a share below 1 the models with the most solutions are left out: those above that share of the largest number.
    """
    most = subject.share * max(count for _, _, count in known())
    for name, model, count in _taken(subject):
        if count > most:
            continue
        solutions, outcome = subject.all(model)
        require(len(solutions) == count, f"{name}: {count} solutions exist, {len(solutions)} came")
        require(len(set(solutions)) == count, f"{name}: a solution came twice")
        require(outcome.complete and outcome.count == count, f"{name}: the outcome is {outcome}")
        subject.ran += 1


@check(on=lambda: (model for _, model, _ in known()))
def known_satisfiability(subject: Subject) -> None:
    """A first solution is found if there is one, and its absence is proved if the backend can prove."""
    for name, model, count in subject.part(list(_taken(subject))):
        first, outcome = subject.first(model)
        if first is None:
            require(count == 0 or not subject.has(Feature.PROVE), f"{name}: {count} solutions exist, none came")
            require(outcome.complete == subject.has(Feature.PROVE), f"{name}: the outcome is {outcome}")
        else:
            require(count > 0, f"{name}: no solution exists, {first} came")
        subject.ran += 1


def _taken(subject: Subject) -> Iterator[Known]:
    return subject.taken(known(), itemgetter(1))


@check(on=lambda: (model for model, _ in _odd_models()))
def odd_models(subject: Subject) -> None:
    """Models without constraints, without variables, with empty, negative, large or scattered domains."""
    _ask(subject, _odd_models())


@check(on=lambda: _odd_constraints())
def odd_constraints(subject: Subject) -> None:
    """Constraints over few or repeated variables, and those that always or never hold."""
    _ask(subject, ((model, {}) for model in _odd_constraints()))


def _every_operator() -> Iterator[Model]:
    x, y = Variable("x", range(1, 4)), Variable("y", range(1, 4))
    for op in OPERATORS:
        yield from (Model([x, y], [Compare(x, op, y, c)]) for c in range(-3, 4))
        yield from (Model([x, y], [Linear((1, 2), (x, y), op, k)]) for k in range(2, 11))
        yield from (Model([x], [Linear((-1,), (x,), op, k)]) for k in range(-4, 1))


@check(on=_every_operator)
def every_operator(subject: Subject) -> None:
    """Each operator at each bound around the critical ones: none is ignored, none is off by one."""
    _ask(subject, ((model, {}) for model in subject.part(list(_every_operator()))))


def _two_variables() -> list[Model]:
    x, y = Variable("x", range(1, 4)), Variable("y", range(1, 4))
    return [Model([x, y], constraints) for constraints in ([AllDifferent([x, y])], [Compare(x, "!=", y)], [])]


@check(on=_two_variables)
def odd_requests(subject: Subject) -> None:
    """Domains of a request that are empty, lie outside, or leave one value."""
    narrow: list[dict[str, Domain]] = [
        {}, {"x": ()}, {"x": (7,)}, {"x": (0, 7)}, {"x": (2,)}, {"x": (2, 9)}, {"x": (1, 3)}, {"x": (1, 2, 3)},
        {"x": (2,), "y": (2,)}, {"x": (1, 2), "y": (2,)}, {"x": (1, 2), "y": (1, 2)}, {"x": (2,), "y": ()},
    ]  # fmt: skip
    _ask(subject, ((model, domains) for model in _two_variables() for domains in narrow))


def _ask(subject: Subject, asked: Iterable[Question]) -> None:
    for model, domains in subject.taken(asked, itemgetter(0)):
        subject.agrees(model, domains)


def _odd_models() -> Iterator[Question]:
    x, y = Variable("x", range(1, 4)), Variable("y", (5,))
    yield Model(), {}
    yield Model([x]), {}
    yield Model([y]), {}
    yield Model([x, y]), {}
    yield Model([x, y]), {"x": (2, 3)}
    yield Model([x, Variable("none", ())]), {}
    yield Model([Variable("none", ())]), {"none": (1,)}
    negative = [Variable("a", (-5, -1)), Variable("b", (-5, 0, 3))]
    yield Model(negative, [AllDifferent(negative)]), {}
    large = [Variable("a", (-1_000_000, 1)), Variable("b", (1, 1_000_000))]
    yield Model(large, [Compare("a", "<", "b")]), {}
    yield Model(large, [AllDifferent(large)]), {"a": (1,)}
    odd = [Variable("an odd name", (0, 1)), Variable('with "quotes"', (0, 1)), Variable("α", (0, 1))]
    yield Model(odd, [AllDifferent(odd[:2]), AllDifferent(odd[1:])]), {'with "quotes"': (1,)}


def _odd_constraints() -> Iterator[Model]:
    x, y, z = (Variable(name, range(1, 4)) for name in "xyz")
    for op in OPERATORS:
        yield Model([x, y], [Compare(x, op, x)])
        yield Model([x, y], [Compare(x, op, x, 1)])
        yield Model([x, y], [Linear((), (), op, 0)])
        yield Model([x, y], [Linear((0, 0), (x, y), op, 1)])
        yield Model([x, y], [Linear((1, 1), (x, x), op, 4)])
        yield Model([x, y], [Linear((1, -1), (x, x), op, 0)])
        yield Model([x, y, z], [Linear((2, 1, -1), (x, y, x), op, 4)])
        yield Model([x, y, z], [Linear((2, -3, 1), (x, y, z), op, 0)])
    yield Model([x], [AllDifferent([])])
    yield Model([x], [AllDifferent([x])])
    yield Model([x, y], [AllDifferent([x, y]), AllDifferent([x, y])])
    for allowed in (True, False):
        yield Model([x, y], [Table([], [], allowed)])
        yield Model([x, y], [Table([], [()], allowed)])
        yield Model([x, y], [Table([x, y], [], allowed)])
        yield Model([x, y], [Table([x], [(2,), (9,)], allowed)])
        yield Model([x, y], [Table([x, x], [(1, 1), (1, 2)], allowed)])
        yield Model([x, y], [Table([y, x], [(1, 2), (3, 3), (9, 1)], allowed)])
        yield Model([x], [Table([x], [(1,), (2,), (3,)], allowed)])
    yield Model([x], [InDomain(x, ())])
    yield Model([x], [InDomain(x, (0, 2, 9))])


def kind_alone(kind: type[Constraint]) -> Check:
    """Return the check of one kind: one or two such constraints, answers equal to brute force over ``holds``."""

    def models(rng: Random) -> Iterator[Model]:
        return (random_model(rng, [kind], rng.randint(1, 5), rng.randint(1, 2)) for _ in range(25))

    def alone(subject: Subject) -> None:
        rng = Random(f"{kind.__name__} alone")
        some = list(models(rng))[: subject.some(25)]
        _ask(subject, ((model, random_domains(rng, model)) for model in some))

    return Check(f"{kind.__name__}_alone", alone, models=lambda: models(Random(f"{kind.__name__} alone")))


KINDS_ALONE = tuple(map(kind_alone, GENERATORS))


BITS = (31, 53, 62, 63)
"""Numbers around these powers of two: the limits of 32 bits, floating point, and 64 bits with and without a spare bit.
"""


def _large(number: int) -> Iterator[Model]:
    """Yield models of each kind with large values, another one for each number."""
    for bits in BITS:
        for kind in sorted(GENERATORS, key=lambda kind: kind.__name__):
            rng = Random(f"{bits} {kind.__name__} {number}")
            xs = large_variables(rng, bits)
            yield Model(xs, [GENERATORS[kind](rng, xs) for _ in range(2)])


@check(on=lambda: _large(0))
def large_numbers(subject: Subject) -> None:
    """Models of each kind with values around powers of two, all far from 0 or far from each other: solved exactly, or
    refused with the reason.
    """
    for model in subject.part([*_large(0), *_large(1)]):
        try:
            subject.agrees(model)
        except Unsupported as error:
            require(str(error), f"{subject.selection} refuses {model} without a reason")


def large_variables(rng: Random, bits: int) -> list[Variable]:
    """Return two variables with large values and one with small ones, which may be an index or a count."""
    k = 2**bits + rng.choice((-2, -1, 0, 1))
    far: Domain = rng.choice([(k, k + 1, k + 3), (0, 1, k), (-k, 0, k), (-k - 1, -k)])
    return [Variable("x0", far), Variable("x1", far), Variable("x2", (0, 1, 2))]


def _mixed() -> Iterator[Model]:
    rng, kinds = Random("kept"), list(GENERATORS)
    return (random_model(rng, kinds, rng.randint(1, 5), rng.randint(0, 3)) for _ in range(25))


@check(on=_mixed)
def mixtures(subject: Subject) -> None:
    """Random models of all kinds, narrowed and projected: answers equal to brute force."""
    rng, kinds = Random("mixtures"), list(GENERATORS)
    for _ in range(subject.some(60)):
        model = random_model(rng, kinds, rng.randint(1, 5), rng.randint(0, 6))
        names = tuple(sorted(rng.sample(model.names, rng.randint(1, len(model.names)))))
        if subject.refusal(model) is None:
            subject.agrees(model, random_domains(rng, model), rng.choice((None, names)))


@check(Feature.ENUMERATE, on=_mixed)
def kept_variables(subject: Subject) -> None:
    """Of the solutions that agree on some variables, at random, one is yielded in full."""
    rng = Random("kept, narrowed")
    for model in subject.taken(list(_mixed())[: subject.some(25)]):
        names = rng.sample(model.names, rng.randint(1, len(model.names)))
        subject.agrees(model, random_domains(rng, model), tuple(names))


def _ordered() -> Model:
    xs = [Variable(f"x{i}", range(1, 5)) for i in range(3)]
    return Model(xs, [Compare(xs[0], "<=", xs[1])])


@check(Feature.ENUMERATE, on=lambda: [_ordered()])
def kept_with_limits(subject: Subject) -> None:
    """The limit counts the yielded solutions, after the projection."""
    model = _ordered()
    for limit in (1, 2, 3, 4, 5, None):
        found, outcome = subject.all(model, limit=limit, keep=("x0",))
        expected = 4 if limit is None else min(4, limit)
        label = f"limit {limit}: {found}"
        require(len({row[0] for row in found}) == len(found) == expected, label)
        require(all(len(row) == 3 for row in found), label)
        require(outcome.complete or (limit or 5) <= 4, f"{label}, ended by {outcome.reason}")


@check(Feature.ENUMERATE, Feature.PROVE, on=lambda: [structure(2, 2)])
def kept_cells(subject: Subject) -> None:
    """Kept cells of a board: the first row of the 4x4 Sudoku has 24 values, its first cell 4."""
    model = structure(2, 2)
    for names, count in ((("R1C1",), 4), (model.names[:4], 24), (model.names[:2], 12)):
        found, outcome = subject.all(model, keep=names)
        require(len(found) == count and outcome.complete, f"keep {names}: {len(found)} of {count}, {outcome.reason}")
        subject.ran += 1


def restrictions(kinds: frozenset[type[Constraint]]) -> Iterator[frozenset[type[Constraint]]]:
    """Yield the restrictions of a backend with these kinds: each kind alone, and all but each one."""
    ordered = sorted(kinds, key=lambda kind: kind.__name__)
    if len(ordered) > 1:
        yield from (frozenset({kind}) for kind in ordered)
    if len(ordered) > 2:
        yield from (kinds - {kind} for kind in ordered)


def _two_values() -> list[Model]:
    """Return a model that every backend takes, unless it takes one family of models only."""
    return [Model([Variable("x", (1, 2))], [InDomain("x", (1,))])]


@check(on=_two_values)
def lowered_models(subject: Subject) -> None:
    """The backend takes fewer kinds than it does, so that every lowering meets every engine: every kind from which
    rewrites lead to the remaining ones, answers equal to brute force on the stated model.
    """
    rng, before = Random("restricted"), subject.ran
    for kinds in subject.part(list(restrictions(subject.selection.capabilities.kinds))):
        inside = Subject.of(Restricted(subject.selection, kinds))
        for kind in GENERATORS:
            for _ in range(0 if kind in kinds else subject.some(3)):
                model = random_model(rng, [kind], rng.randint(2, 4), 1)
                if inside.refusal(model) is None:
                    inside.agrees(model, random_domains(rng, model))
                    subject.ran += 1
    # with few of the cases there may be none from which a rewrite leads on
    require(subject.ran > before or subject.share < 1, f"{subject.selection}: no kind leads to another one")


SEEDS = (0, 1, 2, 3, 12345, 2**40)


@check()
def same_seed_same_answer(subject: Subject) -> None:
    """Called twice with the same seed, a backend gives the same answers in the same order."""
    model, _ = subject.small()
    limit = 5 if subject.has(Feature.ENUMERATE) else 1
    for seed in SEEDS if subject.has(Feature.SEED) else (0,):
        answers = set()
        for _ in range(3):
            with subject.run(Model(model.variables, model.constraints), seed=seed, limit=limit) as found:
                answers.add(tuple(islice(found, limit)))
        require(len(answers) == 1, f"seed {seed}: {len(answers)} different answers")
        subject.ran += 1


@check(Feature.SEED)
def another_seed_another_search(subject: Subject) -> None:
    """Some of several seeds give different solutions; a backend that may miss them is asked a small question."""
    model = subject.takes(structure(3, 3)) if subject.has(Feature.PROVE) else subject.small()[0]
    answers = {subject.first(model, seed=seed)[0] for seed in range(1, 9)} - {None}
    require(len(answers) > 1, f"eight seeds lead to {len(answers)} solutions of a model that has many")


SIZES = ((2, 2, 60, (0, 9)), (2, 3, 40, (6, 20)), (3, 2, 20, (6, 20)), (3, 3, 220, (38, 60)))
"""Height and width of a box, the number of boards, and the least and the greatest number of givens."""

LATER = 30
"""Boards of each size for a general backend, which brute force has already tested."""

FEW = 3
"""The same for a backend that may search long without finding anything."""


@check(on=lambda: (structure(height, width) for height, width, _, _ in SIZES))
def boards_against_the_reference(subject: Subject) -> None:
    """Random boards, right and wrong, with givens and candidates: the same solutions as the reference finds."""
    rng = Random("boards")
    some = dict(_boards(rng))
    specialist = subject.refusal(_two_values()[0]) is not None
    most = None if specialist else subject.some(LATER) if subject.has(Feature.PROVE) else FEW
    for model in subject.taken(some):
        for board in some[model][:most]:
            _compared(subject, board, rng.choice((1, 2, 5, 20)))


def _boards(rng: Random) -> Iterator[tuple[Model, list[NarrowedBoard]]]:
    for height, width, count, (least, most) in SIZES:
        model = structure(height, width)
        yield model, [random_board(rng, model, height, width, rng.randint(least, most)) for _ in range(count)]


def _compared(subject: Subject, board: NarrowedBoard, limit: int) -> None:
    limit = limit if subject.has(Feature.ENUMERATE) else 1
    found, outcome = subject.all(board.model, domains=board.domains, limit=limit)
    truth = list(run(board.model, subject.reference, Request(board.domains, limit)))
    label = f"{subject.selection} on {board}, limit {limit}: "
    require(len(set(found)) == len(found), f"{label}a solution came twice")
    if subject.has(Feature.PROVE):
        require(len(found) == len(truth), f"{label}{len(found)} solutions instead of {len(truth)}")
        require(outcome.complete == (len(found) < limit), f"{label}it ended by {outcome.reason}")
    if len(truth) < limit:
        require(set(found) <= set(truth), f"{label}other solutions than the reference has")
    subject.ran += 1


@check(on=lambda: [structure(3, 3)])
def solved_boards(subject: Subject) -> None:
    """A full board is its own solution; with one cell changed it has none."""
    rng, model = Random("solved"), structure(3, 3)
    for _ in range(10 if subject.has(Feature.PROVE) else FEW):
        grid = tuple(solved(rng, 3, 3))
        found, _ = subject.first(model, domains=_givens(model.names, grid))
        require(found == grid, f"the full board {grid} came back as {found}")
        at = rng.randrange(81)
        wrong = (*grid[:at], 1 + grid[at] % 9, *grid[at + 1 :])
        found, outcome = subject.first(model, domains=_givens(model.names, wrong))
        require(found is None, f"{found} came for a full board with a clash")
        require(outcome.complete == subject.has(Feature.PROVE), f"it ended by {outcome.reason}")
        subject.ran += 2


def _givens(names: tuple[str, ...], grid: Solution) -> dict[str, Domain]:
    return {name: (value,) for name, value in zip(names, grid, strict=True) if value}


@check(Feature.BATCH, on=lambda: [structure(3, 3)])
def batches(subject: Subject) -> None:
    """``rows`` on values and on candidate masks: the same counts and solutions as separate runs."""
    import numpy as np

    rng, model = Random("batches"), structure(3, 3)
    boards = [random_board(rng, model, 3, 3, rng.randint(26, 60)) for _ in range(60)]
    masks = np.full((len(boards), 81), 0x1FF, dtype=np.uint16)
    for row, board in zip(masks, boards, strict=True):
        for name, values in board.domains.items():
            row[model.index[name]] = sum(1 << (value - 1) for value in values)
    singles = [[d[0] if len(d := b.domains.get(name, ())) == 1 else 0 for name in model.names] for b in boards]
    grids = np.array(singles, dtype=np.uint8)
    plain = [NarrowedBoard(model, _givens(model.names, tuple(row))) for row in singles]
    for limit in (1, 2, 5):
        _batch(subject, boards, masks, limit)
        _batch(subject, plain, grids, limit)


def _batch(subject: Subject, boards: list[NarrowedBoard], grids: object, limit: int) -> None:
    compiled = prepare(boards[0].model, subject.selection).compiled
    batch = compiled.rows(grids, Request(limit=limit))
    require(len(batch.count) == len(boards), f"{len(boards)} boards, {len(batch.count)} answers")
    for i, board in enumerate(boards):
        truth, _ = subject.all(board.model, domains=board.domains, limit=limit)
        label = f"board {i} of a batch, {board}, limit {limit}: "
        require(batch.count[i] == len(truth), f"{label}{batch.count[i]} solutions instead of {len(truth)}")
        if len(truth) == 1:
            require(tuple(map(int, batch.values[i])) == truth[0], f"{label}another solution than run alone")
        subject.ran += 1
