"""Serve the interactive documentation: Swagger UI from a package, without a CDN.

`reference/start.js` starts it. See docs/decisions/136.
"""

from functools import cache
from importlib.resources import files
from typing import Any, Literal

from litestar import Request, Response, get
from litestar.params import FromPath

from ludarium.http.answers import kept

Asset = Literal["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png", "start.js"]
MEDIA_TYPES: dict[Asset, str] = {
    "swagger-ui.css": "text/css", "swagger-ui-bundle.js": "text/javascript", "favicon-32x32.png": "image/png",
    "start.js": "text/javascript",
}  # fmt: skip
PAGE = b"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ludarium API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
GUARD = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy: own files only.

Swagger UI needs inline styles and `data:` images.
"""


@get("/docs", include_in_schema=False)
async def page(request: Request[Any, Any, Any]) -> Response[bytes]:
    headers = {"content-security-policy": GUARD, "referrer-policy": "same-origin"}
    return await kept(request, PAGE, "text/html", headers)


@get("/docs/{asset:str}", include_in_schema=False)
async def asset(request: Request[Any, Any, Any], asset: FromPath[Asset]) -> Response[bytes]:
    return await kept(request, read(asset), MEDIA_TYPES[asset], {"cache-control": "public, max-age=86400"})


@cache
def read(name: Asset) -> bytes:
    folder = files("ludarium.api") / "reference" if name == "start.js" else files("swagger_ui") / "static"
    return (folder / name).read_bytes()
