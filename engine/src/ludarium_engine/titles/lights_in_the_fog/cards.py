"""The data file and the lamps.

Each lamp has two signs, a colour and a number, and ships are asked about signs. Signs have ids, first the colours and then the
numbers.
"""
from __future__ import annotations

from itertools import product
from typing import Annotated

import msgspec
from msgspec import Meta

from ludarium_engine.kernel.decoding import json_decoder
from ludarium_engine.kernel.folder import data_of
from ludarium_engine.kernel.title import Card, DataFile

Few = Annotated[int, Meta(ge=1, le=9)]
Points = Annotated[int, Meta(ge=0, le=99)]


class Colour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$")]
    name: dict[str, str]


class File(DataFile, frozen=True):
    """The data file.

    Attributes:
        colours: the colours of lamps.
        points: the points for a lamp in a logbook, listed by the lamp's number.
        hand: the number of masked lamps that each ship has with two, three and four ships.
        dark: the points for a lamp that is still masked at the end.
        bells: the number of rounds.
    """

    colours: Annotated[list[Colour], Meta(min_length=2, max_length=7)]
    points: Annotated[list[Points], Meta(min_length=2, max_length=9)]
    hand: tuple[Few, Few, Few]
    dark: Points
    bells: Annotated[int, Meta(ge=2, le=20)]


DATA = data_of(__package__)
FACTS = json_decoder(File)(DATA)
COLOURS, NUMBERS = range(len(FACTS.colours)), range(1, len(FACTS.points) + 1)
SIGNS = range(len(COLOURS) + len(NUMBERS))


def sign_of(number: int) -> int:
    return len(COLOURS) + number - 1


SIGNED = [(colour, sign_of(number)) for colour, number in product(COLOURS, NUMBERS)]            # the two signs of each lamp
NUMBER = [number for _, number in product(COLOURS, NUMBERS)]
POINTS = [FACTS.points[number - 1] for number in NUMBER]
DECK = range(len(SIGNED))


def described(lamp: int) -> Card:
    colour = FACTS.colours[SIGNED[lamp][0]].id
    facts: dict[str, int | str | list[int] | list[str]]
    facts = {"colour": colour, "number": NUMBER[lamp], "points": POINTS[lamp], "signs": [*SIGNED[lamp]]}
    return Card(lamp, f"{colour}_{NUMBER[lamp]}", facts)


CARDS = [described(lamp) for lamp in DECK]
