"""The CPU time that one address can use, by operation.

It is what a request costs times how often an address can send it.
"""

import time
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import httpx
import psutil
import pytest

from ludarium.api import openapi
from ludarium.http.rate_limits import ADDRESS, DEPOSIT, PREFIX, WORK, Rate
from ludarium.platform import ids, valkey
from ludarium_eventstore import EventStore
from tests.support.kept_logs import load, read
from tests.support.operations import operations
from tests.support.people import NOBODYS, Json, Person, last
from tests.support.servers import ServerProcess
from tests.support.waiting import LIMIT, within_limit

GAME = read("kemet-long-5")
"""A game of over a thousand events at five seats, several times the usual length."""
LAST_EVENT = len(GAME.rows) - 1
RUNS, ATTEMPTS = 3, 5
CORES = 0.5
"""The most CPU cores that one address can use."""
LEVEL = 3000.0
"""Milliseconds in a work bucket before a request.

That is enough not to refuse it, and the bucket is not full for 10 s.
"""
PLENTY = 100.0
"""Requests in the address bucket before a request; it is not full for 3 s."""
WORKS = [f"{PREFIX}{name}:127.0.0.1" for name in ("work", "play")]
REQUESTS = f"{PREFIX}address:127.0.0.1"
SETTLING = ("/rulesets/none/texts/en", "/tables/none/undo")
"""Requests that charge both work buckets with debts of earlier requests."""
UNLIMITED = {"getHealth", "getReadiness", "getRoot", "getOauthMetadata"}
"""Cheap operations for probes and starting clients, which are never counted."""
CPU = 2
"""CPUCLOCK_SCHED of Linux.

Together with a process id it is the id of a clock, as in clock_getcpuclockid(3).
"""
RATES: dict[str, Rate] = {
    openapi.operation_id(handler): handler.opt["rate"]
    for handler, _, _ in openapi.handlers(openapi.described_app())
    if "rate" in handler.opt
}


class Cost(NamedTuple):
    """The averages of a request.

    Attributes:
        used: milliseconds of CPU time.
        charged: milliseconds charged to the address.
        counted: requests that it counts as.
    """

    used: float
    charged: float
    counted: float


class Target(NamedTuple):
    http: httpx.AsyncClient
    processes: list[psutil.Process]
    buckets: valkey.Client
    known: dict[str, str]
    token: str


@pytest.fixture(scope="module")
async def target(module_database_url: str, module_redis_url: str) -> AsyncIterator[Target]:
    async with await EventStore.open(module_database_url) as store:
        table = ids.encode(await load(store, GAME))
    async with (
        ServerProcess(module_database_url, module_redis_url) as server,
        httpx.AsyncClient(base_url=server.http, timeout=LIMIT) as http,
        httpx.AsyncClient(base_url=server.api, timeout=LIMIT) as api,
        valkey.client(module_redis_url) as buckets,
    ):
        ada = await Person.arrive(api)
        known = {"player_id": ada.id, "ruleset_id": "kemet", "locale": "en", "seat": "0", **NOBODYS, "table_id": table}
        (await api.get(f"/tables/{table}/replay")).raise_for_status()       # starts the process that makes replays
        yield Target(http, [psutil.Process(server.pid), *psutil.Process(server.pid).children()], buckets, known, ada.token)


async def test_no_operation_lets_an_address_take_half_a_core(target: Target) -> None:
    too_dear = {}
    for method, path, operation in sorted(operations(), key=last):
        name = operation["operationId"]
        if name not in UNLIMITED and (cores := await cores_of(target, method, path, operation)) > CORES:
            too_dear[name] = round(cores, 2)
    assert not too_dear


async def cores_of(target: Target, method: str, path: str, operation: Json) -> float:
    """Return the CPU cores that an address can use by this operation.

    Takes the least of up to ATTEMPTS measurements, because on a busy machine the same work takes more CPU time, never less.
    """
    measured = []
    for attempt in range(ATTEMPTS):
        found = await cost(target, method, path, operation, attempt * RUNS)
        measured.append(found.used * allowed(operation["operationId"], found) / 1000)
        if measured[-1] <= CORES:
            break
    return min(measured)


