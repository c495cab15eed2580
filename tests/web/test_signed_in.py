"""The page's player, with sign-outs, returning guests, and names of new accounts."""

import json
from functools import partial

import httpx
import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.waiting import eventually
from tests.web.browser import PHONE, visitor
from tests.web.player import TABLE, open_table
from tests.web.test_first_minute import open_for_others
from tests.web.test_people import PASSWORD, a_login

TITLE = "game-of-kingdoms"
TOKEN = "localStorage.getItem('ludarium.token')"
REFUSALS = [(403, "banned"), (401, "unauthenticated"), (404, "not-found"), (500, "internal")]


async def token(page: Page) -> str:
    return str(await page.evaluate(TOKEN))


async def end_session(http: httpx.AsyncClient, secret: str) -> None:
    """End a session, as another device would."""
    answer = await http.delete("/me/token", headers={"authorization": f"Bearer {secret}"})
    assert answer.is_success, answer.text


async def sign_up(page: Page, site: str, name: str) -> str:
    login = a_login()
    await page.goto(f"{site}/account")
    form = page.locator('[data-form="sign-up"]')
    for field, text in (("nickname", name), ("username", login), ("new-password", PASSWORD)):
        await form.locator(f'[autocomplete="{field}"]').fill(text)
    await form.locator("button[type=submit]").click()
    await page.locator('[data-part="devices"]').wait_for()
    return login


@pytest.mark.parametrize(("status", "code"), REFUSALS)
async def test_no_other_refusal_signs_a_page_out(site: str, browser: Browser, status: int, code: str) -> None:
    async with visitor(browser, strict=False) as page:
        await open_table(page, site, TITLE)
        before, problem = await token(page), {"type": "about:blank", "title": "No", "status": status, "code": code}
        await page.route("**/api/v1/me", lambda route: route.fulfill(
            status=status, content_type="application/problem+json", body=json.dumps(problem),
        ))  # fmt: skip
        await page.reload()
        await page.locator("[data-failed]").wait_for()
        assert await token(page) == before
        await page.unroute("**/api/v1/me")
        await page.locator("[data-failed] button").click()
        await expect(page.locator(f"{TABLE} .seat.own")).to_be_visible()
        assert await token(page) == before


async def test_a_session_ended_elsewhere_changes_each_open_page_at_once(
    site: str, browser: Browser, http: httpx.AsyncClient
) -> None:
    async with visitor(browser) as page:
        await sign_up(page, site, "Ada")
        await open_for_others(page, site)
        await page.locator('[data-action="stand-up"]').wait_for()
        other = await page.context.new_page()
        await other.goto(f"{site}/settings")
        await other.locator('[data-part="privacy"]').wait_for()
        await end_session(http, await token(page))
        for each in (page, other):
            await expect(each.locator("[data-signed-out]")).to_be_visible()
        await expect(page.locator('[data-action="stand-up"]')).to_have_count(0)
        await expect(page.locator('[data-action="join"]')).to_be_visible()
        await expect(other.locator('[data-part="privacy"]')).to_have_count(0)
        await page.locator("[data-signed-out] a").click()
        await page.locator('[data-form="sign-in"]').wait_for()


async def test_a_guest_comes_back_by_its_own_code(site: str, browser: Browser, http: httpx.AsyncClient) -> None:
    """Open pages must share one new session, and a page opened later must get one too."""
    async with visitor(browser) as page:
        await open_table(page, site, TITLE)
        other = await page.context.new_page()
        await other.goto(page.url)
        await other.locator(f"{TABLE} .seat.own").wait_for()
        before = await token(page)
        await end_session(http, before)
        await eventually(partial(changed, page, before))
        for each in (page, other):
            await expect(each.locator(f'{TABLE}[data-connection="online"] .seat.own')).to_be_visible()
            await expect(each.locator("[data-signed-out]")).to_have_count(0)
        await other.close()
        table = page.url
        await page.goto("about:blank")
        await end_session(http, str(await held(page, site)))
        await page.goto(table)
        await expect(page.locator(f"{TABLE} .seat.own")).to_be_visible()


async def changed(page: Page, before: str) -> bool:
    return await token(page) != before


async def held(page: Page, site: str) -> str | None:
    state = await page.context.storage_state()
    return next(
        entry["value"] for origin in state["origins"] if origin["origin"] == site
        for entry in origin["localStorage"] if entry["name"] == "ludarium.token"
    )  # fmt: skip


async def test_a_sign_out_in_one_tab_is_one_in_all_and_no_code_undoes_it(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await open_table(page, site, TITLE)
        await page.locator(f"{TABLE} .seat.own").wait_for()
        account = await page.context.new_page()
        await account.goto(f"{site}/account")
        code = await account.locator('[data-part="code"] [data-secret]').inner_text()
        await account.locator('[data-deed="sign-out"]').click()
        await account.locator('[data-deed="sign-out"]').click()
        await account.locator("[data-title]").first.wait_for()
        await expect(account.locator("[data-signed-out]")).to_have_count(0)
        await expect(page.locator("[data-signed-out]")).to_be_visible()
        await expect(page.locator(f"{TABLE} .seat.own")).to_have_count(0)
        assert await token(account) == "None"
        table = page.url
        await account.goto(f"{site}/recover")
        await account.locator('[data-form="recover"] input').fill(code)
        await account.locator('[data-form="recover"] button[type=submit]').click()
        await account.locator('[data-part="profile"]').wait_for()
        await account.goto(table)
        await expect(account.locator(f"{TABLE} .seat.own")).to_be_visible()


async def test_a_guest_sees_the_code_that_is_the_only_way_back(site: str, browser: Browser) -> None:
    async with visitor(browser, PHONE) as page:
        await open_table(page, site, TITLE)
        code = await page.evaluate("localStorage.getItem('ludarium.rejoin')")
        for path in ("/", "/settings"):
            await page.goto(f"{site}{path}")
            await page.locator("[data-guest-code] summary").click()
            await expect(page.locator("[data-guest-code] code")).to_have_text(code)


async def test_an_account_has_a_name_and_one_browser_is_one_device(
    site: str, browser: Browser, http: httpx.AsyncClient
) -> None:
    async with visitor(browser) as page, visitor(browser) as guest:
        login = await sign_up(page, site, "Ada Lovelace")
        await expect(page.locator('[data-part="devices"] [data-entry]')).to_have_count(1)
        assert await page.evaluate("localStorage.getItem('ludarium.rejoin')") is None
        found = (await http.get("/me", headers={"authorization": f"Bearer {await token(page)}"})).json()
        assert (found["name"], found["login"]) == ("Ada Lovelace", login)
        await open_table(guest, site, TITLE)
        await sign_up(guest, site, "Ben")
        await expect(guest.locator('[data-part="devices"] [data-entry]')).to_have_count(1)
        await guest.goto(f"{site}/settings")
        await expect(guest.locator('[data-part="name"] input')).to_have_value("Ben")
