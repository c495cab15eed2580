"""Rated games at tables and in tournaments, and rulings of sanctioned officials."""
from __future__ import annotations

import httpx
from msgspec import structs

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.records.tournaments import verify_events
from ludarium.server import Address
from ludarium.tournaments.event_types import encode
from ludarium.tournaments.events import Entered
from ludarium_client import AsyncClient
from ludarium_eventstore import EventStore
from ludarium_pairing.ratings import RatedGame, ratings
from tests.support.people import Json, Person, fine
from tests.support.tournaments import RULESET, Event, host_of, is_played, key, plan, players_of, sanction, until
from tests.tournaments.tampered import relinked, said

RATED = {"ruleset": RULESET, "policies": {"rated": True}}
ONE_ROUND = {"format": "swiss", "seats": 2, "rounds": 1}
OTHER = "kemet"
"""A title for single tables, so that its leaderboard has no tournament players."""
NEW = 25.0


async def people_of(http: httpx.AsyncClient, base: Database, many: int) -> list[Person]:
    """Create people who have accounts."""
    people = await players_of(http, base, many)
    await base.rows("update accounts.players set kind = 'account' where kind = 'guest'")
    return people


async def means(people: list[Person]) -> list[float | None]:
    found = [(await one.get(f"/players/{one.id}/ratings"))["ratings"] for one in people]
    return [told[0]["mean"] if told else None for told in found]


async def rated_game(people: list[Person], ruleset: str = OTHER, **policies: object) -> str:
    """Play a rated game in which the last person resigns, and return its id."""
    wanted = {"ruleset": ruleset, "seats": len(people), "policies": {"rated": True, **policies}}
    table: str = (await people[0].post("/tables", wanted))["id"]
    for person in people:
        await person.post(f"/tables/{table}/seats", {})
    await people[0].post(f"/tables/{table}/start")
    await people[-1].post(f"/tables/{table}/resign")
    return table


async def test_a_rated_game_is_told_and_hidden_by_who_hides_their_history(
    http: httpx.AsyncClient, base: Database, address: Address
) -> None:
    ada, bea, cyd = await people_of(http, base, 3)
    table = await rated_game([ada, bea])
    hidden = await rated_game([ada, bea], spectators={"listed": False})
    (rating,) = (await cyd.get(f"/players/{ada.id}/ratings"))["ratings"]
    assert (rating["ruleset"], rating["size"], rating["games"], rating["provisional"]) == (OTHER, "two", 2, True)
    assert [step["table"] for step in rating["history"]] == [table, None] and hidden
    assert rating["history"][-1]["rating"] == rating["rating"] > 0 > (await means([bea]))[0] - NEW   # type: ignore[operator]
    assert [one["player"] for one in await leaders(cyd)] == [ada.id, bea.id]
    async with AsyncClient(address.http) as client:
        assert [one.place for one in (await client.leaderboard(OTHER)).players] == [1, 2]
        assert len((await client.ratings(bea.id)).ratings) == 1
    fine(await ada.ask("PATCH", "/me", json={"hides_history": True}))
    assert (await cyd.get(f"/players/{ada.id}/ratings"))["ratings"] == [] != await means([ada])
    assert [(one["place"], one["player"]) for one in await leaders(cyd)] == [(2, bea.id)]
    assert [one["player"] for one in await leaders(ada)] == [ada.id, bea.id]
    await bea.ask("DELETE", "/me")
    assert await leaders(cyd) == [] and (await cyd.get(f"/players/{bea.id}/ratings"))["ratings"] == []
    assert (await cyd.refused("GET", "/rulesets/chess/ratings"))["code"] == "no-such-ruleset"


async def leaders(person: Person) -> list[Json]:
    players: list[Json] = (await person.get(f"/rulesets/{OTHER}/ratings", size="two"))["players"]
    return players


