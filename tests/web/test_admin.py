"""The moderators' page: in each language, accessible, and what it says is done is done."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page

from services import ids
from services.database import Database
from tests.api.test_my_bots import an_account
from tests.api.test_rating_powers import resigned
from tests.support.entropy import ENTROPY, suffix
from tests.support.people import Person
from tests.web.api import api
from tests.web.browser import DESK, PHONE, visitor
from tests.web.test_access import LOCALES, findings


@pytest.fixture
async def people(site: str, base: Database) -> AsyncIterator[tuple[Person, Person]]:
    """A moderator and somebody else."""
    async with api(site) as http:
        mod, ada = await an_account(http, "Mod"), await an_account(http, "Ada")
        await base.rows("update accounts.players set role = 'moderator' where id = $1", ids.decode(mod.id))
        yield mod, ada


async def signed_in(page: Page, site: str, login: str) -> None:
    await page.goto(f"{site}/admin")
    await page.locator('input[name="login"]').fill(login)
    await page.locator('input[name="password"]').fill("seven green bottles")
    await page.locator('button[type="submit"]').click()
    await page.locator('[data-state="allowed"]').wait_for()


@pytest.mark.parametrize("locale", LOCALES)
async def test_a_moderator_finds_somebody_and_mutes_them(
    site: str, browser: Browser, people: tuple[Person, Person], base: Database, locale: str
) -> None:
    mod, ada = people
    reason, report = f"Insults {suffix()}", ids.new_id(ENTROPY)
    await base.rows(
        "insert into accounts.reports (id, reporter_id, player_id, reason) values ($1, $2, $3, 'insult')",
        report, ids.decode(mod.id), ids.decode(ada.id),
    )  # fmt: skip
    async with visitor(browser, PHONE if locale == "en" else DESK, locale=locale, bypass_csp=True) as page:
        await signed_in(page, site, (await mod.get("/me"))["login"])
        assert await findings(page) == []
        await page.locator('input[name="wanted"]').fill(ada.id)
        await page.keyboard.press("Enter")
        person = page.locator(f'[data-player="{ada.id}"]')
        await person.locator("summary").click()
        await person.locator('select[name="act"]').select_option("mute")
        await person.locator('input[name="reason"]').fill(reason)
        assert await findings(page) == []
        await person.locator('button[type="submit"]').click()
        await person.locator('[role="status"]').wait_for()
        reported = page.locator(f'[data-report="{ids.encode(report)}"]')
        await reported.locator("input").fill("Muted")
        await reported.locator("button").click()
        await reported.wait_for(state="detached")
    assert [(notice["kind"], notice["reason"]) for notice in await ada.list("/me/notices")] == [("mute", reason)]


async def test_who_is_no_moderator_sees_nothing(site: str, browser: Browser, people: tuple[Person, Person]) -> None:
    _, ada = people
    async with visitor(browser, DESK) as page:
        await page.goto(f"{site}/admin")
        await page.locator('input[name="login"]').fill((await ada.get("/me"))["login"])
        await page.locator('input[name="password"]').fill("seven green bottles")
        await page.locator('button[type="submit"]').click()
        await page.locator('main [role="status"]').wait_for()
        assert await page.locator('[data-state="stranger"] input').count() == 2


async def test_an_administrator_takes_the_games_of_a_pair_out_of_the_ratings(
    site: str, browser: Browser, people: tuple[Person, Person], base: Database
) -> None:
    admin, ada = people
    await base.rows("update accounts.players set role = 'admin' where id = $1", ids.decode(admin.id))
    async with api(site) as http:
        await resigned(admin, [ada, bea := await an_account(http, "Bea")])
    async with visitor(browser, PHONE, bypass_csp=True) as page:
        await signed_in(page, site, (await admin.get("/me"))["login"])
        pair = page.locator(f'[data-pair~="{ada.id}"][data-pair~="{bea.id}"]')
        await pair.locator('input[name="reason"]').fill("Lost on purpose")
        assert await findings(page) == []
        await pair.locator('button[type="submit"]').click()
        await pair.wait_for(state="detached")
