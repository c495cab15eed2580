"""Group stages have seeded groups, each with a separate pairing and standings.

The best of each group enter the next stage.
"""
from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random

import httpx
import pytest

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.records.tournament_tables import faults_of_tournament
from ludarium.tournaments.groups import cycle, eligible_entries, rounds_of
from ludarium.tournaments.plan import StageBody
from ludarium_eventstore import EventStore
from ludarium_pairing.model import Entry, Settings
from tests.faults.tournament_log import missed, wrong
from tests.support.people import Json
from tests.support.tournaments import Event, code, event_of, host_of, key, plan
from tests.support.waiting import LIMIT

ROBIN = {"format": "round-robin", "rounds": 5, "groups": 2}
SWISS = {"format": "swiss", "rounds": 2, "groups": 3}
FINAL = {"format": "single-elimination", "through": 4}
TAMPERED = 30


@pytest.fixture(scope="module")
async def http(address: object) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as client:     # type: ignore[attr-defined]
        yield client


@pytest.fixture(scope="module")
async def cup(http: httpx.AsyncClient, base: Database) -> tuple[Event, list[Json]]:
    """Return a tournament with its rounds.

    Nine entries play in two groups, and four of them in a final.
    """
    event = await event_of(http, base, 9, ROBIN, FINAL)
    rounds = [await event.whole_round() for _ in range(5)]
    return event, [*rounds, await event.whole_round(2), await event.whole_round(2)]


async def test_each_group_plays_for_itself_until_all_of_it_have_met(cup: tuple[Event, list[Json]]) -> None:
    _, rounds = cup
    groups = rounds[0]["groups"]
    assert groups == [[1, 4, 5, 8, 9], [2, 3, 6, 7]]
    assert all(each["groups"] == groups for each in rounds[:5]) and rounds[5]["groups"] == []
    met = [{*table["seats"]} for each in rounds[:5] for table in each["tables"]]
    assert sorted(map(sorted, met)) == sorted(
        [one, other] for group in groups for one in group for other in group if one < other
    )
    assert [len(each["tables"]) for each in rounds] == [4, 4, 4, 2, 2, 2, 1]
    assert [len(each["byes"]) for each in rounds] == [1, 1, 1, 1, 1, 0, 0]


async def test_standings_are_of_groups_and_the_first_of_each_go_on(cup: tuple[Event, list[Json]]) -> None:
    event, rounds = cup
    rows = (await event.host.get(f"{event.path}/standings", stage=1))["rows"]
    assert [row["group"] for row in rows] == [1] * 5 + [2] * 4
    assert [rows[0]["place"], rows[5]["place"]] == [1, 1]
    first = [[row["entry"] for row in rows if row["group"] == group][:2] for group in (1, 2)]
    final = [{*table["seats"]} for table in rounds[5]["tables"]]
    assert {entry for table in final for entry in table} == {*first[0], *first[1]}
    winners = {first[0][0], first[1][0]}
    assert all(len(winners & table) == 1 for table in final)
    for row in rows:
        why = await event.host.get(f"{event.path}/standings/{row['entry']}/why", stage=1)
        assert why["place"] and bool(why["table"]) == (row["group"] == 1)
    cross = (await event.host.get(f"{event.path}/crosstable", stage=1))["rows"]
    assert [(row["group"], len(row["rounds"])) for row in cross] == [(1, 5)] * 5 + [(2, 3)] * 4


async def test_groups_are_in_files_and_pictures(cup: tuple[Event, list[Json]]) -> None:
    event, _ = cup
    sheet = (await event.host.ask("GET", f"{event.path}/sheets/standings?stage=1")).text.splitlines()
    assert sheet[0].startswith("group,place,") and [line[:3] for line in sheet[1:]].count("2,1") == 1
    picture = (await event.host.ask("GET", f"{event.path}/pictures/standings?stage=1")).text
    assert picture.count("№ 1") == picture.count("№ 2") == 1
    report = await event.host.ask("GET", f"{event.path}/report?stage=1&group=2")
    assert len([line for line in report.text.splitlines() if line.startswith("001")]) == 4
    assert await code(event.host, "GET", f"{event.path}/report?stage=1") == "no-report"
    assert await code(event.host, "GET", f"{event.path}/report?stage=1&group=3") == "not-found"
    assert await code(event.host, "GET", f"{event.path}/report?stage=2&group=1") == "not-found"


async def test_all_of_it_is_computed_again(cup: tuple[Event, list[Json]], module_database_url: str) -> None:
    event, _ = cup
    async with await EventStore.open(module_database_url) as store:
        stages = (1, 2)
        shown = {at: (await event.host.get(f"{event.path}/standings", stage=at))["rows"] for at in stages}
        assert await wrong(store, event, shown) == []
        assert await missed(store, event, Random(5), TAMPERED) == []


