"""Organisers end rounds, pause, give time, and use the autopilot and broadcasts."""
from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import httpx
import msgspec

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.records.tournament_tables import faults_of_tables
from ludarium.records.tournaments import verify_events
from ludarium.tournaments.event_types import encode
from ludarium.tournaments.time_events import AutopilotSet
from ludarium_eventstore import EventStore
from tests.support.people import Json, Person
from tests.support.tournaments import RULESET, SWISS, Event, code, event_of, host_of, key, plan, players_of, until
from tests.tournaments.tampered import relinked, said


async def put(event: Event, path: str, **data: Any) -> Json:
    answer = await event.host.patiently("PUT", event.path + path, json=data, headers=key())
    assert answer.status_code == 200, answer.text
    told: Json = answer.json()
    return told


async def holds(event: Event, database_url: str) -> None:
    """Check that every event follows from the previous ones."""
    stream = ids.decode(event.id)
    async with await EventStore.open(database_url) as store:
        state, report = verify_events(stream, await store.read(stream), keyed=True)
        assert report.fault is None and state is not None
        assert [fault async for fault in faults_of_tables(store, state)] == []


async def pause_seq(event: Event) -> int:
    return int((await event.body())["paused_seq"])


def board_path(event: Event, told: Json, table: Json) -> str:
    return f"{event.round_path(told['stage'], told['round'])}/tables/{table['board']}"


async def is_paused(person: Person, table: str, *, wanted: bool) -> bool:
    """Check whether officials have paused the table, as `wanted` says."""
    told = await person.get(f"/tables/{table}/view")
    assert told["paused"] is told["halted"]
    return bool(told["halted"] is wanted)


# --- pauses ---------------------------------------------------------------------------------------------------------------
async def test_a_pause_of_all_stops_the_games_and_puts_off_what_was_to_come(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 4, {**SWISS, "round_time": 7200})
    told = await event.published()
    told = await event.begun(told["tables"][:1])
    running, waiting = told["tables"]
    person = event.seated(running)[0]
    assert await code(person, "POST", f"{event.path}/pause", {"expected_seq": 0, "reason": "No"}) == "insufficient-scope"
    await event.act("/pause", await pause_seq(event), reason="The hall is cleared")
    await until(lambda: is_paused(person, running["table"], wanted=True))
    assert (await event.body())["paused"]["reason"] == "The hall is cleared"
    assert (await person.get(f"{event.path}/me"))["paused"] is True
    assert await code(event.host, "POST", f"{event.path}/pause", {
        "expected_seq": await pause_seq(event), "reason": "Again"}) == "desk-paused"      # fmt: skip
    assert await code(person, "POST", f"/tables/{running['table']}/proposals", {"question": "resume"}) == "desk-paused"
    await event.act("/resume", await pause_seq(event))
    await until(lambda: is_paused(person, running["table"], wanted=False))
    later = (await event.round(1, 1))["tables"]
    for before, after in ((running, later[0]), (waiting, later[1])):
        assert datetime.fromisoformat(after["ends_at"]) > datetime.fromisoformat(before["ends_at"])
    assert datetime.fromisoformat(later[1]["starts_at"]) > datetime.fromisoformat(waiting["starts_at"])
    assert await code(event.host, "POST", f"{event.path}/resume", {"expected_seq": await pause_seq(event)}) == "not-paused"
    assert await code(event.host, "POST", f"{event.path}/resume", {"expected_seq": 0}) == "stale-desk"
    await holds(event, module_database_url)


async def test_nothing_begins_or_is_published_in_a_pause(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 2)
    draft = await event.drafted()
    await event.act("/pause", await pause_seq(event), reason="Lunch")
    path = f"{event.round_path(1, 1)}/publish"
    assert await code(event.host, "POST", event.path + path, {"expected_seq": draft["seq"]}) == "desk-paused"
    await event.act("/resume", await pause_seq(event))
    told = await event.publish(draft)
    assert told["tables"][0]["paused"] is None


