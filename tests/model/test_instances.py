"""Instances of competitions are read as models: equal when written back, known counts, and errors that say where."""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Callable, Mapping
from itertools import product
from math import prod
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_models import FormatError, Model, Variable, solve
from sudoku_models.model import Circuit, Compare, Count, Element, Implies, Linear, Objective, Or, brute_force

from ..exports import readers
from ..running import invoke
from ..strategies import models

CNF = "c three of them\np cnf 3 3\n1 -2 0\n2 3\n-1 0 -3 0\n"
OPB = "* #variable= 3 #constraint= 2\nmin: +2 x1 -1 x3 ;\n+1 x1 +2 ~x2 +1 x3 >= 2 ;\n+1 x1 +1 x2 = 1 ;\n"
MPS = """NAME t
ROWS
 N cost
 L a
 G b
COLUMNS
 M1 'MARKER' 'INTORG'
 x cost 1 a 2.5
 x b 1
 y cost -2 a 1
 M2 'MARKER' 'INTEND'
RHS
 R a 7.5 b 1
RANGES
 G a 5
BOUNDS
 UP B x 3
 UP B y 4
ENDATA
"""
XML = """<instance format="XCSP3" type="COP">
<variables><array id="x" size="[3]"> 0..2 </array><var id="y"> 0 2..4 </var></variables>
<constraints>
 <allDifferent> x[] </allDifferent>
 <group><intension> ne(%0,%1) </intension><args> x[0] y </args><args> x[1] y </args></group>
 <sum><list> x[0..1] y </list><coeffs> 1 2 1 </coeffs><condition> (le,7) </condition></sum>
 <extension><list> x[0] x[1] </list><conflicts> (0,1)(2,0) </conflicts></extension>
</constraints>
<objectives><maximize type="sum"><list> x[0] y </list></maximize></objectives>
</instance>"""
FZN = """predicate p(var int: a);
array [1..3] of int: w = [1,2,-1]; % weights
var 1..3: x; var 1..3: y:: output_var; var bool: b; var 0..9: z = y;
array [1..3] of var int: xs:: output_array([1..3]) = [x,y,z];
constraint fzn_all_different_int([x,y]);
constraint int_lin_le_reif(w,xs,3,b);
constraint bool_clause([b],[]) :: domain;
constraint array_int_element(x,[3,1,2],y);
solve :: int_search(xs, input_order, indomain_min, complete) maximize x;
"""


CASES = {".cnf": CNF, ".opb": OPB, ".mps": MPS, ".xml": XML, ".fzn": FZN}


def read(folder: Path, end: str, text: str) -> Model:
    path = folder / f"one{end}"
    path.write_text(text)
    return Model.read(path)


def test_each_format_means_what_it_says(tmp_path: Path) -> None:
    models = {end: read(tmp_path, end, text) for end, text in CASES.items()}
    rows = {end: list(brute_force(model)) for end, model in models.items()}
    assert rows[".cnf"] == [
        (a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1) if (a or not b) and (b or c or not a) and not c
    ]
    assert rows[".opb"] == [(1, 0, 0), (1, 0, 1)]
    assert rows[".mps"] == [(x, y) for x in range(4) for y in range(5) if 2.5 <= 2.5 * x + y <= 7.5 and x >= 1]
    assert rows[".xml"] == [
        (a, b, c, y)
        for a in range(3) for b in range(3) for c in range(3) for y in (0, 2, 3, 4)
        if len({a, b, c}) == 3 and y not in (a, b) and a + 2 * b + y <= 7 and (a, b) not in ((0, 1), (2, 0))
    ]  # fmt: skip
    assert [row[:2] for row in rows[".fzn"]] == [(2, 1)]
    found = {end: solve(models[end]).objective for end in (".opb", ".mps", ".xml", ".fzn")}
    assert found == {".opb": 1, ".mps": -7, ".xml": 5, ".fzn": 2}


