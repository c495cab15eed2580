"""Requests repeated with the same idempotency key take effect once."""

import asyncio
import random
from typing import Any

import asyncpg
import httpx
import pytest

from ludarium.accounts.keys import Keys
from ludarium.api.problem_responses import CODES
from ludarium.platform import ids
from ludarium.platform.database import database
from ludarium.platform.idempotency import identity_of
from ludarium.tables.schemas import NewTable
from tests.support.entropy import ENTROPY, uuid4
from tests.support.operations import operations
from tests.support.people import PRIVATE, Json, Person, end_early, let_in, open_game

KINGDOMS = {"ruleset": "game-of-kingdoms", "seats": 2}


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http)


async def twice(person: Person, method: str, path: str, body: Any = None, other: Any = None) -> Json:
    """Send a request twice with one key; return the answer, which must be the same.

    Args:
        other: another body, with which the key must be refused; None to skip this.
    """
    key = {"idempotency-key": uuid4().hex}
    first, again = [await person.ask(method, path, json=body, headers=key) for _ in range(2)]
    assert first.status_code < 300, first.text
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    if other is not None:
        refused = await person.ask(method, path, json=other, headers=key)
        assert (refused.status_code, refused.json()["code"]) == (422, "key-reused")
    found: Json = first.json()
    return found


async def test_a_table_is_opened_once(ada: Person) -> None:
    table = await twice(ada, "POST", "/tables", KINGDOMS | {"policies": {"auto_start": True}}, KINGDOMS)
    assert [own["table"]["id"] for own in (await ada.get("/me/tables"))["tables"]] == [table["id"]]


async def test_a_table_that_was_refused_leaves_its_key_free(ada: Person) -> None:
    key = {"idempotency-key": uuid4().hex}
    assert (await ada.refused("POST", "/tables", KINGDOMS | {"seats": 16}, **key))["code"] == "invalid-seats"
    await ada.post("/tables", KINGDOMS, **key)


async def test_a_table_whose_server_died_before_it_was_opened_is_opened_by_the_same_key(
    ada: Person, module_database_url: str
) -> None:
    async with database(module_database_url) as base:
        made = await Keys(base, ENTROPY).made(identity_of("half", ada.id, NewTable("game-of-kingdoms", 2)))
    assert (await twice(ada, "POST", "/tables", KINGDOMS))["id"] != ids.encode(made)
    assert (await ada.post("/tables", KINGDOMS, **{"idempotency-key": "half"}))["id"] == ids.encode(made)


async def test_the_same_key_of_two_people_is_two_keys(ada: Person, http: httpx.AsyncClient) -> None:
    bea, key = await Person.arrive(http, "Bea"), {"idempotency-key": "1"}
    tables = {(await person.post("/tables", KINGDOMS, **key))["id"] for person in (ada, bea)}
    assert len(tables) == 2
    for person in (ada, bea):
        await person.post(f"/tables/{min(tables)}/seats", {}, **key)


async def test_many_at_once_make_one(ada: Person, http: httpx.AsyncClient) -> None:
    key = {"idempotency-key": uuid4().hex}
    tables = await asyncio.gather(*(ada.post("/tables", KINGDOMS, **key) for _ in range(8)))
    guests = await asyncio.gather(*(http.post("/guests", json={}, headers=key) for _ in range(8)))
    assert len({table["id"] for table in tables}) == len({guest.text for guest in guests}) == 1


async def test_seats_and_the_start_are_taken_once(ada: Person, http: httpx.AsyncClient) -> None:
    path = f"/tables/{(await ada.post('/tables', KINGDOMS | {'seats': 3}))['id']}"
    await twice(ada, "POST", f"{path}/seats", {}, {"seat": 1})
    await twice(ada, "POST", f"{path}/seats", {"bot": "simple"}, {"bot": "random"})
    bea = await Person.arrive(http, "Bea")
    await bea.post(f"{path}/seats")
    await twice(bea, "DELETE", f"{path}/seats/2")
    await bea.post(f"{path}/seats")
    seats = (await ada.get(path))["seats"]
    assert [seat["bot"] or seat["player"] for seat in seats] == [ada.id, "simple", bea.id]
    await twice(ada, "POST", f"{path}/start")


