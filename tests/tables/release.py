"""A process of this release or the next one that works on tables.

It reads one operation per line of JSON and prints the result. `python -m tests.tables.release DSN [FAULT]` runs the next
release. That release has a non-critical event, a critical event, a newer schema of the event `Seated`, and in Game of
Kingdoms one more state field and a zone with corrected visibility.
"""
from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.tables import snapshots
from ludarium.tables.deals import events as deal_events
from ludarium.tables.deals.events import DealEvent, PlayerJoined
from ludarium.tables.deals.service import SharedDeals
from ludarium.tables.model import event_types
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import AnyTitle, Seated, TableEvent
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import ActionBody
from ludarium.tables.service import Tables
from ludarium_engine import registry
from ludarium_engine.bots import bots
from ludarium_engine.kernel import SPECTATOR, seats_to_act
from ludarium_engine.kernel.slots import Public
from ludarium_engine.titles.game_of_kingdoms.state import Kingdoms
from ludarium_eventstore import EventStore
from tests.clock import now
from tests.engine.layouts import redeclared
from tests.support.entropy import ENTROPY
from tests.support.table_games import RULESET, Silent, answered

MENDED = "turned"                               # A zone that is public now and hidden in the next release.


class Noted(TableEvent, frozen=True):
    """A new table event that older releases may ignore."""

    text: str


class Blessed(TableEvent, frozen=True):
    """A new table event that older releases may not ignore."""

    seat: int


class SeatedInTeam(Seated, frozen=True):
    """The next schema of the event that seats a player."""

    team: str = ""


class DealNoted(DealEvent, frozen=True):
    """A new event of a deal that older releases may ignore."""

    text: str


class DealBlessed(DealEvent, frozen=True):
    """A new event of a deal that older releases may not ignore."""


class PlayerJoinedInTeam(PlayerJoined, frozen=True):
    """The next schema of the event by which a player joins a deal."""

    team: str = ""


class KingdomsWithBlessing(Kingdoms):
    blessing: Public[int] = 0


def learn(fault: str = "") -> None:
    """Turn this process into the next release.

    Args:
        fault: A fault of `tests.tables.growth`, or "" for none.
    """
    seated = (2, 1) if fault == "event keeps its number" else (2, 2)
    kinds: list[tuple[tuple[int, int], Any, str]] = [
        ((200, 1), Noted, "noted"), ((30, 1), Blessed, "blessed"), (seated, SeatedInTeam, ""),
    ]  # fmt: skip
    for numbers, kind, name in kinds:
        event_types.KINDS[numbers] = kind
        event_types.NUMBERS[kind] = numbers
        event_types.DECODERS[numbers] = msgspec.msgpack.Decoder(kind).decode
        if name:
            event_types.NAMES[numbers[0]] = name
    of_deals: list[tuple[tuple[int, int], Any, str]] = [
        ((201, 1), DealNoted, "deal_noted"), ((127, 1), DealBlessed, "deal_blessed"), ((67, 2), PlayerJoinedInTeam, ""),
    ]  # fmt: skip
    for numbers, kind, name in of_deals:
        deal_events.DEAL_KINDS[numbers] = kind
        deal_events.DEAL_NUMBERS[kind] = numbers
        deal_events.DECODERS[numbers] = msgspec.msgpack.Decoder(kind).decode
        if name:
            deal_events.DEAL_NAMES[numbers[0]] = name
    snapshots.EVERY = 10
    title = registry.titles()[RULESET]
    newer = next_title(title, 0 if fault == "title keeps its revision" else 1)
    registry.current()[RULESET] = registry.known()[(RULESET, title.data_hash)] = newer


