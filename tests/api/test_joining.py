"""Joining a table: policies, links, invitations, reserved seats, private tables."""

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from ludarium.server import Address
from tests.api.test_accounts import a_login
from tests.api.test_accounts import opened as account
from tests.api.test_live import port_of
from tests.api.test_streams import lines, until
from tests.support.live_client import client
from tests.support.people import PRIVATE, Json, Person, end_early, fine, let_in, open_game
from tests.support.waiting import eventually, in_time, within_limit

KINGDOMS = {"ruleset": "game-of-kingdoms", "seats": 2}
PROJECT = Path(__file__).parents[2]
LIVE = {"type": "live", "bank": 300}
BY_LINK = KINGDOMS | PRIVATE


@pytest.fixture
async def people(http: httpx.AsyncClient) -> list[Person]:
    return [await Person.arrive(http, name) for name in ("Ada", "Bea", "Cyd")]


async def opened(host: Person, **policies: object) -> str:
    table: str = (await host.post("/tables", KINGDOMS | {"policies": policies}))["id"]
    return table


async def code(person: Person, method: str, path: str, body: object = None) -> str:
    return str((await person.refused(method, path, body))["code"])


# --- policies -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "policies",
    [
        {"spectators": {"who": "nobody"}},
        {"spectators": {"who": "named"}, "join": "link"},
        {"spectators": {"who": "everybody", "people": ["0" * 26]}},
        {"spectators": {"who": "delayed"}},
        {"spectators": {"events": 3}},
        {"absence": {"remedy": "bot"}},
        {"absence": {"bot": "simple"}},
        {"rated": True, "absence": {"remedy": "bot", "bot": "simple"}},
    ],
)
async def test_policies_that_cannot_be(people: list[Person], policies: Json) -> None:
    ada = people[0]
    assert await code(ada, "POST", "/tables", KINGDOMS | {"policies": policies}) == "invalid-policies"
    table = await opened(ada)
    assert await code(ada, "POST", f"/tables/{table}/policies", policies) == "invalid-policies"
    assert (await ada.get(f"/tables/{table}"))["seq"] == 1


async def test_what_holds_is_read_before_one_sits_down(people: list[Person], http: httpx.AsyncClient) -> None:
    table = await opened(people[0], undo="consent", absence={"remedy": "bot", "bot": "simple"})
    told = (await http.get(f"/tables/{table}")).json()["policies"]
    assert (told["undo"], told["absence"]) == ("consent", {"remedy": "bot", "bot": "simple", "grace": 300})
    log = (await http.get(f"/tables/{table}/events")).json()["events"]
    assert [event["type"] for event in log] == ["table_opened", "policies"] and log[1]["data"]["policies"] == told


async def test_a_change_asks_everybody_anew(people: list[Person]) -> None:
    ada, bea, _ = people
    table = await opened(ada)
    for person in (ada, bea):
        await person.post(f"/tables/{table}/seats")
    assert await code(bea, "POST", f"/tables/{table}/policies", {"undo": "none"}) == "forbidden"
    await ada.post(f"/tables/{table}/policies", {"undo": "none"})
    assert [seat["ready"] for seat in (await bea.get(f"/tables/{table}"))["seats"]] == [True, False]
    assert await code(ada, "POST", f"/tables/{table}/start") == "seats-not-ready"
    await bea.post(f"/tables/{table}/ready", {"ready": True})
    await ada.post(f"/tables/{table}/start")
    assert await code(ada, "POST", f"/tables/{table}/policies", {}) == "table-not-open"
    assert await code(bea, "POST", f"/tables/{table}/ready", {"ready": False}) == "table-not-open"


async def test_a_full_table_starts_by_itself_once_all_are_ready(people: list[Person]) -> None:
    ada, bea, _ = people
    table = await opened(ada, auto_start=True)
    await ada.post(f"/tables/{table}/seats")
    await ada.post(f"/tables/{table}/ready", {"ready": False})
    key = {"idempotency-key": "sits"}
    first = await bea.post(f"/tables/{table}/seats", {}, **key)
    assert [event["type"] for event in first["events"]] == ["seated"]
    started = await ada.post(f"/tables/{table}/ready", {"ready": True}, **key)
    assert [event["type"] for event in started["events"]] == ["ready", "game_started"]
    assert await ada.post(f"/tables/{table}/ready", {"ready": True}, **key) == started


