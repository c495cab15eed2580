"""Moments of a replay with moves to try, branches and arrows; imported replays."""

import re
from random import Random

import msgspec
import pytest
from playwright.async_api import Browser, Page, expect

from ludarium.platform.database import Database, database
from ludarium.records.record import record_of
from tests.support.pure_games import Game
from tests.web.browser import Screen, visitor
from tests.web.keyboard import press
from tests.web.planted import planted_game
from tests.web.player import TOUCH
from tests.web.test_replay import EACH_ON_ONE

REPLAY, TRIAL = "[data-replay]", "[data-trial]"
MOST_TOUCHES = 200


def act(name: str) -> str:
    return f'[data-action="{name}"]'


async def opened(page: Page, address: str) -> None:
    await page.goto(address)
    await page.locator(REPLAY).wait_for()


async def tried(page: Page, moves: int) -> None:
    """Touch controls at random until this many moves have been tried."""
    luck = Random(5)
    for _ in range(MOST_TOUCHES):
        if int(await page.locator(TRIAL).get_attribute("data-trial") or 0) >= moves:
            return
        await page.evaluate(TOUCH, [luck.random() < 0.6, luck.random()])
        await expect(page.locator(f"{TRIAL}[aria-busy=false]")).to_have_count(1)
    raise AssertionError(f"no {moves} moves after {MOST_TOUCHES} touches")


@pytest.mark.parametrize(("ruleset", "screen"), EACH_ON_ONE, ids=lambda each: str(getattr(each, "name", each)))
async def test_moves_are_tried_beside_a_game_and_taken_back(
    site: str, browser: Browser, module_database_url: str, ruleset: str, screen: Screen
) -> None:
    table = await planted_game(module_database_url, ruleset)
    async with visitor(browser, screen) as page:
        await opened(page, f"{site}/t/{table}/replay?as=1&at=12")
        await page.locator(act("try")).click()
        await expect(page.locator(TRIAL)).to_have_attribute("data-trial", "0")
        assert await page.locator("[data-dealt]").count() == 0          # a finished game has no unknown cards
        await tried(page, 2)
        many = int(await page.locator(TRIAL).get_attribute("data-trial") or 0)
        await page.locator(act("move-back")).click()
        await expect(page.locator(TRIAL)).to_have_attribute("data-trial", str(many - 1))
        await page.locator(act("to-game")).click()
        await expect(page.locator(TRIAL)).to_have_count(0)
        assert await page.locator("[data-missing-text], .trouble").count() == 0
        root = "document.documentElement"
        assert await page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") == 0


async def test_a_table_plays_on_from_a_moment(site: str, browser: Browser, module_database_url: str) -> None:
    table = await planted_game(module_database_url, "game-of-kingdoms")
    async with visitor(browser) as page:
        await opened(page, f"{site}/t/{table}/replay?as=1&at=12")
        await page.locator(act("branch")).click()
        await page.locator("[data-table]").wait_for()
        await expect(page).to_have_url(re.compile(r"/t/[0-9a-z]{26}$"))
        assert table not in page.url
        await expect(page.locator(".seat.own")).to_have_attribute("data-seat", "1")
        await opened(page, f"{site}/t/{table}/replay")
        await page.keyboard.press("End")
        await expect(page.locator(act("try"))).to_have_count(0)         # the end has no moves to try


async def test_arrows_are_drawn_kept_and_rubbed_out(site: str, browser: Browser, module_database_url: str) -> None:
    table = await planted_game(module_database_url, "game-of-kingdoms")
    async with visitor(browser) as page:
        await opened(page, f"{site}/t/{table}/replay?as=1&at=12")
        await page.locator(".notes > summary").click()
        await page.locator(act("draw")).click()
        cards = page.locator(".seat.own [data-card]")
        await cards.nth(0).click()
        await page.locator('.seat[data-seat="0"] .seat-head').click()
        await expect(page.locator("[data-arrows] line")).to_have_count(1)
        for _ in range(2):                                              # two presses by keyboard draw a circle
            await press(cards.nth(1))
        await expect(page.locator("[data-arrows] circle")).to_have_count(1)
        await page.reload()
        await expect(page.locator("[data-arrow]")).to_have_count(2)
        await expect(page.locator("[data-arrows] :is(line, circle)")).to_have_count(2)
        await page.locator('[data-control="on"]').click()
        await expect(page.locator("[data-arrows]")).to_have_count(0)
        await page.locator('[data-control="back"]').click()
        for left in (1, 0):
            await page.locator(act("rub-out")).first.click()
            await expect(page.locator("[data-arrow]")).to_have_count(left)


async def with_account(base: Database, page: Page, site: str) -> None:
    """Sign in as a player with an account, which imports need."""
    guest = await (await page.request.post(f"{site}/api/v1/guests", data={"name": "Ada"})).json()
    await base.rows("update accounts.players set kind = 'account'")
    await page.goto(site)
    await page.evaluate("token => localStorage.setItem('ludarium.token', token)", guest["token"])


async def test_a_file_is_brought_and_replayed_with_names_as_it_says(
    site: str, browser: Browser, module_database_url: str
) -> None:
    game = Game("brought to the page", "game-of-kingdoms", 2).start().play()
    ada, bea = [seat.player for seat in game.history.seats if seat and seat.player]
    names = {ada: "<img src=x onerror=alert(1)>", bea: "\u202eBea\x1b[2J"}
    file = msgspec.json.encode(record_of(game.history, game.rows, -1, names))
    async with database(module_database_url) as base, visitor(browser) as page:
        await with_account(base, page, site)
        await page.goto(f"{site}/games")
        await page.locator("[data-bring]").set_input_files({"name": "x.json", "mimeType": "application/json", "buffer": b"{}"})
        await expect(page.locator('[data-room="brought"] .trouble')).to_be_visible()
        await page.locator("[data-bring]").set_input_files({"name": "g.json", "mimeType": "application/json", "buffer": file})
        await expect(page.locator("[data-names]")).to_have_text("<img src=x onerror=alert(1)>, \ufffdBea\ufffd[2J")
        await page.locator("[data-brought]").click()
        await page.locator(REPLAY).wait_for()
        await expect(page.locator("[data-imported]")).to_be_visible()
        await expect(page.locator('.seat[data-seat="0"] .who').first).to_have_text("<img src=x onerror=alert(1)>")
        assert await page.locator("img[src=x]").count() == 0
        await page.locator('[data-choice="eyes"]').select_option("everything")
        await expect(page.locator(REPLAY)).to_have_attribute("data-eyes", "everything")
        await page.locator('[data-control="last"]').click()
        await expect(page).to_have_url(re.compile(rf"at={game.history.version}&as=everything$"))
        await page.reload()
        await expect(page.locator(REPLAY)).to_have_attribute("data-seq", str(game.history.version))
        await expect(page.locator(REPLAY)).to_have_attribute("data-last", str(game.history.version))
        assert await page.locator(f"[data-wrong], .trouble, {act('try')}").count() == 0
        await page.goto(f"{site}/games")
        await page.locator("[data-forget]").click()
        await expect(page.locator("[data-brought]")).to_have_count(0)
