"""Rate limits, and games that continue without Valkey."""

import asyncio
import random
import tempfile
import time
from pathlib import Path

import httpx
import pytest

from ludarium.http import rate_limits
from ludarium.http.rate_limits import GUESTS, INSTALMENT, PREFIX, TOKEN, Rate, RateLimits, StreamBill
from ludarium.platform import valkey
from ludarium.platform.config import Config
from ludarium.platform.problems import Problem
from ludarium.server import running
from tests.support.entropy import ENTROPY
from tests.support.people import Person, open_game, play_on
from tests.support.valkey import Valkey
from tests.support.waiting import LIMIT, eventually

CONFIG = Config(port=0, ws_port=0)


async def test_every_answer_says_how_many_are_left(http: httpx.AsyncClient) -> None:
    """The requests are concurrent, or the bucket could refill between them."""
    answers = await asyncio.gather(*(http.post("/guests", json={}) for _ in range(20)))
    assert {answer.headers["ratelimit-limit"] for answer in answers} == {str(GUESTS.most)}
    left = {int(answer.headers["ratelimit-remaining"]) for answer in answers}
    assert min(left) < max(left) < GUESTS.most


async def test_a_token_is_counted_for_itself(http: httpx.AsyncClient) -> None:
    ada, bea = await Person.arrive(http), await Person.arrive(http)
    answers = await asyncio.gather(*(ada.ask("GET", "/me") for _ in range(60)))
    assert {answer.headers["ratelimit-limit"] for answer in answers} == {str(TOKEN.most)}
    hers = min(int(answer.headers["ratelimit-remaining"]) for answer in answers)
    assert hers < int((await bea.ask("GET", "/me")).headers["ratelimit-remaining"])


async def test_too_many_are_told_when_to_come_again(redis_url: str) -> None:
    async with valkey.client(redis_url) as client:
        limits, buckets = RateLimits(client), {"a": Rate(3, 0.5), "b": Rate(100, 1)}
        assert [await limits.take(buckets) for _ in range(3)] == [2, 1, 0]
        with pytest.raises(Problem) as refused:
            await limits.take(buckets)
        assert (refused.value.code, refused.value.retry_after) == ("rate-limited", 2)
        assert await limits.take({"b": Rate(100, 1)}) == 96, "a refusal takes nothing"


async def test_a_valkey_that_hangs_is_not_waited_for_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(prefix="lud-") as folder:
        async with Valkey(Path(folder)) as server, valkey.client(server.url) as client:
            limits, buckets = RateLimits(client), {"a": Rate(3, 1)}
            assert await limits.take(buckets) == 2
            await server.freeze()
            monkeypatch.setattr(rate_limits, "PAUSE", 3600.0)
            assert await limits.take(buckets) is None
            await server.thaw()
            assert [await limits.take(buckets) for _ in range(100)] == [None] * 100, "not asked again before the pause is over"


async def test_a_valkey_that_hung_is_asked_again_after_the_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(prefix="lud-") as folder:
        async with Valkey(Path(folder)) as server, valkey.client(server.url) as client:
            limits, buckets = RateLimits(client), {"a": Rate(3, 1)}
            await server.freeze()
            monkeypatch.setattr(rate_limits, "PAUSE", 0.0)
            assert await limits.take(buckets) is None
            await server.thaw()

            async def counted() -> bool:
                return await limits.take(buckets) is not None

            await eventually(counted)


async def test_an_address_cannot_make_guests_without_end(
    http: httpx.AsyncClient, module_redis_url: str, client_address: str
) -> None:
    assert (await http.post("/guests", json={})).status_code == 201
    async with valkey.client(module_redis_url) as client:
        (bucket,) = [key async for key in client.scan_iter(f"{PREFIX}/api/v1/guests:{client_address}")]
        await client.hset(bucket, mapping={"tokens": -3, "at": time.time_ns() // 1_000_000})
    refused = await http.post("/guests", json={})
    assert (refused.status_code, refused.json()["code"], refused.headers["ratelimit-limit"]) == (429, "rate-limited", "240")
    assert int(refused.headers["retry-after"]) == refused.json()["retry_after"] == 1


async def test_a_game_goes_on_while_valkey_is_away(database_url: str) -> None:
    with tempfile.TemporaryDirectory(prefix="lud-") as folder:
        async with (
            Valkey(Path(folder)) as server,
            running(CONFIG, database_url, server.url, ENTROPY) as address,
            httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as http,
        ):
            people = [await Person.arrive(http), await Person.arrive(http)]
            table = await open_game(people, bots=("simple",))
            await server.kill()
            assert await play_on(people, table, 5, random.Random(1)) > 0
            ready = await http.get(f"{address.http}/readyz")
            assert (ready.status_code, ready.json()["redis"]) == (200, False)


async def test_a_request_takes_its_price_and_what_is_owed_is_charged_with_the_next(redis_url: str) -> None:
    async with valkey.client(redis_url) as client:
        limits, work = RateLimits(client), Rate(100, 0.001)
        assert await limits.take({"w": work._replace(price=20)}) == 4
        assert await limits.take({"w": work._replace(price=20, owed=30)}) == 1
        with pytest.raises(Problem) as refused:
            await limits.take({"w": work._replace(price=20, owed=25), "other": Rate(9, 1)})
        assert refused.value.code == "rate-limited"
        assert await limits.take({"w": work._replace(price=5, owed=-60)}) == 12, "what was not used is given back"
        assert await limits.take({"other": Rate(9, 1)}) == 8, "a refusal takes nothing"
        with pytest.raises(Problem) as refused:
            await limits.take({"w": Rate(100, 10, 1, 1_000_000)})
        assert refused.value.retry_after == 11, "a debt is never more than the bucket holds"


async def test_processes_share_what_an_address_is_charged(redis_url: str) -> None:
    async with valkey.client(redis_url) as one, valkey.client(redis_url) as other:
        limits, beside = RateLimits(one), RateLimits(other)
        limits.owe("work:a", 6000)
        with pytest.raises(Problem):
            await limits.take(limits.work("work:a", 3))
        with pytest.raises(Problem) as refused:
            await beside.take(beside.work("work:a", 3))
        assert refused.value.retry_after in (5, 6), "a debt of a second, at a fifth of a core"


async def test_a_stream_pays_while_it_sends_and_pauses_in_debt(redis_url: str) -> None:
    async with valkey.client(redis_url) as client:
        limits = RateLimits(client)
        bill = StreamBill(limits, "work:a", 50)
        assert bill.due < INSTALMENT, "the deposit covers it"
        bill.meter.spend(0.1)
        assert bill.due >= INSTALMENT and await bill.pay() == 0 and bill.due == 0
        bill.meter.spend(6)
        assert 4 < await bill.pay() <= 6, "a debt of a second"
        with pytest.raises(Problem):
            await limits.take(limits.work("work:a", 1))
        cheap = StreamBill(limits, "work:b", 50)
        cheap.close()
        assert limits.work("work:b", 1)["work:b"].owed == 0, "the deposit is the least price"


async def test_debts_are_settled_once(redis_url: str) -> None:
    async with valkey.client(redis_url) as client:
        limits = RateLimits(client)
        limits.owe("work:a", 12)
        limits.owe("work:a", -2)
        assert limits.work("work:a", 3)["work:a"][2:] == (3, 10)
        assert limits.work("work:a", 3)["work:a"][2:] == (3, 0)
