"""Table chat: its two rooms, who receives messages, and how they are removed."""

import asyncio
import json
from pathlib import Path

import asyncpg
import httpx
import pytest

from ludarium.ops.backups.ledger import STATEMENTS
from ludarium.platform.database import Database
from ludarium.platform.locale import LOCALES
from ludarium.server import Address
from ludarium.tables.chat import KEPT, MANY, Chat
from tests.api.test_joining import KINGDOMS, STEP, code
from tests.api.test_live import port_of
from tests.support.live_client import Client, client
from tests.support.people import PRIVATE, Json, Person, fine, open_game
from tests.support.waiting import eventually, within_limit

PROJECT = Path(__file__).parents[2]


@pytest.fixture
async def people(http: httpx.AsyncClient) -> list[Person]:
    return [await Person.arrive(http, name) for name in ("Ada", "Bea", "Cyd")]


async def playing(host: Person, guest: Person, **policies: object) -> str:
    table: str = (await host.post("/tables", KINGDOMS | {"policies": policies}))["id"]
    for person in (host, guest):
        await person.post(f"/tables/{table}/seats")
    await host.post(f"/tables/{table}/start")
    return table


async def say(person: Person, table: str, text: str) -> Json:
    return await person.post(f"/tables/{table}/chat", {"text": text})


async def read(person: Person, table: str, **params: object) -> list[str | None]:
    return [said["text"] for said in (await person.get(f"/tables/{table}/chat", **params))["messages"]]


# --- rooms --------------------------------------------------------------------------------------------------------------
async def test_seats_and_spectators_have_a_room_each(people: list[Person], http: httpx.AsyncClient) -> None:
    ada, bea, cyd = people
    table = await playing(ada, bea)
    first, second = await say(ada, table, "Hello"), await say(bea, table, "Hello, Ada")
    aside = await say(cyd, table, "Ada will win")
    places = [(said["room"], said["number"]) for said in (first, second, aside)]
    assert places == [("seats", 1), ("seats", 2), ("spectators", 1)]
    assert await read(bea, table) == ["Hello", "Hello, Ada"] and await read(cyd, table) == ["Ada will win"]
    assert await read(bea, table, after=1) == ["Hello, Ada"]
    page = await bea.get(f"/tables/{table}/chat", limit=1)
    assert ([said["text"] for said in page["messages"]], page["next"]) == (["Hello"], 1)
    assert (await http.get(f"/tables/{table}/chat")).json()["code"] == "unauthenticated"


async def test_a_seat_does_not_read_what_spectators_say_while_the_game_runs(people: list[Person]) -> None:
    ada, bea, cyd = people
    table = await playing(ada, bea)
    await say(cyd, table, "Ada has the Queen")
    assert await code(bea, "GET", f"/tables/{table}/chat?room=spectators") == "forbidden"
    assert await code(cyd, "GET", f"/tables/{table}/chat?room=seats") == "forbidden"
    await bea.post(f"/tables/{table}/resign")
    assert await read(bea, table, room="spectators") == ["Ada has the Queen"]
    assert await code(cyd, "GET", f"/tables/{table}/chat?room=seats") == "forbidden"


async def test_nobody_talks_at_a_table_that_is_not_there_for_them(people: list[Person]) -> None:
    ada, bea, _ = people
    table = (await ada.post("/tables", KINGDOMS | PRIVATE))["id"]
    assert await code(bea, "GET", f"/tables/{table}/chat") == "not-found"
    assert await code(bea, "POST", f"/tables/{table}/chat", {"phrase": "hello"}) == "not-found"
    said = await say(ada, table, "Only me")
    assert await code(bea, "DELETE", f"/tables/{table}/chat/{said['id']}") == "not-found"


# --- valid messages -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("policy", "room", "body", "wanted"), [
    ("nobody", "seats", {"phrase": "hello"}, "chat-off"),
    ("players", "spectators", {"phrase": "hello"}, "chat-off"),
    ("players", "seats", {"text": "hello"}, None),
    ("phrases", "seats", {"text": "hello"}, "phrases-only"),
    ("phrases", "spectators", {"phrase": "hello"}, None),
    ("everybody", "spectators", {"text": "hello"}, None),
])  # fmt: skip
async def test_the_policy_says_who_talks(
    people: list[Person], policy: str, room: str, body: Json, wanted: str | None
) -> None:
    ada, bea, cyd = people
    table = await playing(ada, bea, chat=policy)
    speaker = ada if room == "seats" else cyd
    if wanted is None:
        assert (await speaker.post(f"/tables/{table}/chat", body))["room"] == room
    else:
        assert await code(speaker, "POST", f"/tables/{table}/chat", body) == wanted
    log = [event["type"] for event in (await ada.get(f"/tables/{table}/events"))["events"]]
    assert log[-1] == "game_started"


