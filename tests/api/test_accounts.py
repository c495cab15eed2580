"""Accounts: guests become accounts, and passwords let only their owners in."""

import asyncio
import random
from time import monotonic

import argon2
import httpx
import pytest

from ludarium.accounts import lockout
from ludarium.platform import ids
from ludarium.platform.database import Database
from tests.support.blind_client import random_action
from tests.support.entropy import suffix
from tests.support.people import Json, Person, fine, open_game, someone_asked

PASSWORD = "seven green bottles"


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http)


def a_login() -> str:
    return f"ada.{suffix().replace('1', '2').replace('0', '3')}"


async def opened(guest: Person, login: str, password: str = PASSWORD) -> tuple[Person, Json]:
    """Turn the guest into an account; return it in its new session, with the answer."""
    answer = await guest.post("/me/account", {"login": login, "password": password})
    return Person(guest.http, answer), answer


async def signed_in(http: httpx.AsyncClient, login: str, password: str = PASSWORD) -> httpx.Response:
    return await http.post("/sessions", json={"login": login, "password": password})


async def test_a_guest_becomes_an_account_in_mid_game_and_goes_on_on_a_second_device(http: httpx.AsyncClient) -> None:
    guest, login = await Person.arrive(http), a_login()
    table = await open_game([guest], bots=("simple",))
    account, answer = await opened(guest, login)
    assert answer["player"] == {"id": guest.id, "name": "Ada", "kind": "account", "owner": None}
    second = Person(http, (await signed_in(http, login.upper())).json())
    assert second.id == guest.id and len({second.token, account.token, guest.token}) == 3
    for device in (guest, account, second):
        _, view = await someone_asked([device], table)
        fine(await device.command(table, view, random_action(view["choice"], random.Random(1))))
    assert (await second.get("/me"))["login"] == login


async def test_becoming_an_account_ends_the_guests_codes_and_a_new_code_ends_the_old_one(http: httpx.AsyncClient) -> None:
    arrived = (await http.post("/guests", json={})).json()
    account, answer = await opened(Person(http, arrived), a_login())

    async def back(code: str) -> int:
        return (await http.post("/guests/rejoin", json={"rejoin_code": code})).status_code

    assert (await back(arrived["rejoin_code"]), await back(answer["recovery_code"])) == (401, 201)
    renewed = (await account.post("/me/recovery-code"))["recovery_code"]
    assert (await back(answer["recovery_code"]), await back(renewed)) == (401, 201)


async def test_a_login_is_taken_for_all_that_look_like_it(http: httpx.AsyncClient, ada: Person) -> None:
    login = a_login()
    await opened(ada, login)
    eve = await Person.arrive(http, "Eve")
    for alike in (login, login.upper(), login.replace(".", ".", 1), "admin"):
        problem = await eve.refused("POST", "/me/account", {"login": alike, "password": PASSWORD})
        assert problem["code"] == "login-taken"
    assert (await eve.get("/me"))["kind"] == "guest"


async def test_the_login_of_a_deleted_account_stays_reserved(http: httpx.AsyncClient, ada: Person, base: Database) -> None:
    login = a_login()
    account, _ = await opened(ada, login)
    assert (await account.ask("DELETE", "/me")).status_code == 204
    eve = await Person.arrive(http, "Eve")
    for alike in (login, login.upper()):
        refused = await eve.refused("POST", "/me/account", {"login": alike, "password": PASSWORD})
        assert refused["code"] == "login-taken"
    (row,) = await base.rows("select count(*) as logins from accounts.logins where key = $1", login)
    assert row["logins"] == 0
    await base.rows("update accounts.retired_logins set until = now()")
    await opened(eve, login)
    assert not await base.rows("select from accounts.retired_logins where until <= now()")


