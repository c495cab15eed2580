"""The scenes cover every step, way and refusal, and every answer to a window."""
from __future__ import annotations

from ludarium_engine.titles.valley_of_the_kings.cards import ROWS
from tests.engine.valley_of_the_kings.covered import lines, shown


def test_every_card_is_covered() -> None:
    table = lines()
    assert len(table) == len(ROWS) == 117
    assert not [shown(line) for line in table if not line.covered]