async def test_a_ruling_without_a_sanction_rates_nothing(http: httpx.AsyncClient, base: Database) -> None:
    """A game ended by a ruling is not rated; one that was already over stays rated."""
    people = await people_of(http, base, 4)
    event = await Event.set_up(await host_of(http, base, "Nora"), {**plan(ONE_ROUND), "tables": RATED, "guests": False})
    event.moves = 1
    await event.opened()
    await event.enter(people)
    await event.closed()
    told = await event.published()
    running, over = ([event.people[entry] for entry in table["seats"]] for table in told["tables"])
    await event.play_match(told, told["tables"][1], set())
    await until(lambda: all_rated(over))
    before = await means(over)
    for person in running:
        await person.post(f"/tables/{told['tables'][0]['table']}/ready", {"ready": True})
    await until(lambda: is_played(running[0], told["tables"][0]["table"]))
    first, second = (await event.round(1, told["round"]))["tables"]
    await event.rule(told, first, "places", [1, 2])
    await event.rule(told, second, "places", second["places"][::-1])
    await event.settled(1, told["round"])
    assert await means(running) == [None, None] and await means(over) == before
    again = (await event.round(1, told["round"]))["tables"][1]
    path = f"{event.path}{event.round_path(1, told['round'])}/tables/2/replay"
    await event.host.post(path, {"expected_seq": again["seq"], "reason": "The line was cut"}, **key())
    await event.play_match(told, (await event.round(1, told["round"]))["tables"][1], set())
    await until(lambda: have_games(over, 2))


async def have_games(people: list[Person], many: int) -> bool:
    found = [(await one.get(f"/players/{one.id}/ratings"))["ratings"] for one in people]
    return all(rating["games"] == many for (rating,) in found)


async def test_a_sanction_does_not_cover_tables_where_a_sanctioned_official_plays(
    http: httpx.AsyncClient, base: Database
) -> None:
    people = await people_of(http, base, 2)
    event = await Event.set_up(await host_of(http, base, "Olga"), {**plan(ONE_ROUND), "tables": RATED, "guests": False})
    arbiter = people[0]
    await event.appoint(arbiter, "arbiter")
    await sanction(http, base, event, event.host, arbiter)
    body = await event.body()
    assert {one["player"] for one in body["officials"] if one["sanctioned"]} == {event.host.id, arbiter.id}
    event.moves = 1
    await event.opened()
    await event.enter(people)
    await event.closed()
    told = await event.published()
    await event.play_match(told, told["tables"][0], set())
    await until(lambda: all_rated(people))
    before = await means(people)
    (table,) = (await event.round(1, told["round"]))["tables"]
    await event.rule(told, table, "places", table["places"][::-1])
    await event.settled(1, told["round"])
    assert await means(people) == before


async def test_a_sanctioned_ruling_is_what_is_rated(http: httpx.AsyncClient, base: Database) -> None:
    people = await people_of(http, base, 6)
    event = await Event.set_up(await host_of(http, base, "Rita"), {**plan(ONE_ROUND), "tables": RATED, "guests": False})
    event.moves = 1
    await sanction(http, base, event, event.host)
    await event.opened()
    await event.enter(people)
    await event.closed()
    told = await event.published()
    told = await event.play(1, told["round"])
    boards = [[event.people[entry] for entry in table["seats"]] for table in told["tables"]]
    played, turned, voided = boards
    before = await means(turned)
    assert before[0] != before[1] and None not in await means(people)

    await event.rule(told, told["tables"][2], "void")
    await event.rule(told, told["tables"][1], "places", told["tables"][1]["places"][::-1])

    async def is_rated_again() -> bool:
        return await means(voided) == [None, None] and await means(turned) == before[::-1]

    await until(is_rated_again)
    assert None not in await means(played)
    second = await Event.set_up(event.host, {**plan(ONE_ROUND), "tables": RATED, "guests": False})
    await second.opened()
    await second.enter(played)
    entered = (await event.host.get(f"{second.path}/entries"))["entries"]
    seeds = [(await one.get(f"/players/{one.id}/ratings"))["ratings"][0]["rating"] for one in played]
    assert [one["rating"] for one in entered] == seeds and len({*seeds}) == 2
    again = (await event.round(1, told["round"]))["tables"][2]
    await event.rule(told, again, "upheld")
    await until(lambda: all_rated(voided))
    await event.close(await event.round(1, told["round"]))


async def all_rated(people: list[Person]) -> bool:
    return None not in await means(people)


