"""Secrets are shown once, and stored only as hashes."""

import os
import threading
from collections.abc import AsyncIterator

import asyncpg
import pytest

from ludarium.accounts.accounts import Accounts
from ludarium.accounts.passwords import MAX_NICENESS, NICENESS, Hashing
from ludarium.accounts.secrets import TOKEN, new_key, rejoin_code_of, token_of, typed_code
from ludarium.platform import ids
from ludarium.platform.database import Database, database
from ludarium.platform.problems import Problem
from tests.support.entropy import ENTROPY
from tests.support.sessions import HERE


@pytest.fixture
async def base(database_url: str) -> AsyncIterator[Database]:
    async with database(database_url) as base:
        yield base


async def test_the_database_holds_no_secret(base: Database, database_url: str) -> None:
    guest = await Accounts(base, ENTROPY).new_guest("Ada")
    connection = await asyncpg.connect(database_url)
    tables = await connection.fetch("select table_name as name from information_schema.tables where table_schema = 'accounts'")
    rows = [str(row) for table in tables for row in await connection.fetch(f"select * from accounts.{table['name']}")]
    await connection.close()
    assert len(rows) == 3
    for secret in (guest.token, guest.rejoin_code, guest.rejoin_code.replace("-", "")):
        assert not any(secret in row or secret.encode().hex() in row for row in rows)


async def test_hashes_are_made_by_a_thread_that_stands_back_and_by_it_alone() -> None:
    hashing = Hashing()
    theirs = await hashing._run(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
    ours = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    hashing.close()
    assert theirs == min(MAX_NICENESS, ours + NICENESS)


async def test_a_revoked_token_is_refused_by_a_process_that_has_not_seen_it(base: Database) -> None:
    guest = await Accounts(base, ENTROPY).new_guest()
    await base.rows("update accounts.tokens set revoked_at = now()")
    with pytest.raises(Problem, match="invalid-token"):
        await Accounts(base, ENTROPY).tokens.access(guest.token)


async def test_a_player_is_forgotten_whole(base: Database) -> None:
    guest = await Accounts(base, ENTROPY).new_guest()
    await base.rows("delete from accounts.players")
    accounts = Accounts(base, ENTROPY)
    with pytest.raises(Problem, match="invalid-token"):
        await accounts.tokens.access(guest.token)
    with pytest.raises(Problem, match="invalid-rejoin-code"):
        await accounts.rejoin(guest.rejoin_code, HERE)
    assert await accounts.named([guest.player.id]) == {}


def test_secrets_have_their_form_and_never_repeat() -> None:
    made = ids.new_id(ENTROPY)
    tokens, codes = {token_of(new_key(), made) for _ in range(1000)}, {rejoin_code_of(new_key(), made) for _ in range(1000)}
    assert (len(tokens), len(codes)) == (1000, 1000)
    assert all(TOKEN.fullmatch(token) for token in tokens)
    assert all(typed_code(code) == code.replace("-", "") for code in codes)


async def test_the_eleventh_token_of_a_player_ends_the_first(base: Database) -> None:
    accounts = Accounts(base, ENTROPY)
    guest, other = await accounts.new_guest("Ada"), await accounts.new_guest("Ben")
    tokens = [guest.token, *[(await accounts.rejoin(guest.rejoin_code, HERE)).token for _ in range(10)]]
    with pytest.raises(Problem, match="invalid-token"):
        await Accounts(base, ENTROPY).tokens.access(tokens[0])
    assert {(await Accounts(base, ENTROPY).tokens.access(token)).player.name for token in tokens[1:]} == {"Ada"}
    assert (await Accounts(base, ENTROPY).tokens.access(other.token)).player.name == "Ben"


def test_the_same_key_gives_the_same_secrets_of_the_same_guest_only() -> None:
    one, other = ids.new_id(ENTROPY), ids.new_id(ENTROPY)
    assert token_of("key", one) == token_of("key", one) != token_of("key", other) != token_of("kez", other)
    assert rejoin_code_of("key", one) == rejoin_code_of("key", one) != rejoin_code_of("key", other)
