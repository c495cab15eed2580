"""Organiser commands with their permissions and refusals.

Rulings, disputes and late entries are included.
"""
from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import httpx
import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.records.tournaments import verify_events
from ludarium.tournaments.event_types import encode
from ludarium.tournaments.events import RoleGiven
from ludarium_eventstore import EventStore
from tests.api.test_joining import STEP
from tests.support.people import Json, Person
from tests.support.tournaments import RULESET, SWISS, Event, code, event_of, host_of, key, organiser_of, plan, players_of, until
from tests.tournaments.tampered import relinked


# --- plans ----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("wanted, why", [
    (plan({"format": "swiss", "seats": 2, "rounds": 3, "most": 6, "through": 2}), "through"),
    (plan({"format": "swiss", "seats": 2}), "rounds"),
    (plan({"format": "single-elimination", "seats": 3}), "two at a table"),
    (plan({"format": "pods", "seats": 2}), "three or more"),
    (plan(SWISS, {"format": "single-elimination"}), "through"),
    (plan(SWISS, check_in=60), "starts_at"),
    ({"tables": {"ruleset": "kemet"}, "stages": [{"format": "swiss", "seats": 6, "rounds": 1}]}, "not for 6"),
])  # fmt: skip
async def test_what_cannot_be_is_refused(http: httpx.AsyncClient, base: Database, wanted: Json, why: str) -> None:
    host = await host_of(http, base, "Hugo")
    problem = await host.refused("POST", "/tournaments", {"title": "Cup", "plan": wanted})
    assert problem["code"] == "invalid-tournament" and why in problem["detail"]


@pytest.mark.parametrize("scheme, deals", [("duplicate", "shared"), ("share", "own")])
async def test_points_that_a_game_does_not_count_are_compared_by_no_plan(
    http: httpx.AsyncClient, base: Database, scheme: str, deals: str
) -> None:
    host, final = await host_of(http, base, "Gil"), {**SWISS, "through": 4, "scheme": scheme, "deals": deals}
    problem = await host.refused("POST", "/tournaments", {"title": "Cup", "plan": plan(SWISS, final)})
    assert problem["code"] == "no-game-points"
    assert RULESET in problem["detail"] and scheme in problem["detail"] and "place or 5310" in problem["detail"]
    event = await Event.set_up(host, plan(SWISS, final, tables={"ruleset": "lights-in-the-fog"}))
    change = {"title": "Cup", "plan": plan(SWISS, final), "expected_seq": 0}
    assert (await host.refused("PATCH", event.path, change))["code"] == "no-game-points"
    body = await event.body()
    assert (body["seq"], body["plan"]["tables"]["ruleset"]) == (0, "lights-in-the-fog")
    by_places = plan(SWISS, {**final, "scheme": "5310"})
    await host.patiently("PATCH", event.path, json={**change, "plan": by_places}, headers=key())
    assert (await event.body())["plan"]["tables"]["ruleset"] == RULESET


async def test_entering_has_its_rules(http: httpx.AsyncClient, base: Database) -> None:
    soon = int(time.time()) + 3600
    host = await host_of(http, base, "Ines")
    event = await Event.set_up(host, plan(SWISS, entrance="code", starts_at=soon, check_in=60), code="plum")
    ada, bea = await players_of(http, base, 2)
    entries = f"{event.path}/entries"
    assert await code(ada, "POST", entries, {"code": "plum"}) == "tournament-not-open"
    await event.opened()
    assert await code(ada, "POST", entries, {"code": "pear"}) == "entry-refused"
    await ada.post(entries, {"code": "plum"})
    assert await code(ada, "POST", entries, {"code": "plum"}) == "already-entered"
    assert await code(ada, "POST", f"{event.path}/check-in") == "check-in-early"
    assert await code(bea, "POST", f"{event.path}/check-in") == "not-entered"
    body = (await event.body())["plan"] | {"starts_at": int(time.time()) + 30}
    await host.patiently("PATCH", event.path, json={"title": "Cup", "plan": body, "code": "plum", "expected_seq": 0})
    await ada.post(f"{event.path}/check-in")
    again = {"idempotency-key": "same"}
    assert await bea.post(entries, {"code": "plum"}, **again) == await bea.post(entries, {"code": "plum"}, **again)
    await event.closed()
    assert await code(host, "POST", f"{event.path}/stages/1/rounds", {"expected_seq": 99}) == "future-sequence"
    assert await code(host, "POST", f"{event.path}/stages/1/rounds", {"expected_seq": 0}) == "stale-desk"
    seq = (await event.body())["status_seq"]
    assert await code(host, "POST", f"{event.path}/stages/1/rounds", {"expected_seq": seq}) == "too-few-entries"
    listed = (await host.get(entries))["entries"]
    assert [(entry["entry"], entry["checked_in"]) for entry in listed] == [(1, True), (2, False)]


