"""Recompute a tournament from its log with both implementations of pairing."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from ludarium.platform import ids
from ludarium.records.tournament_tables import faults_of_tables
from ludarium.records.tournaments import verify_events
from ludarium.tables.model.event_types import decode
from ludarium.tables.model.events import OpenedFor
from ludarium.tournaments.derived import compute_pairing, pairing_input_at, played_round, standings_of
from ludarium.tournaments.event_types import decode as decode_row
from ludarium.tournaments.events import Published, RoundClosed
from ludarium.tournaments.groups import entries_of, stage_settings
from ludarium.tournaments.hash_chain import apply_stored, initial_state
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import RoundState
from ludarium_eventstore import EventStore, StoredEvent
from ludarium_pairing.model import Pairing, Quality
from ludarium_pairing.record import RecordedRound, TournamentRecord, sealed
from tests.faults.tournament_ratings import misrated
from tests.support.people import Json
from tests.support.tournaments import Event
from tests.tournaments.second import Event as SecondEvent
from tests.tournaments.second import faults as second_faults
from tests.tournaments.second import pairing
from tests.tournaments.second_formats import FORMATS, groups
from tests.tournaments.second_standings import shown_otherwise
from tests.tournaments.tampered import tampered

"""Approximate seconds."""
Shown = dict[int, list[Json]]
"""The rows of the standings of each stage, as the API shows them."""


async def wrong(store: EventStore, event: Event, shown: Shown) -> list[str]:
    """Return the faults that the two implementations find."""
    stream = ids.decode(event.id)
    rows = await store.read(stream)
    state, report = verify_events(stream, rows, keyed=True)
    if state is None or report.fault:
        return [str(report.fault)]
    found = [str(fault) async for fault in faults_of_tables(store, state)]
    found += [*second_opinions(stream, rows), *other_places(state, shown)]
    if state.status != "over":
        found.append(f"it is {state.status}")
    for stage, told in shown.items():
        known = [(row.place, int(row.id), row.points) for row in standings_of(state, stage)]
        if known != [(row["place"], row["entry"], row["points"]) for row in told]:
            found.append(f"stage {stage}: its standings are shown otherwise")
    return [*found, *await twice(store, state), *await misrated(store, state, rows)]


async def missed(store: EventStore, event: Event, luck: Random, many: int) -> list[str]:
    """Tamper with events, and return the changes that verification does not detect.

    Each changed log has a new hash chain, so its hashes are consistent.
    """
    stream = ids.decode(event.id)
    rows, found = await store.read(stream), list[str]()
    for _ in range(many):
        changed, what = tampered(rows, luck)
        state, report = verify_events(stream, changed, keyed=True)
        if report.fault is None and state is not None and not [fault async for fault in faults_of_tables(store, state)]:
            found.append(f"not found: {what}")
    return found


async def twice(store: EventStore, state: TournamentState) -> list[str]:
    """Return the boards that have the wrong number of tables."""
    opened = Counter[tuple[int, int, int]]()
    for row in await store.fetch("select type, schema, data from es.events where type = 1 and schema = 2"):
        told = decode(row["type"], row["schema"], row["data"])
        if isinstance(told, OpenedFor) and UUID(bytes=told.tournament) == state.stream:
            opened[told.stage, told.round, told.board] += 1
    wanted = {
        (round.stage, round.number, board.number): board.game + len(board.earlier_tables)
        for round in state.rounds.values() for board in round.boards.values()
    }  # fmt: skip
    return [f"board {at} has {opened[at]} tables" for at in wanted | opened if opened[at] != wanted.get(at, 0)]


# --- second implementation ------------------------------------------------------------------------------------------------
def second_opinions(stream: UUID, rows: Sequence[StoredEvent]) -> Iterator[str]:
    """Yield differences in published rounds, and in points at the end of stages."""
    state = initial_state(stream, rows[0])
    for event in rows:
        row = decode_row(event.type, event.schema, event.data)
        before = pairing_of(state, row) if isinstance(row, Published) else None
        apply_stored(state, event)
        if isinstance(row, Published) and before is not None and state.stage_of(row.stage).groups:
            yield from () if same_groups(state, row, before) else (f"round {row.stage}.{row.round}: pairing",)
        elif isinstance(row, Published) and before is not None:
            record = raw(record_of(state, row.stage, before))
            yield from (f"round {row.stage}.{at}: {what}" for at, what in second_faults(record, FORMATS) if at == row.round)
        if isinstance(row, RoundClosed) and row.last:
            yield from other_points(state, row.stage)
            yield from unfair_groups(state, row)


def pairing_of(state: TournamentState, row: Published) -> Pairing | None:
    """Return the pairing of a published round, or None if it was changed by hand."""
    round = state.rounds[row.stage, row.round]
    if round.swaps or round.locked:
        return None
    return compute_pairing(pairing_input_at(state, row.stage, row.round, row.seed, round))


def other_points(state: TournamentState, stage: int) -> Iterator[str]:
    first = {row.id: row.points for row in standings_of(state, stage)}
    for record in records_of(state, stage):
        second = SecondEvent(record, len(record["rounds"])).points
        for entry, points in zip(record["entries"], second, strict=True):
            told = first.get(entry["id"], points)
            if told != points:
                yield f"stage {stage}: entry {entry['id']} has {told} points, or {points}"


def other_places(state: TournamentState, shown: Shown) -> Iterator[str]:
    """Yield differences from each stage's page in places, points and tie-breaks."""
    for stage, told in shown.items():
        grouped = state.stage_of(stage).groups is not None
        yield from (f"stage {stage}: {what}" for what in shown_otherwise(records_of(state, stage), told, grouped=grouped))


