"""Staff need a passkey sign-in of the last hours to read, of minutes to act."""

import asyncio

import httpx
import pytest
from typer.testing import CliRunner, Result

from ludarium.cli import main
from ludarium.platform import ids
from ludarium.platform.database import Database
from tests.api.test_accounts import PASSWORD, signed_in
from tests.api.test_my_bots import an_account
from tests.api.test_passkeys import ORIGIN, made, question
from tests.support.authenticator import Authenticator
from tests.support.people import Json, Person, fine
from tests.support.sessions import session_of
from tests.support.staff import make_staff

ACT = {"act": "warn", "reason": "Insults"}


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await an_account(http)


@pytest.fixture
async def mod(http: httpx.AsyncClient, base: Database) -> Person:
    return await make_staff(base, await an_account(http, "Mod"), "moderator")


async def again(base: Database, person: Person, age: str, way: str = "passkey") -> Person:
    """Return the person in a new session of this age."""
    player = ids.decode(person.id)
    token = await session_of(base, player, "passkey" if way == "passkey" else "password")
    await base.rows("update accounts.tokens set created_at = now() - $2::text::interval where player_id = $1", player, age)
    return Person(person.http, {"player": {"id": person.id}, "token": token})


async def code(person: Person, method: str, path: str, body: Json | None = None) -> str:
    answer = await person.ask(method, path, json=body)
    return "" if answer.status_code < 400 else str(answer.json()["code"])


@pytest.mark.parametrize(
    ("way", "age", "looks", "acts"),
    [
        ("passkey", "0 minutes", "", ""), ("passkey", "14 minutes", "", ""), ("passkey", "16 minutes", "", "passkey-needed"),
        ("passkey", "11 hours", "", "passkey-needed"), ("passkey", "13 hours", "passkey-needed", "passkey-needed"),
        ("password", "0 minutes", "passkey-needed", "passkey-needed"),
    ],
)  # fmt: skip
async def test_staff_looks_for_hours_and_acts_for_minutes_after_a_passkey(
    base: Database, mod: Person, ada: Person, way: str, age: str, looks: str, acts: str
) -> None:
    person = await again(base, mod, age, way)
    assert await code(person, "GET", "/admin/players") == looks
    assert await code(person, "POST", f"/admin/players/{ada.id}/acts", ACT) == acts
    assert await code(person, "GET", "/me/tables") == ""


async def test_a_token_of_staff_reads_for_a_day_and_never_acts(base: Database, mod: Person, ada: Person) -> None:
    wanted = {"name": "Dashboard", "scopes": ["admin"], "days": 1}
    assert (await mod.refused("POST", "/me/tokens", wanted | {"days": 2}))["code"] == "invalid-request"
    by_password = await again(base, mod, "0 minutes", "password")
    assert (await by_password.refused("POST", "/me/tokens", wanted))["code"] == "passkey-needed"
    made = await mod.post("/me/tokens", wanted)
    token = Person(mod.http, {"player": {"id": mod.id}, "token": made["secret"]})
    assert await code(token, "GET", "/admin/players") == ""
    assert await code(token, "POST", f"/admin/players/{ada.id}/acts", ACT) == "session-needed"


async def test_a_password_alone_gives_a_moderator_no_passkey(
    mod: Person, http: httpx.AsyncClient, module_database_url: str, module_redis_url: str
) -> None:
    login = (await mod.get("/me"))["login"]
    person = Person(http, fine(await signed_in(http, login, PASSWORD)))
    thief, device = Authenticator(ORIGIN), Authenticator(ORIGIN)
    stolen = {"name": "Key", "credential": await made(person, thief)}
    assert (await person.refused("POST", "/me/passkeys", stolen))["code"] == "enrolment-needed"

    async def enrol(who: str) -> Result:
        environment = {"LUDARIUM_DATABASE_URL": module_database_url, "LUDARIUM_REDIS_URL": module_redis_url}
        return await asyncio.to_thread(CliRunner().invoke, main, ["admin", "enrol", who], env=environment)

    printed = (await enrol(login)).stdout.strip()
    for wanted, answer in ((device, ""), (thief, "enrolment-needed")):
        body = {"name": "Key", "credential": await made(person, wanted), "enrolment": printed}
        assert await code(person, "POST", "/me/passkeys", body) == answer
    fresh = Person(http, fine(await http.post("/sessions/passkey", json=device.get(await question(http)))))
    assert await code(fresh, "GET", "/admin/players") == ""
    newest = (await fresh.list("/admin/acts"))[0]
    assert (newest["kind"], newest["player"], newest["by"]) == ("enrol", mod.id, None)
    second = {"name": "Spare", "credential": await made(fresh, thief)}
    assert await code(fresh, "POST", "/me/passkeys", second) == ""


async def test_nobody_else_is_enrolled(ada: Person, module_database_url: str, module_redis_url: str) -> None:
    environment = {"LUDARIUM_DATABASE_URL": module_database_url, "LUDARIUM_REDIS_URL": module_redis_url}
    for who in (ada.id, "nobody-at-all"):
        ran = await asyncio.to_thread(CliRunner().invoke, main, ["admin", "enrol", who], env=environment)
        assert ran.exit_code > 0
