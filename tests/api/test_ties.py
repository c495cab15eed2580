"""Follows, blocks, reports, and what profiles show to others."""
from __future__ import annotations

import random

import httpx
import pytest

from ludarium.accounts import relations
from ludarium.moderation.reports import MAX_REPORTS
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.server import Address
from tests.api.test_chat import heard
from tests.api.test_joining import code, opened
from tests.api.test_live import port_of
from tests.api.test_matching import WANTED
from tests.support.live_client import client
from tests.support.people import PRIVATE, Json, Person, end_early, fine, let_in, open_game

KINGDOMS = {"ruleset": "game-of-kingdoms", "seats": 2}
NOBODY = "0" * 26


@pytest.fixture
async def people(http: httpx.AsyncClient) -> list[Person]:
    return [await Person.arrive(http, name) for name in ("Ada", "Bea", "Cyd")]


async def block(person: Person, other: Person) -> None:
    assert (await person.ask("PUT", f"/me/blocks/{other.id}")).status_code == 204


async def names(person: Person, what: str) -> list[str]:
    return [tie["player"]["id"] for tie in await person.list(f"/me/{what}")]


# --- follows and blocks -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("what", ["follows", "blocks"])
async def test_ties_are_made_listed_and_undone(people: list[Person], what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bea, cyd = people
    for _ in range(2):
        for other in (bea, cyd):
            assert (await ada.ask("PUT", f"/me/{what}/{other.id}")).status_code == 204
    assert await names(ada, what) == [cyd.id, bea.id]
    for nobody in (ada.id, NOBODY, "nobody"):
        assert await code(ada, "PUT", f"/me/{what}/{nobody}") == "not-found"
    for _ in range(2):
        assert (await ada.ask("DELETE", f"/me/{what}/{cyd.id}")).status_code == 204
    assert await names(ada, what) == [bea.id]
    monkeypatch.setattr(relations, "MAX_RELATIONS", 1)
    assert await code(ada, "PUT", f"/me/{what}/{cyd.id}") == "too-many-ties"
    assert (await ada.ask("PUT", f"/me/{what}/{bea.id}")).status_code == 204


async def test_a_block_ends_following_both_ways(people: list[Person], base: Database) -> None:
    ada, bea, cyd = people
    for one, other in ((ada, bea), (bea, ada), (bea, cyd)):
        await one.ask("PUT", f"/me/follows/{other.id}")
    await block(ada, bea)
    assert (await names(ada, "follows"), await names(bea, "follows")) == ([], [cyd.id])
    for one, other in ((ada, bea), (bea, ada)):
        assert await code(one, "PUT", f"/me/follows/{other.id}") == "not-found"
        assert await relations.is_blocked(base, one.id, other.id)
    assert not await relations.is_blocked(base, bea.id, cyd.id) and await names(bea, "blocks") == []
    assert await relations.follows(base, bea.id) == {cyd.id}


async def test_friends_are_found_where_they_play(people: list[Person], http: httpx.AsyncClient) -> None:
    ada, bea, cyd = people
    table, hosted = await opened(cyd), await opened(bea)
    await bea.post(f"/tables/{table}/seats")
    await opened(cyd)
    hidden = (await bea.post("/tables", KINGDOMS | PRIVATE))["id"]
    await ada.ask("PUT", f"/me/follows/{bea.id}")

    async def found() -> set[str]:
        return {table["id"] for table in (await ada.get("/tables", friends="true"))["tables"]}

    assert await found() == {table, hosted} and hidden not in await found()
    assert len((await ada.get("/tables", friends="true", status="open", limit=1))["tables"]) == 1
    assert (await bea.ask("PATCH", "/me", json={"hides_presence": True})).json()["hides_presence"] is True
    assert await found() == set()
    assert (await http.get("/tables?friends=true")).json()["code"] == "unauthenticated"


# --- blocks -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("way", ["blocks", "is blocked"])
async def test_a_table_of_a_blocker_is_like_one_that_is_not_for_you(people: list[Person], way: str) -> None:
    ada, bea, cyd = people
    table, private = await opened(ada), await opened(ada, **PRIVATE["policies"])
    invited_only = await opened(cyd, join="invited")
    secret = (await ada.post(f"/tables/{private}/links", {"most": 3}))["secret"]
    await let_in(ada, table, bea)
    await block(*((ada, bea) if way == "blocks" else (bea, ada)))
    not_for_bea = await bea.refused("POST", f"/tables/{invited_only}/seats", {})
    refused = await bea.refused("POST", f"/tables/{table}/seats", {})
    assert refused == not_for_bea | {"instance": refused["instance"]} and refused["code"] == "not-invited"
    assert await code(bea, "POST", f"/tables/{private}/seats", {}) == "not-found"
    assert await code(bea, "POST", "/invitations/accept", {"secret": secret}) == "not-found"
    assert (await ada.get(f"/tables/{private}/invitations"))["links"][0]["used"] == 0
    assert await code(ada, "POST", f"/tables/{table}/invitations", {"player": bea.id}) == "no-such-player"
    assert (await bea.get("/me/invitations"))["tables"] == []
    assert (await ada.get(f"/tables/{table}"))["seats"][0]["player"] is None


async def test_where_a_blocker_sits_one_does_not_sit_down(people: list[Person]) -> None:
    ada, bea, cyd = people
    table = await opened(cyd)
    await ada.post(f"/tables/{table}/seats")
    await block(ada, bea)
    assert await code(bea, "POST", f"/tables/{table}/seats", {}) == "not-invited"
    assert (await cyd.post(f"/tables/{table}/seats"))["events"]


async def test_a_rematch_keeps_nobody_at_the_table_of_who_has_blocked_them(people: list[Person]) -> None:
    ada, bea, _ = people
    table = await open_game([ada, bea])
    await end_early([ada, bea], table, 4, random.Random(4))
    again = (await ada.post(f"/tables/{table}/rematch"))["id"]
    await block(ada, bea)
    await bea.post(f"/tables/{table}/rematch")
    assert [seat["player"] for seat in (await ada.get(f"/tables/{again}"))["seats"]] == [ada.id, None]


async def test_those_who_block_each_other_are_not_matched(people: list[Person]) -> None:
    ada, bea, cyd = people
    await block(ada, bea)
    waiting = await ada.post("/matches", WANTED)
    assert (await bea.post("/matches", WANTED))["table"] is None
    found = (await cyd.post("/matches", WANTED))["table"]
    assert found is not None and (await ada.get(f"/matches/{waiting['id']}"))["table"] == found


async def test_two_of_three_who_block_each_other_are_not_matched_by_the_third(http: httpx.AsyncClient) -> None:
    ada, bea, cyd, dan = [await Person.arrive(http) for _ in range(4)]
    wanted = WANTED | {"seats": 3}
    await block(ada, bea)
    for person in (ada, bea, cyd):
        assert (await person.post("/matches", wanted))["table"] is None
    found = (await dan.post("/matches", wanted))["table"]
    assert {seat["player"] for seat in (await http.get(f"/tables/{found}")).json()["seats"]} == {ada.id, cyd.id, dan.id}


async def test_those_who_block_each_other_do_not_hear_each_other(people: list[Person], address: Address) -> None:
    ada, bea, cyd = people
    table = await open_game(people)
    await block(ada, bea)
    async with client(port_of(address), bea.token) as deaf, client(port_of(address), cyd.token) as hears:
        subs = [await socket.subscribe(table, after=-1) for socket in (deaf, hears)]
        assert subs
        await ada.post(f"/tables/{table}/chat", {"text": "psst"})
        await cyd.post(f"/tables/{table}/chat", {"text": "hello"})
        for socket, expected in ((deaf, ["hello"]), (hears, ["psst", "hello"])):
            assert [said["text"] for said in await heard(socket, len(expected))] == expected
    for person, texts in ((bea, [None, "hello"]), (cyd, ["psst", "hello"])):
        read = (await person.get(f"/tables/{table}/chat"))["messages"]
        assert [message["text"] for message in read] == texts and [message["number"] for message in read] == [1, 2]
    assert [message["gone"] for message in (await bea.get(f"/tables/{table}/chat"))["messages"]] == ["hidden", None]


# --- reports ------------------------------------------------------------------------------------------------------------
async def test_a_report_is_kept_and_names_its_maker_to_nobody(people: list[Person], base: Database) -> None:
    ada, bea, cyd = people
    table = await open_game([ada, bea])
    said = await bea.post(f"/tables/{table}/chat", {"text": "you fool"})
    about = {"reason": "insult", "table": table, "message": said["id"], "text": "this\nand that"}
    made = [await ada.post("/reports", about, **{"idempotency-key": "1"}) for _ in range(2)]
    assert made[0] == made[1] and (made[0]["player"], made[0]["closed"]) == (bea.id, False)
    rows = await base.rows("select * from accounts.reports where reporter_id = $1", ids.decode(ada.id))
    assert [(row["reason"], row["text"], row["closed_at"]) for row in rows] == [("insult", "this\nand that", None)]
    assert [ids.encode(rows[0][name]) for name in ("player_id", "table_id", "message_id")] == [bea.id, table, said["id"]]
    for person in (bea, cyd):
        assert ada.id not in str((await person.get("/me/export"))["reports"])


@pytest.mark.parametrize(
    ("about", "refusal"),
    [
        ({}, "invalid-request"),
        ({"player": NOBODY}, "no-such-player"),
        ({"table": NOBODY}, "not-found"),
        ({"message": NOBODY}, "invalid-request"),
        ({"reason": "dislike", "player": "ada"}, "invalid-request"),
        ({"player": "ada", "text": "x" * 1001}, "invalid-request"),
        ({"player": "ada", "text": "\u0000"}, "invalid-request"),
        ({"player": "ada", "message": NOBODY, "table": NOBODY}, "invalid-request"),
        ({"table": "private"}, "not-found"),
        ({"table": "ada's", "message": NOBODY}, "not-found"),
        ({"table": "ada's", "message": "said"}, "forbidden"),
    ],
)
async def test_a_report_that_cannot_be(people: list[Person], about: Json, refusal: str) -> None:
    ada, bea, _ = people
    running = await open_game([ada], bots=("simple",))
    known = {
        "ada": ada.id, "private": await opened(ada, **PRIVATE["policies"]), "ada's": running,
        "said": (await ada.post(f"/tables/{running}/chat", {"text": "hm"}))["id"],
    }  # fmt: skip
    body = {"reason": "other"} | {name: known.get(value, value) for name, value in about.items()}
    assert await code(bea, "POST", "/reports", body) == refusal


async def test_reports_have_a_limit_a_day(people: list[Person], base: Database) -> None:
    ada, bea, _ = people
    for _ in range(MAX_REPORTS):
        await ada.post("/reports", {"reason": "spam", "player": bea.id})
    assert await code(ada, "POST", "/reports", {"reason": "spam", "player": bea.id}) == "too-many-reports"
    await base.rows("update accounts.reports set at = at - interval '1 day'")
    await ada.post("/reports", {"reason": "spam", "player": bea.id})


# --- profiles -----------------------------------------------------------------------------------------------------------
async def test_a_profile_shows_finished_public_games_unless_it_hides_them(
    people: list[Person], http: httpx.AsyncClient
) -> None:
    ada, bea, cyd = people
    table, running = await open_game([ada, bea]), await open_game([ada, cyd])
    await end_early([ada, bea], table, 4, random.Random(8))
    hidden = (await ada.post("/tables", KINGDOMS | PRIVATE))["id"]
    await let_in(ada, hidden, bea)
    for person in (ada, bea):
        await person.post(f"/tables/{hidden}/seats")
    await ada.post(f"/tables/{hidden}/start")
    await end_early([ada, bea], hidden, 4, random.Random(8))

    async def shown(person: Person | None) -> list[str]:
        page = fine(await (person.ask("GET", path) if person else http.get(path)))
        return [game["table"]["id"] for game in page["games"]]

    path = f"/players/{ada.id}/games"
    assert await shown(None) == await shown(bea) == [table] and running not in await shown(None)
    assert fine(await http.get(f"/players/{cyd.id}/games"))["games"] == []
    assert (await ada.ask("PATCH", "/me", json={"hides_history": True})).json()["hides_history"] is True
    assert (await shown(None), await shown(bea), await shown(ada)) == ([], [], [table])
    profile = fine(await http.get(f"/players/{ada.id}"))
    assert profile == {
        "id": ada.id, "name": "Ada", "kind": "guest", "owner": None, "deleted": False, "hides_history": True,
    }  # fmt: skip
    assert (await ada.ask("PATCH", "/me", json={})).json()["hides_history"] is True
    assert (await http.get(f"/players/{NOBODY}/games")).json()["code"] == "not-found"
