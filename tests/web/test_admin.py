"""The moderators' page: in each language, accessible, and what it says is done is done."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page

from services import ids
from services.accounts.sign_ins import Way
from services.database import Database
from tests.api.test_my_bots import an_account
from tests.api.test_rating_powers import resigned
from tests.support.entropy import ENTROPY, suffix
from tests.support.people import Person
from tests.support.sessions import session_of
from tests.support.staff import make_staff
from tests.web.api import api
from tests.web.browser import DESK, PHONE, visitor
from tests.web.test_access import LOCALES, findings


@pytest.fixture
async def people(site: str, base: Database) -> AsyncIterator[tuple[Person, Person]]:
    """A moderator and somebody else."""
    async with api(site) as http:
        mod, ada = await an_account(http, "Mod"), await an_account(http, "Ada")
        await make_staff(base, mod, "moderator")
        yield mod, ada


async def signed_in(page: Page, site: str, base: Database, person: Person) -> None:
    """Open the page in a session that began by passkey."""
    token = await session_of(base, ids.decode(person.id), "passkey")
    await page.goto(f"{site}/admin")
    await page.evaluate("token => localStorage.setItem('ludarium.token', token)", token)
    await page.reload()
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
        await signed_in(page, site, base, mod)
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


@pytest.mark.parametrize("way", ["password", "passkey"])
async def test_who_is_no_moderator_or_has_used_a_password_sees_nothing(
    site: str, browser: Browser, people: tuple[Person, Person], base: Database, way: Way
) -> None:
    mod, ada = people
    token = await session_of(base, ids.decode((ada if way == "passkey" else mod).id), way)
    async with visitor(browser, DESK) as page:
        await page.goto(f"{site}/admin")
        await page.evaluate("token => localStorage.setItem('ludarium.token', token)", token)
        await page.reload()
        await page.locator('[data-state="stranger"] button').wait_for()
        assert await page.locator("main section").count() == 1


async def test_an_administrator_takes_the_games_of_a_pair_out_of_the_ratings(
    site: str, browser: Browser, people: tuple[Person, Person], base: Database
) -> None:
    admin, ada = people
    await make_staff(base, admin, "admin")
    async with api(site) as http:
        await resigned(admin, [ada, bea := await an_account(http, "Bea")])
    async with visitor(browser, PHONE, bypass_csp=True) as page:
        await signed_in(page, site, base, admin)
        pair = page.locator(f'[data-pair~="{ada.id}"][data-pair~="{bea.id}"]')
        await pair.locator('input[name="reason"]').fill("Lost on purpose")
        assert await findings(page) == []
        await pair.locator('button[type="submit"]').click()
        await pair.wait_for(state="detached")
