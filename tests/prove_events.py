"""Run tournaments of every format while servers are killed.

`make prove ONLY=tournament` kills both processes and their PostgreSQL.
"""
from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from random import Random

from ludarium.embedded import embedded
from tests.conftest import fresh_database
from tests.eventstore.test_crash import restarted
from tests.faults.tournaments import Case, besiege
from tests.proving import Options, home

TAMPERS = 10
"""Changes of each tournament, of which there are more than ten."""
MOVES = 3
"""Moves of a player before they resign; pairings do not depend on their number."""


def cases(players: int) -> list[Case]:
    """Return cases with every format, and with each special situation of a tournament.

    Args:
        players: The number of players in the largest tournament.
    """
    pods = {"format": "swiss", "seats": 4, "rounds": 3}
    small = max(8, players // 8)
    return [
        Case(f"swiss of {players} into a final", players, [{"format": "swiss", "seats": 2, "rounds": 3},
             {"format": "single-elimination", "through": 4}], late=3, drops=2, recut=True, dispute=True, void=True,
             moves=MOVES),
        Case("rated swiss of 12", 12, [{"format": "swiss", "seats": 2, "rounds": 2}], rated=True, moves=MOVES),
        Case("rated swiss of 8 with a sanctioned host", 8, [{"format": "swiss", "seats": 2, "rounds": 2}], rated=True,
             sanctioned=True, replay=True, dispute=True, moves=MOVES),
        Case(f"swiss of {players - 4} in fours", players - 4, [pods], absent=2, moves=MOVES),
        Case(f"swiss of {players - 3} in threes", players - 3, [{**pods, "seats": 3}], drops=1, pause=True, moves=MOVES),
        Case(f"shared deals of {small}", small, [{"format": "swiss", "rounds": 2, "deals": "shared"}],
             late=1, nonces=2, replay=True, penalty=True, substitute=True, moves=MOVES),
        Case("swiss of 8 with a busy desk", 8, [{"format": "swiss", "rounds": 3}], late=1, drops=1, nonces=1, dispute=True,
             replay=True, penalty=True, substitute=True, pause=True, desk=True, moves=MOVES),
        Case("swiss of 12 whose players come late", 12, [{"format": "swiss", "seats": 2, "rounds": 4}], wait=30, tardy=4,
             moves=MOVES),
        Case("swiss of 9 in threes whose players come late", 9, [{"format": "swiss", "seats": 3, "rounds": 3}], wait=30,
             tardy=3, moves=MOVES),
        Case("swiss of 7 whose players come back", 7, [{"format": "swiss", "seats": 2, "rounds": 4}], late=1, returns=True,
             moves=MOVES),
        Case("round robin of 5", 5, [{"format": "round-robin", "rounds": 5}], piloted=True, moves=MOVES),
        Case(f"single elimination of {small}", small, [{"format": "single-elimination"}], moves=MOVES),
        Case("swiss of 6 with rounds that end", 6, [{"format": "swiss", "rounds": 2, "round_time": 20, "overtime": 2}], wait=30,
             pause=True, idle=True, moves=MOVES),
        Case("double elimination of 4", 4, [{"format": "double-elimination", "reset": False}], moves=MOVES),
        Case("groups of 9 into a final", 9, [{"format": "round-robin", "rounds": 5, "groups": 2},
             {"format": "single-elimination", "through": 4}], drops=1, moves=MOVES),
        Case("matches of three in a knock-out of 4", 4, [{"format": "single-elimination", "best_of": 3}], rated=True,
             pause=True, moves=MOVES),
        Case("pods of 27", 27, [{"format": "pods", "seats": 3}], moves=MOVES),
        Case("lives of 6", 6, [{"format": "lives", "seats": 3, "lives": 1}], moves=MOVES),
    ]  # fmt: skip


def tournament(options: Options) -> None:
    with home() as folder:
        print(asyncio.run(besieged(folder, options)))


async def besieged(folder: Path, options: Options) -> str:
    async with embedded(folder) as services, fresh_database(services.database_url) as database_url:
        async def shoot() -> None:
            before = services.supervisors["postgres"].restarts
            os.kill(services.supervisors["postgres"].pid, signal.SIGKILL)
            await restarted(services, before + 1)

        return await besiege(
            database_url, services.redis_url, Random(options.seed), cases(max(16, options.tables)), options.rounds, shoot,
            tampers=TAMPERS,
        )  # fmt: skip