async def test_an_account_does_not_become_one_again(ada: Person) -> None:
    account, _ = await opened(ada, a_login())
    problem = await account.refused("POST", "/me/account", {"login": a_login(), "password": PASSWORD})
    assert problem["code"] == "already-account"


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("short", "weak-password"), ("123456789a"[:10], "weak-password"), ("aaaaaaaaaaaaaaaa", "weak-password"),
        ("Password123", "weak-password"), ("letmein!2026", "weak-password"),
        ("ludarium12", "weak-password"), ("Ludarium-Ludarium", "weak-password"),
        ("password@ludarium", "weak-password"), ("ada.lovelace", "weak-password"),
        ("x" * 257, "invalid-request"),
        ("x" * 10_000, "invalid-request"), ("", "invalid-request"), (None, "invalid-request"), (7, "invalid-request"),
    ],
)  # fmt: skip
async def test_a_weak_password_is_refused(ada: Person, password: object, code: str) -> None:
    problem = await ada.refused("POST", "/me/account", {"login": "ada.lovelace", "password": password})
    assert problem["code"] == code
    assert (await ada.get("/me"))["kind"] == "guest"


async def test_signing_in_from_a_guests_device_leaves_the_guest_alone(http: httpx.AsyncClient, ada: Person) -> None:
    login = a_login()
    await opened(ada, login)
    guest = await Person.arrive(http)
    answer = await http.post("/sessions", json={"login": login, "password": PASSWORD}, headers=guest.headers)
    assert answer.json()["player"]["id"] == ada.id != guest.id
    assert (await guest.get("/me"))["kind"] == "guest"


async def test_a_wrong_password_and_an_unknown_login_are_told_alike(http: httpx.AsyncClient, ada: Person) -> None:
    login = a_login()
    await opened(ada, login)
    answers = [await signed_in(http, name, "wrong wrong wrong") for name in (login, a_login(), "", "\u202e" * 64, "admin")]
    told = [(answer.status_code, {**answer.json(), "instance": ""}) for answer in answers]
    assert told[0] == told[1] == told[3] == told[4] and told[0][0] == 401
    assert (told[0][1]["code"], told[2][1]["code"]) == ("sign-in-failed", "invalid-request")


async def test_who_guesses_waits_longer_each_time_and_others_do_not(
    http: httpx.AsyncClient, ada: Person, base: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    login = a_login()
    await opened(ada, login)
    for name in (login, a_login()):
        codes = [(await signed_in(http, name, "wrong wrong wrong")).json()["code"] for _ in range(lockout.FROM_ADDRESS.free)]
        assert codes == ["sign-in-failed"] * 5
        for wait in (15, 30, 60):
            began = monotonic()
            await base.rows("update accounts.failures set last_at = now()")         # the answer may have taken long
            locked = await signed_in(http, name)
            assert (locked.status_code, locked.json()["code"]) == (429, "locked-out")
            assert wait - (monotonic() - began) <= int(locked.headers["retry-after"]) <= wait
            await base.rows("update accounts.failures set last_at = last_at - make_interval(secs => $1)", wait)
            await signed_in(http, name, "wrong wrong wrong")
    elsewhere = {"x-forwarded-for": "203.0.113.7"}
    answer = await http.post("/sessions", json={"login": login, "password": PASSWORD}, headers=elsewhere)
    assert answer.status_code == 201


async def test_guesses_made_side_by_side_are_all_counted(http: httpx.AsyncClient, ada: Person) -> None:
    login = a_login()
    await opened(ada, login)
    answers = await asyncio.gather(*[signed_in(http, login, f"wrong wrong {i}") for i in range(20)])
    assert sorted(answer.json()["code"] for answer in answers) == ["locked-out"] * 15 + ["sign-in-failed"] * 5


async def test_an_old_hash_is_made_anew_when_its_owner_signs_in(http: httpx.AsyncClient, ada: Person, base: Database) -> None:
    login = a_login()
    await opened(ada, login)
    old = argon2.PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1).hash(PASSWORD)
    await base.rows("update accounts.passwords set hash = $2 where player_id = $1", ids.decode(ada.id), old)
    assert (await signed_in(http, login)).status_code == 201
    row = await base.row("select hash from accounts.passwords where player_id = $1", ids.decode(ada.id))
    assert row is not None and "m=19456,t=2,p=1" in row["hash"]
    assert (await signed_in(http, login)).status_code == 201


