"""Log lines about work that failed and is tried again by itself."""

import logging
from time import monotonic

STARTED = monotonic()
SETTLING = 15.0
"""Seconds from the start of the process in which a failed first try is normal: everything connects at once then."""


def tried_again(log: logging.Logger, message: str, *values: object) -> bool:
    """Log that something failed: as a warning, or while the process starts as information. Return whether it was a warning."""
    warns = monotonic() >= STARTED + SETTLING
    log.log(logging.WARNING if warns else logging.INFO, message, *values)
    return warns