@pytest.mark.parametrize("body", [
    {}, {"text": "a", "phrase": "hello"}, {"text": ""}, {"text": "   "}, {"text": "a\nb"}, {"text": "a\u200bb"},
    {"text": "a\u202eb"}, {"text": "Z" + "\u0300" * 9}, {"text": "a" * 301}, {"phrase": "no-such-phrase"},
])  # fmt: skip
async def test_what_cannot_be_said(people: list[Person], body: Json) -> None:
    ada, bea, _ = people
    table = await playing(ada, bea)
    assert await code(ada, "POST", f"/tables/{table}/chat", body) == "invalid-request"
    assert await read(ada, table) == []


async def test_a_phrase_is_said_in_every_language(people: list[Person], http: httpx.AsyncClient) -> None:
    told = (await http.get("/phrases")).json()["phrases"]
    assert all(phrase["texts"].keys() == set(LOCALES) and all(phrase["texts"].values()) for phrase in told)
    ada, bea, _ = people
    table = await playing(ada, bea)
    said = await ada.post(f"/tables/{table}/chat", {"phrase": told[0]["id"]})
    assert (said["phrase"], said["text"]) == (told[0]["id"], None)


async def test_a_message_that_is_sent_again_is_said_once(people: list[Person]) -> None:
    ada, bea, _ = people
    table = await playing(ada, bea)
    sent = [await ada.post(f"/tables/{table}/chat", {"text": "Once"}, **{"idempotency-key": "k"}) for _ in range(2)]
    assert sent[0] == sent[1] and await read(bea, table) == ["Once"]
    other = await ada.refused("POST", f"/tables/{table}/chat", {"text": "Twice"}, **{"idempotency-key": "k"})
    assert other["code"] == "key-reused"


async def test_who_says_too_much_waits(people: list[Person]) -> None:
    ada, bea, _ = people
    table = await playing(ada, bea)
    for nth in range(MANY):
        await say(ada, table, str(nth))
    refused = await ada.refused("POST", f"/tables/{table}/chat", {"text": "more"})
    assert refused["code"] == "rate-limited" and refused["retry_after"] > 0
    await say(bea, table, "My turn")


async def test_all_who_speak_at_once_are_numbered(people: list[Person]) -> None:
    ada, bea, _ = people
    table = await playing(ada, bea)
    said = await asyncio.gather(*(say(person, table, str(nth)) for nth in range(5) for person in (ada, bea)))
    assert sorted(one["number"] for one in said) == [*range(1, 11)]


# --- removal --------------------------------------------------------------------------------------------------------------
async def test_one_hides_what_one_said_and_the_host_deletes_it(people: list[Person], base: Database) -> None:
    ada, bea, cyd = people
    table = await playing(ada, bea)
    mine, others = await say(bea, table, "Oh no"), await say(bea, table, "Bad words")
    aside = await say(cyd, table, "An aside")
    assert await code(cyd, "DELETE", f"/tables/{table}/chat/{mine['id']}") == "not-found"
    assert await code(ada, "DELETE", f"/tables/{table}/chat/{aside['id']}") == "not-found"
    for person, said in ((bea, mine), (ada, others), (cyd, aside)):
        assert (await person.ask("DELETE", f"/tables/{table}/chat/{said['id']}")).status_code == 204
    told = (await bea.get(f"/tables/{table}/chat"))["messages"]
    assert [(said["number"], said["gone"], said["text"]) for said in told] == [(1, "hidden", None), (2, "deleted", None)]
    assert await code(bea, "DELETE", f"/tables/{table}/chat/{'0' * 26}") == "not-found"
    other = await say(ada, table, "Mine")
    assert await code(bea, "DELETE", f"/tables/{table}/chat/{other['id']}") == "forbidden"
    kept = await base.rows("select text from chat.messages where player = $1 order by number", bea.id)
    assert [row["text"] for row in kept] == ["Oh no", None]


async def test_what_was_taken_back_stays_so_when_the_database_is_set_back(
    people: list[Person], module_database_url: str
) -> None:
    ada, bea, _ = people
    table = await playing(ada, bea)
    async with asyncpg.create_pool(module_database_url, min_size=1, max_size=1) as owner:
        await owner.execute("insert into backups.done (kind, at) values ('base', now())")
        hidden, deleted = await say(bea, table, "Oh no"), await say(bea, table, "Bad words")
        for person, said in ((bea, hidden), (ada, deleted)):
            await person.ask("DELETE", f"/tables/{table}/chat/{said['id']}")
        entries = await owner.fetch("select kind, subject from backups.ledger where kind like 'message-%' order by id")
        assert [entry["kind"] for entry in entries] == ["message-hidden", "message-deleted"]
        await owner.execute("update chat.messages set gone = null, text = 'as before' where player = $1", bea.id)
        for entry in entries:
            await owner.execute(STATEMENTS[entry["kind"]], [entry["subject"]])
        told = await owner.fetch("select gone, text from chat.messages where player = $1 order by number", bea.id)
    assert [tuple(row) for row in told] == [("hidden", "as before"), ("deleted", None)]


