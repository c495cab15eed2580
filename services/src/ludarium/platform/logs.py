"""How this process logs: lines for people or JSON, whoever writes them, each with the id of the request that it is about."""

import logging
from collections.abc import Callable
from time import monotonic
from typing import Any

import msgspec
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from ludarium.platform.request_context import current
from ludarium_eventstore import reason

FIELDS = ("method", "route", "status", "ms", "answered", "seconds")
"""What lines may have beside their text."""
OURS = {"ludarium", "ludarium_engine", "ludarium_eventstore", "ludarium_pairing", "run"}
"""Packages whose own lines are all written."""
MINUTE = 60.0
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


class Reasons(logging.Filter):
    """Write an error in a line with the name of its class: many say nothing else, such as a TimeoutError."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(reason(arg) if isinstance(arg, BaseException) else arg for arg in record.args)
        return True


class Libraries(logging.Filter):
    """Write at most one warning or error a minute of each logger of a library; the next says how many were left out.

    A warning has the reason in its line instead of a traceback through the library's code.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._written: dict[str, float] = {}
        self._left_out: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        name = record.name
        if record.levelno < logging.WARNING or name.partition(".")[0] in OURS:
            return True
        now = self._clock()
        if now < self._written.get(name, -MINUTE) + MINUTE:
            self._left_out[name] = self._left_out.get(name, 0) + 1
            return False
        self._written[name] = now
        record.msg, record.args = self._line(record), ()
        return True

    def _line(self, record: logging.LogRecord) -> str:
        line = record.getMessage()
        if record.levelno < logging.ERROR and record.exc_info and record.exc_info[1]:
            line += f": {reason(record.exc_info[1])}"
            record.exc_info = record.exc_text = None
        if left_out := self._left_out.pop(record.name, 0):
            line += f" ({left_out} more since the last line)"
        return line


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


def filters(clock: Callable[[], float] = monotonic) -> tuple[logging.Filter, ...]:
    """What each line goes through before it is written."""
    return Libraries(clock), Reasons()


def set_up(style: str) -> None:
    """To stderr, from INFO on."""
    handler = logging.StreamHandler()
    handler.setFormatter(formatter(style))
    for wanted in filters():
        handler.addFilter(wanted)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("httpx").setLevel(logging.WARNING)        # it logs whole URLs
    # No line says where in the code, or in which thread, it was written: to find out took a quarter of its time.
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False


def told(log: logging.Logger, event: str, **fields: Any) -> None:
    """A line with fields of its own."""
    log.info(event, extra=fields)
