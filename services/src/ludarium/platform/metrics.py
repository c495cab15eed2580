"""A process's metrics for Prometheus.

All metrics are declared here, and each is counted in one place. The values of labels come from lists in our code, and are
never ids or chosen by callers, so a process has fewer than 2,000 series.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from time import perf_counter
from typing import TypeVar

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)

from ludarium.platform.problems import Problem
from ludarium_eventstore import Verdict

LATENCY = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
"""Upper limits of the buckets of latency histograms, in seconds."""
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
LOOK = 0.25
"""Seconds between two measurements of the event loop's lag."""

disable_created_metrics()  # type: ignore[no-untyped-call]   # an unused series for each counter
T = TypeVar("T", Counter, Histogram)
registry = CollectorRegistry()
ProcessCollector(registry=registry)
PlatformCollector(registry=registry)
GCCollector(registry=registry)
Info("ludarium_build", "The version of this process.", registry=registry).info({"version": version("ludarium")})


def counter(name: str, told: str, *labels: str) -> Counter:
    return Counter(f"ludarium_{name}", told, labels, registry=registry)


def gauge(name: str, told: str, *labels: str) -> Gauge:
    return Gauge(f"ludarium_{name}", told, labels, registry=registry)


def seconds(name: str, told: str, *labels: str) -> Histogram:
    return Histogram(f"ludarium_{name}_seconds", told, labels, registry=registry, buckets=LATENCY)


# --- requests ---------------------------------------------------------------------------------------------------------
http_requests = counter("http_requests", "Answers over HTTP by the template of their route: `ok`, `refused` (4xx), `fault`"
                        " (500), `unavailable`.", "method", "route", "outcome")
http_head = seconds("http_head", "From a request over HTTP to the head of its answer.", "method")
http_refused = counter("http_refused", "What was refused before a route saw it, by the code of the problem.", "code")
live_requests = counter("live_requests", "Answers on WebSockets: `ok`, or the code of the problem.", "outcome")
commands = counter("commands", "Commands that reached a table: `ok`, or the code of the problem.", "outcome")
command_time = seconds("command", "From a command to its answer, its wait for the table and the commit included.")
bot_answers = counter("bot_answers", "Answers of bots: `ok`, or how they failed.", "outcome")

# --- the log ----------------------------------------------------------------------------------------------------------
appends = counter("appends", "Appends by PostgreSQL's verdict; `none`: not in time, or the rows were refused.", "verdict")
append_time = seconds("append", "From an append to its verdict, its wait for its turn included.")
append_refused = counter("append_refused", "Appends that PostgreSQL can never take: a fault of ours.")
batch_size = Histogram("ludarium_batch_appends", "Appends in one transaction.", registry=registry, buckets=SIZES)
batch_time = seconds("batch", "One transaction of appends.")
append_queue = gauge("append_queue", "Appends that wait for their turn.")
damaged = counter("damaged", "How often a row was read that does not fit its hash, or its rules.")
lost = counter("lost_tables", "Tables that were set back since the log has lost their newest rows.")
pool_wait = seconds("pool_wait", "Waiting for a connection to PostgreSQL.", "pool")
pool_unavailable = counter("pool_unavailable", "What was told to come again for want of a connection, or of an answer.", "pool")
database_up = gauge("database_up", "Whether PostgreSQL answers.")
database_writable = gauge("database_writable", "Whether it can be written; a standby or a full disk cannot.")

# --- unfinished operations, which a histogram does not show -----------------------------------------------------------
unfinished = gauge("unfinished_seconds", "Since the oldest operation began that has not succeeded: a `command`, an `append`, a"
                   " `deadline`, a batch of a `projection`, a wait for a connection (`pool-accounts`, `pool-lists`,"
                   " `pool-log`); 0 if there is none.", "work")

# --- projections and bots ---------------------------------------------------------------------------------------------
projection_lag = gauge("projection_lag_rows", "Rows of the log that a projection has not passed yet.", "projection")
projection_stopped = gauge("projection_stopped", "Whether it cannot go on.", "projection")
deadline_lag = seconds("deadline", "From the time when something fell due at a table until it stood in the log.")
deadlines_failed = counter("deadlines_failed", "Deadlines that failed by a fault of ours and are tried again later.")
work_failed = counter("work_failed", "Endless work beside requests that failed by a fault of ours and was started again.")
deadlines_waiting = gauge("deadlines_waiting", "What this process has found to be due and has not seen to yet.")
bots_waiting = gauge("bots_waiting", "Tables whose bots wait for their turn in this process.")

