"""A worker that processes deadlines and plays, SPEED times as fast as real time.

Run it with `python -m tests.clocks.worker DSN TABLES SPEED SEED`. It prints a line for each command that it considers
too late.
"""
from __future__ import annotations

import asyncio
import sys
from collections.abc import Collection, Mapping
from itertools import accumulate, takewhile
from random import Random
from time import monotonic

import uvloop

from ludarium.clocks.server_clock import ServerClock
from ludarium.clocks.settings import SECOND, LiveClock
from ludarium.platform import ids
from ludarium.platform.background import background
from ludarium.platform.problems import Problem
from ludarium.tables.deadlines import Deadlines
from ludarium.tables.model import decisions, seating
from ludarium.tables.model.events import Seated
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import Arrival, ms
from ludarium.tables.schemas import AbsenceBody, ActionBody, NewTable, PoliciesBody
from ludarium.tables.service import Tables
from ludarium_engine.kernel import legal_offers, seats_to_act
from ludarium_eventstore import EventStore, StoreUnavailable
from tests.support.entropy import ENTROPY

BANK = 20
"""Seconds of server time that a seat has for its game."""
RULESET = "game-of-kingdoms"
WANTED = NewTable(RULESET, 2, policies=PoliciesBody(undo="none", absence=AbsenceBody("forfeit"), clock=LiveClock(BANK)))
SEATED = [Seated(seat, f"player {seat}", None) for seat in range(2)]
FORGETS = 0.15
"""The chance that a player does not answer, or only around the deadline."""


class Unwatched:
    def watched(self, table: str, audiences: Collection[int]) -> Collection[int]:
        return ()

    async def publish(self, table: str, seq: int, prev: bytes, messages: Mapping[int, bytes]) -> None:
        """Publish nothing."""


class People:
    def __init__(self, tables: Tables, luck: Random) -> None:
        self.tables, self.luck, self.server_clock = tables, luck, tables.server_clock

    async def play_on(self) -> None:
        """Play at one table after another."""
        while True:
            try:
                await self.play()
            except StoreUnavailable:
                await self.server_clock.sleep(0.4)
            except Problem as problem:
                if problem.code not in ("busy", "unavailable"):
                    raise

    async def play(self) -> None:
        stream = ids.new_table_id(ENTROPY, creator="host")
        await self.tables.open(stream, "host", WANTED, SEATED)
        await self.tables.change(stream, "host", lambda t: seating.start(t, "host"))
        while (table := await self.tables.cache.load(stream)).status == "playing":
            await self.answer(table)

    async def answer(self, table: TableState) -> None:
        clocks, seat = table.clocks, self.luck.choice(seats_to_act(table.playing))
        assert clocks is not None
        thought = self.luck.uniform(0, BANK / 20)
        if self.luck.random() < FORGETS:
            thought = clocks.left(seat) / SECOND + self.luck.uniform(-0.3, 2.5)
        await self.server_clock.sleep(thought)
        arrival = Arrival(self.server_clock.now())
        try:
            await self.tables.decide_and_append(
                table.stream, lambda h: decisions.act_for_seat(h, seat, first_offer(h, seat)), arrival=arrival
            )
        except Problem as problem:
            if problem.code == "out-of-time":
                print(table.stream, seat, ms(arrival.at), flush=True)
                await self.server_clock.sleep(1)
            elif problem.code not in ("not-asked", "game-over"):
                raise


def first_offer(table: TableState, seat: int) -> ActionBody:
    offers = legal_offers(table.title, table.playing, seat)
    if not offers:
        raise Problem("not-asked")
    offer = offers[0]
    worth = [*accumulate(map(offer.worth_of, offer.pool), initial=0)]
    return ActionBody(offer.id, [*offer.pool[: len([*takewhile(lambda sum_: sum_ < offer.least, worth)])]])


async def main(dsn: str, tables: int, speed: float, seed: str) -> None:
    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds / speed)

    async with await EventStore.open(dsn) as store:
        house = ServerClock(store, lambda: monotonic() * speed, sleep)
        await house.learn()
        there = Tables(store, Unwatched(), ENTROPY, server_clock=house)
        people = [People(there, Random(f"{seed} {nth}")) for nth in range(tables)]
        async with background(house.run()), background(Deadlines(there).run()), asyncio.TaskGroup() as group:
            for one in people:
                group.create_task(one.play_on())
            await asyncio.Event().wait()        # until the process is killed


if __name__ == "__main__":
    dsn, tables, speed, seed = sys.argv[1:]
    uvloop.run(main(dsn, int(tables), float(speed), seed))
