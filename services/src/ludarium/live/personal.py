"""Send players their news: games that start and end, turns, tournament calls, and notices.

A player's games are polled and compared with the previous poll, so no change is lost in transit. A new reader is sent the
current state, then each change once. If a change is reversed between two polls, it is not sent. The list of games in
which it is the player's turn is always sent as a whole, in order of deadlines.
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
"""The subscription name (`sub`) of a player's news."""
TICK = 0.5
"""Seconds between two polls. A poll is one query for all players followed in this process."""
OPENING = b'{"sub":"me",'
MOST = 50
"""Maximum number of games in the list of turns, and of notices sent to a new reader."""


class OwnGame(NamedTuple):
    """A running game in which the player has a seat.

    Attributes:
        since: the number of the event since which it is the seat's turn, None if it is not its turn.
        deadline: when the seat's time is over, if the seat's clock runs.
    """

    table: str
    ruleset: str
    seat: int
    since: int | None
    deadline: str | None = None


class GameSource(Protocol):
    async def playing(self, players: Collection[str]) -> Mapping[str, Collection[OwnGame]]:
        """Return the running games by player, in order of deadlines.

        Raises:
            Problem: with status 503, while the games cannot be read.
        """


class Call(NamedTuple):
    """A notice from a tournament to a player.

    Attributes:
        type: the type of the notice.
        about: distinguishes several calls of the same type.
        data: the content. If the data change, the call is sent again.
    """

    type: str
    about: tuple[str | int, ...]
    data: dict[str, Any]


class CallSource(Protocol):
    async def calls(self, players: Collection[str]) -> Mapping[str, Collection[Call]]:
        """Return the current calls by player.

        Raises:
            Problem: with status 503, while the calls cannot be read.
        """


class NoticeSource(Protocol):
    async def notices(self, players: Collection[str]) -> Mapping[str, Mapping[str, dict[str, Any]]]:
        """Return the current notices by player and id, the newest first, each with whether it is `read`.

        Raises:
            Problem: with status 503, while the notices cannot be read.
        """


class PersonalState(NamedTuple):
    games: dict[tuple[str, int], OwnGame]
    calls: dict[tuple[str, tuple[str | int, ...]], dict[str, Any]]
    notices: dict[str, dict[str, Any]]


NOTHING = PersonalState({}, {}, {})


class Personal:
    """The players followed in this process."""

    def __init__(self, games: GameSource, calls: CallSource, notices: NoticeSource) -> None:
        self._games, self._calls, self._notices = games, calls, notices
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
        waiting = await self._notices.notices(players) if players else {}
        for player in players:
            if player in self._outlets:
                games = {(game.table, game.seat): game for game in found.get(player, ())}
                calls = {(call.type, call.about): call.data for call in called.get(player, ())}
                self._tell(player, PersonalState(games, calls, {**waiting.get(player, {})}))

    def _tell(self, player: str, state: PersonalState) -> None:
        before, self._known[player] = self._known.get(player), state
        for told in opening_messages(state) if before is None else news(before, state):
            for outlet in [*self._outlets[player]]:
                outlet.send(told)


def opening_messages(state: PersonalState) -> Iterator[EncodedEvent]:
    """Yield the messages with the current state for a new reader.

    These are games, calls, the newest notices with the number of unread ones, and the list of turns, even if that is
    empty.
    """
    newest = dict([*state.notices.items()][:MOST])
    yield from changes(NOTHING, state._replace(notices=newest))
    yield unread(state)
    yield turns(asked(state))


def news(before: PersonalState, after: PersonalState) -> Iterator[EncodedEvent]:
    """Yield the messages about the changes between two states."""
    yield from changes(before, after)
    if count_unread(before) != count_unread(after):
        yield unread(after)
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
    yield from changed_notices(before.notices, after.notices)


def changed_notices(before: Mapping[str, dict[str, Any]], after: Mapping[str, dict[str, Any]]) -> Iterator[EncodedEvent]:
    """Yield which notices are settled, then the new and changed ones, the oldest first."""
    for id_, notice in before.items():
        if id_ not in after:
            yield _told("settled", id=id_, kind=notice["kind"], table=notice["table"])
    for id_, notice in reversed([*after.items()]):
        if before.get(id_) != notice:
            yield _told("notice", **notice)


def count_unread(state: PersonalState) -> int:
    return sum(not notice["read"] for notice in state.notices.values())


def unread(state: PersonalState) -> EncodedEvent:
    return _told("unread", count=count_unread(state))


def asked(state: PersonalState) -> list[OwnGame]:
    return [game for game in state.games.values() if game.since is not None][:MOST]


def turns(games: Collection[OwnGame]) -> EncodedEvent:
    return _told("turns", turns=[game._asdict() for game in games])


def _told(type: str, **data: Any) -> EncodedEvent:
    return encoded_event(OPENING, None, msgspec.json.encode({"type": type, "data": data}), b"message")
