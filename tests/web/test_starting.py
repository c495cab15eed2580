"""A page that cannot start names the cause in three languages."""

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.web.browser import PHONE, visitor

NO_STORAGE = """for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, {get() { throw new DOMException('blocked', 'SecurityError') }})"""
BROKEN = "Object.defineProperty(navigator, 'languages', {get() { throw new Error('out of order') }})"
OLD = "delete HTMLScriptElement.prototype.noModule"


async def says_why(page: Page, cause: str) -> None:
    start = page.locator("#start")
    for locale in ("en", "es", "hu"):
        await expect(start.locator(f'[lang="{locale}"]')).to_be_visible()
    await expect(start.locator("code")).to_contain_text(cause)


async def test_without_javascript_a_page_says_so(site: str, browser: Browser) -> None:
    async with visitor(browser, PHONE, java_script_enabled=False) as page:
        await page.goto(f"{site}/t/anything")
        for locale in ("en", "es", "hu"):
            await expect(page.locator(f'noscript [lang="{locale}"]')).to_contain_text("JavaScript")


async def test_a_part_that_does_not_load_is_named(site: str, browser: Browser) -> None:
    for part in ("first", "app"):
        context = await browser.new_context()
        page = await context.new_page()
        await page.route(f"**/assets/{part}-*.js", lambda route: route.abort())
        await page.goto(site)
        await says_why(page, f"/assets/{part}-")
        await context.close()


async def test_a_script_that_throws_at_its_start_is_quoted(site: str, browser: Browser) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    await page.add_init_script(BROKEN)
    await page.goto(site)
    await says_why(page, "out of order")
    await context.close()


async def test_a_browser_without_modules_is_told_so(site: str, browser: Browser) -> None:
    async with visitor(browser, PHONE) as page:
        await page.route("**/assets/*.js", lambda route: route.fulfill(content_type="text/javascript", body=""))
        await page.add_init_script(OLD)
        await page.goto(site)
        await says_why(page, "modules")


async def test_where_nothing_can_be_stored_the_page_works_and_says_so(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await page.add_init_script(NO_STORAGE)
        await page.goto(site)
        await expect(page.locator("[data-not-kept]")).to_be_visible()
        await page.locator('[data-title="game-of-kingdoms"]').first.click()
        await page.locator('[data-action="play-bots"]').click()
        await expect(page.locator("[data-table] .seat.own")).to_be_visible()


@pytest.mark.parametrize("status", [200, 500])
async def test_an_answer_of_a_proxy_or_of_a_server_that_fails_is_reported(site: str, browser: Browser, status: int) -> None:
    async def answer(route: Route) -> None:
        await route.fulfill(status=status, content_type="text/html", body="<p>Sign in to the hotel's network</p>")

    async with visitor(browser, locale="es") as page:
        await page.route("**/api/v1/rulesets", answer)
        await page.goto(site)
        await expect(page.locator("[data-failed]")).to_contain_text("Ludarium")
