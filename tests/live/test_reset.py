"""When the log loses published events, affected clients get the view and continue."""

import pytest
import redis.asyncio

from ludarium.live import channel
from ludarium.live.channel import Push
from ludarium.live.encoded import EncodedEvent
from ludarium.live.gateway import Gateway
from ludarium.live.hub import MOST_EVENTS, Hub
from ludarium.live.ports import NOTHING_KNOWN
from tests.live.house import Held, House, rendered
from tests.support.live_client import client
from tests.support.pushes import connected, settled
from tests.support.waiting import eventually


class Taken:
    """A recipient that reads every message at once."""

    def __init__(self) -> None:
        self.seqs: list[int] = []
        self.resets = 0

    def send(self, *news: EncodedEvent) -> None:
        self.seqs += [told.seq for told in news if told.seq is not None]
        self.resets += sum(told.name == b"reset" for told in news)

    async def drained(self) -> None:
        pass

    def fail(self) -> None:
        raise AssertionError("the log cannot be followed")


async def said(house: House, table: str, *words: str, publish: bool = True) -> int:
    for word in words:
        seq = await house.say(table, word, publish=publish)
    return seq


async def test_who_comes_back_from_a_lost_row_is_told_the_table(house: House, gateway: Gateway) -> None:
    await house.open("t")
    seq = await said(house, "t", "a", "b")
    async with client(gateway.port) as one:
        heads = [event["head"] for event in await one.until(await one.subscribe("t"), seq)]
    await house.lose("t", 2)
    await said(house, "t", "x", "y", "z")
    async with client(gateway.port) as one:
        sub = await one.subscribe("t", seq, head=heads[seq])
        assert (await one.until_reset(sub))["seq"] == seq + 1
        await said(house, "t", "on")
        assert [event["seq"] for event in await one.until(sub, seq + 2)] == [seq + 1, seq + 2]


async def test_who_comes_back_from_a_row_that_stands_is_not(house: House, gateway: Gateway) -> None:
    await house.open("t")
    seq = await said(house, "t", "a", "b")
    async with client(gateway.port) as one:
        heads = [event["head"] for event in await one.until(await one.subscribe("t"), seq)]
    async with client(gateway.port) as one:
        sub = await one.subscribe("t", 1, head=heads[1])
        assert [event["head"] for event in await one.until(sub, seq)] == heads[2:]


async def test_a_row_beyond_the_log_is_lost_too(house: House, gateway: Gateway) -> None:
    await house.open("t")
    async with client(gateway.port) as one:
        sub = await one.subscribe("t", 7, head="0" * 16)
        assert (await one.until_reset(sub))["seq"] == 0


async def test_who_listens_is_told_when_nobody_asks(house: House, gateway: Gateway) -> None:
    """Redis sends nothing, and the new events have the numbers of the lost ones."""
    await house.open("t")
    seq = await said(house, "t", "a", "b", "c")
    async with client(gateway.port) as one:
        sub = await one.subscribe("t")
        await one.until(sub, seq)
        await house.lose("t", 3)
        told = await one.until_reset(sub)
        assert told["seq"] == 0
        await said(house, "t", "x", "y", publish=False)
        assert [event["seq"] for event in (await one.until(sub, 2))[-2:]] == [1, 2]


@pytest.mark.parametrize("pushed", [True, False], ids=["pushed", "hinted at"])
async def test_no_row_is_told_behind_a_lost_one(
    unpolled: None, house: House, hub: Hub, gateway: Gateway, pushed: bool
) -> None:
    """The next event, with the next number, arrives before the loss is detected."""
    await connected(hub, house)
    await house.open("t")
    seq = await said(house, "t", "a", "b")
    async with client(gateway.port) as one:
        sub = await one.subscribe("t")
        await one.until(sub, seq)
        await settled(hub)
        await house.lose("t", 1)
        await said(house, "t", "x", publish=False)
        await said(house, "t", "y", publish=pushed)
        if not pushed:
            await house.publisher.publish("t", seq + 1, b"", {})
        assert (await one.until_reset(sub))["seq"] == seq + 1
        await said(house, "t", "on")
        assert [event["type"] for event in (await one.until(sub, seq + 2))[seq + 1 :]] == ["reset", "hidden"]


