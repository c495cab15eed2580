"""Schemas of tournaments in the API.

Entries, stages, rounds and boards are counted from 1.
"""
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
    """An official of a tournament.

    If `sanctioned`, the site vouches for this official, so their rulings count for ratings.
    """

    player: str
    role: Role
    seq: int
    sanctioned: bool


class RoundPlace(msgspec.Struct, frozen=True):
    """A round of a stage, with its status."""

    stage: int
    round: int
    status: RoundStatus
    seq: int


class TournamentSummary(msgspec.Struct, frozen=True):
    """A tournament in the list.

    `featured` lists the tables to show first while they are running.
    """

    id: str
    title: str
    status: Status
    ruleset: str
    owner: str
    entries: int
    featured: list[str]


class TournamentPage(msgspec.Struct, frozen=True):
    """A page of tournaments.

    `next` is the `after` of the next page; null on the last page.
    """

    tournaments: list[TournamentSummary]
    next: str | None


class TournamentBody(msgspec.Struct, frozen=True):
    """A tournament.

    `seq` is the number of its newest event. Each field that ends in `_seq` is the `expected_seq` of commands about that
    part. `stage` is the current or next stage. `forbidden` lists pairs of entries that must not meet. `paused` is a
    pause of the whole tournament. `delay` is that of spectators; if both values are 0, the plan decides. `featured` has
    tables of the current round.
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
    """The quality of a pairing, as docs/tournaments.md explains it.

    `sizes` has the number of tables of each size.
    """

    repeats: int
    least_possible: int
    seats: int
    sizes: dict[str, int]


class RoundBody(msgspec.Struct, frozen=True):
    """A round of a stage.

    `commitment` is the BLAKE2b-256 hash of the seed, which is revealed when the round is published. `starts_at` is in
    RFC 3339. Only drafts have a `quality`. `recuts` counts the changes after publication. `nonce`, in hexadecimal, is
    what its entries have added to the randomness of its boards. `edits` counts the changes of a draft that can be
    undone. `groups` lists the entries of each group, the best seed first. `nonce` and `groups` can be empty.
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
    """A row of the standings. `points` are in units; 120 units are a win.

    `by` lists the tie-breaks in order. `group` is the number of the group, from 1; null without groups.
    """

    group: int | None
    place: int
    entry: int
    player: str
    points: int
    by: list[Criterion]


class StandingsBody(msgspec.Struct, frozen=True):
    """The standings of a stage up to `after_round`, counting its finished tables."""

    seq: int
    stage: int
    after_round: int
    rows: list[StandingRow]


class WhyBody(msgspec.Struct, frozen=True):
    """Explanations of an entry's place and pairing, in sentences.

    `table` explains the opponents and the seat, or the bye, in the newest round. For the owner and hosts this includes
    drafts.
    """

    entry: int
    place: list[str]
    table: list[str]


class CrossCell(msgspec.Struct, frozen=True):
    """An entry's units and opponents in a round; no opponents if it did not play."""

    opponents: list[int]
    units: int


class CrossRow(msgspec.Struct, frozen=True):
    """A row of the crosstable. `group` is as in the standings."""

    entry: int
    group: int | None
    rounds: list[CrossCell]


class CrosstableBody(msgspec.Struct, frozen=True):
    seq: int
    stage: int
    rows: list[CrossRow]


class BracketTable(msgspec.Struct, frozen=True):
    """A table of a bracket. In a match, `score` has the units by seat."""

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
    """The caller's entry, and their table in the newest published round.

    `table` is null with a bye, without a place in the round, and until the table can be used, a few moments after the
    round is published. `paused` includes a pause of the whole tournament. `check_in` is when the check-in begins. It is
    null once the player has checked in or the first round is drafted.
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
    """The result of a command. `seq` is the tournament's version after it.

    `entry` or `round` is what the command created, if anything.
    """

    seq: int
    entry: int | None = None
    round: int | None = None


# --- conversion from the state ----------------------------------------------------------------------------------------
def tournament_body(
    state: TournamentState, text: Text, reasons: TextsById | None = None, unopened: Collection[UUID] = ()
) -> TournamentBody:
    """Return a tournament.

    Args:
        reasons: The text of its pause.
    """
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
