"""Fairness by shared deals, players' nonces, and players who must not meet."""
from __future__ import annotations

from hashlib import blake2b
from typing import Any

import httpx
import pytest

from ludarium.platform.database import Database
from tests.support.tournaments import SWISS, TO_THE_END, code, event_of, host_of, key, played, players_of
from tests.tournaments.test_remedies import holds

SHARED = {**SWISS, "rounds": 1, "deals": "shared"}
COUNTS = {"ruleset": "lights-in-the-fog"}
"""A title whose games end with points, which the scheme `duplicate` compares."""


async def test_all_boards_of_a_shared_deal_play_the_same_cards_and_no_board_tells_another(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 5, SHARED)
    draft = await event.drafted()
    assert len({table["deal"] for table in draft["tables"]}) == 1
    nonce = f"{event.path}/nonce"
    assert (await event.people[2].ask("PUT", nonce, json={"nonce": "7f3a"}, headers=key())).status_code == 200
    assert await code(event.people[2], "PUT", nonce, {"nonce": "7f3b"}) == "nonce-given"
    assert await code(event.host, "PUT", nonce, {"nonce": "7f3b"}) == "not-entered"
    told = await event.publish(draft)
    mixed = blake2b((2).to_bytes(4, "big") + b"\x7f\x3a".ljust(32, b"\0"), digest_size=32).hexdigest()
    assert told["nonce"] == mixed
    first, second = told["tables"]
    await event.begun([first, second])
    here, there = event.seated(first)[0], event.seated(second)[0]
    for stranger, table in ((event.host, first), (here, second), (there, first)):
        for what in ("view", "events"):
            assert await code(stranger, "GET", f"/tables/{table['table']}/{what}") == "deal-running"
    mine, theirs = await here.get(f"/tables/{first['table']}/view"), await there.get(f"/tables/{second['table']}/view")
    assert mine["view"] == theirs["view"]
    await played(event.seated(first), first["table"], 1)
    assert (await here.get(f"/tables/{first['table']}"))["status"] == "over"
    assert await code(there, "GET", f"/tables/{first['table']}/view") == "deal-running"
    assert [table["places"] for table in (await event.round(1, 1))["tables"]] == [[], []]
    assert (await here.get(f"/tables/{first['table']}/proof"))["deal_seed"] is None
    await played(event.seated(second), second["table"], 1)
    told = await event.settled(1, 1)
    proofs = [(await http.get(f"/tables/{table['table']}/proof")).json() for table in told["tables"]]
    assert len({proof["deal_seed"] for proof in proofs}) == 1 and len({proof["seed"] for proof in proofs}) == 2
    assert blake2b(bytes.fromhex(proofs[0]["deal_seed"]), digest_size=32).hexdigest() == first["deal"]
    rows = (await http.get(f"{event.path}/stream")).json()["rows"]
    assert [row["row"]["boards"] for row in rows if row["type"] == "tables_begun"] == [[1, 2]]
    await event.close(told)
    await holds(event, module_database_url)


async def test_who_had_the_same_seat_of_a_shared_deal_is_compared_by_the_points_of_the_game(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 4, {**SHARED, "scheme": "duplicate"}, tables=COUNTS)
    event.moves = TO_THE_END
    told = await event.published()
    told = await event.play(1, told["round"])
    await event.close(told)
    rows = (await http.get(f"{event.path}/stream")).json()["rows"]
    points = {row["row"]["board"]: row["row"]["points"] for row in rows if row["type"] == "result"}
    assert [len(points[board]) for board in (1, 2)] == [2, 2]
    wanted = {
        entry: 60 * ((own > other) + (own >= other))
        for table in told["tables"]
        for entry, own, other in zip(table["seats"], points[table["board"]], points[3 - table["board"]], strict=True)
    }
    shown = (await http.get(f"{event.path}/standings")).json()["rows"]
    assert {row["entry"]: row["points"] for row in shown} == wanted
    await holds(event, module_database_url)


