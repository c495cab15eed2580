"""Trace requests and commands with OpenTelemetry.

Without the setting LUDARIUM_TRACES_URL nothing is traced, and the library, which is an optional extra, is not imported.
"""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from ludarium.platform.config import ConfigError
from ludarium.platform.metrics import outcome_of
from ludarium.platform.request_context import current

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import SpanKind, Tracer

PATIENCE = 2.0
"""Seconds for sending a batch of spans, which also limits how long the end of the process is delayed."""
Told = Mapping[str, str | int]
"""Attributes of a span, by names that OpenTelemetry or we have defined."""


class Span:
    """A span that is not recorded."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing."""

    def tell(self, name: str, told: Told) -> None:
        """Set the span's name and those attributes that are known only at the end.

        Neither may contain input or hidden information.
        """


NONE = Span()


class Kept(Span):
    """A span that is recorded, if its trace is sampled."""

    def __init__(self, tracer: Tracer, name: str, kind: SpanKind, told: Told) -> None:
        self._opened = tracer.start_as_current_span(
            name, attributes=told, kind=kind,
            record_exception=False, set_status_on_exception=False,  # its text may contain input
        )  # fmt: skip

    def __enter__(self) -> Self:
        self._span = self._opened.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        if isinstance(error := raised[1], BaseException):
            self._span.set_attribute("error.type", outcome_of(error))
        self._opened.__exit__(None, None, None)

    def tell(self, name: str, told: Told) -> None:
        self._span.update_name(name)
        self._span.set_attributes(told)


class Traces:
    """The process's traces, while tracing is on."""

    def __init__(self, tracer: Tracer) -> None:
        from opentelemetry.trace import SpanKind, get_current_span

        self._tracer, self._around, self._kinds = tracer, get_current_span, SpanKind

    def span(self, name: str, told: Told) -> Span:
        around = self._around()
        begins = not around.get_span_context().is_valid
        if not begins and not around.is_recording():
            return NONE                         # its trace is not sampled
        exchange = current.get()
        told = {**told, "ludarium.request": exchange.id} if exchange else told
        return Kept(self._tracer, name, self._kinds.SERVER if begins else self._kinds.INTERNAL, told)


wanted: Traces | None = None


def span(name: str, told: Told = MappingProxyType({})) -> Span:
    """Return a span for part of the current work, to be used as a context manager.

    The span has the id of the current request, as log lines have.
    """
    return NONE if wanted is None else wanted.span(name, told)


@asynccontextmanager
async def tracing(url: str | None, part: float) -> AsyncIterator[None]:
    """Send a sample of all traces to `url` (OTLP over HTTP) while the context lasts.

    Args:
        url: the address of a collector; None sends nothing.
        part: the share of traces that is sent, from 0 to 1.

    Raises:
        ConfigError: the URL is wrong, or OpenTelemetry is not installed.
    """
    global wanted
    if url is None:
        yield
        return
    provider = provided(url, part)
    wanted = Traces(provider.get_tracer("ludarium", version("ludarium")))
    try:
        yield
    finally:
        wanted = None
        await asyncio.to_thread(provider.shutdown)      # waits for the network


def provided(url: str, part: float) -> TracerProvider:
    """Create OpenTelemetry's provider.

    Sampling ignores the trace flags of requests, since otherwise any client could force it.

    Raises:
        ConfigError: the URL is wrong, or OpenTelemetry is not installed.
    """
    if not url.startswith(("http://", "https://")):
        raise ConfigError("LUDARIUM_TRACES_URL: the address of a collector is wanted, as http://127.0.0.1:4318/v1/traces")
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.sampling import ParentBasedTraceIdRatio
    except ImportError:
        raise ConfigError("LUDARIUM_TRACES_URL: traces need OpenTelemetry: pip install 'ludarium[traces]'") from None
    named = Resource.create({"service.name": "ludarium", "service.version": version("ludarium")})
    provider = TracerProvider(sampler=ParentBasedTraceIdRatio(part), resource=named)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(url, timeout=PATIENCE)))
    return provider
