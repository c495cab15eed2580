"""The interactive documentation: Swagger UI from an installed package, the document from this process; no CDN."""

from functools import cache
from importlib.resources import files
from typing import Literal

from litestar import MediaType, Response, get
from litestar.params import FromPath

ASSETS = {"swagger-ui.css": "text/css", "swagger-ui-bundle.js": "text/javascript", "favicon-32x32.png": "image/png"}
Asset = Literal["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"]
PAGE = """<!doctype html>
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
<script>
SwaggerUIBundle({url: "/api/v1/openapi.json", dom_id: "#api", deepLinking: true, persistAuthorization: true})
</script>
</body>
</html>
"""


@get("/docs", media_type=MediaType.HTML, include_in_schema=False)
async def page() -> str:
    return PAGE


@get("/docs/{asset:str}", include_in_schema=False)
async def asset(asset: FromPath[Asset]) -> Response[bytes]:
    headers = {"cache-control": "public, max-age=86400"}
    return Response(read(asset), media_type=ASSETS[asset], headers=headers)


@cache
def read(name: str) -> bytes:
    return (files("swagger_ui") / "static" / name).read_bytes()
