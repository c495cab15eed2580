"""Views assembled from cached parts equal views that are made from scratch."""

from collections.abc import Collection
from random import Random

import pytest

from ludarium.clocks.settings import LiveClock
from ludarium.tables.appends import json
from ludarium.tables.model.events import Acted
from ludarium.tables.model.lifecycle_events import PoliciesSet, Returned, StoodIn
from ludarium.tables.model.policies import Policies
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import ActionBody
from ludarium.tables.service import Tables
from ludarium.tables.views import table_view, views_for
from ludarium_engine.kernel import legal_offers
from ludarium_engine.kernel.facts import Told
from ludarium_engine.registry import titles
from ludarium_eventstore import EventStore
from tests.live.full import OPTIONS, largest
from tests.support.entropy import ENTROPY
from tests.support.pure_games import Game
from tests.support.table_games import Silent, answered, started

MOVES = 60
FOREVER = ("lights-in-the-fog",)
"""Titles in which every answer reveals something, so that no undo is possible."""


def as_new(table: TableState, audience: int) -> bytes:
    return json(table_view(table, audience))


def check(game: Game, audiences: list[int]) -> None:
    views = views_for(game.history, audiences)
    assert {a: json(view) for a, view in views.items()} == {a: as_new(game.history, a) for a in audiences}


@pytest.mark.parametrize("ruleset", titles())
def test_at_each_event_of_a_table_where_people_come_and_go(ruleset: str) -> None:
    game, random = Game("kept", ruleset, largest(ruleset).seats, OPTIONS.get(ruleset)), Random(1)
    everybody = [*game.history.audiences]
    check(game, everybody)
    game.start()
    for _ in range(MOVES):
        check(game, [a for a in everybody if random.random() < 0.6])
        if game.history.ended:
            break
        game.answer()
    check(game, everybody)


@pytest.mark.parametrize("ruleset", [ruleset for ruleset in titles() if ruleset not in FOREVER])
def test_what_was_taken_back_shows_nowhere(ruleset: str) -> None:
    game = Game("taken back", ruleset, largest(ruleset).seats, OPTIONS.get(ruleset)).start()
    for _ in range(3):
        game.answer()
        check(game, [*game.history.audiences])
    game.undo()
    check(game, [*game.history.audiences])
    game.answer()
    check(game, [*game.history.audiences])


def test_what_is_beside_the_game_shows_at_once() -> None:
    game = Game("beside", "game-of-kingdoms", 3, more=[PoliciesSet(Policies(clock=LiveClock(60, 5)))]).start()
    for row in (StoodIn(1, "default"), Returned(1)):
        game.append([row])
        check(game, [*game.history.audiences])


class Unwatched(Silent):
    def watched(self, table: str, audiences: Collection[int]) -> Collection[int]:
        return ()


async def test_nothing_is_described_where_nobody_looks(store: EventStore) -> None:
    tables = Tables(store, Unwatched(), ENTROPY)
    stream = await started(tables)
    table = await tables.cache.load(stream)
    table.parts, seat = None, table.playing.agenda[-1].asked[0]
    offer = legal_offers(table.title, table.playing, seat)[0]
    await answered(tables, stream, seat, ActionBody(offer.id, [*offer.pool[: max(1, offer.least)]]))
    assert table is await tables.cache.load(stream) and table.parts is None
    await tables.close()


async def test_a_command_leaves_what_the_next_one_needs(store: EventStore) -> None:
    """A process keeps the state before its own command, and the next offers.

    After an event of another process, neither is kept.
    """
    tables = Tables(store, Unwatched(), ENTROPY)
    stream = await started(tables)
    for _ in range(3):
        table = await tables.cache.load(stream)
        seat = table.playing.agenda[-1].asked[0]
        offer = legal_offers(table.title, table.playing, seat)[0]
        await answered(tables, stream, seat, ActionBody(offer.id, [*offer.pool[: max(1, offer.least)]]))
        assert table.spare_state == table.state and table.spare_state is not table.state
        asked = table.playing.agenda[-1].asked
        assert table.choices == {each: legal_offers(table.title, table.playing, each) for each in asked}
    latest = table.trail[-1][1]
    table.apply_event(table.version, Acted(latest.seat, latest.action, [Told("none", (), ())]))
    assert table.spare_state is None and not table.choices
    await tables.close()


def test_of_a_game_that_is_over_nothing_is_kept() -> None:
    """Finished games are rarely read again, and a process has many of them."""
    game = Game("over", "game-of-kingdoms", 2).start()
    check(game, [*game.history.audiences])
    assert game.history.parts is not None
    game.play()
    check(game, [*game.history.audiences])
    assert game.history.ended and game.history.parts is None
