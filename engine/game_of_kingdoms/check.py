"""Whether a data file that replaces ours can be played: what is wrong, and where."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from engine.kernel.data import flaws, nameless, repeated, rulings_wrong
from engine.kernel.title import Flaw, Ruling

from .state import KingdomsOptions

RANKS, COLOURS = 10, 4                          # the texts and tables that clients have name so many
LOCALES = ("en", "es")                          # in which a card is called by its rank and colour


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$")]
    name: dict[str, str]


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data file."""

    name: dict[str, str]
    hand: Annotated[int, Meta(ge=1, le=10)]
    limit: Annotated[int, Meta(ge=1, le=10)]
    seats: tuple[Annotated[int, Meta(ge=2, le=10)], Annotated[int, Meta(ge=2, le=10)]]
    ranks: list[Named]
    colours: list[Named]
    rulings: list[Ruling]


def check_data(data: bytes) -> list[Flaw]:
    """Everything that is wrong with a data file; nothing if it can be played."""
    return flaws(data, Data, wrong)


def wrong(facts: Data) -> Iterator[Flaw]:
    yield from counts_wrong(facts)
    yield from rows_wrong(facts)
    yield from rulings_wrong(facts.rulings, KingdomsOptions)


def counts_wrong(facts: Data) -> Iterator[Flaw]:
    least, most = facts.seats
    if least > most:
        yield Flaw("/seats", f"{least} is more than {most}")
    if most * facts.hand >= RANKS * COLOURS:
        yield Flaw("/hand", f"{most} hands of {facts.hand} leave no card to turn up")
    if len(facts.ranks) != RANKS:
        yield Flaw("/ranks", f"{len(facts.ranks)} ranks, not {RANKS}")
    if len(facts.colours) != COLOURS:
        yield Flaw("/colours", f"{len(facts.colours)} colours, not {COLOURS}")


def rows_wrong(facts: Data) -> Iterator[Flaw]:
    yield from nameless("", facts.name)
    for at, rows in (("/ranks", facts.ranks), ("/colours", facts.colours)):
        yield from repeated(at, [row.id for row in rows])
        for i, row in enumerate(rows):
            for locale in LOCALES:
                if not row.name.get(locale):
                    yield Flaw(f"{at}/{i}/name", f"there is no name in {locale}")