async def test_a_table_is_handed_over_and_closed(people: list[Person]) -> None:
    ada, bea, cyd = people
    table = await opened(ada)
    assert await code(ada, "POST", f"/tables/{table}/host", {"player": bea.id}) == "no-such-player"
    await bea.post(f"/tables/{table}/seats")
    assert await code(cyd, "POST", f"/tables/{table}/host", {"player": cyd.id}) == "forbidden"
    await ada.post(f"/tables/{table}/host", {"player": bea.id})
    assert await code(ada, "DELETE", f"/tables/{table}") == "forbidden"
    fine(await bea.ask("DELETE", f"/tables/{table}"))
    body = await cyd.get(f"/tables/{table}")
    assert (body["host"], body["status"], body["reason"], body["outcome"]) == (bea.id, "over", "voided", None)
    assert await code(cyd, "POST", f"/tables/{table}/seats", {}) == "table-closed"
    assert table not in [found["id"] for found in (await ada.get("/tables", status="open"))["tables"]]


# --- rated ----------------------------------------------------------------------------------------------------------------
async def test_a_rated_table_is_for_accounts_alone(people: list[Person]) -> None:
    ada, bea, cyd = people
    host, other = [(await account(person, a_login()))[0] for person in (ada, bea)]
    assert await code(cyd, "POST", "/tables", KINGDOMS | {"policies": {"rated": True}}) == "no-guests"
    assert await code(cyd, "POST", "/matches", KINGDOMS | {"policies": {"rated": True, "clock": LIVE}}) == "no-guests"
    table = await opened(host, rated=True)
    assert await code(cyd, "POST", f"/tables/{table}/seats", {}) == "no-guests"
    assert await code(host, "POST", f"/tables/{table}/seats", {"bot": "simple"}) == "no-bots"
    for person in (host, other):
        await person.post(f"/tables/{table}/seats")
    await host.post(f"/tables/{table}/start")
    assert (await cyd.get(f"/tables/{table}"))["policies"]["rated"]
    rated, casual = [(await cyd.get("/tables", rated=kind, limit=100))["tables"] for kind in ("true", "false")]
    assert table in [found["id"] for found in rated] and all(found["rated"] for found in rated)
    assert table not in [found["id"] for found in casual] and not any(found["rated"] for found in casual)


async def test_a_table_is_not_rated_over_the_heads_of_who_sits_there(people: list[Person]) -> None:
    host, _ = await account(people[0], a_login())
    table = await opened(host)
    await people[1].post(f"/tables/{table}/seats")
    assert await code(host, "POST", f"/tables/{table}/policies", {"rated": True}) == "rated-too-late"
    fine(await people[1].ask("DELETE", f"/tables/{table}/seats/0"))
    await host.post(f"/tables/{table}/policies", {"rated": True})
    assert await code(people[1], "POST", f"/tables/{table}/seats", {}) == "no-guests"
    await host.post(f"/tables/{table}/seats")
    await host.post(f"/tables/{table}/policies", {"rated": False})
    await people[1].post(f"/tables/{table}/seats")


# --- invitations --------------------------------------------------------------------------------------------------------
WAYS = ("", "/view", "/events", "/record", "/proof", "/frames", "/replay", "/stream")


async def test_without_an_invitation_a_private_table_is_not_there(people: list[Person], address: Address) -> None:
    ada, bea, _ = people
    table = (await ada.post("/tables", BY_LINK))["id"]
    for path in WAYS:
        assert await code(bea, "GET", f"/tables/{table}{path}") == "not-found"
    for path, body in (("/seats", {}), ("/ready", {"ready": True}), ("/links", {}), ("/policies", {}), ("/resign", None)):
        assert await code(bea, "POST", f"/tables/{table}{path}", body) == "not-found"
    async with client(port_of(address), bea.token) as socket:
        assert (await socket.request("subscribe", table=table, after=-1))["problem"]["code"] == "not-found"
    for lists in ("/tables", "/positions"):
        assert table not in str(await bea.get(lists))


