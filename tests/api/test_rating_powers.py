"""Rated results come from play, not from hosts or moderators with a seat."""


import httpx
import pytest

from ludarium.platform.database import Database
from tests.api.test_moderation import listed, promoted
from tests.api.test_my_bots import an_account, as_person
from tests.support.people import Json, Person
from tests.support.waiting import eventually

RULESET = "game-of-kingdoms"


@pytest.fixture
async def admin(http: httpx.AsyncClient, base: Database) -> Person:
    return await promoted(http, base, "admin")


@pytest.fixture
async def people(http: httpx.AsyncClient) -> list[Person]:
    return [await an_account(http) for _ in range(2)]


async def rated_table(host: Person, people: list[Person]) -> str:
    wanted = {"ruleset": RULESET, "seats": len(people), "policies": {"rated": True}}
    table: str = (await host.post("/tables", wanted))["id"]
    for person in people:
        await person.post(f"/tables/{table}/seats", {})
    await host.post(f"/tables/{table}/start")
    return table


async def resigned(host: Person, people: list[Person]) -> str:
    """Play a rated game that the last person resigns; return its table."""
    table = await rated_table(host, people)
    await people[-1].post(f"/tables/{table}/resign")
    return table


async def games(person: Person) -> int:
    """Return the number of rated games in a person's public ratings."""
    return sum(rating["games"] for rating in (await person.get(f"/players/{person.id}/ratings"))["ratings"])


async def table_act(by: Person, table: str, act: str) -> int | str:
    answer = await by.ask("POST", f"/admin/tables/{table}/acts", json={"act": act, "reason": "As was seen"})
    return answer.status_code if answer.status_code < 400 else str(answer.json()["code"])


async def test_what_the_host_of_a_table_rules_rates_nothing(http: httpx.AsyncClient, people: list[Person]) -> None:
    host = await an_account(http, "Hana")
    table = await rated_table(host, people)
    await host.post(f"/tables/{table}/adjudicate", {"places": [1, 2]})
    await resigned(host, people)
    await eventually(lambda: has_games(people[0], 1))
    assert [await games(person) for person in people] == [1, 1]


async def has_games(person: Person, many: int) -> bool:
    return await games(person) == many


@pytest.mark.parametrize("act", ["close", "void"])
async def test_a_moderator_ends_no_table_where_they_have_a_seat(
    act: str, http: httpx.AsyncClient, base: Database, people: list[Person]
) -> None:
    moderator, other = await promoted(http, base, "moderator"), await promoted(http, base, "moderator")
    table = await rated_table(moderator, [moderator, people[0]])
    assert await table_act(moderator, table, act) == "plays-there"
    assert table not in [done["table"] for done in await listed(other, "/admin/acts")]
    assert (await moderator.view(table))["status"] == "playing"
    assert await table_act(other, table, act) == 204
    await resigned(moderator, [moderator, people[0]])
    await eventually(lambda: has_games(moderator, 1))


async def test_a_moderator_ends_no_table_of_their_bot(http: httpx.AsyncClient, base: Database) -> None:
    moderator = await promoted(http, base, "moderator")
    bot = await moderator.post("/me/bots", {"name": "Robot", "scopes": ["play", "tables"]})
    player = as_person(http, bot)
    other = await an_account(http)
    table = (await other.post("/tables", {"ruleset": RULESET, "seats": 2}))["id"]
    await other.post(f"/tables/{table}/seats", {})
    await other.post(f"/tables/{table}/invitations", {"player": player.id})
    await player.post(f"/tables/{table}/seats", {})
    await other.post(f"/tables/{table}/start")
    assert await table_act(moderator, table, "void") == "plays-there"


async def test_games_that_two_played_are_voided_and_all_ratings_behind_them_computed_anew(
    http: httpx.AsyncClient, admin: Person, people: list[Person]
) -> None:
    friend, third = people[0], await an_account(http)
    forged = [await resigned(admin, people) for _ in range(3)]
    await resigned(admin, [third, friend])
    await eventually(lambda: has_games(friend, 4))
    before = await rating(third)
    (pair,) = [one for one in await listed(admin, "/admin/ratings/pairs", about=people[1].id)]
    assert {*pair["players"]} == {person.id for person in people} and pair["games"] == 3
    at = pair["players"].index(friend.id)
    assert (pair["score"], pair["resigned"][1 - at], pair["resigned"][at]) == (0.0 if at else 3.0, 3, 0)
    wanted = {"players": [person.id for person in people], "reason": "Lost on purpose"}
    assert await admin.post("/admin/ratings/voids", wanted) == {"tables": forged, "more": False}
    assert await admin.post("/admin/ratings/voids", wanted) == {"tables": [], "more": False}
    await eventually(lambda: has_games(friend, 1))
    assert await games(people[1]) == 0 and await rating(third) < before
    told = (await friend.get(f"/tables/{forged[0]}/events", after=0, limit=1000))["events"]
    assert told[-1]["type"] == "rating_voided"
    audit = [one["table"] for one in await listed(admin, "/admin/acts") if one["kind"] == "unrate"]
    assert {*audit} == {*forged} and len(audit) == 3
    assert not await listed(admin, "/admin/ratings/pairs", about=people[1].id)


async def rating(person: Person) -> float:
    (found,) = (await person.get(f"/players/{person.id}/ratings"))["ratings"]
    return float(found["mean"])


async def test_only_administrators_who_did_not_play_change_ratings(
    http: httpx.AsyncClient, base: Database, admin: Person, people: list[Person]
) -> None:
    moderator = await promoted(http, base, "moderator")
    table = await resigned(admin, people)
    wanted: Json = {"players": [one.id for one in people], "reason": "So"}
    for person, code in ((moderator, "forbidden"), (people[0], "insufficient-scope")):
        assert (await person.refused("GET", "/admin/ratings/pairs"))["code"] == code
        assert (await person.refused("POST", "/admin/ratings/voids", wanted))["code"] == code
    assert await table_act(moderator, table, "unrate") == "forbidden"
    own = await resigned(people[0], [people[0], admin])
    assert await table_act(admin, own, "unrate") == "plays-there"
    for other in people:                                    # even without a game to void
        wanted = {"players": [admin.id, other.id], "reason": "So"}
        assert (await admin.refused("POST", "/admin/ratings/voids", wanted))["code"] == "plays-there"
    assert [await table_act(admin, table, "unrate") for _ in range(2)] == [204, 204]
    running = await rated_table(people[0], people)
    assert await table_act(admin, running, "unrate") == "not-rated"


async def test_a_transfer_of_rating_is_reported(people: list[Person], admin: Person) -> None:
    await people[0].post("/reports", {"player": people[1].id, "reason": "rating-transfer"})
    assert "rating-transfer" in [report["reason"] for report in await listed(admin, "/admin/reports")]
