"""What a tournament's state is made of: entrants, boards, rounds."""
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
    """left: the stage and round from which on it takes no part; sits_out: single ones that it sits out.

    seq: the version at which the desk last changed it.
    listed: whether it is in the tournament at all; who withdraws before it begins is not.
    nonce: the newest, given before the round of `nonce_round`. penalties: by stage, of which no other one counts.
    former_players: who was this entry before others went on for them; substitution: the last time.
    left_at: the version at which it withdrew; removed: a host has withdrawn it.
    rest_changes: by stage and round that it sits out, or plays after all, by request: the version that says so.
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
        """In units."""
        return self.penalties[stage].units if stage in self.penalties else 0


class PlayedGame(msgspec.Struct, frozen=True):
    """A game of a match behind which another one was opened. deal, begun: as of the board."""

    table: UUID
    deal: bytes
    begun: bool
    result: Result


class Board(msgspec.Struct):
    """Of a match of several games, table, deal, begun and result are those of the newest one; games: those before it.

    seats: the entries by seat, none where the board is left over. seq: the version at which the desk last changed it.

    starts_at, ended_at: microseconds since 1970. disputed: by which entry, until an official rules on it; dispute_text: the id
    of its words. deal: the BLAKE2b-256 of the seed that its table draws from. earlier_tables: its tables before it was
    `replayed`. hands_seen: the officials who have seen all hands there, and at which version. settled_at: of the result, or of
    the ruling after it. ends_at: when its time is up, 0 if it has no end.
    paused: by the desk, this board alone; stopped_at: since when nothing goes on there, 0 while it does.
    time_added: the time that the desk has given at its table.
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
        """The number of the newest game."""
        return len(self.games) + 1

    @property
    def table_seats(self) -> tuple[int, ...]:
        """The entries by seat of the newest game's table: from game to game the seats move on by one."""
        return rotated(self.seats, self.game)

    @property
    def results(self) -> list[Result]:
        """Of each game that is over."""
        return [*[each.result for each in self.games], *([self.result] if self.result else [])]

    @property
    def counted_games(self) -> tuple[GameResult, ...]:
        """The games that have a result, by seat of the board."""
        return tuple([game for game in self.finished_games if game.places])

    @property
    def finished_games(self) -> tuple[GameResult, ...]:
        """Each that is over, by seat of the board."""
        return tuple([in_board_order(len(self.seats), nth, outcome) for nth, outcome in enumerate(self.results, 1)])

    @property
    def score(self) -> tuple[int, ...]:
        """Units from all games of the match so far, 120 for one that was won, by seat."""
        size = len(self.seats)
        won = [split_ties(evenly_spread(size), game.places) for game in self.counted_games]
        return tuple(map(sum, zip(*won, strict=True))) if won else (0,) * size

    @property
    def is_decided(self) -> bool:
        """One has more than half of all games, or all were played."""
        return len(self.results) >= self.best_of or 2 * max(self.score, default=0) > self.best_of * WIN

    def of_game(self, nth: int) -> Board:
        """As it was when that game, from 1, was over; the board itself for the newest."""
        if nth == self.game:
            return self
        then = self.games[nth - 1]
        return msgspec.structs.replace(
            self, table=then.table, deal=then.deal, begun=then.begun, result=then.result, games=self.games[: nth - 1]
        )

    @property
    def by_game(self) -> Iterator[Board]:
        """The board with each of its games in turn."""
        return (self.of_game(nth) for nth in range(1, self.game + 1))

    @property
    def is_settled(self) -> bool:
        return not self.seats or (self.result is not None and self.disputed is None)

    @property
    def places(self) -> tuple[int, ...]:
        """As they count, by seat; none where there is no result."""
        if self.ruling is not None and self.ruling.verdict != "upheld":
            return tuple(self.ruling.places)
        if self.games:
            return places_of(self.table_of(self.counted_games)) if self.result and self.counted_games else ()
        return tuple(self.result.places) if self.result else ()

    @property
    def absent(self) -> tuple[int, ...]:
        """Seats whose players came to none of the games. A ruling decides about them as about all others."""
        if self.ruling is not None and self.ruling.verdict == "places":
            return ()
        return tuple(sorted(absent_seats(self.table_of(self.finished_games))))

    def table_of(self, games: tuple[GameResult, ...]) -> Table:
        return Table(tuple(map(str, self.seats)), games)


def rotated(in_board_order: Sequence[int], game: int) -> tuple[int, ...]:
    """From the board's seats to those of the table of that game."""
    by = (game - 1) % max(1, len(in_board_order))
    return (*in_board_order[by:], *in_board_order[:by])


def in_board_order(size: int, game: int, outcome: Result) -> GameResult:
    """From the seats of that game's table to those of the board."""
    by = (game - 1) % size
    if not by:
        return GameResult(tuple(outcome.places), tuple(outcome.points), tuple(sorted(outcome.absent)))
    places, points = ((*each[-by:], *each[:-by]) for each in (outcome.places, outcome.points))
    return GameResult(places, points, tuple(sorted((seat + by) % size for seat in outcome.absent)))


class RoundState(msgspec.Struct):
    """seq: the version at which the desk, or who withdrew, last changed it.

    changes: made in the draft by hand, in their order. forbidden: pairs. nonce: what its entries have mixed in, if any has.
    played, columns: of a closed round, when they were first asked for; columns: of the crosstable of each group, or of group 0.
    closed_at: microseconds since 1970. draft_version: the version of its draft.
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
        """The tables that are set by hand."""
        tables = [change.made.tables for change in self.changes if change.made and not change.made.swap]
        return tuple(map(tuple, tables[-1])) if tables else ()

    @property
    def swaps(self) -> tuple[tuple[int, int], ...]:
        """The swaps after those tables were set."""
        made = [change.made for change in self.changes if change.made]
        return tuple([(each.swap[0], each.swap[1]) for each in [*takewhile(lambda one: one.swap, reversed(made))][::-1]])

    @property
    def open_boards(self) -> Iterator[Board]:
        """Those at which something is to be done or awaited."""
        return (board for board in self.boards.values() if board.seats and board.result is None)

    @property
    def left_over(self) -> Iterator[Board]:
        return (board for board in self.boards.values() if not board.seats)
