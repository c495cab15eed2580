"""A table is consistent in answers, presence, names, ranks, log and offers."""

import asyncio
import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, expect

from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel.bodies import ChoiceBody, Piece
from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.planted import SEATS, planted_game
from tests.web.player import OVER, READY, play
from tests.web.seated import Moment, Seats, near_end, offers, question
from tests.web.test_friends import sit_and_start

GIVEN = "[data-given]"
LINES = 8
MANY = 10


async def open_for_two(page: Page, site: str, ruleset: str, *, listed: bool = False) -> str:
    await page.goto(f"{site}/new/{ruleset}")
    while int(await page.locator(".stepper output").inner_text()) > 2:
        await page.locator(".stepper button").first.click()
    await page.locator('[data-action="create-listed"]' if listed else '[data-action="create"]').click()
    return str(await page.locator("[data-invite]").get_attribute("href"))


async def test_a_sealed_answer_is_marked_as_given_and_can_be_changed(site: str, browser: Browser) -> None:
    """The answer is in no log yet, so only this mark shows the player the choice made."""
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        await ben.goto(await open_for_two(ada, site, "valeria"))
        await sit_and_start(ada, ben)
        await ada.locator(READY).wait_for()
        offered = ada.locator("[data-offer]")
        first, second = [str(await each.get_attribute("data-offer")) for each in await offered.all()]
        for offer in (second, first):
            await ada.locator(f'[data-offer="{offer}"]').click()
            for _ in ("now", "after a reload"):
                await expect(ada.locator(GIVEN)).to_have_attribute("data-given", offer)
                given = ada.locator('[data-offer][aria-pressed="true"]')
                await expect(given).to_have_attribute("data-offer", offer)
                await expect(given).to_contain_text("Your answer:")
                await expect(ada.locator('[data-offer][aria-pressed="false"]')).to_contain_text("Change to:")
                await ada.reload()
                await ada.locator("[data-table]").wait_for()
        seat = ada.locator('.seat[data-seat="1"]')
        await expect(seat.locator(".tag.asked")).to_be_visible()
        await ben.close()
        await expect(seat).to_contain_text("away")
        await expect(seat.locator(".tag.asked")).to_have_count(0)


WATCH_NAMES = """() => {
    window.called = new Set()
    new MutationObserver(() => {
        for (const each of document.querySelectorAll('.who, .entry b')) window.called.add(each.textContent)
    }).observe(document, {subtree: true, childList: true, characterData: true})
}"""


async def test_a_reload_never_calls_a_player_by_their_seat(site: str, browser: Browser) -> None:
    """Names are loaded last, but the page must not show a seat number until then."""
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        await ben.goto(await open_for_two(ada, site, "game-of-kingdoms"))
        await ben.locator('input[name="name"]').fill("Benedikt")
        await sit_and_start(ada, ben)
        await ada.locator("[data-table] .game").wait_for()
        held = asyncio.Event()

        async def hold(route: Route) -> None:
            await held.wait()
            await route.continue_()

        await ada.add_init_script(f"({WATCH_NAMES})()")
        await ada.route("**/api/v1/players?*", hold)
        async with ada.expect_response(lambda answer: answer.url.endswith("/view")):
            await ada.reload()
        await ada.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        held.set()
        await expect(ada.locator('.seat[data-seat="1"] .who')).to_contain_text("Benedikt")
        assert [name for name in await ada.evaluate("[...window.called]") if re.search(r"Seat \d", name)] == []


async def test_the_log_names_players_and_bots_that_have_left(site: str, browser: Browser) -> None:
    """Another player has the seat now, whose name must not replace the earlier names."""
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben, visitor(browser, PHONE) as cyd:
        link = await open_for_two(ada, site, "game-of-kingdoms", listed=True)
        await ada.locator('[data-chair="1"] [data-action="seat-bot"]').click()
        await ada.locator('[data-chair="1"] [data-action="remove"]').click()
        await ben.goto(link)
        await ben.locator('input[name="name"]').fill("Benedikt")
        await ben.locator('[data-action="join"]').click()
        await ben.locator('[data-action="stand-up"]').click()
        await cyd.goto(link)
        await cyd.locator('input[name="name"]').fill("Cydney")
        await sit_and_start(ada, cyd)
        expected = ["Bot 2 sits down", "Bot 2 leaves", "Benedikt sits down", "Benedikt leaves", "Cydney sits down"]
        for _ in ("as it happened", "after a reload"):
            await expect(ada.locator(".entries > .entry[data-quiet] b")).to_have_text([re.compile(" sits down$"), *expected])
            await ada.reload()


