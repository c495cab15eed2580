"""The look of titles: a colour and a drawn scene, from the title's folder."""

from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.openapi import ResponseSpec
from litestar.params import QueryParameter

from ludarium.http.answers import FOREVER, hash_of, kept
from ludarium.http.operations import operation
from ludarium.http.parameters import RulesetId
from ludarium.platform.problems import Problem
from ludarium.tables.model.rulesets import ruleset_at
from ludarium_engine.art import HEIGHT, WIDTH, art_of
from ludarium_engine.kernel import Title

SVG = "image/svg+xml"
POLICY = "default-src 'none'; sandbox"
"""A policy by which a scene opened as a page cannot run or load anything."""
UNCHANGED = {304: ResponseSpec(None, description="As the caller has it, by `If-None-Match`.")}
DRAWN = operation("no-such-ruleset", "not-found", headers=("Cache-Control", "Content-Security-Policy", "ETag"))
Digest = Annotated[
    str | None, QueryParameter(pattern="^[0-9a-f]{24}$", description="As `art` has it: then that may be kept for ever.")
]


class TitleArt(msgspec.Struct, frozen=True):
    """The look of a title: its colour and a drawn scene.

    - `href` is the address of the scene, an SVG image that can be cached permanently. `width` and `height` are its
      size.
    - `hue` is in degrees, as in CSS `oklch`. `strength` is the strength of the colour, from 0 to 1.
    """

    href: str
    width: int
    height: int
    hue: int
    strength: float


@get("/rulesets/{ruleset_id:str}/art", tags=["rulesets"], media_type=SVG, opt=DRAWN, responses=UNCHANGED)
async def get_ruleset_art(
    request: Request[Any, Any, Any], ruleset_id: RulesetId, digest: Digest = None
) -> Response[bytes]:
    """Get the drawn scene of a title, for lists and previews.

    The ruleset's `art` has its address and size. The SVG image contains only shapes, so it cannot run or load anything.
    """
    art = art_of(ruleset_at(ruleset_id).package)
    if art is None:
        raise Problem("not-found")
    headers = {"cache-control": FOREVER} if digest == hash_of(art.scene) else {}
    return await kept(request, art.scene, SVG, {**headers, "content-security-policy": POLICY})


@cache
def art_body(title: Title[Any, Any]) -> TitleArt | None:
    """Return the look of a title, with the address of its scene."""
    art = art_of(title.package)
    if art is None:
        return None
    href = f"/api/v1/rulesets/{title.id}/art?digest={hash_of(art.scene)}"
    return TitleArt(href, WIDTH, HEIGHT, art.look.hue, art.look.strength)
