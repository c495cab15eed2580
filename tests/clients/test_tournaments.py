"""Tournaments with the Python client, both asynchronous and blocking."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from ludarium.accounts.accounts import Accounts
from ludarium.platform import ids
from ludarium.platform.database import Database, database
from ludarium_client import AsyncClient, Client, Problem
from ludarium_client.async_tournaments import AsyncTournaments
from ludarium_client.bodies import (
    AutopilotAct,
    DelayAct,
    DraftEdit,
    FeatureAct,
    NewTournament,
    PauseAct,
    PenaltyAct,
    PlanBody,
    Recutting,
    ReplaceAct,
    ReplayAct,
    RulingAct,
    StageBody,
    Swap,
    TablesBody,
    TimeAct,
    TournamentChange,
)
from tests.support.entropy import ENTROPY
from tests.support.waiting import eventually

PLAN = PlanBody(tables=TablesBody(ruleset="game-of-kingdoms"), stages=[StageBody(format="swiss", rounds=1)], wait=3600)


@pytest.fixture
async def tokens(module_database_url: str) -> AsyncIterator[list[str]]:
    """Yield the tokens of a host and of four players."""
    async with database(module_database_url) as base:
        yield [await token(base, kind) for kind in ("account", *["guest"] * 4)]


async def token(base: Database, kind: str) -> str:
    made = await Accounts(base, ENTROPY).new_guest("Hal")
    await base.rows("update accounts.players set kind = $2 where id = $1", ids.decode(made.player.id), kind)
    return made.token


async def test_a_tournament_is_held_by_the_client(server: str, tokens: list[str]) -> None:
    async with AsyncClient(server, tokens[0]) as host:
        desk = host.tournaments
        made = await desk.create(NewTournament(title="Cup", plan=PLAN))
        await desk.change(made.id, TournamentChange(title="Better cup", plan=PLAN, expected_seq=made.plan_seq))
        await desk.open(made.id, 0)
        for each in tokens[1:]:
            async with AsyncClient(server, each) as player:
                await player.tournaments.enter(made.id)
        entries = (await desk.entries(made.id)).entries
        assert [entry.entry for entry in entries] == [1, 2, 3, 4]
        await desk.seed(made.id, 1, 1500, entries[0].seq)
        with pytest.raises(Problem, match="not-listed"):
            await desk.mend_name(made.id, 1, "Ada")
        await desk.close(made.id, (await desk.get(made.id)).status_seq)
        assert (await desk.draft(made.id, (await desk.get(made.id)).status_seq)).round == 1
        draft = await desk.round(made.id, 1)
        swap = Swap(one=draft.tables[0].seats[0], other=draft.tables[1].seats[0])
        await desk.edit(made.id, 1, DraftEdit(expected_seq=draft.seq, swap=swap))
        assert (await desk.blocks(made.id)).pairs == []
        await desk.forbid(made.id, [[1, 2]], 0)
        await desk.take_back(made.id, 1, (await desk.round(made.id, 1)).seq)
        draft = await desk.round(made.id, 1)
        async with AsyncClient(server, tokens[1]) as player:
            await player.tournaments.give_nonce(made.id, b"of one's own")
        await desk.publish(made.id, 1, draft.seq)
        told = await desk.round(made.id, 1)
        tables = [[*reversed(table.seats)] for table in told.tables]
        await desk.recut(made.id, 1, Recutting(expected_seq=told.seq, tables=tables))
        with pytest.raises(Problem, match="game-not-started"):
            await desk.hands(made.id, 1, 1)
        with pytest.raises(Problem, match="game-not-started"):
            await desk.replay(made.id, 1, 1, ReplayAct(expected_seq=told.tables[0].seq + 1, reason="A trial"))
        await times(desk, made.id)
        seq = (await desk.entries(made.id)).entries[0].seq
        await desk.penalize(made.id, 1, PenaltyAct(expected_seq=seq, units=0, reason="None"))
        with pytest.raises(Problem, match="already-entered"):
            player_id = (await desk.entries(made.id)).entries[1].player
            await desk.replace(made.id, 1, ReplaceAct(expected_seq=seq, player=player_id, reason="A trial"))
        for table in (await desk.round(made.id, 1)).tables:
            await desk.rule(made.id, 1, table.board, RulingAct(expected_seq=table.seq, verdict="void", reason="A trial"))
        await settled(host, made.id)
        await desk.close_round(made.id, 1, (await desk.round(made.id, 1)).seq)
        assert (await desk.get(made.id)).status == "over"
        assert [row.points for row in (await desk.standings(made.id)).rows] == [60] * 4
        assert (await desk.why(made.id, 1)).place and len((await desk.bracket(made.id)).rounds) == 1
        assert len((await desk.crosstable(made.id)).rows) == 4 and (await desk.stream(made.id)).rows
        assert made.id in [one.id for one in (await desk.page(status="over")).tournaments]
        with pytest.raises(Problem, match="tournament-over"):
            await desk.cancel(made.id, 999)
    await asyncio.to_thread(without_asyncio, server, tokens, made.id)


async def times(desk: AsyncTournaments, tournament: str) -> None:
    """Use pauses, the autopilot, the spectators' delay and featured tables."""
    await desk.pause(tournament, PauseAct(expected_seq=0, reason="A trial"))
    paused = await desk.get(tournament)
    assert paused.paused and paused.paused.reason == "A trial"
    await desk.resume(tournament, paused.paused_seq)
    table = (await desk.round(tournament, 1)).tables[0]
    await desk.pause_table(tournament, 1, 1, PauseAct(expected_seq=table.seq, reason="A trial"))
    await desk.resume_table(tournament, 1, 1, (await desk.round(tournament, 1)).tables[0].seq)
    seq = (await desk.round(tournament, 1)).tables[0].seq
    with pytest.raises(Problem, match="game-not-started"):
        await desk.add_time(tournament, 1, 1, TimeAct(expected_seq=seq, entry=table.seats[0], seconds=15, reason="A trial"))
    await desk.feature(tournament, 1, 1, FeatureAct(expected_seq=seq, featured=True))
    await desk.set_autopilot(tournament, AutopilotAct(expected_seq=0, on=True, rest=60))
    await desk.set_autopilot(tournament, AutopilotAct(expected_seq=(await desk.get(tournament)).autopilot_seq, on=False))
    await desk.set_delay(tournament, DelayAct(expected_seq=0, seconds=60))
    told = await desk.get(tournament)
    assert told.autopilot and not told.autopilot.on
    assert told.delay.seconds == 60 and [each.board for each in told.featured] == [1]


