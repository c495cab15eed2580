"""A page by keyboard alone: which controls Tab reaches, and where the focus is."""

from playwright.async_api import Locator, Page, expect

NUMBER = """() => {
    const controls = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]'
    const shown = each => each.checkVisibility() || getComputedStyle(each).display === 'contents'
    let count = 0
    for (const each of document.querySelectorAll(controls))
        if (shown(each) && each.tabIndex >= 0) each.dataset.number = count++
    document.activeElement?.blur()
    window.reached = new Set()
    addEventListener('focusin', event => window.reached.add(event.target.dataset.number))
    return count
}"""
MISSED = """() => [...document.querySelectorAll('[data-number]')].filter(each => !window.reached.has(each.dataset.number))
    .map(each => each.outerHTML.slice(0, 120))"""
FOCUSED = """() => {
    const focus = document.activeElement
    return focus === null || focus === document.body ? null : focus.outerHTML.slice(0, 120)
}"""
"""What has the focus; null where the keyboard would begin at the top of the page."""
SPARE = 10
"""Presses of Tab beyond one for each control: the browser's own stops."""


async def never_reached(page: Page) -> list[str]:
    """Press Tab through the whole page; return the controls that never had the focus."""
    for _ in range(await page.evaluate(NUMBER) + SPARE):
        await page.keyboard.press("Tab")
    missed: list[str] = await page.evaluate(MISSED)
    return missed


async def assert_focus(page: Page, where: str = "body") -> None:
    """The focus is within `where`, or anywhere but on the body."""
    await expect(page.locator(f"{where}:not(body):focus, {where} :focus").first).to_be_attached()


async def press(control: Locator) -> None:
    """Press it by Enter."""
    await control.focus()
    await control.page.keyboard.press("Enter")
