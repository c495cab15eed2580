"""Signed statements: clients tell an intact log from a loss and from tampering."""
from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator
from hashlib import blake2b
from pathlib import Path
from random import Random

import asyncpg
import httpx
import pytest
from msgspec.structs import replace

from ludarium.platform import ids
from ludarium.platform.config import Config
from ludarium.platform.signing_keys import BadKey, Signer, new_secret
from ludarium.projections.rebuilding import rebuild
from ludarium.records.lost_events import sign_cuts
from ludarium.records.signed_statements import keys_of
from ludarium.server import Address, running
from ludarium.tables.table_cache import TableCache
from ludarium_client import AsyncClient, Client
from ludarium_client.bodies import Cut
from ludarium_client.kept import Judgement, Kept, is_signed, judge, kept_of
from ludarium_eventstore import EventStore
from tests.support.entropy import ENTROPY
from tests.support.lost_rows import lose
from tests.support.people import Person, open_game, play_on

PAGE = Path(__file__).parents[2] / "docs/frontend.md"
OLD, NEW = Signer(new_secret()), new_secret()
SIGNER = Signer(NEW)
assert OLD.present is not None and SIGNER.present is not None
KEYS, CONFIG = [SIGNER.present.key], Config(port=0, ws_port=0, signing_key=NEW)
STRANGERS = [OLD.present.key]


@pytest.fixture(scope="module")
async def address(module_database_url: str, module_redis_url: str) -> AsyncIterator[Address]:
    async with running(CONFIG, module_database_url, module_redis_url, ENTROPY) as where:
        yield where


@pytest.fixture
async def people(http: httpx.AsyncClient) -> list[Person]:
    return [await Person.arrive(http, name) for name in ("Ada", "Bea")]


async def kept(people: list[Person], table: str) -> Kept:
    event = (await people[0].get(f"/tables/{table}/events", limit=1000))["events"][-1]
    return Kept(table, event["seq"], event["head"], event["data"]["at"])


async def checked(server: str, what: Kept) -> Judgement:
    async with AsyncClient(server) as client:
        return await client.check_kept(what, KEYS)


async def test_a_statement_is_signed_and_says_no_names(people: list[Person], server: str) -> None:
    table = await open_game(people)
    await play_on(people, table, 2000, Random(1))
    async with AsyncClient(server) as client:
        said, keys = await client.statement(table), await client.signing_keys()
        assert await client.statement(table) == said and keys.present == said.key
    assert is_signed(said, KEYS) and not is_signed(said, STRANGERS)
    for other in (replace(said, length=said.length + 1), replace(said, places=None), replace(said, signature="AA==")):
        assert not is_signed(other, KEYS)
    assert said.places and "Ada" not in repr(replace(said, signature=""))
    assert await checked(server, kept_of(said)) == Judgement("holds")
    assert await asyncio.to_thread(blocking, server, table) == said.length


def blocking(server: str, table: str) -> int:
    with Client(server) as client:
        assert client.cuts(table) == [] and client.check_kept(kept_of(client.statement(table)), []).verdict == "holds"
        return client.statement(table).length


async def test_a_cut_tail_is_found_and_a_signed_loss_is_told(
    people: list[Person], server: str, module_database_url: str
) -> None:
    table = await open_game(people)
    await play_on(people, table, 6, Random(2))
    knew = await kept(people, table)
    assert str(await checked(server, knew)) == "your last event is there"
    await lose(module_database_url, 2)
    assert await checked(server, knew) == Judgement("tampered")
    owner = await asyncpg.connect(module_database_url)
    await owner.execute(
        "insert into backups.cuts (stream_id, kept, lost) values ($1, $2, sha256('lost'))", ids.decode(table), knew.seq - 2
    )
    await owner.close()
    assert await checked(server, knew) == Judgement("tampered")             # the loss is not signed
    assert await sign_cuts(module_database_url, SIGNER) == 1 and await sign_cuts(module_database_url, SIGNER) == 0
    assert str(await checked(server, knew)) == "this server lost the last 2 events that you knew of"
    async with AsyncClient(server) as client:
        assert (await client.check_kept(knew, STRANGERS)).verdict == "tampered"
    await play_on(people, table, 4, Random(3))
    assert (await checked(server, knew)).verdict == "lost"                  # the game continued without the known event
    assert (await checked(server, await kept(people, table))).verdict == "holds"


