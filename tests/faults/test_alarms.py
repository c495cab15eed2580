"""One fault of `make prove ONLY=faults` from beginning to end, with shorter times."""
from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.faults.alarms import FAULTS, Fault, alarmed, statement
from tests.faults.prometheus import NONE, PROMETHEUS, panels, rules
from tests.proving import home, servers_at

QUICKER = 30


def test_times_of_alerts_are_shortened_and_nothing_else() -> None:
    told = rules(10)
    assert "[30s]" in told and "offset 30s" in told and "for: 6s" in told and "26 * 3600" in told and "[5m]" not in told


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_has_its_panel(fault: Fault) -> None:
    assert fault.panel in panels()


@pytest.mark.parametrize(("page", "like"), [
    ("database-slow.md", "pg_blocking_pids"), ("pool-exhausted.md", "pg_terminate_backend"), ("projection-stopped.md", "grant"),
    ("stalled.md", "pg_blocking_pids"), ("stalled.md", "pg_terminate_backend"), ("stalled.md", "alter system set"),
    ("stalled.md", "pg_reload_conf"),
])  # fmt: skip
def test_a_page_says_the_statement_that_ends_it(page: str, like: str) -> None:
    assert statement(page, like)


@pytest.mark.skipif(PROMETHEUS is None, reason=NONE)
async def test_a_lost_valkey_is_named_and_is_over_when_it_is_back() -> None:
    with home() as folder:
        async with servers_at(folder) as (database_url, carrier):
            lost = [fault for fault in FAULTS if fault.alert == "LudariumValkeyAway"]
            found = [one async for one in alarmed(Path(folder).parent, database_url, carrier, lost, 1, QUICKER, Random(1))]
    assert [one.alert for one in found] == ["LudariumValkeyAway"]
    assert "LudariumDiskNearlyFull" not in found[0].beside, "its PostgreSQL is not its own"
