import os
import pytest
from engine import titles
from tests.web.browser import DESK, PHONE, visitor
from tests.web.planted import planted_game

@pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda s: s.name)
@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_shot(site, browser, module_database_url, ruleset, screen):
    table = await planted_game(module_database_url, ruleset)
    async with visitor(browser, screen) as page:
        await page.goto(f"{site}/t/{table}/replay?at=0&as=everything")
        await page.locator("[data-replay]").wait_for()
        last = int(await page.locator("[data-replay]").get_attribute("data-last"))
        print(ruleset, last, table)
        for nth, (share, eyes) in enumerate([(0.5, "everything"), (0.7, "0"), (1.0, "spectator")]):
            await page.goto(f"{site}/t/{table}/replay?at={int(last*share)}&as={eyes}")
            await page.locator("[data-replay]").wait_for()
            await page.wait_for_timeout(700)
            assert await page.locator("[data-wrong]").count() == 0
            await page.screenshot(path=f"/tmp/c/shot-{ruleset}-{screen.name}-{nth}.png")