XML_MEANS: Mapping[str, Callable[[tuple[int, ...], int], bool]] = {
    "<allEqual> x[] </allEqual>": lambda x, y: len({*x}) == 1,
    "<channel><list> x[] </list></channel>": lambda x, y: all(x[i] == j for j, i in enumerate(x)),
    "<noOverlap><origins> x[] </origins><lengths> 1 1 1 </lengths></noOverlap>": lambda x, y: len({*x}) == 3,
    "<cumulative><origins> x[] </origins><lengths> 2 1 1 </lengths><heights> 1 1 2 </heights>"
    "<condition> (le,2) </condition></cumulative>": lambda x, y: (
        x[2] not in (x[0], x[0] + 1, x[1])  # which alone takes all there is
    ),
    "<cardinality><list> x[] </list><values closed='true'> 0 1 </values><occurs> 0..1 2..3 </occurs></cardinality>": (
        lambda x, y: x.count(0) <= 1 and x.count(1) >= 2 and 2 not in x
    ),
    "<cardinality><list> x[] 2 1 </list><values closed='true'> 1 2 </values><occurs> 1..2 0..4 </occurs>"
    "</cardinality>": (lambda x, y: x.count(1) <= 1 and 0 not in x),
    "<cardinality><list> x[] 2 </list><values> 1 2 </values><occurs> y 2 </occurs></cardinality>": (
        lambda x, y: x.count(1) == y and x.count(2) == 1
    ),
    "<cardinality><list> x[] </list><values> 2 </values><occurs> y </occurs></cardinality>": (
        lambda x, y: x.count(2) == y
    ),
    "<lex><list> x[0..1] </list><list> x[1..2] </list><operator> ge </operator></lex>": lambda x, y: x[:2] >= x[1:],
}


@pytest.mark.parametrize("stated", XML_MEANS)
def test_a_constraint_of_xcsp3_means_what_its_name_says(stated: str, tmp_path: Path) -> None:
    before, after = XML.split("<constraints>")[0], "</constraints></instance>"
    model = read(tmp_path, ".xml", f"{before}<constraints>{stated}{after}".replace("COP", "CSP"))
    every = product(range(3), range(3), range(3), (0, 2, 3, 4))
    wanted = {(*x, y) for *x, y in every if XML_MEANS[stated](tuple(x), y)}
    assert set(brute_force(model)) == wanted and wanted


def test_indexes_from_1_may_be_numbers_and_do_not_loosen_a_reified_constraint(tmp_path: Path) -> None:
    text = "var 1..3: a; var 1..3: b; var bool: p; constraint fzn_circuit{}; solve satisfy;"
    for what, wanted in (("([a,b,1])", [(2, 3, 0), (2, 3, 1)]), ("_reif([a,b,1],p)", None)):
        rows = list(brute_force(read(tmp_path, ".fzn", text.format(what))))
        every = [(a, b, int((a, b) == (2, 3))) for a in (1, 2, 3) for b in (1, 2, 3)]
        assert [row[:3] for row in rows] == (wanted or every)


def test_dimacs_and_opb_are_written_back_equal(tmp_path: Path) -> None:
    for end in (".cnf", ".opb"):
        model = read(tmp_path, end, CASES[end])
        model.write(tmp_path / f"again{end}")
        assert Model.read(tmp_path / f"again{end}") == model
    with pytest.raises(ValueError, match="variables x1, x2"):
        Model([Variable("y", (0, 1))]).write(tmp_path / "no.opb")
    with pytest.raises(ValueError, match="linear sums"):
        read(tmp_path, ".cnf", CNF).write(tmp_path / "no.opb")
    for more in (model.minimise(model["x1"]), Model([Variable("x1", (0, 5))])):
        with pytest.raises(ValueError, match="no objective"):
            more.write(tmp_path / "no.cnf")
    with pytest.raises(ValueError, match=r"ends in \.cnf, \.opb, \.mps, \.xml, \.fzn is expected"):
        model.write(tmp_path / "no.lp")


