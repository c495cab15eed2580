"""Each follower of a table gets all events it may see, once and in order."""

import asyncio

import pytest
import redis.asyncio

from ludarium.live import channel
from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.ports import SPECTATOR
from ludarium.platform.view_channel import ROW
from tests.live.house import PAGE, House
from tests.support.live_client import client
from tests.support.pushes import connected, settled
from tests.support.waiting import eventually


def words(events: list[dict[str, object]]) -> list[str]:
    """Return the word of each event, or the type of an event without a word."""
    return [event["data"]["word"] if event["type"] == "said" else event["type"] for event in events]  # type: ignore


async def test_two_seats_and_a_spectator_each_see_their_own_version(house: House, gateway: Gateway) -> None:
    await house.open("t", {"ann": 0, "bob": 1})
    async with (
        client(gateway.port, "ann-token") as ann,
        client(gateway.port, "bob-token") as bob,
        client(gateway.port) as eve,
    ):
        ann_sub, bob_sub, eve_sub = [await viewer.subscribe("t") for viewer in (ann, bob, eve)]
        assert (ann_sub, bob_sub, eve_sub) == ("t:0", "t:1", "t:spectator")
        answer = await ann.request("command", table="t", expected_seq=0, action={"id": "cat"}, key="k1")
        assert answer["result"] == {"seq": 1}
        await house.say("t", "dog", seat=1)
        assert words(await ann.until(ann_sub, 2)) == ["open", "cat", "hidden"]
        assert words(await bob.until(bob_sub, 2)) == ["open", "hidden", "dog"]
        assert words(await eve.until(eve_sub, 2)) == ["open", "hidden", "hidden"]


async def test_a_client_that_comes_again_gets_exactly_what_it_missed(house: House, gateway: Gateway) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        await house.say("t", "one")
        await ann.until(await ann.subscribe("t"), 1)
    await house.say("t", "two")
    await house.say("t", "three")
    async with client(gateway.port, "ann-token") as ann:
        sub = await ann.subscribe("t", after=1)
        await house.say("t", "four")
        assert words(await ann.until(sub, 4)) == ["two", "three", "four"]


async def test_a_seat_may_watch_as_a_spectator_beside_its_own_view(house: House, gateway: Gateway) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        own, public = await ann.subscribe("t", viewer=0), await ann.subscribe("t", viewer="spectator")
        await house.say("t", "cat")
        assert words(await ann.until(own, 1)) == ["open", "cat"]
        assert words(await ann.until(public, 1)) == ["open", "hidden"]


async def test_nothing_comes_after_unsubscribing(house: House, gateway: Gateway) -> None:
    await house.open("t")
    async with client(gateway.port) as viewer:
        sub = await viewer.subscribe("t")
        await viewer.until(sub, 0)
        assert (await viewer.request("unsubscribe", sub=sub))["ok"]
        await house.say("t", "cat")
        again = await viewer.request("subscribe", table="t", after=0)
        assert len(await viewer.until(again["sub"], 1)) == 1


async def test_who_gives_up_a_seat_no_longer_sees_what_it_sees(house: House, gateway: Gateway) -> None:
    await house.open("t", {"ann": 0, "bob": 1})
    async with client(gateway.port, "ann-token") as ann, client(gateway.port, "bob-token") as bob:
        own, public = await ann.subscribe("t"), await ann.subscribe("t", viewer="spectator")
        other = await bob.subscribe("t")
        await house.leave("t", "ann")
        for number in range(20):
            await house.say("t", f"secret {number}", seat=0)
        await bob.until(other, 21)
        await ann.until(public, 21)
        assert [event["type"] for event in ann.events[own]] == ["said", "left"]
        assert ann.notices == [{"type": "ended", "sub": own}]
        refused = await ann.request("subscribe", table="t", after=1, **{"as": 0})
        assert refused["problem"]["code"] == "forbidden"


async def test_who_takes_a_seat_that_was_given_up_sees_it_all(house: House, gateway: Gateway) -> None:
    await house.open("t", {"ann": 0})
    await house.leave("t", "ann")
    await house.open("other", {"cat": 0})
    await house.take("t", "cat", 0)
    async with client(gateway.port, "cat-token") as cat:
        sub = await cat.subscribe("t")
        await house.say("t", "for cat")
        assert words(await cat.until(sub, 2)) == ["open", "left", "for cat"]


async def test_a_long_absence_is_made_good_while_the_game_goes_on(house: House, gateway: Gateway) -> None:
    """The client may take its time over several pages, and is not reported as lagging."""
    await house.open("t", {"ann": 0})
    for number in range(3 * PAGE):
        await house.say("t", f"{number:0>400}", publish=False)
    async with client(gateway.port, "ann-token", max_queue=1) as ann:
        sub = await ann.subscribe("t")
        for number in range(50):
            await house.say("t", f"late {number}")
        heard = await ann.until(sub, 3 * PAGE + 50)
        assert len(heard) == 3 * PAGE + 51
        assert not ann.notices


async def test_a_table_on_which_much_happens_is_caught_up_with(
    unpolled: None, house: House, hub: Hub, gateway: Gateway
) -> None:
    """After a few reads, the client is served by push, although events keep coming."""
    await connected(hub, house)
    await house.open("t", {"ann": 0})

    async def talk() -> None:
        for _ in range(5):
            await house.say("t", "on and on")

    house.meanwhile = talk
    async with client(gateway.port, "ann-token") as ann:
        sub = await ann.subscribe("t")
        await settled(hub)
        reads = house.reads
        for _ in range(20):
            last = await house.say("t", "and on")
        await ann.until(sub, last)
        await settled(hub)
        assert house.reads == reads


