"""Open the tables of shared deals, and reveal the seeds when all games are over."""
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
PAUSE = 5.0                                     # seconds between two searches for deals to reveal


class SharedDeals:
    """Opens, closes and reveals shared deals.

    If a process dies in the middle, any other process completes the work.
    """

    def __init__(self, tables: Tables, now: Callable[[], datetime], waiting: Waiting) -> None:
        """Configure the service.

        Args:
            now: returns the current time.
            waiting: returns the deals whose seeds are not revealed yet.
        """
        self.tables, self.streams, self.now, self.waiting = tables, tables.deals, now, waiting
        self.woken = asyncio.Event()

    async def open_table(self, deal: UUID, board: int, creator: str, wanted: NewTable) -> UUID:
        """Open the board's table, unless it is open already, and return the table's id."""
        wanted = checked_table(wanted)
        shared = await self.streams.change(deal, lambda d: open_board(d, board, creator, wanted))
        return await self.ensure_table(shared, board)

    async def ensure_table(self, deal: DealState, board: int) -> UUID:
        """Create the table of an opened board if it does not exist yet; return its id."""
        event, stream = deal.boards[board], deal.table(board)
        if await self.tables.store.head(stream) is None:
            dealt = deal.secret_of(board), deal.deal_of(board)
            await self.tables.open(stream, event.creator, wanted_of(event), dealt=dealt)
        return stream

    # --- closing ------------------------------------------------------------------------------------------------------
    async def close(self, deal: UUID, owner: str) -> None:
        """Close the deal early. Raises Problem `forbidden` unless the owner does so."""
        if (await self.streams.load(deal)).opened.owner != owner:
            raise Problem("forbidden")
        await self.streams.change(deal, lambda d: None if d.closed else DealClosed())
        await self.settle(deal)

    async def settle(self, deal: UUID) -> bool:
        """Close the deal and reveal its seeds, if its time or all its games are over.

        All tables end before the first one reveals the seeds.

        Returns:
            Whether the seeds are revealed.
        """
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
        """Wake `run` after a table of a shared deal has ended in this process."""
        if table.opened.deal.stream and table.ended and not table.revealed:
            self.woken.set()

    async def run(self) -> None:
        """Close and reveal deals whose time has come, until cancelled.

        This completes deals that a dead process has revealed only in part.
        """
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
        """Settle all deals that are not revealed; one failure does not affect others."""
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
    """Return the settings of a board's table.

    Raises:
        Problem: `newer-release` if a newer release wrote the event, with settings unknown to this release.
    """
    try:
        return checked_table(_new_table(event.table))
    except (msgspec.ValidationError, Problem) as error:
        raise Problem("newer-release", retry_after=PATIENCE) from error