async def test_a_re_cut_changes_who_sits_at_a_board_and_not_what_it_plays(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 4, {**SWISS, "rounds": 1})
    assert (await event.people[3].ask("PUT", f"{event.path}/nonce", json={"nonce": "01"}, headers=key())).status_code == 200
    told = await event.published()
    tables = [[*table["seats"]] for table in told["tables"]]
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]
    await event.act(f"{event.round_path(1, 1)}/recut", told["seq"], tables=tables, byes=[])
    cut = await event.play(1, 1)
    assert [table["deal"] for table in cut["tables"]] == [table["deal"] for table in told["tables"]]
    for table in cut["tables"]:
        events = (await http.get(f"/tables/{table['table']}/events")).json()["events"]
        (started,) = (one["data"] for one in events if one["type"] == "game_started")
        assert started["nonces"] == [told["nonce"], told["nonce"]]
    await event.close(cut)
    await holds(event, module_database_url)


async def test_boards_of_a_shared_deal_that_are_left_over_are_voided_and_keep_nobody_waiting(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 4, SHARED)
    told = await event.published()
    first, second = told["tables"]
    await event.act(
        f"{event.round_path(1, 1)}/recut", told["seq"], tables=[first["seats"]], byes=[], out=second["seats"]
    )
    told = await event.play(1, 1)
    assert [table["status"] for table in told["tables"]] == ["over", "left-over"]
    await event.close(told)
    await holds(event, module_database_url)


async def test_a_board_of_a_shared_deal_is_played_again_from_a_deal_of_its_own(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 4, SHARED)
    told = await event.published()
    first, second = told["tables"]
    await event.begun([first, second])
    path = f"{event.path}{event.round_path(1, 1)}/tables/1/replay"
    await event.host.post(path, {"expected_seq": first["seq"], "reason": "A card was shown"}, **key())
    again = (await event.round(1, 1))["tables"][0]
    await event.play_match(told, again, set())
    assert await code(event.host, "GET", f"/tables/{first['table']}/view") == "deal-running"
    await played(event.seated(second), second["table"], 1)
    await event.close(await event.settled(1, 1))
    assert (await http.get(f"/tables/{first['table']}/proof")).json()["deal_seed"]
    await holds(event, module_database_url)


async def test_pairs_that_the_host_forbids_do_not_meet(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 4, {**SWISS, "rounds": 1})
    draft = await event.drafted()
    one, other = sorted(draft["tables"][0]["seats"])
    ada, ben = event.people[one], event.people[other]
    assert (await event.host.get(f"{event.path}/blocks"))["pairs"] == []
    assert (await ada.ask("PUT", f"/me/blocks/{ben.id}")).status_code == 204
    assert (await event.host.get(f"{event.path}/blocks"))["pairs"] == [[one, other]]
    assert await code(await host_of(http, base, "Nora"), "GET", f"{event.path}/blocks") == "forbidden"
    await event.act(f"{event.round_path(1, 1)}/take-back", draft["seq"])
    seats, draft = draft["tables"][0]["seats"], await event.drafted()
    assert draft["tables"][0]["seats"] == seats, "a block binds no pairing by itself"
    path = f"{event.path}/forbidden"
    assert await code(event.host, "PUT", path, {"expected_seq": 0, "pairs": [[1, 1]]}) == "pairing-invalid"
    assert await code(event.host, "PUT", path, {"expected_seq": 0, "pairs": [[1, 77]]}) == "not-found"
    wanted = {"expected_seq": 0, "pairs": [[other, one], [one, other]]}
    assert (await event.host.ask("PUT", path, json=wanted, headers=key())).status_code == 200
    assert await code(event.host, "PUT", path, wanted) == "stale-desk"
    assert (await event.body())["forbidden"] == [[one, other]]
    assert (await event.round(1, 1))["tables"][0]["seats"] == draft["tables"][0]["seats"]
    await event.act(f"{event.round_path(1, 1)}/take-back", draft["seq"])
    told = await event.published()
    assert {one, other} not in [{*table["seats"]} for table in told["tables"]]
    together = [[one, other], [*({1, 2, 3, 4} - {one, other})]]
    recut = {"expected_seq": told["seq"], "tables": together}
    assert await code(event.host, "POST", f"{event.path}{event.round_path(1, 1)}/recut", recut) == "pairing-invalid"
    await holds(event, module_database_url)


@pytest.mark.parametrize("nonce", ["", "7", "xy", "00" * 33])
async def test_what_is_no_nonce(http: httpx.AsyncClient, base: Database, nonce: Any) -> None:
    (ada,) = await players_of(http, base, 1)
    assert await code(ada, "PUT", f"/tournaments/{'0' * 26}/nonce", {"nonce": nonce}) == "invalid-request"
