"""`ludarium simulate`: bots play against each other, as fast as they can."""
from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from random import Random
from time import perf_counter
from typing import Annotated, Any, NamedTuple

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from engine.bots import Bot, bots
from engine.kernel import decide, new, seats_to_act
from engine.kernel.describe import action_of, described_choice, described_view
from engine.proof.fuzz import chance_of
from services.tools.arguments import AnyTitle, Pairs, Seats, Seed, checked, options_of, seed_or_fresh, title_named
from services.tools.progress import followed


class Game(NamedTuple):
    """actions: how many commands; outcome: the place of each seat, None if it was broken off as too long."""

    actions: int
    outcome: tuple[int, ...] | None


class Lengths(msgspec.Struct, frozen=True):
    """Of games, in actions."""

    least: int
    median: float
    most: int


class SeatResult(msgspec.Struct, frozen=True):
    """places: how often it came 1st, 2nd, ..."""

    seat: int
    bot: str
    places: list[int]


class Result(msgspec.Struct, frozen=True):
    ruleset: str
    options: dict[str, Any]
    seats: int
    seed: int
    games: int
    finished: int
    actions: int
    seconds: float
    actions_per_second: float
    lengths: Lengths
    outcomes: list[SeatResult]


def register(app: typer.Typer) -> None:
    app.command()(simulate)


def simulate(
    ruleset: str,
    seats: Seats = None,
    games: Annotated[int, typer.Option(min=1)] = 100,
    seed: Seed = None,
    players: Annotated[str, typer.Option("--bots", help="their names, seat by seat, repeated as needed")] = "random",
    option: Pairs = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Let bots play games and tell how long they were and who won."""
    title, raw, start = title_named(ruleset), options_of(option or ()), seed_or_fresh(seed)
    seats = seats or title.seats.start
    options, names = checked(title, raw, seats), bots_named(title, players, seats)
    table = [bots(title.id)[name] for name in names]
    began = perf_counter()
    played = [play(title, options, table, start + n) for n in followed(range(games), f"{title.id}, {seats} seats", games)]
    result = summed_up(title, raw, names, start, played, perf_counter() - began)
    if as_json:
        typer.echo(msgspec.json.encode(result))
    else:
        show(result)


def bots_named(title: AnyTitle, players: str, seats: int) -> list[str]:
    names, known = players.split(","), bots(title.id)
    if unknown := set(names) - set(known):
        raise typer.BadParameter(f"no bot {', '.join(sorted(unknown))} for {title.id}; there are {', '.join(known)}")
    return [names[seat % len(names)] for seat in range(seats)]


def play(title: AnyTitle, options: Any, table: Sequence[Bot], seed: int) -> Game:
    """One game to its end, or to the most events that the title allows."""
    luck, chance = Random(seed), chance_of(seed)
    s, _ = new(title, options, len(table), chance)
    for actions in range(title.most_events):
        if s.outcome is not None:
            return Game(actions, tuple(s.outcome))
        seat = luck.choice(seats_to_act(s))
        choice = described_choice(title, s, seat)
        assert choice is not None
        answer = table[seat](seat, described_view(title, s, seat), choice, luck)
        s, _ = decide(title, s, seat, action_of(answer.offer, answer.subset), chance)
    return Game(title.most_events, None)


def summed_up(
    title: AnyTitle, raw: dict[str, Any], names: Sequence[str], seed: int, played: Sequence[Game], seconds: float
) -> Result:
    lengths, actions = [game.actions for game in played], sum(game.actions for game in played)
    outcomes = [game.outcome for game in played if game.outcome is not None]
    return Result(
        title.id, raw, len(names), seed, len(played), len(outcomes), actions, round(seconds, 3), round(actions / seconds),
        Lengths(min(lengths), statistics.median(lengths), max(lengths)),
        [SeatResult(seat, name, places(outcomes, seat)) for seat, name in enumerate(names)],
    )  # fmt: skip


def places(outcomes: Sequence[tuple[int, ...]], seat: int) -> list[int]:
    found = Counter(outcome[seat] for outcome in outcomes)
    seats = len(outcomes[0]) if outcomes else 0
    return [found[place] for place in range(1, seats + 1)]


def show(result: Result) -> None:
    told = f"{result.ruleset} {result.options or ''} seed {result.seed}: {result.finished} of {result.games} games finished"
    table = Table("seat", "bot", *(f"place {n}" for n in range(1, result.seats + 1)), title=told)
    for row in result.outcomes:
        table.add_row(str(row.seat), row.bot, *map(str, row.places))
    Console().print(table)
    lengths = result.lengths
    typer.echo(f"{result.actions} actions in {result.seconds} s, {result.actions_per_second:.0f} a second; "
               f"a game takes {lengths.least} to {lengths.most}, in the median {lengths.median:g}")
