"""The metrics and the log of a process that was busy."""
from __future__ import annotations

import asyncio
import json
import logging
import random
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from math import prod
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import asyncpg
import httpx
import pytest
from prometheus_client import Histogram
from prometheus_client.parser import text_string_to_metric_families

from ludarium.api import openapi
from ludarium.http.edge import METHODS
from ludarium.platform import metrics
from ludarium.platform.config import Config
from ludarium.platform.problems import KINDS
from ludarium.platform.sockets import AddressTaken
from ludarium.projections import registry
from ludarium.server import running
from tests.api.test_health import Road
from tests.faults.test_stops import locked
from tests.support.blind_client import random_action
from tests.support.entropy import ENTROPY
from tests.support.live_client import client
from tests.support.logged import logged
from tests.support.people import Person, open_game, play_on, someone_asked
from tests.support.waiting import LIMIT, eventually

MOST_SERIES = 2000
COMMANDS = "/api/v1/tables/{table_id}/commands"
CONFIG = Config(port=0, ws_port=0, metrics_port=0)
ASKED_WITH = "a-query-of-somebody"
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


class Busy(NamedTuple):
    """The metrics and logs of a busy process.

    Attributes:
        before: All samples before the work.
        after: All samples after the work.
        log: The log as JSON.
        text: The log as text.
        secrets: Values that must not appear in the metrics and logs.
    """

    before: Samples
    after: Samples
    log: str
    text: str
    secrets: list[str]

    def grown(self, name: str, **labels: str) -> float:
        """Return by how much a metric grew, over all series with these labels."""
        return sum(self._of(self.after, name, labels)) - sum(self._of(self.before, name, labels))

    def now(self, name: str, **labels: str) -> list[float]:
        return [*self._of(self.after, name, labels)]

    def lines(self, event: str) -> list[dict[str, Any]]:
        return [line for line in map(json.loads, self.log.splitlines()) if line["event"] == event]

    @staticmethod
    def _of(samples: Samples, name: str, labels: dict[str, str]) -> Iterator[float]:
        return (value for (found, of), value in samples.items() if found == name and labels.items() <= dict(of).items())


async def scraped(http: httpx.AsyncClient, url: str) -> Samples:
    families = text_string_to_metric_families((await http.get(url)).text)
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in families for s in family.samples}


@pytest.fixture(scope="module")
async def busy(module_database_url: str, module_redis_url: str) -> AsyncIterator[Busy]:
    with logged("json") as log, logged("text") as text:
        async with (
            running(CONFIG, module_database_url, module_redis_url, ENTROPY) as address,
            httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as http,
        ):
            assert address.metrics is not None
            before = await scraped(http, address.metrics)
            secrets = await play(http, urlsplit(address.ws).port or 0)
            after = await scraped(http, address.metrics)
        yield Busy(before, after, log.getvalue(), text.getvalue(), secrets + await seeds(module_database_url))


async def play(http: httpx.AsyncClient, ws_port: int) -> list[str]:
    """Play with people, bots, spectators and invalid requests, and return the secrets."""
    made = [(await http.post("/guests", json={"name": name})).json() for name in ("Ada", "Bea")]
    people = [Person(http, guest) for guest in made]
    table = await open_game(people, bots=("random",))
    async with client(ws_port, people[0].token) as player, client(ws_port) as watcher:
        subs = [(one, await one.subscribe(table)) for one in (player, watcher)]
        await play_on(people, table, 20, random.Random(1))
        head = (await people[0].get(f"/tables/{table}"))["seq"]
        for one, sub in subs:
            await one.until(sub, head)
        await player.raw("{broken")
    key = "key-0123456789abcdef"
    view = await people[0].view(table)
    await people[0].command(table, {"seq": view["seq"] + 99}, {"id": "no"}, key)
    await http.post("/rejoin", json={"code": made[1]["rejoin_code"]})
    await strange(http, table)
    return [secret for guest in made for secret in (guest["token"], guest["rejoin_code"])] + [key, ASKED_WITH, "Bearer"]


async def strange(http: httpx.AsyncClient, table: str) -> None:
    for nth in range(50):
        await http.get(f"/nothing/{nth}", params={"q": ASKED_WITH})
        await http.request(f"METHOD{nth}", f"/tables/{table}", params={"token": ASKED_WITH})
    for method in ("PROPFIND", "LOCK", "TRACE"):
        await http.request(method, f"/tables/{table}")
    await http.head(f"/tables/{table}")
    await http.options(f"/tables/{table}")
    await http.post(f"/tables/{table}/commands", content=b"{", headers={"authorization": f"Bearer {ASKED_WITH}"})


