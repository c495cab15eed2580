"""Traces of commands have real spans, which go to a collector by OTLP over HTTP."""
from __future__ import annotations

import asyncio
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from ludarium.platform.config import ConfigError, read_config
from tests.support.blind_client import random_action
from tests.support.live_client import client
from tests.support.people import Json, Person, open_game
from tests.support.servers import LUDARIUM, ServerProcess
from tests.support.waiting import LIMIT

STRANGE = {"traceparent": "00-00000000000000000000000000000001-0000000000000001-01"}
"""A header that claims the trace is sampled."""
KNOWN = {
    "http.request.method", "http.route", "http.response.status_code", "ludarium.request", "ludarium.table", "ludarium.rows",
    "ludarium.view_channels", "error.type",
}  # fmt: skip


class Collector:
    def __init__(self) -> None:
        self.spans: list[Span] = []

    def take(self, body: bytes) -> None:
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            assert told(resource.resource.attributes)["service.name"] == "ludarium"
            self.spans += [span for scope in resource.scope_spans for span in scope.spans]

    def of(self, request: str) -> list[Span]:
        return sorted((s for s in self.spans if told(s.attributes).get("ludarium.request") == request), key=started)


@contextmanager
def collecting() -> Iterator[tuple[Collector, str]]:
    """Run a collector, and yield it with its address."""
    collector = Collector()

    class Taken(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            collector.take(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Taken) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield collector, f"http://127.0.0.1:{server.server_port}/v1/traces"
        finally:
            server.shutdown()


def told(attributes: Any) -> dict[str, str | int]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}


def started(span: Span) -> int:
    return int(span.start_time_unix_nano)


def told_by_name(spans: list[Span]) -> dict[str, dict[str, str | int]]:
    return {span.name: told(span.attributes) for span in spans}


@pytest.fixture
async def urls(module_database_url: str, module_redis_url: str) -> tuple[str, str]:
    return module_database_url, module_redis_url


async def test_a_command_is_traced_through_append_and_push(urls: tuple[str, str]) -> None:
    with collecting() as (collector, address):
        kept = {"traces_url": address, "traces_part": "1.0"}
        async with ServerProcess(*urls, **kept) as server, httpx.AsyncClient(base_url=server.api, timeout=LIMIT) as http:
            ada, bea = await Person.arrive(http), await Person.arrive(http, "Bea")
            table = await open_game([ada, bea])
            view, mover = await asked(table, ada, bea)
            answer = await mover.command(table, view, random_action(view["choice"], Random(1)))
            refused = await mover.command(table, view, random_action(view["choice"], Random(1)))
            assert (answer.status_code, refused.status_code) == (200, 409)
            view, mover = await asked(table, ada, bea)
            moved = {"expected_seq": view["seq"], "action": random_action(view["choice"], Random(1))}
            async with client(server.ws_port, mover.token) as line:
                assert (await line.request("command", table=table, **moved))["ok"]
        spans = collector.of(answer.headers["x-request-id"])    # the process has sent the last spans when it ended
        http_span, command, append, push = spans
        assert http_span.name == "POST /api/v1/tables/{table_id}/commands"
        assert [span.name for span in spans[1:]] == ["command", "append", "push"]
        assert len({span.trace_id for span in spans}) == 1
        assert [span.parent_span_id for span in spans] == [b"", http_span.span_id, command.span_id, command.span_id]
        assert [span.kind for span in spans] == [Span.SPAN_KIND_SERVER, *3 * [Span.SPAN_KIND_INTERNAL]]
        assert append.end_time_unix_nano <= push.start_time_unix_nano <= http_span.end_time_unix_nano
        lost = told_by_name(collector.of(refused.headers["x-request-id"]))
        assert lost["command"]["error.type"] == "stale-sequence" and "append" not in lost
        assert [span.name for span in collector.spans if span.kind == Span.SPAN_KIND_SERVER and span.name == "command"]
        assert {key for span in collector.spans for key in told(span.attributes)} <= KNOWN
        assert not any(span.events for span in collector.spans)


async def asked(table: str, *people: Person) -> tuple[Json, Person]:
    """Return the person who has a question to answer, with that person's view."""
    views = [(await person.view(table), person) for person in people]
    return next((view, person) for view, person in views if view["choice"])


async def test_a_caller_does_not_decide_what_is_kept(urls: tuple[str, str]) -> None:
    with collecting() as (collector, address):
        kept = {"traces_url": address, "traces_part": "0.000001"}
        async with (
            ServerProcess(*urls, **kept) as server,
            httpx.AsyncClient(base_url=server.api, headers=STRANGE, timeout=LIMIT) as http,
        ):
            await asyncio.gather(*(http.get("") for _ in range(100)))
        assert collector.spans == []


async def test_a_collector_that_is_away_is_in_nobodys_way(urls: tuple[str, str]) -> None:
    async with ServerProcess(*urls, traces_url="http://127.0.0.1:9/v1/traces", traces_part="1.0") as server:
        async with httpx.AsyncClient(base_url=server.api, timeout=LIMIT) as http:
            assert (await http.get("")).status_code == 200
        assert await server.stop() == 0


def test_what_is_no_address_or_no_part_is_said(urls: tuple[str, str]) -> None:
    for part in ("0", "1.5", "some"):
        with pytest.raises(ConfigError, match="LUDARIUM_TRACES_PART"):
            read_config({"LUDARIUM_TRACES_PART": part})
    wrong = {"LUDARIUM_DATABASE_URL": urls[0], "LUDARIUM_REDIS_URL": urls[1], "LUDARIUM_TRACES_URL": "collector:4318"}
    ended = subprocess.run([LUDARIUM, "serve"], env=wrong, capture_output=True, text=True, timeout=LIMIT)
    assert ended.returncode == 1 and "http://127.0.0.1:4318/v1/traces" in ended.stderr and "Traceback" not in ended.stderr
