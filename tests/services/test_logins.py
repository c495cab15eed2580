"""The service's login can add to the log and read it, and can change neither what stands there nor what it may do itself."""
from __future__ import annotations

import random
from collections.abc import AsyncIterator
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import httpx
import pytest

from eventstore import EventStore, Login, Ok, owns_the_log
from services.config import Config
from services.embedded import Services
from services.server import migrated, running
from tests.api.people import Person, open_game, play_on
from tests.eventstore.streams import append

OWNER = "ludarium"
RETURNS_ONE = "returns int language sql return 1"
REFUSED = (
    "update es.events set data = ''", "delete from es.events", "truncate es.events", "drop table es.events",
    "alter table es.events drop column hash", "alter table es.events disable trigger all",
    "update es.commands set version = 0", "delete from es.commands", "update es.documents set data = ''",
    "update es.event_types set name = ''", "delete from public.ludarium_migrations", "drop schema lobby cascade",
    f"set role {OWNER}", f"set session authorization {OWNER}", f"grant {OWNER} to current_user",
    "alter role current_user superuser", "create role another", "create schema another",
    f"create function es.f() {RETURNS_ONE}", f"create function public.f() {RETURNS_ONE}",
    f"create or replace function es.append() {RETURNS_ONE}",
    "create trigger t before insert on es.events execute function suppress_redundant_updates_trigger()",
)  # fmt: skip


@pytest.fixture
async def login_url(database_url: str, embedded_services: Services) -> str:
    """The service's, to the database of the test."""
    url = urlsplit(embedded_services.service_url)._replace(path=urlsplit(database_url).path).geturl()
    await migrated(database_url, Login.of(url))
    return url


@pytest.fixture
async def login(login_url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    connection = await asyncpg.connect(login_url)
    yield connection
    await connection.close()


async def test_what_the_login_may_not_do(login_url: str, login: asyncpg.Connection[asyncpg.Record]) -> None:
    """Also not after it has laid down the role that it is given when it connects."""
    async with await EventStore.open(login_url) as store:
        assert await store.append(append(uuid4(), 0)) == Ok(0, 1)
    for begun in ("reset role", "set role none", "set role ludarium_service"):
        await login.execute(begun)
        for statement in REFUSED:
            with pytest.raises(asyncpg.PostgresError) as refusal:
                await login.execute(statement)
            assert refusal.value.sqlstate == asyncpg.InsufficientPrivilegeError.sqlstate, (begun, statement, refusal.value)
    assert await login.fetchval("select count(*) from es.events") == 1
    assert not await owns_the_log(login)


async def test_the_owner_is_told_from_the_login(login_url: str, database_url: str) -> None:
    owner = await asyncpg.connect(database_url)
    assert await owns_the_log(owner)
    await owner.close()


async def test_a_game_is_played_with_no_more_rights_than_that(login_url: str, redis_url: str) -> None:
    async with (
        running(Config(port=0, ws_port=0), login_url, redis_url) as address,
        httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=30) as http,
    ):
        people = [await Person.arrive(http), await Person.arrive(http)]
        table = await open_game(people)
        assert await play_on(people, table, 1000, random.Random(3)) > 10
        assert (await people[0].view(table))["status"] == "over"
        assert [t["id"] for t in (await people[0].get("/tables"))["tables"]] == [table]
        assert (await http.get("/records")).json()["games"]
        ready = (await http.get(str(http.base_url).removesuffix("/api/v1/") + "/readyz")).json()
        assert (ready["status"], ready["stopped"]) == ("ready", {})


async def test_a_login_that_is_there_stays_as_it_is(login_url: str, database_url: str) -> None:
    """Its password is the operator's affair."""
    owner = await asyncpg.connect(database_url)
    settings = "select rolconfig, rolcanlogin, rolsuper from pg_roles where rolname = $1"
    before = await owner.fetchrow(settings, Login.of(login_url).name)
    await migrated(database_url, Login(Login.of(login_url).name, "another"))
    assert await owner.fetchrow(settings, Login.of(login_url).name) == before
    await owner.close()


def test_a_login_is_read_from_its_url() -> None:
    assert Login.of("postgresql://ludarium_login:p%40ss@db/ludarium") == Login("ludarium_login", "p@ss")
    assert Login.of("postgresql://me@/db?host=/run") == Login("me", None)
