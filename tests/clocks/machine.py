"""A process on a machine whose clock is wrong.

Run it with `python -m tests.clocks.machine DSN`. Each line of input sets the time that the machine's clock shows, and names
an action, which is either to read the server time (`learn`) or to answer for a seat.
"""
from __future__ import annotations

import asyncio
import sys
from random import Random
from typing import TextIO
from uuid import UUID

import msgspec

from ludarium.clocks.server_clock import ServerClock
from ludarium.tables.service import Tables
from ludarium_eventstore import EventStore
from tests.support.entropy import ENTROPY
from tests.support.table_games import Silent, answer


class Order(msgspec.Struct, array_like=True):
    shows: float
    table: UUID | None = None
    seat: int = 0


async def main(dsn: str, orders: TextIO) -> None:
    order = Order(0)
    async with await EventStore.open(dsn) as store:
        house = ServerClock(store, lambda: order.shows)
        tables = Tables(store, Silent(), ENTROPY, server_clock=house)
        while line := await asyncio.to_thread(orders.readline):
            order = msgspec.json.decode(line, type=Order)
            if order.table is None:
                await house.learn()
            else:
                await answer(tables, order.table, order.seat, Random(1))
            print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.stdin))
