"""Tournaments in the API. Entries, stages, rounds and boards are counted from 1."""
from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from ludarium.platform import ids
from ludarium.tournaments.derived import crosstables_of
from ludarium.tournaments.events import Status
from ludarium.tournaments.groups import playing_groups
from ludarium.tournaments.invitation_events import Role
from ludarium.tournaments.plan import PlanBody
from ludarium.tournaments.schemas.boards import BoardBody, board_body, match_of
from ludarium.tournaments.schemas.entries import EntryStatus, TextsById, entry_status
from ludarium.tournaments.schemas.times import (
    AutopilotBody,
    DelayBody,
    FeaturedBody,
    PauseBody,
    autopilot_body,
    check_in_of,
    end_of,
    featured_of,
    pause_body,
    time_of,
)
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Entrant, RoundState
from ludarium.tournaments.texts import Text
from ludarium_pairing.crosstable import Crosstable, Played
from ludarium_pairing.explanations import format_amount
from ludarium_pairing.model import Pairing
from ludarium_pairing.standings import Standing, standings_by

Seq = Annotated[int, Meta(ge=0, le=2**31 - 1, description="The version at which what this concerns was last changed.")]
RoundStatus = Literal["drafted", "published", "closed"]


class Official(msgspec.Struct, frozen=True):
    """sanctioned: the site vouches for this official, so what they rule counts for ratings."""

    player: str
    role: Role
    seq: int
    sanctioned: bool


class RoundPlace(msgspec.Struct, frozen=True):
    stage: int
    round: int
    status: RoundStatus
    seq: int


class TournamentSummary(msgspec.Struct, frozen=True):
    """featured: tables that it shows first, while they are played."""

    id: str
    title: str
    status: Status
    ruleset: str
    owner: str
    entries: int
    featured: list[str]


class TournamentPage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    tournaments: list[TournamentSummary]
    next: str | None


class TournamentBody(msgspec.Struct, frozen=True):
    """seq: of the newest row of its stream; plan_seq, status_seq: what desk acts about these name as `expected_seq`.

    stage: the one that is played, or will be next. forbidden: pairs of entries that are not to meet. paused: all of it.
    delay: of spectators; nothing: as the plan says. featured: tables of the round that is played. Each other `_seq`: as above.
    """

    id: str
    seq: int
    status: Status
    status_seq: int
    title: str
    about: str
    plan: PlanBody
    plan_seq: int
    officials: list[Official]
    entries: int
    stage: int
    rounds: list[RoundPlace]
    forbidden: list[list[int]]
    forbidden_seq: int
    paused: PauseBody | None
    paused_seq: int
    autopilot: AutopilotBody | None
    autopilot_seq: int
    delay: DelayBody
    delay_seq: int
    featured: list[FeaturedBody]


class QualityBody(msgspec.Struct, frozen=True):
    """As docs/tournaments.md has it; sizes: how many tables there are of which size."""

    repeats: int
    least_possible: int
    seats: int
    sizes: dict[str, int]


class RoundBody(msgspec.Struct, frozen=True):
    """commitment: the BLAKE2b-256 of the seed, which is told when the round is published. starts_at: RFC 3339.

    quality: of a draft. recuts: how often it was changed after it was published. nonce: hexadecimal, what its entries have
    mixed into the chance of its boards; empty if none has given anything. edits: changes of a draft that can be taken back.
    groups: the entries of each, the best seed first; empty where there are none.
    """

    stage: int
    round: int
    seq: int
    status: RoundStatus
    algorithm: int
    commitment: str
    seed: str | None
    starts_at: str | None
    tables: list[BoardBody]
    byes: list[int]
    quality: QualityBody | None
    recuts: int
    nonce: str
    edits: int
    groups: list[list[int]]


class Criterion(msgspec.Struct, frozen=True, gc=False):
    name: str
    value: str


class StandingRow(msgspec.Struct, frozen=True, gc=False):
    """points: in units, 120 are a win. by: what parts those with the same, in order. group: in which the place is, from 1; null
    where there are none."""

    group: int | None
    place: int
    entry: int
    player: str
    points: int
    by: list[Criterion]


