"""What waits for a player: one list, pushed to open lines and the same on all devices."""
from __future__ import annotations

import random
from collections.abc import Callable

import httpx

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.server import Address
from tests.api.test_live import port_of
from tests.api.test_personal import follow, told
from tests.support.live_client import Client, client
from tests.support.people import PRIVATE, Json, Person, end_early, let_in, open_game
from tests.support.tournaments import event_of, host_of, key


def notice(kind: str, table: str) -> Callable[[Json], bool]:
    return lambda told: (told["type"], told["data"].get("kind"), told["data"].get("table")) == ("notice", kind, table)


async def settled(one: Client, found: Json) -> None:
    await told(one, lambda news: news["type"] == "settled" and news["data"]["id"] == found["id"])


async def listed(person: Person, kind: str) -> list[Json]:
    return [each for each in (await person.get("/me/notices"))["notices"] if each["kind"] == kind]


async def test_an_invitation_is_pushed_and_settled_when_it_is_accepted(http: httpx.AsyncClient, address: Address) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    async with client(port_of(address), ben.token) as line:
        await follow(line)
        table = await private_table(ada)
        await let_in(ada, table, ben)
        found = (await told(line, notice("invited", table)))["data"]
        assert (found["by"], found["ruleset"], found["read"]) == (ada.id, "game-of-kingdoms", False)
        assert await listed(ben, "invited") == [found]
        await ben.post(f"/tables/{table}/seats")
        await settled(line, found)
        assert await listed(ben, "invited") == []


async def test_an_invitation_is_settled_when_it_is_withdrawn_declined_or_the_table_closes(
    http: httpx.AsyncClient, address: Address
) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    async with client(port_of(address), ben.token) as line:
        await follow(line)
        for person, path in ((ada, f"/invitations/{ben.id}"), (ben, f"/invitations/{ben.id}"), (ada, "")):
            table = await private_table(ada)
            await let_in(ada, table, ben)
            found = (await told(line, notice("invited", table)))["data"]
            assert (await person.patiently("DELETE", f"/tables/{table}{path}")).status_code < 300
            await settled(line, found)


async def test_a_proposal_waits_for_those_who_must_answer_it(http: httpx.AsyncClient, address: Address) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    table = await open_game([ada, ben])
    async with client(port_of(address), ben.token) as line:
        await follow(line)
        await ada.post(f"/tables/{table}/proposals", {"question": "draw"})
        found = (await told(line, notice("proposal", table)))["data"]
        assert (found["by"], found["question"], found["seat"]) == (ada.id, "draw", 1)
        assert await listed(ada, "proposal") == []
        await ben.post(f"/tables/{table}/answers", {"agree": False})
        await settled(line, found)


async def test_a_proposal_is_settled_when_the_game_ends(http: httpx.AsyncClient) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    table = await open_game([ada, ben])
    await ada.post(f"/tables/{table}/proposals", {"question": "pause"})
    assert [each["table"] for each in await listed(ben, "proposal")] == [table]
    await ben.post(f"/tables/{table}/resign")
    assert await listed(ben, "proposal") == []


async def test_blocked_people_cause_no_notice(http: httpx.AsyncClient) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    table, game = await private_table(ada), await open_game([ada, ben])
    await let_in(ada, table, ben)
    await ada.post(f"/tables/{game}/proposals", {"question": "draw"})
    assert len(await listed(ben, "invited") + await listed(ben, "proposal")) == 2
    assert (await ben.ask("PUT", f"/me/blocks/{ada.id}")).status_code < 300
    assert await listed(ben, "invited") + await listed(ben, "proposal") == []


async def test_a_turn_waits_until_it_is_answered(http: httpx.AsyncClient) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    table = await open_game([ada, ben])
    turns = await listed(ada, "your_turn") + await listed(ben, "your_turn")
    own = [each for each in turns if each["table"] == table]
    views = [await person.view(table) for person in (ada, ben)]
    assert [each["seq"] for each in own] == [view["choice"]["since"] for view in views if view["choice"]]


