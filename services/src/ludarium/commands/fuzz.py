"""`ludarium fuzz`: random games, with everything checked that must hold."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from ludarium.commands.arguments import AnyTitle, SeatRange, Seed, seats_of, seed_or_fresh, titles_named
from ludarium.commands.failing import FAILING, Save, failing_kept
from ludarium.commands.progress import followed
from ludarium_engine.testkit.fuzz import Case, cases, play


def register(app: typer.Typer) -> None:
    app.command()(fuzz)


def fuzz(
    ruleset: Annotated[str | None, typer.Argument(help="all of them by default")] = None,
    games: Annotated[int, typer.Option(min=1, help="of each variant of a ruleset, spread over the seats")] = 1000,
    seats: SeatRange = None,
    seed: Seed = None,
    save: Save = FAILING,
) -> None:
    """Play random games and check after every event all that must hold."""
    start = seed_or_fresh(seed)
    typer.echo(f"seed {start}")
    for title in titles_named(ruleset):
        with failing_kept(save):
            fuzz_title(title, seats_of(seats, title), games, start)


def fuzz_title(title: AnyTitle, seats: range, games: int, seed: int) -> None:
    for raw in title.variants:
        tables = [case for case in cases(title, seats) if case.raw == raw]
        if tables:
            events = sum(followed(events_of(tables, games, seed), f"{title.id} {dict(raw)}", games))
            numbers = ", ".join(str(case.seats) for case in tables)
            typer.echo(f"{title.id} {dict(raw)}: {games} games at {numbers} seats, {events} events, all invariants hold")


def events_of(tables: list[Case], games: int, seed: int) -> Iterator[int]:
    """Of each game, the number of its events."""
    return (len(play(tables[n % len(tables)], seed + n).log) for n in range(games))
