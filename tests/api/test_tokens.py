"""Tokens: how they are made, listed and ended, and what their scopes allow."""

from collections.abc import AsyncIterator

import httpx
import msgspec
import pytest

from ludarium.accounts.keys import Keys
from ludarium.accounts.secrets import DIGEST, digest
from ludarium.accounts.tokens import Tokens
from ludarium.platform.database import database
from ludarium.server import Address
from tests.support.entropy import ENTROPY
from tests.support.live_client import client
from tests.support.operations import operations
from tests.support.people import Json, Person, open_game

WANTED = {"name": "My bot", "scopes": ["me:read", "tables"], "days": 2}


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http)


class Bearer(Person):
    """The same player with another token."""

    def __init__(self, person: Person, token: str) -> None:
        super().__init__(person.http, {"player": {"id": person.id}, "token": token})


async def made(person: Person, *scopes: str) -> tuple[Bearer, str]:
    """Return the player with a new token of these scopes, and the token's id."""
    issued = await person.post("/me/tokens", {"name": "x", "scopes": [*scopes]})
    return Bearer(person, issued["secret"]), issued["token"]["id"]


async def test_a_token_is_told_once_and_then_listed_without_its_secret(ada: Person) -> None:
    issued = await ada.post("/me/tokens", WANTED)
    assert issued["secret"].startswith("ludp_")
    listed = await ada.list("/me/tokens")
    assert [(token["name"], token["kind"], token["current"]) for token in listed] == [
        ("My bot", "personal", False), (None, "session", True)
    ]  # fmt: skip
    assert listed[0] == issued["token"]
    assert listed[0]["scopes"] == ["me:read", "tables"]
    assert issued["secret"] not in str(listed)


async def test_a_token_tells_when_it_was_used_last(ada: Person) -> None:
    bot, token_id = await made(ada, "me:read")
    await bot.get("/me")
    used = {token["id"]: token["used_at"] for token in await ada.list("/me/tokens")}
    assert used[token_id] is not None


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"name": ""}, "/name"), ({"name": " "}, "/name"), ({"name": "a\u202eb"}, "/name"), ({"name": "x" * 65}, "/name"),
        ({"scopes": []}, "/scopes"), ({"scopes": ["all"]}, "/scopes/0"), ({"days": 0}, "/days"), ({"days": 366}, "/days"),
        ({"days": True}, "/days"), ({"kind": "session"}, "/kind"),
    ],
)  # fmt: skip
async def test_a_token_is_not_made_of_nonsense(ada: Person, change: Json, pointer: str) -> None:
    problem = await ada.refused("POST", "/me/tokens", WANTED | change)
    assert problem["code"] == "invalid-request"
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


@pytest.mark.parametrize("scope", ["admin", "tournaments:host"])
async def test_a_token_has_no_scope_that_its_maker_lacks(ada: Person, scope: str) -> None:
    assert (await ada.refused("POST", "/me/tokens", WANTED | {"scopes": [scope]}))["code"] == "insufficient-scope"
    assert len(await ada.list("/me/tokens")) == 1


async def test_a_player_has_so_many_tokens_and_no_more(ada: Person) -> None:
    for _ in range(50):
        await made(ada, "chat")
    assert (await ada.refused("POST", "/me/tokens", WANTED))["code"] == "too-many-tokens"


async def test_a_token_that_is_asked_for_again_is_the_same(ada: Person) -> None:
    key = "k" * 22
    first, again = [await ada.post("/me/tokens", WANTED, **{"idempotency-key": key}) for _ in range(2)]
    assert (first["secret"], first["token"]["id"]) == (again["secret"], again["token"]["id"])
    other = await ada.refused("POST", "/me/tokens", WANTED | {"days": 3}, **{"idempotency-key": key})
    assert other["code"] == "key-reused"
    short = await ada.refused("POST", "/me/tokens", WANTED, **{"idempotency-key": "k" * 21})
    assert short["code"] == "invalid-request"


async def test_a_revoked_token_is_good_for_nothing(ada: Person) -> None:
    bot, token_id = await made(ada, "me:read")
    await bot.get("/me")
    assert (await ada.ask("DELETE", f"/me/tokens/{token_id}")).status_code == 204
    assert (await bot.refused("GET", "/me"))["code"] == "invalid-token"
    assert (await ada.refused("DELETE", f"/me/tokens/{token_id}"))["code"] == "not-found"


@pytest.mark.parametrize("token_id", ["x", "0" * 10_000, "0" * 26])
async def test_what_is_no_token_of_ones_own_is_not_found(ada: Person, token_id: str) -> None:
    assert (await ada.refused("DELETE", f"/me/tokens/{token_id}"))["code"] == "not-found"


async def test_anothers_token_is_not_found_and_goes_on(http: httpx.AsyncClient, ada: Person) -> None:
    eve = await Person.arrive(http, "Eve")
    bot, token_id = await made(ada, "me:read")
    assert (await eve.refused("DELETE", f"/me/tokens/{token_id}"))["code"] == "not-found"
    await bot.get("/me")


async def test_signing_out_ends_the_token_that_asks_and_no_other(ada: Person) -> None:
    bot, _ = await made(ada, "chat")
    assert (await bot.ask("DELETE", "/me/token")).status_code == 204
    assert (await bot.refused("DELETE", "/me/token"))["code"] == "invalid-token"
    await ada.get("/me")


