"""The command `ludarium-engine simulate`, which computes statistics of bots' games."""
from __future__ import annotations

from time import perf_counter
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from ludarium_engine.bots import bots
from ludarium_engine.registry import AnyTitle
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
from ludarium_engine.testkit.commands.progress import with_progress
from ludarium_engine.testkit.simulation import Result, Spread, play, summarize


def simulate(
    title_id: TitleId,
    seats: Seats = None,
    games: Annotated[int, typer.Option(min=1)] = 100,
    seed: Seed = None,
    players: Annotated[str, typer.Option("--bots", help="names of bots by seat, repeated as needed: simple,random")] = "random",
    option: Pairs = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Let bots play games; print how long they were and who won."""
    title, raw, start = title_named(title_id), options_of(option or ()), seed_or_random(seed)
    seats = seats or title.seats.start
    options, names = checked(title, raw, seats), bots_named(title, players, seats)
    table = [bots(title)[name] for name in names]
    began = perf_counter()
    played = [play(title, options, table, start + n) for n in with_progress(range(games), f"{title.id}, {seats} seats", games)]
    result = summarize(title, raw, names, start, played, perf_counter() - began)
    if as_json:
        typer.echo(msgspec.json.encode(result))
    else:
        show(result)


def bots_named(title: AnyTitle, players: str, seats: int) -> list[str]:
    names, known = players.split(","), bots(title)
    if unknown := set(names) - set(known):
        raise typer.BadParameter(f"{title.id} has no bot {', '.join(sorted(unknown))}; choose among {', '.join(known)}")
    return [names[seat % len(names)] for seat in range(seats)]


def quartiles(spread: Spread | None) -> str:
    if spread is None:
        return "-"
    return f"{spread.least} / {spread.lower:g} / {spread.median:g} / {spread.upper:g} / {spread.most}"


def show(result: Result) -> None:
    heading = f"{result.ruleset} {result.options or ''} seed {result.seed}: {result.finished} of {result.games} games finished"
    ranks = [f"place {n}" for n in range(1, result.seats + 1)]
    table = Table("seat", "bot", *ranks, "points: least, quartiles, most", "windows", title=heading)
    for row in result.outcomes:
        table.add_row(str(row.seat), row.bot, *map(str, row.places), quartiles(row.points), str(row.windows))
    Console().print(table)
    if result.cut_short:
        typer.echo(f"{result.cut_short} of them ({result.cut_short / result.games:.1%}) were ended by a limit of the options")
    typer.echo(f"by all that everybody saw, {result.hopeless:g} windows a game were hopeless "
               f"and {result.forced:g} other answers forced")
    lengths = result.lengths
    typer.echo(f"{result.actions} actions in {result.seconds} s, {result.actions_per_second:.0f} a second; "
               f"actions of a game (least, quartiles, most): {quartiles(lengths)}")
