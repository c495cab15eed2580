"""`ludarium tournament`: verify tournaments, and simulate them to compare formats."""
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

from ludarium.commands.progress import progress_bar
from ludarium.commands.tournament_chart import draw_chart
from ludarium.commands.tournament_verify import verify
from ludarium_pairing.errors import Refused
from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import Entries, Entry, Format, GameResult, History, Pairing, Quality, Round, Settings, Table
from ludarium_pairing.pairing import pair
from ludarium_pairing.standings import ELIMINATIONS, standings

FORMATS: tuple[Format, ...] = get_args(Format)
LUCK_SPREAD = 1.0
"""Standard deviation of the luck that a game adds to a player's strength."""
SEED_COUNT = 1 << 32
"""Number of possible seeds."""
MAX_PLAYERS = 20_000
MAX_ROUNDS = 200
DEFAULT_ROUNDS = 5
ROUNDS_HELP = f"at most; without it {DEFAULT_ROUNDS}, or to the end where a format knocks players out"

tournament = typer.Typer(no_args_is_help=True, help="Verify tournaments, and compare formats by simulation.")
tournament.command()(verify)


class Simulated(msgspec.Struct, frozen=True):
    """Results of a simulation. docs/tournaments.md explains the keys."""

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


class SimulationRun(msgspec.Struct, frozen=True):
    """The result of a simulation, with the rank correlation after each round."""

    result: Simulated
    by_round: tuple[float, ...]


def register(app: typer.Typer) -> None:
    app.add_typer(tournament, name="tournament")


