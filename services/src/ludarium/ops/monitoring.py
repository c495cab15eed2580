"""Serves a process's metrics to Prometheus on a separate port."""

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from litestar import Litestar, Response, get
from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from ludarium.bots.bots import Bots
from ludarium.http import errors
from ludarium.live.callers import Callers
from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.publisher import Publisher
from ludarium.platform import metrics
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.projections.registry import Projections
from ludarium.tables.table_cache import TableCache
from ludarium_eventstore import EventStore, Probe, Unfinished

QUERY_TIMEOUT = 0.5
"""Seconds that a scrape waits for PostgreSQL. A scrape that takes too long returns nothing at all."""
NEVER_DONE = {"base": 0.0, "log": 0.0, "restore": 0.0, "mark": 0.0, "check": 0.0}
SELECT_MARKS = """
    select coalesce(extract(epoch from min(at) filter (where follows)), 0)::float8 as mark,
      coalesce(extract(epoch from max(checked_at)), 0)::float8 as checked, coalesce(sum(faults), 0)::int as faults
    from backups.marks"""


class Gauges(NamedTuple):
    """The sources of gauges that are updated at each scrape.

    Attributes:
        unfinished: tasks of this process that could hang, by the label of their metric.
        disk: the data directory of the embedded servers, None if others are used.
    """

    store: EventStore
    probe: Probe
    cache: TableCache
    projections: Projections
    bots: Bots | None
    publisher: Publisher
    hub: Hub
    gateway: Gateway
    callers: Callers
    people: Database
    unfinished: Mapping[str, Sequence[Unfinished]]
    disk: Path | None

    async def update(self) -> None:
        pulse = await self.probe.glance(QUERY_TIMEOUT)
        metrics.database_up.set(pulse.answers)
        metrics.database_writable.set(pulse.writes)
        metrics.append_queue.set(len(self.store.appender.queue))
        metrics.hot_tables.set(len(self.cache.tables))
        metrics.bots_waiting.set(self.bots.waiting if self.bots else 0)
        for work, found in self.unfinished.items():
            metrics.unfinished.labels(work).set(max(each.age() for each in found))
        self._update_projections()
        self._update_connections()
        self._update_disk()
        if pulse.answers:
            await self._update_backups()

    def _update_projections(self) -> None:
        """Update the lag of projections, if this process follows the log."""
        for name, subscription in self.projections.subscriptions.items() if self.projections.follows else ():
            metrics.projection_lag.labels(name).set(max(0, subscription.head - subscription.position))
            metrics.projection_stopped.labels(name).set(subscription.failure is not None)

    def _update_connections(self) -> None:
        metrics.sockets.set(self.gateway.clients)
        metrics.streams.set(self.callers.total - self.gateway.clients)
        metrics.feeds.set(self.hub.feeds)
        metrics.readers.set(self.hub.readers)
        metrics.redis_heard.set(self.hub.connected and self.publisher.connected)

    def _update_disk(self) -> None:
        if self.disk is not None:
            usage = shutil.disk_usage(self.disk)
            metrics.disk_free.set(usage.free)
            metrics.disk_size.set(usage.total)

    async def _update_backups(self) -> None:
        """Update the ages of backups, or keep them if PostgreSQL does not respond."""
        with suppress(Problem, TimeoutError):
            async with asyncio.timeout(QUERY_TIMEOUT):
                done = await self.people.rows("select kind, extract(epoch from at)::float8 as at from backups.done")
                (places,) = await self.people.rows(SELECT_MARKS)
            times = {row["kind"]: row["at"] for row in done} | {"mark": places["mark"], "check": places["checked"]}
            for kind, at in {**NEVER_DONE, **times}.items():
                metrics.backed_up.labels(kind).set(at)
            metrics.backup_faults.set(places["faults"])


def metrics_app(gauges: Gauges) -> Litestar:
    """Return an app that serves only GET /metrics."""

    @get("/metrics")
    async def get_metrics() -> Response[bytes]:
        await gauges.update()
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_PLAIN_0_0_4)

    return Litestar([get_metrics], exception_handlers=errors.HANDLERS, openapi_config=None, logging_config=None)
