"""The model of docs/scale.md is up to date, and reacts as it should."""
from __future__ import annotations

from pathlib import Path

from benchmarks.scale import OURS, POSTGRES, Costs, lines, needs

COSTS = Costs(OURS, POSTGRES, 20.0, 3.0, 0.5)
PAGE = Path(__file__).parents[1] / "docs" / "scale.md"


def test_the_page_has_the_table_that_is_computed() -> None:
    assert "\n".join(lines([needs(10_000, COSTS), needs(1_000_000, COSTS)], 0, 0, 0)) in PAGE.read_text()


def test_a_hundred_times_the_players_is_a_hundred_times_the_work_and_prices_are_what_they_are_said_to_be() -> None:
    small, large = needs(10_000, COSTS), needs(1_000_000, COSTS)
    assert large.commands == 100 * small.commands and 90 * small.processes <= large.processes <= 100 * small.processes
    assert large.price(1, 0, 0) == large.processes + large.postgres_cores
    assert needs(10_000, COSTS._replace(pace=40.0)).commands == small.commands / 2