async def test_a_link_lets_in_so_many_and_no_more(people: list[Person]) -> None:
    ada, bea, cyd = people
    table = (await ada.post("/tables", BY_LINK))["id"]
    link = await ada.post(f"/tables/{table}/links", {"most": 1})
    assert await code(cyd, "POST", "/invitations/accept", {"secret": link["secret"] + "x"}) == "not-found"
    for _ in range(2):
        assert (await bea.post("/invitations/accept", {"secret": link["secret"]}))["id"] == table
    assert await code(cyd, "POST", "/invitations/accept", {"secret": link["secret"]}) == "invitation-used"
    assert await code(cyd, "POST", f"/tables/{table}/seats", {}) == "not-found"
    assert (await bea.get(f"/tables/{table}"))["status"] == "open"
    seated = (await bea.post(f"/tables/{table}/seats"))["events"][0]["data"]
    assert seated["way"] == "link"
    log = str((await bea.get(f"/tables/{table}/events"))["events"])
    assert link["secret"] not in log and link["id"] not in log
    told = await ada.get(f"/tables/{table}/invitations")
    assert (told["links"][0]["used"], told["links"][0]["secret"]) == (1, None)


async def test_a_revoked_link_lets_nobody_in_nor_who_came_by_it(people: list[Person]) -> None:
    ada, bea, cyd = people
    table = (await ada.post("/tables", BY_LINK))["id"]
    link = await ada.post(f"/tables/{table}/links", {"most": 5})
    await bea.post("/invitations/accept", {"secret": link["secret"]})
    other = await opened(ada)
    assert await code(ada, "DELETE", f"/tables/{other}/links/{link['id']}") == "not-found"
    assert (await ada.ask("DELETE", f"/tables/{table}/links/{link['id']}")).status_code == 204
    assert await code(cyd, "POST", "/invitations/accept", {"secret": link["secret"]}) == "invitation-revoked"
    assert await code(bea, "POST", f"/tables/{table}/seats", {}) == "not-found"


async def test_a_link_does_not_open_a_table_that_takes_the_invited_only(people: list[Person]) -> None:
    ada, bea, cyd = people
    table = await opened(ada, join="invited")
    link = await ada.post(f"/tables/{table}/links", {})
    await bea.post("/invitations/accept", {"secret": link["secret"]})
    assert await code(bea, "POST", f"/tables/{table}/seats", {}) == "not-invited"
    await let_in(ada, table, cyd)
    assert [found["table"] for found in (await cyd.get("/me/invitations"))["tables"]] == [table]
    assert (await cyd.post(f"/tables/{table}/seats"))["events"][0]["data"]["way"] == "invitation"


async def test_a_seat_is_kept_and_given_up(people: list[Person], http: httpx.AsyncClient) -> None:
    ada, bea, cyd = people
    table = await opened(ada)
    nobody = {"player": "0" * 26}
    assert await code(ada, "POST", f"/tables/{table}/invitations", nobody) == "no-such-player"
    await ada.post(f"/tables/{table}/invitations", {"player": bea.id, "seat": 0})
    assert await code(cyd, "POST", f"/tables/{table}/seats", {"seat": 0}) == "seat-reserved"
    await ada.post(f"/tables/{table}/seats")
    assert await code(cyd, "POST", f"/tables/{table}/seats", {}) == "seat-reserved"
    seats = (await http.get(f"/tables/{table}")).json()["seats"]
    assert [(seat["player"], seat["reserved"]) for seat in seats] == [(None, bea.id), (ada.id, None)]
    fine(await bea.ask("DELETE", f"/tables/{table}/seats/0"))
    assert (await bea.ask("DELETE", f"/tables/{table}/invitations/{bea.id}")).status_code == 204
    await cyd.post(f"/tables/{table}/seats")
    assert await code(bea, "DELETE", f"/tables/{table}/seats/0") == "forbidden"
    fine(await ada.ask("DELETE", f"/tables/{table}/seats/0"))


# --- spectators -----------------------------------------------------------------------------------------------------------
async def test_who_loses_the_right_to_look_is_told_no_more(people: list[Person], address: Address) -> None:
    ada, bea, cyd = people
    table = await opened(ada)
    async with client(port_of(address), bea.token) as stranger, client(port_of(address), cyd.token) as named:
        lost, kept = await stranger.subscribe(table), await named.subscribe(table)
        for one, sub in ((stranger, lost), (named, kept)):
            await one.until(sub, 1)
        await ada.post(f"/tables/{table}/policies", {"spectators": {"who": "named", "people": [cyd.id]}, "join": "invited"})
        await ada.post(f"/tables/{table}/seats")
        await named.until(kept, 3)
        await stranger.until_notice({"type": "ended", "sub": lost})
        assert "seated" not in str(stranger.heard)
    assert await code(bea, "GET", f"/tables/{table}") == "not-found"


