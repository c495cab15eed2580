"""Verify shared deals: their events, and the tables that play them."""
from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

from ludarium.tables.deals.events import (
    OPENED,
    AnyDealEvent,
    BoardOpened,
    DealClosed,
    DealOpened,
    DealPostponed,
    DealRevealed,
    PlayerJoined,
    decode,
)
from ludarium.tables.deals.streams import DealState, empty_deal, fold_deal, root_of
from ludarium.tables.model.event_types import AnyEvent, UnreadEvent, type_of
from ludarium.tables.model.event_types import decode as decode_table
from ludarium.tables.model.events import Deal, SeedsRevealed, TableEnded, TableOpened
from ludarium.tables.model.hash_chain import Damaged, NewerRelease
from ludarium_eventstore import BrokenBundle, EventStore, Fault, StoredEvent
from ludarium_eventstore.store import COLUMNS
from ludarium_eventstore.store import stored as stored_row

ENDED_TYPE, REVEALED_TYPE = type_of(TableEnded), type_of(SeedsRevealed)


class DealTable(NamedTuple):
    """A table of the deal.

    Attributes:
        first: the table's first event.
        ended_at: the version of the event that ended the table, if any.
        revealed_at: the version of the event that revealed the seeds, if any.
    """

    first: AnyEvent | UnreadEvent
    ended_at: int | None = None
    revealed_at: int | None = None


async def faults_of_deal(store: EventStore, stream: UUID, stored: Sequence[StoredEvent]) -> AsyncIterator[Fault]:
    """Yield the faults in a deal's events and in its tables.

    After the tables, the deal is read a second time, so that changes in the meantime are not reported as faults.
    """
    try:
        deal = fold_checked(stream, stored)
        tables = await tables_of(store, deal)
        deal_afterwards = fold_deal(stream, await store.read(stream))
    except BrokenBundle as error:
        yield Fault(error.stream, None, error.what)
        return
    except (Damaged, NewerRelease) as error:
        version, what = (error.version, error.what) if isinstance(error, Damaged) else (0, f"{error}: nothing was checked")
        yield Fault(stream, version, what)
        return
    for board in deal.boards:
        for fault in faults_of_board(deal, board, tables.get(deal.table(board))):
            yield fault
    for fault in early_reveals(deal_afterwards, tables):
        yield fault


async def fault_of_table(store: EventStore, first: StoredEvent, deal_of_table: Deal) -> Fault | None:
    """Return the fault of a table that plays a shared deal, None if there is none.

    Args:
        first: the table's first event.
    """
    assert deal_of_table.stream is not None
    stream = UUID(bytes=deal_of_table.stream)
    found = await store.read(stream, limit=1)
    if not found or found[0].type != OPENED:
        return Fault(first.stream, 0, f"the deal {stream} that it plays is not there")
    try:
        deal = empty_deal(stream, found[0])
    except (Damaged, NewerRelease):
        return None                             # reported as a fault of the deal itself
    if first.stream == deal.table(deal_of_table.board):
        return None
    return Fault(first.stream, 0, f"the deal {stream} has another table at its board")


# --- events -----------------------------------------------------------------------------------------------------------
def fold_checked(stream: UUID, stored: Sequence[StoredEvent]) -> DealState:
    """Fold the deal and check its events, up to the first one of a newer release.

    Raises:
        Damaged: an event is not valid.
        NewerRelease: this release cannot read the first event.
    """
    deal = empty_deal(stream, stored[0])
    for event in stored:
        if deal.newer is not None:
            break
        deal.check(event)
        if root_of(deal.secret, event.version, event.data) != event.root:
            raise Damaged(stream, event.version, "its root is not that of what everybody may see")
        row = decode(event.type, event.schema, event.data)
        if what := fault_in(deal, row):
            raise Damaged(stream, event.version, what)
        deal.add(event.version, row, event.hash)
    return deal


def fault_in(deal: DealState, row: AnyDealEvent | UnreadEvent) -> str | None:
    """Return why the event is not valid as the deal's next event, None if it is valid."""
    match row:
        case UnreadEvent():
            return None
        case _ if deal.revealed:
            return "it stands behind the end of the deal"
        case DealRevealed() if not deal.closed:
            return "the seeds are revealed before the deal is closed"
        case DealRevealed(seed, dealt):
            return None if (seed, dealt) == deal.secret.seeds else "the seeds that are revealed are others"
        case _ if deal.closed:
            return "it stands behind the close of the deal"
        case _:
            return None if may_follow(deal, row) else "it does not follow from the rows before it"


def may_follow(deal: DealState, row: AnyDealEvent) -> bool:
    """Return whether the event is valid as the next event of an open deal."""
    match row:
        case DealOpened():
            return deal.version == -1
        case DealPostponed(closes_at):
            return closes_at > deal.closes_at
        case BoardOpened(board):
            return board in range(1, deal.opened.boards + 1) and board not in deal.boards
        case PlayerJoined(player, board):
            return board in deal.boards and player not in deal.players
        case DealClosed() | DealRevealed():
            return True


# --- tables -----------------------------------------------------------------------------------------------------------
async def tables_of(store: EventStore, deal: DealState) -> dict[UUID, DealTable]:
    """Return the deal's tables by id, read at one position of the log.

    Archived tables are read from their bundles.

    Raises:
        BrokenBundle: a bundle cannot be read.
    """
    tables = [deal.table(board) for board in deal.boards]
    rows = await store.fetch(
        f"select {COLUMNS} from es.events where (version = 0 or type = any ($2::smallint[]))"
        " and (partition, stream_id) in (select es.partition_of(s), s from unnest($1::uuid[]) s) order by version",
        tables, [ENDED_TYPE, REVEALED_TYPE],
    )  # fmt: skip
    bundled = [row for table in tables if await store.archived(table) for row in await store.read(table)]
    found: dict[UUID, DealTable] = {}
    for row in [*bundled, *map(stored_row, rows)]:
        table = found.get(row.stream, DealTable(decode_table(row.type, row.schema, row.data)))
        ended_at, revealed_at = (row.version if row.type == type_ else None for type_ in (ENDED_TYPE, REVEALED_TYPE))
        found[row.stream] = table._replace(ended_at=table.ended_at or ended_at, revealed_at=table.revealed_at or revealed_at)
    return found


def faults_of_board(deal: DealState, board: int, table: DealTable | None) -> Iterator[Fault]:
    """Yield the faults of a board's table.

    The table may differ from the board that the deal has opened, or may not have revealed the seeds although the deal has.
    """
    if deal.revealed and (table is None or table.revealed_at is None):
        yield Fault(deal.stream, deal.version, f"the table of board {board} is missing or was not told the seeds")
    if table is None or not isinstance(table.first, TableOpened):
        return
    if (table.first.deal, table.first.creator) != (deal.deal_of(board), deal.boards[board].creator):
        yield Fault(deal.table(board), 0, f"it is opened otherwise than board {board} of its deal")


def early_reveals(deal: DealState, tables: dict[UUID, DealTable]) -> Iterator[Fault]:
    """Yield the faults of tables that reveal the seeds while the deal is being played.

    If the deal has an event of a newer release, that event may be the one that closes the deal, so the deal counts as
    closed.
    """
    if (deal.closed or deal.newer is not None) and all(table.ended_at is not None for table in tables.values()):
        return
    for stream, table in tables.items():
        if table.revealed_at is not None:
            yield Fault(stream, table.revealed_at, "the seeds are revealed while its deal is being played")
