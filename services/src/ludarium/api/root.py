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
    """Where to go from here. `origin`: of the pages on which passkeys work. `ws_url`: the WebSocket for live tables.

    `pages`: what the operator has written of the house, at `/about`, `/privacy`, `/terms`; `?lang=` in which language.
    `features`: names of what this server offers, by which clients choose what to show; more may come.
    `rulesets`: of each the digest of what `GET /rulesets/{id}` tells of it; asked for with it, that may be kept for ever.
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
    """What this server is, and where its WebSocket and its documentation are.

    Ask here first: only the server knows where its WebSocket is.
    """
    return root_of(request, settings, pages, features(mail, signer))


def root_of(request: Request[Any, Any, Any], settings: Settings, pages: Pages, offered: list[str]) -> Root:
    """Return the answer of `GET /api/v1`.

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
    """Return the URL of the gateway.

    It is the configured one, or on the requested host, with TLS if this request has it.
    """
    header = request.headers.get("host", "")
    settings.hosts.check(header)
    scheme = "wss" if request.scope["scheme"] == "https" else "ws"
    return settings.ws_url or f"{scheme}://{settings.hosts.asked(header)}:{settings.ws_port}/"