async def test_an_import_takes_all_lines_or_none(http: httpx.AsyncClient, base: Database) -> None:
    event = await Event.set_up(await organiser_of(http, base, "Jana"), plan(SWISS, entrance="listed"))
    people = await players_of(http, base, 3)
    path = f"{event.path}/entries/import"
    broken = await event.host.refused("POST", path, {"csv": "\n".join(["nobody,x"] * 2000)})
    assert broken["code"] == "invalid-import"
    lines = [f"{people[0].id},1500", "=1+1,5", f"{people[1].id},lots", people[0].id]
    errors = (await event.host.refused("POST", path, {"csv": "\n".join(lines)}))["errors"]
    assert [error["pointer"] for error in errors] == ["/csv/2", "/csv/3"]
    assert await code(event.host, "POST", path, {"csv": "x" * 100_000}) in ("body-too-large", "invalid-request")
    twice = f"player,rating\n{people[0].id}\n\n{people[0].id}"
    assert (await event.host.refused("POST", path, {"csv": twice}))["errors"][0]["pointer"] == "/csv/4"
    nobody = f"player\n{people[0].id}\n{event.id}"
    assert [e["pointer"] for e in (await event.host.refused("POST", path, {"csv": nobody}))["errors"]] == ["/csv/3"]
    assert await code(event.host, "POST", path, {"csv": "player,rating,name"}) == "invalid-import"
    by_hand, sheet = f"{people[0].id},0", f"{people[1].id};1\r\n{people[2].id};2;Cyd, the third"
    await event.host.post(path, {"csv": by_hand})
    await event.host.post(path, {"csv": f"\ufeffPlayer;Rating;Name\r\n{sheet}\r\n"})
    assert [entry["rating"] for entry in (await event.host.get(f"{event.path}/entries"))["entries"]] == [0, 1, 2]
    assert await code(event.host, "POST", path, {"csv": people[2].id}) == "already-entered"


# --- rounds ---------------------------------------------------------------------------------------------------------------
async def test_a_draft_is_the_desks_until_it_is_published_once(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 6)
    draft = await event.drafted()
    path, player = event.path + event.round_path(1, 1), event.people[1]
    assert draft["seed"] is None and draft["quality"]["repeats"] == 0 and len(draft["tables"]) == 3
    assert await code(player, "GET", path) == "round-not-published"
    (one, beside), (other, _) = (table["seats"] for table in draft["tables"][:2])
    reasons = f"{event.path}/standings/{one}/why"
    assert (await event.host.get(reasons))["table"] and not (await player.get(reasons))["table"]
    nobody = {"expected_seq": draft["seq"], "swap": {"one": 1, "other": 77}}
    assert await code(event.host, "PATCH", path, nobody) == "pairing-invalid"
    impossible = {"expected_seq": draft["seq"], "tables": [[1, 2, 3]]}
    assert await code(event.host, "PATCH", path, impossible) == "pairing-invalid"
    swap = {"expected_seq": draft["seq"], "swap": {"one": one, "other": other}}
    assert (await event.host.patiently("PATCH", path, json=swap)).status_code == 200
    assert await code(event.host, "POST", f"{path}/publish", {"expected_seq": draft["seq"]}) == "stale-desk"
    changed = await event.round(1, 1)
    assert changed["tables"][0]["seats"] == [other, beside]
    before = (await event.host.get(reasons))["table"]
    again = key()
    seq = {"expected_seq": changed["seq"]}
    assert await event.host.post(f"{path}/publish", seq, **again) == await event.host.post(f"{path}/publish", seq, **again)
    assert await code(event.host, "POST", f"{path}/publish", seq) == "round-published"
    assert (await player.get(reasons))["table"] == before
    assert await code(event.host, "POST", f"{event.path}/stages/1/rounds", {"expected_seq": changed["seq"] + 1}) == "round-open"
    told = await player.get(path)
    assert told["seed"] and [table["seats"] for table in told["tables"]] == [table["seats"] for table in changed["tables"]]
    assert await code(event.host, "POST", f"{path}/close", {"expected_seq": told["seq"]}) == "tables-open"