async def test_what_is_read_on_one_device_is_read_on_all(http: httpx.AsyncClient, address: Address) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    tables = [await private_table(ada) for _ in range(2)]
    for table in tables:
        await let_in(ada, table, ben)
    page = await ben.get("/me/notices")
    assert page["unread"] == 2 and [each["table"] for each in page["notices"]] == tables[::-1]
    async with client(port_of(address), ben.token) as line:
        await follow(line)
        await told(line, lambda news: news["type"] == "unread" and news["data"]["count"] == 2)
        first = page["notices"][0]["id"]
        assert (await ben.ask("POST", "/me/notices/read", json={"notices": [first]})).status_code == 204
        await told(line, lambda news: news["type"] == "notice" and news["data"]["id"] == first and news["data"]["read"])
        await told(line, lambda news: news["type"] == "unread" and news["data"]["count"] == 1)
    unread = await ben.get("/me/notices", unread=True)
    assert [each["table"] for each in unread["notices"]] == tables[:1]


async def test_pages_of_notices_continue_after_one_that_is_settled(http: httpx.AsyncClient) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    tables = [await private_table(ada) for _ in range(3)]
    for table in tables:
        await let_in(ada, table, ben)
    first = await ben.get("/me/notices", limit=1)
    assert [each["table"] for each in first["notices"]] == tables[2:]
    await ben.patiently("DELETE", f"/tables/{tables[2]}/invitations/{ben.id}")
    second = await ben.get("/me/notices", after=first["next"], limit=2)
    assert [each["table"] for each in second["notices"]] == [tables[1], tables[0]] and second["next"] is None


async def private_table(host: Person) -> str:
    table: str = (await host.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2, **PRIVATE}))["id"]
    return table


async def test_notices_are_exported_and_deleted_with_their_player(http: httpx.AsyncClient, base: Database) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    game, table = await open_game([ada, ben]), await private_table(ada)
    await ada.post(f"/tables/{game}/proposals", {"question": "draw"})
    await let_in(ada, table, ben)
    (read,) = await listed(ben, "invited")
    await ben.ask("POST", "/me/notices/read", json={"notices": [read["id"]]})
    told = await ben.get("/me/export")
    assert ("proposal", game) in [(each["kind"], each["table"]) for each in told["notices"]]
    assert [each["notice"] for each in told["read_notices"]] == [read["id"]]
    assert (await ben.ask("DELETE", "/me")).status_code < 300
    assert await base.rows("select from notices.reads where notice = $1", ids.decode(read["id"])) == []


async def test_read_marks_of_settled_notices_are_not_kept(http: httpx.AsyncClient, base: Database) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    for _ in range(3):
        table = await private_table(ada)
        await let_in(ada, table, ben)
        (read,) = await listed(ben, "invited")
        await ben.ask("POST", "/me/notices/read", json={"notices": [read["id"], "0" * 26]})
        await ben.post(f"/tables/{table}/seats")
    kept = await base.rows("select notice from notices.reads where player_id = $1", ids.decode(ben.id))
    assert [ids.encode(row["notice"]) for row in kept] == [read["id"]]


async def test_a_game_is_announced_until_its_player_acts_and_when_it_ends(http: httpx.AsyncClient) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    table = await open_game([ada, ben])
    asked, other = (ada, ben) if (await ada.view(table))["choice"] else (ben, ada)
    assert (await listed(asked, "started"), len(await listed(other, "started"))) == ([], 1)
    await end_early([ada, ben], table, 8, random.Random(3))
    assert await listed(other, "started") == []
    for person in (ada, ben):
        (ended,) = await listed(person, "ended")
        assert (ended["table"], ended["read"]) == (table, False)


async def test_a_rematch_waits_for_the_other_players(http: httpx.AsyncClient) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    table = await open_game([ada, ben])
    await ben.post(f"/tables/{table}/resign")
    again = (await ada.post(f"/tables/{table}/rematch"))["id"]
    (kept,) = await listed(ben, "reserved")
    assert (kept["table"], kept["seat"], kept["by"]) == (again, 1, ada.id)
    await ben.post(f"/tables/{table}/rematch")
    assert await listed(ben, "reserved") == []


async def test_an_invitation_with_a_seat_is_one_notice(http: httpx.AsyncClient) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    table = await private_table(ada)
    await ada.post(f"/tables/{table}/invitations", {"player": ben.id, "seat": 1})
    assert [each["kind"] for each in (await ben.get("/me/notices"))["notices"]] == ["invited"]