async def test_nobody_is_put_into_another_group_by_hand(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 9, SWISS, FINAL)
    draft = await event.drafted()
    one, _, other = draft["groups"]
    path = f"{event.path}{event.round_path(1, 1)}"

    async def edit(**what: object) -> httpx.Response:
        seq = (await event.round(1, 1))["seq"]
        return await event.host.ask("PATCH", path, json={"expected_seq": seq, **what}, headers=key())

    assert (await edit(swap={"one": one[0], "other": other[0]})).json()["code"] == "pairing-invalid"
    assert (await edit(swap={"one": draft["byes"][0], "other": draft["byes"][1]})).json()["code"] == "pairing-invalid"
    assert (await edit(tables=[[one[0], other[0]]])).json()["code"] == "pairing-invalid"
    out, beside, _ = draft["byes"]
    assert (await edit(swap={"one": out, "other": beside})).json()["code"] == "pairing-invalid"
    assert (await edit(tables=[[one[0], one[2]]])).status_code == 200
    assert (await edit(swap={"one": one[0], "other": one[1]})).status_code == 200
    told = await event.publish(await event.round(1, 1))
    assert {*one[1:]} in [{*table["seats"]} for table in told["tables"]] and one[0] in told["byes"]
    seats = [table["seats"] for table in told["tables"]]
    crossed = [[seats[0][0], seats[1][0]], [seats[0][1], seats[1][1]], seats[2]]
    recut = {"expected_seq": told["seq"], "tables": crossed, "byes": told["byes"], "out": []}
    assert await code(event.host, "POST", f"{path}/recut", recut) == "pairing-invalid"
    out = {**recut, "tables": [seats[0]], "byes": [told["byes"][0]], "out": [*seats[1], *seats[2], *told["byes"][1:]]}
    await event.host.post(f"{path}/recut", out, **key())
    await event.close(await event.play(1, 1))
    await event.people[one[0]].patiently("DELETE", f"{event.path}/entries", headers=key())
    last = await event.whole_round()
    assert last["groups"] == draft["groups"] and one[0] not in last["byes"]
    assert [{*table["seats"]} <= {*group} for table, group in zip(last["tables"], last["groups"], strict=True)] == [True] * 3
    assert len((await event.published(2))["tables"]) == 2
    stream = ids.decode(event.id)
    async with await EventStore.open(module_database_url) as store:
        assert [fault async for fault in faults_of_tournament(store, stream, await store.read(stream))] == []


async def test_a_group_needs_two_to_begin(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 5, SWISS, FINAL)
    seq = (await event.body())["status_seq"]
    assert await code(event.host, "POST", f"{event.path}/stages/1/rounds", {"expected_seq": seq}) == "too-few-entries"


@pytest.mark.parametrize(("stages", "more"), [
    ([SWISS], {}),
    ([{"format": "single-elimination", "groups": 2}, FINAL], {}),
    ([{**SWISS, "groups": 5}, FINAL], {}),
    ([SWISS, {**SWISS, "through": 5}, FINAL], {}),
    ([SWISS, FINAL], {"late_rounds": 1}),
])  # fmt: skip
async def test_plans_of_groups_that_cannot_be(http: httpx.AsyncClient, base: Database, stages: list[Json], more: Json) -> None:
    host = await host_of(http, base, "Olga")
    assert await code(host, "POST", "/tournaments", {"title": "Cup", "plan": plan(*stages, **more)}) == "invalid-tournament"


def test_who_is_dealt_to_groups() -> None:
    """Reserves fill gaps.

    Entries may sit out round 1, but may not withdraw before that round.
    """
    entries = (
        Entry("a", out=(1,)), Entry("b", left=1), Entry("c", left=2), Entry("d", reserve=True), Entry("e", reserve=True),
    )  # fmt: skip
    found = eligible_entries(entries, Settings(places=3))
    assert [(entry.id, entry.reserve) for entry in found] == [("a", False), ("c", False), ("d", False)]


@pytest.mark.parametrize(("rounds", "size", "plays"), [(5, 4, 3), (3, 4, 3), (2, 4, 2), (10, 4, 6), (7, 4, 6), (5, 5, 5)])
def test_a_smaller_group_plays_until_it_has_met_as_often(rounds: int, size: int, plays: int) -> None:
    assert rounds_of(StageBody("round-robin", rounds=rounds), size, 5) == plays
    assert rounds_of(StageBody("swiss", rounds=rounds), size, 5) == rounds
    assert (cycle(4), cycle(5)) == (3, 5)
