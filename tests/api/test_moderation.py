"""Moderation: searches and acts of moderators, and their effects on players."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import httpx
import pytest
from typer.testing import CliRunner, Result

from ludarium.accounts.accounts import Accounts
from ludarium.cli import main
from ludarium.ops.backups.ledger import STATEMENTS
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.server import Address
from tests.api.test_live import port_of
from tests.api.test_my_bots import KINGDOMS, ROBOT, an_account, as_person
from tests.support.entropy import ENTROPY, uuid4
from tests.support.live_client import client
from tests.support.people import PRIVATE, Json, Person, fine, open_game
from tests.support.staff import make_staff

DAY = 86_400
WHY = "Insults, after a warning"


async def promoted(http: httpx.AsyncClient, base: Database, role: str) -> Person:
    return await make_staff(base, await an_account(http, role.title()), role)


@pytest.fixture
async def mod(http: httpx.AsyncClient, base: Database) -> Person:
    return await promoted(http, base, "moderator")


@pytest.fixture
async def admin(http: httpx.AsyncClient, base: Database) -> Person:
    return await promoted(http, base, "admin")


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await an_account(http)


async def act(by: Person, about: Person, act: str, **more: object) -> None:
    answer = await by.ask("POST", f"/admin/players/{about.id}/acts", json={"act": act, "reason": WHY, **more})
    assert answer.status_code == 204, answer.text


async def refusal(by: Person, about: Person, act: str, **more: object) -> str:
    problem = await by.refused("POST", f"/admin/players/{about.id}/acts", {"act": act, "reason": WHY, **more})
    return str(problem["code"])


async def listed(by: Person, path: str, **params: str) -> list[Json]:
    found: Any = await by.get(path, **params)
    return [*found]


def is_in_a_day(moment: str) -> bool:
    return abs(datetime.fromisoformat(moment) - datetime.now(UTC) - timedelta(days=1)) < timedelta(minutes=5)


async def test_who_is_banned_is_not_signed_in_and_does_not_play_and_keeps_their_data(
    mod: Person, ada: Person, address: Address, http: httpx.AsyncClient
) -> None:
    table = await open_game([ada], bots=("simple",))
    code = (await ada.post("/me/recovery-code"))["recovery_code"]
    view, login = await ada.view(table), (await ada.get("/me"))["login"]
    async with client(port_of(address), ada.token) as socket:
        await act(mod, ada, "ban", seconds=DAY)
        assert await socket.until_closed() == 1008
    problem = (await ada.command(table, view, {"id": "x"})).json()
    assert (problem["status"], problem["code"], problem["detail"]) == (403, "banned", WHY) and is_in_a_day(problem["until"])
    assert (await http.post("/guests/rejoin", json={"rejoin_code": code})).json()["code"] == "banned"
    password = {"login": login, "password": "seven green bottles"}
    assert (await http.post("/sessions", json=password)).json()["code"] == "banned"
    for path, body in (("/tables", KINGDOMS), (f"/tables/{table}/chat", {"phrase": "hello"})):
        assert (await ada.refused("POST", path, body))["code"] == "banned"
    assert (await ada.get("/me"))["id"] == ada.id
    assert await ada.rulings() == [("ban", WHY)]
    await act(mod, ada, "unban")
    await ada.post("/tables", KINGDOMS)


async def test_a_ban_is_over_when_its_time_is(mod: Person, ada: Person, base: Database) -> None:
    await act(mod, ada, "ban", seconds=DAY)
    await base.rows("update accounts.sanctions set until = now() - interval '1 second'")
    assert (await Accounts(base, ENTROPY).tokens.access(ada.token)).ban is None


async def test_a_bot_is_banned_with_its_owner(mod: Person, ada: Person, http: httpx.AsyncClient) -> None:
    robot = as_person(http, await ada.post("/me/bots", ROBOT))
    await act(mod, ada, "ban", seconds=DAY)
    assert (await robot.refused("POST", "/tables", KINGDOMS))["code"] == "banned"


async def test_who_is_muted_plays_and_says_nothing(mod: Person, ada: Person) -> None:
    table = await open_game([ada], bots=("simple",))
    await act(mod, ada, "mute", seconds=DAY)
    problem = await ada.refused("POST", f"/tables/{table}/chat", {"phrase": "hello"})
    assert (problem["code"], problem["detail"]) == ("muted", WHY) and is_in_a_day(problem["until"])
    await ada.post("/tables", KINGDOMS)
    await act(mod, ada, "unmute")
    await ada.post(f"/tables/{table}/chat", {"phrase": "hello"})


async def test_who_is_warned_or_renamed_reads_why_and_not_by_whom(mod: Person, ada: Person) -> None:
    await act(mod, ada, "warn")
    await act(mod, ada, "rename", name="Somebody")
    assert (await ada.get(f"/players/{ada.id}"))["name"] == "Somebody"
    assert await ada.rulings() == [("rename", WHY), ("warn", WHY)]
    assert mod.id not in str(await ada.get("/me/notices"))


async def test_revoked_tokens_end_with_those_of_bots(admin: Person, ada: Person, http: httpx.AsyncClient) -> None:
    robot = as_person(http, await ada.post("/me/bots", ROBOT))
    await act(admin, ada, "revoke")
    for person in (ada, robot):
        assert (await person.refused("GET", "/me"))["code"] == "invalid-token"


async def test_nobody_acts_on_who_stands_as_high_and_some_acts_are_for_administrators(
    mod: Person, admin: Person, ada: Person
) -> None:
    assert [await refusal(mod, each, "warn") for each in (mod, admin)] == ["forbidden"] * 2
    assert await refusal(admin, admin, "warn") == "forbidden"
    assert await refusal(mod, ada, "revoke") == await refusal(mod, ada, "ban", seconds=31 * DAY) == "forbidden"
    assert (await mod.refused("POST", "/admin/drain", {"on": True, "reason": WHY}))["code"] == "forbidden"
    await act(admin, mod, "warn")
    await act(admin, ada, "ban", seconds=31 * DAY)


@pytest.mark.parametrize(
    "body",
    [
        {"act": "ban"}, {"act": "warn", "seconds": DAY}, {"act": "rename"}, {"act": "warn", "name": "x"},
        {"act": "mute", "seconds": 1},
        {"act": "ban", "seconds": 10**12}, {"act": "warn", "reason": ""}, {"act": "warn", "reason": "x" * 501}, {"act": "hang"},
        {"act": "rename", "name": "\u202eadA"},
    ],
)  # fmt: skip
async def test_a_wrong_act_changes_nothing(mod: Person, ada: Person, body: Json) -> None:
    path = f"/admin/players/{ada.id}/acts"
    assert (await mod.refused("POST", path, {"reason": WHY} | body))["code"] == "invalid-request"
    assert await listed(mod, "/admin/acts", about=ada.id) == []


async def test_each_act_stands_in_the_audit_once_and_for_good(
    mod: Person, ada: Person, module_database_url: str
) -> None:
    key = {"idempotency-key": uuid4().hex}
    for _ in range(2):
        body = {"act": "mute", "reason": WHY, "seconds": DAY}
        assert (await mod.ask("POST", f"/admin/players/{ada.id}/acts", json=body, headers=key)).status_code == 204
    (told,) = await listed(mod, "/admin/acts", about=ada.id)
    assert (told["kind"], told["by"], told["player"], told["reason"]) == ("mute", mod.id, ada.id, WHY)
    connection = await asyncpg.connect(module_database_url)
    await connection.execute("set role ludarium_service")
    for statement in ("delete from accounts.acts", "update accounts.acts set reason = 'none'"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)
    await connection.close()


async def test_a_table_is_closed_or_ends_without_a_result_and_private_ones_are_found(mod: Person, ada: Person) -> None:
    waiting = (await ada.post("/tables", KINGDOMS | PRIVATE))["id"]
    assert (await mod.get(f"/admin/tables/{waiting}"))["status"] == "open"
    tables = [waiting, await open_game([ada], bots=("simple",)), await open_game([ada], bots=("simple",))]
    for table, what in zip(tables, ("close", "close", "void"), strict=True):
        answer = await mod.ask("POST", f"/admin/tables/{table}/acts", json={"act": what, "reason": WHY})
        assert answer.status_code == 204
    ended = [(told["reason"], told["outcome"] is None) for told in [await ada.get(f"/tables/{table}") for table in tables]]
    assert ended == [("voided", True), ("adjudicated", False), ("voided", True)]
    assert {told["table"]["id"] for told in await mod.list(f"/admin/players/{ada.id}/tables")} >= set(tables)
    acts = [told for told in await mod.list("/admin/acts") if told["table"] in tables]
    assert [told["kind"] for told in acts] == ["void", "close", "close"]
    refused = await mod.refused("POST", f"/admin/tables/{waiting}/acts", {"act": "void", "reason": WHY})
    assert refused["code"] == "game-over"
    assert len([told for told in await mod.list("/admin/acts") if told["table"] in tables]) == len(acts)


async def test_a_house_that_drains_takes_no_new_tables_and_games_go_on(admin: Person, ada: Person) -> None:
    table = await open_game([ada], bots=("simple",))
    assert (await admin.ask("POST", "/admin/drain", json={"on": True, "reason": "A new disk"})).status_code == 204
    try:
        problem = await ada.refused("POST", "/tables", KINGDOMS)
        assert (problem["code"], problem["detail"]) == ("draining", "A new disk")
        clock = {"policies": {"clock": {"type": "live", "bank": 300}}}
        assert (await ada.refused("POST", "/matches", KINGDOMS | clock))["code"] == "draining"
        assert (await admin.get("/admin/drain")) == {"reason": "A new disk"}
        assert (await ada.view(table))["status"] == "playing"
    finally:
        await admin.ask("POST", "/admin/drain", json={"on": False, "reason": "It is in"})
    await ada.post("/tables", KINGDOMS)


async def test_people_are_found_by_login_name_and_id(mod: Person, ada: Person) -> None:
    login = (await ada.get("/me"))["login"]
    await act(mod, ada, "mute", seconds=DAY)
    for wanted in (login.upper(), ada.id):
        (found,) = await listed(mod, "/admin/players", wanted=wanted)
        assert (found["id"], found["login"], found["role"]) == (ada.id, login, "player") and is_in_a_day(found["muted_until"])
    assert ada.id in [found["id"] for found in await listed(mod, "/admin/players", wanted="aD")]
    assert await listed(mod, "/admin/players", wanted="%") == []


async def test_a_report_is_read_with_what_was_said_and_closed(mod: Person, ada: Person, base: Database) -> None:
    ben = await Person.arrive(ada.http, "Ben")
    table = await open_game([ada, ben])
    said = await ada.post(f"/tables/{table}/chat", {"text": "You play like a stone"})
    report = ids.new_id(ENTROPY)
    await base.rows(
        """insert into accounts.reports (id, reporter_id, player_id, table_id, message_id, reason, text)
           values ($1, $2, $3, $4, $5, 'insult', 'He said it again')""",
        report, *map(ids.decode, (ben.id, ada.id, table, said["id"])),
    )  # fmt: skip
    (told,) = [each for each in await mod.list("/admin/reports") if each["id"] == ids.encode(report)]
    assert (told["said"], told["reporter"], told["player"]) == ("You play like a stone", ben.id, ada.id)
    answer = await mod.ask("POST", f"/admin/reports/{told['id']}/close", json={"reason": "Warned"})
    assert answer.status_code == 204
    assert told["id"] not in [each["id"] for each in await mod.list("/admin/reports")]
    assert told["id"] in [each["id"] for each in await listed(mod, "/admin/reports", closed="true")]
    assert [each["kind"] for each in await listed(mod, "/admin/acts", about=ada.id)] == ["report"]


@pytest.mark.parametrize(
    "name", ["Fuck", "f u c k", "FUUUCK you", "f\u016bck", "\uff26uck", "fu\u0441k", "sh1t", "kurv\u00e1k", "gilipollas"]
)
async def test_what_nobody_wants_to_read_is_no_name_and_not_said(ada: Person, name: str) -> None:
    for path, body in (("/guests", {"name": name}), ("/me/name", {"name": name}), ("/me/bots", ROBOT | {"name": name})):
        assert (await ada.refused("POST", path, body))["code"] == "unkind-words"
    table = await open_game([ada], bots=("simple",))
    assert (await ada.refused("POST", f"/tables/{table}/chat", {"text": f"you {name}!"}))["code"] == "unkind-words"


@pytest.mark.parametrize("name", ["Scunthorpe", "Szarvas", "Kike", "Baszk", "A\u00f1o Nuevo", "Dick", "Mishit", "B i t"])
async def test_names_with_a_word_inside_are_names(http: httpx.AsyncClient, name: str) -> None:
    assert fine(await http.post("/guests", json={"name": name}))["player"]["name"] == name


async def test_bans_are_kept_beside_backups_and_done_again(mod: Person, ada: Person, module_database_url: str) -> None:
    owner = await asyncpg.connect(module_database_url)
    await owner.execute("insert into backups.done values ('base', now())")
    await act(mod, ada, "ban", seconds=DAY)
    await act(mod, ada, "mute", seconds=DAY)
    await act(mod, ada, "unmute")
    kept = await owner.fetch("select kind, subject from backups.ledger where kind like 'player-%' order by id")
    await owner.execute("delete from accounts.sanctions")
    for kind in {row["kind"] for row in kept}:
        for _ in range(2):
            await owner.execute(STATEMENTS[kind], [row["subject"] for row in kept if row["kind"] == kind])
    await owner.execute("delete from backups.done")
    await owner.close()
    (found,) = await listed(mod, "/admin/players", wanted=ada.id)
    assert is_in_a_day(found["banned_until"]) and found["muted_until"] is None


async def test_an_operator_does_it_all_at_the_machine(
    mod: Person, ada: Person, module_database_url: str, module_redis_url: str
) -> None:
    environment = {"LUDARIUM_DATABASE_URL": module_database_url, "LUDARIUM_REDIS_URL": module_redis_url}

    async def admin(*words: str) -> Result:
        return await asyncio.to_thread(CliRunner().invoke, main, ["admin", *words], env=environment)

    login, table = (await ada.get("/me"))["login"], await open_game([ada], bots=("simple",))
    for words in (
        ("grant", login, "moderator"), ("warn", ada.id, WHY), ("ban", login, "12h", WHY), ("ban", login, "0m", "A mistake"),
        ("mute", login, "7d", WHY), ("rename", login, "Somebody", WHY), ("void", table, WHY), ("drain", "on", WHY),
        ("drain", "off", WHY), ("revoke", login, WHY),
    ):  # fmt: skip
        ran = await admin(*words)
        assert ran.exit_code == 0, ran.output
    acts = [json.loads(line) for line in (await admin("audit")).stdout.splitlines()]
    assert [told["kind"] for told in acts[:10]][::-1] == [
        "grant", "warn", "ban", "unban", "mute", "rename", "void", "drain", "undrain", "revoke",
    ]  # fmt: skip
    assert {told["by"] for told in acts[:10]} == {None}
    (found,) = [json.loads(line) for line in (await admin("find", login)).stdout.splitlines()]
    assert (found["role"], found["name"], found["banned_until"]) == ("moderator", "Somebody", None) and found["muted_until"]
    assert (await mod.get(f"/tables/{table}"))["reason"] == "voided"
    assert (await admin("reports")).exit_code == 0
    for words in (("ban", "nobody-at-all", "1d", WHY), ("ban", login, "soon", WHY), ("warn", login, ""), ("void", table, WHY)):
        assert (await admin(*words)).exit_code > 0
