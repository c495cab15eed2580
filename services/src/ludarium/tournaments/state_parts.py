"""The parts of a tournament's state: entrants, boards and rounds."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from uuid import UUID

import msgspec

from ludarium.tournaments.draft_events import AppliedChange
from ludarium.tournaments.events import (
    Drafted,
    PenaltySet,
    Published,
    Replayed,
    Result,
    Ruled,
    Substituted,
)
from ludarium.tournaments.time_events import Paused, TimeAdded
from ludarium_pairing.crosstable import Column
from ludarium_pairing.model import WIN, GameResult, Round, Table
from ludarium_pairing.points import absent_seats, evenly_spread, places_of, split_ties


class Entrant(msgspec.Struct):
    """An entry.

    Attributes:
        left: stage and round from which on it takes no part.
        sits_out: single rounds that it sits out.
        seq: version of the last change by an organiser.
        listed: False if it withdrew before the tournament began.
        nonce: the newest, given before the round `nonce_round`.
        penalties: by stage; a new one replaces the former.
        former_players: players replaced by others; substitution: the last replacement.
        left_at: version at which it withdrew; removed: whether by a host.
        rest_changes: by stage and round, the version of the last request to sit out or play.
    """

    number: int
    player: str
    rating: int
    joined: int
    points: int
    seq: int
    checked_in: bool = False
    left: tuple[int, int] | None = None
    sits_out: frozenset[tuple[int, int]] = frozenset()
    listed: bool = True
    nonce: bytes = b""
    nonce_round: tuple[int, int] | None = None
    penalties: dict[int, PenaltySet] = {}
    former_players: tuple[str, ...] = ()
    substitution: Substituted | None = None
    left_at: int = 0
    removed: bool = False
    rest_changes: dict[tuple[int, int], int] = {}

    def penalty(self, stage: int) -> int:
        """Return the penalty in a stage, in units."""
        return self.penalties[stage].units if stage in self.penalties else 0


class PlayedGame(msgspec.Struct, frozen=True):
    """A finished game of a match that has a later one. `deal`, `begun`: as in Board."""

    table: UUID
    deal: bytes
    begun: bool
    result: Result


class Board(msgspec.Struct):
    """A board. In a match, table, deal, begun and result are those of the newest game.

    Attributes:
        seats: entries by seat, empty if the board is left over.
        seq: version of the last change by an organiser.
        deal: BLAKE2b-256 of the seed of its deal.
        starts_at, ended_at: microseconds since 1970.
        earlier_tables: before it was `replayed`.
        hands_seen: officials who have seen all hands, with versions.
        disputed: by which entry, until there is a ruling; dispute_text: id of its text.
        settled_at: instant of the result or of a later ruling.
        ends_at: when its time is over, 0 for never.
        paused: the pause of this board alone.
        stopped_at: since when it is paused, 0 while it is not.
        games: earlier games of the match.
        time_added: time given by officials.
    """

    number: int
    table: UUID
    seats: tuple[int, ...]
    seq: int
    deal: bytes
    starts_at: int
    earlier_tables: tuple[UUID, ...] = ()
    replayed: Replayed | None = None
    hands_seen: tuple[tuple[str, int], ...] = ()
    begun: bool = False
    result: Result | None = None
    ended_at: int = 0
    ruling: Ruled | None = None
    disputed: int | None = None
    dispute_text: bytes = b""
    settled_at: int = 0
    ends_at: int = 0
    paused: Paused | None = None
    stopped_at: int = 0
    featured: bool = False
    best_of: int = 1
    games: tuple[PlayedGame, ...] = ()
    time_added: tuple[TimeAdded, ...] = ()

    @property
    def game(self) -> int:
        """Number of the newest game."""
        return len(self.games) + 1

    @property
    def table_seats(self) -> tuple[int, ...]:
        """Entries by seat of the newest game's table: seats rotate by one in each game."""
        return rotated(self.seats, self.game)

    @property
    def results(self) -> list[Result]:
        """Results of all finished games."""
        return [*[each.result for each in self.games], *([self.result] if self.result else [])]

    @property
    def counted_games(self) -> tuple[GameResult, ...]:
        """The games with a result, by seat of the board."""
        return tuple([game for game in self.finished_games if game.places])

    @property
    def finished_games(self) -> tuple[GameResult, ...]:
        """All finished games, by seat of the board."""
        return tuple([in_board_order(len(self.seats), nth, outcome) for nth, outcome in enumerate(self.results, 1)])

    @property
    def score(self) -> tuple[int, ...]:
        """Units from all games of the match so far by seat; a win is 120."""
        size = len(self.seats)
        won = [split_ties(evenly_spread(size), game.places) for game in self.counted_games]
        return tuple(map(sum, zip(*won, strict=True))) if won else (0,) * size

    @property
    def is_decided(self) -> bool:
        """Whether one entry has more than half of all games, or all were played."""
        return len(self.results) >= self.best_of or 2 * max(self.score, default=0) > self.best_of * WIN

    def of_game(self, nth: int) -> Board:
        """Return the board at the end of a game, counted from 1.

        For the newest game, the board itself.
        """
        if nth == self.game:
            return self
        then = self.games[nth - 1]
        return msgspec.structs.replace(
            self, table=then.table, deal=then.deal, begun=then.begun, result=then.result, games=self.games[: nth - 1]
        )

    @property
    def by_game(self) -> Iterator[Board]:
        """The board at each of its games."""
        return (self.of_game(nth) for nth in range(1, self.game + 1))

    @property
    def is_settled(self) -> bool:
        return not self.seats or (self.result is not None and self.disputed is None)

    @property
    def places(self) -> tuple[int, ...]:
        """Places that count, by seat; empty without a result."""
        if self.ruling is not None and self.ruling.verdict != "upheld":
            return tuple(self.ruling.places)
        if self.games:
            return places_of(self.table_of(self.counted_games)) if self.result and self.counted_games else ()
        return tuple(self.result.places) if self.result else ()

    @property
    def absent(self) -> tuple[int, ...]:
        """Seats whose players came to no game. A ruling on places covers them as well."""
        if self.ruling is not None and self.ruling.verdict == "places":
            return ()
        return tuple(sorted(absent_seats(self.table_of(self.finished_games))))

    def table_of(self, games: tuple[GameResult, ...]) -> Table:
        return Table(tuple(map(str, self.seats)), games)