async def seeds(database_url: str) -> list[str]:
    connection = await asyncpg.connect(database_url)
    try:
        rows = await connection.fetch("select data from es.secrets")
    finally:
        await connection.close()
    found = [row["data"][at : at + 16] for row in rows for at in range(0, len(row["data"]) - 16, 16)]
    assert found
    return [form for part in found for form in (part.hex(), repr(part)[2:-1])]


# --- metrics ----------------------------------------------------------------------------------------------------------
async def test_a_busy_process_has_few_series_and_no_ids_among_them(busy: Busy) -> None:
    assert 200 < len(busy.after) < MOST_SERIES
    values = {value for _, labels in busy.after for _, value in labels} - KINDS.keys() - openapi.document()["paths"].keys()
    assert not [value for value in values if re.search(r"METHOD\d|nothing/|[0-9A-Za-z_-]{20,}", value) and "{" not in value]


VALUES = {
    "code": 10, "verdict": 8, "pool": 8, "projection": len(registry.PROJECTION_KINDS), "kind": 4, "cache": 2,
    "result": 2, "method": len(METHODS), "work": 8,
}  # fmt: skip
"""The most values of each label.

`outcome` has `ok`, the ends of tasks and each problem; codes are those of services/src/ludarium/platform/http_server.py.
"""


def test_whatever_is_asked_a_process_has_few_series() -> None:
    """Every operation gets responses with every status and every problem."""
    outcomes = {metrics.outcome_of_status(status) for status in range(200, 600)}
    operations = sum(len(asked) for asked in openapi.document()["paths"].values())
    others = 20                                                 # pages, files of the client, probes
    most = len(outcomes) * (operations + others + len(METHODS))
    for metric in {id(each): each for each in vars(metrics).values() if hasattr(each, "_labelnames")}.values():
        if metric is not metrics.http_requests:
            each = len(metrics.LATENCY) + 3 if isinstance(metric, Histogram) else 1
            most += each * prod(VALUES.get(label, len(KINDS) + 4) for label in metric._labelnames)
    assert most < MOST_SERIES


async def test_no_status_and_no_method_that_nobody_answers_makes_a_series(busy: Busy) -> None:
    asked = {of for name, of in busy.after if name == "ludarium_http_requests_total"}
    found = [dict(of) for of in asked]
    assert {each["outcome"] for each in found} <= {"ok", "refused", "fault", "unavailable"}
    assert "HEAD" not in {each["method"] for each in found}
    assert {each["route"] for each in found if each["method"] in ("other", "OPTIONS")} == {"none"}


@pytest.mark.parametrize(
    ("name", "labels", "least"),
    [
        ("ludarium_http_requests_total", {"route": COMMANDS, "method": "POST", "outcome": "ok"}, 12),
        ("ludarium_http_requests_total", {"route": "none", "outcome": "refused"}, 50),
        ("ludarium_http_requests_total", {"method": "other"}, 3),
        ("ludarium_http_refused_total", {"code": "invalid-request"}, 50),
        ("ludarium_http_requests_total", {"method": "GET", "route": "/api/v1/tables/{table_id}", "outcome": "ok"}, 1),
        ("ludarium_http_head_seconds_count", {"method": "POST"}, 12),
        ("ludarium_live_requests_total", {"outcome": "ok"}, 4),
        ("ludarium_live_requests_total", {"outcome": "invalid-json"}, 1),
        ("ludarium_commands_total", {"outcome": "ok"}, 12),
        ("ludarium_commands_total", {"outcome": "future-sequence"}, 1),
        ("ludarium_command_seconds_count", {}, 13),
        ("ludarium_bot_answers_total", {"outcome": "ok"}, 1),
        ("ludarium_appends_total", {"verdict": "ok"}, 16),
        ("ludarium_append_seconds_count", {}, 16),
        ("ludarium_batch_appends_sum", {}, 16),
        ("ludarium_batch_seconds_count", {}, 1),
        ("ludarium_pool_wait_seconds_count", {"pool": "log"}, 12),
        ("ludarium_pool_wait_seconds_count", {"pool": "accounts"}, 2),
        ("ludarium_cache_lookups_total", {"cache": "tables", "result": "hit"}, 12),
        ("ludarium_fan_out_seconds_count", {}, 12),
        ("ludarium_loop_lag_seconds_count", {}, 1),
    ],
)  # fmt: skip
async def test_what_happened_was_counted(busy: Busy, name: str, labels: dict[str, str], least: int) -> None:
    assert busy.grown(name, **labels) >= least


