"""Files that browsers, crawlers and code generators fetch by their usual names."""

from functools import cache
from importlib.resources import files
from typing import Any

from litestar import MediaType, Request, Response, get

from ludarium.http.answers import kept
from ludarium.live import asyncapi
from ludarium.platform.metering import in_thread

ROBOTS = b"""User-agent: *
Disallow: /api/
Disallow: /embed/
Disallow: /t/
Disallow: /imports/
Disallow: /oauth/
Disallow: /device
Disallow: /account
Disallow: /admin
Disallow: /recover
Disallow: /reset
"""
"""Keeps crawlers away from tables and personal pages.

Tables are shared by link.
"""
A_DAY = {"cache-control": "public, max-age=86400"}
AnyRequest = Request[Any, Any, Any]


@get("/robots.txt", include_in_schema=False, opt={"unlimited": True})
async def robots(request: AnyRequest) -> Response[bytes]:
    return await kept(request, ROBOTS, MediaType.TEXT, A_DAY)


@get("/favicon.ico", include_in_schema=False, opt={"unlimited": True})
async def favicon(request: AnyRequest) -> Response[bytes]:
    return await kept(request, icon(), "image/vnd.microsoft.icon", A_DAY)


@get("/api/v1/asyncapi.json", include_in_schema=False)
async def socket_document(request: AnyRequest) -> Response[bytes]:
    return await kept(request, await in_thread(encoded_document), MediaType.JSON, {})


@cache
def icon() -> bytes:
    return (files("ludarium.api") / "favicon.ico").read_bytes()


encoded_document = cache(asyncapi.encoded)