async def test_rulings_and_disputes(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 4, {**SWISS, "rounds": 1})
    told = await event.published()
    first, second = told["tables"]
    player, path = event.people[first["seats"][0]], f"{event.path}{event.round_path(1, 1)}/tables/1"
    assert await code(player, "POST", f"{path}/disputes", {"reason": "Why"}) == "table-running"
    stranger = await host_of(http, base, "Olga")
    ruling = {"expected_seq": first["seq"], "verdict": "places", "places": [2, 1], "reason": "Seen"}
    assert await code(stranger, "POST", f"{path}/rulings", ruling) == "not-arbiter"
    assert await code(event.host, "POST", f"{path}/rulings", {**ruling, "places": [2, 2]}) == "invalid-places"
    await event.rule(told, second, "void")
    told = await event.play(1, 1)
    assert (told["tables"][1]["reason"], told["tables"][1]["places"]) == ("voided", [])
    await player.post(f"{path}/disputes", {"reason": "A wrong card"})
    close = f"{event.path}/stages/1/rounds/1/close"
    assert await code(event.host, "POST", close, {"expected_seq": told["seq"]}) == "dispute-open"
    told = await event.round(1, 1)
    assert told["tables"][0]["dispute"] == "A wrong card"
    assert (await player.get(f"{event.path}/stages/1/rounds/1"))["tables"][0]["dispute"] is None
    places = [*reversed(told["tables"][0]["places"])]
    await event.rule(told, told["tables"][0], "places", places)
    told = await event.round(1, 1)
    assert told["tables"][0]["places"] == places and told["tables"][0]["ruling"]["reason"] == "As was seen"
    await event.close(told)
    rows = (await event.host.get(f"{event.path}/standings"))["rows"]
    assert sorted(row["points"] for row in rows) == [0, 60, 60, 120]
    assert await code(player, "POST", f"{path}/disputes", {"reason": "Again"}) == "round-closed"
    record = await event.host.get(f"/tables/{told['tables'][0]['table']}")
    assert record["status"] == "over"


async def test_officials_have_their_roles_from_the_owner(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 2)
    other = await host_of(http, base, "Pia")
    path = f"{event.path}/officials/{other.id}"
    assert await code(other, "POST", f"{event.path}/cancel", {"expected_seq": 0}) == "forbidden"
    await event.appoint(other, "host")
    assert await code(other, "PUT", path, {"expected_seq": 99, "role": "owner"}) == "forbidden"
    seq = (await event.body())["officials"][-1]["seq"]
    assert (await event.host.ask("PUT", path, json={"expected_seq": seq, "role": "owner"})).status_code == 200
    roles = {one["player"]: one["role"] for one in (await event.body())["officials"]}
    assert roles == {event.host.id: "host", other.id: "owner"}
    await other.post(f"{event.path}/cancel", {"expected_seq": (await event.body())["status_seq"]})
    assert await code(event.people[1], "DELETE", f"{event.path}/entries") == "tournament-over"


async def test_hosts_go_on_when_the_owner_has_gone(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 2, {**SWISS, "rounds": 1})
    owner, event.host = event.host, await host_of(http, base, "Quinn")
    path = f"{event.path}/officials/{event.host.id}"
    assert (await owner.ask("PUT", path, json={"expected_seq": 0, "role": "host"})).status_code == 200
    await event.host.post(f"{event.path}/role", None, **key())
    assert (await owner.ask("DELETE", "/me")).status_code == 204
    told = await event.published()
    await event.rule(told, told["tables"][0], "void")
    await event.close(await event.settled(1, 1))
    assert (await event.body())["status"] == "over"


