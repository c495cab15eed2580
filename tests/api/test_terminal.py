"""`ludarium play`: a whole game in the terminal, by typed numbers."""

import asyncio
import re
from itertools import cycle, islice
from random import Random

from typer.testing import CliRunner, Result

from ludarium.cli import main

KINGDOMS = "game-of-kingdoms"
MOST_ANSWERS = 2_000


def typed(server: str, answers: list[str]) -> Result:
    command = ["play", KINGDOMS, "--server", server, "--bots", "random,random"]
    return CliRunner().invoke(main, command, input="\n".join(answers))


async def test_a_game_is_played_to_its_end(server: str) -> None:
    """The first offer is always typed, and no offered choice is refused."""
    found = await asyncio.to_thread(typed, server, [*islice(cycle("1"), MOST_ANSWERS)])
    assert found.exit_code == 0, found.output[-2000:]
    assert "not offered" not in found.output and "Which" in found.output


async def test_what_cannot_be_chosen_is_asked_again(server: str) -> None:
    luck = Random(1)
    answers = [luck.choice(["0", "99", "1 1", "x", "", "1", "2"]) for _ in range(MOST_ANSWERS)]
    found = await asyncio.to_thread(typed, server, answers)
    assert found.exit_code == 0, found.output[-2000:]
    assert re.search(r"^1 to \d+, please", found.output, re.MULTILINE) and "not offered" not in found.output