DECLARED = """var 1..3: x; var 1..3: y; var {0, 2, 5}: z; var bool: b; var bool: c; var 0..1: r;
array [1..3] of var int: xs = [x,y,z];
"""
PREDICATES = """int_eq(x,y) int_eq(3,y) int_le(2,x) int_ne(x,y) int_lin_le([1,2],[x,y],3) int_lin_eq([1,-1],[x,y],1)
bool2int(b,r) bool_not(b,c) bool_xor(b,c,r) bool_eq(b,true) array_bool_and([b,c],r) array_bool_or([b,c],true)
int_plus(x,y,z) int_times(x,y,z) int_abs(x,y) int_max(x,y,z) int_min(x,2,z) set_in(x,{1,3}) set_in(x,1..2)
fzn_all_different_int(xs) count_eq(xs,2,r) count_eq(xs,y,r) global_cardinality(xs,[1,2],[r,1])
global_cardinality_closed(xs,[1,2],[r,1]) array_int_element(x,[3,1,2],y) array_var_int_element(x,[z,y,2],y)
array_var_int_element(2,[z,y],x) circuit([x,y,3])
inverse([x,y,1],[3,2,y]) fzn_cumulative([x,y],[1,2],[1,1],1) fzn_disjunctive([x,y],[1,2]) fzn_table_int([x,y],[1,2,3,1])
fzn_table_bool([b,c],[true,false]) fzn_lex_less_int([x,y],[y,z]) lex_lesseq_int([x],[z]) nvalue(r,xs)
bool_clause([b],[c]) regular([x,y],2,3,[1,2,0,2,2,1],1,{2}) bool_clause([b,true],[c]) int_le_reif(x,2,true)
bool_clause([],[]) bool_clause([b],[true]) bool_clause([b,true],[c,true]) bool_xor(b,b,false) bool_xor(b,b,true)
int_abs(0,0) int_lt(1,x) int_lt(x,3) int_lt(y,x) bool_lt(b,c) bool_lt(b,true)"""


def test_flatzinc_is_written_back_equal_and_means_the_same() -> None:
    predicates = re.findall(r"(\w+)(\(.*?\))(?:\s|\Z)", PREDICATES)
    clause = "constraint bool_clause([b,c],[r]);"  # by which these are truth values
    assert len(predicates) == 51
    for name, arguments in predicates:
        one = f"constraint {name}{arguments};"
        reified = [f"constraint {name}{ending}{arguments[:-1]},c);" for ending in ("_reif", "_imp")]
        for stated in (one, one + clause, *(reified if "_" not in name[-5:] else ())):
            model = readers.read(f"{DECLARED}{stated} solve maximize x;", ".fzn")
            assert readers.again(model, ".fzn") == model, stated
    means: dict[str, Callable[[int, int], bool]] = {
        "regular([x,y],2,3,[1,2,0,2,2,1],1,{2})": lambda x, y: (x, y) in ((1, 2), (2, 1), (2, 2)),
        "fzn_table_int([x,y],[1,2,3,1])": lambda x, y: (x, y) in ((1, 2), (3, 1)),
        "fzn_disjunctive([x,y],[1,2])": lambda x, y: x + 1 <= y or y + 2 <= x,
        "lex_lesseq_int([x],[y])": lambda x, y: x <= y,
        "nvalue(2,[x,y])": lambda x, y: x != y,
    }
    for text, holds in means.items():
        rows = brute_force(readers.read(f"var 1..3: x; var 1..3: y; constraint {text}; solve satisfy;", ".fzn"))
        assert set(rows) == {(x, y) for x in (1, 2, 3) for y in (1, 2, 3) if holds(x, y)}, text


