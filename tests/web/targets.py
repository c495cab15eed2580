"""Controls that are too small for a finger."""

from playwright.async_api import Page

LEAST = 24
"""The least width and height of a control, in CSS pixels (WCAG 2.2, criterion 2.5.8)."""

# A control's size includes a pseudo-element that is laid over or around it, and a label that contains it.
# Links within a sentence are exempt.
SMALL = """least => {
    const controls = 'a[href], button, summary, input, select, textarea, [role=button], [tabindex="0"]:is(g, path, area)'
    const inline = each => each.matches('a, button') && getComputedStyle(each).display === 'inline'
        && [...each.parentElement.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.textContent.trim())
    const hidden = each => each.closest('.visually-hidden, .skip, [inert]') || !each.checkVisibility({visibilityProperty: true})
    const boxes = each => [each, ...each.labels ?? []].map(one => one.getBoundingClientRect())
        .concat(['::before', '::after'].map(name => getComputedStyle(each, name))
            .filter(style => style.position === 'absolute' && style.content !== 'none')
            .map(style => ({width: parseFloat(style.width), height: parseFloat(style.height)})))
    const fits = each => boxes(each).some(box => Math.round(box.width) >= least && Math.round(box.height) >= least)
    return [...document.querySelectorAll(controls)].filter(each => !hidden(each) && !inline(each) && !fits(each)).map(each => {
        const box = each.getBoundingClientRect()
        return `${box.width.toFixed(1)} x ${box.height.toFixed(1)} ${each.outerHTML.slice(0, 110)}`
    })
}"""


async def small_targets(page: Page) -> list[str]:
    """Return the visible controls that are smaller than `LEAST`, after opening every fold."""
    await page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    found: list[str] = await page.evaluate(SMALL, LEAST)
    return found
