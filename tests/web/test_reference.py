"""The API reference is small enough to use, and its search finds operations."""

import json

import httpx
import pytest
from playwright.async_api import Browser, expect

from ludarium.api.openapi import TAGS
from tests.support.operations import operations
from tests.web.browser import visitor
from tests.web.reference import MOST_NODES, NODES, TAG, opened_operation, opened_reference

LARGEST = {
    operation["tags"][0]: operation["operationId"]
    for _, _, operation in sorted(operations(), key=lambda each: len(json.dumps(each)))
}
"""The operation with the longest description of each tag."""


async def test_tags_are_closed_at_first(site: str, browser: Browser) -> None:
    async with visitor(browser, strict=True) as page:
        await opened_reference(page, site)
        assert await page.locator(TAG).count() == len(TAGS)
        assert await page.locator(".opblock").count() == 0


@pytest.mark.parametrize(
    ("tag", "operation"), [*LARGEST.items(), ("tables", "postCommand"), ("tables", "getView"), ("archive", "getReplay")]
)
async def test_an_open_operation_draws_few_nodes(site: str, browser: Browser, tag: str, operation: str) -> None:
    async with visitor(browser) as page:
        await opened_reference(page, site)
        await opened_operation(page, tag, operation)
        assert await page.evaluate(NODES) <= MOST_NODES


async def test_the_schema_of_an_answer_can_be_opened(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await opened_reference(page, site)
        block = await opened_operation(page, "tables", "getView")
        await block.locator(".responses-wrapper .tablinks", has_text="Schema").click()
        await expect(block.locator(".responses-wrapper")).to_contain_text("proposal")
        assert await page.evaluate(NODES) <= MOST_NODES


async def test_an_operation_shows_its_problems_and_no_others(site: str, browser: Browser) -> None:
    (codes,) = [each["x-problems"] for _, _, each in operations() if each["operationId"] == "postCommand"]
    async with visitor(browser) as page:
        await opened_reference(page, site)
        block = await opened_operation(page, "tables", "postCommand")
        assert await block.locator(".problems code").all_inner_texts() == codes


@pytest.mark.parametrize(
    ("words", "found"),
    [("leaderboard", ["getLeaderboard"]), ("undo draft", ["undoDraftChange"]), ("/tables/bulk", ["createTables"])],
)
async def test_the_search_finds_operations(site: str, browser: Browser, words: str, found: list[str]) -> None:
    async with visitor(browser) as page:
        await opened_reference(page, site)
        await page.locator(".operation-filter-input").fill(words)
        await expect(page.locator(".opblock")).to_have_count(len(found))
        assert await page.locator(".opblock-summary-operation-id").all_inner_texts() == found


async def test_an_operation_can_be_tried_out(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await opened_reference(page, site)
        block = await opened_operation(page, "players", "createGuest")
        await block.get_by_role("button", name="Try it out").click()
        async with page.expect_response("**/api/v1/guests") as answer:
            await block.get_by_role("button", name="Execute").click()
        assert (await answer.value).status == httpx.codes.CREATED
