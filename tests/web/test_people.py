"""Accounts in the web client, with passkeys, apps, devices and taking over seats."""

import asyncio
import re
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from playwright.async_api import Browser, Page, expect

from ludarium.accounts.secrets import digest
from ludarium.platform.config import Config
from ludarium.platform.database import Database, database
from ludarium.platform.origins import Origins
from ludarium.server import running
from tests.support import ports
from tests.support.entropy import ENTROPY, suffix
from tests.support.people import Json, Person
from tests.support.sessions import session_of
from tests.web.api import api
from tests.web.browser import DESK, PHONE, Device, visitor
from tests.web.elsewhere import elsewhere
from tests.web.player import READY, TABLE, open_table, play
from tests.web.test_access import findings

TITLE, PASSWORD = "game-of-kingdoms", "seven green bottles"
CODE = re.compile(r"[0-9a-z-]{23}")


@pytest.fixture(scope="module")
async def home(module_database_url: str, module_redis_url: str) -> AsyncIterator[str]:
    """Run a server at its public address, where passkeys work, and yield its origin."""
    port = ports.reserve()
    origin = f"http://localhost:{port}"
    config = Config(port=port, ws_port=0, rate_limits=False, origin=Origins(origin))
    async with running(config, module_database_url, module_redis_url, ENTROPY):
        yield origin


@pytest.fixture
async def http(home: str) -> AsyncIterator[httpx.AsyncClient]:
    async with api(home) as client:
        yield client


def a_login() -> str:
    return f"ada.{suffix().translate(str.maketrans('01', 'ab'))}"


async def fill(page: Page, form: str, *texts: str) -> None:
    """Fill in the fields of a form in order, and submit it."""
    fields = page.locator(f'[data-form="{form}"] input:visible')
    for nth, text in enumerate(texts):
        await fields.nth(nth).fill(text)
    await page.locator(f'[data-form="{form}"] button[type=submit]').click()


async def sign_up(page: Page, home: str) -> str:
    login = a_login()
    await page.goto(f"{home}/account")
    await fill(page, "sign-up", "Ada", login, PASSWORD)
    await page.locator('[data-part="devices"]').wait_for()
    return login


async def test_a_guest_becomes_an_account_in_mid_game_and_goes_on_on_a_second_device(home: str, browser: Browser) -> None:
    async with visitor(browser) as desk, visitor(browser, PHONE) as phone:
        await open_table(desk, home, TITLE)
        await play(desk, Random(1), moves=4)
        await desk.locator('a[href="/account"]').click()
        login = a_login()
        await fill(desk, "sign-up", "Ada", login, PASSWORD)
        await expect(desk.locator('[data-part="code"] [data-secret]')).to_have_text(CODE)
        await desk.locator('[data-action="back"]').click()
        await play(desk, Random(2), moves=2)
        await phone.goto(f"{home}/account")
        await fill(phone, "sign-in", login.upper(), PASSWORD)
        await phone.locator('[data-part="devices"]').wait_for()
        await phone.goto(desk.url)
        await play(phone, Random(3), moves=2)
        await expect(phone.locator(".seat.own")).to_be_visible()


