"""The data of a pairing: entries, settings and past rounds.

All structs are frozen and hold whole numbers.
"""
from __future__ import annotations

from typing import Literal

from msgspec import Struct

WIN = 120
"""Units of a point: divisible by any number of entries that share places 1 to 6."""
MOST_SEATS = 6
VERSION = 1
"""Version of the algorithm. Any change of a pairing is a new version, and the old one stays."""

Format = Literal["swiss", "round-robin", "single-elimination", "double-elimination", "pods", "lives", "arena"]
Scheme = Literal["place", "5310", "own", "share", "duplicate", "arena"]
Unplayed = Literal["win", "mean", "none"]
TieBreak = Literal[
    "buchholz", "buchholz-cut-1", "buchholz-median", "sonneborn-berger", "opponents-win", "head-to-head", "game-points",
    "wins", "seed", "lot",
]  # fmt: skip


class Entry(Struct, frozen=True):
    """A participant.

    Attributes:
        rating: frozen at the first pairing, more is better; of two alike, the one listed first is the better seed.
        joined: the first round it takes part in.
        points: units given for the rounds before that.
        left: the first round it no longer takes part in.
        out: single rounds that it sits out.
        reserve: takes part only while there are fewer participants than `Settings.places`.
    """

    id: str
    rating: int = 0
    joined: int = 1
    points: int = 0
    left: int | None = None
    out: tuple[int, ...] = ()
    reserve: bool = False


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of a tournament's pairing.

    Attributes:
        seats: preferred size of a table.
        least: the smallest legal size, by default one below `seats`.
        most: the largest legal size, by default `seats`.
        short: whether the lowest or the highest get short tables and byes.
        own: for the scheme "own", points by place for each size, such as {4: (6, 4, 2, 0)}.
        bye: what a bye gives.
        void: what a table without a result gives.
        absent: what a round not taken part in gives.
        advance: how many of a table advance (pods).
        lives: lives at the start.
        reset: whether there is a second final if the undefeated player loses the first.
        best_of: games of a table; their sum is its result.
        seating: "seeds" lets the better seed choose first instead of balancing seats.
        forbidden: pairs that must not sit at one table.
        places: how many participants the reserves fill up to.
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
    """A game's result, by seat of the table as it was paired.

    Attributes:
        places: 1 is the best; ties share a place.
        points: of the game, if it has points.
        absent: seats that were absent; they get nothing and have met no one.
    """

    places: tuple[int, ...]
    points: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()


class Table(Struct, frozen=True, gc=False):
    """A table. `games` is empty if it has no result.

    A `running` table has no result yet and is worth nothing so far.
    """

    seats: tuple[str, ...]
    games: tuple[GameResult, ...] = ()
    running: bool = False


class Round(Struct, frozen=True, gc=False):
    """A round as it was played."""

    tables: tuple[Table, ...]
    byes: tuple[str, ...] = ()


class Quality(Struct, frozen=True):
    """The quality of a pairing.

    Attributes:
        repeats: earlier meetings of the pairs at each table, each as often as it happened.
        least_possible: a lower bound of `repeats`.
        seats: entries whose counts of seats would differ by more than one.
        sizes: how many tables there are of each size.
    """

    repeats: int
    least_possible: int
    seats: int
    sizes: dict[int, int]


class Pairing(Struct, frozen=True):
    """A paired round. `tables`: entries by seat, the top board first."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    quality: Quality


Entries = tuple[Entry, ...]
History = tuple[Round, ...]
