"""Log failures of work that is retried automatically."""

import logging
from time import monotonic

STARTED = monotonic()
SETTLING = 15.0
"""Seconds after a process's start in which failed attempts are normal, since other servers may be starting too."""


def tried_again(log: logging.Logger, message: str, *values: object) -> bool:
    """Log a failure as a warning or, while the process starts, as information.

    Returns:
        Whether the failure was logged as a warning.
    """
    warns = monotonic() >= STARTED + SETTLING
    log.log(logging.WARNING if warns else logging.INFO, message, *values)
    return warns
