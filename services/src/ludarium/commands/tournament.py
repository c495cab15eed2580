"""`ludarium tournament`: `verify`, and `simulate` with made-up players, to see what a format is worth before the event."""
from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import Annotated, get_args

import msgspec
import typer
from msgspec import structs
from rich.console import Console
from rich.table import Table as Shown

from ludarium.commands.progress import bar
from ludarium.commands.tournament_chart import chart
from ludarium.commands.tournament_verify import verify
from ludarium_pairing.errors import Refused
from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import Entries, Entry, Format, GameResult, History, Pairing, Quality, Round, Settings, Table
from ludarium_pairing.pairing import pair
from ludarium_pairing.standings import ELIMINATIONS, standings

FORMATS: tuple[Format, ...] = get_args(Format)
LUCK = 1.0
"""The spread of what a game adds to a player's strength."""
SEEDS = 1 << 32
"""How many there are."""
MOST_PLAYERS = 20_000
MOST_ROUNDS = 200
ROUNDS = 5
ROUNDS_HELP = f"at most; without it {ROUNDS}, or to the end where a format knocks players out"

tournament = typer.Typer(no_args_is_help=True, help="Tournaments: what a format is worth, and whether one was fair.")
tournament.command()(verify)


class Simulated(msgspec.Struct, frozen=True):
    """Keys as docs/tournaments.md explains them."""

    format: str
    players: int
    seats: int
    rounds: int
    repeats: int
    least_possible: int
    seat_spread: int
    short_table_spread: int
    rank_correlation: float
    seconds: float


class Run(msgspec.Struct, frozen=True):
    """by_round: the rank correlation after each."""

    result: Simulated
    by_round: tuple[float, ...]


def register(app: typer.Typer) -> None:
    app.add_typer(tournament, name="tournament")


