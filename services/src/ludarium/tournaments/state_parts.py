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
    """An entry in the tournament.

    Attributes:
        left: stage and round from which the entry no longer takes part.
        sits_out: single rounds, as (stage, round), that the entry sits out.
        seq: version of the last change by an organiser.
        listed: False if the entry withdrew before the tournament began.
        nonce: the entry's latest nonce, given before the round `nonce_round`.
        penalties: the current penalty in each stage.
        former_players: players who were replaced.
        substitution: the latest replacement.
        left_at: version of the event in which the entry withdrew.
        removed: whether a host has withdrawn the entry.
        rest_changes: version of the last request to sit out or to play, by (stage, round).
        penalized_at: when the current penalty of each stage was set, in microseconds since 1970.
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
    penalized_at: dict[int, int] = {}

    def penalty(self, stage: int) -> int:
        """Return the penalty in a stage, in units."""
        return self.penalties[stage].units if stage in self.penalties else 0


class PlayedGame(msgspec.Struct, frozen=True):
    """An earlier game of a match, with `deal` and `begun` as in Board."""

    table: UUID
    deal: bytes
    begun: bool
    result: Result


class Board(msgspec.Struct):
    """A board. In a match, most attributes are those of the newest game.

    Attributes:
        seats: entries by seat, empty if the board is not played.
        seq: version of the last change by an organiser.
        deal: BLAKE2b-256 of the deal's seed.
        starts_at: start of the game in microseconds since 1970.
        ended_at: end of the game in microseconds since 1970.
        earlier_tables: tables that were used before replays.
        replayed: the last replay.
        hands_seen: officials who have seen all hands, each with the version of that event.
        disputed: the entry that disputes the result, until there is a ruling.
        dispute_text: id of the dispute's text.
        settled_at: time of the result or of a later ruling.
        ends_at: when the board's time is up, 0 for never.
        paused: a pause of this board alone.
        stopped_at: start of the current pause, 0 if there is none.
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
        """The number of the newest game, from 1."""
        return len(self.games) + 1

    @property
    def table_seats(self) -> tuple[int, ...]:
        """The entries by seat at the newest game's table.

        Seats rotate by one in each game of a match.
        """
        return rotated(self.seats, self.game)

    @property
    def results(self) -> list[Result]:
        """The results of all finished games."""
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
        """The units won by each seat in all games of the match so far; a win is 120."""
        size = len(self.seats)
        won = [split_ties(evenly_spread(size), game.places) for game in self.counted_games]
        return tuple(map(sum, zip(*won, strict=True))) if won else (0,) * size

    @property
    def is_decided(self) -> bool:
        """True if an entry has more than half of all games, or if all were played."""
        return len(self.results) >= self.best_of or 2 * max(self.score, default=0) > self.best_of * WIN

    def of_game(self, nth: int) -> Board:
        """Return the board as it was at the end of a game, counted from 1."""
        if nth == self.game:
            return self
        then = self.games[nth - 1]
        return msgspec.structs.replace(
            self, table=then.table, deal=then.deal, begun=then.begun, result=then.result, games=self.games[: nth - 1]
        )

    @property
    def by_game(self) -> Iterator[Board]:
        """Yield the board as it was at the end of each game."""
        return (self.of_game(nth) for nth in range(1, self.game + 1))

    @property
    def is_settled(self) -> bool:
        return not self.seats or (self.result is not None and self.disputed is None)

    @property
    def places(self) -> tuple[int, ...]:
        """The places that count, by seat; empty without a result."""
        if self.ruling is not None and self.ruling.verdict != "upheld":
            return tuple(self.ruling.places)
        if self.games:
            return places_of(self.table_of(self.counted_games)) if self.result and self.counted_games else ()
        return tuple(self.result.places) if self.result else ()

    @property
    def absent(self) -> tuple[int, ...]:
        """The seats whose players came to no game.

        After a ruling on places, no seat counts as absent.
        """
        if self.ruling is not None and self.ruling.verdict == "places":
            return ()
        return tuple(sorted(absent_seats(self.table_of(self.finished_games))))

    def table_of(self, games: tuple[GameResult, ...]) -> Table:
        return Table(tuple(map(str, self.seats)), games)


def rotated(in_board_order: Sequence[int], game: int) -> tuple[int, ...]:
    """Reorder values from the board's seats to those of a game's table."""
    by = (game - 1) % max(1, len(in_board_order))
    return (*in_board_order[by:], *in_board_order[:by])


def in_board_order(size: int, game: int, outcome: Result) -> GameResult:
    """Reorder a game's result from the seats of its table to those of the board."""
    by = (game - 1) % size
    if not by:
        return GameResult(tuple(outcome.places), tuple(outcome.points), tuple(sorted(outcome.absent)))
    places, points = ((*each[-by:], *each[:-by]) for each in (outcome.places, outcome.points))
    return GameResult(places, points, tuple(sorted((seat + by) % size for seat in outcome.absent)))


class RoundState(msgspec.Struct):
    """A round.

    Attributes:
        seq: version of the last change by an organiser, or of the last withdrawal.
        forbidden: pairs of entries that must not meet.
        changes: changes made to the draft by hand, in order.
        nonce: combined nonces of entries, empty if there are none.
        closed_at: microseconds since 1970.
        played: cached results of a closed round.
        draft_version: version of the event that drafted the round.
        columns: cached crosstable columns of a closed round, by group (0 without groups).
        published_at: microseconds since 1970.
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
    published_at: int = 0

    @property
    def locked(self) -> tuple[tuple[int, ...], ...]:
        """The tables last set by hand, as entries by seat."""
        tables = [change.made.tables for change in self.changes if change.made and not change.made.swap]
        return tuple(map(tuple, tables[-1])) if tables else ()

    @property
    def swaps(self) -> tuple[tuple[int, int], ...]:
        """The swaps made since tables were last set by hand."""
        made = [change.made for change in self.changes if change.made]
        return tuple([(each.swap[0], each.swap[1]) for each in [*takewhile(lambda one: one.swap, reversed(made))][::-1]])

    @property
    def open_boards(self) -> Iterator[Board]:
        """The boards that have entries but no result yet."""
        return (board for board in self.boards.values() if board.seats and board.result is None)

    @property
    def left_over(self) -> Iterator[Board]:
        return (board for board in self.boards.values() if not board.seats)
