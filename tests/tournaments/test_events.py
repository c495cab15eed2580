"""A whole tournament over HTTP."""
from __future__ import annotations

import httpx

from ludarium.platform.database import Database
from tests.support.tournaments import SWISS, Event, host_of, plan, players_of


async def test_a_swiss_of_eight_from_idea_to_winner(http: httpx.AsyncClient, base: Database) -> None:
    event = await Event.set_up(await host_of(http, base), plan(SWISS))
    await event.opened()
    await event.enter(await players_of(http, base, 8))
    await event.closed()
    for _ in range(3):
        told = await event.whole_round()
        assert [len(table["seats"]) for table in told["tables"]] == [2] * 4
    body = await event.body()
    assert body["status"] == "over"
    rows = (await event.host.get(f"{event.path}/standings"))["rows"]
    assert sum(row["points"] for row in rows) == 3 * 4 * 120
