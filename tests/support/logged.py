"""Capture the log of a process in the form that an operator reads."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from ludarium.platform import logs


@contextmanager
def logged(style: str, level: int = logging.INFO) -> Iterator[io.StringIO]:
    """Capture the messages of our own loggers, but not those of the HTTP client."""
    told, root = io.StringIO(), logging.getLogger()
    handler, before = logging.StreamHandler(told), root.level
    handler.setFormatter(logs.formatter(style))
    handler.addFilter(lambda record: record.name.startswith("ludarium"))
    root.addHandler(handler)
    root.setLevel(level)
    try:
        yield told
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
