"""A tournament as its rows tell it: folded, never decided. What follows from it is computed in standing.py."""
from __future__ import annotations

import hmac
from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

import msgspec

from eventstore import StoredEvent, chain
from services import ids
from services.tables.chain import EPOCH, microseconds
from services.tables.rows import Unread
from services.tournaments.plan import PlanBody, StageBody
from services.tournaments.rows import (
    AnyTournamentRow,
    Begun,
    CheckedIn,
    Disputed,
    Drafted,
    Entered,
    Locked,
    PlanChanged,
    Published,
    Recut,
    Result,
    Role,
    RoleGiven,
    RoundClosed,
    Ruled,
    Seeded,
    Status,
    StatusSet,
    Swapped,
    TournamentOpened,
    Withdrew,
)

SALT = bytes(chain.SIZE)
"""Of the chain: everybody may see every row, so the salts hide nothing, and anybody can check the links."""


class Entrant(msgspec.Struct):
    """left: the stage and round from which on it takes no part; out: single ones that it sits out.

    seq: the version at which the desk last changed it.
    listed: whether it is in the tournament at all; who withdraws before it begins is not.
    """

    number: int
    player: str
    rating: int
    joined: int
    points: int
    seq: int
    checked_in: bool = False
    left: tuple[int, int] | None = None
    out: frozenset[tuple[int, int]] = frozenset()
    listed: bool = True


class Board(msgspec.Struct):
    """seats: the entries by seat, none where the board is left over. seq: the version at which the desk last changed it.

    ended_at: microseconds since 1970. disputed: by which entry, while nobody has ruled on it; said: the id of its words.
    """

    number: int
    table: UUID
    seats: tuple[int, ...]
    seq: int
    begun: bool = False
    result: Result | None = None
    ended_at: int = 0
    ruling: Ruled | None = None
    disputed: int | None = None
    said: bytes = b""

    @property
    def is_settled(self) -> bool:
        return not self.seats or (self.result is not None and self.disputed is None)

    @property
    def places(self) -> tuple[int, ...]:
        """As they count, by seat; none where there is no result."""
        if self.ruling is not None and self.ruling.verdict != "upheld":
            return tuple(self.ruling.places)
        return tuple(self.result.places) if self.result else ()


class RoundState(msgspec.Struct):
    """seq: the version at which the desk, or who withdrew, last changed it."""

    stage: int
    number: int
    drafted: Drafted
    seq: int
    locked: tuple[tuple[int, ...], ...] = ()
    swaps: tuple[tuple[int, int], ...] = ()
    published: Published | None = None
    byes: tuple[int, ...] = ()
    boards: dict[int, Board] = {}
    closed: bool = False
    recuts: int = 0

    @property
    def open_boards(self) -> Iterator[Board]:
        """Those at which something is to be done or awaited."""
        return (board for board in self.boards.values() if board.seats and board.result is None)

    @property
    def left_over(self) -> Iterator[Board]:
        return (board for board in self.boards.values() if not board.seats)


