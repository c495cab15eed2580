"""Players can report and block others, and export and delete their own account."""

import json
from pathlib import Path

from playwright.async_api import Browser, expect

from tests.web.browser import answer_to, visitor
from tests.web.test_first_minute import open_for_others


async def test_a_neighbour_is_reported_and_blocked_and_one_is_forgotten(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser) as ben:
        link = await open_for_others(ada, site)
        await ben.goto(link)
        await ben.locator('[data-action="join"]').click()
        await ben.locator('[data-action="stand-up"]').wait_for()
        await expect(ada.locator('[data-chair="1"]')).to_have_attribute("data-taken", "true")
        await ada.locator('[data-action="start"]').click()
        about = ada.locator('[data-seat="1"] .neighbour')
        await about.locator("summary").click()
        player = str(await about.locator("a").get_attribute("href")).rpartition("/")[2]
        for action, asked in (
            ("report", answer_to("POST", "/api/v1/reports")), ("block", answer_to("PUT", f"/api/v1/me/blocks/{player}"))
        ):
            async with ada.expect_response(asked) as answered:
                await about.locator(f'[data-action="{action}"]').click()
            assert (await answered.value).ok
            await expect(about.get_by_role("status")).not_to_be_empty()
        await ada.goto(f"{site}/settings")
        own = ada.locator("[data-own]")
        await own.locator("summary").click()
        async with ada.expect_download() as download:
            await own.locator('[data-action="export"]').click()
        kept = json.loads(Path(await (await download.value).path()).read_text())
        assert len(kept["reports"]) == len(kept["blocks"]) == 1
        delete = own.locator('[data-action="delete-me"]')
        await expect(delete).to_be_disabled()
        await own.get_by_role("textbox").fill("delete me")
        await delete.click()
        await expect(own).to_have_count(0)
        assert await ada.evaluate("localStorage.getItem('ludarium.token')") is None
        await ben.reload()
        await expect(ben.locator('[data-seat="0"]')).to_contain_text("deleted player")
