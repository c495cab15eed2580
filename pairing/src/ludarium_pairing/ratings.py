"""Rate players by openskill (Plackett-Luce).

Each ruleset and size class has a pool of ratings of its own.
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating

MEAN, DEVIATION = 25.0, 25.0 / 3
PROVISIONAL_ABOVE = 6.0
"""The deviation above which ratings are provisional, for about 13 games of two players or 20 of four."""
DIGITS = 6
MODEL = PlackettLuce(mu=MEAN, sigma=DEVIATION, tau=DEVIATION / 100)


class RatedGame(Struct, frozen=True):
    """A finished game.

    Attributes:
        position: log position of the game's end.
        places: each player's place; ties share a place.
        voided: whether the game is ignored.
    """

    position: int
    ruleset: str
    players: tuple[str, ...]
    places: tuple[int, ...]
    voided: bool = False


class RatingAfterGame(Struct, frozen=True):
    """A player's rating after the game that ended at this log position."""

    position: int
    mean: float
    deviation: float


class Rating(Struct, frozen=True):
    """A player's rating, whose values are rounded to six digits after each game.

    `history` has the ratings after each game, oldest first.
    """

    mean: float = MEAN
    deviation: float = DEVIATION
    history: tuple[RatingAfterGame, ...] = ()

    @property
    def provisional(self) -> bool:
        return self.deviation > PROVISIONAL_ABOVE

    @property
    def display(self) -> int:
        """The rating shown to players and used for seeding: 100 times a lower bound."""
        return round(100 * (self.mean - 3 * self.deviation))


Size = Literal["two", "many"]
Pool = tuple[str, Size]
"""A pool of ratings: a ruleset and a size class."""
Ratings = dict[Pool, dict[str, Rating]]


def size_class(players: int) -> Size:
    """Return the size class of a game, since games of two are rated separately."""
    return "two" if players == 2 else "many"


def ratings(games: Iterable[RatedGame]) -> Ratings:
    """Return all ratings by pool and player.

    Games are applied in the order in which they ended.
    """
    pools: Ratings = {}
    for game in sorted(games, key=lambda game: game.position):
        if not game.voided and len(game.players) > 1:
            rate(pools.setdefault((game.ruleset, size_class(len(game.players))), {}), game)
    return pools


def rate(pool: dict[str, Rating], game: RatedGame) -> None:
    before = [pool.get(player, Rating()) for player in game.players]
    teams = [[MODEL.rating(mu=rating.mean, sigma=rating.deviation)] for rating in before]
    after = MODEL.rate(teams, ranks=[float(place) for place in game.places])
    for player, rating, (new,) in zip(game.players, before, after, strict=True):
        pool[player] = after_game(rating, game.position, new)


def after_game(rating: Rating, position: int, new: PlackettLuceRating) -> Rating:
    mean, deviation = round(new.mu, DIGITS), round(new.sigma, DIGITS)
    return Rating(mean, deviation, (*rating.history, RatingAfterGame(position, mean, deviation)))
