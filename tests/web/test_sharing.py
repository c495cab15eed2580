"""Sharing a game by embedding, links, streaming mode, studies and comments."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Thread

import pytest
from playwright.async_api import Browser, Page, expect

from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.planted import planted_game
from tests.web.player import MOVE, open_table, play

TITLE = "game-of-kingdoms"
REPLAY = "[data-replay]"
CHAT, TOLD = "[data-talk], [data-chat], [data-message]", ".story, .deciding, .trying, [data-decision]"
SCREENS = pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda screen: screen.name)


@asynccontextmanager
async def elsewhere(frames: str) -> AsyncIterator[str]:
    """Serve a page at another origin, and yield its address."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(f"<!doctype html><body style='background: rgb(255, 0, 255)'>{frames}".encode())

        def log_message(self, format: str, *args: object) -> None:
            """Discard the log line."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


async def test_a_table_stands_in_anothers_page_and_reads_no_token(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await open_table(page, site, TITLE)
        await play(page, Random(1), moves=3)
        table = page.url.rsplit("/", 1)[-1]
        seats = await page.locator(".seat").count()
        hand = await page.locator(".own .card:not(.back)").count()
        asked = list[str | None]()
        page.context.on("request", lambda request: asked.append(request.headers.get("authorization")))
        async with elsewhere(f'<iframe src="{site}/embed/t/{table}" width="900" height="600"></iframe>') as address:
            await page.goto(address)
            frame = page.frame_locator("iframe")
            await frame.locator(f'[data-embedded="{table}"]').wait_for()
            await expect(frame.locator(".others .seat")).to_have_count(seats)
            assert hand and await frame.locator(f"{MOVE}, [data-action], .own").count() == 0
        assert asked and not [each for each in asked if each]


async def test_one_that_is_over_shows_its_end_and_nothing_to_do(site: str, browser: Browser, module_database_url: str) -> None:
    table = await planted_game(module_database_url, TITLE)
    async with visitor(browser) as page, elsewhere(f'<iframe src="{site}/embed/t/{table}"></iframe>') as address:
        await page.goto(address)
        frame = page.frame_locator("iframe")
        await frame.locator("[data-embedded] [data-scores]").wait_for()
        assert await frame.locator(".scores button, [data-action]").count() == 0
        await expect(frame.locator(".source")).to_have_attribute("target", "_blank")


@SCREENS
async def test_a_replay_stands_there_at_its_moment_and_over_a_stream_without_a_ground(
    site: str, browser: Browser, module_database_url: str, screen: Screen
) -> None:
    table = await planted_game(module_database_url, TITLE)
    overlay = f'<iframe src="{site}/embed/t/{table}/replay?at=12&overlay" width="340" height="500"></iframe>'
    async with visitor(browser, screen) as page, elsewhere(overlay) as address:
        await page.goto(address)
        frame = page.frame_locator("iframe")
        await expect(frame.locator(REPLAY)).to_have_attribute("data-seq", "12")
        await frame.locator('[data-control="on"]').click()
        await expect(frame.locator(REPLAY)).to_have_attribute("data-seq", "13")
        assert await frame.locator("header, .source, [data-action], .notes").count() == 0
        ground = await frame.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
        assert ground == "rgba(0, 0, 0, 0)"


async def test_the_address_of_a_moment_leads_there(site: str, browser: Browser, module_database_url: str) -> None:
    table = await planted_game(module_database_url, TITLE)
    async with visitor(browser) as page, visitor(browser) as other:
        await page.goto(f"{site}/t/{table}/replay?at=20&as=everything")
        await page.locator("[data-share] summary").click()
        shared = {name: await page.locator(f'[data-shared="{name}"]').input_value() for name in ("link", "picture", "frame")}
        assert f'src="{site}/embed/t/{table}/replay?at=20' in shared["frame"]
        assert shared["picture"] == f"{site}/api/v1/tables/{table}/picture.png?at=20"
        picture = await other.goto(shared["picture"])
        assert picture is not None and picture.status == 200 and picture.headers["content-type"] == "image/png"
        await other.goto(shared["link"])
        await expect(other.locator(REPLAY)).to_have_attribute("data-seq", "20")
        await expect(other.locator(REPLAY)).to_have_attribute("data-eyes", "everything")


@SCREENS
async def test_a_stream_shows_no_hand_no_choice_no_chat_and_no_invitation(
    site: str, browser: Browser, screen: Screen
) -> None:
    async with visitor(browser, screen) as page:
        await open_table(page, site, TITLE)
        await page.locator(f"{MOVE}").first.wait_for()
        await page.locator("[data-talk] > summary").click()
        await page.locator(".say input").fill("The king is mine")
        await page.locator('[data-action="say"]').click()
        await expect(page.locator("[data-message]")).to_contain_text("The king is mine")
        menu = page.locator(".settings .menu")
        if await menu.is_visible():
            await menu.click()
        await page.locator('[data-action="streaming"]').click()
        await expect(page.locator("[data-covered='true']")).to_be_visible()
        await expect(page.locator(f"{MOVE}, .own .card:not(.back), .offers, .log .entries")).to_have_count(0)
        assert "The king is mine" not in await page.content()
        await page.reload()
        await page.locator("[data-covered='true']").wait_for()
        await page.locator('[data-action="peek"]').click()
        await expect(page.locator(".own .card:not(.back)").first).to_be_visible()
        await expect(page.locator(MOVE).first).to_be_visible()
        await expect(page.locator(CHAT)).to_have_count(0)
        await page.locator('[data-action="peek"]').click()
        await expect(page.locator(".own .card:not(.back)")).to_have_count(0)
        await page.goto(f"{page.url}/replay?as=0")
        await page.locator("[data-covered='true']").wait_for()
        await expect(page.locator(f"{TOLD}, .own .card:not(.back), {CHAT}")).to_have_count(0)
        await page.locator('[data-action="peek"]').click()
        await expect(page.locator(".story")).to_have_count(1)
        await page.goto(f"{site}/new/{TITLE}")
        await page.locator('[data-action="create"]').click()
        await page.locator(".waiting").wait_for()
        await expect(page.locator(f"[data-invite], [data-action='link'], {CHAT}")).to_have_count(0)


async def note(page: Page, text: str, glyph: str) -> None:
    await page.locator("textarea[data-note]").fill(text)
    await page.locator("[data-glyph]").select_option(glyph)
    before = int(await page.locator("[data-notes]").get_attribute("data-notes") or 0)
    await page.locator('[data-action="keep-note"]').click()
    await expect(page.locator("[data-notes]")).to_have_attribute("data-notes", str(before + 1))


@SCREENS
async def test_notes_are_written_at_a_moment_and_read_there_by_who_has_their_link(
    site: str, browser: Browser, module_database_url: str, screen: Screen
) -> None:
    table = await planted_game(module_database_url, "lights-in-the-fog")
    async with visitor(browser, screen) as ada, visitor(browser, screen) as bea:
        await ada.add_init_script("localStorage.setItem('ludarium.name', 'Ada')")
        await ada.goto(f"{site}/t/{table}/replay?at=10")
        await ada.locator(".notes > summary").click()
        await note(ada, "<b>Too early</b>", "mistake")
        await ada.locator('[data-control="on"]').click()
        await expect(ada.locator("textarea[data-note]")).to_have_value("")
        await note(ada, "Now it is lost", "blunder")
        await ada.locator('[data-noted="10"]').click()
        await expect(ada.locator(REPLAY)).to_have_attribute("data-seq", "10")
        await expect(ada.locator("textarea[data-note]")).to_have_value("<b>Too early</b>")
        await ada.locator('[data-action="share-notes"]').check()
        await its_picture_shows_what_it_points_at(ada, bea)
        link = await ada.locator("[data-study]").get_attribute("href")
        assert link is not None
        fine = f"A fine game on a {screen.name}"
        await ada.locator("textarea[data-comment]").fill(fine)
        await ada.locator('[data-action="comment"]').click()
        await expect(ada.locator("[data-said]").last).to_have_text(re.compile(fine))
        await bea.goto(f"{link}&at=10")
        await expect(bea.locator("p[data-note='10']")).to_have_text("? <b>Too early</b>")
        assert await bea.locator("textarea[data-note]").count() == 0
        author = bea.locator("[data-said]", has_text=fine).locator(".person")
        await expect(author).to_have_text("Ada")
        await expect(author).to_have_attribute("href", f"/p/{await player(ada)}")
        await expect(bea.locator("[data-said]", has_text=fine).locator("time")).to_have_count(1)
        said = ada.locator("[data-said]", has_text=fine)
        await said.locator("button.quiet").click()
        await expect(said).to_have_count(0)
        root = "document.documentElement"
        assert await bea.evaluate(f"{root}.scrollWidth - {root}.clientWidth") == 0


async def player(page: Page) -> str:
    """Return the id of the page's player."""
    token = await page.evaluate("localStorage.getItem('ludarium.token')")
    answer = await page.request.get(f"{await page.evaluate('origin')}/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    return str((await answer.json())["id"])


async def its_picture_shows_what_it_points_at(page: Page, other: Page) -> None:
    study = await page.locator("[data-study]").get_attribute("data-study")
    menu = page.locator(".settings .menu")
    if folded := await menu.is_visible():
        await menu.click()
    await page.locator("[data-share] summary").click()
    shared = page.locator('[data-shared="picture"]')
    await expect(shared).to_have_value(re.compile(rf"picture\.png\?at=10&study={study}$"))
    picture = await other.goto(await shared.input_value())
    assert picture is not None and picture.status == 200 and picture.headers["content-type"] == "image/png"
    await page.locator("[data-share] summary").click()
    if folded:
        await menu.click()


@SCREENS
async def test_notes_stand_in_chapters_that_who_writes_them_begins_renames_and_deletes(
    site: str, browser: Browser, module_database_url: str, screen: Screen
) -> None:
    table = await planted_game(module_database_url, "lights-in-the-fog")
    async with visitor(browser, screen) as page:
        await page.goto(f"{site}/t/{table}/replay?at=10")
        await page.locator(".notes > summary").click()
        await note(page, "Early", "good")
        await page.goto(f"{site}/t/{table}/replay?at=20")
        await page.locator(".chaptering summary").click()
        await chaptered(page, "begin-chapter", "The turn")
        await note(page, "Late", "blunder")
        first, second = [page.locator(f'[data-notes-of="{nth}"]') for nth in (0, 1)]
        await expect(first).to_have_text(re.compile("Early"))
        await expect(second).to_have_text(re.compile("Late"))
        await page.locator('[data-choice="chapter"]').select_option("0")
        await expect(page.locator("[data-chapter]")).to_have_attribute("data-chapter", "0")
        await page.locator('[data-choice="chapter"]').select_option("1")
        await expect(page.locator(REPLAY)).to_have_attribute("data-seq", "20")
        await chaptered(page, "rename-chapter", "The <b>end</b>")
        await page.reload()
        await expect(page.locator('[data-choice="chapter"] option').last).to_have_text("20: The <b>end</b>")
        root = "document.documentElement"
        assert await page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") == 0
        await page.locator(".chaptering summary").click()
        await chaptered(page, "delete-chapter")
        await expect(first).to_have_text(re.compile("Early.*Late"))
        await expect(page.locator('[data-choice="chapter"]')).to_have_count(0)


async def chaptered(page: Page, act: str, title: str | None = None) -> None:
    if title is not None:
        await page.locator("[data-chapter-title]").fill(title)
    before = int(await page.locator("[data-notes]").get_attribute("data-notes") or 0)
    await page.locator(f'[data-action="{act}"]').click()
    await expect(page.locator("[data-notes]")).to_have_attribute("data-notes", str(before + 1))
