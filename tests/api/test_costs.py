"""CPU time that one address can take: of every operation, what a request costs times how often an address may ask."""

import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple

import httpx
import psutil
import pytest

from eventstore import EventStore
from services import ids, valkey
from services.api import openapi
from services.api.rate_limits import ADDRESS, PREFIX, WORK, Rate
from tests.support.kept_logs import load, read
from tests.support.people import NOBODYS, Json, Person, last
from tests.support.servers import ServerProcess
from tests.support.waiting import LIMIT

GAME = "kemet-long-5"
"""1,351 events at five seats: several times what most games have."""
RUNS = 5
CORES = 0.5
"""That one address may take at most."""
LEVEL = 2000.0
"""Milliseconds that the bucket of the work has before a request: it refuses nothing, and it is not full before 12 s."""
BUCKETS = [f"{PREFIX}{name}:127.0.0.1" for name in ("work", "play")]
UNLIMITED = {"healthz", "readyz", "root", "oauth_metadata"}
"""What probes and clients that start ask for: cheap, and never counted."""
CPU = 2
"""CPUCLOCK_SCHED of Linux: with a process id it makes the number of a clock, as clock_getcpuclockid(3) does."""
RATES: dict[str, Rate] = {
    handler.handler_name: handler.opt["rate"]
    for handler, _, _ in openapi.handlers(openapi.described_app())
    if "rate" in handler.opt
}


class Cost(NamedTuple):
    """Of a request, in milliseconds: CPU time, and what the address is charged."""

    used: float
    charged: float


class Target(NamedTuple):
    http: httpx.AsyncClient
    processes: list[psutil.Process]
    buckets: valkey.Client
    known: dict[str, str]
    token: str


def operations() -> Iterator[tuple[str, str, Json]]:
    for path, methods in openapi.document()["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


@pytest.fixture(scope="module")
async def target(module_database_url: str, module_redis_url: str) -> AsyncIterator[Target]:
    async with await EventStore.open(module_database_url) as store:
        table = ids.encode(await load(store, read(GAME)))
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
    costs = {each[2]["operationId"]: await cost(target, *each) for each in sorted(operations(), key=last)}
    cores = {name: cost.used * allowed(name, cost) / 1000 for name, cost in costs.items() if name not in UNLIMITED}
    too_dear = {name: (round(cores[name], 2), costs[name]) for name in cores if cores[name] > CORES}
    assert not too_dear


def allowed(name: str, cost: Cost) -> float:
    """Requests a second, in the long run."""
    rates = [ADDRESS.per_second]
    if name in RATES:
        rates.append(RATES[name].per_second)
    if cost.charged > 0:
        rates.append(WORK.per_second / cost.charged)
    return min(rates)


async def cost(target: Target, method: str, path: str, operation: Json) -> Cost:
    """The least of several requests, each for something else where the operation has parameters for that.

    A busy machine makes the same work take more CPU time, never less.
    """
    runs = []
    for nth in range(RUNS + 1):
        before, since = cpu_ms(target.processes), await prepared(target.buckets)
        await ask(target, method, path, operation, nth)
        charged = [await charged_to(target.buckets, bucket, since) for bucket in BUCKETS]
        runs.append(Cost(cpu_ms(target.processes) - before, sum(charged)))
    # What a request costs beyond its deposit is charged with the next one, so the first run is left out.
    return Cost(min(run.used for run in runs[1:]), min(run.charged for run in runs[1:]))


async def prepared(buckets: valkey.Client) -> int:
    """Fill all buckets, but those of the work to LEVEL; returns the time on Valkey's clock, in milliseconds."""
    if keys := [key async for key in buckets.scan_iter(f"{PREFIX}*")]:
        await buckets.delete(*keys)
    seconds, micros = await buckets.time()
    now: int = seconds * 1000 + micros // 1000
    for bucket in BUCKETS:
        await buckets.hset(bucket, mapping={"tokens": LEVEL, "at": now})
    return now


async def charged_to(buckets: valkey.Client, bucket: str, since: int) -> float:
    tokens, at = [float(value or 0) for value in await buckets.hmget(bucket, "tokens", "at")]
    return LEVEL + (at - since) * WORK.per_second / 1000 - tokens


async def ask(target: Target, method: str, path: str, operation: Json, nth: int) -> int:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    headers = {"accept-encoding": "br, gzip"}
    if operation["security"]:
        headers["authorization"] = f"Bearer {target.token}"
    params = {each["name"]: value for each in operation.get("parameters", ()) if each["in"] == "query"
              for value in [value_of(each, nth)] if value is not None}  # fmt: skip
    async with target.http.stream(method, path.format(**target.known), json=body, params=params, headers=headers) as answer:
        if "stream" not in operation["operationId"]:
            await answer.aread()
        else:
            await anext(answer.aiter_raw(), b"")
        return answer.status_code


def value_of(parameter: Json, nth: int) -> Any:
    """Of a parameter that makes the answer as long as it can be, or another one each time."""
    match parameter["name"]:
        case "limit":
            return parameter["schema"]["maximum"]
        case "at":
            return 1300 - nth
        case "after" if parameter["schema"]["type"] == "integer":
            return nth
        case "as":
            return ("spectator", "0", "1", "2", "3", "4")[nth % 6]
    return None


def cpu_ms(processes: list[psutil.Process]) -> float:
    """By the clocks that count the CPU time of each process, all its threads together."""
    return sum(time.clock_gettime(~process.pid << 3 | CPU) for process in processes) * 1000
