"""Find the games of a rated tournament that count, without the projection's SQL."""
from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from uuid import UUID

from msgspec import structs

from ludarium.projections.outlines import Outline, fold_outlines
from ludarium.tables.model.event_types import type_of
from ludarium.tables.model.events import SeedsRevealed
from ludarium.tournaments.event_types import decode
from ludarium.tournaments.events import NextGame, Published, Replayed, Result, Ruled, Sanctioned
from ludarium.tournaments.state import TournamentState
from ludarium_eventstore import EventStore, StoredEvent
from ludarium_pairing.ratings import RatedGame, ratings
from tests.support.waiting import eventually

Place = tuple[int, int, int]
"""Stage, round and number of a board."""
SHOWN = "select player, mean from ratings.players where player = any($1)"


class Board:
    """The tables of a board, newest last, and the rulings of officials on it."""

    def __init__(self, table: UUID) -> None:
        self.tables = [table]
        self.set_aside: list[UUID] = []
        self.absent: dict[UUID, list[int]] = {}
        self.forced: set[UUID] = set()
        self.ruled: list[int] | None = None
        """Ruled places; empty if no game counts, None if the games count as played."""

    def apply(self, event: NextGame | Result | Ruled | Replayed, sanctioned: Sequence[str]) -> None:
        match event:
            case NextGame():
                self.tables.append(UUID(bytes=event.table))
            case Result():
                self.absent[self.tables[-1]] = event.absent
            case Ruled() if event.by in sanctioned:
                # the winner of a match is not the result of a game
                places = event.places if len(self.tables) == 1 else None
                self.ruled = {"void": [], "places": places, "upheld": None}[event.verdict]
            case Ruled() if event.verdict == "places":
                self.forced.add(self.tables[-1])
            case Replayed():
                if event.by not in sanctioned:
                    self.set_aside.append(self.tables[-1])
                self.tables[-1], self.ruled = UUID(bytes=event.table), None

    def counted(self, table: UUID, game: Outline, sanctioned: Sequence[str]) -> RatedGame | None:
        """Return a game with the places that count for ratings, without absent players.

        Returns None if the game does not count.
        """
        if not game.begun or game.ended is None or not game.ended.outcome:
            return None
        players = [seat.player for seat in game.seats if seat is not None and seat.player is not None]
        places: Sequence[int] = game.ended.outcome
        if self.ruled is not None and not {*players} & {*sanctioned}:
            places = self.ruled
        elif game.ended.reason == "adjudicated" and (table in self.forced or self.ruled is not None):
            return None
        came = [seat for seat in range(len(places)) if seat not in self.absent.get(table, [])]
        if not came:
            return None
        return RatedGame(0, game.opened.ruleset, tuple(players[seat] for seat in came), tuple(places[seat] for seat in came))


async def misrated(store: EventStore, state: TournamentState, events: Sequence[StoredEvent]) -> list[str]:
    """Compare the shown ratings with those computed from the counting games in order.

    The players have no other games.

    Returns:
        The differences.
    """
    if not state.plan.tables.policies.rated:
        return []
    played = [game async for game in counted_games(store, events)]
    wanted = {player: rating.mean for pool in ratings(played).values() for player, rating in pool.items()}
    players, shown = [entrant.player for entrant in state.entrants.values()], dict[str, float]()

    async def are_rated_so() -> bool:
        nonlocal shown
        shown = {row["player"]: row["mean"] for row in await store.fetch(SHOWN, players)}
        return shown == wanted

    try:
        await eventually(are_rated_so)
    except AssertionError:
        return [f"its players are rated {shown}, its games give {wanted}"]
    return []


async def counted_games(store: EventStore, events: Sequence[StoredEvent]) -> AsyncIterator[RatedGame]:
    boards, sanctioned = boards_of(events)
    for board in boards.values():
        for table in (*board.set_aside, *board.tables):
            rows = await store.read(table)
            ends = [row.position for row in rows if row.type == type_of(SeedsRevealed)]
            game = board.counted(table, fold_outlines(rows)[table], sanctioned) if ends else None
            if game:
                yield structs.replace(game, position=ends[0])


def boards_of(events: Sequence[StoredEvent]) -> tuple[dict[Place, Board], list[str]]:
    """Return all boards of published rounds, and the officials sanctioned at the end."""
    boards, sanctioned = dict[Place, Board](), list[str]()
    for stored in events:
        match decode(stored.type, stored.schema, stored.data):
            case Published() as event:
                for at, table in enumerate(event.ids, 1):
                    boards[event.stage, event.round, at] = Board(UUID(bytes=table))
            case Sanctioned() as event:
                sanctioned = event.officials
            case NextGame() | Result() | Ruled() | Replayed() as event:
                boards[event.stage, event.round, event.board].apply(event, sanctioned)
    return boards, sanctioned
