"""Named ways to part equals. Each is a pure function; more is better."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from services.tournaments.core.crosstable import Crosstable, Played
from services.tournaments.core.lots import Lots
from services.tournaments.core.model import TieBreak

FLOOR = Fraction(1, 3)
Amounts = dict[int, Fraction]
"""By number of the entry."""
Criterion = Callable[[Sequence[int]], Amounts]


def by_round(table: Crosstable, number: int) -> list[Fraction]:
    """What the opponents of each round have; without a game a made-up opponent who has as much as oneself."""
    scores, own = table.as_opponents, Fraction(table.past.scores[number])
    return [mean([scores[other] for other, _ in row.opponents]) if isinstance(row, Played) else own
            for row in table.rows[number]]


def mean(amounts: Sequence[int | Fraction]) -> Fraction:
    return Fraction(sum(amounts)) / len(amounts)


def buchholz(table: Crosstable, number: int) -> Fraction:
    return Fraction(sum(by_round(table, number)))


def buchholz_cut_1(table: Crosstable, number: int) -> Fraction:
    return Fraction(sum(sorted(by_round(table, number))[1:]))


def buchholz_median(table: Crosstable, number: int) -> Fraction:
    return Fraction(sum(sorted(by_round(table, number))[1:-1]))


def sonneborn_berger(table: Crosstable, number: int) -> Fraction:
    """Whole scores of those beaten, half of those one shared a place with; unplayed, one's own as far as it was given."""
    scores, own, win = table.as_opponents, table.past.scores[number], table.most(table.settings.seats)
    return Fraction(sum(
        mean([Fraction(scores[other] * twice, 2) for other, twice in row.opponents]) if isinstance(row, Played)
        else Fraction(own * row.units, win)
        for row in table.rows[number]
    ))  # fmt: skip


def opponents_win(table: Crosstable, number: int) -> Fraction:
    """What part of all they could win the opponents won, each at least a third."""
    shares = [won_share(table, other) for row in table.played(number) for other, _ in row.opponents]
    return mean(shares) if shares else FLOOR


def won_share(table: Crosstable, number: int) -> Fraction:
    played = table.played(number)
    return max(FLOOR, Fraction(sum(row.units for row in played), sum(row.most for row in played)))


def game_points(table: Crosstable, number: int) -> Fraction:
    """The part of each table's points, an even part counting half at each size, on average."""
    played = table.played(number)
    return mean([row.normal for row in played]) if played else Fraction(0)


def wins(table: Crosstable, number: int) -> Fraction:
    return Fraction(sum(row.first for row in table.played(number)))


def head_to_head(table: Crosstable, group: Sequence[int]) -> Amounts:
    """What they made of their meetings, if each of them has met each other; else nothing."""
    meetings = {number: meetings_among(table, number, set(group)) for number in group}
    if any(len({other for other, _ in met}) < len(group) - 1 for met in meetings.values()):
        return dict.fromkeys(group, Fraction(0))
    return {number: Fraction(sum(twice for _, twice in met), 2) for number, met in meetings.items()}


def meetings_among(table: Crosstable, number: int, others: set[int]) -> list[tuple[int, int]]:
    return [meeting for row in table.played(number) for meeting in row.opponents if meeting[0] in others]


SINGLE: dict[TieBreak, Callable[[Crosstable, int], Fraction]] = {
    "buchholz": buchholz,
    "buchholz-cut-1": buchholz_cut_1,
    "buchholz-median": buchholz_median,
    "sonneborn-berger": sonneborn_berger,
    "opponents-win": opponents_win,
    "game-points": game_points,
    "wins": wins,
}


def criterion(name: TieBreak, table: Crosstable, lot: bytes) -> Criterion:
    """What those of a group have that is equal so far. lot: the seed that was committed to before the first round."""
    everybody = range(len(table.rows))
    match name:
        case "head-to-head":
            return partial(head_to_head, table)
        case "seed":
            return ranked(table.past.seeded(everybody))
        case "lot":
            return ranked(Lots(lot, "standings").shuffled(everybody))
        case _:
            return lambda group: {number: SINGLE[name](table, number) for number in group}


def ranked(order: Sequence[int]) -> Criterion:
    """The first has the most."""
    have = {number: Fraction(-rank) for rank, number in enumerate(order, 1)}
    return lambda group: have
