"""No process reads the log for a move, even at the largest table of each title."""

from random import Random

import pytest

from ludarium.platform import ids
from ludarium.platform.view_channel import looks_at
from ludarium_engine.registry import titles
from tests.live.full import Game, Process, largest, process
from tests.support import pushes
from tests.support.waiting import eventually

MOVES = 30


@pytest.mark.parametrize("ruleset", [*titles()])
async def test_a_move_is_told_to_everybody_without_reading_the_log(
    unpolled: None, module_database_url: str, redis_url: str, ruleset: str
) -> None:
    async with process(module_database_url, redis_url) as here, process(module_database_url, redis_url) as there:
        game = await Game.begun(here, largest(ruleset), Random(1))
        await game.watch(here)
        await game.watch(there, changes=True)
        await settled(game, here, there)
        await game.move()  # its answer from Redis shows that another process is subscribed
        await eventually(lambda: {*game.made_for()} == {*looks_at(game.seats)})
        before = reads(here, there)
        for _ in range(MOVES):
            if not await game.over():           # some games are short
                await game.move()
        assert reads(here, there) == before


def reads(*processes: Process) -> list[int]:
    return [one.store.reads for one in processes]


async def settled(game: Game, *processes: Process) -> None:
    """Wait until no process is reading the log for the table."""
    for one in processes:
        await pushes.settled(one.hub, ids.encode(game.table))


async def test_a_hint_costs_a_process_one_read_for_all_who_watch(
    module_database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludarium.live.channel.LARGEST", 0)
    monkeypatch.setattr("ludarium.live.hub.LOG_CHECK", 0.002)    # a check during a read does not count as another one
    async with process(module_database_url, redis_url) as here, process(module_database_url, redis_url) as there:
        game = await Game.begun(here, largest("game-of-kingdoms"), Random(1))
        for one in (here, there):
            await game.watch(one)
        await settled(game, here, there)
        before = reads(here, there)
        for _ in range(MOVES):
            await game.move()
        assert reads(here, there) == [before[0], before[1] + MOVES]
