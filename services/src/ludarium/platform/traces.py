"""What a request and a command go through, as spans for OpenTelemetry. Where nobody has said where to send them there are none,
and its library, which is an extra, is not even imported."""
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
"""Seconds for sending what is left when the process ends."""
Told = Mapping[str, str | int]
"""By names of OpenTelemetry's, or ours."""


class Span:
    """Of nothing: nobody asked."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """It was none."""

    def tell(self, name: str, told: Told) -> None:
        """What is known only at its end. Nothing that a caller wrote, and nothing that a seat may not see."""


NONE = Span()


class Kept(Span):
    """A span that is sent, if its trace is one of those."""

    def __init__(self, tracer: Tracer, name: str, kind: SpanKind, told: Told) -> None:
        self._opened = tracer.start_as_current_span(
            name, attributes=told, kind=kind,
            record_exception=False, set_status_on_exception=False,  # its text may have what a caller wrote
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
    """Of this process, while they are wanted."""

    def __init__(self, tracer: Tracer) -> None:
        from opentelemetry.trace import SpanKind, get_current_span

        self._tracer, self._around, self._kinds = tracer, get_current_span, SpanKind

    def span(self, name: str, told: Told) -> Span:
        around = self._around()
        begins = not around.get_span_context().is_valid
        if not begins and not around.is_recording():
            return NONE                         # its trace is none of those that are sent
        exchange = current.get()
        told = {**told, "ludarium.request": exchange.id} if exchange else told
        return Kept(self._tracer, name, self._kinds.SERVER if begins else self._kinds.INTERNAL, told)


wanted: Traces | None = None


def span(name: str, told: Told = MappingProxyType({})) -> Span:
    """Around a part of what is being done, below the span that is open; with the id of the request, which the log has too."""
    return NONE if wanted is None else wanted.span(name, told)


@asynccontextmanager
async def tracing(url: str | None, part: float) -> AsyncIterator[None]:
    """While the context lasts, so large a part of all traces is sent to `url`, OTLP over HTTP. Raises ConfigError."""
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
        await asyncio.to_thread(provider.shutdown)      # it waits for the network


def provided(url: str, part: float) -> TracerProvider:
    """Which traces are sent is drawn here: what callers say of theirs decides nothing, or anybody could have theirs kept.

    Raises ConfigError."""
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