def test_flatzinc_is_written_by_the_predicates_of_the_standard_and_with_all_variables(tmp_path: Path) -> None:
    x, y = Variable("_0", range(4)), Variable("y", range(4))
    for stated in (x > y, x >= y + 2, x + y > 2, 2 * x < 3 + y, x > 2, x < y - 1):
        model = Model([x, y], [stated])
        model.write(tmp_path / "m.fzn")
        assert not re.search("_g[te]|lin_lt", (tmp_path / "m.fzn").read_text())
        assert sorted(brute_force(Model.read(tmp_path / "m.fzn"))) == sorted(brute_force(model))
    text = "var 1..1: _0; var 0..1: y; constraint array_var_int_element(1,[_0,y],y); var 0..1: z; solve minimize _0;"
    for mine in (text, "var 0..1: y; solve minimize 3;"):
        model = readers.read(mine, ".fzn")
        assert readers.again(model, ".fzn") == model


def test_flatzinc_states_with_further_variables_what_has_no_predicate(tmp_path: Path) -> None:
    x, y = Variable("x", range(-1, 3)), Variable("y", range(3))
    for model in (
        Model([x, y], [(x < 2) | (y == 1) | ~((x < y) & (y < 2))]),
        Model([x, y], [~((x < y) | (y < 2))]),
        Model([x, y], [((x == 0) & (y == 0)) | ((x == 1) & ((y == 2) | (x > y)))]),
        Model([x, y], [Implies((x < 1) & (y > 0), x + y == 1)]),
        Model([x, y], [Element(["y", "x", "y"], "x", "y")]),
        Model([x, y], [Or(Element(["y", "x"], "x", 1), x == y)]),
        Model([x, y], [Circuit(["x", "y"])]),
    ):
        model.write(tmp_path / "m.fzn")
        again = Model.read(tmp_path / "m.fzn")
        assert sorted(row[:2] for row in brute_force(again)) == sorted(brute_force(model)), model
    Model([x, y], [x != y]).minimise(2 * x - 3 * y + 7).write(tmp_path / "m.fzn")
    assert solve(Model.read(tmp_path / "m.fzn")).objective == -2 - 6 + 7


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("div", lambda a, b: int(a / b) if b else None),
        ("mod", lambda a, b: a - b * int(a / b) if b else None),
        ("pow", lambda a, b: a**b if b >= 0 else a**-b if a in (-1, 1) else None),
    ],
)
def test_arithmetic_of_flatzinc_is_rounded_towards_0(
    tmp_path: Path, name: str, value: Callable[[int, int], int | None]
) -> None:
    text = f"var -7..7: a; var -3..3: b; var -9..9: c; constraint int_{name}(a,b,c); solve satisfy;"
    pairs = product(range(-7, 8), range(-3, 4))
    rows = [(a, b, c) for a, b in pairs if (c := value(a, b)) is not None and -9 <= c <= 9]
    assert sorted(brute_force(read(tmp_path, ".fzn", text))) == sorted(rows)


@pytest.mark.parametrize(
    ("stated", "found"),
    [("int_pow(2,33,c)", 2**33), ("int_pow(3,35,c)", 3**35), (f"int_mod({2**53 + 1},2,c)", 1)],
)
def test_arithmetic_of_flatzinc_is_exact_for_large_numbers(tmp_path: Path, stated: str, found: int) -> None:
    text = f"var {{0, 1, {2**33}, {3**35}}}: c; constraint {stated}; solve satisfy;"
    assert list(brute_force(read(tmp_path, ".fzn", text))) == [(found,)]


def test_what_flatzinc_cannot_state_is_refused_by_name(tmp_path: Path) -> None:
    x, y = Variable("x", range(3)), Variable("y", range(3))
    for wrong, said in (
        (Model([Variable("x y", range(3))]), "letters, digits"),
        (Model([x, y], [Count(["x", "y"], [1, 2], "<=", 1)]), "no predicate for Count.*export"),
    ):
        with pytest.raises(ValueError, match=said):
            wrong.write(tmp_path / "no.fzn")