async def test_a_passkey_is_added_signs_in_and_is_none_at_another_address(home: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await Device.on(page)
        login = await sign_up(page, home)
        await fill(page, "passkey", "This browser")
        await expect(page.locator('[data-part="passkeys"] [data-entry]')).to_have_attribute("data-entry", "This browser")
        await page.locator('[data-deed="sign-out"]').click()
        await page.locator("[data-title]").first.wait_for()
        await page.goto(f"{home}/account")
        await page.locator('[data-part="sign-in"] [data-deed="passkey"]').click()
        await expect(page.locator('[data-part="profile"] h2')).to_have_text(login)
        await page.goto(f"{home.replace('localhost', '127.0.0.1')}/account")
        await expect(page.locator('[data-why="elsewhere"]').first).to_contain_text(home)
        await expect(page.locator('[data-deed="passkey"]')).to_have_count(0)


async def test_a_page_of_another_origin_gets_a_token_plays_and_is_cut_off_when_it_is_revoked(
    home: str, browser: Browser, http: httpx.AsyncClient
) -> None:
    """The page is the example of docs/frontend.md, so its code is tested too."""
    owner = await Person.arrive(http, "Olga")
    async with elsewhere() as site, visitor(browser) as page, visitor(browser, PHONE) as own:
        app = (await owner.post("/me/apps", {"name": "Radar", "redirects": [f"{site}/"]}))["id"]
        login = await sign_up(page, home)
        await page.goto(f"{site}/?{urlencode({'api': home, 'client_id': app})}")
        await page.locator("#connect").click()
        await page.locator('[data-part="asking"]').wait_for()
        assert await page.locator("[data-owner]").inner_text() == "Olga (a guest)"
        assert await page.locator("[data-host]").inner_text() == "127.0.0.1"
        assert [await each.get_attribute("data-scope") for each in await page.locator(".scopes li").all()] == [
            "me:read", "tables", "play"
        ]  # fmt: skip
        await page.locator('[data-deed="approve"]').click()
        await page.wait_for_url(f"{site}/**")
        await expect(page.locator("#said")).to_have_text("moved")
        assert "code=" not in page.url
        await own.goto(f"{home}/account")
        await fill(own, "sign-in", login, PASSWORD)
        await own.locator('[data-part="approvals"] [data-deed="end"]').click()
        await expect(page.locator("#said")).to_have_text("closed 1008")
        await expect(own.locator('[data-part="approvals"] [data-entry]')).to_have_count(0)


async def test_who_refuses_an_app_or_comes_with_half_a_question_gives_nothing(
    home: str, browser: Browser, http: httpx.AsyncClient
) -> None:
    owner = await Person.arrive(http, "Olga")
    app = (await owner.post("/me/apps", {"name": "Radar", "redirects": ["http://127.0.0.1/back"]}))["id"]
    challenge = urlsafe_b64encode(sha256(b"x" * 43).digest()).decode().rstrip("=")
    asked = {
        "client_id": app, "redirect_uri": "http://127.0.0.1:9/back", "response_type": "code", "scope": "play",
        "code_challenge": challenge, "code_challenge_method": "S256", "state": "s t",
    }  # fmt: skip
    async with visitor(browser, PHONE, locale="hu", bypass_csp=True) as page:
        await page.route("http://127.0.0.1:9/**", lambda route: route.fulfill(body="back"))
        await page.goto(f"{home}/oauth/authorize?{urlencode(asked)}&scope=admin")
        await page.locator('[data-part="authorize"] [role=alert]').wait_for()
        await page.goto(f"{home}/oauth/authorize?{urlencode(asked | {'redirect_uri': 'https://evil.example/'})}")
        await page.locator("[role=alert]").wait_for()
        await page.goto(f"{home}/oauth/authorize?{urlencode(asked)}")
        await fill(page, "sign-up", "Ada", a_login(), PASSWORD)
        await page.locator('[data-part="asking"]').wait_for()
        assert await findings(page) == []
        await page.locator('[data-deed="deny"]').click()
        await page.wait_for_url("http://127.0.0.1:9/**")
        answer = parse_qs(urlsplit(page.url).query)
        assert (answer["error"], answer["state"], answer["iss"]) == (["access_denied"], ["s t"], [home])


async def test_a_terminal_signs_in_by_eight_letters_that_somebody_types(
    home: str, browser: Browser, tmp_path: Path, http: httpx.AsyncClient
) -> None:
    """`ludarium login` is the client, so its token file and output are checked too."""
    app = (await (await Person.arrive(http, "Olga")).post("/me/apps", {"name": "Terminal", "redirects": []}))["id"]
    kept = tmp_path / "token.json"
    command = [".venv/bin/ludarium", "login", "--client", app, "--server", home, "--to", str(kept)]
    terminal = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert terminal.stdout is not None
    async with visitor(browser, DESK, locale="es", bypass_csp=True) as page:
        await sign_up(page, home)
        while (shown := re.search(r"[A-Z]{4}-[A-Z]{4}", (line := await terminal.stdout.readline()).decode())) is None:
            assert line, "ludarium login has ended"
        await page.goto(f"{home}/device")
        await fill(page, "device", shown[0].lower())
        await page.locator('[data-part="asking"]').wait_for()
        assert await findings(page) == []
        await page.locator('[data-deed="approve"]').click()
        await page.locator('[data-ended="device.approved"]').wait_for()
    said, _ = await terminal.communicate()
    pair: Json = httpx.Response(200, content=kept.read_bytes()).json()
    assert terminal.returncode == 0 and pair["access_token"] not in said.decode() and kept.stat().st_mode & 0o077 == 0
    answer = await http.get("/me", headers={"authorization": f"Bearer {pair['access_token']}"})
    assert answer.json()["scopes"] == ["me:read", "play", "tables"]


async def test_a_guests_seat_is_taken_over_by_who_signs_in_on_its_device(home: str, browser: Browser) -> None:
    async with visitor(browser) as other, visitor(browser, bypass_csp=True) as page:
        login = await sign_up(other, home)
        await open_table(page, home, TITLE)
        await page.locator(READY).wait_for()
        table = page.url
        await page.locator('a[href="/account"]').click()
        await fill(page, "sign-in", login, PASSWORD)
        await page.locator('[data-part="handover"] [data-deed="end"]').click()
        await expect(page.locator('[data-part="handover"] [data-entry]')).to_have_count(0)
        assert await findings(page) == []
        await page.goto(table)
        await page.locator(f"{TABLE} .seat.own").wait_for()
        await play(page, Random(5), moves=2)


async def old_session(base: Database) -> str:
    """Return a session of the latest account that began eleven minutes ago.

    The session is created in the database, so no process has cached its token.
    """
    row = await base.row("select player_id from accounts.logins order by created_at desc limit 1")
    assert row is not None
    token = await session_of(base, row["player_id"])
    await base.rows("update accounts.tokens set created_at = now() - interval '11 minutes' where hash = $1", digest(token))
    return token


async def test_an_old_sign_in_is_asked_for_once_more_and_then_goes_on(
    home: str, browser: Browser, module_database_url: str
) -> None:
    async with visitor(browser, PHONE, bypass_csp=True) as page, database(module_database_url) as base:
        await sign_up(page, home)
        await page.evaluate("secret => localStorage.setItem('ludarium.token', secret)", await old_session(base))
        await page.reload()
        await page.locator('[data-part="tokens"] summary').click()
        await page.locator('[data-scope="play"]').check()
        await fill(page, "token", "My bot")
        await page.locator("dialog.again[open]").wait_for()
        assert await findings(page) == []
        await page.locator('dialog input[type="password"]').fill(PASSWORD)
        await page.locator('dialog button[type="submit"]').click()
        await expect(page.locator('[data-part="tokens"] [data-secret]')).to_have_text(re.compile("^ludp_"))
        await page.locator('[data-part="tokens"] [data-entry="My bot"] [data-deed="end"]').click()
        await expect(page.locator('[data-part="tokens"] [data-entry]')).to_have_count(0)


async def test_an_app_of_ones_own_is_registered_shown_and_deleted(home: str, browser: Browser) -> None:
    async with visitor(browser, PHONE, bypass_csp=True) as page:
        await sign_up(page, home)
        await page.locator('[data-part="apps"] summary').click()
        await fill(page, "app", "Radar", "https://radar.example/#elsewhere")
        await expect(page.locator('[data-form="app"] [role="alert"]')).to_be_visible()
        await fill(page, "app", "Radar", "https://radar.example/back com.example.radar:/back")
        entry = page.locator('[data-part="apps"] [data-entry="Radar"]')
        await expect(entry).to_contain_text("https://radar.example/back · com.example.radar:/back")
        assert await findings(page) == []
        await entry.locator('[data-deed="end"]').click()
        await expect(entry).to_have_count(0)
