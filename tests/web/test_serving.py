"""Serving the built client, with its addresses, caching and security headers."""

import json
import re
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.async_api import Browser

from ludarium.http.answers import WORTH_IT
from ludarium.platform.config import Config
from ludarium.server import running
from tests.support.entropy import ENTROPY
from tests.web.browser import visitor

ROOT = re.compile('<script type="application/json" id="root">(.*)</script>')


@pytest.mark.parametrize(
    "path", [
        "/", "/new/anything", "/t/anything", "/account", "/recover", "/reset", "/oauth/authorize", "/device", "/games",
        "/settings", "/p/anybody", "/rules/anything", "/tournaments", "/tournaments/new", "/tournaments/any/desk",
    ],
)  # fmt: skip
async def test_every_address_of_the_client_is_its_page(site: str, path: str) -> None:
    async with httpx.AsyncClient(base_url=site) as client:
        answer = await client.get(path)
        again = await client.get(path, headers={"if-none-match": answer.headers["etag"]})
        root = (await client.get("/api/v1")).json()
    assert answer.status_code == 200 and answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache" and again.status_code == 304 and not again.content
    begin, given, rest = ROOT.split(answer.text)
    assert json.loads(given) == root and "://" not in begin + rest
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


async def test_the_page_may_talk_to_this_server_and_its_gateway_only(site: str) -> None:
    async with httpx.AsyncClient(base_url=site) as client:
        ws_url = (await client.get("/api/v1")).json()["ws_url"]
        policy = (await client.get("/")).headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert f"connect-src 'self' {ws_url.rstrip('/')};" in policy


async def test_scripts_and_styles_may_be_kept_for_ever(site: str) -> None:
    async with httpx.AsyncClient(base_url=site) as client:
        assets = re.findall(r'"(/assets/first-[^"]+)"', (await client.get("/")).text)
        assert {name.rpartition(".")[2] for name in assets} == {"js", "css"}
        for name in assets:
            answer = await client.get(name)
            assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]


BEGINNINGS = ["/", "/t/anything", "/t/anything/replay", "/new/anything", "/tournaments", "/embed/t/anything"]


@pytest.mark.parametrize("path", BEGINNINGS)
async def test_a_page_names_what_it_begins_with_and_that_is_there_in_brotli(site: str, path: str) -> None:
    async with httpx.AsyncClient(base_url=site) as client:
        told = (await client.get(path)).text
        files = re.findall(r'<link rel="(?:modulepreload|stylesheet)" href="(/assets/[^"]+)">', told)
        assert len(files) >= 3 and len(files) == len({*files})
        for name in files:
            answer = await client.get(name, headers={"accept-encoding": "br"})
            assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]
            assert answer.headers.get("content-encoding") == ("br" if len(answer.content) >= WORTH_IT else None)
        assert ('class="bar"' in told) == (not path.startswith("/embed"))
        assert (await client.get(f"{files[0]}.br")).status_code == 404


LOCALES = ("en", "es", "hu")


@pytest.mark.parametrize("locale", LOCALES)
async def test_a_page_names_the_words_of_the_language_that_is_asked_for(site: str, locale: str) -> None:
    async with httpx.AsyncClient(base_url=site) as client:
        answers = [
            await client.get("/", headers={"accept-language": f"{locale}-XX, en;q=0.1"}),
            await client.get("/", params={"locale": locale}),
        ]
    for answer in answers:
        named = re.findall(rf"/assets/({'|'.join(LOCALES)})-", answer.text)
        assert named == [locale, locale] and "Accept-Language" in answer.headers["vary"]


@pytest.mark.parametrize("path", ["/", "/games", "/settings", "/tournaments", "/account", "/rules/game-of-kingdoms"])
async def test_the_words_that_a_page_names_are_those_that_it_speaks(site: str, browser: Browser, path: str) -> None:
    async with httpx.AsyncClient(base_url=site) as client:
        named = re.findall(r"/assets/hu-[^\"]+", (await client.get(path, headers={"accept-language": "hu"})).text)
    asked: list[str] = []
    async with visitor(browser, locale="hu") as page:
        page.on("request", lambda request: asked.append(urlsplit(request.url).path))
        await page.goto(f"{site}{path}")
        await page.locator("main *").first.wait_for()
        await page.wait_for_load_state("networkidle")
    assert sorted(path for path in asked if "/assets/hu-" in path) == sorted(named) != []


NOWHERE = [
    ("/nothing", "no-such-path"), ("/assets/nothing.js", "not-found"), ("/assets/..%2Findex.html", "no-such-path"),
    ("/assets/%2e%2e%2f%2e%2e%2fweb.py", "no-such-path"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "code"), NOWHERE)
async def test_there_is_nothing_else(site: str, path: str, code: str) -> None:
    async with httpx.AsyncClient(base_url=site) as client:
        answer = await client.get(path)
    assert answer.status_code == 404 and answer.json()["code"] == code


async def test_the_shell_may_be_kept_and_is_let_go_of_where_the_operator_says_so(
    site: str, module_database_url: str, module_redis_url: str
) -> None:
    retired = Config(port=0, ws_port=0, rate_limits=False, shell=False)
    async with httpx.AsyncClient() as client:
        worker, manifest = await client.get(f"{site}/sw.js"), await client.get(f"{site}/manifest.webmanifest")
        async with running(retired, module_database_url, module_redis_url, ENTROPY) as where:
            gone = await client.get(f"{where.http}/sw.js")
    assert worker.headers["cache-control"] == gone.headers["cache-control"] == "no-cache"
    assert "javascript" in worker.headers["content-type"] and manifest.headers["content-type"] == "application/manifest+json"
    assert '"/"' in worker.text and "/api/" not in worker.text and "unregister" not in worker.text
    assert "unregister" in gone.text and "addAll" not in gone.text


@pytest.mark.parametrize("page", ["/t/{}", "/t/{}/replay"])
async def test_the_page_of_a_table_names_its_picture_for_who_shows_what_links_lead_to(site: str, page: str) -> None:
    table = "0" * 26
    async with httpx.AsyncClient(base_url=site) as client:
        told = (await client.get(page.format(table) + "?at=4&as=0")).text
        origin = f"http://localhost:{site.rpartition(':')[2]}"
        assert f'<meta property="og:image" content="{origin}/api/v1/tables/{table}/picture.png?at=4">' in told
        now = (await client.get(page.format(table))).text
        assert f'/tables/{table}/picture.png">' in now
        for strange in (page.format(table) + "?at=%22%3E%3Cscript%3Ealert", page.format("%22%3E%3Cscript%3Ealert")):
            assert "<script>alert" not in (await client.get(strange)).text


@pytest.mark.parametrize("path", ["/embed/t/anything", "/embed/t/anything/replay"])
async def test_what_may_stand_in_others_pages_are_these_routes_alone(site: str, path: str) -> None:
    async with httpx.AsyncClient(base_url=site) as client:
        policy = (await client.get(path)).headers["content-security-policy"]
        own = (await client.get(path.removeprefix("/embed"))).headers["content-security-policy"]
    assert "frame-ancestors *" in policy and "frame-ancestors 'none'" in own
    assert policy.replace("frame-ancestors *", "") == own.replace("frame-ancestors 'none'", "")
