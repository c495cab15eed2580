"""`ludarium login`: get a token for a terminal.

The user enters a code in a browser (RFC 8628).
"""
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

GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code"
SLOW_DOWN = 5
"""Seconds that `slow_down` adds to each pause."""
Json = dict[str, Any]


def register(app: typer.Typer) -> None:
    app.command()(login)


def login(
    client: Annotated[str, typer.Option(help="The client_id of the registered app.")],
    to: Annotated[Path, typer.Option(help="File to write the tokens to, readable only by you.")] = Path("ludarium-token.json"),
    scope: Annotated[str, typer.Option(help="Scopes, separated by spaces.")] = "me:read tables play",
    server: Annotated[str, typer.Option(help="Address of the running server.")] = SERVER,
) -> None:
    """Sign in from a terminal.

    Shows a code to enter on the device page, and stores the tokens.
    """
    try:
        with httpx.Client(timeout=30) as http:
            where = http.get(f"{server}/.well-known/oauth-authorization-server").json()
            begun = post_form(http, where["device_authorization_endpoint"], {"client_id": client, "scope": scope})
            console.print(f"Type [bold]{begun['user_code']}[/] at {begun['verification_uri']}")
            save_tokens(to, wait_for_tokens(http, where["token_endpoint"], client, begun))
    except httpx.TransportError as error:
        fail(f"No server at {server} ({error}); start one with make serve.")
    console.print(f"Signed in; the tokens are in {to}.")


def post_form(http: httpx.Client, url: str, form: dict[str, str]) -> Json:
    answer = http.post(url, data=form)
    found: Json = answer.json()
    if answer.is_error:
        fail(error_text(found))
    return found


def wait_for_tokens(http: httpx.Client, url: str, client: str, begun: Json) -> Json:
    """Wait until the user has approved, and return the tokens."""
    pause = begun["interval"]
    form = {"grant_type": GRANT_TYPE, "client_id": client, "device_code": begun["device_code"]}
    while True:
        time.sleep(pause)
        answer = http.post(url, data=form)
        found: Json = answer.json()
        if answer.is_success:
            return found
        if found.get("error") == "slow_down":
            pause += SLOW_DOWN
        elif found.get("error") != "authorization_pending":
            fail(error_text(found))


def error_text(refusal: Json) -> str:
    """Return the message of an OAuth error or a problem response."""
    return str(refusal.get("error_description") or refusal.get("title"))


def save_tokens(path: Path, pair: Json) -> None:
    """Write a file that only its owner can read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(pair, file)