async def test_one_table_is_paused_while_the_others_go_on(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 4)
    told = await event.begun((await event.published())["tables"])
    one, other = told["tables"]
    path = board_path(event, told, one)
    outsider = await host_of(http, base, "Olga")
    assert await code(outsider, "POST", f"{event.path}{path}/pause", {
        "expected_seq": one["seq"], "reason": "No"}) == "not-arbiter"      # fmt: skip
    await event.act(f"{path}/pause", one["seq"], reason="A card is missing")
    await until(lambda: is_paused(event.seated(one)[0], one["table"], wanted=True))
    told = await event.round(1, 1)
    assert [table["paused"] and table["paused"]["reason"] for table in told["tables"]] == ["A card is missing", None]
    assert await is_paused(event.seated(other)[0], other["table"], wanted=False)
    seq = told["tables"][0]["seq"]
    assert await code(event.host, "POST", f"{event.path}{path}/pause", {"expected_seq": seq, "reason": "x"}) == "desk-paused"
    await event.act("/pause", await pause_seq(event), reason="All of it")
    await until(lambda: is_paused(event.seated(other)[0], other["table"], wanted=True))
    await event.act("/resume", await pause_seq(event))
    await until(lambda: is_paused(event.seated(other)[0], other["table"], wanted=False))
    assert await is_paused(event.seated(one)[0], one["table"], wanted=True)
    await event.act(f"{path}/resume", seq)
    await until(lambda: is_paused(event.seated(one)[0], one["table"], wanted=False))
    told = await event.play(1, 1)
    again = {"expected_seq": told["tables"][0]["seq"], "reason": "x"}
    assert await code(event.host, "POST", f"{event.path}{path}/pause", again) == "game-over"
    await event.close(told)
    assert await code(event.host, "POST", f"{event.path}{path}/resume", {"expected_seq": told["tables"][0]["seq"]}) == (
        "round-closed"
    )
    await holds(event, module_database_url)


# --- extra time -----------------------------------------------------------------------------------------------------------
LIVE = {"ruleset": RULESET, "policies": {"clock": {"type": "live", "bank": 600, "increment": 0}}}


async def test_the_desk_gives_a_player_time(http: httpx.AsyncClient, base: Database, module_database_url: str) -> None:
    """The time is added to the clock, even while the table is paused.

    Each request adds time, but a repeated request adds it only once.
    """
    event = await event_of(http, base, 4, {**SWISS, "round_time": 7200}, tables=LIVE)
    told = await event.begun((await event.published())["tables"][:1])
    table, waiting = told["tables"]
    path, entry = f"{event.path}{board_path(event, told, table)}/time", table["seats"][1]
    wanted = {"expected_seq": table["seq"], "entry": entry, "seconds": 900, "reason": "The lights went out"}
    once = key()
    answers = [await event.host.patiently("POST", path, json=wanted, headers=once) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200] and answers[0].json() == answers[1].json()
    after = (await event.round(1, 1))["tables"][0]
    assert after["added"] == [{"by": event.host.id, "entry": entry, "seconds": 900, "reason": "The lights went out"}]
    assert seconds_between(table["ends_at"], after["ends_at"]) == 900
    person = event.seated(table)[1]
    # the table gets the time that it does not have yet as one sum
    await until(lambda: has_time(person, table["table"], 1, 1450))
    await event.act(f"{board_path(event, told, table)}/pause", after["seq"], reason="A card is missing")
    held = (await event.round(1, 1))["tables"][0]
    await event.host.post(path, {**wanted, "expected_seq": held["seq"], "seconds": 60}, **key())
    await until(lambda: has_time(person, table["table"], 1, 1550))
    held = (await event.round(1, 1))["tables"][0]
    await event.act(f"{board_path(event, told, table)}/resume", held["seq"])
    await until(lambda: is_paused(person, table["table"], wanted=False))
    given = [each["data"] for each in await told_by(person, table["table"]) if each["type"] == "time_given"]
    assert [(each["seat"], each["to"], each["seconds"]) for each in given] == [(-1, 1, 900), (-1, 1, 60)]
    lines = (await person.get(f"/tables/{table['table']}/story", locale="en"))["lines"]
    assert any(line["text"].endswith("gets more time: 900 s") for line in lines)
    early = {**wanted, "expected_seq": waiting["seq"], "entry": waiting["seats"][0]}
    assert await code(event.host, "POST", f"{event.path}{board_path(event, told, waiting)}/time", early) == "game-not-started"
    await event.play(1, 1)
    await holds(event, module_database_url)


