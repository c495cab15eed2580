"""The operator's pages: harmless Markdown, in the reader's language if possible."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from ludarium.api.pages import LARGEST, Pages
from ludarium.platform.config import Config, ConfigError
from ludarium.platform.problems import Problem
from ludarium.server import running
from tests.support.entropy import ENTROPY
from tests.support.waiting import LIMIT

HOSTILE = """# Of us & <you>

<script>alert(1)</script> <img src=x onerror=alert(1)> ![x](https://evil.example/x.png)

[bad](javascript:alert(1)) [good](https://ludarium.example/rules)

| what | how long |
|---|---|
| chat | 30 days |
"""


def written(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name.replace('_', '.')}.md").write_text(text)
    return folder


async def test_pages_are_shown_in_the_readers_language_and_linked(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    folder = written(tmp_path, about_en="# About", about_hu="# Rólunk", privacy_es="# Privacidad")
    config = Config(port=0, ws_port=0, pages=folder)
    async with running(config, database_url, redis_url, ENTROPY) as address, \
            httpx.AsyncClient(base_url=address.http, timeout=LIMIT) as http:
        assert (await http.get("/api/v1/")).json()["pages"] == ["about", "privacy"]
        for path, language, heading in (
            ("/about", "hu,en;q=0.5", "Rólunk"), ("/about", "es", "About"), ("/about?lang=hu", "en", "Rólunk"),
            ("/about?lang=xx", "hu", "Rólunk"), ("/privacy", "hu", "Privacidad"),
        ):  # fmt: skip
            page = await http.get(path, headers={"accept-language": language})
            assert f"<h1>{heading}</h1>" in page.text and page.headers["content-type"] == "text/html; charset=utf-8"
            assert "Accept-Language" in page.headers["vary"]
        assert (await http.get("/terms")).json()["code"] == "not-found"
        policy, style = page.headers["content-security-policy"], re.search("<style>(.*)</style>", page.text)
        assert style and b64encode(sha256(style[1].encode()).digest()).decode() in policy and "default-src 'none'" in policy


def test_what_is_written_in_a_page_is_words(tmp_path: Path) -> None:
    page = Pages(written(tmp_path, terms_en=HOSTILE)).page("terms", "hu").decode()
    assert "<title>Of us &amp; &lt;you&gt; - Ludarium</title>" in page and 'lang="en"' in page
    assert '<a href="https://ludarium.example/rules">' in page and "<td>30 days</td>" in page
    assert not re.search(r"<(script|img)|href=\"javascript", page)


def test_without_a_folder_there_are_none() -> None:
    assert Pages().names == []
    with pytest.raises(Problem, match="not-found"):
        Pages().page("about", "en")


@pytest.mark.parametrize("content", [b"\xff", b"x" * (LARGEST + 1), None])
def test_a_folder_that_cannot_be_read_stops_the_start(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "about.en.md").write_bytes(content)
    with pytest.raises(ConfigError, match="LUDARIUM_PAGES"):
        Pages(tmp_path if content else tmp_path / "nowhere")


@pytest.mark.parametrize(("language", "heading", "home"), [
    ("en", "Page not found", "Go to the home page"),
    ("es-MX", "Página no encontrada", "Ir a la página de inicio"),
    ("hu-HU", "Az oldal nem található", "Vissza a kezdőlapra"),
])  # fmt: skip
async def test_a_page_that_is_not_found_leads_home_in_the_readers_language(
    server: str, language: str, heading: str, home: str
) -> None:
    """It uses the colours of the web client, and its policy allows no other style."""
    async with httpx.AsyncClient(base_url=server, timeout=LIMIT) as client:
        answer = await client.get("/no-such-page", headers={"accept": "text/html", "accept-language": language})
    assert (answer.status_code, answer.headers["content-language"]) == (404, language[:2])
    assert f"<h1>{heading}</h1>" in answer.text and f'<a href="/">{home}</a>' in answer.text
    colours = (Path(__file__).parents[2] / "clients/web/src/style/base.css").read_text()
    used = re.findall(r"light-dark\((#[0-9a-f]{6}), ?(#[0-9a-f]{6})\)", answer.text)
    assert used and all(f"light-dark({light}, {dark})" in colours for light, dark in used)
    style = answer.text.partition("<style>")[2].partition("</style>")[0]
    assert b64encode(sha256(style.encode()).digest()).decode() in answer.headers["content-security-policy"]
