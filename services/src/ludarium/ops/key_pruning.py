"""Deletes old idempotency keys, a few at a time.

Every process may run this; only one deletes at a time.
"""
from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from ludarium.platform.complaints import tried_again
from ludarium_eventstore import EventStore, StoreUnavailable

log = logging.getLogger(__name__)
KEEP_FOR = timedelta(days=7)
"""How long a command is recognised by its key.

Clients repeat a command for minutes; a phone that was off for a night repeats it after hours.
"""
MAX_ROWS = 2000
"""Rows of the log that one transaction processes."""
INTERVAL = 60.0
"""Seconds between two runs."""
PAUSE = 0.2
"""Seconds between two transactions of a run, so that others can write."""


async def prune_keys(store: EventStore) -> None:
    """Delete old keys until cancelled."""
    while True:
        try:
            await prune_once(store)
        except StoreUnavailable as error:
            tried_again(log, "old keys are kept until the next round: %s", error)
        await asyncio.sleep(INTERVAL)


async def prune_once(store: EventStore) -> None:
    while await store.prune_commands(KEEP_FOR, MAX_ROWS) == MAX_ROWS:
        await asyncio.sleep(PAUSE)
