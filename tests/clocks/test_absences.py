"""The smallest case of `make prove ONLY=absence`, with one game for each policy."""
from __future__ import annotations

from tests.clocks.absences import vanishing
from tests.clocks.absent import REMEDIES


async def test_whoever_stays_finishes_games_at_two_servers(database_url: str, redis_url: str) -> None:
    told = [line async for line in vanishing(database_url, redis_url, ["game-of-kingdoms"], len(REMEDIES), 18)]
    assert [line.partition(";")[0] for line in told] == ["game-of-kingdoms: 4 games finished at two servers"]
