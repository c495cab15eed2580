"""A changed rule breaks no earlier game, and `verify` names the first difference."""
from __future__ import annotations

from random import Random
from uuid import UUID

import pytest

from ludarium.records.verify import verify_stream
from ludarium.tables.model.events import Acted
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import LogEntry, decoded_entries
from ludarium.tables.service import Tables
from ludarium_engine.kernel.contract import encode
from ludarium_engine.titles.game_of_kingdoms import rules
from ludarium_engine.titles.game_of_kingdoms.cards import COLOUR
from ludarium_engine.titles.game_of_kingdoms.state import Kingdoms
from tests.support.table_games import play, started


def without_trumps(s: Kingdoms, card: int, other: int) -> bool:
    """Return whether a card beats another one, in a game without trumps."""
    return COLOUR[card] == COLOUR[other] and card > other


def first_trumping(table: UUID, rows: list[LogEntry]) -> int:
    """Return the first event in which a trump beats a card of another colour."""
    for entry in rows:
        if isinstance(entry.event, Acted) and entry.event.action.verb == "beat":
            where, card = entry.event.action.args
            before = fold(table, rows, upto=entry.version - 1).state
            assert isinstance(before, Kingdoms)
            if COLOUR[card] != COLOUR[before.attack[where]]:
                return entry.version
    raise AssertionError("nobody used a trump")


@pytest.mark.parametrize("version", ["standard", "ruthless"])
async def test_a_fold_runs_no_rule_and_verify_names_the_first_event_that_differs(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    table = await started(tables, 3, version=version)
    await play(tables, table, Random(11))
    stored = await tables.store.read(table)
    rows = decoded_entries(stored)
    before = encode(fold(table, rows).state)
    expected = first_trumping(table, rows)

    monkeypatch.setattr(rules, "beats", without_trumps)
    assert encode(fold(table, rows).state) == before
    finding = verify_stream(table, stored).finding
    assert finding is not None and finding.seq == expected
    assert "do not make this" in finding.what