class TournamentState:
    """One tournament after `version`.

    settled: the versions at which the plan, and whether one may enter, were last changed. stage_entries: by stage from the
    second on, who came into it, the best first. newer: the version of the first row that only a newer release can take in.
    """

    def __init__(self, stream: UUID, opened: TournamentOpened, key: bytes) -> None:
        self.stream, self.id, self.opened, self.key = stream, ids.encode(stream), opened, key
        self.version, self.hash, self.at = -1, chain.genesis(stream), EPOCH
        self.plan, self.text = msgspec.convert(opened.plan, PlanBody), opened.text
        self.plan_seq = self.status_seq = 0
        self.status: Status = "draft"
        self.roles: dict[str, tuple[Role, int]] = {opened.owner: ("owner", 0)}
        self.former: dict[str, int] = {}
        self.entrants: dict[int, Entrant] = {}
        self.by_player: dict[str, int] = {}
        self.rounds: dict[tuple[int, int], RoundState] = {}
        self.stage_entries: dict[int, tuple[int, ...]] = {}
        self.stage = 1
        self.newer: int | None = None

    # --- what is asked of it ------------------------------------------------------------------------------------------
    @property
    def owner(self) -> str:
        return next(player for player, (role, _) in self.roles.items() if role == "owner")

    @property
    def begun(self) -> bool:
        return bool(self.rounds)

    @property
    def is_over(self) -> bool:
        return self.status in ("cancelled", "over")

    @property
    def current(self) -> RoundState | None:
        """The round that was drafted last."""
        return next(reversed(self.rounds.values()), None)

    @property
    def next_round(self) -> tuple[int, int]:
        """Stage and number of the round that is to be drafted next, or is drafted and not published."""
        last = self.current
        if last is None:
            return 1, 1
        if last.published is None:
            return last.stage, last.number
        return (last.stage, last.number + 1) if last.stage == self.stage else (self.stage, 1)

    def stage_of(self, stage: int) -> StageBody:
        return self.plan.stages[stage - 1]

    def rounds_of(self, stage: int) -> list[RoundState]:
        return [round for (at, _), round in self.rounds.items() if at == stage]

    def role_of(self, player: str) -> Role | None:
        return self.roles[player][0] if player in self.roles else None

    def entrant_of(self, player: str) -> Entrant | None:
        number = self.by_player.get(player)
        return None if number is None else self.entrants[number]

    # --- what is derived under its key ----------------------------------------------------------------------------------
    def derived(self, what: bytes, *numbers: int) -> bytes:
        """32 bytes that nobody can guess."""
        return hmac.digest(self.key, what + b"".join(number.to_bytes(4, "big") for number in numbers), "sha256")

    def pairing_seed(self, stage: int, round: int) -> bytes:
        """The same however often a round is drafted, so that nobody can draft until they like it."""
        return self.derived(b"pairing", stage, round)

    def deal_seed(self, stage: int, round: int, board: int) -> bytes:
        """What a board draws from, whoever plays it."""
        return self.derived(b"deal", stage, round, board)

    def table_id(self, stage: int, round: int, board: int, at: datetime) -> UUID:
        name = b"table" + bytes.fromhex(f"{stage:04x}{round:04x}{board:08x}")
        return ids.derived_id(microseconds(at) // 1000, self.key, name)

    # --- the fold -------------------------------------------------------------------------------------------------------
    def add(self, event: StoredEvent, row: AnyTournamentRow | Unread) -> None:
        """The row was checked against the chain."""
        if self.newer is not None:
            return
        if isinstance(row, Unread) and not row.is_note:
            self.newer = event.version
            return
        self.version, self.hash, self.at = event.version, event.hash, event.at
        take_in(self, row, event.version, microseconds(event.at))

    @property
    def listed(self) -> list[Entrant]:
        """The entries in the order in which they came."""
        return [entrant for entrant in self.entrants.values() if entrant.listed]


def take_in(state: TournamentState, row: AnyTournamentRow | Unread, version: int, at: int) -> None:
    match row:
        case PlanChanged():
            state.plan, state.text, state.plan_seq = msgspec.convert(row.plan, PlanBody), row.text, version
        case StatusSet():
            state.status, state.status_seq = row.status, version
        case RoleGiven():
            give_role(state, row, version)
        case Entered() | CheckedIn() | Withdrew() | Seeded():
            take_entrant(state, row, version)
        case Drafted():
            drafted = RoundState(row.stage, row.round, row, version, boards={})
            state.rounds[row.stage, row.round] = drafted
        case Locked() | Swapped():
            edit(state.rounds[row.stage, row.round], row, version)
        case Published() | Recut():
            if isinstance(row, Recut):
                sit_out(state, row)
            seat(state.rounds[row.stage, row.round], row, version)
        case Begun():
            for number in row.boards:
                state.rounds[row.stage, row.round].boards[number].begun = True
        case Result() | Disputed() | Ruled():
            judge(state.rounds[row.stage, row.round].boards[row.board], row, version, at)
        case RoundClosed():
            close(state, row, version)


def give_role(state: TournamentState, row: RoleGiven, version: int) -> None:
    if row.role == "owner":
        state.roles[state.owner] = ("host", version)
    if row.role is None:
        state.roles.pop(row.player, None)
        state.former[row.player] = version
    else:
        state.roles[row.player] = (row.role, version)


def take_entrant(state: TournamentState, row: Entered | CheckedIn | Withdrew | Seeded, version: int) -> None:
    match row:
        case Entered():
            state.entrants[row.entry] = Entrant(row.entry, row.player, row.rating, row.joined, row.points, version)
            state.by_player[row.player] = row.entry
            unsettle(state, version)
        case CheckedIn():
            state.entrants[row.entry].checked_in = True
        case Withdrew():
            withdraw(state, state.entrants[row.entry], version)
        case Seeded():
            entrant = state.entrants[row.entry]
            entrant.rating, entrant.seq = row.rating, version


def withdraw(state: TournamentState, entrant: Entrant, version: int) -> None:
    entrant.seq, entrant.listed, entrant.left = version, state.begun, state.next_round
    if not entrant.listed:
        del state.by_player[entrant.player]
    unsettle(state, version)


def unsettle(state: TournamentState, version: int) -> None:
    """A draft is paired anew when there are others to pair."""
    if state.current and state.current.published is None:
        state.current.seq, state.current.locked, state.current.swaps = version, (), ()


def edit(round: RoundState, row: Locked | Swapped, version: int) -> None:
    round.seq = version
    if isinstance(row, Locked):
        round.locked, round.swaps = tuple(map(tuple, row.tables)), ()
    else:
        round.swaps = (*round.swaps, (row.one, row.other))


def seat(round: RoundState, row: Published | Recut, version: int) -> None:
    """A re-cut leaves the boards and their tables where they are."""
    round.seq, round.byes = version, tuple(row.byes)
    if isinstance(row, Published):
        round.published = row
        tables = zip(row.ids, row.tables, strict=True)
        round.boards = {at: Board(at, UUID(bytes=id_), tuple(seats), version) for at, (id_, seats) in enumerate(tables, 1)}
        return
    round.recuts += 1
    for number, board in round.boards.items():
        seats = tuple(row.tables[number - 1]) if number <= len(row.tables) else ()
        if seats != board.seats:
            board.seats, board.seq = seats, version


def sit_out(state: TournamentState, row: Recut) -> None:
    this = row.stage, row.round
    for entrant in state.entrants.values():
        entrant.out = entrant.out | {this} if entrant.number in row.out else entrant.out - {this}


def judge(board: Board, row: Result | Disputed | Ruled, version: int, at: int) -> None:
    match row:
        case Result():
            board.result, board.ended_at = row, at
        case Disputed():
            board.disputed, board.said, board.seq = row.entry, row.text, version
        case Ruled():
            board.ruling, board.disputed, board.seq = row, None, version


def close(state: TournamentState, row: RoundClosed, version: int) -> None:
    round = state.rounds[row.stage, row.round]
    round.closed, round.seq = True, version
    if not row.last:
        return
    if row.stage == len(state.plan.stages):
        state.status, state.status_seq = "over", version
    else:
        state.stage_entries[row.stage + 1] = tuple(row.through)
        state.stage = row.stage + 1
