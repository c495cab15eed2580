"""An account takes over a guest's seats, and no player sees two hands."""

import random

import httpx
import pytest

from ludarium.server import Address
from tests.api.test_accounts import a_login, opened
from tests.api.test_live import port_of
from tests.support.blind_client import random_action
from tests.support.entropy import uuid4
from tests.support.live_client import client
from tests.support.people import PRIVATE, Json, Person, fine, open_game, play_on, someone_asked


@pytest.fixture
async def guest(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http, "Gus")


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    """Return an account in its newest session."""
    return (await opened(await Person.arrive(http), a_login()))[0]


def path_of(table: str) -> str:
    return f"/tables/{table}/take-over"


async def refusal(account: Person, table: str, guest: Person) -> str:
    return str((await account.refused("POST", path_of(table), {"guest": guest.token}))["code"])


async def test_a_seat_goes_over_in_mid_game_with_the_table_and_the_guest_sees_it_no_more(
    guest: Person, ada: Person, address: Address
) -> None:
    table = await open_game([guest], bots=("simple",))
    _, before = await someone_asked([guest], table)
    async with client(port_of(address), guest.token) as socket:
        sub = await socket.subscribe(table)
        key = {"idempotency-key": uuid4().hex}
        first, again = [await ada.post(path_of(table), {"guest": guest.token}, **key) for _ in range(2)]
        assert first == again
        await socket.until(sub, first["events"][0]["seq"])
        await socket.until_notice({"type": "ended", "sub": sub})
    assert [(event["type"], event["data"].get("player")) for event in first["events"]] == [
        ("taken_over", ada.id), ("handed_over", ada.id)
    ]  # fmt: skip
    _, view = await someone_asked([ada], table)
    assert view["viewer"] == before["viewer"] == 0
    fine(await ada.command(table, view, random_action(view["choice"], random.Random(1))))
    assert (await guest.view(table))["viewer"] is None
    assert (await guest.refused("GET", f"/tables/{table}/view?as=0"))["code"] == "forbidden"
    assert [own["table"]["id"] for own in (await ada.get("/me/tables"))["tables"]] == [table]
    assert (await guest.get("/me/tables"))["tables"] == []


async def test_a_seat_at_a_private_table_that_waits_goes_over_and_the_game_is_played_to_its_end(
    guest: Person, ada: Person, http: httpx.AsyncClient
) -> None:
    ben = await Person.arrive(http, "Ben")
    table = (await ben.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2} | PRIVATE))["id"]
    await ben.post(f"/tables/{table}/seats")
    await ben.post(f"/tables/{table}/invitations", {"player": guest.id})
    await guest.post(f"/tables/{table}/seats")
    await ada.post(path_of(table), {"guest": guest.token})
    await ben.post(f"/tables/{table}/start")
    assert (await guest.refused("GET", f"/tables/{table}"))["code"] == "not-found"
    assert (await ada.get(f"/tables/{table}"))["host"] == ben.id
    await play_on([ben, ada], table, 1000, random.Random(3))
    record = await ada.get(f"/tables/{table}/record")
    assert (await ada.get(f"/tables/{table}"))["status"] == "over" and len(record["rows"]) > 3
    assert await refusal(ada, table, ada) == "invalid-guest"


async def test_no_seat_goes_over_to_who_sits_there_or_has_a_seat_kept_nor_when_all_is_over(
    guest: Person, ada: Person, http: httpx.AsyncClient
) -> None:
    table = await open_game([guest, ada])
    assert await refusal(ada, table, guest) == "already-seated"
    waiting = (await guest.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 3}))["id"]
    await guest.post(f"/tables/{waiting}/seats")
    await guest.post(f"/tables/{waiting}/invitations", {"player": ada.id, "seat": 2})
    assert await refusal(ada, waiting, guest) == "already-seated"
    over = await open_game([guest], bots=("simple",))
    await guest.post(f"/tables/{over}/resign")
    assert await refusal(ada, over, guest) == "game-over"
    assert await refusal(ada, (await open_game([ada], bots=("simple",))), guest) == "not-seated"


async def test_only_a_guests_own_session_hands_its_seats_over(guest: Person, ada: Person, http: httpx.AsyncClient) -> None:
    table = await open_game([guest], bots=("simple",))
    scoped = (await guest.post("/me/tokens", {"name": "x", "scopes": ["play", "tables"]}))["secret"]
    other = (await opened(await Person.arrive(http), a_login()))[0]
    wrong = ["lud_" + "A" * 43, "x", scoped, other.token, ada.token]
    codes = [(await ada.refused("POST", path_of(table), {"guest": token}))["code"] for token in wrong]
    assert codes == ["invalid-guest"] * 5
    bob = await Person.arrive(http, "Bob")
    assert await refusal(bob, table, guest) == "account-needed"
    seats: list[Json] = (await guest.get(f"/tables/{table}"))["seats"]
    assert seats[0]["player"] == guest.id
