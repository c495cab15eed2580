"""Prompts and offer labels that need arguments, and the cards to highlight."""
from __future__ import annotations

from collections.abc import Callable, Mapping

from ludarium_engine.kernel.bodies import Focus, Piece
from ludarium_engine.kernel.choices import CARD, NUMBER, SEAT, Phrase
from ludarium_engine.kernel.slots import Frame

from . import steps
from .actions import page_card
from .cards import COST
from .forced import number, receiver
from .plans import part_of, text
from .pyramid import space
from .reactions import card
from .state import Valley

PILES = ["hand", "discard", "tomb", "boneyard_top", "pyramid"]       # the zones whose cards can be exchanged
OF_THE_ACTION = [
    "sacrifice", "entomb", "discard", "take", "to_hand", "to_deck", "give", "give_to_deck", "give_to_tomb", "cover", "exchange",
    "swap", "either", "maybe", "put_back", "top_or_bottom", "rob", "repeat", "borrow", "target",
]  # fmt: skip
PHRASES = {
    **{f"prompt.take.{what}": (CARD,) for what in OF_THE_ACTION},
    "prompt.take.redraw": (CARD, NUMBER),
    "prompt.use_boats.bought": (SEAT, CARD),
    "prompt.use_cat": (SEAT, CARD),
    "prompt.heal": (SEAT, CARD, CARD),
    "prompt.rest": (SEAT, CARD),
    "prompt.discard_forced": (SEAT, CARD, NUMBER),
    "prompt.sacrifice_forced": (SEAT, CARD),
    "prompt.put_forced": (SEAT, CARD, SEAT),
    "prompt.read_page": (CARD,),
    "verb.buy": ("pyramid", NUMBER),
    "verb.exchange": (CARD, "pile.", CARD, "pile."),
    "verb.exchange.swap": (CARD, CARD),
    "verb.cat": (CARD, CARD),
    "verb.physician": (CARD, CARD),
}


# --- a part of an action ------------------------------------------------------------------------------------------------
def take(s: Valley, f: Frame, seat: int) -> Phrase:
    step = part_of(f).step
    if isinstance(step, steps.Redraw):
        return Phrase("prompt.take.redraw", (text(f), step.most))
    return Phrase(f"prompt.take.{what_to(step)}", (text(f),))


def what_to(step: steps.AnyStep) -> str:
    """Return what a step asks for, as an entry of OF_THE_ACTION."""
    if isinstance(step, steps.Discard):
        return "discard"
    if isinstance(step, steps.Choose):
        return BY_TARGET[step.to]
    return "swap" if isinstance(step, steps.Exchange) and step.a == step.b else BY_STEP[type(step)]


BY_TARGET: Mapping[str, str] = {
    "boneyard": "sacrifice", "tomb": "entomb", "discard": "take", "hand": "to_hand", "deck": "to_deck", "pyramid": "cover",
    "their_discard": "give", "their_deck": "give_to_deck", "their_tomb": "give_to_tomb",
}  # fmt: skip
BY_STEP: Mapping[type, str] = {
    steps.Exchange: "exchange", steps.Either: "either", steps.Maybe: "maybe", steps.PutBack: "put_back",
    steps.TopOrBottom: "top_or_bottom", steps.Rob: "rob", steps.LeaveCenser: "rob", steps.Repeat: "repeat",
    steps.Borrow: "borrow", steps.Force: "target",
}  # fmt: skip


def exchange(s: Valley, f: Frame, seat: int, one: int, other: int) -> Phrase:
    step = part_of(f).step
    assert isinstance(step, steps.Exchange)
    if step.a == step.b:
        return Phrase("verb.exchange.swap", (one, other))
    return Phrase("verb.exchange", (one, PILES.index(step.a), other, PILES.index(step.b)))


def read_page(s: Valley, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.read_page", (page_card(f),))


# --- demands of another seat's action -----------------------------------------------------------------------------------
def cause(s: Valley) -> tuple[int, int]:
    """Return the seat and the card of the action that caused a demand.

    The action continues after all seats have met the demand.
    """
    under_way = next(f for f in reversed(s.agenda) if f.script == "perform")
    return under_way.seat, text(under_way)


def discard_forced(s: Valley, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.discard_forced", (*cause(s), min(number(f), len(s.hand[seat]))))


def sacrifice_forced(s: Valley, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.sacrifice_forced", cause(s))


def put_forced(s: Valley, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.put_forced", (*cause(s), receiver(f)))


# --- windows ------------------------------------------------------------------------------------------------------------
def use_boats(s: Valley, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.use_boats.bought", (f.seat, card(f)))


def use_cat(s: Valley, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.use_cat", (f.seat, card(f)))


def heal(s: Valley, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.heal", (*cause(s), card(f)))


def rest(s: Valley, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.rest", cause(s))


def saving(verb: str) -> Callable[[Valley, Frame, int, int], Phrase]:
    """Return a function that labels offers to react to the card of a window.

    The labels name the reaction and the card that it would take.
    """
    return lambda s, f, seat, reaction: Phrase(verb, (reaction, card(f)))


def buy(s: Valley, f: Frame, seat: int, where: int) -> Phrase:
    return Phrase("verb.buy", (where, max(0, COST[s.pyramid[where][0]] - s.discount)))


ASKS = {
    "take": take, "read_page": read_page, "use_boats": use_boats, "use_cat": use_cat, "heal": heal, "rest": rest,
    "discard_forced": discard_forced, "sacrifice_forced": sacrifice_forced, "put_forced": put_forced,
}  # fmt: skip
LABELS: Mapping[str, Callable[..., Phrase]] = {
    "buy": buy, "exchange": exchange, "cat": saving("verb.cat"), "physician": saving("verb.physician"),
}  # fmt: skip


# --- highlighted pieces ---------------------------------------------------------------------------------------------
ABOUT = {"perform": text, "choose": text, "pick": text, "page": page_card, "boat": card, "cat": card, "yielded": card}


def focus(s: Valley) -> Focus | None:
    """Return the pieces to highlight, or None.

    These are the space into which a card falls, the card that was bought or sacrificed, and the cards whose actions are under
    way.
    """
    top = s.agenda[-1]
    pieces = [Piece("slot", space(top), "pyramid")] if top.script == "fork" else []
    cards = dict.fromkeys(ABOUT[f.script](f) for f in reversed(s.agenda) if f.script in ABOUT)
    pieces += [Piece("card", found) for found in cards if found >= 0]
    return Focus(pieces) if pieces else None
