"""Serve a single bare route, the least that Litestar can do for a request.

`benchmarks/http.py` compares the cost of a command with this server.
"""
from __future__ import annotations

import sys

import uvicorn
from litestar import Litestar, asgi
from litestar.types import Receive, Scope, Send

ANSWER = b'{"ok":true}'


@asgi("/command")
async def command(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(ANSWER))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": ANSWER, "more_body": False})


if __name__ == "__main__":
    app = Litestar([command], openapi_config=None)
    uvicorn.run(app, port=int(sys.argv[1]), http="httptools", loop="uvloop", ws="none", access_log=False, log_level="error")
