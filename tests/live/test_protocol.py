"""Each request over the socket gets one response, an invalid one a stable code."""

import pytest

from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from tests.live.house import House
from tests.support.live_client import Client, client

LONG = "x" * 300
PLAY = {"type": "command", "table": "t", "expected_seq": 0, "action": {"id": "a"}}

MALFORMED = [
    ("", "invalid-json"),
    ("hello", "invalid-json"),
    ('{"id":1', "invalid-json"),
    ('{"id":1,"type":"ping"}{}', "invalid-json"),
    ("[" * 9000, "invalid-request"),
    ("[]", "invalid-request"),
    ("null", "invalid-request"),
    ('{"type":"ping"}', "invalid-request"),
    ('{"id":null,"type":"ping"}', "invalid-request"),
    ('{"id":1.5,"type":"ping"}', "invalid-request"),
    (f'{{"id":{10**30},"type":"ping"}}', "invalid-request"),
    (f'{{"id":"{LONG}","type":"ping"}}', "invalid-request"),
    (b"\x00\x01", "invalid-request"),
    (b'{"id":1,"type":"ping"}', "invalid-request"),
]

INVALID = [
    ({}, "/type", "type"),
    ({"type": "shout"}, "/type", "Invalid value"),
    ({"type": 1}, "/type", "str"),
    ({"type": "ping", "more": 1}, "/more", "more"),
    ({"type": "subscribe", "table": "t"}, "/after", "after"),
    ({"type": "subscribe", "table": "t", "after": "0"}, "/after", "int"),
    ({"type": "subscribe", "table": "t", "after": -2}, "/after", ">= -1"),
    ({"type": "subscribe", "table": "t", "after": 2**60}, "/after", "<="),
    ({"type": "subscribe", "table": "", "after": 0}, "/table", "length"),
    ({"type": "subscribe", "table": LONG, "after": 0}, "/table", "length"),
    ({"type": "subscribe", "table": "t", "after": 0, "as": "king"}, "/as", "enum value"),
    ({"type": "subscribe", "table": "t", "after": 0, "as": -1}, "/as", ">= 0"),
    (PLAY | {"action": {}}, "/action/id", "id"),
    (PLAY | {"action": {"id": "a", "by": 1}}, "/action/by", "by"),
    (PLAY | {"action": {"id": "a", "subset": [0, "b"]}}, "/action/subset/1", "int"),
    (PLAY | {"expected_seq": None}, "/expected_seq", "int"),
]

REFUSED = [
    ({"type": "hello"}, "invalid-request"),
    ({"type": "subscribe", "table": "nowhere", "after": -1}, "not-found"),
    ({"type": "subscribe", "table": "t", "after": 7}, "future-sequence"),
    ({"type": "subscribe", "table": "t", "after": 0, "as": 1}, "forbidden"),
    ({"type": "subscribe", "table": "t", "after": 0, "as": 5}, "forbidden"),
    ({"type": "unsubscribe", "sub": "t:0"}, "not-found"),
    ({"type": "command", "table": "t", "expected_seq": 4, "action": {"id": "a"}}, "stale-sequence"),
]


async def still_serves(ann: Client) -> None:
    assert (await ann.request("ping"))["ok"]


@pytest.mark.parametrize("message, code", MALFORMED)
async def test_a_message_that_is_no_request(house: House, gateway: Gateway, message: str | bytes, code: str) -> None:
    async with client(gateway.port) as ann:
        answer = await ann.raw(message)
        assert not answer["ok"]
        assert answer["problem"]["code"] == code
        await still_serves(ann)


@pytest.mark.parametrize("members, pointer, told", INVALID)
async def test_a_wrong_member_is_pointed_at(
    house: House, gateway: Gateway, members: dict[str, object], pointer: str, told: str
) -> None:
    async with client(gateway.port) as ann:
        problem = (await ann.answer_to("mine", **members))["problem"]
        assert problem["code"] == "invalid-request"
        assert [fault["pointer"] for fault in problem["errors"]] == [pointer]
        assert told in problem["errors"][0]["detail"]
        await still_serves(ann)


@pytest.mark.parametrize("members, code", REFUSED)
async def test_a_request_that_cannot_be_granted(
    house: House, hub: Hub, gateway: Gateway, members: dict[str, object], code: str
) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        assert (await ann.answer_to(1, **members))["problem"]["code"] == code
        assert hub.tables == 0
        sub = await ann.subscribe("t")
        assert len(await ann.until(sub, 0)) == 1
        await still_serves(ann)


async def test_hello_comes_first_and_its_token_must_be_known(house: House, gateway: Gateway) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, hello=False) as ann:
        assert (await ann.request("ping"))["problem"]["code"] == "invalid-request"
        assert (await ann.request("subscribe", table="t", after=0))["problem"]["code"] == "invalid-request"
        refused = await ann.request("hello", token="lud_guess")
        assert refused["problem"]["code"] == "invalid-token"
        assert "lud_guess" not in str(refused)
        assert (await ann.request("hello", token="ann-token"))["player"] == "ann"


async def test_a_spectator_needs_no_token_but_may_not_play(house: House, gateway: Gateway) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, hello=False) as eve:
        assert (await eve.request("hello"))["player"] is None
        played = await eve.request("command", table="t", expected_seq=0, action={"id": "a"})
        assert played["problem"]["code"] == "forbidden"


async def test_a_table_is_followed_once_per_audience(house: House, gateway: Gateway) -> None:
    await house.open("t")
    async with client(gateway.port) as eve:
        await eve.subscribe("t")
        again = await eve.request("subscribe", table="t", after=0)
        assert again["problem"]["code"] == "already-subscribed"


async def test_a_fault_of_ours_is_admitted_and_not_explained(
    house: House, gateway: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    await house._store.set("log:odd", "not a list")
    async with client(gateway.port) as eve:
        problem = (await eve.request("subscribe", table="odd", after=0))["problem"]
        assert problem.keys() == {"type", "title", "status", "code"}
        assert problem["code"] == "internal"
        assert "a request failed" in caplog.text
        await still_serves(eve)
