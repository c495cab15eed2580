"""Facts about secrets that a rule may admit. The title says what they are, and the kernel alone finds out the answer."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from engine.kernel.layout import Layout
from engine.kernel.slots import ALL, SPECTATOR, TOP_CARD, State

COMPARED = "same", "more", "less"               # the answer -1 is the last of them


class Predicate(NamedTuple):
    """of: the state and the arguments -> whether it holds; where it compares, -1, 0 or 1. It reads zones and nothing else.

    args: what its arguments are, as those of a verb. The texts have each answer as `admit.<name>.<word>`.
    """

    of: Callable[..., int]
    args: tuple[str, ...]
    words: tuple[str, ...] = ("no", "yes")

    def answer(self, s: State, args: Sequence[int]) -> int:
        """Raises ValueError if there is none."""
        found = int(self.of(s, *args)) if len(args) == len(self.args) else None
        if found is None or found not in range(2 - len(self.words), 2):
            raise ValueError(f"{args}: {found} is none of {', '.join(self.words)}")
        return found


def unseen(layout: Layout, s: State, card: int, to: Sequence[int]) -> Iterator[int]:
    """The slot of a card, where one of these audiences does not see it, nor has everybody seen it go in."""
    audiences = range(SPECTATOR, s.seats) if SPECTATOR in to else to
    for first, name, whole in layout.veils:
        there = getattr(s, name)
        if card in (there if whole else chain.from_iterable(there)):
            slot, pile = (first, there) if whole else next((n, pile) for n, pile in enumerate(there, first + 1) if card in pile)
            enough = TOP_CARD if pile[-1] == card else ALL
            yield from [slot] if any(layout.sees(audience, slot) < enough for audience in audiences) else []
