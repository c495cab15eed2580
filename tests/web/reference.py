"""The API reference, as a visitor uses it."""

from playwright.async_api import Locator, Page

MOST_NODES = 3000
"""The most nodes of the page while an operation is open."""
TAG = ".opblock-tag"
NODES = "document.querySelectorAll('*').length"


async def opened_reference(page: Page, site: str) -> None:
    """Open the page and wait until it shows the tags."""
    await page.goto(f"{site}/docs")
    await page.locator(TAG).first.wait_for()


async def opened_operation(page: Page, tag: str, operation: str) -> Locator:
    """Open an operation, and its tag unless it is open; wait until the operation's problems are shown."""
    block = page.locator(f"#operations-{tag}-{operation}")
    if not await block.count():
        await page.locator(f"#operations-tag-{tag}").click()
    await block.locator(".opblock-summary-control").click()
    await block.locator(".problems").wait_for()
    return block