async def test_time_is_given_where_it_is_of_use_by_who_may(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 2)
    told = await event.begun((await event.published())["tables"])
    table = told["tables"][0]
    path = f"{event.path}{board_path(event, told, table)}/time"
    wanted = {"expected_seq": table["seq"], "entry": table["seats"][0], "seconds": 15, "reason": "x"}
    assert await code(event.host, "POST", path, wanted) == "no-clock"
    assert await code(event.host, "POST", path, {**wanted, "entry": 9}) == "not-seated"
    assert await code(event.host, "POST", path, {**wanted, "seconds": 0}) == "invalid-request"
    assert await code(event.host, "POST", path, {**wanted, "expected_seq": 0}) == "stale-desk"
    assert await code(event.seated(table)[0], "POST", path, wanted) == "insufficient-scope"
    assert await code(await host_of(http, base, "Olga"), "POST", path, wanted) == "not-arbiter"
    told = await event.play(1, 1)
    again = {**wanted, "expected_seq": told["tables"][0]["seq"]}
    assert await code(event.host, "POST", path, again) == "game-over"
    assert told["tables"][0]["added"] == []


def seconds_between(one: str, other: str) -> float:
    return (datetime.fromisoformat(other) - datetime.fromisoformat(one)).total_seconds()


async def has_time(person: Person, table: str, seat: int, least: int) -> bool:
    """Check that a seat's clock has at least this many seconds left."""
    clocks = (await person.get(f"/tables/{table}/view"))["clocks"]
    return bool(clocks["seats"][seat]["remaining_ms"] >= 1000 * least)


async def told_by(person: Person, table: str) -> list[Json]:
    events: list[Json] = (await person.get(f"/tables/{table}/events"))["events"]
    return events


# --- rounds that end ------------------------------------------------------------------------------------------------------
async def test_a_round_that_is_over_ends_its_games_as_they_stand(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 2, {**SWISS, "rounds": 1, "round_time": 1, "overtime": 0}, wait=1)
    told = await event.published()
    assert told["tables"][0]["ends_at"]
    told = await event.settled(1, 1)
    table = told["tables"][0]
    assert table["reason"] == "adjudicated" and sorted(table["places"])[0] == 1
    await event.close(told)
    await holds(event, module_database_url)


