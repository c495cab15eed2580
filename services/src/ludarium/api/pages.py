"""The operator's own pages: about, privacy and terms.

They are Markdown without HTML, in up to three languages.
"""

from pathlib import Path
from typing import Any, Literal, get_args

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import FromQuery
from markdown_it import MarkdownIt

from ludarium.http import html
from ludarium.http.answers import kept
from ludarium.http.negotiation import locale_of
from ludarium.platform.config import ConfigError
from ludarium.platform.locale import ENGLISH, LOCALES, lookup
from ludarium.platform.problems import Problem

Name = Literal["about", "privacy", "terms"]
NAMES: tuple[Name, ...] = get_args(Name)
LARGEST = 256 * 1024
"""The most bytes of a page."""
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


class Pages:
    """The operator's pages, read once: a change takes effect at the next start."""

    def __init__(self, folder: Path | None = None) -> None:
        """Read all pages.

        Args:
            folder: contains files such as `about.en.md`.

        Raises:
            ConfigError: the folder or a file cannot be read.
        """
        self._made = {} if folder is None else dict(made(folder))

    @property
    def names(self) -> list[Name]:
        """The names of the pages that exist in any language."""
        return [name for name in NAMES if any(name == each for each, _ in self._made)]

    def page(self, name: str, locale: str) -> bytes:
        """Return the page in this language, or else in English, or else in any language.

        Raises:
            Problem: `not-found`.
        """
        for each in (locale, ENGLISH, *LOCALES):
            if (name, each) in self._made:
                return self._made[name, each]
        raise Problem("not-found")


def made(folder: Path) -> list[tuple[tuple[str, str], bytes]]:
    if not folder.is_dir():
        raise ConfigError(f"LUDARIUM_PAGES: {folder} is no folder")
    files = {(name, locale): folder / f"{name}.{locale}.md" for name in NAMES for locale in LOCALES}
    return [((name, locale), framed(name, locale, read(file))) for (name, locale), file in files.items() if file.exists()]


def read(file: Path) -> str:
    """Read a page.

    Raises:
        ConfigError: the file cannot be read, is not UTF-8 or is too large.
    """
    try:
        content = file.read_bytes()
        text = content.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"LUDARIUM_PAGES: {file} cannot be read: {error}") from error
    if len(content) > LARGEST:
        raise ConfigError(f"LUDARIUM_PAGES: {file} has more than {LARGEST // 1024} KiB")
    return text


def framed(name: str, locale: str, text: str) -> bytes:
    heading = next((line.lstrip("# ") for line in text.splitlines() if line.startswith("# ")), name)
    return html.page(locale, heading, MARKDOWN.render(text))


@get([f"/{name}" for name in NAMES], include_in_schema=False)
async def page(
    request: Request[Any, Any, Any], pages: NamedDependency[Pages], lang: FromQuery[str | None] = None
) -> Response[bytes]:
    """Return a page; `lang` takes precedence over Accept-Language."""
    locale = locale_of(request.scope, lookup(lang or "", LOCALES))
    return await kept(request, pages.page(request.url.path.strip("/"), locale), "text/html", html.HEADERS)
