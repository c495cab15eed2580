"""Prompts that need arguments, and the ship to highlight."""
from __future__ import annotations

from ludarium_engine.kernel.bodies import Focus, Piece
from ludarium_engine.kernel.choices import SEAT, Phrase
from ludarium_engine.kernel.slots import Frame

from .rules import payee
from .state import Fog

PHRASES = {"prompt.pay": (SEAT,)}


def pay(s: Fog, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.pay", (payee(f),))


ASKS = {"pay": pay}


def focus(s: Fog) -> Focus | None:
    """Return the ship that receives a lamp during a payment for a wrong name."""
    f = s.agenda[-1]
    return Focus([Piece("seat", payee(f))]) if f.script == "payment" else None
