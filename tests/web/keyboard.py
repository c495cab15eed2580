"""Keyboard use, such as which controls Tab reaches, and where the focus is."""

from random import Random

from playwright.async_api import Locator, Page, expect

from tests.web.player import AGREES, OVER, READY

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
"""Return the focused element, or null if Tab would start at the top of the page."""
SPARE = 10
"""Extra presses of Tab for the browser's own stops."""


async def never_reached(page: Page) -> list[str]:
    """Press Tab through the whole page, and return the controls that it never reached."""
    for _ in range(await page.evaluate(NUMBER) + SPARE):
        await page.keyboard.press("Tab")
    missed: list[str] = await page.evaluate(MISSED)
    return missed


async def assert_focus(page: Page, where: str = "body") -> None:
    """Check that the focus is within `where`, and not on the body itself."""
    await expect(page.locator(f"{where}:not(body):focus, {where} :focus").first).to_be_attached()


async def press(control: Locator) -> None:
    """Press a control by Enter as soon as it is enabled.

    A disabled control takes neither the focus nor the key.
    """
    await expect(control).to_be_enabled()
    await control.focus()
    await expect(control).to_be_focused()
    await control.page.keyboard.press("Enter")


# Marks the control to press next: the confirmation if possible and wanted, otherwise one of the choices.
WANT = """([agrees, luck]) => {
    document.querySelector('[data-wanted]')?.removeAttribute('data-wanted')
    const all = name => [...document.querySelectorAll(`#choices [data-${name}]:enabled`)]
    const found = name => all(name).filter(each => each.checkVisibility())
    const [confirm] = found('confirm'), moves = found('move')
    const wanted = agrees && confirm ? confirm : moves[Math.floor(luck * moves.length)]
    if (wanted) wanted.dataset.wanted = ''
    return !!wanted
}"""
ARRIVED = "() => document.activeElement.matches('[data-wanted]')"
MOST_TABS, MOST_PRESSES = 300, 4000
"""Limits: presses of Tab to reach a control, and pressed controls in a game."""


async def play_by_keyboard(page: Page, luck: Random) -> int:
    """Play to the end with Tab and Enter alone, and return how many controls it took.

    Raises:
        AssertionError: A question came while nothing had the focus, or Tab does not lead to a choice.
    """
    for presses in range(MOST_PRESSES):
        await page.locator(f"{READY}, {OVER}").wait_for()
        if await page.locator(OVER).count():
            return presses
        await assert_focus(page)
        if await page.evaluate(WANT, [luck.random() < AGREES, luck.random()]):
            await tab_to_wanted(page)
            await page.keyboard.press("Enter")
    raise AssertionError(f"no end after {MOST_PRESSES} controls")


async def tab_to_wanted(page: Page) -> None:
    for _ in range(MOST_TABS):
        if await page.evaluate(ARRIVED):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {await page.locator('[data-wanted]').all_inner_texts()}")
