"""Prompts and offer labels that need arguments, and the cards to highlight."""
from __future__ import annotations

from collections.abc import Callable

from ludarium_engine.kernel.bodies import Focus, Piece
from ludarium_engine.kernel.choices import CARD, NUMBER, Phrase
from ludarium_engine.kernel.slots import Frame

from .cards import DOMAIN, MONSTER
from .citizens import namesakes, price
from .dice import CHANGES
from .domains import EYE, NEST, PERCH, RETURNED, WATCHER, discount, domain
from .harvest import ANY_ONE, activated
from .rewards import effect_of, source
from .sentences import TOKENS
from .state import Valeria
from .tokens import amounts

PHRASES = {
    "prompt.change": (NUMBER, NUMBER, NUMBER),
    "prompt.harvest": (),
    "prompt.harvest.consolation": (),
    "prompt.claim": (CARD,),
    "prompt.claim.pay": (CARD,),
    "prompt.rob": (CARD,),
    "prompt.rob.bank": (CARD,),
    "prompt.slay_extra": (CARD,),
    "prompt.purloin": (CARD,),
    "prompt.put_back_monster": (CARD, NUMBER),
    "prompt.put_back_citizen": (CARD, NUMBER),
    "verb.change": (CARD, NUMBER, NUMBER, NUMBER),
    "verb.announce": (NUMBER, NUMBER, NUMBER),
    "verb.harvest": (*TOKENS, *TOKENS),
    "verb.harvest.consolation": ("resource.",),
    "verb.harvest.none": (),
    "verb.slay": (CARD, NUMBER, NUMBER),
    "verb.recruit": (CARD, NUMBER),
    "verb.build": (CARD, NUMBER),
    "verb.take": (CARD, NUMBER),
    "verb.pay": (*TOKENS, *TOKENS, NUMBER),
    "verb.put_back": (CARD, NUMBER),
    "verb.fall": (NUMBER, "area."),
}


# --- prompts ------------------------------------------------------------------------------------------------------------
def why_change(s: Valeria, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.change", (*s.dice, sum(s.dice)))


def why_harvest(s: Valeria, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.harvest" if activated(s, seat) else "prompt.harvest.consolation")


def why_claim(s: Valeria, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.claim.pay" if effect_of(source(f)).pay else "prompt.claim", (source(f),))


def why_rob(s: Valeria, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.rob.bank" if s.seats == 1 else "prompt.rob", (source(f),))


def why_slay_extra(s: Valeria, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.slay_extra", (EYE,))


def why_purloin(s: Valeria, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.purloin", (PERCH,))


def why_put_back_monster(s: Valeria, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.put_back_monster", (WATCHER, RETURNED))


def why_put_back_citizen(s: Valeria, f: Frame, seat: int) -> Phrase:
    return Phrase("prompt.put_back_citizen", (NEST, RETURNED))


ASKS = {
    "change": why_change, "harvest": why_harvest, "claim": why_claim, "rob": why_rob, "slay_extra": why_slay_extra,
    "purloin": why_purloin, "put_back_monster": why_put_back_monster, "put_back_citizen": why_put_back_citizen,
}  # fmt: skip


# --- labels of offers ---------------------------------------------------------------------------------------------------
def change(s: Valeria, f: Frame, seat: int, card: int, i: int) -> Phrase:
    cost, becomes = CHANGES[card](s, seat, s.dice[i])
    return Phrase("verb.change", (card, s.dice[i], becomes, cost))


def announce(s: Valeria, f: Frame, seat: int) -> Phrase:
    return Phrase("verb.announce", (*s.dice, sum(s.dice)))


def harvest(s: Valeria, f: Frame, seat: int, gold: int, strength: int, magic: int) -> Phrase:
    tokens = gold, strength, magic
    if not activated(s, seat):
        return Phrase("verb.harvest.consolation", (ANY_ONE.index(tokens),))
    if not any(tokens):
        return Phrase("verb.harvest.none")
    return Phrase("verb.harvest", (*[max(0, n) for n in tokens], *[max(0, -n) for n in tokens]))


def slay(s: Valeria, f: Frame, seat: int, card: int) -> Phrase:
    return Phrase("verb.slay", (card, MONSTER[card].strength, MONSTER[card].magic))


def recruit(s: Valeria, f: Frame, seat: int, card: int) -> Phrase:
    return Phrase("verb.recruit", (card, price(card, namesakes(s, seat))))


def build(s: Valeria, f: Frame, seat: int, card: int) -> Phrase:
    return Phrase("verb.build", (card, DOMAIN[card].gold - discount(s, seat)))


def take(s: Valeria, f: Frame, seat: int, card: int) -> Phrase:
    points = sum(option.gain.get("vp", 0) for option in effect_of(source(f)).choose if option.citizen is not None)
    return Phrase("verb.take", (card, points))


def pay(s: Valeria, f: Frame, seat: int) -> Phrase:
    effect = effect_of(source(f))
    return Phrase("verb.pay", (*amounts(effect.pay), *amounts(effect.gain), effect.gain.get("vp", 0)))


def put_back(s: Valeria, f: Frame, seat: int, card: int) -> Phrase:
    return Phrase("verb.put_back", (card, RETURNED))


def fall(s: Valeria, f: Frame, seat: int, die: int, column: int) -> Phrase:
    return Phrase("verb.fall", (die, s.areas[column]))


LABELS: dict[str, Callable[..., Phrase]] = {
    "change": change, "announce": announce, "harvest": harvest, "slay": slay, "recruit": recruit, "build": build, "take": take,
    "pay": pay, "put_back": put_back, "fall": fall,
}  # fmt: skip


# --- focus --------------------------------------------------------------------------------------------------------------
def focus(s: Valeria) -> Focus | None:
    """Return the cards whose effects are being resolved, or None if there are none."""
    f = s.agenda[-1]
    cards = [source(f)] if f.script in ("reward", "theft") else [OF[f.script]] if f.script in OF else []
    cards += [domain(waiting) for waiting in s.agenda if waiting.script == "building" and domain(waiting) not in cards]
    return Focus([Piece("card", card) for card in cards]) if cards else None


OF = {"extra slay": EYE, "perch": PERCH, "watcher": WATCHER, "nest": NEST}
