"""The list of sign-ins on the account page."""

import pytest
from playwright.async_api import Browser, expect

from ludarium.accounts.accounts import Accounts
from ludarium.accounts.sign_ins import UNKNOWN, Visit
from ludarium.platform.database import Database
from tests.support.entropy import ENTROPY
from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.test_access import LOCALES, findings
from tests.web.test_people import sign_up

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile/15E148 Safari/604.1"
WIDER = "() => document.documentElement.scrollWidth - screen.width"
"""Return how many pixels a page extends beyond the screen.

`innerWidth` does not show it, because a phone's window grows with the page.
"""


@pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda screen: screen.name)
@pytest.mark.parametrize("locale", LOCALES)
async def test_sign_ins_fit_the_screen_in_each_language(
    site: str, browser: Browser, base: Database, screen: Screen, locale: str
) -> None:
    async with visitor(browser, screen, locale=locale, bypass_csp=True) as page:
        login = await sign_up(page, site)
        (row,) = await base.rows("select player_id from accounts.logins where name = $1", login)
        for visit in (Visit("2001:db8:1:2::3", IPHONE), Visit(UNKNOWN)):
            await Accounts(base, ENTROPY).tokens.session(row["player_id"], "recovery-code", visit)
        await page.reload()
        listed = page.locator('[data-part="sign-ins"] li')
        await expect(listed).to_have_count(3)
        assert [await each.get_attribute("data-way") for each in await listed.all()] == [
            "recovery-code", "recovery-code", "new-account",
        ]  # fmt: skip
        if screen is PHONE:
            assert await page.evaluate(WIDER) <= 0
        if locale != "en":
            await expect(page.locator('[data-part="sign-ins"]')).not_to_contain_text(UNKNOWN)
        assert await findings(page) == []
