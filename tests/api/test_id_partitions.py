"""Partitions of ids: tables and deals use 1 to 1023, everything else uses 0."""
from __future__ import annotations

import httpx

from ludarium.platform import ids
from tests.api.test_studies import STUDY, game
from tests.support.people import Person
from tests.support.tournaments import SWISS, plan

RULESET = "game-of-kingdoms"
REDIRECTS = ["https://radar.example/back"]


def partition(text: object) -> int:
    return ids.partition_of(ids.decode(str(text)))


async def test_what_is_not_a_table_is_in_the_home_partition(http: httpx.AsyncClient, ada: Person) -> None:
    guest, _, table = await game(http, 8)
    study = await guest.post(f"/tables/{table}/studies", STUDY)
    app = await ada.post("/me/apps", {"name": "Radar", "redirects": REDIRECTS})
    tournament = await ada.post("/tournaments", {"title": "Cup", "plan": plan(SWISS)})
    found = {"guest": guest.id, "account": ada.id, "study": study["id"], "app": app["id"], "tournament": tournament["id"]}
    assert {name: partition(text) for name, text in found.items()} == dict.fromkeys(found, ids.HOME)


async def test_tables_are_in_the_other_partitions(http: httpx.AsyncClient, ada: Person) -> None:
    wanted = {"ruleset": RULESET, "seats": 2}
    _, _, table = await game(http, 8)
    bulk = await ada.post("/tables/bulk", {"tables": [{"table": wanted, "players": []}] * 3})
    opened = [table, (await ada.post("/tables", wanted))["id"], *(each["table"]["id"] for each in bulk["tables"])]
    assert all(1 <= partition(text) < ids.PARTITIONS for text in opened) and len(opened) == 5