# --- pushes -----------------------------------------------------------------------------------------------------------
sockets = gauge("sockets", "WebSockets that are open.")
streams = gauge("streams", "Streams over HTTP that are open.")
feeds = gauge("feeds", "Tables as one audience follows them here.")
readers = gauge("readers", "Subscriptions to them.")
fan_out = seconds("fan_out", "From the time that an event has in the log until its push is written to all who follow live.")
feed_reads = counter("feed_reads", "How often the log was read for live readers whom a push did not reach in turn.")
lagging = counter("lagging", "Clients that were dropped because they did not read.")
redis_heard = gauge("redis_heard", "Whether all of Valkey is heard; else the log alone tells of others' events, within 0.5 s.")
redis_missed = counter("redis_missed", "Messages that Valkey did not take in full.")

# --- backups ----------------------------------------------------------------------------------------------------------
backed_up = gauge("backup_timestamp_seconds", "When it was last done: a `base` backup, the `log` brought beside it, a `restore`"
                  " tried out, the newest `mark` of a place that is followed, a `check`; 0: never.", "kind")
backup_faults = gauge("backup_faults", "What the last `ludarium backup --check` found, or a mark that was set back since.")

# --- the process ------------------------------------------------------------------------------------------------------
lookups = counter("cache_lookups", "Tables in memory and encoded pages.", "cache", "result")
tables_hit, tables_missed = lookups.labels("tables", "hit"), lookups.labels("tables", "miss")
pages_hit, pages_missed = lookups.labels("pages", "hit"), lookups.labels("pages", "miss")
hot_tables = gauge("hot_tables", "Tables in memory.")
loop_lag = seconds("loop_lag", "How much later than asked for the event loop came back.")
disk_free = gauge("disk_free_bytes", "Room where the embedded servers keep their data.")
disk_size = gauge("disk_size_bytes", "Size of that disk.")

# An alert can see a counter grow only if the series existed before.
for outcome in ("internal", "rules-limit", "unavailable"):
    commands.labels(outcome)
    live_requests.labels(outcome)
for pool in ("accounts", "lists"):
    pool_unavailable.labels(pool)


READS = {"HEAD": "GET"}


def answered_http(method: str, route: str | None, status: int) -> None:
    """Count an HTTP response.

    Requests without a route are counted under `none`, to limit the number of series.
    """
    if route is None or status == 405 or method == "OPTIONS":
        route = "none"
    series(http_requests, READS.get(method, method), route, outcome_of_status(status)).inc()


def outcome_of_status(status: int) -> str:
    if status < 400:
        return "ok"
    return "refused" if status < 500 else "fault" if status == 500 else "unavailable"


@cache
def series(metric: T, *labels: str | int) -> T:
    """Return `metric.labels(*labels)` from a cache, at a tenth of the cost.

    The cache has an entry for each series, so its size is limited, too.
    """
    return metric.labels(*labels)


@contextmanager
def answered(outcomes: Counter, duration: Histogram) -> Iterator[None]:
    """Count the enclosed work by outcome, and observe its duration."""
    began, outcome = perf_counter(), "ok"
    try:
        yield
    except BaseException as error:
        outcome = outcome_of(error)
        raise
    finally:
        series(outcomes, outcome).inc()
        duration.observe(perf_counter() - began)


def outcome_of(error: BaseException) -> str:
    """Return the label for an error, which is the code of the problem if it is one."""
    if isinstance(error, Problem):
        return error.code
    return "cancelled" if isinstance(error, asyncio.CancelledError) else "internal"


class StoreMetrics:
    """Counts the event store's operations, as the store's Observer."""

    def __init__(self) -> None:
        self._waits = pool_wait.labels("log")

    def appended(self, verdict: Verdict | None, took: float) -> None:
        series(appends, "none" if verdict is None else type(verdict).__name__.lower()).inc()
        append_time.observe(took)

    def sent(self, size: int, took: float) -> None:
        batch_size.observe(size)
        batch_time.observe(took)

    def refused(self) -> None:
        append_refused.inc()

    def waited(self, took: float) -> None:
        self._waits.observe(took)


async def watch_loop() -> None:
    """Measure the event loop's lag until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LOOK
        await asyncio.sleep(LOOK)
        loop_lag.observe(max(0.0, loop.time() - due))