def test_names_of_others_go_through_xcsp3() -> None:
    text = XML.replace('<var id="y">', '<var id="v1" note="the second"> 1 </var><var id="y">')
    model = readers.read(text, ".xml")
    again = readers.again(model, ".xml")
    assert again.names == model.names == ("x[0]", "x[1]", "x[2]", "v1", "y")
    assert readers.again(again, ".xml") == again
    assert list(brute_force(again)) == list(brute_force(model))


numbers = st.integers(-3, 3)
literals = st.integers(1, 4).flatmap(lambda x: st.sampled_from([f"x{x}", f"~x{x}"]))
opb_sums = st.lists(
    st.builds(lambda c, xs: f"{c:+d} {' '.join(xs)}", numbers, st.lists(literals, min_size=1, max_size=3)), min_size=1
).map(" ".join)
opb_texts = st.builds(
    lambda goal, rows: "".join(f"{row} ;\n" for row in [*goal, *rows]),
    st.lists(st.builds("{}: {}".format, st.sampled_from(["min", "max"]), opb_sums), max_size=1),
    st.lists(st.builds("{} {} {}".format, opb_sums, st.sampled_from([">=", "<=", "="]), numbers), max_size=4),
).filter(bool)


def value(literals: str, values: Mapping[str, int]) -> int:
    return prod(values[x.lstrip("~")] ^ (x[0] == "~") for x in literals.split())


def holds(row: str, values: Mapping[str, int]) -> bool:
    """Evaluate a row of OPB by hand."""
    left, op, bound = re.fullmatch(r"(.*) (>=|<=|=) (\S+) ;", row).groups()  # type: ignore[union-attr]
    total = sum(int(c) * value(term, values) for c, term in re.findall(r"([+-]\d+)((?: ~?x\d)+)", left))
    return bool({">=": total >= int(bound), "<=": total <= int(bound), "=": total == int(bound)}[op])


@given(opb_texts)
@settings(max_examples=25, deadline=None)
def test_opb_with_products_means_what_it_says_and_is_written_back_equal(text: str) -> None:
    model = readers.read(text, ".opb")
    names = [x for x in model.names if "*" not in x]
    terms = [x for x in model.names if "*" in x]
    rows = [row for row in text.splitlines() if ":" not in row]
    for row in product((0, 1), repeat=len(names)):
        plain = dict(zip(names, row, strict=True))
        values = plain | {x: value(x.replace("*", " "), plain) for x in terms}
        assert model.holds(values) == all(holds(row, plain) for row in rows)
        assert not any(model.holds(values | {x: 1 - values[x]}) for x in terms)
    if not (model.objective and model.objective.constant):
        assert readers.again(model, ".opb") == model


@given(models([Linear, Compare], 3), numbers, st.sampled_from(["minimize", "maximize"]))
@settings(max_examples=25, deadline=None)
def test_integer_programs_are_written_and_read(made: Model, constant: int, sense: str) -> None:
    whole = [Variable(v.name, range(v.domain[0], v.domain[-1] + 1)) for v in made.variables]
    stated = [c for c in made.constraints if getattr(c, "op", "") != "!="]
    model = Model(whole, stated, Objective(sense, [2, -1][: len(whole)], whole[:2], constant))
    found = readers.again(model, ".mps")
    assert found.domains == model.domains and list(brute_force(found)) == list(brute_force(model))
    assert found.objective == model.objective
    assert readers.again(found, ".mps") == found


def test_what_mps_cannot_state_is_refused_by_name(tmp_path: Path) -> None:
    x, y = Variable("x", range(3)), Variable("y", range(3))
    for wrong, said in (
        (Model([x, y], [x != y]), "not Linear"),
        (Model([x, y], [(x == 1) | (y == 1)]), "not Or"),
        (Model([Variable("x", (1, 3))]), "between two bounds"),
        (Model([Variable("x y", range(3))]), "no space or quote in a name"),
    ):
        with pytest.raises(ValueError, match=said):
            wrong.write(tmp_path / "no.mps")