@tournament.command()
def simulate(
    formats: Annotated[list[str], typer.Argument(help=", ".join(FORMATS))],
    players: Annotated[int, typer.Option(min=1, max=MAX_PLAYERS)] = 32,
    seats: Annotated[int, typer.Option(min=2, max=6, help="seats per table; brackets and arenas have two")] = 2,
    rounds: Annotated[int | None, typer.Option(min=1, max=MAX_ROUNDS, help=ROUNDS_HELP)] = None,
    drop_outs: Annotated[float, typer.Option(min=0, max=100, help="percentage of players who leave after each round")] = 0,
    strength_spread: Annotated[float, typer.Option(min=0, help="standard deviation of strengths, where luck has 1")] = 1,
    seed: Annotated[int | None, typer.Option(min=0, max=SEED_COUNT - 1, help="random by default")] = None,
    svg: Annotated[Path | None, typer.Option(help="a chart of the rank correlation by round")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Simulate tournaments with made-up players, to compare formats.

    It prints how good the pairings are, and how well the standings reflect the strengths.
    """
    start = secrets.randbelow(SEED_COUNT) if seed is None else seed
    asked = [(make_settings(name, seats), rounds or default_rounds(name)) for name in formats]
    runs = [simulate_format(settings, players, most, drop_outs / 100, strength_spread, start) for settings, most in asked]
    if svg is not None:
        svg.write_text(draw_chart([(f"{one.result.format}, {one.result.seats} at a table", one.by_round) for one in runs]))
    if as_json:
        for one in runs:
            typer.echo(msgspec.json.encode(one.result))
    else:
        print_table(runs, start)


def default_rounds(name: str) -> int:
    """Return the maximum number of rounds for a format if the user gives none."""
    return MAX_ROUNDS if name in ELIMINATIONS else DEFAULT_ROUNDS


def make_settings(name: str, seats: int) -> Settings:
    if name not in FORMATS:
        raise typer.BadParameter(f"no format {name}; there are {', '.join(FORMATS)}")
    alone = name in ("single-elimination", "double-elimination", "arena")
    return Settings(format=name, seats=2 if alone else seats, advance=max(1, seats // 2))


def simulate_format(settings: Settings, players: int, rounds: int, leaving: float, spread: float, seed: int) -> SimulationRun:
    luck = Random(seed)
    strengths = {f"player-{at + 1}": luck.gauss(0, spread) for at in range(players)}
    entries: Entries = tuple(Entry(id) for id in strengths)
    history: History = ()
    qualities: list[Quality] = []
    by_round: list[float] = []
    seconds = 0.0
    with progress_bar(f"{settings.format}, {players} players") as report_progress:
        for at in range(1, rounds + 1):
            began = process_time()
            pairing = pair_round(entries, history, settings, luck.randbytes(32))
            seconds += process_time() - began
            if not pairing.tables:
                break
            qualities.append(pairing.quality)
            history = (*history, Round(tuple(play_table(table, strengths, luck) for table in pairing.tables), pairing.byes))
            by_round.append(correlate_ranks(entries, history, settings, strengths))
            entries = tuple(drop_out(entry, at + 1, luck.random() < leaving) for entry in entries)
            report_progress(at, rounds)
    return SimulationRun(summarise(PastRounds(entries, history, settings), qualities, by_round, seconds), tuple(by_round))


def pair_round(entries: Entries, history: History, settings: Settings, seed: bytes) -> Pairing:
    try:
        return pair(entries, history, settings, seed)
    except Refused as refused:
        raise typer.BadParameter(refused.detail) from refused


def play_table(seats: tuple[str, ...], strengths: dict[str, float], luck: Random) -> Table:
    shown = [strengths[id] + luck.gauss(0, LUCK_SPREAD) for id in seats]
    return Table(seats, (GameResult(tuple(1 + sum(other > own for other in shown) for own in shown)),))


def drop_out(entry: Entry, round: int, leaves: bool) -> Entry:
    return structs.replace(entry, left=round) if leaves and entry.left is None else entry


def correlate_ranks(entries: Entries, history: History, settings: Settings, strengths: dict[str, float]) -> float:
    """Return Spearman's rank correlation of standings and strengths.

    Players who share a place get the mean of their ranks.
    """
    rows = standings(entries, history, structs.replace(settings, tie_breaks=("buchholz",)))
    places = [row.place for row in rows]
    sharing = {place: places.count(place) for place in set(places)}
    ranks = [place + (sharing[place] - 1) / 2 for place in places]
    strongest = sorted(strengths, key=lambda id: -strengths[id])
    true = {id: at for at, id in enumerate(strongest, 1)}
    return round(pearson(ranks, [true[row.id] for row in rows]), 4)


def pearson(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the correlation of two lists, 0 if one of them does not vary."""
    mean, mean_other = sum(one) / len(one), sum(other) / len(other)
    product = sum((a - mean) * (b - mean_other) for a, b in zip(one, other, strict=True))
    spread = sum((a - mean) ** 2 for a in one) * sum((b - mean_other) ** 2 for b in other)
    return float(product / spread**0.5) if spread else 0.0


def summarise(past: PastRounds, qualities: Sequence[Quality], by_round: Sequence[float], seconds: float) -> Simulated:
    settings, counts = past.settings, [had[:past.settings.seats] for had in past.seats]
    return Simulated(
        settings.format, len(past.entries), settings.seats, len(past.history),
        sum(quality.repeats for quality in qualities), sum(quality.least_possible for quality in qualities),
        max((max(had) - min(had) for had in counts), default=0), max(past.short) - min(past.short),
        by_round[-1] if by_round else 0.0, round(seconds, 3),
    )  # fmt: skip


def print_table(runs: Sequence[SimulationRun], seed: int) -> None:
    """Print a table with a column per format, including rank correlations by round."""
    table = Shown("", *(one.result.format for one in runs), title=f"seed {seed}")
    for name in Simulated.__struct_fields__[1:]:
        table.add_row(name.replace("_", " "), *(str(getattr(one.result, name)) for one in runs))
    table.add_section()
    for at in range(max(len(one.by_round) for one in runs)):
        table.add_row(f"after round {at + 1}", *(f"{one.by_round[at]:.2f}" if at < len(one.by_round) else "" for one in runs))
    Console().print(table)