@tournament.command()
def simulate(
    formats: Annotated[list[str], typer.Argument(help=", ".join(FORMATS))],
    players: Annotated[int, typer.Option(min=1, max=MOST_PLAYERS)] = 32,
    seats: Annotated[int, typer.Option(min=2, max=6, help="at a table; brackets and arenas have two")] = 2,
    rounds: Annotated[int | None, typer.Option(min=1, max=MOST_ROUNDS, help=ROUNDS_HELP)] = None,
    drop_outs: Annotated[float, typer.Option(min=0, max=100, help="percentage that leaves after each round")] = 0,
    strength_spread: Annotated[float, typer.Option(min=0, help="beside luck of 1")] = 1,
    seed: Annotated[int | None, typer.Option(min=0, max=SEEDS - 1, help="random by default")] = None,
    svg: Annotated[Path | None, typer.Option(help="a chart of the rank correlation by round")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Play tournaments with made-up players and tell how good the pairing was and how true the standings."""
    start = secrets.randbelow(SEEDS) if seed is None else seed
    asked = [(settings_of(name, seats), rounds or rounds_of(name)) for name in formats]
    runs = [run(settings, players, most, drop_outs / 100, strength_spread, start) for settings, most in asked]
    if svg is not None:
        svg.write_text(chart([(f"{run.result.format}, {run.result.seats} at a table", run.by_round) for run in runs]))
    if as_json:
        for one in runs:
            typer.echo(msgspec.json.encode(one.result))
    else:
        show(runs, start)


def rounds_of(name: str) -> int:
    """At most, where the command names no number. Formats that knock players out end by themselves."""
    return MOST_ROUNDS if name in ELIMINATIONS else ROUNDS


def settings_of(name: str, seats: int) -> Settings:
    if name not in FORMATS:
        raise typer.BadParameter(f"no format {name}; there are {', '.join(FORMATS)}")
    alone = name in ("single-elimination", "double-elimination", "arena")
    return Settings(format=name, seats=2 if alone else seats, advance=max(1, seats // 2))


def run(settings: Settings, players: int, rounds: int, leaving: float, spread: float, seed: int) -> Run:
    luck = Random(seed)
    strengths = {f"player-{at + 1}": luck.gauss(0, spread) for at in range(players)}
    entries: Entries = tuple(Entry(id) for id in strengths)
    history: History = ()
    qualities: list[Quality] = []
    by_round: list[float] = []
    seconds = 0.0
    with bar(f"{settings.format}, {players} players") as tell:
        for at in range(1, rounds + 1):
            began = process_time()
            pairing = checked_pair(entries, history, settings, luck.randbytes(32))
            seconds += process_time() - began
            if not pairing.tables:
                break
            qualities.append(pairing.quality)
            history = (*history, Round(tuple(played(table, strengths, luck) for table in pairing.tables), pairing.byes))
            by_round.append(correlation(entries, history, settings, strengths))
            entries = tuple(left(entry, at + 1, luck.random() < leaving) for entry in entries)
            tell(at, rounds)
    return Run(summed_up(PastRounds(entries, history, settings), qualities, by_round, seconds), tuple(by_round))


def checked_pair(entries: Entries, history: History, settings: Settings, seed: bytes) -> Pairing:
    try:
        return pair(entries, history, settings, seed)
    except Refused as refused:
        raise typer.BadParameter(refused.detail) from refused


def played(seats: tuple[str, ...], strengths: dict[str, float], luck: Random) -> Table:
    shown = [strengths[id] + luck.gauss(0, LUCK) for id in seats]
    return Table(seats, (GameResult(tuple(1 + sum(other > own for other in shown) for own in shown)),))


def left(entry: Entry, round: int, leaves: bool) -> Entry:
    return structs.replace(entry, left=round) if leaves and entry.left is None else entry


def correlation(entries: Entries, history: History, settings: Settings, strengths: dict[str, float]) -> float:
    """Spearman's, places that are shared counting as their mean."""
    rows = standings(entries, history, structs.replace(settings, tie_breaks=("buchholz",)))
    places = [row.place for row in rows]
    sharing = {place: places.count(place) for place in set(places)}
    ranks = [place + (sharing[place] - 1) / 2 for place in places]
    strongest = sorted(strengths, key=lambda id: -strengths[id])
    true = {id: at for at, id in enumerate(strongest, 1)}
    return round(pearson(ranks, [true[row.id] for row in rows]), 4)


def pearson(one: Sequence[float], other: Sequence[float]) -> float:
    """Of two lists; 0 if one of them does not vary."""
    mean, mean_other = sum(one) / len(one), sum(other) / len(other)
    product = sum((a - mean) * (b - mean_other) for a, b in zip(one, other, strict=True))
    spread = sum((a - mean) ** 2 for a in one) * sum((b - mean_other) ** 2 for b in other)
    return float(product / spread**0.5) if spread else 0.0


def summed_up(past: PastRounds, qualities: Sequence[Quality], by_round: Sequence[float], seconds: float) -> Simulated:
    settings, counts = past.settings, [had[:past.settings.seats] for had in past.seats]
    return Simulated(
        settings.format, len(past.entries), settings.seats, len(past.history),
        sum(quality.repeats for quality in qualities), sum(quality.least_possible for quality in qualities),
        max((max(had) - min(had) for had in counts), default=0), max(past.short) - min(past.short),
        by_round[-1] if by_round else 0.0, round(seconds, 3),
    )  # fmt: skip


def show(runs: Sequence[Run], seed: int) -> None:
    """A column for each format, and below them the rank correlation round by round."""
    table = Shown("", *(one.result.format for one in runs), title=f"seed {seed}")
    for name in Simulated.__struct_fields__[1:]:
        table.add_row(name.replace("_", " "), *(str(getattr(one.result, name)) for one in runs))
    table.add_section()
    for at in range(max(len(one.by_round) for one in runs)):
        table.add_row(f"after round {at + 1}", *(f"{one.by_round[at]:.2f}" if at < len(one.by_round) else "" for one in runs))
    Console().print(table)