async def test_without_play_ones_own_table_is_seen_as_a_spectator_sees_it(http: httpx.AsyncClient, ada: Person) -> None:
    bob = await Person.arrive(http, "Bob")
    wanted = {"ruleset": "game-of-kingdoms", "seats": 2, "policies": {"spectators": {"who": "nobody"}, "join": "invited"}}
    table = (await ada.post("/tables", wanted))["id"]
    bot, _ = await made(ada, "tables", "me:read")
    await ada.post(f"/tables/{table}/invitations", {"player": bob.id})
    for person in (bot, bob):
        seated = await person.post(f"/tables/{table}/seats")
    started = await bot.post(f"/tables/{table}/start")
    assert (seated["events"] != [], started["events"], started.get("view")) == (True, [], None)
    own, seen, spectator = [await ada.view(table), await bot.view(table), await ada.view(table, **{"as": "spectator"})]
    assert seen == spectator != own
    for path in seen_from_seats():
        by_bot, as_seat = [await bot.ask("GET", path.format(table_id=table), params=as_) for as_ in ({}, {"as": "0"})]
        as_spectator = await ada.ask("GET", path.format(table_id=table), params={"as": "spectator"})
        assert (by_bot.status_code, by_bot.content) == (as_spectator.status_code, as_spectator.content), path
        assert (as_seat.status_code, as_seat.json()["code"]) == (404, "not-found"), path
    async with http.stream("GET", f"/tables/{table}/stream?after=-1", headers=bot.headers) as answer:
        told = [msgspec.json.decode(line) async for line in some_lines(answer, 3)]
    assert told == (await ada.get(f"/tables/{table}/events", **{"as": "spectator"}))["events"][:3]


def seen_from_seats() -> list[str]:
    """Return the paths of a table that take `as`, without endless streams."""
    asked = [(path, operation.get("parameters", [])) for method, path, operation in operations() if method == "get"]
    found = [path for path, parameters in asked if "as" in [parameter["name"] for parameter in parameters]]
    assert len(found) >= 6
    return [path.removeprefix("/api/v1") for path in found if "{table_id}" in path and not path.endswith("/stream")]


async def some_lines(answer: httpx.Response, count: int) -> AsyncIterator[str]:
    lines = answer.aiter_lines()
    for _ in range(count):
        yield await anext(lines)


async def test_without_play_a_socket_shows_the_spectators_side(address: Address, ada: Person) -> None:
    table = await open_game([ada], bots=("simple",))
    bot, _ = await made(ada, "me:read")
    async with client(port_of(address), bot.token) as socket:
        assert (await socket.request("subscribe", table=table, after=-1))["as"] == "spectator"
        refused = await socket.request("subscribe", table=table, after=-1, **{"as": 0})
        assert refused["problem"]["code"] == "forbidden"


async def test_a_revoked_token_closes_its_socket_and_its_streams(
    http: httpx.AsyncClient, address: Address, ada: Person
) -> None:
    bot, token_id = await made(ada, "me:read")
    async with (
        client(port_of(address), bot.token) as socket,
        client(port_of(address), ada.token) as other,
        http.stream("GET", "/me/stream", headers=bot.headers) as answer,
    ):
        await ada.ask("DELETE", f"/me/tokens/{token_id}")
        assert await socket.until_closed() == 1008
        assert socket.notices == [{"type": "token-ended"}]
        assert [line async for line in answer.aiter_lines()][-1] == '{"type":"token-ended"}'
        assert (await other.request("ping"))["ok"]


async def test_a_token_that_expires_closes_its_socket(module_database_url: str, address: Address, ada: Person) -> None:
    bot, _ = await made(ada, "me:read")
    async with client(port_of(address), bot.token) as socket, database(module_database_url) as base:
        await base.rows("update accounts.tokens set expires_at = now() where hash = $1", digest(bot.token))
        assert await socket.until_closed() == 1008
    assert (await bot.refused("GET", "/me"))["code"] == "invalid-token"


async def test_a_token_is_forgotten_a_day_after_it_expired(module_database_url: str, ada: Person) -> None:
    old, fresh, good = [(await made(ada, "me:read"))[0].token for _ in range(3)]
    expired = "update accounts.tokens set expires_at = now() - make_interval(hours => $2) where hash = $1"
    async with database(module_database_url) as base:
        for token, hours in ((old, 25), (fresh, 23)):
            await base.rows(expired, digest(token), hours)
        tokens = Tokens(base, Keys(base, ENTROPY))
        behind = (int.from_bytes(digest(old)) + 1).to_bytes(DIGEST)
        assert (await tokens.forget_expired(behind, 10_000), await tokens.forget_expired(bytes(DIGEST), 10_000)) == (0, 1)
        assert await tokens.forget_expired(bytes(DIGEST), 10_000) == 0
        kept = await base.rows("select hash from accounts.tokens where hash = any($1)", [digest(t) for t in (old, fresh, good)])
    assert {row["hash"] for row in kept} == {digest(fresh), digest(good)}


async def test_a_socket_goes_on_with_another_token_of_the_same_player(
    http: httpx.AsyncClient, address: Address, ada: Person
) -> None:
    eve = await Person.arrive(http, "Eve")
    (old, old_id), (new, _) = [await made(ada, "me:read", "play") for _ in range(2)]
    less, _ = await made(ada, "play")
    async with client(port_of(address), old.token) as socket:
        for token, code in ((eve.token, "invalid-token"), (less.token, "insufficient-scope"), ("lud_x", "invalid-token")):
            assert (await socket.request("token", token=token))["problem"]["code"] == code
        assert (await socket.request("token", token=new.token))["ok"]
        await ada.ask("DELETE", f"/me/tokens/{old_id}")
        other = await made(ada, "chat")
        async with client(port_of(address), other[0].token) as witness:
            await ada.ask("DELETE", f"/me/tokens/{other[1]}")
            assert await witness.until_closed() == 1008
        assert (await socket.request("ping"))["ok"]


def port_of(address: Address) -> int:
    return int(address.ws.rstrip("/").rpartition(":")[2])
