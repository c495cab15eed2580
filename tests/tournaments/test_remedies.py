"""Corrections such as discarded drafts, penalties, replays and substitutes."""
from __future__ import annotations

import httpx

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.records.tournament_tables import faults_of_tournament
from ludarium.tournaments.hash_chain import fold_events
from ludarium_eventstore import EventStore
from tests.faults.tournament_log import other_places
from tests.support.people import Json
from tests.support.tournaments import SWISS, Event, code, event_of, host_of, key, players_of, until

ONE = {**SWISS, "rounds": 1}


async def holds(event: Event, database_url: str) -> None:
    """Check the log with `ludarium tournament verify` and the second implementation."""
    stream = ids.decode(event.id)
    async with await EventStore.open(database_url) as store:
        rows = await store.read(stream)
        assert [fault async for fault in faults_of_tournament(store, stream, rows)] == []
    state = fold_events(stream, rows)
    stages = range(1, state.stage + 1)
    shown = {stage: (await event.host.get(f"{event.path}/standings", stage=stage))["rows"] for stage in stages}
    assert [*other_places(state, shown)] == []


async def test_a_draft_is_taken_back_step_by_step(http: httpx.AsyncClient, base: Database, module_database_url: str) -> None:
    event = await event_of(http, base, 4, ONE)
    first = await event.drafted()
    path = event.round_path(1, 1)
    one, other = (table["seats"][0] for table in first["tables"])
    swap = {"expected_seq": first["seq"], "swap": {"one": one, "other": other}}
    assert (await event.host.ask("PATCH", event.path + path, json=swap, headers=key())).status_code == 200
    changed = await event.round(1, 1)
    assert changed["edits"] == 1
    assert await code(event.host, "POST", f"{event.path}{path}/take-back", {"expected_seq": first["seq"]}) == "stale-desk"
    stranger = await host_of(http, base, "Nora")
    assert await code(stranger, "POST", f"{event.path}{path}/take-back", {"expected_seq": 0}) == "forbidden"
    again = key()
    seq = {"expected_seq": changed["seq"]}
    for _ in range(2):
        await event.host.post(f"{event.path}{path}/take-back", seq, **again)
    back = await event.round(1, 1)
    assert (back["edits"], [t["seats"] for t in back["tables"]]) == (0, [t["seats"] for t in first["tables"]])
    await event.act(f"{path}/take-back", back["seq"])
    assert await code(event.host, "GET", event.path + path) == "not-found"
    anew = await event.published()
    assert anew["commitment"] == first["commitment"]
    assert await code(event.host, "POST", f"{event.path}{path}/take-back", {"expected_seq": anew["seq"]}) == "round-published"
    await holds(event, module_database_url)


async def test_penalties_count_until_they_are_taken_back(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 2, {**SWISS, "rounds": 2})
    told = await event.whole_round()
    winner = told["tables"][0]["seats"][told["tables"][0]["places"].index(1)]
    path = f"{event.path}/entries/{winner}/penalty"

    async def points() -> int:
        rows = (await event.host.get(f"{event.path}/standings"))["rows"]
        return int(next(row["points"] for row in rows if row["entry"] == winner))

    async def penalty(units: int, **more: int) -> Json:
        seq = (await event.host.get(f"{event.path}/entries"))["entries"][winner - 1]["seq"]
        return {"expected_seq": seq, "units": units, "reason": "Late again", **more}

    assert await code(await host_of(http, base, "Nora"), "PUT", path, await penalty(60)) == "not-arbiter"
    assert await code(event.host, "PUT", path, {**await penalty(60), "expected_seq": 0}) == "stale-desk"
    assert await code(event.host, "PUT", path, await penalty(60, stage=2)) == "not-found"
    for units, left in ((60, 60), (200, -80), (0, 120)):
        answer = await event.host.ask("PUT", path, json=await penalty(units), headers=key())
        assert (answer.status_code, await points()) == (200, left)
        entry = (await event.host.get(f"{event.path}/entries"))["entries"][winner - 1]
        assert [one["units"] for one in entry["penalties"]] == ([units] if units else [])
        assert [one["reason"] for one in entry["penalties"]] == (["Late again"] if units else [])
    await event.host.ask("PUT", path, json=await penalty(200), headers=key())
    await event.whole_round()
    assert await code(event.host, "PUT", path, await penalty(0)) == "tournament-over"
    await holds(event, module_database_url)


