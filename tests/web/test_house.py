"""The lobby, own games, profiles, settings and notifications."""

import re
from importlib.metadata import version
from random import Random

from playwright.async_api import Browser, Page, Route, expect

from tests.support.waiting import eventually
from tests.web.browser import CHROMIUM, DESK, PHONE, answer_to, chromium, visitor
from tests.web.player import READY, TABLE, open_table, play, play_together
from tests.web.test_access import findings
from tests.web.test_first_minute import open_for_others
from tests.web.test_friends import ask, sit_and_start
from tests.web.test_friends import open_table as open_for_two

TITLE = "game-of-kingdoms"
TURN = re.compile(r"^\(1\) ")


async def test_a_table_is_found_joined_left_and_closed(site: str, browser: Browser) -> None:
    """Ben's page is open before the table exists, so every change arrives by push."""
    async with (
        visitor(browser, DESK, bypass_csp=True) as ada,
        visitor(browser, PHONE, bypass_csp=True, scheme="dark", locale="hu") as ben,
    ):
        await ben.goto(site)
        await ben.locator('[data-room="open"] .none, [data-room="open"] li').first.wait_for()
        table = (await open_for_others(ada, site)).rpartition("/")[2]
        line = ben.locator(f'[data-room="open"] a[href="/t/{table}"]')
        await line.wait_for()
        await expect(ben.locator(".foot small")).to_have_text(f"Ludarium {version('ludarium')}")
        assert await findings(ben) == []
        await line.click()
        await ben.locator('input[name="name"]').fill("Ben")
        await ben.locator('[data-action="join"]').click()
        chair = ada.locator('[data-chair="1"]')
        await expect(chair).to_contain_text("Ben")
        await expect(ada.locator(".qr")).to_be_visible()
        await ada.locator("[data-agreed] summary").click()
        for page in (ada, ben):
            assert await findings(page) == []
        await ben.locator('[data-action="stand-up"]').click()
        await expect(chair).to_have_attribute("data-taken", "false")
        await ben.locator('[data-action="join"]').click()
        await ada.locator('[data-action="remove"]').click()
        await expect(ben.locator('[data-chair="1"]')).to_have_attribute("data-taken", "false")
        await ben.goto(site)
        await line.wait_for()
        await ada.locator('[data-action="close-table"]').click()
        await ada.locator("[data-home]").wait_for()
        await expect(line).to_have_count(0)


async def test_one_s_own_games_lead_back_and_the_tab_says_whose_turn_it_is(site: str, browser: Browser) -> None:
    async with visitor(browser, bypass_csp=True) as page:
        await open_table(page, site, TITLE)
        await page.locator(READY).wait_for()
        await expect(page).to_have_title(TURN)
        await expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("turn"))
        await page.locator(".brand").click()
        own = page.locator('[data-game][data-turn="true"]')
        await own.wait_for()
        assert await findings(page) == []
        await page.locator("[data-next]").click()
        await page.locator(TABLE).wait_for()


COUNT_SOUNDS = """
    window.sounds = 0
    window.AudioContext = class extends AudioContext { constructor() { super(); window.sounds += 1 } }
"""
LOOKED_AGAIN_MS = 10_000
"""The interval at which the home page loads live boards again, in milliseconds."""


KEEP_NOTICES = """
    window.notices = []
    const show = ServiceWorkerRegistration.prototype.showNotification
    ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
        await show.call(this, title, options)
        window.notices.push([title, options.body, options.data])
    }
"""
"""Records the notifications that the browser accepts.

Where none are displayed, `getNotifications` soon forgets them.
"""


async def test_a_sound_and_a_notice_tell_who_looks_elsewhere_that_it_is_their_turn(site: str, browser: Browser) -> None:
    """This needs Chromium with windows, as the headless shell has no notifications."""
    async with (
        chromium(CHROMIUM) as whole, visitor(whole, permissions=["notifications"]) as ada, visitor(browser, PHONE) as ben
    ):  # fmt: skip
        await ada.add_init_script(COUNT_SOUNDS + KEEP_NOTICES)
        await ada.goto(f"{site}/settings")
        await ada.locator('[data-setting="sound"]').select_option("wood")
        await ada.locator('[data-setting="notices"]').check()
        await ada.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        link = await open_for_others(ben, site)
        await ada.goto(link)
        await ada.locator('[data-action="join"]').click()
        await ada.locator('[data-action="stand-up"]').wait_for()
        await ada.locator(".brand").click()
        await ada.locator("[data-game]").wait_for()
        await ben.locator('[data-action="start"]').click()

        async def is_asked() -> bool:
            return await ada.locator('[data-game][data-turn="true"]').count() > 0

        await play_together([ben], Random(24), is_asked)
        await ada.wait_for_function("() => window.sounds > 0")
        await expect(ada).to_have_title(TURN)
        await ada.wait_for_function("() => window.notices.length")
        assert await ada.evaluate("() => window.notices") == [["Your turn", "Game of Kingdoms", link.removeprefix(site)]]