# --- autopilot ------------------------------------------------------------------------------------------------------------
async def test_an_event_goes_on_by_itself_until_it_is_over(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await Event.set_up(
        await host_of(http, base, "Petra"), plan({**SWISS, "rounds": 2}, starts_at=int(time.time()) + 2, wait=3600)
    )
    event.moves = 1
    await event.opened()
    await event.enter(await players_of(http, base, 4))
    player, wanted = event.people[1], {"expected_seq": 0, "on": True}
    assert await code(player, "PUT", f"{event.path}/autopilot", wanted) == "insufficient-scope"
    await put(event, "/autopilot", expected_seq=0, on=True, rest=0, settle=0)
    for number in (1, 2):
        await until(lambda number=number: is_published(event, number))      # type: ignore[misc]
        await event.play(1, number)
    await until(lambda: is_over(event))
    body = await event.body()
    assert [each["status"] for each in body["rounds"]] == ["closed", "closed"]
    rows = (await event.host.get(f"{event.path}/stream"))["rows"]
    assert {row["row"]["by"] for row in rows if row["type"] in ("round_drafted", "round_published", "round_closed")} == {
        "autopilot"
    }
    assert sum(row["type"] == "round_published" for row in rows) == 2
    await holds(event, module_database_url)
    await is_found_where_it_was_not_next(event, module_database_url)


async def is_found_where_it_was_not_next(event: Event, database_url: str) -> None:
    """Check that `verify` finds actions of an autopilot that is off or not yet due."""
    stream = ids.decode(event.id)
    async with await EventStore.open(database_url) as store:
        rows = await store.read(stream)
    at = next(n for n, row in enumerate(rows) if isinstance(said(row), AutopilotSet))
    for otherwise in (AutopilotSet(event.host.id, False, 0, 0, ""), AutopilotSet(event.host.id, True, 3600, 3600, "")):
        changed = [*rows]
        changed[at] = msgspec.structs.replace(rows[at], data=encode(otherwise))
        assert verify_events(stream, relinked(changed), keyed=True)[1].fault is not None


async def is_published(event: Event, number: int) -> bool:
    rounds = (await event.body())["rounds"]
    return len(rounds) == number and bool(rounds[-1]["status"] == "published")


async def is_over(event: Event) -> bool:
    return bool((await event.body())["status"] == "over")


async def test_a_host_goes_on_by_hand_and_what_cannot_be_stops_the_autopilot(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 2)
    draft = await event.drafted()
    await put(event, "/autopilot", expected_seq=0, on=True, rest=0, settle=0)
    pilot = (await event.body())["autopilot"]
    assert pilot["on"] and pilot["next"] is None            # a draft made by hand is published by hand
    told = await event.publish(draft)
    seq = (await event.body())["autopilot_seq"]
    assert await code(event.host, "PUT", f"{event.path}/autopilot", {"expected_seq": 0, "on": False}) == "stale-desk"
    await put(event, "/autopilot", expected_seq=seq, on=False)
    told = await event.play(1, 1)
    assert (await event.body())["rounds"][0]["status"] == "published"
    await event.close(told)
    for person in event.people.values():
        await person.patiently("DELETE", f"{event.path}/entries", headers=key())
    await put(event, "/autopilot", expected_seq=(await event.body())["autopilot_seq"], on=True, rest=0)
    await until(lambda: has_stopped(event))
    assert (await event.body())["autopilot"]["why"] == "too-few-entries"


async def has_stopped(event: Event) -> bool:
    return not (await event.body())["autopilot"]["on"]


# --- broadcasts -----------------------------------------------------------------------------------------------------------
async def test_a_broadcaster_says_what_is_shown_and_rules_on_nothing(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 4)
    bo, ann = await host_of(http, base, "Bo"), await host_of(http, base, "Ann")
    path = f"{event.path}/officials/{bo.id}"
    delay, wanted = f"{event.path}/delay", {"expected_seq": 0, "seconds": 60, "events": 0}
    assert await code(bo, "PUT", delay, wanted) == "forbidden"
    await event.appoint(bo, "broadcaster")
    assert (await bo.ask("PUT", delay, json=wanted, headers=key())).status_code == 200
    told = await event.begun((await event.published())["tables"])
    table = told["tables"][0]
    board, seq = event.path + board_path(event, told, table), {"expected_seq": table["seq"]}
    featured = {**seq, "featured": True}
    assert await code(ann, "PUT", f"{board}/featured", featured) == "not-arbiter"
    assert (await bo.ask("PUT", f"{board}/featured", json=featured, headers=key())).status_code == 200
    assert [one["board"] for one in (await event.body())["featured"]] == [1]
    for where, what in (
        (f"{board}/pause", {**seq, "reason": "No"}), (f"{event.path}/pause", {"expected_seq": 0, "reason": "No"}),
        (f"{board}/rulings", {**seq, "verdict": "void", "reason": "No"}), (f"{board}/hands", {}),
    ):  # fmt: skip
        assert await code(bo, "POST", where, what) == "not-arbiter"
    assert await code(bo, "POST", f"{event.path}/close", {"expected_seq": 0}) == "forbidden"
    officials = {one["player"]: one for one in (await event.body())["officials"]}
    assert officials[bo.id]["role"] == "broadcaster"
    taken = {"expected_seq": officials[bo.id]["seq"], "role": None}
    assert (await event.host.ask("PUT", path, json=taken)).status_code == 200
    assert await code(bo, "PUT", f"{board}/featured", {**featured, "featured": False}) == "not-arbiter"
    await holds(event, module_database_url)


async def test_an_events_delay_holds_at_its_tables_and_featured_ones_are_shown(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 4)
    await put(event, "/delay", expected_seq=0, seconds=600, events=3)
    told = await event.begun((await event.published())["tables"])
    table = told["tables"][1]
    watched = (await event.host.get(f"/tables/{table['table']}"))["policies"]["spectators"]
    assert (watched["who"], watched["events"], watched["seconds"]) == ("delayed", 3, 600)
    path = f"{board_path(event, told, table)}/featured"
    await put(event, path, expected_seq=table["seq"], featured=True)
    assert (await event.body())["featured"] == [{"board": 2, "table": table["table"]}]
    assert await code(event.host, "PUT", event.path + path, {"expected_seq": table["seq"], "featured": False}) == "stale-desk"
    await holds(event, module_database_url)
