"""Private tables with invitation links, proposals and clocks."""

import asyncio
import re
from random import Random
from urllib.parse import urlsplit

from playwright.async_api import Browser, Page, Route, expect

from tests.web.browser import PHONE, visitor
from tests.web.player import MOVE, READY, TABLE, asked_of, play_together, seq

TITLE = "game-of-kingdoms"
BANK = 5
"""The shortest bank that the server accepts, in seconds. The form offers none."""


async def test_a_private_table_is_there_only_for_who_has_its_link(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben, visitor(browser) as cyd:
        link = await open_table(ada, site, private=True)
        await cyd.goto(link.partition("#")[0])
        await expect(cyd.locator("[role=alert]")).to_be_visible()
        await ben.goto(link)
        await sit_and_start(ada, ben)
        await expect(ben).to_have_url(link.partition("#")[0])
        for page in (ada, ben):
            await expect(page.locator(TABLE)).to_have_attribute("data-state", re.compile("asked|idle"))


async def test_a_table_for_friends_is_listed_only_if_its_host_says_so(site: str, browser: Browser) -> None:
    """A new table must be unlisted by default, or strangers could join friends."""
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben, visitor(browser) as cyd:
        await ada.goto(f"{site}/new/{TITLE}")
        await ada.locator('[data-action="create"]').click()
        await ben.goto(str(await ada.locator("[data-invite]").get_attribute("href")))
        await ben.locator('[data-action="look"]').click()
        await cyd.goto(site)
        table = cyd.locator(f'[data-room="open"] a[href="{urlsplit(ada.url).path}"]')
        await cyd.locator('[data-room="open"] :is(.none, li)').first.wait_for()
        await expect(table).to_have_count(0)
        for page in (ada, ben):
            await expect(page.locator('[data-access="link"]')).to_contain_text("Only people with the link can join")
        await expect(ben.locator('[data-action="access"]')).to_have_count(0)
        await ada.locator('[data-action="access"]').click()
        await table.wait_for()
        await expect(ada.locator('[data-access="anybody"]')).to_contain_text("listed on the home page")
        await ada.locator('[data-action="access"]').click()
        await expect(table).to_have_count(0)
        await expect(ada.locator("[data-invite]")).to_have_attribute("href", re.compile("#"))


async def test_a_link_that_is_not_kept_here_is_made_anew(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada:
        link = await open_table(ada, site, private=True)
        await ada.reload()
        await expect(ada.locator("[data-invite]")).to_have_attribute("href", link)
        await ada.evaluate("sessionStorage.clear()")
        await ada.reload()
        await ada.locator('[data-action="link"]').click()
        await expect(ada.locator("[data-invite]")).not_to_have_attribute("href", link)


async def test_a_clock_runs_and_a_draw_needs_the_other_one(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        await begin(ada, ben, site)
        await expect(ada.locator('[data-clock="running"]').first).to_have_text(re.compile(r"\d:\d\d"))
        await ask(ada, "draw")
        await ben.locator('[data-answer="refuse"]').click()
        await expect(ada.locator("[data-answer]")).to_have_count(0)
        await ask(ben, "draw")
        await ada.locator('[data-answer="agree"]').click()
        for page in (ada, ben):
            await expect(page.locator('[data-reason="agreed"] [data-score-seat]')).to_have_count(2)
            await expect(page.locator(MOVE)).to_have_count(0)


async def test_who_asks_to_take_a_move_back_says_which_and_it_is_taken_back(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        await begin(ada, ben, site)
        mover = await asked_of((ada, ben))
        other = ben if mover is ada else ada
        luck, before = Random(3), await seq(mover)

        async def has_moved() -> bool:
            return await seq(mover) > before

        await play_together([mover], luck, has_moved)
        await ask(mover, "takeback")
        plea = other.locator(".plea")
        await expect(plea).to_contain_text(": ")
        await other.locator('[data-answer="agree"]').click()
        await expect(mover.locator(READY)).to_be_visible()
        await expect(plea).to_have_count(0)


async def test_who_pauses_goes_on_and_who_resigns_has_lost(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        await begin(ada, ben, site)
        await ask(ada, "pause")
        await ben.locator('[data-answer="agree"]').click()
        await ada.locator('[data-answer="resume"]').click()
        await ask(ben, "resign")
        for page in (ada, ben):
            await expect(page.locator('[data-reason="resigned"] [data-score-seat="0"]')).to_be_visible()


async def test_who_is_out_of_time_is_out_of_the_game_when_the_other_one_says_so(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE, locale="hu") as ben:
        await ada.route("**/api/v1/tables", hurried)
        await ben.goto(await open_table(ada, site, clock="5+3", absence="claim"))
        await ben.locator("[data-agreed] summary").click()
        await expect(ben.locator("[data-agreed]")).to_contain_text("Ha letelik az idő")
        await sit_and_start(ada, ben)
        claims = [asyncio.create_task(page.locator('[data-answer="claim"]').click()) for page in (ada, ben)]
        done, others = await asyncio.wait(claims, return_when=asyncio.FIRST_COMPLETED)
        for task in others:
            task.cancel()
        await done.pop()
        await asyncio.gather(*others, return_exceptions=True)
        for page in (ada, ben):
            await expect(page.locator('[data-scores][data-reason="timed_out"]')).to_be_visible()


async def hurried(route: Route) -> None:
    wanted = route.request.post_data_json
    assert isinstance(wanted, dict)
    wanted["policies"]["clock"] = {"type": "live", "bank": BANK, "increment": 0}
    await route.continue_(post_data=wanted)


async def test_bots_of_each_kind_are_seated_and_sent_away_and_who_comes_sees_the_rules(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        link = await open_table(ada, site, seats=3)
        await ada.locator(".waiting select").first.select_option("random")
        await ada.locator('[data-chair="1"] [data-action="seat-bot"]').click()
        await expect(ada.locator('[data-chair="1"]')).to_contain_text("random")
        await ada.locator('[data-chair="1"] [data-action="remove"]').click()
        await ada.locator(".waiting select").first.select_option("simple")
        await ada.locator('[data-chair="2"] [data-action="seat-bot"]').click()
        await ben.goto(link)
        await expect(ben.locator('[data-chair="2"]')).to_contain_text("normal")
        await expect(ben.locator('[data-action="seat-bot"]')).to_have_count(0)
        await sit_and_start(ada, ben)
        await ben.locator(".settings .menu").click()
        async with ben.expect_popup() as opened:
            await ben.locator('[data-action="how-to-play"]').click()
        await (await opened.value).locator(f'[data-rules="{TITLE}"]').wait_for()


async def test_what_the_host_changes_holds_for_who_waits_too(site: str, browser: Browser) -> None:
    """Players who agreed to other settings must confirm that they are ready again."""
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        await ben.goto(await open_table(ada, site))
        await ben.locator('[data-action="join"]').click()
        await ben.locator("[data-agreed] summary").click()
        await expect(ben.locator("[data-agreed]")).to_contain_text("if nothing was revealed")
        await expect(ben.locator("[data-agreeing]")).to_have_count(0)
        await ada.locator("[data-agreeing] summary").click()
        await wish(ada, undo="none", clock="15+10")
        for page in (ada, ben):
            await expect(page.locator("[data-agreed]")).to_contain_text("15 min + 10 s per turn")
        await expect(ada.locator('[data-action="change-policies"]')).to_be_disabled()
        await ben.locator('[data-action="ready"]').click()
        await expect(ada.locator('[data-chair="1"]')).to_contain_text("ready")
        await ada.locator('[data-action="start"]').click()
        for page in (ada, ben):
            await expect(page.locator(".clock").first).to_have_text(re.compile(r"1[45]:\d\d"))


async def test_a_change_that_is_refused_is_said_so_and_changes_nothing(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada:
        await open_table(ada, site)
        await ada.route("**/policies", contradicting)
        await ada.locator("[data-agreeing] summary").click()
        await wish(ada, undo="none")
        await expect(ada.locator("[role=alert]")).to_contain_text("Invalid policies")
        await expect(ada.locator('[data-policy="undo"]')).to_have_value("none")
        await ada.reload()
        await expect(ada.locator("[data-agreed]")).to_contain_text("if nothing was revealed")


async def contradicting(route: Route) -> None:
    """Send policies that contradict each other, which the form cannot produce."""
    wanted = route.request.post_data_json
    assert isinstance(wanted, dict)
    wanted |= {"join": "anybody", "spectators": {"who": "nobody"}}
    await route.continue_(post_data=wanted)


async def wish(page: Page, **wishes: str) -> None:
    for name, wished in wishes.items():
        await page.locator(f'[data-policy="{name}"]').select_option(wished)
    await page.locator('[data-action="change-policies"]').click()


async def open_table(
    page: Page, site: str, *, private: bool = False, undo: str = "free", clock: str = "none", absence: str | None = None,
    seats: int = 2,
) -> str:  # fmt: skip
    """Open a table with these settings, and return the address for inviting players."""
    await page.goto(f"{site}/new/{TITLE}")
    while int(await page.locator(".stepper output").inner_text()) > seats:
        await page.locator(".stepper button").first.click()
    await page.locator("[data-policies] summary").click()
    await page.locator('[data-policy="undo"]').select_option(undo)
    await page.locator('[data-policy="clock"]').select_option(clock)
    if absence:
        await page.locator('[data-policy="absence"]').select_option(absence)
    await page.locator('[data-action="create"]' if private else '[data-action="create-listed"]').click()
    return str(await page.locator("[data-invite]").get_attribute("href"))


async def begin(ada: Page, ben: Page, site: str) -> None:
    await ben.goto(await open_table(ada, site, private=True, undo="consent", clock="5+3"))
    await sit_and_start(ada, ben)
    for page in (ada, ben):
        await page.locator('[data-clock="running"]').first.wait_for()


async def sit_and_start(ada: Page, ben: Page) -> None:
    await ben.locator('[data-action="join"]').click()
    await expect(ada.locator('[data-taken="false"]')).to_have_count(0)
    await ada.locator('[data-action="start"]').click()


async def ask(page: Page, deed: str) -> None:
    """Press an action of a player at the table, and confirm it.

    Args:
        page: The page with the game.
        deed: The name of the action.
    """
    await page.locator(f'[data-deed="{deed}"]').click()
    await page.locator("[data-sure]").click()