def next_title(title: AnyTitle, more: int) -> AnyTitle:
    """Return the title with one more state field, and a zone that fewer audiences see.

    Args:
        more: By how much the new revision is higher.
    """
    def blank(options: Any, seats: int) -> Kingdoms:
        before = title.blank(options, seats)
        fields = [getattr(before, name) for name in before.__struct_fields__]
        return msgspec.convert([*fields, 0], KingdomsWithBlessing)

    newer = replace(title, revision=title.revision + more, state=KingdomsWithBlessing, blank=blank)
    newer.__dict__["layout_document"] = redeclared(newer, MENDED, "hidden")
    return newer


class Process:
    """The operations that a process of either release can run."""

    def __init__(self, store: EventStore) -> None:
        self.tables = Tables(store, Silent(), ENTROPY)
        self.deals = SharedDeals(self.tables, now, nobody_waits)

    async def do(self, what: str, table: UUID, seed: int) -> dict[str, Any]:
        try:
            return {"done": await getattr(self, what)(table, Random(seed))}
        except Problem as problem:
            return {"refused": problem.code}

    async def answer(self, stream: UUID, luck: Random) -> str:
        table = await self.tables.cache.fresh(stream)
        if table.state is None or table.ended:
            return "nothing"
        seat = luck.choice(seats_to_act(table.state))
        player = table.seats[seat]
        assert player is not None
        view = await self.tables.view(stream, player.player, None)
        assert view.view is not None and view.choice is not None
        offer, subset = bots(table.title)["random"](seat, view.view, view.choice, luck)  # type: ignore[arg-type]
        await answered(self.tables, stream, seat, ActionBody(offer, [*subset]))
        return "answered"

    async def sees(self, table: UUID, luck: Random) -> Any:
        """Return what spectators see of the zone with corrected visibility.

        Returns:
            The cards in the zone, the version of the table, and all facts that spectators receive.
        """
        view = await self.tables.view(table, None, SPECTATOR)
        events = await self.tables.queries.events(table, SPECTATOR, -1)
        shown = view.view.zones[MENDED] if view.view else []
        return [shown, view.seq, [fact for event in msgspec.to_builtins(events) for fact in event["data"].get("facts", [])]]

    async def note(self, table: UUID, luck: Random) -> str:
        return await self.write(table, Noted("seen"))

    async def bless(self, table: UUID, luck: Random) -> str:
        return await self.write(table, Blessed(0))

    async def seat(self, stream: UUID, luck: Random) -> str:
        def decide(table: TableState) -> list[AnyEvent]:
            sat = table.seats[0]
            assert sat is not None
            return [SeatedInTeam(sat.seat, sat.player, sat.bot, sat.nonce, "red")]

        await self.tables.decide_and_append(stream, decide)
        return "written"

    async def note_deal(self, deal: UUID, luck: Random) -> str:
        return await self.write_to_deal(deal, DealNoted("seen"))

    async def bless_deal(self, deal: UUID, luck: Random) -> str:
        return await self.write_to_deal(deal, DealBlessed())

    async def join_deal(self, deal: UUID, luck: Random) -> str:
        return await self.write_to_deal(deal, PlayerJoinedInTeam("zoe", 1, "red"))

    async def close_deal(self, deal: UUID, luck: Random) -> str:
        await self.deals.close(deal, "host")
        return "closed"

    async def write_to_deal(self, deal: UUID, row: DealEvent) -> str:
        await self.deals.streams.change(deal, lambda _: row)  # type: ignore[arg-type, return-value]
        return "written"

    async def write(self, table: UUID, row: TableEvent) -> str:
        await self.tables.decide_and_append(table, lambda _: [row])  # type: ignore[list-item]
        return "written"


async def nobody_waits() -> list[UUID]:
    return []


async def main(dsn: str, fault: str = "") -> None:
    learn(fault)
    loop = asyncio.get_running_loop()
    async with await EventStore.open(dsn) as store:
        await store.name_types({**event_types.NAMES, **deal_events.DEAL_NAMES})
        process = Process(store)
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            what, table, seed = json.loads(line)
            print(json.dumps(await process.do(what, ids.decode(table), seed)), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