async def test_how_things_stand_is_looked_up(busy: Busy) -> None:
    assert busy.now("ludarium_database_up") == busy.now("ludarium_database_writable") == [1]
    assert busy.now("ludarium_redis_heard") == [1]
    assert busy.now("ludarium_hot_tables") == [1]
    assert busy.now("ludarium_projection_stopped") == [0] * len(registry.PROJECTION_KINDS)
    assert busy.now("ludarium_projection_lag_rows", projection="lobby") != []
    assert busy.now("process_resident_memory_bytes")[0] > 1e6


async def test_a_metric_names_the_version(busy: Busy) -> None:
    assert busy.now("ludarium_build_info", version=version("ludarium")) == busy.now("ludarium_build_info") == [1]
    assert busy.now("ludarium_info") == [], "one metric says it"


async def test_the_public_ports_tell_no_metrics_and_their_own_tells_nothing_else(
    database_url: str, redis_url: str
) -> None:
    async with running(CONFIG, database_url, redis_url, ENTROPY) as address, httpx.AsyncClient(timeout=LIMIT) as http:
        assert (await http.get(f"{address.http}/metrics")).status_code == 404
        assert (await http.get(f"{address.http}/api/v1/metrics")).status_code == 404
        assert (await http.get(f"{address.metrics}/../api/v1")).status_code == 404
        port = urlsplit(address.metrics or "").port or 0
        with pytest.raises(AddressTaken, match="LUDARIUM_METRICS_PORT"):
            async with running(Config(port=0, ws_port=0, metrics_port=port), database_url, redis_url, ENTROPY):
                pass
    async with running(Config(port=0, ws_port=0), database_url, redis_url, ENTROPY) as address:
        assert address.metrics is None


# --- faults -----------------------------------------------------------------------------------------------------------
async def until(http: httpx.AsyncClient, url: str, name: str, value: float, **labels: str) -> None:
    async def is_so() -> bool:
        return bool((await scraped(http, url))[name, tuple(labels.items())] == value)

    await eventually(is_so)


@asynccontextmanager
async def watched(database_url: str, redis_url: str) -> AsyncIterator[tuple[httpx.AsyncClient, str]]:
    """Yield a client of a server's API, and the URL of the server's metrics."""
    async with (
        running(CONFIG, database_url, redis_url, ENTROPY) as address,
        httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as http,
    ):
        yield http, address.metrics or ""


async def test_what_is_away_is_seen(database_url: str, tmp_path: Path) -> None:
    road = Road(tmp_path, database_url)
    async with watched(road.url, "unix:///nowhere/valkey.sock") as (http, url):
        await until(http, url, "ludarium_redis_heard", 0)
        await until(http, url, "ludarium_database_writable", 1)
        async with road.closed():
            await until(http, url, "ludarium_database_up", 0)
            await until(http, url, "ludarium_database_writable", 0)
        await until(http, url, "ludarium_database_writable", 1)


async def test_the_mark_of_a_backup_and_what_is_wrong_there_are_seen(database_url: str, redis_url: str) -> None:
    """The mark is that of the followed backup, but a check includes other backups."""
    async with watched(database_url, redis_url) as (http, url):
        await until(http, url, "ludarium_backup_timestamp_seconds", 0, kind="mark")
        await until(http, url, "ludarium_backup_faults", 0)
        connection = await asyncpg.connect(database_url)
        await connection.execute("""insert into backups.marks (place, number, at, follows, faults, checked_at) values
            ('a', 7, to_timestamp(1000), true, 1, null), ('b', 8, to_timestamp(500), false, 2, to_timestamp(900))""")
        await connection.close()
        await until(http, url, "ludarium_backup_timestamp_seconds", 1000, kind="mark")
        await until(http, url, "ludarium_backup_timestamp_seconds", 900, kind="check")
        await until(http, url, "ludarium_backup_faults", 3)