@pytest.mark.parametrize("end", [".gz", ".xz", ".bz2", ".zst"])
def test_compressed_instances_are_read(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = pytest.importorskip({".gz": "gzip", ".xz": "lzma", ".bz2": "bz2", ".zst": "zstandard"}[end])
    Path(f"one.cnf{end}").write_bytes(module.compress(CASES[".cnf"].encode()))
    assert Model.read(f"one.cnf{end}") == read(tmp_path, ".cnf", CNF)
    for kind in (".cnf", ".opb", ".mps", ".fzn"):
        model = read(tmp_path, kind, CASES[kind])
        assert readers.again(model, f"{kind}{end}") == model
    Path(f"cut.cnf{end}").write_bytes(Path(f"one.cnf{end}").read_bytes()[:-9])
    with pytest.raises(FormatError, match=f"cut.cnf{end}: .*damaged|cut.cnf{end}: .*too early"):
        Model.read(f"cut.cnf{end}")
    Path(f"empty.cnf{end}").write_bytes(module.compress(b""))
    with pytest.raises(FormatError, match="is empty: an instance is expected"):
        Model.read(f"empty.cnf{end}")
    with pytest.raises(FileNotFoundError):
        Model.read(f"none.cnf{end}")


@pytest.mark.parametrize("end", CASES)
def test_a_file_cut_off_anywhere_is_read_or_refused(end: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="is empty: an instance is expected"):
        read(tmp_path, end, "")
    for at in range(0, len(CASES[end]), 3):
        for text in (CASES[end][:at], CASES[end][:at] + "(é" + CASES[end][at:]):
            try:
                read(tmp_path, end, text)
            except FormatError as error:
                assert str(error)


def test_instances_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for end in (".cnf", ".opb"):
        read(tmp_path, end, CASES[end])
    Path("none.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    Path("bad.cnf").write_text("p cnf 1 1\n7 0\n")
    Path("one.xml.xz").write_bytes(lzma.compress(CASES[".xml"].encode()))
    files = ["one.cnf", "none.cnf", "one.opb", "bad.cnf", "one.xml.xz"]
    backends = ["-b", "pycosat", "-b", "cp-sat"]
    ended = invoke(["compare", *files, *backends, "--dir", "kept", "--out", "rows.jsonl", "--report", "page.html"])
    assert "bad.cnf: line 2: the literal 7" in ended.stderr and "All answers agree" in ended.stdout
    rows = [json.loads(line) for line in Path("rows.jsonl").read_text().splitlines()]
    expected = {"one.cnf": "solved", "none.cnf": "unsatisfiable", "one.opb": "solved", "one.xml.xz": "solved"}
    assert {(row["source"], row["backend"]): row["status"] for row in rows} == {
        (file, backend): status for file, status in expected.items() for backend in ("pycosat", "cp-sat")
    }
    assert "All answers agree" in invoke(["compare", "--resume", "kept"]).stdout


def test_instances_are_no_puzzles_and_models_of_explanations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for end, text in CASES.items():
        read(tmp_path, end, text)
        ended = invoke(["solve", f"one{end}"])
        assert ended.exit_code == 2 and f"one{end}: is a model" in ended.stderr and "compare" in ended.stderr
    Path("one.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    assert "There is no solution" in invoke(["explain", "--model", "one.cnf"]).stdout
    Path("one.cnf").write_text("p cnf 1 1\n7 0\n")
    assert "--model one.cnf: line 2: the literal 7" in invoke(["explain", "--model", "one.cnf"]).stderr
    Path("cut.xml").write_text('<?xml version="1.0"?>\n<!-- an inst')
    assert "cut.xml: not XML" in invoke(["compare", "cut.xml", "-b", "pycosat"]).stderr
