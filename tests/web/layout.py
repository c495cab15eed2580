"""The visibility of a table's parts, with overlapping regions and hidden choices."""

from playwright.async_api import Page, TimeoutError

REGIONS = {
    "header": ".bar", "opponents": ".others", "centre": ".middle", "own seat": ".seat.own", "offers": ".choosing",
    "log": ".log",
}  # fmt: skip

# `visible`: the part of an element's box that is inside the window and every scrolling container.
OVERLAPS = """regions => {
    const cut = (box, by) => ({left: Math.max(box.left, by.left), top: Math.max(box.top, by.top),
                               right: Math.min(box.right, by.right), bottom: Math.min(box.bottom, by.bottom)})
    const visible = element => {
        let box = cut(element.getBoundingClientRect(), {left: 0, top: 0, right: innerWidth, bottom: innerHeight})
        for (let outer = element.parentElement; outer; outer = outer.parentElement)
            if (getComputedStyle(outer).overflowY !== 'visible') box = cut(box, outer.getBoundingClientRect())
        return box
    }
    const shown = Object.entries(regions).map(([name, found]) => [name, document.querySelector(found)])
        .filter(([, element]) => element).map(([name, element]) => [name, visible(element)])
        .filter(([, box]) => box.right - box.left > 1 && box.bottom - box.top > 1)
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
                        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
    return shown.flatMap(([name, box], nth) => shown.slice(nth + 1).filter(([, other]) => meet(box, other))
        .map(([other]) => `${name} and ${other}`))
}"""

IN_SIGHT = """() => {
    const reached = element => {
        const box = element.getBoundingClientRect()
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
        return element === top || element.contains(top)
    }
    const moves = [...document.querySelectorAll('[data-move]:enabled')]
    const pieces = moves.filter(element => !element.closest('.choosing'))
    return (pieces.length ? pieces : moves).some(reached)
}"""


async def assert_apart(page: Page) -> None:
    """Check that no region covers another one, once all regions are laid out."""
    try:
        await page.wait_for_function(f"regions => !({OVERLAPS})(regions).length", arg=REGIONS)
    except TimeoutError:
        raise AssertionError(f"{page.viewport_size}: {await page.evaluate(OVERLAPS, REGIONS)}") from None


async def assert_clear(page: Page) -> None:
    """Check that no region covers another one, and that a choice can be touched.

    The choice is a piece on the table or, if the question is not about pieces, an offer.
    """
    where = f"{page.viewport_size} {await page.locator('.prompt').inner_text()!r}"
    await assert_apart(page)
    try:
        await page.wait_for_function(IN_SIGHT)
    except TimeoutError:
        raise AssertionError(f"nothing that may be chosen is in sight: {where}") from None


MAP = """() => {
    const boxes = [...document.querySelectorAll('.space')].map(space => space.getBoundingClientRect())
    const whole = document.querySelector('.map').getBoundingClientRect()
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
                        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
    const outside = box => box.left < whole.left - 1 || box.right > whole.right + 1
                        || box.top < whole.top - 1 || box.bottom > whole.bottom + 1
    return !boxes.some((box, nth) => outside(box) || boxes.slice(nth + 1).some(other => meet(box, other)))
}"""


async def assert_map_clear(page: Page) -> None:
    """Check that no space of the map covers another or extends beyond the map."""
    try:
        await page.wait_for_function(MAP)
    except TimeoutError:
        raise AssertionError(f"spaces of the map cover each other: {page.viewport_size}") from None
