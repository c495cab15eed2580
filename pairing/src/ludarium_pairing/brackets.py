"""Compute brackets of single and double elimination from the history.

A wave is a set of matches that can be played at once. The next round of the tournament is the first wave without results.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ludarium_pairing.history import PastRounds
from ludarium_pairing.points import ranking

Slot = int | None
Match = tuple[Slot, Slot]


def seeding(slots: int) -> list[int]:
    """Return the seeds by position, so that the best two can meet only in the final.

    >>> seeding(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    order = [0]
    while len(order) < slots:
        order = [seed for best in order for seed in (best, 2 * len(order) - 1 - best)]
    return order


@dataclass
class Bracket:
    """The state of a bracket between two waves.

    Attributes:
        winners: the winners' bracket by position, None where a slot is empty.
        double: whether there is a losers' bracket.
        reset: whether a second final is still possible.
        losers: the losers' bracket by position.
        dropped: losers of the winners' bracket who have not yet played in the losers' bracket.
        drops: the number of waves so far whose losers dropped down. Even and odd waves place their losers in different orders.
    """

    winners: list[Slot]
    double: bool
    reset: bool
    losers: list[Slot] = field(default_factory=list)
    dropped: list[Slot] = field(default_factory=list)
    drops: int = 0
    over: bool = False

    def wave(self) -> list[Match]:
        """Return the matches of the next wave, those of the winners' bracket first."""
        if self.over or (not self.losers and self.final):
            return []
        if self.dropped:
            return list(zip(self.losers, self.dropped, strict=True))
        if self.final:
            return [(self.winners[0], self.losers[0])]
        return paired(self.winners) + paired(self.losers)

    @property
    def final(self) -> bool:
        return len(self.winners) == 1

    def play(self, won: Sequence[Slot], lost: Sequence[Slot]) -> None:
        """Apply a wave's results, given as winners and losers in the order of matches."""
        if self.dropped:
            self.losers, self.dropped = list(won), []
        elif self.final:
            self._end(won[0], lost[0])
        else:
            self._next(won, lost)

    def _end(self, won: Slot, lost: Slot) -> None:
        self.over = won == self.winners[0] or not self.reset or lost is None
        self.winners, self.losers, self.reset = [won], [lost], False

    def _next(self, won: Sequence[Slot], lost: Sequence[Slot]) -> None:
        half = len(self.winners) // 2
        self.winners = list(won[:half])
        if self.double and not self.drops:
            self.losers = list(lost[:half])
        elif self.double:
            self.losers, self.dropped = list(won[half:]), reordered(lost[:half], self.drops)
        self.drops += 1
        self.over = not self.double and self.final


def paired(slots: Sequence[Slot]) -> list[Match]:
    return list(zip(slots[::2], slots[1::2], strict=True)) if len(slots) > 1 else []


def reordered(slots: Sequence[Slot], drops: int) -> list[Slot]:
    """Reorder players who drop to the losers' bracket, so that rematches come late.

    The order is alternately reversed and shifted by half.
    """
    half = len(slots) // 2
    return list(slots[::-1]) if drops % 2 else [*slots[half:], *slots[:half]]


def bracket(past: PastRounds, double: bool) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the next wave's matches, the better seed of each first, and the byes.

    Both are empty once the bracket is finished.
    """
    seeds = past.seeded(past.present_at(1))
    slots = 1 << max(0, len(seeds) - 1).bit_length()
    rank = {number: at for at, number in enumerate(seeds)}
    state = Bracket([seeds[seed] if seed < len(seeds) else None for seed in seeding(slots)], double, past.settings.reset)
    round = 1
    while wave := state.wave():
        present = set(past.present_at(round))
        wave = [(one if one in present else None, other if other in present else None) for one, other in wave]
        matches = [better_first((one, other), rank) for one, other in wave if one is not None and other is not None]
        if matches and round == past.round:
            return matches, list(walkovers(wave))
        results = [result(past, round, match, rank) for match in wave]
        state.play([won for won, _ in results], [lost for _, lost in results])
        round += bool(matches)
    return [], []


def walkovers(wave: Sequence[Match]) -> Iterator[int]:
    """Yield the players whose opponent's slot is empty."""
    for one, other in wave:
        if one is None and other is not None:
            yield other
        elif one is not None and other is None:
            yield one


def better_first(match: tuple[int, int], rank: dict[int, int]) -> tuple[int, int]:
    one, other = match
    return (one, other) if rank[one] < rank[other] else (other, one)


def result(past: PastRounds, round: int, match: Match, rank: dict[int, int]) -> tuple[Slot, Slot]:
    """Return the winner and the loser of a match.

    The better seed wins a draw, or a match without a result.
    """
    one, other = match
    if one is None or other is None:
        return (other, None) if one is None else (one, None)
    better, worse = better_first((one, other), rank)
    places = {past.number[id]: place for table in past.history[round - 1].tables
              for id, place in zip(table.seats, ranking(table), strict=True)}
    return (worse, better) if places.get(worse, 1) < places.get(better, 1) else (better, worse)