def rotated(in_board_order: Sequence[int], game: int) -> tuple[int, ...]:
    """Convert from the board's seats to those of a game's table."""
    by = (game - 1) % max(1, len(in_board_order))
    return (*in_board_order[by:], *in_board_order[:by])


def in_board_order(size: int, game: int, outcome: Result) -> GameResult:
    """Convert from the seats of a game's table to those of the board."""
    by = (game - 1) % size
    if not by:
        return GameResult(tuple(outcome.places), tuple(outcome.points), tuple(sorted(outcome.absent)))
    places, points = ((*each[-by:], *each[:-by]) for each in (outcome.places, outcome.points))
    return GameResult(places, points, tuple(sorted((seat + by) % size for seat in outcome.absent)))


class RoundState(msgspec.Struct):
    """A round.

    Attributes:
        seq: version of the last change by an organiser or a withdrawal.
        forbidden: pairs that must not meet.
        changes: of the draft by hand, in order.
        nonce: combined nonces of entries, empty if there are none.
        closed_at: microseconds since 1970.
        played: cached result of a closed round.
        draft_version: version of its draft.
        columns: cached crosstable columns of a closed round, by group (0 without groups).
    """

    stage: int
    number: int
    drafted: Drafted
    seq: int
    forbidden: tuple[tuple[int, int], ...] = ()
    changes: tuple[AppliedChange, ...] = ()
    nonce: bytes = b""
    published: Published | None = None
    byes: tuple[int, ...] = ()
    boards: dict[int, Board] = {}
    closed: bool = False
    closed_at: int = 0
    recuts: int = 0
    played: Round | None = None
    draft_version: int = 0
    columns: dict[int, Column] = {}

    @property
    def locked(self) -> tuple[tuple[int, ...], ...]:
        """The tables set by hand."""
        tables = [change.made.tables for change in self.changes if change.made and not change.made.swap]
        return tuple(map(tuple, tables[-1])) if tables else ()

    @property
    def swaps(self) -> tuple[tuple[int, int], ...]:
        """The swaps after the last tables set by hand."""
        made = [change.made for change in self.changes if change.made]
        return tuple([(each.swap[0], each.swap[1]) for each in [*takewhile(lambda one: one.swap, reversed(made))][::-1]])

    @property
    def open_boards(self) -> Iterator[Board]:
        """The boards in play."""
        return (board for board in self.boards.values() if board.seats and board.result is None)

    @property
    def left_over(self) -> Iterator[Board]:
        return (board for board in self.boards.values() if not board.seats)