async def test_a_guest_is_made_once_and_told_the_same_secrets(http: httpx.AsyncClient) -> None:
    key = {"idempotency-key": uuid4().hex}
    first, again = [(await http.post("/guests", json={"name": "Ada"}, headers=key)).json() for _ in range(2)]
    assert first == again
    assert (await http.get("/me", headers={"authorization": f"Bearer {again['token']}"})).json()["id"] == first["player"]["id"]
    code = {"rejoin_code": first["rejoin_code"]}
    for _ in range(2):
        assert (await http.post("/guests/rejoin", json=code)).json()["player"] == first["player"]
    assert (await http.post("/guests", json={"name": "Bea"}, headers=key)).json()["code"] == "key-reused"
    key = {"idempotency-key": uuid4().hex}
    tokens = {(await http.post("/guests/rejoin", json=code, headers=key)).json()["token"] for _ in range(2)}
    assert len(tokens) == 1 and first["token"] not in tokens


async def test_no_secret_of_a_guest_is_stored(http: httpx.AsyncClient, module_database_url: str) -> None:
    key = uuid4().hex
    guest = (await http.post("/guests", json={}, headers={"idempotency-key": key})).json()
    secrets = [key, guest["token"], guest["token"][4:], guest["rejoin_code"], guest["rejoin_code"].replace("-", "")]
    connection = await asyncpg.connect(module_database_url)
    stored = [
        str(row)
        for table in ("players", "tokens", "rejoin_codes", "keys")
        for row in await connection.fetch(f"select * from accounts.{table}")
    ]
    await connection.close()
    assert stored
    assert not [secret for secret in secrets if any(secret in row for row in stored)]


async def test_a_key_that_stands_for_secrets_cannot_be_guessed(http: httpx.AsyncClient) -> None:
    answer = await http.post("/guests", json={}, headers={"idempotency-key": "x" * 21})
    assert (answer.status_code, [error["pointer"] for error in answer.json()["errors"]]) == (400, ["Idempotency-Key"])


async def test_old_keys_are_forgotten(ada: Person, module_database_url: str) -> None:
    await ada.post("/tables", KINGDOMS, **{"idempotency-key": "old"})
    connection = await asyncpg.connect(module_database_url)
    await connection.execute("update accounts.keys set created_at = now() - interval '25 hours'")
    before: int = await connection.fetchval("select count(*) from accounts.keys")
    for _ in range(before):
        await ada.post("/tables", KINGDOMS, **{"idempotency-key": uuid4().hex})
    left: int = await connection.fetchval("select count(*) from accounts.keys where created_at < now() - interval '1 day'")
    await connection.close()
    assert left == 0


async def test_what_takes_no_key_says_so(ada: Person) -> None:
    problem = await ada.refused("GET", "/me", **{"idempotency-key": "x"})
    assert (problem["status"], problem["code"]) == (400, "key-not-taken")


ONCE_BY_NATURE = {
    "changePassword", "changeName", "renewRecoveryCode", "preparePasskeySignIn", "signInWithPasskey",
    "preparePasskey", "addPasskey", "removePasskey", "setMail", "removeMail", "verifyMail", "requestPasswordReset",
    "resetPassword",
    "revokeToken", "endSession", "setOwnRest",
    "deleteMe", "changeMe", "followPlayer", "unfollowPlayer", "blockPlayer", "unblockPlayer",
    "deleteApp", "answerApp", "withdrawApproval", "getDeviceApp", "answerDevice", "requestDeviceCode", "issueTokens",
    "revokeAppTokens", "closeBot", "importRecord", "deleteImport",
    "deleteStudy", "deleteComment",
}  # fmt: skip
"""Operations without a key: they set or end something, or use up a code.

A person who is unsure of the result can sign in and check.
"""


def test_all_that_changes_something_takes_a_key() -> None:
    for method, path, operation in operations():
        if operation["operationId"] in ONCE_BY_NATURE:
            continue
        headers = [parameter["name"] for parameter in operation.get("parameters", [])]
        announced = "key-not-taken" in operation[CODES]
        assert ("Idempotency-Key" in headers, announced) == (method != "get", method == "get"), path


