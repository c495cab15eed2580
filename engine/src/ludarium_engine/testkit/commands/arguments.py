"""Define the arguments that several commands share, such as titles, seats and seeds."""
from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from ludarium_engine.kernel import Illegal, checked_options
from ludarium_engine.registry import AnyTitle, titles

SEEDS = 1 << 32                                 # number of possible seeds
Options = dict[str, Any]
TitleId = Annotated[str, typer.Argument(metavar="TITLE", help="id of the title, such as game-of-kingdoms")]
TitleIdOrAll = Annotated[str | None, typer.Argument(metavar="[TITLE]", help="id of the title; all titles by default")]
Seed = Annotated[int | None, typer.Option(min=0, max=SEEDS - 1, help="seed of the first game; random by default")]
Seats = Annotated[int | None, typer.Option(help="number of seats; the fewest by default")]
SeatRange = Annotated[str | None, typer.Option(help="numbers of seats, such as 4 or 2-6; all by default")]
Pairs = Annotated[list[str] | None, typer.Option("--option", help="an option as key=value; can be repeated")]


def title_named(name: str) -> AnyTitle:
    """Return the title with this id or package name.

    Raises:
        typer.BadParameter: there is no such title; this ends the command.
    """
    title = titles().get(name.replace("_", "-"))
    if title is None:
        raise typer.BadParameter(f"There is no title {name}; choose one of {', '.join(titles())}")
    return title


def titles_named(name: str | None) -> list[AnyTitle]:
    """Return the title with this name, or all titles if the name is None."""
    return [title_named(name)] if name else [*titles().values()]


def options_of(pairs: Sequence[str]) -> Options:
    """Parse key=value pairs, where values that are not JSON are strings."""
    options: Options = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair}: write an option as key=value")
        options[key] = value_of(value)
    return options


def value_of(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def checked(title: AnyTitle, options: Options, seats: int) -> Any:
    """Convert options to the title's type and check them.

    Raises:
        typer.BadParameter: an option is wrong; this ends the command.
    """
    try:
        return checked_options(title, options, seats)
    except Illegal as problem:
        raise typer.BadParameter(str(problem)) from problem


def seats_of(text: str | None, title: AnyTitle) -> range:
    """Parse a range of seats such as "4" or "2-6"; None means all that the title allows."""
    if text is None:
        return title.seats
    first, _, last = text.partition("-")
    if not (first.isdigit() and (last or first).isdigit()):
        raise typer.BadParameter(f"{text}: write seats as 4 or 2-6")
    seats = range(int(first), int(last or first) + 1)
    if not seats or not set(seats) <= set(title.seats):
        raise typer.BadParameter(f"{title.id} is for {title.seats.start} to {title.seats.stop - 1} seats")
    return seats


def seed_or_random(seed: int | None) -> int:
    """Return the given seed or, if it is None, a random seed."""
    return secrets.randbelow(SEEDS) if seed is None else seed
