"""Event hashes stored in the browser are compared at the next visit."""

import json
import re
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import asyncpg
import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, Page, expect

from ludarium.platform import ids
from ludarium.platform.signing_keys import Signer, new_secret
from ludarium.records.lost_events import sign_cuts
from ludarium.server import running
from tests.support.entropy import ENTROPY
from tests.support.lost_rows import lose
from tests.web.browser import visitor
from tests.web.conftest import CONFIG
from tests.web.player import TABLE, open_table, play

TITLE = "game-of-kingdoms"
SECRET = new_secret()
SIGNER = Signer(SECRET)
assert SIGNER.present is not None
KEYS = [SIGNER.present.key]
HEADS, PINNED, MISSING, REPLAY = "ludarium.heads", "ludarium.keys", "[data-missing]", "[data-replay]"
UNEXPLAINED = re.compile("shows this game differently from before")


@pytest.fixture(scope="module")
async def site(module_database_url: str, module_redis_url: str) -> AsyncIterator[str]:
    """Run a server with a signing key."""
    config = replace(CONFIG, signing_key=SECRET)
    async with running(config, module_database_url, module_redis_url, ENTROPY) as where:
        yield where.http


async def heads(page: Page) -> list[list[Any]]:
    """Return the stored hashes, each with the table's id, `seq`, head and time."""
    found: list[list[Any]] = json.loads(await page.evaluate("name => localStorage.getItem(name)", HEADS) or "[]")
    return found


async def keep(page: Page, found: list[list[Any]]) -> None:
    await page.evaluate("([name, heads]) => localStorage.setItem(name, heads)", [HEADS, json.dumps(found)])


async def all_kept(page: Page) -> None:
    """Wait until the last shown event and the operator's keys are stored."""
    await page.wait_for_function("name => localStorage.getItem(name) !== null", arg=PINNED)
    shown = "Number(document.querySelector('[data-table]').dataset.seq)"
    await page.wait_for_function(f"name => JSON.parse(localStorage.getItem(name))?.[0][1] === {shown}", arg=HEADS)


async def looked_again(page: Page, path: str, place: str) -> None:
    """Open the page and wait until the stored hash has been compared."""
    async with page.expect_response(re.compile(r"/events\?after=\d+&limit=1$")):
        await page.goto(path)
    await page.locator(place).wait_for()


async def test_what_was_seen_is_kept_and_found_again(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await open_table(page, site, TITLE)
        await play(page, Random(5), moves=4)
        await all_kept(page)
        assert json.loads(await page.evaluate("name => localStorage.getItem(name)", PINNED)) == KEYS
        ((table, seq, _, _),) = await heads(page)
        earlier = await page.evaluate(
            "async ([path, token]) => (await (await fetch(path, {headers: {authorization: token}})).json()).events[0]",
            [f"/api/v1/tables/{table}/events?after={seq - 3}&limit=1",
             "Bearer " + await page.evaluate("localStorage.getItem('ludarium.token')")],
        )  # fmt: skip
        for path, place in ((f"{site}/t/{table}", TABLE), (f"{site}/t/{table}/replay", REPLAY)):
            await keep(page, [[table, earlier["seq"], earlier["head"], earlier["data"]["at"]]])
            await looked_again(page, path, place)
            newer = f"name => JSON.parse(localStorage.getItem(name))[0][1] > {earlier['seq']}"
            await page.wait_for_function(newer, arg=HEADS)
            await expect(page.locator(MISSING)).to_have_count(0)


@pytest.mark.parametrize("wrong", ["later", "other"])
async def test_what_was_seen_and_is_not_there_is_said(site: str, browser: Browser, wrong: str) -> None:
    async with visitor(browser) as page:
        await open_table(page, site, TITLE)
        await play(page, Random(6), moves=4)
        await all_kept(page)
        ((table, seq, head, at),) = await heads(page)
        false = [[table, seq + 50, head, at] if wrong == "later" else [table, seq - 1, head, at]]
        await keep(page, false)
        for path, place in ((f"{site}/t/{table}", TABLE), (f"{site}/t/{table}/replay", REPLAY)):
            await looked_again(page, path, place)
            await expect(page.locator(MISSING)).to_have_text(UNEXPLAINED)
            assert await heads(page) == false


async def test_a_loss_is_told_as_one_when_the_operator_has_signed_it(
    site: str, browser: Browser, module_database_url: str
) -> None:
    async with visitor(browser) as page:
        await open_table(page, site, TITLE)
        await play(page, Random(7), moves=6)
        await all_kept(page)
        ((table, seq, _, _),) = knew = await heads(page)
        path = f"{site}/t/{table}"
        await lose(module_database_url, 2)
        await looked_again(page, path, TABLE)
        await expect(page.locator(MISSING)).to_have_text(UNEXPLAINED)
        assert await heads(page) == knew
        await cut(module_database_url, table, seq - 2)
        await looked_again(page, path, TABLE)
        await expect(page.locator(MISSING)).to_have_text(re.compile("has lost the last 2 events"))
        await page.locator(".looks > summary").click()
        await page.locator('[data-locale="hu"]').click()
        await expect(page.locator(MISSING)).to_have_text(re.compile("utolsó 2 eseményét"))
        await all_kept(page)
        await page.reload()
        await page.locator(TABLE).wait_for()
        assert (await heads(page))[0][1] < seq
        await expect(page.locator(MISSING)).to_have_count(0)


async def cut(database_url: str, table: str, last: int) -> None:
    """Record and sign the loss of all events after `last`."""
    owner = await asyncpg.connect(database_url)
    try:
        insert = "insert into backups.cuts (stream_id, kept, lost) values ($1, $2, sha256('lost'))"
        await owner.execute(insert, ids.decode(table), last)
    finally:
        await owner.close()
    assert await sign_cuts(database_url, SIGNER) == 1