async def test_a_board_is_played_again_from_another_deal(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 2, ONE)
    told = await event.published()
    path = f"{event.path}{event.round_path(1, 1)}/tables/1/replay"
    again = {"expected_seq": told["tables"][0]["seq"], "reason": "A card was shown"}
    assert await code(event.host, "POST", path, again) == "game-not-started"
    table = (await event.begun(told["tables"]))["tables"][0]
    assert await code(await host_of(http, base, "Nora"), "POST", path, again) == "not-arbiter"
    first = table["table"]
    await event.host.post(path, again, **key())
    assert await code(event.host, "POST", path, again) == "stale-desk"
    board = (await event.round(1, 1))["tables"][0]
    assert (board["earlier"], board["replayed"], board["status"]) == ([first], "A card was shown", "waiting")
    assert board["table"] != first and board["deal"] != table["deal"]
    assert (await event.people[1].get(f"{event.path}/me"))["table"] == board["table"]

    async def voided() -> bool:
        return bool((await event.host.get(f"/tables/{first}"))["reason"] == "voided")

    await until(voided)
    told = await event.play(1, 1)
    places = told["tables"][0]["places"]
    await event.host.post(path, {**again, "expected_seq": told["tables"][0]["seq"]}, **key())
    assert (await event.round(1, 1))["tables"][0]["places"] == []
    told = await event.play(1, 1)
    assert len(told["tables"][0]["earlier"]) == 2 and sorted(told["tables"][0]["places"]) == sorted(places)
    await event.close(await event.round(1, 1))
    assert await code(event.host, "POST", path, {**again, "expected_seq": told["seq"] + 9}) == "round-closed"
    await holds(event, module_database_url)


async def test_another_player_goes_on_in_the_middle_of_a_game(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 2, {**SWISS, "rounds": 2})
    table = (await event.begun((await event.published())["tables"]))["tables"][0]
    entry = table["seats"][0]
    before, (after, _) = event.people[entry], await players_of(http, base, 2)
    path = f"{event.path}/entries/{entry}/replace"
    seq = (await event.host.get(f"{event.path}/entries"))["entries"][entry - 1]["seq"]
    wanted = {"expected_seq": seq, "player": after.id, "reason": "Ada fell ill"}
    assert await code(await host_of(http, base, "Nora"), "POST", path, wanted) == "forbidden"
    assert await code(event.host, "POST", path, {**wanted, "player": "0" * 26}) == "no-such-player"
    assert await code(event.host, "POST", path, {**wanted, "player": event.people[3 - entry].id}) == "already-entered"
    await event.host.post(path, wanted, **key())
    assert (await before.get(f"{event.path}/me"))["entry"] == entry, "the other one has not accepted yet"
    await after.post(f"{event.path}/entries", {}, **key())
    event.people[entry] = after

    async def sits() -> bool:
        return bool((await after.get(f"/tables/{table['table']}"))["seats"][0]["player"] == after.id)

    await until(sits)
    assert await code(before, "GET", f"{event.path}/me") == "not-entered"
    assert (await after.get(f"{event.path}/me"))["table"] == table["table"]
    told = (await event.host.get(f"{event.path}/entries"))["entries"][entry - 1]
    assert (told["former"], told["replaced"], told["player"]) == ([before.id], "Ada fell ill", after.id)
    back = {"expected_seq": told["seq"], "player": before.id, "reason": "Ada is well"}
    assert await code(event.host, "POST", path, back) == "already-entered"
    await event.close(await event.play(1, 1))
    await event.whole_round()
    await holds(event, module_database_url)


async def test_an_official_who_has_seen_hands_plays_no_more(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 3, {**SWISS, "rounds": 2}, late_rounds=1)
    arbiter = await host_of(http, base, "Pia")
    await event.opened()
    await event.enter([arbiter])
    await event.closed()
    told = await event.published()
    path = f"{event.path}{event.round_path(1, 1)}/tables/1/hands"
    assert await code(event.host, "POST", path) == "game-not-started"
    table = (await event.begun(told["tables"]))["tables"][0]
    stranger = await host_of(http, base, "Nora")
    assert await code(stranger, "POST", path) == "not-arbiter"
    await event.appoint(arbiter, "arbiter")
    assert await code(arbiter, "POST", path) == "plays-there"
    again = key()
    told = await event.host.post(path, None, **again)
    assert told["seq"] == (await event.host.post(path, None, **again))["seq"]
    assert [hand["viewer"] for hand in told["hands"]] == [0, 1]
    assert all(hand["view"] for hand in told["hands"])
    own = await event.people[table["seats"][0]].get(f"/tables/{table['table']}/view")
    assert told["hands"][0]["view"] == own["view"]
    seen = await http.get(event.path + event.round_path(1, 1))
    assert seen.json()["tables"][0]["looks"] == [{"by": event.host.id, "seq": told["seq"]}]
    await event.opened()
    assert await code(event.host, "POST", f"{event.path}/entries", {"code": ""}) == "saw-hands"
    assert await code(event.host, "POST", f"{event.path}/entries/import", {"csv": event.host.id}) == "saw-hands"
    await holds(event, module_database_url)
