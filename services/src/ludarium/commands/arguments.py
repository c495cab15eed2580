"""What the commands take: rulesets, options, numbers of seats, seeds."""
from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from ludarium_engine.kernel import Illegal, Title, checked_options
from ludarium_engine.registry import titles

AnyTitle = Title[Any, Any]
SEEDS = 1 << 32                                 # how many there are
Options = dict[str, Any]
Seed = Annotated[int | None, typer.Option(min=0, max=SEEDS - 1, help="of the first game; fresh by default")]
Seats = Annotated[int | None, typer.Option(help="how many; the fewest by default")]
SeatRange = Annotated[str | None, typer.Option(help="4 or 2-6; all by default")]
Pairs = Annotated[list[str] | None, typer.Option("--option", help="key=value, as often as needed")]


def title_named(ruleset: str) -> AnyTitle:
    """By its id or the name of its folder."""
    title = titles().get(ruleset.replace("_", "-"))
    if title is None:
        raise typer.BadParameter(f"no ruleset {ruleset}; there are {', '.join(titles())}")
    return title


def titles_named(ruleset: str | None) -> list[AnyTitle]:
    """One, or all of them."""
    return [title_named(ruleset)] if ruleset else [*titles().values()]


def options_of(pairs: Sequence[str]) -> Options:
    """From key=value; a value is JSON if it can be read so, else a word."""
    found: Options = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair}: an option is written key=value")
        found[key] = value_of(value)
    return found


def value_of(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def checked(title: AnyTitle, options: Options, seats: int) -> Any:
    """The ruleset's own options."""
    try:
        return checked_options(title, options, seats)
    except Illegal as problem:
        raise typer.BadParameter(str(problem)) from problem


def seats_of(text: str | None, title: AnyTitle) -> range:
    """From 4 or 2-6; without it, all that the title allows."""
    if text is None:
        return title.seats
    first, _, last = text.partition("-")
    if not (first.isdigit() and (last or first).isdigit()):
        raise typer.BadParameter(f"{text}: seats are written 4 or 2-6")
    seats = range(int(first), int(last or first) + 1)
    if not seats or not set(seats) <= set(title.seats):
        raise typer.BadParameter(f"{title.id} is for {title.seats.start} to {title.seats.stop - 1} seats")
    return seats


def seed_or_fresh(seed: int | None) -> int:
    """A fresh one is printed by whoever asks for it: it alone makes a run happen again."""
    return secrets.randbelow(SEEDS) if seed is None else seed
