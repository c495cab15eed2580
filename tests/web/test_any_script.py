"""Names in any script keep their own order and the order of the sentences."""

from playwright.async_api import Browser, Page, expect

from tests.web.browser import PHONE, visitor
from tests.web.test_friends import ask, open_table

MUHAMMAD, DANA = "\u0645\u062d\u0645\u062f (1)", "\u05d3\u05e0\u05d4"
"""An Arabic name that ends in a number, and a Hebrew name."""

# Texts and labels that contain a name outside of isolating elements and isolate characters.
LOOSE = """names => {
    const isolating = node => !!node.parentElement?.closest('bdi, [dir=auto]')
    const texts = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) if (!isolating(walker.currentNode)) texts.push(walker.currentNode.data)
    for (const name of ['aria-label', 'title', 'alt'])
        for (const each of document.querySelectorAll(`[${name}]`)) texts.push(each.getAttribute(name))
    texts.push(document.title)
    const loose = (text, name) => text.split(name).length > text.split(`\\u2068${name}\\u2069`).length
    return texts.filter(text => names.some(name => loose(text, name)))
}"""


async def assert_isolated(page: Page, name: str) -> None:
    await expect(page.get_by_text(name).first).to_be_attached()
    assert await page.evaluate(LOOSE, [MUHAMMAD, DANA]) == []


async def test_names_keep_their_order_and_the_sentences_order(site: str, browser: Browser) -> None:
    """Each page that shows a name is visited, because each page isolates names itself."""
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        link = await open_table_as(ada, site, MUHAMMAD)
        await ben.goto(link)
        await ben.locator('input[name="name"]').fill(DANA)
        await ben.locator('[data-action="join"]').click()
        await ada.locator('[data-chair="1"][data-taken="true"]').wait_for()
        await assert_isolated(ada, DANA)
        await assert_isolated(ben, MUHAMMAD)
        await ada.locator('[data-action="start"]').click()
        for page, name in ((ada, DANA), (ben, MUHAMMAD)):
            await page.locator("[data-table] .game").wait_for()
            await assert_isolated(page, name)
        await ask(ada, "draw")
        await ben.locator('[data-answer="refuse"]').wait_for()
        await assert_isolated(ben, MUHAMMAD)
        await ben.locator('[data-answer="refuse"]').click()
        await ask(ada, "resign")
        await ben.locator("[data-scores]").wait_for()
        await assert_isolated(ada, DANA)
        await assert_isolated(ben, MUHAMMAD)
        player = await ben.locator(".neighbour a").first.get_attribute("href")
        await ben.goto(f"{ben.url}/replay")
        await ben.locator("[data-replay]").wait_for()
        await assert_isolated(ben, MUHAMMAD)
        await ben.goto(f"{site}{player}")
        await ben.locator("[data-profile]").wait_for()
        await assert_isolated(ben, MUHAMMAD)
        assert MUHAMMAD in await ben.title()


async def open_table_as(page: Page, site: str, name: str) -> str:
    await page.goto(site)
    await page.evaluate("name => localStorage.setItem('ludarium.name', name)", name)
    return await open_table(page, site, private=True)
