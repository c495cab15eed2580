"""The command `ludarium-engine fuzz`, which plays random games with all checks."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from ludarium_engine.registry import AnyTitle
from ludarium_engine.testkit.commands.arguments import SeatRange, Seed, TitleIdOrAll, seats_of, seed_or_random, titles_named
from ludarium_engine.testkit.commands.failures import FOLDER, Save, saved_failures
from ludarium_engine.testkit.commands.progress import with_progress
from ludarium_engine.testkit.fuzz import Case, cases, play


def fuzz(
    title: TitleIdOrAll = None,
    games: Annotated[int, typer.Option(min=1, help="games of each variant, spread over the numbers of seats")] = 1000,
    seats: SeatRange = None,
    seed: Seed = None,
    save: Save = FOLDER,
) -> None:
    """Play random games and check all invariants after every event."""
    start = seed_or_random(seed)
    typer.echo(f"seed {start}")
    for each in titles_named(title):
        with saved_failures(save):
            fuzz_title(each, seats_of(seats, each), games, start)


def fuzz_title(title: AnyTitle, seats: range, games: int, seed: int) -> None:
    for raw in title.variants:
        tables = [case for case in cases(title, seats) if case.raw == raw]
        if tables:
            events = sum(with_progress(event_counts(tables, games, seed), f"{title.id} {dict(raw)}", games))
            numbers = ", ".join(str(case.seats) for case in tables)
            typer.echo(f"{title.id} {dict(raw)}: {games} games at {numbers} seats, {events} events, all invariants hold")


def event_counts(tables: list[Case], games: int, seed: int) -> Iterator[int]:
    """Play games and yield the number of events in each."""
    return (len(play(tables[n % len(tables)], seed + n).log) for n in range(games))