async def test_what_was_said_is_kept_for_some_time(people: list[Person], base: Database) -> None:
    ada, bea, _ = people
    table = await playing(ada, bea)
    old, _ = await say(ada, table, "Old"), await say(ada, table, "New")
    await base.rows("update chat.messages set at = at - $1::interval where text = 'Old'", KEPT)
    assert await Chat(base).forget() == 1
    assert await read(bea, table) == ["New"] and (await say(ada, table, "Next"))["number"] == old["number"] + 2


# --- push -------------------------------------------------------------------------------------------------------------------
async def heard(socket: Client, number: int) -> list[Json]:
    """Wait for so many chat notices, and return all that have arrived."""
    def found() -> list[Json] | None:
        said = [notice["data"] for notice in socket.notices if notice["type"] == "chat"]
        return said if len(said) >= number else None

    return await eventually(found)


async def test_who_follows_the_table_is_told_what_concerns_them(people: list[Person], address: Address) -> None:
    ada, bea, cyd = people
    table, port = await playing(ada, bea), port_of(address)
    async with (
        client(port, bea.token) as seat, client(port, bea.token) as peeping, client(port, cyd.token) as watching,
        client(port) as nobody,
    ):  # fmt: skip
        for socket, viewer in ((seat, None), (peeping, "spectator"), (watching, None), (nobody, None)):
            sub = await socket.subscribe(table, viewer=viewer)
            await socket.until(sub, 4)
        aside = await say(cyd, table, "Ada has the Queen")
        assert await heard(watching, 1) == [aside]
        said = await say(ada, table, "Hello")
        assert await heard(seat, 1) == [said]
        await ada.ask("DELETE", f"/tables/{table}/chat/{said['id']}")
        assert (await heard(seat, 2))[1] == said | {"text": None, "gone": "deleted"}
        assert "Queen" not in str([seat.heard, peeping.heard, nobody.heard])
        assert "Hello" not in str([watching.heard, nobody.heard])


async def test_a_token_that_may_not_chat_hears_nothing(people: list[Person], address: Address, base: Database) -> None:
    ada, bea, cyd = people
    table, port = await open_game([ada, bea]), port_of(address)
    for person in (cyd, bea):
        await person.post("/me/account", {"login": f"x{person.id[-8:]}".lower(), "password": "seven green bottles"})
    made = await bea.post("/me/tokens", {"name": "Bot", "scopes": ["play"], "days": 1})
    async with client(port, made["secret"]) as bot, client(port, bea.token) as seat:
        for socket in (bot, seat):
            await socket.until(await socket.subscribe(table), 3)
        await say(ada, table, "Hello")
        await heard(seat, 1)
        assert "Hello" not in str(bot.heard)


async def test_a_stream_tells_it_too(people: list[Person]) -> None:
    ada, bea, _ = people
    table = await playing(ada, bea)
    url = f"/tables/{table}/stream"
    async with within_limit(), bea.http.stream("GET", url, params={"after": 3}, headers=bea.headers) as answer:
        lines = answer.aiter_lines()
        assert json.loads(await anext(lines))["seq"] == 4
        said: Json = {}
        sent = asyncio.create_task(say(ada, table, "Hello"))
        while said.get("type") != "chat":
            said = json.loads(await anext(lines) or "{}")
        assert said["data"] == await sent


# --- documented example ---------------------------------------------------------------------------------------------------
async def test_the_talk_goes_as_the_page_says(people: list[Person]) -> None:
    _, _, after = (PROJECT / "docs/frontend.md").read_text().partition("## Chat")
    steps = STEP.findall(after.split("```")[1])
    assert len(steps) == len(after.split("```")[1].strip().splitlines())
    known, named = {"{table}": await playing(people[0], people[1])}, dict(zip(("ada", "ben", "cyd"), people, strict=True))
    for who, method, path, body, status, wanted in steps:
        for name, value in known.items():
            path = path.replace(name, value)
        answer = await named[who].ask(method, path, json=json.loads(body) if body else None)
        told = answer.json() if answer.content else {}
        assert (answer.status_code, told.get("code", "")) == (int(status), wanted), (path, told)
        known["{id}"] = told.get("id", known.get("{id}", ""))
    assert fine(await people[0].ask("GET", f"/tables/{known['{table}']}/chat"))["messages"]