async def by_link(host: Person, guest: Person) -> tuple[str, str]:
    """Open a private table, and give the guest access by a link.

    Returns:
        The table and the link's id.
    """
    table = (await host.post("/tables", BY_LINK))["id"]
    link = await host.post(f"/tables/{table}/links", {"most": 5})
    await guest.post("/invitations/accept", {"secret": link["secret"]})
    return table, link["id"]


async def test_who_came_by_a_link_follows_and_reads_before_they_sit(
    people: list[Person], address: Address, http: httpx.AsyncClient
) -> None:
    ada, bea, _ = people
    table, _ = await by_link(ada, bea)
    for path in ("/view", "/events", "/record", "/proof", "/chat"):
        await bea.get(f"/tables/{table}{path}")
    async with client(port_of(address), bea.token) as socket:
        sub = await socket.subscribe(table)
        await bea.post(f"/tables/{table}/seats")
        assert (await socket.until(sub, 2))[-1]["type"] == "seated"
    heard = await until(lines(http, f"/tables/{table}/stream", authorization=f"Bearer {bea.token}"), 2)
    assert [event["type"] for event in heard] == ["table_opened", "policies", "seated"]


async def revoked(host: Person, guest: Person, table: str, link: str) -> None:
    assert (await host.ask("DELETE", f"/tables/{table}/links/{link}")).status_code == 204


async def sent_away(host: Person, guest: Person, table: str, link: str) -> None:
    assert (await host.ask("DELETE", f"/tables/{table}/invitations/{guest.id}")).status_code == 204


async def shut(host: Person, guest: Person, table: str, link: str) -> None:
    await host.post(f"/tables/{table}/policies", PRIVATE["policies"] | {"join": "invited"})


async def begun_without(host: Person, guest: Person, table: str, link: str) -> None:
    await host.post(f"/tables/{table}/seats", {"seat": 0})
    await host.post(f"/tables/{table}/seats", {"bot": "simple"})
    await host.post(f"/tables/{table}/start")


@pytest.mark.parametrize("loses", [revoked, sent_away, shut, begun_without])
async def test_who_came_by_a_link_follows_no_longer_than_it_holds(
    people: list[Person], address: Address, http: httpx.AsyncClient, loses: Callable[..., Awaitable[None]]
) -> None:
    ada, bea, _ = people
    table, link = await by_link(ada, bea)
    async with client(port_of(address), bea.token) as socket, asyncio.TaskGroup() as tasks:
        sub = await socket.subscribe(table)
        await socket.until(sub, 1)
        told: list[Json] = []
        stream = tasks.create_task(
            collect(lines(http, f"/tables/{table}/stream", authorization=f"Bearer {bea.token}"), told)
        )
        await eventually(lambda: told)
        await loses(ada, bea, table, link)
        await in_time(socket.until_notice({"type": "ended", "sub": sub}))
        await in_time(stream)
        assert told[-1]["type"] == "ended" and "game_started" not in str((socket.heard, told))
    assert await code(bea, "GET", f"/tables/{table}/view") == "not-found"


async def collect(stream: AsyncIterator[Json], into: list[Json]) -> None:
    async for message in stream:
        into.append(message)


# --- rematch ------------------------------------------------------------------------------------------------------------
async def test_a_rematch_is_offered_to_all_and_three_who_press_meet_at_one_table(http: httpx.AsyncClient) -> None:
    people = [await Person.arrive(http) for _ in range(3)]
    table = (await people[0].post("/tables", {"ruleset": "game-of-kingdoms", "seats": 3}))["id"]
    for person in people:
        await person.post(f"/tables/{table}/seats")
    await people[0].post(f"/tables/{table}/start")
    await end_early(people, table, 4, random.Random(2))
    first = await people[0].post(f"/tables/{table}/rematch")
    assert [(seat["player"], seat["reserved"]) for seat in first["seats"]] == [
        (people[0].id, None), (None, people[1].id), (None, people[2].id)
    ]
    assert first["id"] in [own["table"]["id"] for own in (await people[1].get("/me/tables", status="open"))["tables"]]
    made = await asyncio.gather(*(person.post(f"/tables/{table}/rematch") for person in people for _ in range(2)))
    assert {body["id"] for body in made} == {first["id"]}
    seats = (await http.get(f"/tables/{first['id']}")).json()["seats"]
    assert [seat["player"] for seat in seats] == [person.id for person in people]