async def test_another_log_in_the_place_of_one_is_found(people: list[Person], server: str, module_database_url: str) -> None:
    table = await open_game(people)
    await play_on(people, table, 4, Random(4))
    knew = await kept(people, table)
    await lose(module_database_url, 3)
    await play_on(people, table, 8, Random(5))
    assert await checked(server, knew) == Judgement("tampered")
    assert await checked(server, replace(knew, table="0" * 26)) == Judgement("tampered")


def test_a_loss_excuses_nothing_that_came_after_it_nor_another_table() -> None:
    cut = signed(Cut(log="0" * 26, table="a", kept=3, lost="00" * 32, since=None, until=None,
                     found_at="2026-01-02T00:00:00.000Z", key=None, signature=None))  # fmt: skip
    before, after = "2026-01-01T00:00:00.000Z", "2026-01-03T00:00:00.000Z"
    assert judge(Kept("a", 5, "f" * 16, before), [], [cut], KEYS) == Judgement("lost", 2)
    for what in (Kept("a", 5, "f" * 16, after), Kept("b", 5, "f" * 16, before), Kept("a", 3, "f" * 16, before)):
        assert judge(what, ["e" * 64] * 9, [cut], KEYS) == Judgement("tampered")
    span = signed(replace(cut, table=None, kept=None, lost=None, since="2025-12-31T00:00:00.000Z", until=cut.found_at))
    assert judge(Kept("b", 5, "f" * 16, before), ["e" * 64] * 4, [span], KEYS) == Judgement("lost", 2)
    assert judge(Kept("b", 5, "f" * 16, "2025-12-30T00:00:00.000Z"), [], [span], KEYS) == Judgement("tampered")


def signed(cut: Cut) -> Cut:
    said = [f"{name} {'-' if value is None else value}" for name, value in (
        ("log", cut.log), ("table", cut.table), ("kept", cut.kept), ("lost", cut.lost), ("since", cut.since),
        ("until", cut.until), ("found", cut.found_at),
    )]  # fmt: skip
    key, signature = SIGNER.sign(["ludarium-cut/2", *said])
    return replace(cut, key=key, signature=signature)


async def test_a_table_stands_under_the_root_of_its_hour(people: list[Person], server: str, module_database_url: str) -> None:
    tables = [await open_game([people[0]], bots=("simple",)) for _ in range(4)]
    for seed, table in enumerate(tables):
        await play_on([people[0]], table, 2000, Random(seed))
    owner = await asyncpg.connect(module_database_url)
    await owner.execute("update es.events set at = at - interval '2 hours' where stream_id <> $1", ids.decode(tables[-1]))
    await owner.close()
    async with await EventStore.open(module_database_url) as store:
        await rebuild(module_database_url, "heads", TableCache(store), lambda done, of: None)
    async with AsyncClient(server) as client:
        (hour,) = (await client.heads()).hours
        assert is_signed(hour, KEYS) and hour.count >= 3 and hour.previous == "00" * 32
        for table in tables[:-1]:
            proof = await client.hour_proof(table)
            assert (proof.hour, proof.head) == (hour, (await client.statement(table)).head)
            found = hashed(b"ludarium table" + ids.decode(table).bytes + bytes.fromhex(proof.head))
            for step in proof.path:
                pair = [bytes.fromhex(step.hash), found] if step.left else [found, bytes.fromhex(step.hash)]
                found = hashed(b"ludarium node" + b"".join(pair))
            assert found.hex() == hour.root
    assert (await people[0].refused("GET", f"/tables/{tables[-1]}/proof/hour"))["code"] == "hour-open"
    assert (await people[0].refused("GET", "/heads?from=2026-13-01T00:00:00.000Z"))["code"] == "invalid-request"


async def test_the_example_of_the_page_for_frontends(people: list[Person], server: str) -> None:
    table = await open_game(people)
    script = next(each for each in re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL) if "/statement" in each)
    done = await asyncio.create_subprocess_exec(
        "bash", "-euc", script, env=os.environ | {"API": f"{server}/api/v1", "TABLE": table}, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await done.communicate()
    assert done.returncode == 0 and f'"table":"{table}"'.encode() in told and b'"present":"' in told, told


def hashed(data: bytes) -> bytes:
    return blake2b(data, digest_size=32).digest()


def test_without_a_key_nothing_is_signed_and_it_says_so() -> None:
    assert Signer().sign(["x"]) == (None, None) and keys_of(Signer()).present is None
    rotated = keys_of(Signer(NEW, STRANGERS))
    assert [key.key for key in rotated.keys] == [*KEYS, *STRANGERS] and rotated.present == rotated.keys[0].id
    for wrong in ("xyz", "00", "g" * 64):
        with pytest.raises(BadKey):
            Signer(wrong)