async def test_messages_wait_until_they_are_read_on_any_device(http: httpx.AsyncClient, address: Address) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    table = await open_game([ada, ben])
    async with client(port_of(address), ben.token) as line:
        await follow(line)
        for _ in range(2):
            await ada.post(f"/tables/{table}/chat", {"phrase": "hello"})
        found = (await told(line, lambda news: notice("chat", table)(news) and news["data"]["count"] == 2))["data"]
        assert (found["by"], await listed(ada, "chat")) == (ada.id, [])
        await ben.ask("POST", f"/tables/{table}/chat/read", json={"number": 2})
        await settled(line, found)
    assert (await ben.get(f"/tables/{table}/chat"))["read"] == 2
    await ada.post(f"/tables/{table}/chat", {"phrase": "hello"})
    assert [each["count"] for each in await listed(ben, "chat")] == [1]
    await ben.ask("POST", f"/tables/{table}/chat/read", json={"number": 1})
    assert [each["count"] for each in await listed(ben, "chat")] == [1]


async def test_hidden_messages_and_those_of_blocked_people_do_not_wait(http: httpx.AsyncClient) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    table = await open_game([ada, ben])
    said = await ada.post(f"/tables/{table}/chat", {"phrase": "hello"})
    assert len(await listed(ben, "chat")) == 1
    await ada.ask("DELETE", f"/tables/{table}/chat/{said['id']}")
    assert await listed(ben, "chat") == []
    await ada.post(f"/tables/{table}/chat", {"phrase": "hello"})
    await ben.ask("PUT", f"/me/blocks/{ada.id}")
    assert await listed(ben, "chat") == []


async def test_only_people_at_the_table_have_notices_of_its_chat(http: httpx.AsyncClient) -> None:
    ada, ben, eve = [await Person.arrive(http, name) for name in ("Ada", "Ben", "Eve")]
    table = await private_table(ada)
    await ada.post(f"/tables/{table}/seats")
    await let_in(ada, table, eve)
    await ada.post(f"/tables/{table}/invitations", {"player": ben.id, "seat": 1})
    await ada.post(f"/tables/{table}/chat", {"phrase": "hello"})
    assert await listed(eve, "chat") == await listed(ben, "chat") == []
    assert (await eve.refused("POST", f"/tables/{table}/chat/read", {"number": 1, "room": "seats"}))["code"] == "forbidden"


async def test_an_invitation_to_a_tournament_waits_until_it_is_declined(http: httpx.AsyncClient, base: Database) -> None:
    event, ben = await event_of(http, base, 2), await host_of(http, base, "Ben")
    await event.put(f"/officials/{ben.id}", 0, role="arbiter")
    (found,) = await listed(ben, "invited")
    assert (found["tournament"], found["table"], found["by"]) == (event.id, None, event.host.id)
    assert (await ben.ask("DELETE", f"{event.path}/role", headers=key())).status_code < 300
    assert await listed(ben, "invited") == []


async def test_kinds_tables_and_people_can_be_switched_off(http: httpx.AsyncClient, address: Address) -> None:
    ada, ben = await Person.arrive(http), await Person.arrive(http, "Ben")
    first, second = await private_table(ada), await private_table(ada)
    async with client(port_of(address), ben.token) as line:
        await follow(line)
        for table in (first, second):
            await let_in(ada, table, ben)
            await told(line, notice("invited", table))
        (muted,) = [each for each in await listed(ben, "invited") if each["table"] == first]
        for off, left in (({"tables": [first]}, [second]), ({"people": [ada.id]}, []), ({"kinds": ["invited"]}, [])):
            assert (await ben.ask("PUT", "/me/notices/preferences", json=off)).status_code == 204
            assert [each["table"] for each in await listed(ben, "invited")] == left
            assert (await ben.get("/me/notices"))["unread"] == len(left)
        await settled(line, muted)
    assert await ben.get("/me/notices/preferences") == {"kinds": ["invited"], "tables": [], "people": []}
    assert (await ben.get("/me/export"))["notice_preferences"][0]["kinds"] == ["invited"]
    await ben.ask("PUT", "/me/notices/preferences", json={})
    assert len(await listed(ben, "invited")) == 2


async def test_rulings_cannot_be_switched_off(http: httpx.AsyncClient) -> None:
    ben = await Person.arrive(http, "Ben")
    assert (await ben.refused("PUT", "/me/notices/preferences", {"kinds": ["ruling"]}))["code"] == "invalid-request"
    assert await ben.get("/me/notices/preferences") == {"kinds": [], "tables": [], "people": []}
