"""The web client, as built by `make web` into `web/`.

It is one page, which finds out from its address what to show.
"""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from mimetypes import guess_type
from typing import Any, NamedTuple

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from ludarium.accounts.mail import Mail
from ludarium.api.features import features
from ludarium.api.pages import Pages
from ludarium.api.root import Root, root_of
from ludarium.api.state import Settings
from ludarium.http.answers import FOREVER, kept
from ludarium.http.negotiation import locale_of
from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.platform.signing_keys import Signer
from ludarium_engine.kernel.decoding import json_decoder

BUILT = files("ludarium") / "web"
PAGES = [
    "/", "/new/{ruleset_id:str}", "/t/{table_id:str}", "/t/{table_id:str}/replay", "/imports/{import_id:str}/replay",
    "/account", "/recover", "/reset", "/oauth/authorize", "/device", "/admin", "/games", "/settings",
    "/p/{player_id:str}", "/rules/{ruleset_id:str}", "/tournaments", "/tournaments/{tournament_id:str}",
    "/tournaments/{tournament_id:str}/desk",
]  # fmt: skip
EMBEDDED = ["/embed/t/{table_id:str}", "/embed/t/{table_id:str}/replay"]
"""Pages that other sites can embed. They read no token and offer no controls."""
NOBODY, ANYBODY = "'none'", "*"
BAR = re.compile(rb'<header class="bar">.*</header>')
"""The header shown until the scripts have loaded; embedded pages have none."""
INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
SOON = "public, max-age=3600"
MANIFEST, WORKER, PARTS, SCRIPT = "manifest.webmanifest", "sw.js", "parts.json", "text/javascript"
ROOT = '<script type="application/json" id="root">{}</script>\n'
"""Contains the answer of `GET /api/v1`.

It is a data block and no script, so the content security policy does not block it.
"""
STYLE, MODULE = '<link rel="stylesheet" href="/{}">\n', '<link rel="modulepreload" href="/{}">\n'
RETIRED = b"""addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await registration.unregister();
})()));
"""
"""A service worker that replaces the real one, clears its caches and unregisters."""
PREVIEW = """<meta property="og:site_name" content="Ludarium">
<meta property="og:type" content="website">
<meta property="og:image" content="{}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
"""


class File(NamedTuple):
    """A file of the client.

    Attributes:
        packing: the content in brotli, compressed at build time; None if there is none.
    """

    content: bytes
    media_type: str
    packing: bytes | None


@get(PAGES, include_in_schema=False, opt={"unlimited": True})
async def page(
    request: Request[Any, Any, Any], settings: NamedDependency[Settings], pages: NamedDependency[Pages],
    mail: NamedDependency[Mail], signer: NamedDependency[Signer],
) -> Response[bytes]:  # fmt: skip
    """Return the client's page, which chooses from its address what to show."""
    return await shown(request, settings, root_of(request, settings, pages, features(mail, signer)), NOBODY)


@get(EMBEDDED, include_in_schema=False, opt={"unlimited": True})
async def embedded(
    request: Request[Any, Any, Any], settings: NamedDependency[Settings], pages: NamedDependency[Pages],
    mail: NamedDependency[Mail], signer: NamedDependency[Signer],
) -> Response[bytes]:  # fmt: skip
    """Return a table or a replay that any site can embed."""
    return await shown(request, settings, root_of(request, settings, pages, features(mail, signer)), ANYBODY)


async def shown(request: Request[Any, Any, Any], settings: Settings, root: Root, framed_by: str) -> Response[bytes]:
    """Return the page, completed for this request.

    Raises:
        Problem: `not-found` if the client has not been built.
    """
    file = built().get("index.html")
    if file is None:
        raise Problem("not-found")
    headers = {"cache-control": "no-cache", **guarded(root.ws_url, framed_by, inline(file.content))}
    locale = locale_of(request.scope, request.query_params.get("locale"))
    styles, modules = links(request.scope["path_template"], locale)
    head = modules + preview(request, settings.origin) + brought(request, settings, root)
    content = file.content.replace(b"</head>", head.encode() + b"</head>").replace(b"</body>", styles.encode() + b"</body>")
    if framed_by == ANYBODY:
        content = BAR.sub(b"", content)
    return await kept(request, content, file.media_type, headers)


def brought(request: Request[Any, Any, Any], settings: Settings, root: Root) -> str:
    """Return the element that contains `root`.

    It is empty if `root` would contain a foreign host from the request; then the client fetches `GET /api/v1` itself.
    """
    if settings.ws_url is None and not settings.hosts.knows(request.headers.get("host", "")):
        return ""
    return ROOT.format(in_script(msgspec.json.encode(root).decode()))


def in_script(json: str) -> str:
    """Escape JSON so that no text in it ends the element."""
    return json.replace("<", "\\u003c")


