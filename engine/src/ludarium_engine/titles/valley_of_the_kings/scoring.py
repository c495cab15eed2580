"""Compute the points of tombs, and the ranks of seats."""
from __future__ import annotations

from collections import Counter

from ludarium_engine.kernel.bodies import Source
from ludarium_engine.kernel.table import standings

from .cards import KIND, POINTS, SET
from .state import Valley


def score(tomb: list[int]) -> int:
    return sum(parts(tomb).values())


def parts(tomb: list[int]) -> dict[str, int]:
    """Return the points of a tomb by category.

    Starters and uniques score their printed points. A set scores the square of the number of its different cards.
    """
    kinds = {KIND[card]: card for card in tomb}
    sets = Counter(SET[card] for card in kinds.values() if SET[card])
    printed = sum(POINTS[card] for card in tomb if not SET[card])
    return {"score.printed": printed, "score.sets": sum(n * n for n in sets.values())}


def sources(tomb: list[int]) -> dict[str, list[Source]]:
    """Return the cards and sets of a tomb that score points, best first."""
    single = [Source([card], POINTS[card]) for card in tomb if not SET[card] and POINTS[card]]
    kinds = {KIND[card]: card for card in tomb if SET[card]}
    sets = [[card for card in kinds.values() if SET[card] == name] for name in {SET[card] for card in kinds.values()}]
    found = [Source(sorted(cards), len(cards) ** 2) for cards in sets]
    return {"score.printed": ranked(single), "score.sets": ranked(found)}


def ranked(found: list[Source]) -> list[Source]:
    return sorted(found, key=lambda source: (-source.points, source.cards))


def outcome(s: Valley) -> list[int]:
    """Return the rank of each seat by points.

    Among equal points, the smaller tomb wins; otherwise seats share a rank.
    """
    return standings([(score(tomb), -len(tomb)) for tomb in s.tomb])
