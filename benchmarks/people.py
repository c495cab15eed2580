"""Measure the latency of a command during a thousand sign-ins per minute."""
from __future__ import annotations

import tempfile
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import NamedTuple

from benchmarks.http import Match, Server, served
from benchmarks.rows import Row

ROUNDS = 5
SLICES, COMMANDS = 4, 300
"""The slices of a round, in turns with and without sign-ins, so that other load on the machine affects both alike."""
PER_MINUTE = 1000
PEOPLE = 24
LINES = 8
"""Connections for the sign-ins. On a single connection, each sign-in would wait for the one before."""
PASSWORD = "seven green bottles"


class Round(NamedTuple):
    """Result of a round.

    Attributes:
        alone: The p99 of a command in seconds, without sign-ins.
        beside: The p99 of a command in seconds, with sign-ins.
        carried: Sign-ins per minute.
    """

    alone: float
    beside: float
    carried: float


async def rows() -> AsyncIterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder, served(Path(folder)) as server:
        for person in range(PEOPLE):
            open_account(server, login_of(person))
        rounds = [played(server, Match(server, Random(n))) for n in range(ROUNDS)]
    alone, beside, carried = (median(column) for column in zip(*rounds, strict=True))
    ratio = median(each.beside / each.alone for each in rounds)
    yield Row(
        name=f"people: a command beside {PER_MINUTE:,} sign-ins a minute, p99", value=round(beside * 1e3, 2), unit="ms",
        beside=f"without them {alone * 1e3:.2f} ms; {carried:.0f} were carried out", ratio=ratio, goal="<= 1.5 x",
        holds=ratio <= 1.5 and carried >= 0.9 * PER_MINUTE,
    )  # fmt: skip


def login_of(person: int) -> str:
    return f"person.{person}"


def open_account(server: Server, login: str) -> None:
    token = server.ask("POST", "/api/v1/guests", {})["token"]
    account = {"login": login, "password": PASSWORD}
    server.ask("POST", "/api/v1/me/account", account, authorization=f"Bearer {token}")


def played(server: Server, match: Match) -> Round:
    alone, beside, carried = [], [], []
    for _ in range(SLICES):
        alone += match.play(COMMANDS)[1]
        times, rate = beside_sign_ins(server, match)
        beside += times
        carried.append(rate)
    return Round(p99(alone), p99(beside), median(carried))


def p99(times: list[float]) -> float:
    return quantiles(times, n=100)[-1]


def beside_sign_ins(server: Server, match: Match) -> tuple[list[float], float]:
    """Play while players sign in.

    The sign-ins come from another process, because threads of this one would slow down the measurement.

    Returns:
        The seconds of each command, and the sign-ins per minute. A slow machine has fewer than PER_MINUTE.
    """
    far = get_context("spawn")
    begun, over, carried = far.Barrier(2), far.Event(), far.Value("i")
    crowd = far.Process(target=sign_in_all, args=(server.pid, server.http.port, begun, over, carried))
    crowd.start()
    begun.wait()
    start = time.monotonic()
    times, seconds = match.play(COMMANDS)[1], time.monotonic() - start
    over.set()
    crowd.join()
    return times, carried.value * 60 / seconds


def sign_in_all(pid: int, port: int, begun: Barrier, over: Event, carried: Synchronized[int]) -> None:
    others = [Server(pid, port) for _ in range(LINES)]
    begun.wait()
    start = time.monotonic()
    with ThreadPoolExecutor(LINES) as threads:
        lines = [threads.submit(keep_signing_in, other, line, start, over) for line, other in enumerate(others)]
    carried.value = sum(line.result() for line in lines)


def keep_signing_in(server: Server, line: int, start: float, over: Event) -> int:
    """Sign in again and again, and return how often.

    One sign-in follows another, and no account signs in twice at the same time.
    """
    for done in count():
        login = login_of(line + LINES * (done % (PEOPLE // LINES)))
        if over.wait(max(0.0, start + (done * LINES + line) * 60 / PER_MINUTE - time.monotonic())):
            return done
        server.ask("POST", "/api/v1/sessions", {"login": login, "password": PASSWORD})
    raise AssertionError
