"""Idempotency keys that nobody can need any more, forgotten bit by bit: any process may do it, one at a time does."""
from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from ludarium.platform.complaints import tried_again
from ludarium_eventstore import EventStore, StoreUnavailable

log = logging.getLogger(__name__)
KEPT = timedelta(days=7)
"""How long a command can be told by its key. Clients send one again for minutes, a phone that was off for a night for hours."""
MOST = 2000
"""Rows of the log in one transaction."""
EVERY = 60.0
"""Seconds between two rounds."""
PAUSE = 0.2
"""Seconds between two transactions of a round, which others use meanwhile."""


async def pruning(store: EventStore) -> None:
    """Until cancelled."""
    while True:
        try:
            await one_round(store)
        except StoreUnavailable as error:
            tried_again(log, "old keys are kept until the next round: %s", error)
        await asyncio.sleep(EVERY)


async def one_round(store: EventStore) -> None:
    while await store.prune_commands(KEPT, MOST) == MOST:
        await asyncio.sleep(PAUSE)