async def settled(host: AsyncClient, tournament: str) -> None:
    async def over() -> bool:
        return all(table.status == "over" for table in (await host.tournaments.round(tournament, 1)).tables)

    await eventually(over)


def without_asyncio(server: str, tokens: list[str], over: str) -> None:
    with Client(server, tokens[0]) as host, Client(server, tokens[1]) as player:
        made = host.tournaments.create(NewTournament(title="Other cup", plan=PLAN))
        host.tournaments.open(made.id, 0)
        host.tournaments.import_entries(made.id, player.me().id)
        me = player.me().id
        (invited,) = player.tournaments.own_invitations().invitations
        assert (invited.tournament, invited.host) == (made.id, host.me().id)
        player.tournaments.leave(made.id)
        assert [(one.player, one.status) for one in host.tournaments.invitations(made.id).invitations] == [(me, "declined")]
        player.tournaments.enter(made.id)
        assert player.tournaments.mine(made.id).entry == 1
        other = host.tournaments.create(NewTournament(title="Third cup", plan=PLAN))
        with pytest.raises(Problem, match="no-such-player"):
            host.tournaments.give_role(other.id, me, "arbiter")     # a guest
        with pytest.raises(Problem, match="not-invited-here"):
            player.tournaments.accept_role(other.id)
        with pytest.raises(Problem, match="not-invited-here"):
            player.tournaments.decline_role(other.id)
        host.tournaments.import_entries(other.id, f"{me},1,Ada")
        player.tournaments.change_listed_name(other.id, "Ada L.")
        assert [one.listed_as for one in host.tournaments.invitations(other.id).invitations] == ["Ada L."]
        host.tournaments.uninvite(other.id, me)
        assert player.tournaments.own_invitations().invitations == []
        assert host.tournaments.get(made.id).entries == 1
        with pytest.raises(Problem, match="no-check-in"):
            player.tournaments.check_in(made.id)
        assert player.tournaments.mine(over).table
