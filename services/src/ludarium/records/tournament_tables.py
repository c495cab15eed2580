"""Compare the logs of a tournament's tables with the tournament's own events."""
from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial
from uuid import UUID

from ludarium.platform.problems import Problem
from ludarium.records.tournaments import verify_events
from ludarium.tables.model.documents import provide_for
from ludarium.tables.model.events import OpenedFor, TableEnded
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import Damaged, LogEntry, NewerRelease, NoTable, decoded_entries
from ludarium.tables.model.table_state import TableState
from ludarium.tournaments.boards import deal_of, result_event
from ludarium.tournaments.events import Result
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState
from ludarium_eventstore import EventStore, Fault, StoredEvent


async def faults_of_tournament(store: EventStore, stream: UUID, stored: Sequence[StoredEvent]) -> AsyncIterator[Fault]:
    state, report = verify_events(stream, stored, keyed=True)
    if report.fault:
        yield report.fault
    elif state is not None:
        async for fault in faults_of_tables(store, state):
            yield fault


async def faults_of_tables(store: EventStore, state: TournamentState) -> AsyncIterator[Fault]:
    """Yield differences between the tables' logs and the tournament."""
    for round in state.rounds.values():
        known: dict[UUID, TableState] = {}
        for board in round.boards.values():
            async for fault in faults_of_board(store, state, round, board, known):
                yield fault
        for fault in await early_reveals(store, state, round, known):
            yield fault


async def faults_of_board(
    store: EventStore, state: TournamentState, round: RoundState, board: Board, known: dict[UUID, TableState]
) -> AsyncIterator[Fault]:
    """Yield the faults of a board's tables, and add the readable tables to `known`."""
    played = {each.table: each for each in board.by_game}
    for table in (*board.earlier_tables, *played):
        try:
            rows = await entries_of(store, table)
            if rows:
                known[table] = fold(table, rows)
        except (Damaged, NewerRelease, NoTable, Problem) as error:
            yield Fault(table, 0, str(error))
            return
        if table not in played:
            if not rows:
                yield Fault(table, None, "a table that was replayed is not there")
            continue
        if not rows and played[table].result is not None:
            yield Fault(table, None, "the table of a result is not there")
        for what in table_faults(state, round, played[table], known[table], rows) if rows else ():
            yield Fault(table, 0, what)


async def entries_of(store: EventStore, table: UUID) -> Sequence[LogEntry]:
    """Read and decode a table's log.

    Raises:
        Damaged, NewerRelease: the log is invalid or cannot be read.
    """
    rows = decoded_entries(await store.read(table))
    await provide_for(store.document, [entry.event for entry in rows])
    return rows


def table_faults(
    state: TournamentState, round: RoundState, board: Board, table: TableState, rows: Sequence[LogEntry]
) -> Iterator[str]:
    opened, place = table.opened, (state.stream.bytes, round.stage, round.number, board.number)
    if not isinstance(opened, OpenedFor) or place != (opened.tournament, opened.stage, opened.round, opened.board):
        yield "it does not belong where its tournament has it"
    if opened.deal != deal_of(state, round, board):
        yield "it draws from another deal than its board was committed to"
    if any(seat and seat.nonce != round.nonce for seat in table.seats):
        yield "something else is mixed into its chance than its round has"
    if table.state is not None and not board.begun:
        yield "its game has begun before its tournament said so"
    if board.result is None:
        return
    sitting = [seat.player if seat else None for seat in table.seats]
    if len(sitting) != len(board.seats) or not all(map(partial(plays_entry, state), sitting, board.table_seats)):
        yield "others sit there than its tournament says"
    if result_of(round, board, table, rows) != board.result:
        yield "its result is another one than its tournament says"


def plays_entry(state: TournamentState, player: str | None, entry: int) -> bool:
    """Return whether the player is or was the player of this entry."""
    entrant = state.entrants[entry]
    return player in (entrant.player, *entrant.former_players)


async def early_reveals(
    store: EventStore, state: TournamentState, round: RoundState, known: dict[UUID, TableState]
) -> list[Fault]:
    """Return faults for tables that revealed the seeds of a shared deal too early.

    The seeds must not be revealed while another table plays the deal. Tables that have ended since they were read are not a
    fault.
    """
    if not state.has_shared_deals(round.stage):
        return []
    tables = [table for board in round.boards.values() for table in (*board.earlier_tables, board.table)[:1] if table in known]
    early = [known[table] for table in tables if known[table].revealed]
    played = [table for table in tables if not known[table].ended] if early else []
    if not any([not fold(table, await entries_of(store, table)).ended for table in played]):
        return []
    what = "the seeds are revealed while its deal is being played"
    return [Fault(table_state.stream, table_state.version, what) for table_state in early]


def result_of(round: RoundState, board: Board, table: TableState, rows: Sequence[LogEntry]) -> Result | None:
    head = next((entry.hash for entry in rows if isinstance(entry.event, TableEnded)), None)
    return None if table.ended is None or head is None else result_event(round, board, table, head)
