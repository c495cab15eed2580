"""The moderators' page, its languages and accessibility, and its actions' effects."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
from playwright.async_api import Browser, Page, expect
from typer.testing import CliRunner

from ludarium.accounts.sign_ins import Way
from ludarium.cli import main
from ludarium.platform import ids
from ludarium.platform.database import Database
from tests.api.test_my_bots import an_account
from tests.api.test_rating_powers import resigned
from tests.support.entropy import ENTROPY, suffix
from tests.support.people import Person
from tests.support.sessions import session_of
from tests.support.staff import make_staff
from tests.web.api import api
from tests.web.browser import DESK, PHONE, Device, visitor
from tests.web.test_access import LOCALES, findings
from tests.web.test_people import PASSWORD, fill, sign_up


@pytest.fixture
async def people(site: str, base: Database) -> AsyncIterator[tuple[Person, Person]]:
    """Yield a moderator and another player."""
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
    assert await ada.rulings() == [("mute", reason)]


@pytest.mark.parametrize(("way", "refusal"), [("password", "passkey-needed"), ("passkey", "insufficient-scope")])
async def test_who_is_no_moderator_or_has_used_a_password_sees_nothing(
    site: str, browser: Browser, people: tuple[Person, Person], base: Database, way: Way, refusal: str
) -> None:
    """The page must name the right cause, so that a moderator can sign in by passkey."""
    mod, ada = people
    token = await session_of(base, ids.decode((ada if way == "passkey" else mod).id), way)
    async with visitor(browser, DESK) as page:
        await page.goto(f"{site}/admin")
        await page.evaluate("token => localStorage.setItem('ludarium.token', token)", token)
        await page.reload()
        await page.locator('[data-state="stranger"] button').wait_for()
        assert await page.locator("main section").count() == 1
        await expect(page.locator("[data-refusal]")).to_have_attribute("data-refusal", refusal)


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


# --- with a real passkey ----------------------------------------------------------------------------------------------
async def test_staff_enrols_a_passkey_signs_in_with_it_and_acts_with_a_fresh_one(
    site: str, browser: Browser, base: Database, module_database_url: str, module_redis_url: str
) -> None:
    home = f"http://localhost:{httpx.URL(site).port}"
    async with api(site) as http:
        ada = await an_account(http, "Ada")
    async with visitor(browser, DESK) as page:
        device, mod = await Device.on(page), await new_moderator(page, home, base)
        await page.goto(f"{home}/admin")
        await page.locator('[data-state="stranger"] button').wait_for()
        await page.goto(f"{home}/account")
        await fill(page, "passkey", "Without a code")
        await expect(page.locator('[data-form="passkey"] .trouble')).to_be_visible()
        await fill(page, "passkey", "This browser", await enrolment(mod, module_database_url, module_redis_url))
        await expect(page.locator('[data-part="passkeys"] [data-entry]')).to_have_attribute("data-entry", "This browser")
        await page.goto(f"{home}/admin")
        await page.locator('[data-state="stranger"] button').click()
        await page.locator('[data-state="allowed"]').wait_for()
        person = page.locator(f'[data-player="{ada.id}"]')
        await warn(page, ada, "At once")
        await person.locator('[role="status"]').wait_for()
        await device.verifies(False)
        await an_older_session(page, base, mod)
        await warn(page, ada, "Without a finger")
        await expect(person.locator(".trouble")).to_be_visible()
        await device.verifies(True)
        await warn(page, ada, "With a fresh passkey")
        await person.locator('[role="status"]').wait_for()
    rows = await base.rows("select reason from accounts.acts where player_id = $1 order by at", ids.decode(ada.id))
    assert [row["reason"] for row in rows] == ["At once", "With a fresh passkey"]


async def new_moderator(page: Page, home: str, base: Database) -> str:
    """Sign up, become a moderator, and sign in by password.

    Returns:
        The player's id.
    """
    login = await sign_up(page, home)
    (row,) = await base.rows(
        """update accounts.players p set role = 'moderator' from accounts.logins l
           where l.player_id = p.id and l.name = $1 returning p.id""",
        login,
    )
    await page.locator('[data-deed="sign-out"]').click()
    await page.locator("[data-title]").first.wait_for()
    await page.goto(f"{home}/account")
    await fill(page, "sign-in", login, PASSWORD)
    await page.locator('[data-form="passkey"]').wait_for()
    return ids.encode(row["id"])


async def enrolment(player: str, database_url: str, redis_url: str) -> str:
    """Return the code that `ludarium admin enrol` prints."""
    environment = {"LUDARIUM_DATABASE_URL": database_url, "LUDARIUM_REDIS_URL": redis_url}
    ran = await asyncio.to_thread(CliRunner().invoke, main, ["admin", "enrol", player], env=environment)
    assert ran.exit_code == 0, ran.output
    return str(ran.stdout.strip())


async def an_older_session(page: Page, base: Database, player: str) -> None:
    """Continue in a passkey session begun 16 minutes ago, which may read but not act."""
    token = await session_of(base, ids.decode(player), "passkey")
    await base.rows(
        "update accounts.tokens set created_at = now() - interval '16 minutes' where player_id = $1", ids.decode(player)
    )
    await page.evaluate("token => localStorage.setItem('ludarium.token', token)", token)
    await page.reload()
    await page.locator('[data-state="allowed"]').wait_for()


async def warn(page: Page, player: Person, reason: str) -> None:
    await page.locator('input[name="wanted"]').fill(player.id)
    await page.keyboard.press("Enter")
    person = page.locator(f'[data-player="{player.id}"]')
    await person.wait_for()
    if not await person.evaluate("details => details.open"):
        await person.locator("summary").click()
    await person.locator('select[name="act"]').select_option("warn")
    await person.locator('input[name="reason"]').fill(reason)
    await person.locator('button[type="submit"]').click()