def allowed(name: str, cost: Cost) -> float:
    """Return the allowed requests a second in the long run."""
    rates = [ADDRESS.per_second / cost.counted]
    if name in RATES:
        rates.append(RATES[name].per_second)
    if cost.charged > 0:
        rates.append(WORK.per_second / cost.charged)
    return min(rates)


async def cost(target: Target, method: str, path: str, operation: Json, first: int) -> Cost:
    """Return the mean cost of several requests.

    Their parameters differ where the operation has any. Uncached requests count too, because an attacker need not request
    the same thing twice.
    """
    used = charged = counted = 0.0
    await settled(target)
    for nth in range(first, first + RUNS):
        before, since = cpu_ms(target.processes), await prepared(target.buckets)
        headers = await ask(target, method, path, operation, nth)
        assert "ratelimit-reset" not in headers, operation["operationId"]
        used += cpu_ms(target.processes) - before
        charged += await charged_to(target.buckets, since)
        counted += await taken(target.buckets, REQUESTS, PLENTY, ADDRESS, since)
    return Cost(used / RUNS, (charged + await settled(target)) / RUNS, counted / RUNS)


async def settled(target: Target) -> float:
    """Charge the debts of earlier requests, and return them in milliseconds."""
    since = await prepared(target.buckets)
    work, play = SETTLING
    await target.http.get(f"/api/v1{work}")
    await target.http.post(f"/api/v1{play}", json={"expected_seq": 1}, headers={"authorization": f"Bearer {target.token}"})
    return await charged_to(target.buckets, since) - len(SETTLING) * DEPOSIT


async def prepared(buckets: valkey.Client) -> int:
    """Set the levels of all buckets.

    The work buckets are set to LEVEL, the address bucket to PLENTY, and all others are full.

    Returns:
        The time on Valkey's clock, in milliseconds.
    """
    if keys := [key async for key in buckets.scan_iter(f"{PREFIX}*")]:
        await buckets.delete(*keys)
    seconds, micros = await buckets.time()
    now: int = seconds * 1000 + micros // 1000
    for bucket, tokens in [*((each, LEVEL) for each in WORKS), (REQUESTS, PLENTY)]:
        await buckets.hset(bucket, mapping={"tokens": tokens, "at": now})
    return now


async def charged_to(buckets: valkey.Client, since: int) -> float:
    """Return the milliseconds that both work buckets have been charged."""
    return sum([await taken(buckets, bucket, LEVEL, WORK, since) for bucket in WORKS])


async def taken(buckets: valkey.Client, bucket: str, level: float, rate: Rate, since: int) -> float:
    """Return how much was taken since then from a bucket that had this level."""
    tokens, at = [float(value or 0) for value in await buckets.hmget(bucket, "tokens", "at")]
    return level + (at - since) * rate.per_second / 1000 - tokens


async def ask(target: Target, method: str, path: str, operation: Json, nth: int) -> httpx.Headers:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    headers = {"accept-encoding": "br, gzip"}
    if operation["security"]:
        headers["authorization"] = f"Bearer {target.token}"
    params = {each["name"]: value for each in operation.get("parameters", ()) if each["in"] == "query"
              for value in [value_of(each, nth)] if value is not None}  # fmt: skip
    asked = target.http.stream(method, path.format(**target.known), json=body, params=params, headers=headers)
    async with within_limit(), asked as answer:
        if not operation["operationId"].startswith("stream"):
            await answer.aread()
        elif answer.is_success:
            async for line in answer.aiter_lines():
                if operation["operationId"] != "streamTable" or f'"seq":{LAST_EVENT}' in line:
                    break
        return answer.headers


def value_of(parameter: Json, nth: int) -> Any:
    """Return a value that makes the answer long, or different each time."""
    match parameter["name"]:
        case "limit":
            return parameter["schema"]["maximum"]
        case "at":
            return LAST_EVENT - 50 - nth
        case "after" if parameter["schema"]["type"] == "integer":
            return nth
        case "as":
            return ("spectator", "0", "1", "2", "3", "4")[nth % 6]
    return None


def cpu_ms(processes: list[psutil.Process]) -> float:
    """Return the CPU time of all threads of these processes."""
    return sum(time.clock_gettime(~process.pid << 3 | CPU) for process in processes) * 1000
