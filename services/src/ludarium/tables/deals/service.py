"""The tables of shared deals: opened board by board, and told the seed together, when the last of them is over."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from uuid import UUID

import msgspec

from ludarium.platform.complaints import tried_again
from ludarium.platform.problems import Problem
from ludarium.tables.deals.events import BoardOpened, DealClosed, DealRevealed
from ludarium.tables.deals.streams import DealState, open_board
from ludarium.tables.model import endings
from ludarium.tables.model.hash_chain import microseconds
from ludarium.tables.model.opening import checked_table
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from ludarium.tables.table_cache import PATIENCE
from ludarium_engine.kernel.decoding import converter
from ludarium_eventstore import StoreUnavailable

_new_table = converter(NewTable)

log = logging.getLogger(__name__)
Waiting = Callable[[], Awaitable[Sequence[UUID]]]
PAUSE = 5.0                                     # seconds between two looks for deals that wait to be revealed


class SharedDeals:
    """Any process may do any of this, and what was begun by one that died is found and done again."""

    def __init__(self, tables: Tables, now: Callable[[], datetime], waiting: Waiting) -> None:
        """waiting: tells the deals that are not revealed yet."""
        self.tables, self.streams, self.now, self.waiting = tables, tables.deals, now, waiting
        self.woken = asyncio.Event()

    async def open_table(self, deal: UUID, board: int, creator: str, wanted: NewTable) -> UUID:
        """The table that plays the board: the same one however often it is asked for."""
        wanted = checked_table(wanted)
        shared = await self.streams.change(deal, lambda d: open_board(d, board, creator, wanted))
        return await self.ensure_table(shared, board)

    async def ensure_table(self, deal: DealState, board: int) -> UUID:
        """The board was opened in the deal's stream; its table may not be there yet."""
        event, stream = deal.boards[board], deal.table(board)
        if await self.tables.store.head(stream) is None:
            dealt = deal.secret_of(board), deal.deal_of(board)
            await self.tables.open(stream, event.creator, wanted_of(event), dealt=dealt)
        return stream

    # --- the end ------------------------------------------------------------------------------------------------------
    async def close(self, deal: UUID, owner: str) -> None:
        """Before its time, by its owner. Raises Problem `forbidden`."""
        if (await self.streams.load(deal)).opened.owner != owner:
            raise Problem("forbidden")
        await self.streams.change(deal, lambda d: None if d.closed else DealClosed())
        await self.settle(deal)

    async def settle(self, deal: UUID) -> bool:
        """Close and reveal the deal if it is time. First every table ends, then any is told."""
        shared = await self.streams.load(deal)
        if shared.revealed:
            return True
        if not shared.closed:
            if not self.is_late(shared) and await self.streams.count_ended(shared) < shared.opened.boards:
                return False
            shared = await self.streams.change(deal, lambda d: None if d.closed else DealClosed())
        tables = [await self.ensure_table(shared, board) for board in sorted(shared.boards)]
        for table in tables:
            await self.tables.decide_and_append(table, endings.void_table)
        for table in tables:
            await self.tables.decide_and_append(table, endings.reveal_seeds)
        await self.streams.change(deal, lambda d: None if d.revealed else DealRevealed(*d.secret.seeds))
        return True

    def is_late(self, deal: DealState) -> bool:
        return microseconds(self.now()) >= deal.closes_at

    async def after_end(self, table: TableState) -> None:
        """After a commit of this process that leaves no game in play: look whether the deal of the table is over."""
        if table.opened.deal.stream and table.ended and not table.revealed:
            self.woken.set()

    async def run(self) -> None:
        """Deals that are over or late, also those that a process which died has left half revealed."""
        while True:
            self.woken.clear()
            try:
                await self.settle_all()
            except (Problem, StoreUnavailable) as problem:
                tried_again(log, "deals wait: %s", problem)
            with suppress(TimeoutError):
                async with asyncio.timeout(PAUSE):
                    await self.woken.wait()

    async def settle_all(self) -> None:
        """One that cannot be settled keeps no other one waiting."""
        for deal in await self.waiting():
            try:
                await self.settle(deal)
            except Problem as problem:
                log.warning("deal %s waits: %s", deal, problem)
            except StoreUnavailable:
                raise
            except Exception:
                log.exception("deal %s waits", deal)


def wanted_of(event: BoardOpened) -> NewTable:
    """Raises Problem `newer-release` if this release has no such tables: another one has entered the board."""
    try:
        return checked_table(_new_table(event.table))
    except (msgspec.ValidationError, Problem) as error:
        raise Problem("newer-release", retry_after=PATIENCE) from error
