"""Clocks over HTTP, with the opening of tables, views, events, and rest hours."""
from __future__ import annotations

import httpx

from ludarium.platform.config import Config
from ludarium.server import running
from tests.support.entropy import ENTROPY
from tests.support.people import Person

LIVE = {"type": "live", "bank": 5}
POLICIES = {"clock": LIVE, "absence": {"remedy": "forfeit"}}
BAD_CLOCKS = (
    {"type": "live", "bank": 4}, {"type": "live", "bank": -1}, {"type": "live", "bank": 86401}, {"type": "live"},
    {"type": "live", "bank": 5, "cap": 4}, {"type": "live", "bank": 5, "days": 1}, {"type": "sand", "bank": 5}, {"bank": 5},
    {"type": "turn-based", "days": 0}, {"type": "turn-based", "days": 31},
    {"type": "turn-based", "days": 1, "window_hours": 25},
)  # fmt: skip
BAD_RESTS = ({"zone": "Europe/Atlantis"}, {"opens": 480, "closes": 1199}, {"opens": -1}, {"vacations": [{"first": "now"}]})


async def test_a_table_with_a_clock_from_its_opening_to_its_end(database_url: str, redis_url: str) -> None:
    async with (
        running(Config(port=0, ws_port=0, rate_limits=False), database_url, redis_url, ENTROPY) as address,
        httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=30) as http,
    ):
        ada, bea = [await Person.arrive(http, name) for name in ("Ada", "Bea")]
        for clock in BAD_CLOCKS:
            wanted = {"ruleset": "game-of-kingdoms", "seats": 2, "policies": {"clock": clock}}
            answer = await ada.ask("POST", "/tables", json=wanted)
            assert (answer.status_code, answer.json()["code"]) == (400, "invalid-request"), clock
        await rests(ada)
        table = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2, "policies": POLICIES}))["id"]
        for person in (ada, bea):
            await person.post(f"/tables/{table}/seats", {})
        await ada.post(f"/tables/{table}/start", {})
        clocks = (await ada.view(table))["clocks"]
        assert sorted(clock["runs"] for clock in clocks["seats"]) == [False, True]
        assert all(4000 < clock["remaining_ms"] <= 5000 for clock in clocks["seats"])
        async with http.stream("GET", f"/tables/{table}/stream", headers={"accept": "application/x-ndjson"}) as stream:
            async for line in stream.aiter_lines():
                if '"game_ended"' in line:
                    break
        events = (await bea.get(f"/tables/{table}/events", after=-1))["events"]
        assert [event["type"] for event in events][-4:] == ["timed_out", "retired", "game_ended", "seeds_revealed"]
        assert events[1]["data"]["policies"]["clock"] == LIVE | {"increment": 0, "delay": 0, "cap": None}
        assert events[-2]["data"]["reason"] == "timed_out"


async def rests(person: Person) -> None:
    always = {"zone": "UTC", "opens": 0, "closes": 0, "vacations": []}
    assert await person.get("/me/rest") == always
    for rest in BAD_RESTS:
        answer = await person.ask("PUT", "/me/rest", json=rest)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid-request"), rest
    assert await person.get("/me/rest") == always
    vacation = {"first": "2027-01-01", "last": "2027-01-07"}
    nights = {"zone": "Asia/Kathmandu", "opens": 420, "closes": 1320, "vacations": [vacation]}
    assert (await person.ask("PUT", "/me/rest", json=nights)).status_code == 200
    assert await person.get("/me/rest") == nights
