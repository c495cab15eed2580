"""The twenty positions in the centre: what lies on top, what is turned up next, and which are exhausted."""
from __future__ import annotations

from .state import T, Valeria

SOLO_EXHAUSTED = 5


def top(stacks: list[list[int]]) -> list[int]:
    return [stack[-1] for stack in stacks if stack]


def nothing_left(stacks: list[list[int]]) -> bool:
    return not any(stacks)


def exhausted(s: Valeria) -> int:
    """Empty positions of the twenty."""
    return [*s.monsters, *s.citizens, *s.domains].count([])


def limit(s: Valeria) -> int:
    """So many of them end the game."""
    return SOLO_EXHAUSTED if s.seats == 1 else 2 * s.seats


def note_if_exhausted(t: T, stack: list[int]) -> None:
    """A card has just left it."""
    if not stack:
        t.say("exhausted", exhausted(t.s), limit(t.s))


def turn_up(t: T, below: list[int], where: list[int]) -> None:
    """The next card of a position that none lies on any more."""
    if shown := t.draw(1, below, where):
        t.say("turned_up", shown)
    else:
        t.say("exhausted", exhausted(t.s), limit(t.s))
