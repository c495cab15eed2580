"""The machine's clock, for tests without a service."""
from __future__ import annotations

from datetime import UTC, datetime

from ludarium.clocks.server_clock import whole


def now() -> datetime:
    return whole(datetime.now(UTC))