async def test_a_table_has_one_rematch_whoever_asks_for_it(ada: Person, http: httpx.AsyncClient) -> None:
    bea = await Person.arrive(http, "Bea")
    table = await open_game([ada, bea])
    await end_early([ada, bea], table, 4, random.Random(4))
    answers = await asyncio.gather(*(person.post(f"/tables/{table}/rematch") for person in (ada, bea) * 4))
    assert len({answer["id"] for answer in answers}) == 1
    again = await ada.get(f"/tables/{answers[0]['id']}")
    assert [seat["player"] for seat in again["seats"]] == [ada.id, bea.id]
    other = bea if again["creator"] == ada.id else ada
    await other.ask("DELETE", f"/tables/{again['id']}/seats/{[ada.id, bea.id].index(other.id)}")
    assert (await other.post(f"/tables/{table}/rematch"))["id"] == again["id"]      # a player who left is not seated
    assert None in [seat["player"] for seat in (await ada.get(f"/tables/{again['id']}"))["seats"]]


async def test_rematches_are_rated_as_new_tables_are(ada: Person) -> None:
    table = await open_game([ada], bots=("simple",))
    await end_early([ada], table, 2, random.Random(4))
    made = await ada.ask("POST", f"/tables/{table}/rematch")
    opened = await ada.ask("POST", "/tables", json=KINGDOMS)
    limits = {int(answer.headers["ratelimit-limit"]) for answer in (made, opened)}
    assert len(limits) == 1


async def test_a_private_table_is_not_there_for_outsiders_who_post(ada: Person, http: httpx.AsyncClient) -> None:
    bea, cyd = await Person.arrive(http, "Bea"), await Person.arrive(http, "Cyd")
    table = (await ada.post("/tables", KINGDOMS | PRIVATE))["id"]

    async def codes() -> set[str]:
        path, command = f"/tables/{table}", {"expected_seq": 3, "action": {"id": "done"}}
        wish = {"seat": 0, "window": "wave", "on": True}
        asked: list[tuple[str, str, Any]] = [
            ("POST", "/start", None), ("DELETE", "/seats/0", None), ("POST", "/rematch", None),
            ("POST", "/undo", {"expected_seq": 3}), ("POST", "/preferences", wish), ("POST", "/commands", command),
            ("POST", "/seats", {"bot": "simple"}), ("POST", "/seats", {"seat": 0}),
        ]  # fmt: skip
        return {(await cyd.refused(method, path + below, body))["code"] for method, below, body in asked}

    await ada.post(f"/tables/{table}/seats")
    assert await codes() == {"not-found"}
    await let_in(ada, table, bea)
    await bea.post(f"/tables/{table}/seats")
    await ada.post(f"/tables/{table}/start")
    assert await codes() == {"not-found"}


async def test_signing_in_again_with_the_same_key_gives_the_same_session(http: httpx.AsyncClient) -> None:
    person, login = await Person.arrive(http, "Ada"), f"ada.{uuid4().hex[:12]}"
    opened = {"login": login, "password": "seven green bottles"}
    key = {"idempotency-key": uuid4().hex}
    first, again = [await person.post("/me/account", opened, **key) for _ in range(2)]
    assert first == again and (first["player"]["id"], first["player"]["kind"]) == (person.id, "account")
    other = await person.refused("POST", "/me/account", opened, **{"idempotency-key": uuid4().hex})
    assert other["code"] == "already-account"
    rejoined = await http.post("/guests/rejoin", json={"rejoin_code": again["recovery_code"]})
    assert rejoined.json()["player"]["id"] == person.id
    key = {"idempotency-key": uuid4().hex}
    answers = [await http.post("/sessions", json=opened, headers=header) for header in (key, key, {})]
    tokens = [answer.json()["token"] for answer in answers]
    assert tokens[0] == tokens[1] != tokens[2] and first["token"] not in tokens
    wrong = await http.post("/sessions", json={**opened, "password": "wrong wrong wrong"}, headers=key)
    assert wrong.json()["code"] == "sign-in-failed"
