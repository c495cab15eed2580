"""Log lines about failed work that is retried automatically."""

import logging
from time import monotonic

STARTED = monotonic()
SETTLING = 15.0
"""Seconds after the start of the process in which a failed first attempt is normal, since everything connects at once."""


def tried_again(log: logging.Logger, message: str, *values: object) -> bool:
    """Log a failure as a warning or, while the process starts, as information.

    Returns whether it was a warning.
    """
    warns = monotonic() >= STARTED + SETTLING
    log.log(logging.WARNING if warns else logging.INFO, message, *values)
    return warns
