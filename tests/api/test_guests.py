"""Guests: they play without signing up, and return with their code."""

import httpx
import pytest

TOO_LONG = "x" * 33


async def test_a_guest_is_known_by_the_token(http: httpx.AsyncClient) -> None:
    guest = (await http.post("/guests", json={"name": " Ada "})).json()
    me = await http.get("/me", headers={"authorization": f"Bearer {guest['token']}"})
    assert guest["player"] == {"id": guest["player"]["id"], "name": "Ada", "kind": "guest", "owner": None}
    assert guest["player"].items() <= me.json().items()


async def test_a_guest_without_a_name_gets_one(http: httpx.AsyncClient) -> None:
    guest = await http.post("/guests", json={})
    assert guest.status_code == 201
    assert guest.json()["player"]["name"].startswith("Guest ")


async def test_a_rejoin_code_gives_a_further_token_however_it_is_typed(http: httpx.AsyncClient) -> None:
    guest = (await http.post("/guests", json={"name": "Ada"})).json()
    typed = guest["rejoin_code"].replace("-", " ").upper().replace("0", "O").replace("1", "l")
    again = (await http.post("/guests/rejoin", json={"rejoin_code": typed})).json()
    assert again["player"] == guest["player"]
    assert again["rejoin_code"] == guest["rejoin_code"]
    assert again["token"] != guest["token"]
    for token in (again["token"], guest["token"]):
        assert (await http.get("/me", headers={"authorization": f"Bearer {token}"})).status_code == 200


INVISIBLE = ["\u3164", "\u2800", "a\u200db", "\u200d", "\u115f\u1160", "\ufe0f", "a\ufe0f", "\U000e0101", "a\u00adb", "\ufeff"]
PILED = ["e" + "\u0324\u0330\u032d\u0331", "\u0301", "x" + "\u0488" * 18]


@pytest.mark.parametrize("name", ["", "   ", TOO_LONG, "x" * 10_000, "a\nb", "a\u202eb", *INVISIBLE, *PILED])
async def test_a_name_is_short_and_all_of_it_shows(http: httpx.AsyncClient, name: str) -> None:
    answer = await http.post("/guests", json={"name": name})
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid-request"
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/name"]


FAMILY, RAINBOW = "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f3f3\ufe0f\u200d\U0001f308"
SURGEON = "\U0001f469\U0001f3fd\u200d\u2695\ufe0f"


SCRIPTS = ["Nguy\u1ec5n", "\u0e17\u0e35\u0e48", "\u0634\u064e\u0651"]


@pytest.mark.parametrize("name", [FAMILY, RAINBOW, SURGEON, "\u2764\ufe0f", *SCRIPTS])
async def test_a_name_may_be_of_any_script_and_of_pictures(http: httpx.AsyncClient, name: str) -> None:
    assert (await http.post("/guests", json={"name": name})).json()["player"]["name"] == name


@pytest.mark.parametrize("code", ["", "abc", "u" * 20, "7yqw8-5tex3-8b5c2-am2h1", "é" * 20])
async def test_a_wrong_rejoin_code_gives_nothing(http: httpx.AsyncClient, code: str) -> None:
    answer = await http.post("/guests/rejoin", json={"rejoin_code": code})
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid-rejoin-code")


async def test_rejoin_codes_cannot_be_tried_at_will(http: httpx.AsyncClient) -> None:
    codes = [(await http.post("/guests/rejoin", json={"rejoin_code": "x"})).status_code for _ in range(11)]
    assert codes == [401] * 10 + [429]


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ({}, "unauthenticated"),
        ({"authorization": "Basic YTpi"}, "unauthenticated"),
        ({"authorization": "Bearer"}, "invalid-token"),
        ({"authorization": "Bearer lud_x"}, "invalid-token"),
        ({"authorization": "Bearer lud_" + "A" * 43}, "invalid-token"),
        ({"authorization": "Bearer " + "x" * 10_000}, "invalid-token"),
    ],
)
async def test_me_needs_a_token_that_is_known(http: httpx.AsyncClient, header: dict[str, str], code: str) -> None:
    answer = await http.get("/me", headers=header)
    assert (answer.status_code, answer.json()["code"]) == (401, code)
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_token_that_is_cut_or_changed_is_none(http: httpx.AsyncClient) -> None:
    token = (await http.post("/guests", json={})).json()["token"]
    bare = token.removeprefix("lud_")
    for wrong in (token[:-1], token[:-10], token + "A", token.upper(), bare, "ludp_" + bare):
        answer = await http.get("/me", headers={"authorization": f"Bearer {wrong}"})
        assert (answer.status_code, answer.json()["code"]) == (401, "invalid-token")