async def test_what_hangs_is_seen_while_it_hangs_and_no_scrape_waits_for_it(
    database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session locks the log, so no append ends and no histogram changes."""
    monkeypatch.setattr("ludarium_eventstore.appender.PATIENCE", 1.0)
    monkeypatch.setattr("ludarium_eventstore.appender.STALL_TIME", 1.0)
    monkeypatch.setattr("ludarium_eventstore.probe.MIN_INTERVAL", 0.0)
    async with watched(database_url, redis_url) as (http, url):
        people = [await Person.arrive(http, name) for name in ("Ada", "Bea")]
        table = await open_game(people)
        person, view = await someone_asked(people, table)
        action = random_action(view["choice"], random.Random(1))
        async with locked(database_url):
            assert (await person.command(table, view, action)).status_code == 503
            samples = await scraped(http, url)
            for work in ("append", "command"):
                assert samples["ludarium_unfinished_seconds", (("work", work),)] >= 1
            await until(http, url, "ludarium_database_writable", 0)
            assert (await http.get(str(http.base_url.join("/readyz")))).json()["writable"] is False
        await eventually(lambda: accepted(person, table, view, action))
        for work in ("append", "command"):
            await until(http, url, "ludarium_unfinished_seconds", 0, work=work)


async def accepted(person: Person, table: str, view: dict[str, Any], action: dict[str, Any]) -> bool:
    """Repeat a command without a key, and check that it is or was accepted."""
    return (await person.command(table, view, action)).status_code in (200, 409)


async def test_a_projection_that_stops_is_seen_and_so_is_how_far_it_is_behind(database_url: str, redis_url: str) -> None:
    async with watched(database_url, redis_url) as (http, url):
        ada = await Person.arrive(http)
        await ada.post("/tables", {"ruleset": "kemet", "seats": 2})
        connection = await asyncpg.connect(database_url)
        await eventually(lambda: connection.fetchval("select position from es.checkpoints where name = 'lobby'"))
        await connection.execute("update es.checkpoints set hash = sha256('') where name = 'lobby'")
        await connection.close()
        await ada.post("/tables", {"ruleset": "kemet", "seats": 2})
        await until(http, url, "ludarium_projection_stopped", 1, projection="lobby")
        await until(http, url, "ludarium_projection_lag_rows", 2, projection="lobby")
        await until(http, url, "ludarium_projection_stopped", 0, projection="records")


async def test_a_pool_that_is_taken_and_a_row_that_is_damaged_are_counted(database_url: str, redis_url: str) -> None:
    async with watched(database_url, redis_url) as (http, url):
        ada = await Person.arrive(http)
        table = (await ada.post("/tables", {"ruleset": "kemet", "seats": 2}))["id"]
        before = await scraped(http, url)
        connection = await asyncpg.connect(database_url)
        async with connection.transaction():
            await connection.execute("lock table lobby.tables")
            asked = [http.get("/tables") for _ in range(4)]
            assert {answer.status_code for answer in await asyncio.gather(*asked)} == {503}
        await connection.execute("alter table es.events disable trigger all")
        await connection.execute("update es.events set data = data || '\\x00'")
        await connection.close()
        after = await scraped(http, url)
        key = ("ludarium_pool_unavailable_total", (("pool", "lists"),))
        assert after[key] >= before[key] + 4
    async with watched(database_url, redis_url) as (http, url):
        assert (await http.get(f"/tables/{table}")).json()["code"] == "log-damaged"
        assert (await scraped(http, url))["ludarium_damaged_total", ()] > before["ludarium_damaged_total", ()]


# --- the log ----------------------------------------------------------------------------------------------------------
async def test_a_request_has_one_line_with_its_route_and_nothing_that_its_caller_wrote(busy: Busy) -> None:
    lines = busy.lines("http")
    assert len(lines) == busy.grown("ludarium_http_requests_total")
    moves = [line for line in lines if line["route"] == COMMANDS and line["status"] == 200]
    assert len(moves) == busy.grown("ludarium_http_requests_total", route=moves[0]["route"], outcome="ok")
    assert moves[0].keys() == {"event", "method", "route", "status", "ms", "request", "level", "logger", "timestamp"}
    assert len({line["request"] for line in lines}) == len(lines)


async def test_a_socket_has_one_line(busy: Busy) -> None:
    lines = busy.lines("socket")
    assert sorted(line["answered"] for line in lines) == [2, 3]


async def test_no_log_has_a_secret(busy: Busy) -> None:
    assert len(busy.text.splitlines()) >= len(busy.log.splitlines()) > 100
    assert not [secret for secret in busy.secrets if secret in busy.log or secret in busy.text]


@pytest.mark.parametrize("style", ["json", "text"])
def test_an_error_is_told_with_its_traceback_and_without_the_values_in_it(style: str) -> None:
    with logged(style) as told:
        token = "a-token-in-a-variable"
        try:
            int(token[:0])
        except ValueError:
            logging.getLogger("ludarium_eventstore").exception("%s\nhas failed", "it")
    text = told.getvalue()
    assert "ValueError" in text and "has failed" in text and token not in text
    if style == "json":
        line = json.loads(text)
        assert (line["level"], line["logger"], line["event"]) == ("error", "ludarium_eventstore", "it\nhas failed")
        assert "Traceback" in line["exception"]


def test_describing_the_api_leaves_the_log_as_it_is() -> None:
    before = [*logging.getLogger().handlers]
    openapi.described_app()
    assert logging.getLogger().handlers == before