def finished(outcome: list[int]) -> dict[str, Any]:
    table: dict[str, Any] = {
        "id": "0" * 26, "ruleset": "kemet", "creator": "0" * 26, "status": "over", "clock": None, "rated": False, "options": {},
        "seats": [{"seat": seat, "player": None, "bot": "simple"} for seat in range(len(outcome))],
    }  # fmt: skip
    game = {"table": table, "outcome": outcome, "events": 90, "ended_at": "2026-05-04T12:00:00Z"}
    return {"games": [game], "next": None}


async def test_finished_games_list_the_ranks_in_order(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await page.route("**/api/v1/records?*", lambda route: route.fulfill(json=finished([3, 1, 2])))
        await page.goto(f"{site}/games")
        await expect(page.locator("[data-finished] .seated b")).to_have_text(["1.", "2.", "3."])


@pytest.mark.parametrize("nth", range(3))
async def test_a_game_with_a_loser_says_who_loses(seats: Seats, nth: int) -> None:
    name = f"loser {nth}"
    async with seats.asked(name, "game-of-kingdoms", near_end(name, "game-of-kingdoms", SEATS, 6), PHONE) as page:
        await play(page, Random(name))
        rank = re.search(r"(\d) of", await page.locator("[data-scores] .rank").inner_text())
        expected = "You lose" if rank and rank[1] == str(SEATS) else re.compile("^You are safe: Bot . loses$|^No one loses$")
        await expect(page.locator("[data-scores] h2")).to_have_text(expected)


ROOM = """entries => entries.clientHeight / parseFloat(getComputedStyle(entries).lineHeight)"""


@pytest.mark.parametrize(
    ("ruleset", "long"), [("kemet", question("prompt.choose_cards.attacking")), ("valley-of-the-kings", offers(MANY))]
)
async def test_the_log_keeps_eight_lines_below_a_long_question(seats: Seats, ruleset: str, long: Moment) -> None:
    async with seats.asked(f"long {ruleset}", ruleset, long, DESK) as page:
        assert await page.locator(".entries").evaluate(ROOM) >= LINES


@pytest.mark.parametrize("ruleset", ["valley-of-the-kings", "lights-in-the-fog"])
async def test_the_end_of_the_log_is_not_folded(seats: Seats, ruleset: str) -> None:
    name = f"end of the log {ruleset}"
    async with seats.asked(name, ruleset, near_end(name, ruleset, SEATS, 6)) as page:
        await play(page, Random(name))
        await page.locator(OVER).wait_for()
        last = page.locator(".entries .entry").last
        await expect(last).to_contain_text("over")
        before = page.locator(".entries .entry:nth-last-child(-n + 4) details")
        await expect(before).to_have_count(0)


COVERED = """() => {
    const [choosing, buttons] = ['.choosing', '.buttons'].map(name => document.querySelector(`.trial > ${name}`))
    const lowest = Math.max(...[...choosing.querySelectorAll('*')].map(each => each.getBoundingClientRect().bottom))
    return Math.max(0, lowest - buttons.getBoundingClientRect().top)
}"""


async def test_nothing_covers_the_choices_in_tried_moves(site: str, browser: Browser, module_database_url: str) -> None:
    table = await planted_game(module_database_url, "valley-of-the-kings")
    async with visitor(browser, Screen("low desk", 1280, 620, False)) as page:
        for at in (12, 40):
            await page.goto(f"{site}/t/{table}/replay?as=1&at={at}")
            await page.locator('[data-action="try"]').click()
            await page.locator("[data-trial] [data-move]").first.wait_for()
            assert await page.evaluate(COVERED) == 0


def reads_alike(choice: ChoiceBody, history: TableState) -> bool:
    """Match a question with two offers of equal text for different cards of one kind."""
    cards = history.title.cards

    def said(piece: Piece) -> str:
        return cards[int(str(piece.value))].kind if piece.kind == "card" else str(piece.value)

    texts = Counter((each.label.id, *map(said, each.label.params)) for each in choice.offers)
    return len(choice.offers) < MANY and max(texts.values()) > 1


@pytest.mark.parametrize("nth", range(2))
async def test_no_two_offers_read_the_same(seats: Seats, nth: int) -> None:
    async with seats.asked(f"alike {nth}", "valley-of-the-kings", reads_alike) as page:
        texts = [text.partition("\n")[2] for text in await page.locator("[data-offer]").all_inner_texts()]
        assert texts and len(texts) == len({*texts}), texts