async def test_four_hundred_first_subscriptions_at_once_all_hear(house: House, gateway: Gateway) -> None:
    tables = [f"t{number}" for number in range(100)]
    for table in tables:
        await house.open(table)
    async with asyncio.TaskGroup() as group:
        ready = asyncio.Barrier(11)
        for number in range(10):
            mine = [tables[(number * 40 + step) % 100] for step in range(40)]
            group.create_task(_follow_all(gateway.port, mine, ready))
        await ready.wait()
        for table in tables:
            await house.say(table, "cat")


async def test_at_most_eight_reads_of_the_log_run_at_once(house: House, gateway: Gateway) -> None:
    tables = [f"t{number}" for number in range(20)]
    for table in tables:
        await house.open(table)
    running, gate = 0, asyncio.Event()

    async def held() -> None:
        nonlocal running
        running += 1
        await gate.wait()

    house.meanwhile = held
    async with asyncio.TaskGroup() as group:
        for table in tables:
            group.create_task(_open(gateway.port, table))
        await eventually(lambda: running >= 8)
        await house.say("t0", "cat")        # time for more reads to begin
        assert running == 8
        gate.set()


async def _open(port: int, table: str) -> None:
    async with client(port) as viewer:
        await viewer.until(await viewer.subscribe(table), 0)


async def _follow_all(port: int, tables: list[str], ready: asyncio.Barrier) -> None:
    async with client(port) as viewer:
        subs = await asyncio.gather(*[viewer.subscribe(table) for table in tables])
        await ready.wait()
        for sub in subs:
            assert len(await viewer.until(sub, 1)) == 2


async def test_fifty_sockets_hear_a_lively_table(house: House, gateway: Gateway) -> None:
    await house.open("t", {"ann": 0})
    async with asyncio.TaskGroup() as group:
        ready = asyncio.Barrier(51)
        for number in range(50):
            group.create_task(_follow(gateway.port, "ann-token" if number < 5 else None, ready))
        await ready.wait()
        for number in range(200):
            await house.say("t", str(number))


async def _follow(port: int, token: str | None, ready: asyncio.Barrier) -> None:
    async with client(port, token) as viewer:
        sub = await viewer.subscribe("t")
        await ready.wait()
        heard = words(await viewer.until(sub, 200))
        assert heard == ["open", *(map(str, range(200)) if token else ["hidden"] * 200)]


@pytest.mark.parametrize("size", [10, 9_000])
async def test_a_message_too_long_for_redis_is_fetched_from_the_log(house: House, gateway: Gateway, size: int) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        sub = await ann.subscribe("t")
        await ann.until(sub, 0)
        await house.say("t", "x" * size)
        await house.say("t", "after")
        assert words(await ann.until(sub, 2)) == ["open", "x" * size, "after"]


async def test_the_last_to_leave_a_table_ends_its_channel(house: House, hub: Hub, gateway: Gateway) -> None:
    await house.open("t")
    async with client(gateway.port) as one, client(gateway.port) as other:
        subs = await one.subscribe("t"), await other.subscribe("t")
        await one.request("unsubscribe", sub=subs[0])
        assert hub.tables == 1
        await house.say("t", "cat")
        await other.until(subs[1], 1)
    await eventually(lambda: not hub.tables)


async def test_viewers_wait_out_a_log_that_cannot_be_read(house: House, gateway: Gateway) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        sub = await ann.subscribe("t")
        await ann.until(sub, 0)
        house.outage = True
        await house.say("t", "lost on the way", publish=False)
        await house.say("t", "a gap is seen")
        refused = await ann.request("subscribe", table="t", after=0, **{"as": "spectator"})
        assert refused["problem"]["code"] == "unavailable"
        house.outage = False
        assert words(await ann.until(sub, 2)) == ["open", "lost on the way", "a gap is seen"]


async def test_the_row_that_comes_with_a_message_is_for_the_tables_of_the_process(
    house: House, gateway: Gateway, redis_url: str
) -> None:
    """Clients do not receive the replicated event."""
    await house.open("t")
    async with client(gateway.port) as viewer, redis.asyncio.from_url(redis_url) as other:
        sub = await viewer.subscribe("t")
        await viewer.until(sub, 0)
        await house.say("t", "cat", publish=False)
        prev, told = await house.link("t", 0), (await house.events_after("t", SPECTATOR, 0)).events[0]
        push = channel.Push(1, prev[: channel.HEAD], {SPECTATOR: told, ROW: b"the row"})
        await other.spublish(channel.of_table("t"), channel.encode(push))
        assert words(await viewer.until(sub, 1)) == ["open", "hidden"]
        await eventually(lambda: house.carried)     # the log may have been read before the message arrived
        assert house.carried == [("t", b"the row")]


async def test_who_follows_a_log_that_is_broken_is_sent_away(
    house: House, gateway: Gateway, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    await house.open("t")
    async with client(gateway.port) as viewer, redis.asyncio.from_url(redis_url) as vandal:
        await viewer.until(await viewer.subscribe("t"), 0)
        await vandal.set("log:t", "no list any more")
        await vandal.spublish(channel.of_table("t"), channel.hint(1))
        assert await viewer.until_closed() == 1011
        assert "the log of t:spectator cannot be followed" in caplog.text
