"""Define the input and output of a pairing: entries, settings and rounds.

All structs are frozen, and all amounts are whole numbers. Points are counted in units; a win is 120 units.
"""
from __future__ import annotations

from typing import Literal

from msgspec import Struct

WIN = 120
"""The units in a point, which any number of tied entries from 1 to 6 divides."""
MOST_SEATS = 6
VERSION = 1
"""The version of the algorithm. A change that affects pairings gets a new version, and old versions remain available."""

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
        rating: fixed before the first pairing; higher is better. Among equal ratings, the entry listed first is seeded higher.
        joined: the first round in which the entry takes part.
        points: units given for the rounds before `joined`.
        left: the first round in which the entry no longer takes part.
        out: single rounds that the entry sits out.
        reserve: whether the entry plays only if there are fewer participants than `Settings.places`.
    """

    id: str
    rating: int = 0
    joined: int = 1
    points: int = 0
    left: int | None = None
    out: tuple[int, ...] = ()
    reserve: bool = False


class Settings(Struct, frozen=True, kw_only=True):
    """The settings for pairing a stage.

    Attributes:
        seats: preferred size of a table.
        least: smallest legal size, by default one below `seats`.
        most: largest legal size, by default `seats`.
        short: whether the lowest or the highest players get short tables and byes.
        own: for the scheme "own", points by place for each size, such as {4: (6, 4, 2, 0)}.
        bye: points for a bye.
        void: points for a table without a result.
        absent: points for a round that the entry sits out.
        advance: number of players who advance from each table (pods).
        lives: each entry's lives at the start.
        reset: whether a second final is played if the undefeated player loses the first.
        best_of: number of games at a table, whose sum is the table's result.
        seating: "seeds" lets the better seed choose first, instead of balancing seats.
        forbidden: pairs that must not sit at one table.
        places: number of participants up to which reserves play.
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
    """A game's result, by seat of the table as paired.

    Attributes:
        places: final places; 1 is the best, and ties share a place.
        points: points in the game, empty if it has none.
        absent: seats that were absent; they get no points, and do not count as opponents.
    """

    places: tuple[int, ...]
    points: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()


class Table(Struct, frozen=True, gc=False):
    """A table with its games, which are empty if the table has no result.

    A `running` table has no result yet, and gives no points so far.
    """

    seats: tuple[str, ...]
    games: tuple[GameResult, ...] = ()
    running: bool = False


class Round(Struct, frozen=True, gc=False):
    """A round with its results."""

    tables: tuple[Table, ...]
    byes: tuple[str, ...] = ()


class Quality(Struct, frozen=True):
    """The quality of a pairing.

    Attributes:
        repeats: number of earlier meetings between players at the same table, over all pairs.
        least_possible: a lower bound of `repeats`.
        seats: number of entries whose counts of the seats would differ by more than one.
        sizes: number of tables of each size.
    """

    repeats: int
    least_possible: int
    seats: int
    sizes: dict[int, int]


class Pairing(Struct, frozen=True):
    """A paired round.

    Attributes:
        tables: the entries of each table by seat; the top board comes first.
        byes: the entries with a bye.
        quality: measures of the pairing.
    """

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    quality: Quality


Entries = tuple[Entry, ...]
History = tuple[Round, ...]
