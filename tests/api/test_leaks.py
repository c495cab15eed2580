"""Secrets sent in a wrong place appear in no log and in no problem."""

import logging

import httpx
import pytest

from tests.support.leaks import Leaks
from tests.support.people import Person

PASSWORD = "seven green bottles"


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/sessions", {"login": "nobody", "password": PASSWORD, "more": PASSWORD}),
        ("POST", "/sessions", {"login": PASSWORD + "x" * 60, "password": PASSWORD}),
        ("POST", "/me/account", {"login": "ada lovelace", "password": PASSWORD}),
        ("POST", "/me/account", {"login": "ada", "password": "secret"}),
        ("POST", "/guests/rejoin", {"rejoin_code": "{code}"}),
        ("POST", "/guests/rejoin", {"rejoin_code": ["{code}"]}),
        ("POST", "/invitations/accept", {"secret": "{token}"}),
        ("POST", "/mail/verify", {"code": "{code}"}),
        ("POST", "/password-resets/redeem", {"code": "{code}", "password": PASSWORD}),
        ("POST", "/oauth/devices", {"user_code": "{token}"}),
        ("POST", "/tables/{id}/take-over", {"guest": "{token}"}),
        ("POST", "/me/tokens", {"name": "\u202e{token}", "scopes": ["play"]}),
        ("POST", "/me/tokens", {"name": "x", "scopes": ["{token}"]}),
        ("POST", "/me/tokens", {"name": "x", "scopes": ["play"], "{token}": 1}),
        ("DELETE", "/me/tokens/{id}", None),
    ],
)
async def test_a_refusal_says_nothing_of_what_was_secret(
    ada: Person, method: str, path: str, body: object, leaks: Leaks
) -> None:
    wrong = {"{token}": ada.token[:-1] + "A", "{code}": "00000-00000-00000-00000"}

    def filled(value: object) -> object:
        match value:
            case str():
                return value.replace("{token}", wrong["{token}"]).replace("{code}", wrong["{code}"])
            case list():
                return [filled(each) for each in value]
            case dict():
                return {str(filled(name)): filled(each) for name, each in value.items()}
        return value

    await ada.refused(method, path.replace("{id}", "0" * 26), filled(body))
    assert not leaks.found


@pytest.mark.parametrize("field", ["refresh_token", "code", "device_code", "client_id", "grant_type"])
async def test_an_apps_refusal_says_nothing_of_what_it_has_sent(ada: Person, field: str, leaks: Leaks) -> None:
    app = await ada.post("/me/apps", {"name": "Radar", "redirects": []})
    form = {"grant_type": "refresh_token", "client_id": app["id"]} | {field: "ludr_" + ada.token[4:]}
    answer = await ada.http.post("/oauth/token", data=form)
    assert answer.status_code == 400 and not leaks.found


def test_a_secret_would_be_found(leaks: Leaks) -> None:
    for secret in ("lud_" + "a" * 43, "ludr_" + "-" * 43, "7yqw8-5tex3-8b5c2-am2h1", PASSWORD):
        logging.getLogger("anything").warning("somebody came with %s", secret)
        assert len(leaks.found) == 1
        leaks.found.clear()


async def test_a_secret_in_an_address_and_in_a_refusal_would_be_found(ada: Person, leaks: Leaks) -> None:
    """The problem repeats the path of the request, which contains a token."""
    await ada.ask("GET", f"/players/{ada.token}")
    address, refusal = leaks.found
    assert " in an address: " in address and " in a refusal of " in refusal
    leaks.found.clear()
