"""What waits for players at a table follows from what each of them sees there."""
from __future__ import annotations

from uuid import UUID

import pytest

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.projections.registry import Projections
from ludarium.projections.waiting import waiting_at
from ludarium.tables.model import consent, endings, seating
from ludarium.tables.model.event_types import is_command, type_of
from ludarium.tables.model.events import Seated, TableEnded
from ludarium.tables.model.lifecycle_events import Consent, StoodIn
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import NewTable, PoliciesBody, TableView
from ludarium.tables.service import Tables
from ludarium.tables.views import table_view
from tests.support.following import caught_up
from tests.support.pure_games import Game
from tests.support.table_games import PLAYERS, RULESET
from tests.tables.test_ends import begun, does
from tests.tables.test_replacements import vacant

Kinds = list[tuple[str, str]]
HIDDEN = ("game-of-kingdoms", "kemet", "lights-in-the-fog", "valley-of-the-kings")
"""Rulesets with hidden cards or numbers."""


def kinds(table: TableState) -> Kinds:
    return sorted((row.player, row.kind) for row in waiting_at(table))


@pytest.mark.parametrize("ruleset", HIDDEN)
def test_what_waits_for_a_player_follows_from_their_view(ruleset: str) -> None:
    """Presence, number, seat and event of a player's rows are computed from the view alone."""
    game = Game(f"waiting {ruleset}", ruleset, 2)
    game.start()
    for _ in range(40):
        table = game.history
        for seat in range(2):
            player = table.seats[seat].player               # type: ignore[union-attr]
            told = sorted((row.kind, row.seat, row.seq) for row in waiting_at(table) if row.player == player)
            has_acted = any(is_command(entry.event) and entry.event.seat == seat for entry in game.rows)
            over = [entry.version for entry in game.rows if isinstance(entry.event, TableEnded)]
            assert told == expected(table_view(table, seat), table.layouts[0][0], over, has_acted)
        if table.ended is not None:
            break
        game.answer()


def expected(view: TableView, began: int, over: list[int], has_acted: bool) -> list[tuple[str, int, int]]:
    """Return what waits for the seat of a view at which nothing is proposed and nobody is away.

    Args:
        began: the event with which the game began; over: the one with which it ended, if it has.
        has_acted: whether the seat itself has acted.
    """
    seat = view.viewer
    assert isinstance(seat, int) and view.view is not None
    if view.status == "over":
        return [("ended", seat, over[0])]
    if seat in view.view.asked:
        assert view.choice is not None
        return [("your_turn", seat, view.choice.since)]
    return [] if has_acted else [("started", seat, began)]


async def test_a_proposal_waits_for_those_who_have_not_agreed(tables: Tables) -> None:
    table = await begun(tables, 3)
    after = await does(tables, table, lambda h: consent.propose(h, "ada", "draw"))
    assert {("ben", "proposal"), ("cy", "proposal")} == {each for each in kinds(after) if each[1] == "proposal"}
    after = await does(tables, table, lambda h: consent.answer(h, "ben", True))
    assert [each for each in kinds(after) if each[1] == "proposal"] == [("cy", "proposal")]
    after = await does(tables, table, lambda h: consent.answer(h, "ada", False))
    assert not [each for each in kinds(after) if each[1] == "proposal"]


async def test_a_host_learns_of_people_who_sit_down_and_of_a_full_table(tables: Tables) -> None:
    table = ids.decode((await tables.create("ada", NewTable(RULESET, 3))).id)
    assert kinds(await does(tables, table, lambda h: [])) == []
    for player, waiting in (("ada", []), ("ben", [("ada", "seated")]), ("cy", [("ada", "full")])):
        await tables.sit(table, player, None)
        assert kinds(await tables.cache.load(table)) == waiting
    after = await does(tables, table, lambda h: seating.leave(h, "cy", 2))
    assert kinds(after) == [("ada", "seated")]


async def test_a_full_table_waits_for_those_who_are_not_ready(tables: Tables) -> None:
    table = ids.decode((await tables.create("ada", NewTable(RULESET, 2, {}, PoliciesBody(auto_start=True)))).id)
    await tables.sit(table, "ada", None)
    await does(tables, table, lambda h: seating.ready(h, "ada", False))
    await tables.sit(table, "ben", None)
    assert kinds(await tables.cache.load(table)) == [("ada", "full")]
    await does(tables, table, lambda h: seating.ready(h, "ben", False))
    after = await does(tables, table, lambda h: seating.ready(h, "ada", True))
    assert kinds(after) == [("ben", "full")]


async def test_a_vacant_seat_waits_for_the_host(tables: Tables) -> None:
    table, seat = await vacant(tables)
    assert ("ada", "substitute") in kinds(await tables.cache.load(table))
    after = await does(tables, table, lambda h: endings.come_back(h, PLAYERS[seat]))
    assert not [each for each in kinds(after) if each[1] == "substitute"]


async def test_a_game_ends_for_everyone_who_shared_it(tables: Tables) -> None:
    table = await begun(tables, 2)
    after = await does(tables, table, lambda h: endings.resign(h, "ben"))
    assert kinds(after) == [("ada", "ended"), ("ben", "ended")]


async def test_a_game_against_bots_neither_begins_nor_ends_as_a_notice(tables: Tables) -> None:
    table = await begun(tables, 1, bots=1)
    assert not [each for each in kinds(await tables.cache.load(table)) if each[1] == "started"]
    assert kinds(await does(tables, table, lambda h: endings.resign(h, "ada"))) == []


async def test_rows_have_the_time_of_the_event_that_they_are_about(
    tables: Tables, base: Database, projections: Projections
) -> None:
    table = ids.decode((await tables.create("ada", NewTable(RULESET, 3))).id)
    for player in ("ada", "ben"):
        await tables.sit(table, player, None)
    assert await events_of_rows(base, table) == {"seated": (type_of(Seated), 3)}       # Ben's, not Ada's
    begins, _ = await vacant(tables)
    absent = (await events_of_rows(base, begins))["substitute"]
    assert absent[0] == type_of(StoodIn)
    await does(tables, begins, lambda h: consent.propose(h, "ada", "draw"))
    found = await events_of_rows(base, begins)
    assert found["substitute"] == absent and found["proposal"][0] == type_of(Consent)


async def events_of_rows(base: Database, table: UUID) -> dict[str, tuple[int, int]]:
    """Return type and version of the event that each kind of row is about, and check that the row has its time."""
    await caught_up(base, "turns")
    rows = await base.rows(
        """select w.kind, e.type, e.version, w.at = e.at as same from turns.waiting w
           join es.events e on e.stream_id = w.id and e.version = w.seq where w.id = $1""",
        table,
    )
    assert all(row["same"] for row in rows)
    return {row["kind"]: (row["type"], row["version"]) for row in rows}
