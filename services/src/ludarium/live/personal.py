"""A player's news: games that start and end, turns, and calls of tournaments.

The player's games are polled and compared, so that nothing is lost in transit. A new reader is sent the current state,
then each change once. Changes undone between two polls are not sent. The list of games in which it is the player's turn
is sent as a whole, in order of deadlines, ready to be shown.
"""

import asyncio
import logging
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple, Protocol, Self

import msgspec

from ludarium.live.encoded import EncodedEvent, Outlet, encoded_event
from ludarium.platform.background import ended, endless, started
from ludarium.platform.problems import Problem

log = logging.getLogger(__name__)

NAME = "me"
"""The `sub` of a player's news."""
TICK = 0.5
"""Seconds between two polls, one query for all players followed here."""
OPENING = b'{"sub":"me",'
MOST = 50
"""Games in the list of turns, the first of them."""


class OwnGame(NamedTuple):
    """A running game, from one of its seats.

    Attributes:
        since: number of the event since which it is the seat's turn, None if it is not.
        deadline: when its time is over, if its clock runs.
    """

    table: str
    ruleset: str
    seat: int
    since: int | None
    deadline: str | None = None


class GameSource(Protocol):
    async def playing(self, players: Collection[str]) -> Mapping[str, Collection[OwnGame]]:
        """Return the games of each player, the next one first.

        Raises:
            Problem: of status 503, while they cannot be read.
        """


class Call(NamedTuple):
    """A message of a tournament to a player.

    Attributes:
        about: distinguishes calls of one type. A call is sent again when its data change.
    """

    type: str
    about: tuple[str | int, ...]
    data: dict[str, Any]


class CallSource(Protocol):
    async def calls(self, players: Collection[str]) -> Mapping[str, Collection[Call]]:
        """Return the calls of each player.

        Raises:
            a: Problem of status 503 while they cannot be read.
        """


class PersonalState(NamedTuple):
    games: dict[tuple[str, int], OwnGame]
    calls: dict[tuple[str, tuple[str | int, ...]], dict[str, Any]]


NOTHING = PersonalState({}, {})


class Personal:
    """The players followed in this process."""

    def __init__(self, games: GameSource, calls: CallSource) -> None:
        self._games, self._calls = games, calls
        self._outlets: dict[str, set[Outlet]] = {}
        self._known: dict[str, PersonalState] = {}

    async def __aenter__(self) -> Self:
        self._task = started(endless(self._watch))
        return self

    async def __aexit__(self, *_: object) -> None:
        await ended(self._task)

    def follow(self, player: str, outlet: Outlet) -> None:
        self._outlets.setdefault(player, set()).add(outlet)
        if player in self._known:
            for told in opening_messages(self._known[player]):
                outlet.send(told)

    def leave(self, player: str, outlet: Outlet) -> None:
        outlets = self._outlets.get(player, set())
        outlets.discard(outlet)
        if not outlets:
            self._outlets.pop(player, None)
            self._known.pop(player, None)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            try:
                await self._look()
            except Problem as problem:
                log.debug("players' games cannot be read: %s", problem)

    async def _look(self) -> None:
        players = [*self._outlets]
        found = await self._games.playing(players) if players else {}
        called = await self._calls.calls(players) if players else {}
        for player in players:
            if player in self._outlets:
                games = {(game.table, game.seat): game for game in found.get(player, ())}
                calls = {(call.type, call.about): call.data for call in called.get(player, ())}
                self._tell(player, PersonalState(games, calls))

    def _tell(self, player: str, state: PersonalState) -> None:
        before, self._known[player] = self._known.get(player), state
        for told in opening_messages(state) if before is None else news(before, state):
            for outlet in [*self._outlets[player]]:
                outlet.send(told)


def opening_messages(state: PersonalState) -> Iterator[EncodedEvent]:
    """Yield the current state.

    Games, calls, then the list of turns, even if it is empty.
    """
    yield from changes(NOTHING, state)
    yield turns(asked(state))


def news(before: PersonalState, after: PersonalState) -> Iterator[EncodedEvent]:
    """Yield the changes between two states."""
    yield from changes(before, after)
    if asked(before) != asked(after):
        yield turns(asked(after))


def changes(before: PersonalState, after: PersonalState) -> Iterator[EncodedEvent]:
    for place, game in before.games.items():
        if place not in after.games:
            yield _told("game_ended", table=game.table, seat=game.seat)
    for place, game in after.games.items():
        if place not in before.games:
            yield _told("game_started", table=game.table, seat=game.seat, ruleset=game.ruleset)
        if game.since is not None and (place not in before.games or before.games[place].since != game.since):
            yield _told("your_turn", table=game.table, seat=game.seat, since=game.since)
    for at, data in after.calls.items():
        if before.calls.get(at) != data:
            yield _told(at[0], **data)


def asked(state: PersonalState) -> list[OwnGame]:
    return [game for game in state.games.values() if game.since is not None][:MOST]


def turns(games: Collection[OwnGame]) -> EncodedEvent:
    return _told("turns", turns=[game._asdict() for game in games])


def _told(type: str, **data: Any) -> EncodedEvent:
    return encoded_event(OPENING, None, msgspec.json.encode({"type": type, "data": data}), b"message")