class StandingsBody(msgspec.Struct, frozen=True):
    """after_round: while its tables are played, as far as they are over."""

    seq: int
    stage: int
    after_round: int
    rows: list[StandingRow]


class WhyBody(msgspec.Struct, frozen=True):
    """In sentences. table: why these opponents and this seat, or the bye, in the newest round; of a draft for the desk."""

    entry: int
    place: list[str]
    table: list[str]


class CrossCell(msgspec.Struct, frozen=True):
    """opponents: their entries; units: what the round has brought. Without opponents it was not played."""

    opponents: list[int]
    units: int


class CrossRow(msgspec.Struct, frozen=True):
    """group: as in the standings."""

    entry: int
    group: int | None
    rounds: list[CrossCell]


class CrosstableBody(msgspec.Struct, frozen=True):
    seq: int
    stage: int
    rows: list[CrossRow]


class BracketTable(msgspec.Struct, frozen=True):
    """score: of a match of several games, in units by seat."""

    board: int
    seats: list[int]
    places: list[int]
    score: list[int]


class BracketRound(msgspec.Struct, frozen=True):
    round: int
    tables: list[BracketTable]
    byes: list[int]


class BracketBody(msgspec.Struct, frozen=True):
    seq: int
    stage: int
    rounds: list[BracketRound]


class OwnPlace(msgspec.Struct, frozen=True):
    """The caller's entry, and their table in the newest round that is published; null with a bye, or if they are not in it.

    table: also null until it can be used, some moments after the round is published.
    paused: that table, or all of the tournament, by the desk. check_in: when one can say that one is there, until that is done
    or the first round is drafted.
    """

    seq: int
    entry: int
    status: EntryStatus
    stage: int | None
    round: int | None
    board: int | None
    table: str | None
    bye: bool
    starts_at: str | None
    ends_at: str | None
    paused: bool
    check_in: str | None


class ActBody(msgspec.Struct, frozen=True):
    """seq: the tournament after the act. entry, round: that it has made, if it made one."""

    seq: int
    entry: int | None = None
    round: int | None = None


# --- conversion from the state ----------------------------------------------------------------------------------------
def tournament_body(
    state: TournamentState, text: Text, reasons: TextsById | None = None, unopened: Collection[UUID] = ()
) -> TournamentBody:
    """Return a tournament. `reasons`: of its pause."""
    times = state.times
    vouched = state.sanction.officials if state.sanction else ()
    officials = [Official(player, role, seq, player in vouched) for player, (role, seq) in state.roles.items()]
    rounds = [RoundPlace(each.stage, each.number, round_status(each), each.seq) for each in state.rounds.values()]
    return TournamentBody(
        state.id, state.version, state.status, state.status_seq, text.title, text.body, state.plan, state.plan_seq,
        officials, len(state.listed), state.stage, rounds, [[*pair] for pair in state.forbidden], state.forbidden_seq,
        pause_body(times.paused, times.stopped_at, reasons or {}), times.paused_seq, autopilot_body(state), times.autopilot_seq,
        DelayBody(*times.delay), times.delay_seq, featured_of(state, unopened),
    )  # fmt: skip


def round_status(round: RoundState) -> RoundStatus:
    return "closed" if round.closed else "published" if round.published else "drafted"


def draft_body(state: TournamentState, round: RoundState, pairing: Pairing) -> RoundBody:
    told = pairing.quality
    quality = QualityBody(told.repeats, told.least_possible, told.seats, {str(n): many for n, many in told.sizes.items()})
    tables = [
        BoardBody(
            at, None, "waiting", [*map(int, seats)], [], [], [], None, None, None, None, deal_of(round, at), round.seq, [], [],
            None, None, None, None, False, [], [], [],
        )
        for at, seats in enumerate(pairing.tables, 1)
    ]  # fmt: skip
    return RoundBody(
        round.stage, round.number, round.seq, "drafted", state.opened.algorithm, round.drafted.commitment.hex(), None, None,
        tables, [*map(int, pairing.byes)], quality, 0, "", len(round.changes),
        groups_of(state, round.stage),
    )  # fmt: skip


