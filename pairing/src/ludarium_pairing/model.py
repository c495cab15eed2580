"""What a pairing is made of: entries, settings and the rounds so far; whole numbers and words, frozen."""
from __future__ import annotations

from typing import Literal

from msgspec import Struct

WIN = 120
"""Units of a point: a whole number however many share places 1 to 6."""
MOST_SEATS = 6
VERSION = 1
"""Of the algorithm. A change of any pairing is a new version, and the old one stays."""

Format = Literal["swiss", "round-robin", "single-elimination", "double-elimination", "pods", "lives", "arena"]
Scheme = Literal["place", "5310", "own", "share", "duplicate", "arena"]
Unplayed = Literal["win", "mean", "none"]
TieBreak = Literal[
    "buchholz", "buchholz-cut-1", "buchholz-median", "sonneborn-berger", "opponents-win", "head-to-head", "game-points",
    "wins", "seed", "lot",
]  # fmt: skip


class Entry(Struct, frozen=True):
    """rating: frozen at the first pairing, more is better; of two alike, who is listed first is the better seed.

    joined: the first round it takes part in; points: units it was given for the rounds before.
    left: the first round it takes no part in any more; out: single rounds that it sits out.
    reserve: takes part while fewer than the settings' places do.
    """

    id: str
    rating: int = 0
    joined: int = 1
    points: int = 0
    left: int | None = None
    out: tuple[int, ...] = ()
    reserve: bool = False


class Settings(Struct, frozen=True, kw_only=True):
    """seats: of a table; least, most: which other sizes are legal, one fewer and none more unless told.

    short: whether the lowest or the highest sit at tables that lack a seat, and have the byes.
    own: for the scheme "own", points by place for each size, such as {4: (6, 4, 2, 0)}.
    bye, void, absent: what is given for a bye, a table without a result, a round not taken part in.
    advance: how many of a table go on (pods). lives: to begin with. reset: a second final if the undefeated loses the first.
    best_of: games of a table, whose sum is its result. seating "seeds": the better chooses first, nothing is balanced.
    forbidden: never at one table. places: up to how many the reserves fill.
    """

    format: Format = "swiss"
    seats: int = 2
    least: int | None = None
    most: int | None = None
    short: Literal["low", "high"] = "low"
    scheme: Scheme = "place"
    own: dict[int, tuple[int, ...]] = {}
    bye: Unplayed = "win"
    void: Unplayed = "mean"
    absent: Unplayed = "none"
    advance: int = 1
    lives: int = 2
    reset: bool = True
    best_of: int = 1
    seating: Literal["balanced", "seeds"] = "balanced"
    forbidden: tuple[tuple[str, str], ...] = ()
    tie_breaks: tuple[TieBreak, ...] = ("buchholz", "head-to-head", "game-points", "seed")
    places: int | None = None

    @property
    def fewest(self) -> int:
        return self.least if self.least is not None else max(2, self.seats - 1)

    @property
    def greatest(self) -> int:
        return self.most if self.most is not None else self.seats


class GameResult(Struct, frozen=True, gc=False):
    """By seat of the table as it was paired. places: 1 is the best, ties share one; points: of the game, where it counts them.

    absent: seats that were not there; they are given nothing, and have met nobody.
    """

    places: tuple[int, ...]
    points: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()


class Table(Struct, frozen=True, gc=False):
    """seats: who sits where; games: none if there was no result. running: there is none yet, and so far it is worth nothing."""

    seats: tuple[str, ...]
    games: tuple[GameResult, ...] = ()
    running: bool = False


class Round(Struct, frozen=True, gc=False):
    """As it was played."""

    tables: tuple[Table, ...]
    byes: tuple[str, ...] = ()


class Quality(Struct, frozen=True):
    """repeats: earlier meetings of the pairs at one table, each as often as it happened; least_possible: fewer cannot be.

    seats: entries whose counts of seats would differ by more than one; sizes: how many tables of which size.
    """

    repeats: int
    least_possible: int
    seats: int
    sizes: dict[int, int]


class Pairing(Struct, frozen=True):
    """tables: entries by seat, the first board first."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    quality: Quality


Entries = tuple[Entry, ...]
History = tuple[Round, ...]