async def test_a_new_password_ends_the_old_one_and_all_other_tokens(http: httpx.AsyncClient, ada: Person) -> None:
    login = a_login()
    account, _ = await opened(ada, login)
    bot = await account.post("/me/tokens", {"name": "bot", "scopes": ["play"]})
    wanted = {"password": "eight green bottles", "current_password": PASSWORD}
    assert (await account.ask("POST", "/me/password", json=wanted)).status_code == 204
    for token in (ada.token, bot["secret"]):
        assert (await http.get("/me", headers={"authorization": f"Bearer {token}"})).status_code == 401
    assert (await account.get("/me"))["has_password"] is True
    assert [(await signed_in(http, login, one)).status_code for one in (PASSWORD, "eight green bottles")] == [401, 201]


async def test_a_guest_has_no_password_and_no_mail(ada: Person) -> None:
    assert (await ada.refused("POST", "/me/password", {"password": PASSWORD}))["code"] == "account-needed"


async def test_a_password_is_changed_only_with_the_current_one(http: httpx.AsyncClient, ada: Person) -> None:
    login, new = a_login(), {"password": "eight green bottles"}
    account, _ = await opened(ada, login)
    for proof in ({}, {"current_password": "nine green bottles"}, {"recovery_code": "7yqw8-5tex3-8b5c2-am2h1"}):
        assert (await account.refused("POST", "/me/password", new | proof))["code"] == "wrong-password"
    assert [(await signed_in(http, login, one)).status_code for one in (PASSWORD, new["password"])] == [201, 401]


async def test_a_forgotten_password_is_changed_with_the_recovery_code(http: httpx.AsyncClient, ada: Person) -> None:
    login, new = a_login(), {"password": "eight green bottles"}
    _, answer = await opened(ada, login)
    back = Person(http, (await http.post("/guests/rejoin", json={"rejoin_code": answer["recovery_code"]})).json())
    others = await Person.arrive(http, "Eve")
    _, foreign = await opened(others, a_login())
    wrong = await back.refused("POST", "/me/password", new | {"recovery_code": foreign["recovery_code"]})
    assert wrong["code"] == "wrong-password"
    right = new | {"recovery_code": answer["recovery_code"]}
    assert (await back.ask("POST", "/me/password", json=right)).status_code == 204
    assert (await signed_in(http, login, new["password"])).status_code == 201


async def test_guesses_at_the_current_password_are_counted_as_sign_ins(ada: Person) -> None:
    account, _ = await opened(ada, a_login())
    new = {"password": "eight green bottles"}
    for guess in range(lockout.FROM_ADDRESS.free):
        refused = await account.refused("POST", "/me/password", new | {"current_password": f"wrong wrong {guess}"})
        assert refused["code"] == "wrong-password"
    assert (await account.refused("POST", "/me/password", new | {"current_password": PASSWORD}))["code"] == "locked-out"


async def test_two_hundred_guests_of_one_school_sit_down_in_a_minute(http: httpx.AsyncClient) -> None:
    """They arrive in groups of 20, because another limit bounds concurrent requests."""
    for _ in range(10):
        made = await asyncio.gather(*[http.post("/guests", json={}) for _ in range(20)])
        assert {answer.status_code for answer in made} == {201}


async def test_a_person_is_called_as_they_like(ada: Person) -> None:
    assert (await ada.post("/me/name", {"name": "Countess"}))["name"] == "Countess"
    assert (await ada.get("/me"))["name"] == (await ada.get(f"/players/{ada.id}"))["name"] == "Countess"
    assert (await ada.refused("POST", "/me/name", {"name": "a\u202eb"}))["code"] == "invalid-request"
