"""How this process logs: lines for people or JSON, whoever writes them, each with the id of the request that it is about."""

import logging
from typing import Any

import msgspec
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from services.exchange import current

FIELDS = ("method", "route", "status", "ms", "answered", "seconds")
"""What lines may have beside their text."""
encode = msgspec.json.Encoder(enc_hook=str).encode


def identified(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """With the id of the request under way, if there is one."""
    if exchange := current.get():
        line["request"] = exchange.id
    return line


def as_json(_: WrappedLogger, __: str, line: EventDict) -> str:
    return encode(line).decode()


def as_text() -> Processor:
    # Rich tracebacks would show the values of local variables: tokens, seeds, hands.
    return structlog.dev.ConsoleRenderer(
        colors=False, pad_event_to=0, pad_level=False, exception_formatter=structlog.dev.plain_traceback
    )


def formatter(style: str) -> logging.Formatter:
    """style: `json` or `text`."""
    rendered: list[Processor] = [structlog.processors.format_exc_info, as_json] if style == "json" else [as_text()]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level, structlog.stdlib.add_logger_name, structlog.stdlib.ExtraAdder(FIELDS), identified,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendered],
    )  # fmt: skip


def set_up(style: str) -> None:
    """To stderr, from INFO on."""
    handler = logging.StreamHandler()
    handler.setFormatter(formatter(style))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("httpx").setLevel(logging.WARNING)        # it logs whole URLs
    # No line says where in the code, or in which thread, it was written: to find out took a quarter of its time.
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False


def told(log: logging.Logger, event: str, **fields: Any) -> None:
    """A line with fields of its own."""
    log.info(event, extra=fields)