async def test_each_game_of_a_match_is_rated(http: httpx.AsyncClient, base: Database) -> None:
    """Ratings follow from the games, and only voiding the match changes them.

    Who wins the match, by play or by a ruling, makes no difference.
    """
    people = await people_of(http, base, 2)
    three = {"format": "single-elimination", "best_of": 3}
    event = await Event.set_up(await host_of(http, base, "Mina"), {**plan(three), "tables": RATED, "guests": False})
    await sanction(http, base, event, event.host)
    await event.opened()
    await event.enter(people)
    await event.closed()
    told = await event.published()
    seats = told["tables"][0]["seats"]
    for loser in (0, 1, 1):
        table = await event.lost(told, 1, seats[loser])
    games = [([event.people[entry].id for entry in game["seats"]], game["places"]) for game in table["games"]]
    assert [places for _, places in games] == [[2, 1], [2, 1], [1, 2]], "by the seats of each table"
    rated = ratings(RatedGame(at, RULESET, (*ids,), (*places,)) for at, (ids, places) in enumerate(games))[RULESET, "two"]

    async def is_rated() -> bool:
        return await means(people) == [rated[one.id].mean for one in people]

    await until(is_rated)
    assert [(await one.get(f"/players/{one.id}/ratings"))["ratings"][0]["games"] for one in people] == [3, 3]
    await event.rule(told, table, "void")
    await until(lambda: none_rated(people))
    await event.rule(told, (await event.round(1, 1))["tables"][0], "places", table["places"][::-1])
    await until(is_rated)
    await event.close(await event.round(1, 1))


async def none_rated(people: list[Person]) -> bool:
    return await means(people) == [None] * len(people)


async def test_limits_are_of_ratings_and_of_rated_games(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    winner, loser, newcomer = await people_of(http, base, 3)
    await rated_game([winner, loser], RULESET)
    host = await host_of(http, base, "Lea")

    async def who_may(**limits: int) -> tuple[Event, list[str | None]]:
        event = await Event.set_up(host, {**plan(ONE_ROUND), "tables": RATED, "guests": False, "limits": limits})
        await event.opened()
        answers = [await one.ask("POST", f"{event.path}/entries", json={}, headers=key()) for one in (winner, loser, newcomer)]
        return event, [answer.json().get("code") for answer in answers]

    out = "outside-limits"
    assert (await who_may(games=1))[1] == [None, None, out]
    assert (await who_may(most_rating=0))[1] == [out, None, None]
    event, codes = await who_may(least_rating=1, most_rating=2000)
    assert codes == [None, out, out]
    await host.post(f"{event.path}/entries/import", {"csv": newcomer.id}, **key())
    await newcomer.post(f"{event.path}/entries", {}, **key())
    assert (await event.body())["plan"]["limits"] == {"least_rating": 1, "most_rating": 2000, "games": 0}
    nobody = {"title": "Cup", "plan": {**plan(ONE_ROUND), "limits": {"least_rating": 1, "most_rating": 0}}}
    assert (await host.refused("POST", "/tournaments", nobody, **key()))["code"] == "invalid-tournament"
    stream = ids.decode(event.id)
    async with await EventStore.open(module_database_url) as store:
        rows = await store.read(stream)
    assert verify_events(stream, rows, keyed=True)[1].fault is None
    at, row = next((at, row) for at, row in enumerate(map(said, rows)) if isinstance(row, Entered))
    rows[at] = structs.replace(rows[at], data=encode(structs.replace(row, rating=0)))
    fault = verify_events(stream, relinked(rows), keyed=True)[1].fault
    assert fault is not None and fault.version == at


async def test_guests_are_not_at_rated_tables(http: httpx.AsyncClient, base: Database) -> None:
    host, (guest,) = await host_of(http, base, "Gail"), await players_of(http, base, 1)
    rated = {**plan(ONE_ROUND), "tables": RATED}
    wrong = await host.refused("POST", "/tournaments", {"title": "Cup", "plan": rated}, **key())
    assert wrong["code"] == "invalid-tournament" and "guests" in wrong["detail"]
    event = await Event.set_up(host, {**rated, "guests": False})
    await event.opened()
    assert (await guest.refused("POST", f"{event.path}/entries", {}, **key()))["code"] == "entry-refused"
    listed = await host.refused("POST", f"{event.path}/entries/import", {"csv": guest.id}, **key())
    assert listed["code"] == "invalid-import"
    casual = await Event.set_up(host, plan(ONE_ROUND))
    await casual.opened()
    await casual.enter([guest])
    change = {"title": "Cup", "plan": {**rated, "guests": False}, "expected_seq": 0}
    assert (await host.refused("PATCH", casual.path, change, **key()))["code"] == "rated-too-late"
