"""The checks of acknowledged commands find lost, duplicate and misplaced commands."""
from __future__ import annotations

from uuid import UUID

import httpx
import msgspec
import pytest

from ludarium.tables.model.hash_chain import EPOCH
from ludarium.tournaments.event_types import TOURNAMENT_NUMBERS, AnyTournamentEvent, encode
from ludarium.tournaments.events import Begun, CheckedIn, Entered, Seeded, StatusSet
from ludarium_eventstore import StoredEvent
from tests.faults.acknowledged import Act, Acts, faults_of_acts

CUP = "01m84r03v7fpar4p7pr9dt880b"
PLAYERS = {"host's": "host", "ada's": "ada", "bea's": "bea"}


async def ask(acts: Acts, token: str, method: str, path: str, body: object, answer: object, key: str | None = None) -> None:
    """Record a command with its response, which is None if it was lost."""
    headers = {"authorization": f"Bearer {token}", "idempotency-key": key or f"{len(acts.known)}"}
    request = httpx.Request(method, f"http://here/api/v1/tournaments/{CUP}{path}", json=body, headers=headers)
    await acts.sent(request)
    if answer is not None:
        await acts.answered(httpx.Response(200, json=answer, request=request))


@pytest.fixture
async def acts() -> list[Act]:
    """Return commands of two players and a host, of which the last has no response."""
    made = Acts()
    await ask(made, "host's", "POST", "/open", {"expected_seq": 0}, {"seq": 0})
    await ask(made, "ada's", "POST", "/entries", {}, {"seq": 1, "entry": 1})
    await ask(made, "bea's", "POST", "/entries", {}, {"seq": 2, "entry": 2})
    await ask(made, "ada's", "POST", "/check-in", {}, {"seq": 3})
    await ask(made, "host's", "PUT", "/entries/2/seed", {"expected_seq": 2, "rating": 7}, {"seq": 4})
    await ask(made, "bea's", "POST", "/check-in", {}, None)
    return made.of(CUP)


ROWS: list[AnyTournamentEvent] = [
    StatusSet("host", "open"), Entered(1, "ada", 1, 0, 0, None), Entered(2, "bea", 1, 0, 0, None), CheckedIn(1),
    Seeded("host", 2, 7), Begun(1, 1, [1]),
]  # fmt: skip


def log(rows: list[AnyTournamentEvent]) -> list[StoredEvent]:
    return [
        StoredEvent(position=at, stream=UUID(int=0), version=at, type=TOURNAMENT_NUMBERS[type(row)][0],
                    schema=TOURNAMENT_NUMBERS[type(row)][1], at=EPOCH, data=encode(row), root=b"", hash=b"", secret=None)
        for at, row in enumerate(rows)
    ]  # fmt: skip


async def test_what_was_acknowledged_is_there_and_what_got_no_answer_may_be(acts: list[Act]) -> None:
    assert [*faults_of_acts(acts, log(ROWS), PLAYERS)] == []
    assert [*faults_of_acts(acts, log([*ROWS, CheckedIn(2)]), PLAYERS)] == []


@pytest.mark.parametrize("rows, told", [
    (ROWS[:4], "version 4 is None"),
    ([*ROWS[:4], Seeded("host", 2, 8)], "version 4 is Seeded"),
    ([*ROWS[:4], Seeded("ada", 2, 7)], "version 4 is Seeded"),
    ([*ROWS[:3], CheckedIn(2), ROWS[4]], "version 3 is CheckedIn"),
    ([ROWS[0], ROWS[2], ROWS[1], *ROWS[3:]], "version 1 is Entered"),
    ([*ROWS, CheckedIn(1)], "nobody asked for version 6"),
    ([*ROWS, CheckedIn(2), CheckedIn(2)], "nobody asked for version 7"),
    ([*ROWS, Entered(3, "cleo", 1, 0, 0, None)], "nobody asked for version 6"),
])  # fmt: skip
async def test_what_is_lost_elsewhere_twice_or_not_asked_for_is_told(
    acts: list[Act], rows: list[AnyTournamentEvent], told: str
) -> None:
    assert any(told in fault for fault in faults_of_acts(acts, log(rows), PLAYERS))


async def test_one_row_is_not_two_acts_and_one_act_not_two_rows(acts: list[Act]) -> None:
    twice = [*acts, msgspec.structs.replace(acts[3])]
    assert any("another act" in fault for fault in faults_of_acts(twice, log(ROWS), PLAYERS))
    again = [*acts[:3], msgspec.structs.replace(acts[3], seqs={3, 6}), *acts[4:]]
    found = [*faults_of_acts(again, log([*ROWS, CheckedIn(1)]), PLAYERS)]
    assert any("several versions" in fault for fault in found)


async def test_who_was_answered_before_another_asked_stands_before_it(acts: list[Act]) -> None:
    late = [*acts[:1], msgspec.structs.replace(acts[1], sent=acts[2].answered + 1, answered=acts[2].answered + 2), *acts[2:]]
    assert any("stands before" in fault for fault in faults_of_acts(late, log(ROWS), PLAYERS))
