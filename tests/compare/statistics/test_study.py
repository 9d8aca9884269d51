"""Figures of small comparisons, computed by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from sudoku_models.compare.report.tables import standings, statuses
from sudoku_models.compare.report.words import notes, verdict
from sudoku_models.compare.statistics import Matrix, Study, study_of

from ..made import LIMIT, LOST, row, rows


def study(**times: list[float | None]) -> Study:
    return study_of(rows(**times))


class TestMatrix:
    def test_repeats_are_put_together_by_their_median_and_their_mean(self) -> None:
        found = Matrix.of([row("a", 1, wall, repeat=i) for i, wall in enumerate([1.0, 2.0, 6.0])])
        assert (found.median.tolist(), found.par2.tolist()) == ([[2.0]], [[3.0]])

    def test_a_median_run_without_an_answer_is_infinite_and_known_to_reach_the_limit(self) -> None:
        found = Matrix.of([row("a", 1, wall, repeat=i) for i, wall in enumerate([1.0, LOST, LOST])])
        assert found.median.tolist() == [[math.inf]]
        assert found.censored.tolist() == [[LIMIT]]
        assert found.par2.tolist() == [[(1 + 20 + 20) / 3]]

    def test_what_was_not_run_is_no_number_and_not_common(self) -> None:
        found = Matrix.of(rows(a=[1.0, 2.0], b=[1.0]))
        assert np.isnan(found.median[1, 1])
        assert found.common().instances == found.instances[:1]

    def test_runs_with_different_limits_do_not_compare(self) -> None:
        with pytest.raises(ValueError, match=r"different time limits \(5 s and 10 s\)"):
            Matrix.of([row("a", 1, 1.0), row("a", 2, 1.0, time_limit=5.0)])


class TestStandings:
    def test_solved_par2_and_quantiles_keep_timeouts_in(self) -> None:
        found = study(a=[1.0, 3.0, LOST, LOST]).standings[0]
        assert (found.solved, found.runs) == (2, 4)
        assert found.par2.value == (1 + 3 + 20 + 20) / 4
        assert found.quantiles[0.5] == 3.0
        assert found.quantiles[0.75] == math.inf

    def test_the_shifted_geometric_mean_takes_the_limit_for_a_timeout(self) -> None:
        found = study(a=[1.0, 4.0, LOST]).standings[0].shifted.value
        assert found == pytest.approx((1.001 * 4.001 * 10.001) ** (1 / 3) - 0.001)

    def test_the_most_answers_stand_first_then_the_least_par2(self) -> None:
        found = study(slow=[2.0, 2.0], quick=[1.0, 1.0], half=[0.1, LOST])
        assert [s.backend for s in found.standings] == ["quick", "slow", "half"]

    def test_the_share_of_resamples_in_which_a_backend_is_first(self) -> None:
        clear = study(a=[1.0] * 8, b=[2.0] * 8).standings
        assert [s.first for s in clear] == [1.0, 0.0]
        even = study(a=[1.0, 2.0] * 20, b=[2.0, 1.01] * 20).standings
        assert all(0.2 < s.first < 0.8 for s in even)

    def test_those_of_one_mean_share_the_first_place(self) -> None:
        assert [s.first for s in study(a=[LOST] * 4, b=[LOST] * 4).standings] == [0.5, 0.5]

    def test_phases_are_means_sizes_medians_memory_the_median_and_the_most(self) -> None:
        said = [
            row("a", 1, 1.0, phases={"run": {"wall": 1.0}, "extra": {"wall": 3.0}}, sizes={"clauses": 10}, memory=100),
            row("a", 2, 1.0, phases={"run": {"wall": 2.0}}, sizes={"clauses": 30}, memory=None),
            row("a", 3, 1.0, sizes={"clauses": 20}, memory=300),
        ]
        found = study_of(said).standings[0]
        assert found.phases == {"run": 1.5, "extra": 1.5}
        assert found.sizes == {"clauses": 20}
        assert found.memory == (200, 300)

    def test_without_a_limit_a_missing_answer_leaves_no_par2(self) -> None:
        lost = [replace(r, time_limit=None) for r in rows(a=[1.0, LOST], b=[1.0, 2.0])]
        found = {s.backend: s for s in study_of(lost).standings}
        assert math.isnan(found["a"].par2.value)
        assert math.isnan(found["a"].shifted.value)
        assert found["b"].par2.value == 1.5

    def test_instances_that_not_all_have_run_are_left_out_and_counted(self) -> None:
        found = study(a=[1.0, 2.0, 9.0], b=[1.0, 1.0])
        assert (found.instances, found.left_out) == (2, 1)
        assert found.standings[1].par2.value == 1.5

    def test_no_runs_are_an_error(self) -> None:
        with pytest.raises(ValueError, match="no runs"):
            study_of([])


class TestWrongAnswers:
    ROWS = (*rows(honest=[2.0, 2.0], other=[3.0, 3.0]), row("wrong", 1, 0.1), row("wrong", 2, 0.1, status="WRONG"))

    def test_a_wrong_backend_is_listed_last_and_out_of_every_comparison(self) -> None:
        found = study_of(self.ROWS)
        assert [(s.backend, s.ranked) for s in found.standings] == [("honest", True), ("other", True), ("wrong", False)]
        assert [r.backend for r in found.wrong] == ["wrong"]
        assert set(found.best.shares) == {"honest", "other"}
        assert [(p.first, p.second) for p in found.pairs] == [("honest", "other")]
        assert found.best.par2 == 2.0
        assert math.isnan(found.standings[-1].par2.value)


class TestVirtualBest:
    def test_it_takes_the_best_of_each_instance(self) -> None:
        found = study(a=[1.0, 8.0, LOST], b=[4.0, 2.0, LOST], c=[LOST, LOST, 9.0]).best
        assert found.solved == 3
        assert found.par2 == (1 + 2 + 9) / 3

    def test_gap_contribution_alone_and_fastest(self) -> None:
        shares = study(a=[1.0, 8.0, LOST], b=[4.0, 2.0, LOST], c=[LOST, LOST, 9.0]).best.shares
        assert shares["a"].gap == pytest.approx(((1 + 8 + 20) / 3) / 4)
        assert shares["a"].contribution == pytest.approx((4 - 1) / 3)
        assert shares["c"].contribution == pytest.approx((20 - 9) / 3)
        assert [shares[name].alone for name in "abc"] == [0, 0, 1]
        assert [shares[name].fastest for name in "abc"] == [1, 1, 1]

    def test_times_within_five_percent_tie(self) -> None:
        shares = study(a=[1.0, 1.0], b=[1.04, 1.06]).best.shares
        assert (shares["a"].fastest, shares["a"].ties) == (2, 1)
        assert (shares["b"].fastest, shares["b"].ties) == (1, 1)


class TestPairs:
    def test_the_speedup_is_the_geometric_mean_of_the_ratios(self) -> None:
        pair = study(a=[1.0, 1.0], b=[2.0, 8.0]).pair("a", "b")
        assert pair.speedup.value == pytest.approx(4.0)
        assert 2.0 <= pair.speedup.low <= pair.speedup.high <= 8.0 + 1e-9

    def test_the_other_way_round_it_is_the_inverse(self) -> None:
        found = study(a=[1.0, 1.0, 5.0], b=[2.0, 8.0, 1.0])
        one, other = found.pair("a", "b"), found.pair("b", "a")
        assert one.speedup.value == pytest.approx(1 / other.speedup.value)
        assert one.speedup.low == pytest.approx(1 / other.speedup.high)
        assert (one.faster, one.ties, one.slower) == (other.slower, other.ties, other.faster) == (2, 0, 1)
        assert one.p == other.p

    def test_a_timeout_counts_as_the_limit_and_is_reported_two_tell_nothing(self) -> None:
        pair = study(a=[1.0, LOST], b=[LOST, LOST]).pair("a", "b")
        assert pair.speedup.value == pytest.approx(10.0)
        assert (pair.faster, pair.ties, pair.slower, pair.neither, pair.censored) == (1, 0, 0, 1, 1)

    def test_p_values_are_corrected_for_all_pairs(self) -> None:
        found = study(a=[1.0] * 6, b=[2.0 + i for i in range(6)], c=[3.0 + 2 * i for i in range(6)])
        assert found.pair("a", "b").p == pytest.approx(2 / 64)
        assert found.pair("a", "b").corrected == pytest.approx(3 * 2 / 64)
        assert not found.pair("a", "b").significant

    def test_a_clear_difference_is_significant(self) -> None:
        pair = study(a=[1.0 + i / 10 for i in range(12)], b=[2.0 + i for i in range(12)]).pair("b", "a")
        assert pair.significant
        assert pair.speedup.excludes(1.0)


class TestNotTaken:
    FOUND = (
        *rows(all=[2.0, 4.0, 8.0], few=[1.0, 3.0]),
        row("few", 3, 0.0, status="unsupported"),
        *(row("none", i, 0.0, status="unsupported") for i in (1, 2, 3)),
    )

    def test_figures_are_over_the_puzzles_that_every_backend_takes(self) -> None:
        found = study_of(self.FOUND)
        assert [(s.backend, s.ranked) for s in found.standings] == [("few", True), ("all", True), ("none", False)]
        assert (found.instances, found.left_out) == (2, 1)
        assert found.standings[1].par2.value == 3.0
        assert found.best.par2 == 2.0
        assert verdict(found).endswith("none takes none of the puzzles.")
        assert "1 instance not taken by every ranked backend and left out of all figures." in notes(found)

    def test_over_all_one_that_is_not_taken_has_no_answer(self) -> None:
        found = study_of(self.FOUND, over_all=True)
        assert [s.backend for s in found.standings] == ["all", "few", "none"]
        assert found.instances == 3
        assert found.standings[1].par2.value == (1 + 3 + 20) / 3

    def test_the_tables_count_them_apart(self) -> None:
        table = standings(study_of(self.FOUND)).table()
        assert [column.heading for column in table.columns][:3] == ["backend", "solved", "not taken"]
        assert [row[:3] for row in table.rows] == [("few", "2/2", "1"), ("all", "2/2", "0"), ("none", "0/3", "3")]
        ends = statuses(study_of(self.FOUND)).table()
        assert [column.heading for column in ends.columns] == ["backend", "solved", "not taken"]
        assert "not taken" not in standings(study(a=[1.0])).table().markdown()
