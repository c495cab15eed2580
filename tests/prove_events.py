"""`make prove ONLY=tournament`: events of every format at two processes that are killed all the while."""
from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from tests.faults.tournaments import Case, besiege
from tests.proving import Options, home, servers_at

MOVES = 3
"""Of a player, before they resign: who meets whom does not hang on how long they play."""


def cases(players: int) -> list[Case]:
    """Every format; of all that may happen in an event each thing once. players: in the largest one."""
    pods = {"format": "swiss", "seats": 4, "rounds": 3}
    small = max(8, players // 8)
    return [
        Case(f"swiss of {players} into a final", players, [{"format": "swiss", "seats": 2, "rounds": 3},
             {"format": "single-elimination", "through": 4}], late=3, drops=2, recut=True, dispute=True, void=True,
             moves=MOVES),
        Case(f"swiss of {players - 4} in fours", players - 4, [pods], absent=2, moves=MOVES),
        Case(f"swiss of {players - 3} in threes", players - 3, [{**pods, "seats": 3}], drops=1, moves=MOVES),
        Case("round robin of 5", 5, [{"format": "round-robin", "rounds": 5}], moves=MOVES),
        Case(f"single elimination of {small}", small, [{"format": "single-elimination"}], moves=MOVES),
        Case("double elimination of 4", 4, [{"format": "double-elimination", "reset": False}], moves=MOVES),
        Case("pods of 27", 27, [{"format": "pods", "seats": 3}], moves=MOVES),
        Case("lives of 6", 6, [{"format": "lives", "seats": 3, "lives": 1}], moves=MOVES),
    ]  # fmt: skip


def tournament(options: Options) -> None:
    with home() as folder:
        print(asyncio.run(besieged(folder, options)))


async def besieged(folder: Path, options: Options) -> str:
    async with servers_at(folder) as (database_url, carrier):
        return await besiege(
            database_url, carrier.url, Random(options.seed), cases(max(16, options.tables)), kills=options.rounds
        )
