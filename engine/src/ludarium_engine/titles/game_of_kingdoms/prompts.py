"""Prompts and offer labels that need arguments, and the cards to highlight."""
from __future__ import annotations

from collections.abc import Callable, Mapping

from ludarium_engine.kernel.bodies import Focus, Piece, Side
from ludarium_engine.kernel.choices import CARD, NUMBER, SEAT, Phrase
from ludarium_engine.kernel.slots import Frame

from . import rules
from .memory import cards_on_table
from .state import Kingdoms

PHRASES = {
    "prompt.lead": (SEAT, NUMBER),
    "prompt.defend": (SEAT, NUMBER),
    "prompt.add": (SEAT, NUMBER),
    "prompt.add.piling": (SEAT, NUMBER),
    "prompt.throw": (SEAT, NUMBER),
    "prompt.throw.piling": (SEAT, NUMBER),
    "verb.pass_on": (CARD, SEAT),
    "verb.take": (NUMBER,),
}


def lead(s: Kingdoms, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.lead", (s.defender, len(s.hand[s.defender])))


def defend(s: Kingdoms, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.defend", (s.attacker, len(rules.unbeaten(s))))


def add(s: Kingdoms, f: Frame, seat: int) -> Phrase:
    return more("prompt.add", s)


def throw(s: Kingdoms, f: Frame, seat: int) -> Phrase:
    return more("prompt.throw", s)


def more(prompt: str, s: Kingdoms) -> Phrase:
    """Return the prompt to add attacking cards, or to give more to a taking defender."""
    return Phrase(f"{prompt}.piling" if s.taking else prompt, (s.defender, rules.cards_allowed(s)))


def pass_on(s: Kingdoms, f: Frame, seat: int, card: int) -> Phrase:
    return Phrase("verb.pass_on", (card, rules.next_player(s, seat)))


def take(s: Kingdoms, f: Frame, seat: int) -> Phrase:
    return Phrase("verb.take", (len(cards_on_table(s)),))


ASKS = {"lead": lead, "defend": defend, "add": add, "throw": throw}
LABELS: Mapping[str, Callable[..., Phrase]] = {"pass_on": pass_on, "take": take}


def focus(s: Kingdoms) -> Focus:
    """Return the cards to highlight, i.e. the unbeaten ones, and both sides' cards."""
    beaten = tuple([card for zone in s.defence for card in zone])
    sides = [Side(s.attacker, len(s.attack), tuple(s.attack)), Side(s.defender, len(beaten), beaten)]
    return Focus([Piece("card", s.attack[i]) for i in rules.unbeaten(s)], sides)