async def test_the_first_host_who_is_there_takes_over_when_the_owner_has_gone(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 2)
    owner, names = event.host, ("Remo", "Sina", "Tara", "Udo")
    gone, first, second, judge = [await host_of(http, base, name) for name in names]

    async def named(by: Person, whom: Person, role: str | None) -> str:
        seqs = {one["player"]: one["seq"] for one in (await event.body())["officials"]}
        wanted = {"expected_seq": seqs.get(whom.id, 0), "role": role}
        told = await by.ask("PUT", f"{event.path}/officials/{whom.id}", json=wanted)
        if told.is_success and role is not None and whom.id not in seqs:
            await whom.post(f"{event.path}/role", None, **key())
        return "" if told.is_success else str(told.json()["code"])

    given = [(judge, "arbiter"), (gone, "host"), (second, "arbiter"), (first, "host"), (second, "host")]
    assert [await named(owner, whom, role) for whom, role in given] == [""] * 5
    assert (await gone.ask("DELETE", "/me")).status_code == 204
    assert await named(first, first, "owner") == "forbidden"
    assert (await owner.ask("DELETE", "/me")).status_code == 204
    refused = [(judge, judge), (second, second), (second, first), (first, second)]
    assert [await named(by, whom, "owner") for by, whom in refused] == ["forbidden"] * 4
    assert await named(first, judge, None) == await named(first, first, None) == "forbidden"
    assert [await named(first, first, "owner"), await named(second, second, "owner")] == ["", "forbidden"]
    roles = {one["player"]: one["role"] for one in (await event.body())["officials"]}
    assert roles == {
        owner.id: "host", gone.id: "host", first.id: "owner", second.id: "host", judge.id: "arbiter",
    }  # fmt: skip
    assert (await first.ask("GET", f"{event.path}/shared-addresses")).status_code == 200
    async with await EventStore.open(module_database_url) as store:
        rows = await store.read(ids.decode(event.id))
    assert verify_events(rows[0].stream, rows, keyed=True)[1].fault is None
    taken = RoleGiven(judge.id, judge.id, "owner")
    forged = relinked([*rows[:-1], msgspec.structs.replace(rows[-1], data=encode(taken))])
    fault = verify_events(rows[0].stream, forged, keyed=True)[1].fault
    assert fault is not None and fault.version == rows[-1].version
    assert [await named(first, owner, None), await named(first, judge, "host")] == ["", ""]


async def test_a_re_cut_seats_others_at_the_same_tables(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 5)
    told = await event.published()
    (bye,), tables = told["byes"], [[*table["seats"]] for table in told["tables"]]
    out, tables[0][0] = tables[0][0], bye
    await event.act(f"{event.round_path(1, 1)}/recut", told["seq"], tables=tables, byes=[], out=[out])
    cut = await event.round(1, 1)
    assert [table["table"] for table in cut["tables"]] == [table["table"] for table in told["tables"]]
    assert [table["seats"] for table in cut["tables"]] == tables and cut["recuts"] == 1
    newcomer = event.people[bye]
    mine = await newcomer.get(f"{event.path}/me")
    assert (mine["board"], mine["table"], mine["bye"]) == (1, cut["tables"][0]["table"], False)
    etag = (await newcomer.ask("GET", f"{event.path}/me")).headers["etag"]
    again = [await one.ask("GET", f"{event.path}/me", headers={"if-none-match": etag}) for one in (newcomer, event.people[out])]
    assert [answer.status_code for answer in again] == [304, 200]
    assert (await event.people[out].get(f"{event.path}/me"))["table"] is None

    async def sits() -> bool:
        seats = (await newcomer.get(f"/tables/{mine['table']}"))["seats"]
        return bool(seats[0]["player"] == newcomer.id)

    await until(sits)
    assert await code(newcomer, "DELETE", f"/tables/{mine['table']}/seats/0") == "forbidden"
    told = await event.play(1, 1)
    begun = {"expected_seq": cut["seq"], "tables": [*reversed(tables)], "out": [out]}
    assert await code(event.host, "POST", f"{event.path}/stages/1/rounds/1/recut", begun) == "board-begun"


async def test_no_shows_drops_late_entries_and_a_final(http: httpx.AsyncClient, base: Database) -> None:
    stages = {**SWISS, "rounds": 2}, {"format": "single-elimination", "through": 2}
    event = await event_of(http, base, 4, *stages, wait=2, grace=0, late_rounds=1, late_points=60)
    told = await event.published()
    absent = told["tables"][0]["seats"][0]
    told = await event.play(1, 1, absent=[absent])
    assert told["tables"][0]["absent"] == [0] and told["tables"][0]["places"] == [2, 1]
    await event.close(told)
    here = told["tables"][0]["seats"][1]
    why = {entry: (await event.host.get(f"{event.path}/standings/{entry}/why"))["place"] for entry in (absent, here)}
    sentence = "You did not come to table 1 in round 1: no points."
    assert [sentence in why[entry] for entry in (absent, here)] == [True, False]
    await event.people[absent].patiently("DELETE", f"{event.path}/entries")
    await event.opened()
    await event.enter(await players_of(http, base, 1))
    await event.closed()
    second = await event.whole_round()
    assert {entry for table in second["tables"] for entry in table["seats"]} == {1, 2, 3, 4, 5} - {absent}
    late = (await event.host.get(f"{event.path}/entries"))["entries"][-1]
    assert (late["joined"], late["points"]) == (2, 60)
    rows = (await event.host.get(f"{event.path}/standings", stage=1))["rows"]
    through = [row["entry"] for row in rows if row["entry"] != absent]
    assert await code(event.host, "POST", f"{event.path}/stages/1/rounds", {"expected_seq": 999}) == "future-sequence"
    final = await event.whole_round(2)
    assert {*final["tables"][0]["seats"]} == {*through[:2]}
    assert (await event.body())["status"] == "over"


