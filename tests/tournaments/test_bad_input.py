"""Each impossible request to a tournament gets its problem and changes nothing."""
from __future__ import annotations

import time
from typing import Any

import httpx

from ludarium.platform.database import Database
from tests.support.people import Person
from tests.support.tournaments import SWISS, Event, code, event_of, host_of, plan, players_of

BODY = 5_000_000
"""More characters than any request may have, so its length alone is refused."""


class Asked:
    """Requests to one tournament, each of which must leave the tournament unchanged."""

    def __init__(self, event: Event) -> None:
        self.event = event

    async def refused(self, wanted: str, who: Person, method: str, path: str, body: Any = None) -> None:
        before = (await self.event.body())["seq"]
        assert await code(who, method, self.event.path + path, body) == wanted, (method, path, body)
        assert (await self.event.body())["seq"] == before


async def test_before_the_first_round(http: httpx.AsyncClient, base: Database) -> None:
    now = int(time.time())
    event = await Event.set_up(await host_of(http, base, "Bela"), plan(SWISS, starts_at=now + 30, check_in=60, late_rounds=1))
    host, asked = event.host, Asked(event)
    one, other, stranger = await players_of(http, base, 3)
    await asked.refused("tournament-not-open", one, "POST", "/entries", {"code": ""})
    await event.opened()
    await event.enter([one, other])
    await asked.refused("already-entered", one, "POST", "/entries", {"code": ""})
    await asked.refused("already-entered", host, "POST", "/entries/import", {"csv": f"{stranger.id}\n{one.id}"})
    await asked.refused("invalid-import", host, "POST", "/entries/import", {"csv": "x\n" * 10_000})
    await asked.refused("invalid-import", host, "POST", "/entries/import", {"csv": f"{stranger.id},1e99"})
    await asked.refused("invalid-import", host, "POST", "/entries/import", {"csv": f"{stranger.id}\n{stranger.id}"})
    await asked.refused("body-too-large", host, "POST", "/entries/import", {"csv": "x" * BODY})
    await asked.refused("not-entered", stranger, "POST", "/check-in")
    await asked.refused("not-entered", stranger, "PUT", "/nonce", {"nonce": "01"})
    await asked.refused("tournament-open", host, "POST", "/stages/1/rounds", {"expected_seq": (await event.body())["seq"]})
    await event.closed()
    await asked.refused("too-few-entries", host, "POST", "/stages/1/rounds", {"expected_seq": (await event.body())["seq"]})
    await asked.refused("not-found", host, "POST", "/stages/2/rounds", {"expected_seq": (await event.body())["seq"]})
    await asked.refused("not-found", host, "GET", "/stages/1/rounds/1")
    for person in (one, other):
        await person.post(f"{event.path}/check-in")
    await event.drafted()
    await event.opened()
    await event.enter([stranger])
    await asked.refused("check-in-late", stranger, "POST", "/check-in")
    await asked.refused("tournament-begun", host, "PUT", "/entries/1/seed", {"expected_seq": 5, "rating": 1})


async def test_in_a_round(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 3, {**SWISS, "rounds": 2})
    host, asked, path = event.host, Asked(event), event.round_path(1, 1)
    arbiter = await host_of(http, base, "Pal")
    await event.opened()
    await event.enter([arbiter])
    await event.closed()
    await event.appoint(arbiter, "arbiter")
    draft = await event.drafted()
    seq = {"expected_seq": draft["seq"]}
    await asked.refused("round-drafted", host, "POST", "/stages/1/rounds", seq)
    await asked.refused("pairing-invalid", host, "PATCH", path, {**seq, "tables": [[1, 2, 3]]})
    await asked.refused("pairing-invalid", host, "PATCH", path, {**seq, "tables": [[1, 2], [2, 3]]})
    await asked.refused("invalid-request", host, "PATCH", path, seq)
    await asked.refused("forbidden", arbiter, "POST", f"{path}/publish", seq)
    await asked.refused("stale-desk", host, "POST", f"{path}/publish", {"expected_seq": draft["seq"] - 1})
    await asked.refused("future-sequence", host, "POST", f"{path}/publish", {"expected_seq": 10_000})
    await asked.refused("round-not-published", host, "POST", f"{path}/close", seq)
    told = await event.publish(draft)
    own = next(table for table in told["tables"] if arbiter in event.seated(table).values())
    other = next(table for table in told["tables"] if table is not own)
    await asked.refused("round-published", host, "POST", f"{path}/publish", {"expected_seq": told["seq"]})
    await asked.refused("tables-open", host, "POST", f"{path}/close", {"expected_seq": told["seq"]})
    ruling = {"expected_seq": told["seq"], "reason": "As was seen"}
    at_own, at_other = (f"{path}/tables/{table['board']}/rulings" for table in (own, other))
    await asked.refused("plays-there", arbiter, "POST", at_own, {**ruling, "verdict": "void"})
    await asked.refused("table-running", arbiter, "POST", at_other, {**ruling, "verdict": "upheld"})
    await asked.refused("invalid-places", arbiter, "POST", at_other, {**ruling, "verdict": "places", "places": [2, 3]})
    await asked.refused("invalid-places", arbiter, "POST", at_other, {**ruling, "verdict": "void", "places": [2, 3]})
    await asked.refused("not-found", arbiter, "POST", f"{path}/tables/9/rulings", {**ruling, "verdict": "void"})
    await asked.refused("plays-there", arbiter, "PUT", "/entries/4/penalty", {**ruling, "units": 60})
    await asked.refused("not-seated", arbiter, "POST", f"{path}/tables/{other['board']}/disputes", {"reason": "Why"})
    await asked.refused("not-found", host, "POST", "/entries/9/remove", {"expected_seq": told["seq"]})
    four = {"expected_seq": told["seq"], "tables": [[1, 2, 3, 4]]}
    await asked.refused("pairing-invalid", host, "POST", f"{path}/recut", four)
