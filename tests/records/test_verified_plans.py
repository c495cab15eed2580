"""`ludarium tournament verify` accepts honest plans in all formats, and no others."""
from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import get_args
from uuid import UUID

import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.records.tournaments import verify_events
from ludarium.tables.model.hash_chain import commitment
from ludarium.tournaments import organiser_commands, player_commands
from ludarium.tournaments.drafts import Drafts
from ludarium.tournaments.event_types import TOURNAMENT_NAMES
from ludarium.tournaments.events import PlanChanged, StatusSet, TournamentOpened
from ludarium.tournaments.plan import (
    BY_POINTS,
    BY_ROUNDS,
    Format,
    PlanBody,
    Scheme,
    is_unchanged_by_checking,
    new_plan,
)
from ludarium.tournaments.store import TournamentStore
from ludarium_engine.kernel.title import no_scores
from ludarium_engine.registry import titles
from ludarium_eventstore import EventStore
from ludarium_pairing.model import VERSION
from tests.support.entropy import ENTROPY

HOST = "host"
PLAYERS = 8
SCHEMES: dict[str, tuple[Scheme, ...]] = {title.id: ("place", *(BY_POINTS if title.scores is not no_scores else ()))
                                          for title in titles().values()}
CASES = [(ruleset, format, scheme) for ruleset in titles() for format in get_args(Format) for scheme in SCHEMES[ruleset]]


def plan(ruleset: str, format: Format, scheme: Scheme) -> PlanBody:
    """Return a plan as a client sends it."""
    rounds = {"rounds": 2} if format in BY_ROUNDS else {}
    deals = "shared" if scheme == "duplicate" else "own"
    seats = max(titles()[ruleset].seats.start, 3 if format in ("pods", "lives") else 2)
    stage = {"format": format, "seats": seats, "scheme": scheme, "deals": deals, **rounds}
    return msgspec.convert({"tables": {"ruleset": ruleset}, "stages": [stage]}, PlanBody)


@pytest.mark.parametrize(("ruleset", "format", "scheme"), CASES)
async def test_a_published_round_of_every_title_and_format_holds(
    module_database_url: str, ruleset: str, format: Format, scheme: Scheme
) -> None:
    async with await EventStore.open(module_database_url) as store:
        await store.name_types(TOURNAMENT_NAMES)
        tournaments = TournamentStore(store, now, ENTROPY)
        stream, key = ids.new_id(ENTROPY, "tournament"), bytes(32)
        wanted = msgspec.to_builtins(new_plan(plan(ruleset, format, scheme)))
        await tournaments.open(stream, TournamentOpened(commitment(key), HOST, wanted, bytes(16), VERSION), key)
        await tournaments.change(stream, lambda state: [PlanChanged(HOST, wanted, bytes(16)), StatusSet(HOST, "open")])
        for nth in range(PLAYERS):
            await tournaments.change(stream, partial(player_commands.enter, player=f"player {nth}", guest=False, knows=False))
        await publish_first_round(tournaments, stream)
        state, report = verify_events(stream, await store.read(stream), keyed=True)
        assert state is not None and (report.fault, report.rounds) == (None, 1)


async def publish_first_round(tournaments: TournamentStore, stream: UUID) -> None:
    """Close registration, then draft and publish the first round of the first stage."""
    await tournaments.change(stream, lambda state: [StatusSet(HOST, "closed")])
    await tournaments.change(stream, lambda state: organiser_commands.draft(state, HOST, 1, state.status_seq))
    state = await tournaments.fresh(stream)
    await Drafts(tournaments).publish(stream, HOST, (1, 1), organiser_commands.get_round(state, 1, 1).seq, now(), None)


def test_a_plan_whose_options_were_changed_does_not_hold() -> None:
    honest = new_plan(plan("valeria", "swiss", "place"))
    for options in ({"setup": "no such setup"}, {"unknown": 1}):
        changed = msgspec.structs.replace(honest.tables, options=dict(honest.tables.options) | options)
        with pytest.raises(Problem, match="invalid-options"):
            is_unchanged_by_checking(msgspec.structs.replace(honest, tables=changed))


def now() -> datetime:
    return datetime.now(UTC)