async def test_who_follows_a_finished_table_is_told_of_its_rematch(people: list[Person], address: Address) -> None:
    ada, bea, cyd = people
    table, port = await open_game([ada, bea]), port_of(address)
    await ada.post(f"/tables/{table}/resign")
    seq = (await ada.view(table))["seq"]
    async with client(port, bea.token) as seat, client(port) as watching:
        subs = [(socket, await socket.subscribe(table)) for socket in (seat, watching)]
        for socket, sub in subs:
            await socket.until(sub, seq)
        assert "rematch" not in await bea.get(f"/tables/{table}")
        again = (await ada.post(f"/tables/{table}/rematch"))["id"]
        for socket, sub in subs:
            await socket.until_notice({"sub": sub, "type": "rematch"})
    assert [(await person.get(f"/tables/{table}"))["rematch"] for person in people] == [again] * 3
    await ada.post(f"/tables/{again}/policies", PRIVATE["policies"])
    assert (await bea.get(f"/tables/{table}"))["rematch"] == again
    assert "rematch" not in await cyd.get(f"/tables/{table}")


async def test_a_stream_tells_of_the_rematch(people: list[Person]) -> None:
    ada, bea, _ = people
    table = await open_game([ada, bea])
    await ada.post(f"/tables/{table}/resign")
    seq, url = (await ada.view(table))["seq"], f"/tables/{table}/stream"
    async with within_limit(), bea.http.stream("GET", url, params={"after": seq - 1}, headers=bea.headers) as answer:
        told = answer.aiter_lines()
        assert json.loads(await anext(told))["seq"] == seq
        asked = asyncio.create_task(ada.post(f"/tables/{table}/rematch"))
        while json.loads(await anext(told) or "{}") != {"type": "rematch"}:
            continue
        await asked


# --- documented examples ----------------------------------------------------------------------------------------------------
STEP = re.compile(r"^(\w+) +(GET|POST|PUT|PATCH|DELETE) +(\S+) +(\{.*\})? *→ (\d+) ?(\S*)$", re.MULTILINE)


async def test_the_table_for_friends_goes_as_the_page_says(people: list[Person]) -> None:
    _, _, after = (PROJECT / "docs/frontend.md").read_text().partition("This is a table for friends")
    steps = STEP.findall(after.split("```")[1])
    assert len(steps) == len(after.split("```")[1].strip().splitlines())
    known, named = {"{id}": "", "{secret}": ""}, dict(zip(("ada", "ben", "cyd"), people, strict=True))
    for who, method, path, body, status, wanted in steps:
        for name, value in known.items():
            path, body = path.replace(name, value), body.replace(name, value)
        answer = await named[who].ask(method, path, json=json.loads(body) if body else None)
        told = answer.json()
        assert (answer.status_code, told.get("code", "")) == (int(status), wanted), (path, told)
        known = {"{id}": known["{id}"] or told.get("id", ""), "{secret}": told.get("secret") or known["{secret}"]}


async def test_a_rematch_goes_as_the_page_says(people: list[Person]) -> None:
    _, _, after = (PROJECT / "docs/frontend.md").read_text().partition("## Preferences and rematches")
    ada, ben, cyd = people
    named, table = {"ada": ada, "ben": ben, "cyd": cyd}, await open_game([ada, ben])
    await ben.post(f"/tables/{table}/resign")
    example, again = after.split("```")[1], ""
    steps = STEP.findall(example)
    assert len(steps) == len(example.strip().splitlines())
    for who, method, path, _, status, wanted in steps:
        answer = await named[who].ask(method, path.replace("{id}", table).replace("{rematch}", again))
        assert answer.status_code == int(status) and wanted in ("", *answer.json())
        again = answer.json().get("rematch", again)