def records_of(state: TournamentState, stage: int) -> list[dict[str, Any]]:
    """Return the record of a stage, or one record for each of its groups.

    Games at running tables are left out.
    """
    wanted, record = state.stage_of(stage), raw(record_of(state, stage))
    rounds = [played_round(round) for round in state.rounds_of(stage) if round.published]
    for told, round in zip(record["rounds"], rounds, strict=True):
        told["results"] = [None if table.running else games for games, table in zip(told["results"], round.tables, strict=True)]
    return groups(record, wanted.groups, wanted.rounds or 0) if wanted.groups else [record]


def same_groups(state: TournamentState, row: Published, before: Pairing) -> bool:
    """Check that the groups, if each is paired separately, give the published round."""
    records = [record for record in records_of(state, row.stage) if len(record["rounds"]) >= row.round]
    second = [pairing(record, row.round - 1, FORMATS) for record in records]
    tables, byes = ([one for each in second for one in each[name]] for name in ("tables", "byes"))
    repeats = sum(each["quality"]["repeats"] for each in second)
    return (tables, byes, repeats) == ([*map(list, before.tables)], [*before.byes], before.quality.repeats)


def unfair_groups(state: TournamentState, row: RoundClosed) -> Iterator[str]:
    """Yield stages in which an entry advances with fewer points than another one."""
    through = {*map(str, row.through)}
    for record in records_of(state, row.stage) if state.stage_of(row.stage).groups else ():
        points = SecondEvent(record, len(record["rounds"])).points
        told = {e["id"]: p for e, p in zip(record["entries"], points, strict=True) if state.entrants[int(e["id"])].left is None}
        least = min((told[id] for id in told if id in through), default=None)
        if told and (least is None or any(told[id] > least for id in told if id not in through)):
            yield f"stage {row.stage}: others of a group go on than have won"


def record_of(state: TournamentState, stage: int, newest: Pairing | None = None) -> TournamentRecord:
    rounds = [round for round in state.rounds_of(stage) if round.published]
    told = [recorded(round, None if round is not rounds[-1] else newest) for round in rounds]
    settings = stage_settings(state, stage, rounds[-1].forbidden if rounds else ())
    return sealed(TournamentRecord(entries_of(state, stage), settings, tuple(told)))


def recorded(round: RoundState, pairing: Pairing | None) -> RecordedRound:
    assert round.published is not None
    told = played_round(round)
    seats = tuple(table.seats for table in told.tables)
    pairing = pairing or Pairing(seats, told.byes, Quality(0, 0, 0, {}))
    return RecordedRound(round.published.seed.hex(), pairing, tuple(table.games for table in told.tables))


def raw(record: TournamentRecord) -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(msgspec.json.encode(msgspec.to_builtins(record, str_keys=True)))
    return decoded