class Beginning(msgspec.Struct, frozen=True):
    """The files that a page loads first.

    Attributes:
        words: files of translations, by locale.
    """

    files: list[str]
    words: dict[str, list[str]]


NOTHING = Beginning([], {})


def links(path: str, locale: str) -> tuple[str, str]:
    """Return the style and module preload links of a page.

    The browser fetches the modules in parallel with the first script. Styles go at the end of the body, so that they do not
    block the first paint. Translations are those of the requested language; a player who chose another one in the client
    loads them in vain.

    Args:
        path: the template of the page's path.
    """
    begun = beginnings().get(path, NOTHING)
    files = [*begun.files, *begun.words.get(locale, [])]
    styles = [STYLE.format(name) for name in files if name.endswith(".css")]
    return "".join(styles), "".join(MODULE.format(name) for name in files if name.endswith(".js"))


_beginnings = json_decoder(dict[str, Beginning])


@cache
def beginnings() -> dict[str, Beginning]:
    """Return the first files of each page, by path template."""
    file = built().get(PARTS)
    return _beginnings(file.content) if file else {}


def preview(request: Request[Any, Any, Any], origin: str) -> str:
    """Return metadata for link previews: the picture of a table.

    The picture exists if spectators can see the table.
    """
    table, at = request.path_params.get("table_id", ""), request.query_params.get("at", "")
    if not ids.is_id(table):
        return ""
    moment = f"?at={at}" if at.isascii() and at.isdigit() and len(at) < 10 else ""
    return PREVIEW.format(f"{origin}/api/v1/tables/{table}/picture.png{moment}")


@get("/assets/{name:str}", include_in_schema=False, opt={"unlimited": True})
async def asset(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """Return a script, a style sheet or a picture of the client."""
    hashed = "-" in name
    return await answered(request, f"assets/{name}", {"cache-control": FOREVER if hashed else SOON})


@get("/manifest.webmanifest", include_in_schema=False, opt={"unlimited": True})
async def manifest(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the manifest with which a device installs the client."""
    return await answered(request, MANIFEST, {"cache-control": SOON})


@get("/sw.js", include_in_schema=False, opt={"unlimited": True})
async def worker(request: Request[Any, Any, Any], settings: NamedDependency[Settings]) -> Response[bytes]:
    """Return the service worker that caches the client's shell.

    If the operator has turned that off, return one that removes the shell.
    """
    headers = {"cache-control": "no-cache"}
    if not settings.shell:
        return await kept(request, RETIRED, SCRIPT, headers)
    return await answered(request, WORKER, headers)


async def answered(request: Request[Any, Any, Any], path: str, headers: dict[str, str]) -> Response[bytes]:
    """Return a file of the client.

    Raises:
        Problem: `not-found`.
    """
    file = built().get(path)
    if file is None:
        raise Problem("not-found")
    return await kept(request, file.content, file.media_type, headers, file.packing)


@cache
def built() -> dict[str, File]:
    """Return all files of the client by path; none if it has not been built.

    They are read once, so a requested path never reaches the file system.
    """
    if not BUILT.is_dir():
        return {}
    found = {name: BUILT / name for name in ("index.html", MANIFEST, WORKER, PARTS)}
    found |= {f"assets/{file.name}": file for file in (BUILT / "assets").iterdir()}
    contents = {path: file.read_bytes() for path, file in found.items()}
    return {path: read(path, content, contents.get(f"{path}.br")) for path, content in contents.items() if path[-3:] != ".br"}


def read(path: str, content: bytes, packing: bytes | None) -> File:
    if path == MANIFEST:                        # its type is missing from the tables of many systems
        return File(content, "application/manifest+json", packing)
    if path.endswith(".woff2"):                 # likewise
        return File(content, "font/woff2", packing)
    return File(content, guess_type(path)[0] or "application/octet-stream", packing)


@cache
def inline(page: bytes) -> str:
    """Return the sources of inline scripts for the policy: their hashes.

    These scripts report why the client does not start.
    """
    hashes = [b64encode(sha256(script).digest()).decode() for script in INLINE.findall(page)]
    return "".join(f" 'sha256-{each}'" for each in hashes)


def guarded(ws_url: str, framed_by: str, scripts: str) -> dict[str, str]:
    """Return headers that restrict what the page can load and reveal.

    It loads own files only, and connects to this server and its gateway only. It sends no referrer, because the address of the
    consent page contains what an app asks for.

    Args:
        framed_by: the sources that can embed the page.
        scripts: sources of scripts besides own files.
    """
    origin = ws_url.rstrip("/")
    policy = (
        f"default-src 'none'; script-src 'self'{scripts}; style-src 'self'; font-src 'self'; img-src 'self'; "
        f"connect-src 'self' {origin}; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {framed_by}"
    )
    return {"content-security-policy": policy, "referrer-policy": "no-referrer"}
