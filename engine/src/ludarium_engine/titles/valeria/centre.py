"""The twenty positions in the centre of the table, and when they are exhausted."""
from __future__ import annotations

from .state import T, Valeria

SOLO_EXHAUSTED = 5


def top(stacks: list[list[int]]) -> list[int]:
    return [stack[-1] for stack in stacks if stack]


def nothing_left(stacks: list[list[int]]) -> bool:
    return not any(stacks)


def exhausted(s: Valeria) -> int:
    """Return how many of the twenty positions are empty."""
    return [*s.monsters, *s.citizens, *s.domains].count([])


def limit(s: Valeria) -> int:
    """Return how many exhausted positions end the game."""
    return SOLO_EXHAUSTED if s.seats == 1 else 2 * s.seats


def note_if_exhausted(t: T, stack: list[int]) -> None:
    """Log that a stack is exhausted if the card that just left was its last one."""
    if not stack:
        t.say("exhausted", exhausted(t.s), limit(t.s))


def turn_up(t: T, below: list[int], where: list[int]) -> None:
    """Turn up the next card in an empty position, or log that the stack is exhausted."""
    if shown := t.draw(1, below, where):
        t.say("turned_up", shown)
    else:
        t.say("exhausted", exhausted(t.s), limit(t.s))
