"""The entry point of the API: the version and the addresses of its parts."""

from typing import Any

import msgspec
from litestar import Request, get
from litestar.di import NamedDependency

from ludarium.accounts.mail import Mail
from ludarium.api.features import features
from ludarium.api.pages import Name, Pages
from ludarium.api.rulesets import digest_of
from ludarium.api.state import Settings
from ludarium.platform.signing_keys import Signer
from ludarium_engine.registry import titles


class Root(msgspec.Struct, frozen=True):
    """The version of this server, its features, and the addresses of its parts.

    - `origin` is the origin of the pages on which passkeys work.
    - `ws_url` is the URL of the WebSocket for live tables.
    - `features` names what this server offers, so that clients know what to show. More features may be added.
    - `pages` names the operator's pages: `about`, `privacy` and `terms`. Read them at `/about` and so on; `?lang=`
      selects the language.
    - `rulesets` has the digest of each ruleset. A response of `GET /rulesets/{id}` that is requested with its digest
      can be cached permanently.
    """

    version: str
    origin: str
    ws_url: str
    docs: str
    openapi: str
    asyncapi: str
    features: list[str]
    pages: list[Name]
    rulesets: dict[str, str]


@get("/", tags=["operations"], opt={"unlimited": True})
async def get_root(
    request: Request[Any, Any, Any], settings: NamedDependency[Settings], pages: NamedDependency[Pages],
    mail: NamedDependency[Mail], signer: NamedDependency[Signer],
) -> Root:  # fmt: skip
    """Get the version of this server and the addresses of its parts.

    Start here: the address of the WebSocket differs from server to server.
    """
    return root_of(request, settings, pages, features(mail, signer))


def root_of(request: Request[Any, Any, Any], settings: Settings, pages: Pages, offered: list[str]) -> Root:
    """Return the response of `GET /api/v1`.

    Args:
        offered: the features of this server.
    """
    ws_url = ws_url_of(request, settings)
    digests = {title.id: digest_of(title) for title in titles().values()}
    return Root(
        version=settings.version, origin=settings.origin, ws_url=ws_url, docs="/docs", openapi="/api/v1/openapi.json",
        asyncapi="/api/v1/asyncapi.json", features=offered, pages=pages.names, rulesets=digests,
    )  # fmt: skip


def ws_url_of(request: Request[Any, Any, Any], settings: Settings) -> str:
    """Return the URL of the WebSocket gateway.

    By default it is on the requested host, with TLS if this request uses TLS.
    """
    header = request.headers.get("host", "")
    settings.hosts.check(header)
    scheme = "wss" if request.scope["scheme"] == "https" else "ws"
    return settings.ws_url or f"{scheme}://{settings.hosts.asked(header)}:{settings.ws_port}/"
