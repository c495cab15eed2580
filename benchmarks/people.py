"""Signing in beside play: what a thousand passwords a minute do to a command."""
from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from statistics import median, quantiles

from benchmarks.http import Match, Server, served
from benchmarks.rows import Row

RUNS = 5
COMMANDS = 600
PER_MINUTE = 1000
PEOPLE = 20
LINES = 4
"""Connections for them: one alone would wait for each answer."""
PASSWORD = "seven green bottles"


async def rows() -> AsyncIterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder, served(Path(folder)) as server:
        for person in range(PEOPLE):
            open_account(server, login_of(person))
        pairs = [(p99(server, n), beside_sign_ins(server, n)) for n in range(RUNS)]
    alone, beside = median(first for first, _ in pairs), median(second for _, second in pairs)
    yield Row(
        name=f"people: a command beside {PER_MINUTE:,} sign-ins a minute, p99", value=round(beside * 1e3, 2), unit="ms",
        beside=f"without them {alone * 1e3:.2f} ms", ratio=beside / alone, goal="<= 1.5 x", holds=beside <= 1.5 * alone,
    )  # fmt: skip


def login_of(person: int) -> str:
    return f"person.{person}"


def open_account(server: Server, login: str) -> None:
    token = server.ask("POST", "/api/v1/guests", {})["token"]
    account = {"login": login, "password": PASSWORD}
    server.ask("POST", "/api/v1/me/account", account, authorization=f"Bearer {token}")


def p99(server: Server, seed: int) -> float:
    """Seconds for a command and its answer."""
    return quantiles(Match(server, Random(seed)).play(COMMANDS)[1], n=100)[-1]


def beside_sign_ins(server: Server, seed: int) -> float:
    with signing_in([Server(server.pid, server.http.port) for _ in range(LINES)]):
        return p99(server, seed)


@contextmanager
def signing_in(servers: list[Server]) -> Iterator[None]:
    """At this rate, on connections of their own. Raises RuntimeError where the server did not keep up with it."""
    over, start = threading.Event(), time.monotonic()
    with ThreadPoolExecutor(len(servers)) as threads:
        lines = [threads.submit(keep_signing_in, server, start, over) for server in servers]
        yield
        over.set()
    done, due = sum(line.result() for line in lines), (time.monotonic() - start) * PER_MINUTE / 60
    if done < 0.9 * due - 1:
        raise RuntimeError(f"only {done} sign-ins of {due:.0f}")


def keep_signing_in(server: Server, start: float, over: threading.Event) -> int:
    """How many it were."""
    for done in count():
        if over.wait(max(0.0, start + done * LINES * 60 / PER_MINUTE - time.monotonic())):
            return done
        server.ask("POST", "/api/v1/sessions", {"login": login_of(done % PEOPLE), "password": PASSWORD})
    raise AssertionError
