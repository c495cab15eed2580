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
http_requests = counter("http_requests", "HTTP responses by route template and outcome: `ok`, `refused` (4xx),"
                        " `fault` (500), `unavailable`.", "method", "route", "outcome")
http_head = seconds("http_head", "Time from an HTTP request to the head of its response.", "method")
http_refused = counter("http_refused", "Requests refused before they reached a route, by problem code.", "code")
live_requests = counter("live_requests", "WebSocket responses: `ok`, or the problem code.", "outcome")
commands = counter("commands", "Commands that reached a table: `ok`, or the problem code.", "outcome")
command_time = seconds("command", "Time from a command to its response, including waits and the commit.")
bot_answers = counter("bot_answers", "Decisions of bots: `ok`, or the kind of failure.", "outcome")

# --- the log ----------------------------------------------------------------------------------------------------------
appends = counter("appends", "Appends by PostgreSQL's verdict; `none`: timed out, or the events were refused.", "verdict")
append_time = seconds("append", "Time from an append to its verdict, including the wait in the queue.")
append_refused = counter("append_refused", "Appends that PostgreSQL can never accept, because of a server fault.")
batch_size = Histogram("ludarium_batch_appends", "Appends in one transaction.", registry=registry, buckets=SIZES)
batch_time = seconds("batch", "Duration of one transaction of appends.")
append_queue = gauge("append_queue", "Appends in the queue.")
damaged = counter("damaged", "Events read that do not match their hash or their rules.")
lost = counter("lost_tables", "Tables that were reset because the log has lost their newest events.")
pool_wait = seconds("pool_wait", "Time spent waiting for a connection to PostgreSQL.", "pool")
pool_unavailable = counter("pool_unavailable", "Requests asked to retry for lack of a connection or an answer.", "pool")
database_up = gauge("database_up", "1 if PostgreSQL answers.")
database_writable = gauge("database_writable", "1 if PostgreSQL accepts writes; 0 on a standby or a full disk.")

# --- unfinished operations, which a histogram does not show -----------------------------------------------------------
unfinished = gauge("unfinished_seconds", "Age of the oldest operation that has not succeeded: a `command`, an `append`, a"
                   " `deadline`, a batch of a `projection`, a wait for a connection (`pool-accounts`, `pool-lists`,"
                   " `pool-log`); 0 if there is none.", "work")

# --- projections and bots ---------------------------------------------------------------------------------------------
projection_lag = gauge("projection_lag_rows", "Events in the log that a projection has not processed yet.", "projection")
projection_stopped = gauge("projection_stopped", "1 if the projection has stopped.", "projection")
deadline_lag = seconds("deadline", "Time from a table's deadline until its event is in the log.")
deadlines_failed = counter("deadlines_failed", "Deadlines that failed because of a server fault and are retried.")
work_failed = counter("work_failed", "Background tasks that failed because of a server fault and were restarted.")
deadlines_waiting = gauge("deadlines_waiting", "Deadlines that this process has found and not yet handled.")
bots_waiting = gauge("bots_waiting", "Tables whose bots wait to be played by this process.")

# --- pushes -----------------------------------------------------------------------------------------------------------
sockets = gauge("sockets", "Open WebSockets.")
streams = gauge("streams", "Open HTTP streams.")
feeds = gauge("feeds", "Pairs of a table and an audience with followers in this process.")
readers = gauge("readers", "Subscriptions to these pairs.")
fan_out = seconds("fan_out", "Time from an event's timestamp until its push is written to all live followers.")
feed_reads = counter("feed_reads", "Reads of the log for live followers that missed a push.")
lagging = counter("lagging", "Clients disconnected because they did not read.")
redis_heard = gauge("redis_heard", "1 if subscribed to all of Valkey; otherwise events of other processes come from the log.")
redis_missed = counter("redis_missed", "Messages that Valkey did not fully accept.")

# --- backups ----------------------------------------------------------------------------------------------------------
backed_up = gauge("backup_timestamp_seconds", "Time of the last `base` backup, `log` upload, `restore` drill, newest `mark` of"
                  " a followed place, or `check`; 0: never.", "kind")
backup_faults = gauge("backup_faults", "Faults found by the last `ludarium backup --check`, or a mark that was set back since.")

# --- the process ------------------------------------------------------------------------------------------------------
lookups = counter("cache_lookups", "Lookups in the table cache and the page cache.", "cache", "result")
tables_hit, tables_missed = lookups.labels("tables", "hit"), lookups.labels("tables", "miss")
pages_hit, pages_missed = lookups.labels("pages", "hit"), lookups.labels("pages", "miss")
hot_tables = gauge("hot_tables", "Tables in memory.")
loop_lag = seconds("loop_lag", "Delay of the event loop.")
disk_free = gauge("disk_free_bytes", "Free space in the data directory of the embedded servers.")
disk_size = gauge("disk_size_bytes", "Size of the disk of the data directory.")

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
