"""Set up logging as text or JSON, with the id of the request in each line."""

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
"""Additional fields that a log line may have."""
OURS = {"ludarium", "ludarium_engine", "ludarium_eventstore", "ludarium_pairing", "run"}
"""Packages of our own, whose log lines are never dropped."""
MINUTE = 60.0
encode = msgspec.json.Encoder(enc_hook=str).encode


def identified(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """Add the id of the current request, if there is one, to a log line."""
    if exchange := current.get():
        line["request"] = exchange.id
    return line


def as_json(_: WrappedLogger, __: str, line: EventDict) -> str:
    return encode(line).decode()


def as_text() -> Processor:
    # Rich's tracebacks would show the values of local variables: tokens, seeds, hands.
    return structlog.dev.ConsoleRenderer(
        colors=False, pad_event_to=0, pad_level=False, exception_formatter=structlog.dev.plain_traceback
    )


class Reasons(logging.Filter):
    """A filter that adds the class name to logged errors.

    Many errors, such as TimeoutError, have no text.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(reason(arg) if isinstance(arg, BaseException) else arg for arg in record.args)
        return True


class Libraries(logging.Filter):
    """A filter that limits each library's logger to one warning or error a minute.

    The next line says how many lines were dropped. A warning contains its reason instead of a traceback.
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
    """Return the formatter for a style, which is `json` or `text`."""
    rendered: list[Processor] = [structlog.processors.format_exc_info, as_json] if style == "json" else [as_text()]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level, structlog.stdlib.add_logger_name, structlog.stdlib.ExtraAdder(FIELDS), identified,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendered],
    )  # fmt: skip


def filters(clock: Callable[[], float] = monotonic) -> tuple[logging.Filter, ...]:
    """Return the filters for all lines."""
    return Libraries(clock), Reasons()


def set_up(style: str) -> None:
    """Set up logging to stderr, for levels from INFO upwards."""
    handler = logging.StreamHandler()
    handler.setFormatter(formatter(style))
    for wanted in filters():
        handler.addFilter(wanted)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("httpx").setLevel(logging.WARNING)        # it logs whole URLs
    # Lines do not contain the place in the code or the thread: finding it took a quarter of the time.
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False


def told(log: logging.Logger, event: str, **fields: Any) -> None:
    """Log a line with additional fields."""
    log.info(event, extra=fields)
