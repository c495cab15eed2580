"""Compute tie-breaks by name, as pure functions; higher is better."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial

from ludarium_pairing.crosstable import FLOOR, SIXTIETHS, Crosstable, Unplayed
from ludarium_pairing.model import TieBreak
from ludarium_pairing.random_draws import RandomDraws

Amount = int | Fraction
Amounts = Mapping[int, Amount]
"""The number of an entry -> its amount."""
Criterion = Callable[[Sequence[int]], Amounts]


def opponents_by_round(table: Crosstable, number: int) -> list[int]:
    """Return the average score of an entry's opponents in each round, in sixtieths.

    A round without a game counts as an opponent with the entry's own score. Such rounds come last.
    """
    sixtieths, own, games = table.as_opponents_in_sixtieths, SIXTIETHS * table.scores[number], table.games[number]
    return [average_of_opponents(row.opponents, sixtieths) for row in games] + [own] * (len(table.columns) - len(games))


def average_of_opponents(opponents: Sequence[tuple[int, int]], have: Sequence[int]) -> int:
    """Return the average of the opponents' amounts, which are in sixtieths."""
    if len(opponents) == 1:
        return have[opponents[0][0]]
    return sum([have[other] for other, _ in opponents]) // len(opponents)


@lru_cache(10_000)
def as_fraction(amount: int, of: int) -> Amount:
    whole, rest = divmod(amount, of)
    return Fraction(amount, of) if rest else whole


def buchholz(table: Crosstable, number: int) -> Amount:
    return as_fraction(sum(opponents_by_round(table, number)), SIXTIETHS)


def buchholz_cut_1(table: Crosstable, number: int) -> Amount:
    return as_fraction(sum(sorted(opponents_by_round(table, number))[1:]), SIXTIETHS)


def buchholz_median(table: Crosstable, number: int) -> Amount:
    return as_fraction(sum(sorted(opponents_by_round(table, number))[1:-1]), SIXTIETHS)


def sonneborn_berger(table: Crosstable, number: int) -> Amount:
    """Return the sum of the scores of beaten opponents plus half those of tied ones.

    For an unplayed round, the entry's own score is counted, multiplied by the share of a win that it was given.
    """
    scores, own, win = table.as_opponents, table.scores[number], table.most_units(table.settings.seats)
    twice = sum(
        SIXTIETHS // len(row.opponents) * sum([scores[other] * twice for other, twice in row.opponents])
        for row in table.games[number]
    )  # fmt: skip
    given = sum(row.units for row in table.rows[number] if isinstance(row, Unplayed))
    return Fraction(twice, 2 * SIXTIETHS) + Fraction(own * given, win)


def opponents_win(table: Crosstable, number: int) -> Amount:
    """Return the opponents' average share of possible units, each at least a third."""
    shares = [table.won_shares[other] for row in table.games[number] for other, _ in row.opponents]
    return Fraction(sum(shares)) / len(shares) if shares else FLOOR


def game_points(table: Crosstable, number: int) -> Amount:
    """Return the entry's average share of the points at its tables, scaled to units.

    An even share counts as one half.
    """
    played = table.games[number]
    return as_fraction(sum([row.normal for row in played]), len(played)) if played else 0


def wins(table: Crosstable, number: int) -> Amount:
    return sum(row.first for row in table.games[number])


def head_to_head(table: Crosstable, group: Sequence[int]) -> Amounts:
    """Return the scores within the group if all have met each other, otherwise zeros."""
    if len(group) == 1:
        return dict.fromkeys(group, 0)
    all_numbers, made = set(group), dict[int, Amount]()
    for number in group:
        met = meetings_among(table, number, all_numbers)
        if len({other for other, _ in met}) < len(group) - 1:
            return dict.fromkeys(group, 0)
        made[number] = as_fraction(sum(twice for _, twice in met), 2)
    return made


def meetings_among(table: Crosstable, number: int, others: set[int]) -> list[tuple[int, int]]:
    return [meeting for row in table.games[number] for meeting in row.opponents if meeting[0] in others]


SINGLE: dict[TieBreak, Callable[[Crosstable, int], Amount]] = {
    "buchholz": buchholz,
    "buchholz-cut-1": buchholz_cut_1,
    "buchholz-median": buchholz_median,
    "sonneborn-berger": sonneborn_berger,
    "opponents-win": opponents_win,
    "game-points": game_points,
    "wins": wins,
}


def criterion(name: TieBreak, table: Crosstable, lot: bytes) -> Criterion:
    """Return the tie-break of this name, a function from a tied group to amounts.

    Args:
        lot: the seed that was committed to before the first round.
    """
    all_numbers = range(len(table.rows))
    match name:
        case "head-to-head":
            return partial(head_to_head, table)
        case "seed":
            return ranked(table.past.seeded(all_numbers))
        case "lot":
            return ranked(RandomDraws(lot, "standings").shuffled(all_numbers))
        case _:
            return lambda group: {number: SINGLE[name](table, number) for number in group}


def ranked(order: Sequence[int]) -> Criterion:
    """Return a criterion for a fixed order, in which the first entry is the best."""
    return fixed_amounts({number: -rank for rank, number in enumerate(order, 1)})


def fixed_amounts(have: Amounts) -> Criterion:
    """Return a criterion whose amounts do not depend on the tied group."""
    return lambda group: {number: have[number] for number in group}
