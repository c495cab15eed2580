"""Move the cards that a step of an action chose.

Each move also records what all players learn from it about cards that react.
"""
from __future__ import annotations

from collections.abc import Sequence

from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import FactNumbers

from . import steps
from .cards import HIDDEN
from .memory import NOBODY, any_given, given_unseen, in_the_open, pile_mixed, seen, seen_to_get
from .plans import chosen, plan
from .pyramid import crumble, from_stock, remove, space_of, swap
from .reactions import sacrifice, sacrifice_card
from .state import T, Valley, at

COMMON = ("boneyard", "revealed")               # piles that belong to no seat
FIELDS = {                                      # where the cards of a zone lie
    "discard_top": ("discard",), "discard_top_two": ("discard",), "boneyard_top": ("boneyard",),
    "seen": ("revealed", "looked"),
}  # fmt: skip


def source_of(s: Valley, seat: int, zones: Sequence[str], what: int) -> list[int]:
    """Return the slot of the chosen card: the first of these zones that has it."""
    fields = [field for zone in zones for field in FIELDS.get(zone, (zone,))]
    return next(slot_of(field, seat) for field in fields if what in pile_of(s, field, seat))


def pile_of(s: Valley, field: str, seat: int) -> list[int]:
    cards: list[int] = getattr(s, field) if field in COMMON else getattr(s, field)[seat]
    return cards


def slot_of(field: str, seat: int) -> list[int]:
    """Return the slot of a common pile, or of the seat's own pile in a zone."""
    slot: list[int] = getattr(at, field) if field in COMMON else getattr(at, field)[seat]
    return slot


def target_of(seat: int, to: str, other: int) -> list[int]:
    """Return the slot to which a step moves a card.

    Args:
        seat: the acting seat.
        to: the target of the step; with the prefix `their_` it is a pile of the opponent.
        other: the opponent that this step or an earlier one chose.
    """
    return slot_of(to.removeprefix("their_"), other if to.startswith("their_") else seat)


def shift(t: T, f: Frame, step: steps.Choose, what: int, other: int = HIDDEN) -> None:
    """Move the chosen card to the target of the step.

    If the card came from the pyramid, the pyramid crumbles.
    """
    other = chosen(f) if other == HIDDEN else other
    where = space_of(t.s, what)
    remember_move(t, f, step, what, other)
    moved = leave(t, f, step, what, target_of(f.seat, step.to, other))
    if "stock_top" in step.sources or "seen" in step.sources:
        t.set(at.quiet_turns, 0)
    t.say(*said(step, f.seat, moved, other))
    if where is not None:
        crumble(t, f.seat, where)


def remember_move(t: T, f: Frame, step: steps.Choose, what: int, other: int) -> None:
    """Record what all players learn from a move about cards that react.

    They learn the card's new place or, if they do not see the card, which cards it can be.
    """
    if step.to == "their_deck":
        given_unseen(t, f.seat, other)
    elif step.to not in ("hand", "deck"):
        seen(t, what, {"discard": f.seat, "their_discard": other}.get(step.to, NOBODY))
    elif in_the_open(t.s, what):
        seen_to_get(t, f.seat, what)
    elif of_stock(f, step):
        any_given(t, f.seat)
    elif any(zone.startswith("discard") for zone in step.sources):
        pile_mixed(t, f.seat)


def of_stock(f: Frame, step: steps.Choose) -> bool:
    looked = any(isinstance(part.step, steps.Look) and part.step.source == "stock" for part in plan(f).parts)
    return "stock_top" in step.sources or (looked and "seen" in step.sources)


def leave(t: T, f: Frame, step: steps.Choose, what: int, dst: list[int]) -> FactNumbers:
    where = space_of(t.s, what)
    if "stock_top" in step.sources:
        return from_stock(t, 1, dst)
    if where is not None:
        return remove(t, where, dst)
    return t.move(what, source_of(t.s, f.seat, step.sources, what), dst)


def said(step: steps.Choose, seat: int, moved: FactNumbers, other: int) -> tuple[str, *tuple[int | FactNumbers, ...]]:
    """Return the id and the arguments of the sentence about a moved card."""
    if step.to.startswith("their_"):
        return f"gives_to_{step.to.removeprefix('their_')}", seat, moved, other
    if step.to == "discard":
        return "discards" if isinstance(step, steps.Discard) else "takes", seat, moved
    return {"hand": "takes_to_hand", "deck": "puts_on_deck", "tomb": "entombs"}[step.to], seat, moved


def sacrifice_chosen(t: T, f: Frame, step: steps.Sacrifice, what: int) -> None:
    if space_of(t.s, what) is not None:
        sacrifice_card(t, f.seat, what, "sacrifices")
    else:
        sacrifice(t, f.seat, what, source_of(t.s, f.seat, step.sources, what))


def give(t: T, f: Frame, step: steps.Give, what: int, receiver: int) -> None:
    """Move a card to an opponent.

    If the card goes onto the opponent's deck, it is revealed to that opponent only.
    """
    if step.to == "their_deck":
        shown = t.reveal(what, source_of(t.s, f.seat, step.sources, what), to=(receiver,))
        t.say("shows_to", f.seat, shown, receiver)
    shift(t, f, step, what, receiver)


def cover(t: T, f: Frame, step: steps.Cover, what: int) -> None:
    t.set(at.covered[f.seat], [*t.s.covered[f.seat], what])
    t.say("covers", f.seat, what)


def exchange(t: T, f: Frame, step: steps.Exchange, one: int, other: int) -> None:
    if step.a == step.b:
        return swap(t, f.seat, one, other)
    a, b = source_of(t.s, f.seat, [step.a], one), source_of(t.s, f.seat, [step.b], other)
    remember_exchange(t, f.seat, step, one, other)
    back = t.move(other, b, a)
    return t.say("exchanges", f.seat, t.move(one, a, b), back)


def remember_exchange(t: T, seat: int, step: steps.Exchange, one: int, other: int) -> None:
    """Record what all players learn from an exchange about cards that react.

    The card `one` becomes public. The card `other` comes from a public place or from the discard pile.
    """
    if step.a != "hand":
        seen(t, other, seat)
    elif in_the_open(t.s, other):
        seen_to_get(t, seat, other)
    else:
        pile_mixed(t, seat)
    seen(t, one, seat if step.b == "discard" else NOBODY)