async def test_a_push_of_a_lost_row_is_not_told_to_who_has_another(
    unpolled: None, house: House, hub: Hub, gateway: Gateway, redis_url: str
) -> None:
    await connected(hub, house)
    await house.open("t")
    seq = await said(house, "t", "a")
    async with client(gateway.port) as one, redis.asyncio.from_url(redis_url) as mischief:
        sub = await one.subscribe("t")
        await one.until(sub, seq)
        late = Push(seq + 1, bytes(8), rendered(seq + 1, {-1: b'{"word":"lost"}'}))
        await mischief.spublish(channel.of_table("t"), channel.encode(late))
        await said(house, "t", "b", "c")
        assert [event["type"] for event in await one.until(sub, seq + 2)] == ["said", "hidden", "hidden", "hidden"]


async def test_new_rows_with_old_numbers_are_told(house: House, hub: Hub, gateway: Gateway) -> None:
    await house.open("t")
    seq = await said(house, "t", "a", "b", "c")
    async with client(gateway.port) as one:
        sub = await one.subscribe("t")
        await one.until(sub, seq)
        await house.lose("t", 2)
        hub.events_lost("t")
        await one.until_reset(sub)
        await said(house, "t", "x", "y")
        assert [event["seq"] for event in (await one.until(sub, 3))[-2:]] == [2, 3]


async def test_who_sat_down_in_a_lost_row_sees_no_more_of_the_seat(house: House, hub: Hub, gateway: Gateway) -> None:
    await house.open("t", {"ada": 0})
    async with client(gateway.port, "ada-token") as one:
        sub = await one.subscribe("t")
        await one.until(sub, 0)
        await house.take("t", "bea", 0)
        await house.vacate("t", "ada")
        hub.events_lost("t")
        await one.until_notice({"type": "ended", "sub": sub})
        await house.say("t", "secret", 0)
        assert (await one.request("ping"))["ok"]
        assert len(one.events[sub]) == 1


async def test_a_fail_over_of_thousands_of_tables_costs_a_query_for_a_thousand_of_them(house: House, hub: Hub) -> None:
    """Only the table that lost an event is read again."""
    tables = [f"t{nth:04}" for nth in range(2 * MOST_EVENTS)]
    outlets = {table: Taken() for table in tables}
    for table in tables:
        await house.open(table)
        await house.say(table, "a", publish=False)
        place = await house.viewpoint(None, table, None)
        hub.follow(table, place, outlets[table], NOTHING_KNOWN, lambda _: None).start()
    await eventually(lambda: all(outlet.seqs == [0, 1] for outlet in outlets.values()) and house.looks > 0)
    await settled(hub, tables[-1])
    before = house.reads + house.wholes + house.places
    await house.lose(tables[-1], 1)
    await eventually(lambda: outlets[tables[-1]].seqs == [0, 1, 0])
    assert house.lookups == 2 and house.reads + house.wholes + house.places - before <= 5
    assert all(outlet.resets == 0 for table, outlet in outlets.items() if table != tables[-1])
    await house.say(tables[0], "b")
    await eventually(lambda: outlets[tables[0]].seqs == [0, 1, 2])


async def test_watchers_that_lost_nothing_are_sent_what_a_fail_over_brought(house: House, hub: Hub, gateway: Gateway) -> None:
    """At a position that both logs have, the new log has an additional event."""
    for table in ("t", "u"):
        await house.open(table)
    async with client(gateway.port) as one:
        kept, lost = await one.subscribe("t"), await one.subscribe("u")
        seq = await said(house, "u", "a", "b")
        await one.until(lost, seq)
        await one.until(kept, 0)
        await settled(hub)
        house.looking = Held()
        await house.looking.asked.wait()
        await house.lose("u", 2)
        await said(house, "t", "x", "y", publish=False)
        house.looking.released.set()
        assert [event["type"] for event in await one.until(kept, 2)] == ["said", "hidden", "hidden"]
        assert (await one.until_reset(lost))["seq"] == 0