def round_body(
    state: TournamentState, round: RoundState, reasons: TextsById, *, official: bool, unopened: Collection[UUID] = ()
) -> RoundBody:
    """Return a published round."""
    assert round.published is not None
    tables = [board_body(board, reasons, official=official, unopened=unopened) for board in round.boards.values()]
    return RoundBody(
        round.stage, round.number, round.seq, round_status(round), state.opened.algorithm, round.drafted.commitment.hex(),
        round.published.seed.hex(), time_of(round.published.starts_at), tables, [*round.byes], None, round.recuts,
        round.nonce.hex(), 0, groups_of(state, round.stage),
    )  # fmt: skip


def groups_of(state: TournamentState, stage: int) -> list[list[int]]:
    return [[int(entry.id) for entry in field.entries] for field in playing_groups(state, stage) if field.number]


def deal_of(round: RoundState, board: int) -> str:
    return round.drafted.deals[board - 1].hex() if board <= len(round.drafted.deals) else ""


def standings_body(state: TournamentState, stage: int, upto: int | None) -> StandingsBody:
    tables = crosstables_of(state, stage, upto)
    rows = [standing_row(state, row, group) for group, table in numbered(state, stage, tables) for row in standings_by(table)]
    rounds = [round for round in state.rounds_of(stage) if round.published]
    return StandingsBody(state.version, stage, len(rounds[:upto]), rows)


def numbered(state: TournamentState, stage: int, tables: list[Crosstable]) -> Iterator[tuple[int | None, Crosstable]]:
    """Yield crosstables with their group numbers, None without groups."""
    grouped = state.stage_of(stage).groups is not None
    return ((at if grouped else None, table) for at, table in enumerate(tables, 1))


def standing_row(state: TournamentState, row: Standing, group: int | None) -> StandingRow:
    by = [Criterion(name, format_amount(name, amount)) for name, amount in row.by]
    return StandingRow(group, row.place, int(row.id), state.entrants[int(row.id)].player, row.points, by)


def crosstable_body(state: TournamentState, stage: int) -> CrosstableBody:
    tables = crosstables_of(state, stage)
    rows = [row for group, table in numbered(state, stage, tables) for row in cross_rows(table, group)]
    return CrosstableBody(state.version, stage, rows)


def cross_rows(table: Crosstable, group: int | None) -> Iterator[CrossRow]:
    entries = table.past.entries
    for entry, cells in zip(entries, table.rows, strict=True):
        yield CrossRow(int(entry.id), group, [
            CrossCell([int(entries[other].id) for other, _ in cell.opponents] if isinstance(cell, Played) else [], cell.units)
            for cell in cells
        ])  # fmt: skip


def bracket_body(state: TournamentState, stage: int) -> BracketBody:
    rounds = [bracket_round(round) for round in state.rounds_of(stage) if round.published]
    return BracketBody(state.version, stage, rounds)


def bracket_round(round: RoundState) -> BracketRound:
    tables = [
        BracketTable(board.number, [*board.seats], [*board.places], match_of(board)[1])
        for board in round.boards.values() if board.seats
    ]  # fmt: skip
    return BracketRound(round.number, tables, [*round.byes])


def own_place(state: TournamentState, entrant: Entrant, unopened: Collection[UUID] = ()) -> OwnPlace:
    at = state.listed.index(entrant)
    status, check_in = entry_status(state, entrant, at), check_in_of(state, entrant)
    round = next((each for each in reversed(state.rounds.values()) if each.published), None)
    if round is None or round.published is None:
        paused = state.times.paused is not None
        return OwnPlace(state.version, entrant.number, status, None, None, None, None, False, None, None, paused, check_in)
    board = next((board for board in round.boards.values() if entrant.number in board.seats), None)
    return OwnPlace(
        state.version, entrant.number, status, round.stage, round.number, board.number if board else None,
        ids.encode(board.table) if board and board.table not in unopened else None, entrant.number in round.byes,
        time_of(board.starts_at if board else round.published.starts_at), end_of(board) if board else None,
        bool(board.stopped_at if board else state.times.stopped_at), check_in,
    )  # fmt: skip
