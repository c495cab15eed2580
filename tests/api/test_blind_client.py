"""A client that knows no rules plays whole games over HTTP."""

import json
import random
from typing import Any

import pytest

from ludarium.records.reading import read_record
from ludarium.records.verify import verify
from tests.support.blind_client import whole_game
from tests.support.entropy import ENTROPY

# tests/clients/test_games.py covers games of two people, for each title.
GAMES: list[tuple[str, int, dict[str, Any], list[str]]] = [
    ("game-of-kingdoms", 3, {"version": "ruthless"}, ["simple", "random"]),
    ("game-of-kingdoms", 4, {"version": "ruthless"}, ["random"]),
    ("game-of-kingdoms", 3, {}, ["simple", "simple", "simple"]),
    ("valley-of-the-kings", 6, {"edition": "premium", "pharaohs": True, "extra_uniques": True}, ["simple", "random"]),
    ("valeria", 1, {}, []),
    ("valeria", 3, {"mixed_citizens": True}, ["simple"]),
    ("valeria", 5, {"setup": "monster_blood"}, ["simple", "random"]),
    ("kemet", 5, {"length": "beginner"}, ["simple", "random", "simple", "random"]),
]


@pytest.mark.parametrize(("ruleset", "seats", "options", "bots"), GAMES)
async def test_a_whole_game_and_its_record_holds(
    server: str, ruleset: str, seats: int, options: dict[str, Any], bots: list[str]
) -> None:
    seed = ENTROPY.random("seed").randrange(2**32)
    print("seed", seed)
    game = await whole_game(server, ruleset, seats, options, bots, random.Random(seed))
    assert min(game["outcome"]) == 1 or seats == 1          # a solo player can lose to the game
    report = verify(read_record(json.dumps(game["record"]).encode()))
    assert report.finding is None
    assert (report.rows, report.draws > 0, report.rerun > 0) == (game["rows"], True, True)