async def test_a_game_is_watched_live_from_the_first_page(site: str, browser: Browser) -> None:
    """The small board must be reloaded as the game continues."""
    async with visitor(browser) as ada, visitor(browser, PHONE, bypass_csp=True) as ben:
        await open_table(ada, site, TITLE)
        await ada.locator(READY).wait_for()
        table = await ada.locator(TABLE).get_attribute("data-table")
        await ben.clock.install()
        await ben.goto(site)
        board = ben.locator(f'[data-live="{table}"]')
        await board.scroll_into_view_if_needed()
        picture = board.locator("img")
        before = str(await picture.get_attribute("src"))
        await eventually(lambda: picture.evaluate("image => image.complete && image.naturalWidth"))
        assert await findings(ben) == []
        await play(ada, Random(24), moves=2)
        await ben.clock.run_for(LOOKED_AGAIN_MS)
        await expect(picture).not_to_have_attribute("src", before)
        await board.click()
        await ben.locator(f'[data-table="{table}"]').wait_for()


async def test_two_who_want_the_same_are_brought_together(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        for page in (ada, ben):
            await page.goto(site)
            await page.locator('[data-form="match"] button').click()
        for page in (ada, ben):
            await page.locator(TABLE).wait_for()
        assert ada.url == ben.url


async def test_somebody_is_followed_and_blocked_and_says_what_others_see(site: str, browser: Browser) -> None:
    async with visitor(browser, bypass_csp=True, locale="es") as ada, visitor(browser, PHONE, bypass_csp=True) as ben:
        table = (await open_for_others(ada, site)).rpartition("/")[2]
        await open_table(ben, site, TITLE)                 # makes ben a player
        await ben.goto(f"{site}/t/{table}")
        await ben.locator('[data-chair="0"] a').click()
        await ben.locator('[data-action="follow"]').click()
        await expect(ben.locator('[data-action="follow"]')).to_have_attribute("aria-pressed", "true")
        await ben.locator('[data-action="block"]').click()
        await expect(ben.locator('[data-action="follow"]')).to_have_attribute("aria-pressed", "false")
        assert await findings(ben) == []
        await ada.goto(f"{site}/settings")
        await settings(ada)
        assert await findings(ada) == []


async def settings(page: Page) -> None:
    """Change settings, and check that a reload keeps them."""
    await page.locator('[data-part="name"] input').fill("Adelheid")
    async with page.expect_response(answer_to("POST", "/api/v1/me/name")):
        await page.locator('[data-part="name"] button').click()
    async with page.expect_response(answer_to("PATCH", "/api/v1/me")):
        await page.locator('[data-setting="hides_history"]').check()
    await page.locator('[data-setting="sound"]').select_option("bell")
    await page.reload()
    await expect(page.locator('[data-setting="hides_history"]')).to_be_checked()
    await expect(page.locator('[data-setting="sound"]')).to_have_value("bell")
    await expect(page.locator('[data-part="name"] input')).to_have_value("Adelheid")


async def test_a_saved_choice_never_jumps_back(site: str, browser: Browser) -> None:
    """The page must show the response to the change, and not wait for another read."""
    async with visitor(browser) as page:
        await open_table(page, site, TITLE)                # makes the visitor a player
        await page.goto(f"{site}/settings")
        choice = page.locator('[data-setting="hides_history"]')
        await choice.wait_for()
        await page.route("**/api/v1/me", never_reads)
        await choice.check()
        await page.locator('[data-part="privacy"] [role="status"]').wait_for()
        assert await choice.is_checked()


async def never_reads(route: Route) -> None:
    """Let changes through, and leave reads without a response."""
    if route.request.method != "GET":
        await route.continue_()


async def test_a_refused_block_is_not_reported_as_done(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        table = (await open_for_others(ada, site)).rpartition("/")[2]
        await open_table(ben, site, TITLE)                 # makes the visitor a player
        await ben.goto(f"{site}/t/{table}")
        await ben.locator('[data-chair="0"] a').click()
        await ben.locator('[data-action="block"]').wait_for()
        refusal = {"type": "about:blank", "title": "No", "status": 422, "detail": "Not today", "code": "invalid"}
        await ben.route("**/me/blocks/*", lambda route: route.fulfill(status=422, json=refusal))
        await ben.locator('[data-action="block"]').click()
        await expect(ben.locator('p[role="status"]')).to_have_text("Not today")
        await expect(ben.locator('[data-action="block"]')).to_have_attribute("aria-pressed", "false")


async def test_a_finished_game_is_looked_for_and_replayed(site: str, browser: Browser) -> None:
    async with visitor(browser, PHONE, bypass_csp=True) as page:
        await open_table(page, site, TITLE)
        await page.locator(READY).wait_for()
        table = await page.locator(TABLE).get_attribute("data-table")
        await resign(page)
        await page.goto(f"{site}/games?ruleset={TITLE}")
        found = page.locator(f'[data-finished="{table}"]')
        await found.wait_for()
        await page.locator('[data-search="player"]').select_option(index=1)
        await page.locator('[data-search="outcome"]').select_option("won")
        await expect(page.locator("[data-finished]")).to_have_count(0)
        await page.locator('[data-search="outcome"]').select_option("lost")
        await found.wait_for()
        assert await findings(page) == []
        await found.locator(".button").click()
        await page.locator("[data-replay]").wait_for()


async def test_who_played_is_led_to_one_next_table(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        await ben.goto(await open_for_two(ada, site))
        await sit_and_start(ada, ben)
        await ben.locator(f'{TABLE}:not([data-state="waiting"])').wait_for()
        await resign(ben)
        await ada.locator('[data-action="rematch"]').click()
        await ada.locator('[data-chair="1"]').wait_for()
        await ben.locator('[data-waits="true"]').wait_for()
        await ben.locator('[data-action="rematch"]').click()
        await ben.locator('[data-action="stand-up"]').wait_for()
        assert ada.url == ben.url


async def test_who_watched_follows_to_the_next_table(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as cyd:
        await open_table(ada, site, TITLE)
        await ada.locator(READY).wait_for()
        await cyd.goto(ada.url)
        await cyd.locator(TABLE).wait_for()
        await resign(ada)
        await expect(cyd.locator("[data-scores]")).to_be_visible()
        await expect(cyd.locator('[data-action="follow"]')).to_have_count(0)
        await ada.locator('[data-action="rematch"]').click()
        await cyd.locator('[data-action="follow"]').click()
        await cyd.locator('[data-chair="0"][data-taken="true"]').wait_for()
        assert ada.url == cyd.url


async def resign(page: Page) -> None:
    await ask(page, "resign")
    await page.locator("[data-scores]").wait_for()


async def test_people_talk_at_the_table_before_and_while_they_play(site: str, browser: Browser) -> None:
    async with visitor(browser, bypass_csp=True) as ada, visitor(browser, PHONE, bypass_csp=True, locale="es") as ben:
        await ben.goto(await open_for_others(ada, site))
        await ben.locator('[data-action="join"]').click()
        await ben.locator('[data-action="stand-up"]').wait_for()
        for page in (ada, ben):
            await page.locator("[data-talk] > summary").click()
        await says(ben, "Good evening")
        await expect(ada.locator('[data-message="1"]')).to_contain_text("Good evening")
        await ada.locator(".phrases").select_option("good-luck")
        await expect(ben.locator('[data-message="2"]')).not_to_contain_text("Good luck")      # translated to Spanish
        for page in (ada, ben):
            assert await findings(page) == []
        await ada.locator('[data-action="start"]').click()
        for page in (ada, ben):
            await page.locator(f'{TABLE}:not([data-state="waiting"])').wait_for()
            await page.locator("[data-talk] > summary").click()
        await says(ada, "You begin")
        await expect(ben.locator('[data-message="3"]')).to_contain_text("You begin")
        await ada.locator('[data-message="1"] summary').click()
        async with ada.expect_response(answer_to("POST", "/api/v1/reports")) as answered:
            await ada.locator('[data-message="1"] [data-action="report"]').click()
        assert (await answered.value).ok
        await ada.locator('[data-message="1"] [data-action="take-back"]').click()
        await expect(ben.locator('[data-message="1"]')).not_to_contain_text("Good evening")


async def says(page: Page, text: str) -> None:
    await page.locator(".say input").fill(text)
    await page.locator('[data-action="say"]').click()
