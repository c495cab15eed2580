"""`ludarium login`: a token for a terminal, by eight letters that its user types where they are signed in (RFC 8628)."""
from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Annotated, Any

import httpx
import typer

from ludarium.commands.play import SERVER, console
from ludarium.commands.running import fail

GRANT = "urn:ietf:params:oauth:grant-type:device_code"
SLOWER = 5
"""Seconds that `slow_down` adds to each pause."""
Json = dict[str, Any]


def register(app: typer.Typer) -> None:
    app.command()(login)


def login(
    client: Annotated[str, typer.Option(help="The app's client_id, as its owner has registered it.")],
    to: Annotated[Path, typer.Option(help="Where the tokens go, for nobody else to read.")] = Path("ludarium-token.json"),
    scope: Annotated[str, typer.Option(help="What it may do, between spaces.")] = "me:read tables play",
    server: Annotated[str, typer.Option(help="Where Ludarium is running.")] = SERVER,
) -> None:
    """Sign a terminal in: shows letters to be typed on the device page, and keeps the pair of tokens."""
    try:
        with httpx.Client(timeout=30) as http:
            where = http.get(f"{server}/.well-known/oauth-authorization-server").json()
            begun = asked(http, where["device_authorization_endpoint"], {"client_id": client, "scope": scope})
            console.print(f"Type [bold]{begun['user_code']}[/] at {begun['verification_uri']}")
            keep(to, approved(http, where["token_endpoint"], client, begun))
    except httpx.TransportError as error:
        fail(f"No server at {server} ({error}); start one with make serve.")
    console.print(f"Signed in; the tokens are in {to}.")


def asked(http: httpx.Client, url: str, form: dict[str, str]) -> Json:
    answer = http.post(url, data=form)
    found: Json = answer.json()
    if answer.is_error:
        fail(told(found))
    return found


def approved(http: httpx.Client, url: str, client: str, begun: Json) -> Json:
    """The pair, when somebody has typed the letters and said yes."""
    pause = begun["interval"]
    form = {"grant_type": GRANT, "client_id": client, "device_code": begun["device_code"]}
    while True:
        time.sleep(pause)
        answer = http.post(url, data=form)
        found: Json = answer.json()
        if answer.is_success:
            return found
        if found.get("error") == "slow_down":
            pause += SLOWER
        elif found.get("error") != "authorization_pending":
            fail(told(found))


def told(refusal: Json) -> str:
    """Of OAuth's errors or of a problem."""
    return str(refusal.get("error_description") or refusal.get("title"))


def keep(path: Path, pair: Json) -> None:
    """Readable for its owner alone from the start."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(pair, file)