# --- public pages ---------------------------------------------------------------------------------------------------------
async def test_the_public_pages(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 4, {**SWISS, "rounds": 1})
    await base.rows("update accounts.players set name = '=1+1' where id = (select id from accounts.players where name = 'Bot 3'"
                    " order by id desc limit 1)")  # fmt: skip
    told = await event.whole_round()
    listed = (await http.get("/tournaments", params={"status": "over"})).json()["tournaments"]
    assert event.id in [one["id"] for one in listed]
    pages = ("", "/entries", "/standings", "/standings/1/why", "/crosstable", "/bracket", "/stages/1/rounds/1", "/stream")
    for page in pages:
        first = await http.get(event.path + page)
        assert first.status_code == 200, first.text
        again = await http.get(event.path + page, headers={"if-none-match": first.headers["etag"]})
        assert again.status_code == 304, page
    why = (await http.get(f"{event.path}/standings/1/why", headers={"accept-language": "hu"})).json()
    assert why["place"] and why["table"]
    names = ("entries", "pairings", "standings", "crosstable")
    sheets = [(await http.get(f"{event.path}/sheets/{name}")).text for name in names]
    assert all(sheet.count("\r\n") >= 5 for sheet in sheets) and "'=1+1" in sheets[0] and ",=1+1" not in "".join(sheets)
    opened = (await http.get(f"/tables/{told['tables'][0]['table']}/events")).json()["events"][0]
    assert opened["data"]["tournament"] == {"id": event.id, "stage": 1, "round": 1, "board": 1}
    assert opened["data"]["deal"]["commitment"] == told["tables"][0]["deal"]
    assert (await http.get(f"{event.path}/standings", params={"stage": 2})).status_code == 404


async def test_standings_tell_of_a_round_what_is_over(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 4)
    told = await event.published()

    async def points() -> dict[int, int]:
        return {row["entry"]: row["points"] for row in (await event.host.get(f"{event.path}/standings"))["rows"]}

    assert await points() == {1: 0, 2: 0, 3: 0, 4: 0}
    loser, winner = told["tables"][0]["seats"]
    await event.lost(told, 1, loser)
    others = dict.fromkeys(told["tables"][1]["seats"], 0)
    assert await points() == {winner: 120, loser: 0, **others}
    await event.rule(told, told["tables"][1], "void")
    assert await points() == {winner: 120, loser: 0, **dict.fromkeys(others, 60)}


async def test_a_tournament_goes_as_the_page_says(http: httpx.AsyncClient, base: Database) -> None:
    _, _, after = Path("docs/frontend.md").read_text().partition("## Tournaments")
    example = after.split("```")[1].strip()
    steps, event_id = STEP.findall(example), ""
    assert len(steps) == len(example.splitlines())
    ada, ben = await players_of(http, base, 2)
    named = {"eve": await host_of(http, base, "Eve"), "ada": ada, "ben": ben}
    for who, method, path, body, status, wanted in steps:
        answer = await named[who].ask(method, path.replace("{id}", event_id), json=json.loads(body) if body else None)
        told = answer.json()
        assert (answer.status_code, told.get("code", "")) == (int(status), wanted), (method, path, told)
        event_id = event_id or told["id"]


async def test_many_enter_at_once(http: httpx.AsyncClient, base: Database) -> None:
    event = await Event.set_up(await host_of(http, base, "Rosa"), plan(SWISS))
    await event.opened()
    people = await players_of(http, base, 40)
    told = await asyncio.gather(*(person.post(f"{event.path}/entries", {"code": ""}, **key()) for person in people))
    assert sorted(one["entry"] for one in told) == [*range(1, 41)]
