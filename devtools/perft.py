"""`python -m devtools perft`: count the action sequences from the start of a game, to compare rules."""
from __future__ import annotations

from typing import Annotated

import typer

from ludarium_engine.kernel import new_game
from ludarium_engine.testkit.commands.arguments import (
    Pairs,
    Seats,
    Seed,
    TitleId,
    checked,
    options_of,
    seed_or_random,
    title_named,
)
from ludarium_engine.testkit.fuzz import chance_of
from ludarium_engine.testkit.perft import perft as count


def perft(
    title_id: TitleId,
    seats: Seats = None,
    seed: Seed = None,
    depth: Annotated[int, typer.Option(min=1, max=12)] = 3,
    option: Pairs = None,
) -> None:
    """Count the sequences of 1 to DEPTH actions from the start of a game."""
    title, raw, start = title_named(title_id), options_of(option or ()), seed_or_random(seed)
    seats = seats or title.seats.start
    s, _ = new_game(title, checked(title, raw, seats), seats, chance_of(start))
    typer.echo(f"{title.id} {raw or ''} {seats} seats, seed {start}")
    for level in range(1, depth + 1):
        typer.echo(f"{level:>3} {count(title, s, chance_of(start), level):>15,}")
