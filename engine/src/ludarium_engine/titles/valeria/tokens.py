"""Count, gain and pay tokens; find active domains and possible victims."""
from __future__ import annotations

from functools import lru_cache

from ludarium_engine.kernel.choices import Offer, Verb

from .cards import AT_FIVE, BY_NAME, MONSTER, TABLEAU
from .data_file import ROLES, Effect, Tokens
from .state import T, Valeria, at

RESOURCES = ("gold", "strength", "magic")


def purse(s: Valeria, seat: int) -> tuple[int, int, int]:
    """Return the seat's gold, strength and magic."""
    return s.gold[seat], s.strength[seat], s.magic[seat]


def gain(t: T, seat: int, tokens: Tokens, times: int = 1) -> None:
    for name, n in tokens.items():
        credit(t, seat, name, n * times)


def credit(t: T, seat: int, name: str, n: int) -> None:
    match name:
        case "gold":
            t.add(at.gold[seat], n)
        case "strength":
            t.add(at.strength[seat], n)
        case "magic":
            t.add(at.magic[seat], n)
        case "vp":
            t.add(at.vp[seat], n)


def amounts(tokens: Tokens) -> tuple[int, ...]:
    """Return the amounts of gold, strength and magic as sentences need them."""
    return tuple([tokens.get(name, 0) for name in RESOURCES])


def bring(t: T, seat: int, card: int, tokens: Tokens) -> None:
    """Give a seat a card's tokens, if any, and log the gain."""
    if any(tokens.values()):
        gain(t, seat, tokens)
        t.say("brings", seat, card, *amounts(tokens), tokens.get("vp", 0))


def affords(s: Valeria, seat: int, tokens: Tokens) -> bool:
    held = purse(s, seat)
    return all(held[RESOURCES.index(name)] >= n for name, n in tokens.items())


def brings(s: Valeria, seat: int, effect: Effect) -> Tokens:
    """Return the tokens that an effect gives in the current state."""
    if not effect.each:
        return effect.gain
    times = counted(s, seat, effect.per)
    return {name: effect.gain.get(name, 0) + effect.each.get(name, 0) * times for name in effect.gain | effect.each}


def counted(s: Valeria, seat: int, per: tuple[str, str]) -> int:
    """Count the cards described by `Effect.per`.

    Starters have no role, so they count only by name.
    """
    what, which = per
    match what:
        case "role":
            return [TABLEAU[card].role for card in s.tableau[seat]].count(which)
        case "named":
            return names(s, seat).count(which)
        case "domains":
            return len(s.built[seat])
        case _:
            return sum(MONSTER[card].area == which for card in s.slain[seat])


def names(s: Valeria, seat: int) -> list[str]:
    """Return the names of all cards in the tableau, including starters."""
    return [TABLEAU[card].named for card in s.tableau[seat]]


def roles(s: Valeria, seat: int) -> dict[str, int]:
    """Return how many citizens of each role the seat has; starters have no role."""
    owned = [TABLEAU[card].role for card in s.tableau[seat]]
    return {role: owned.count(role) for role in ROLES}


def works(s: Valeria, seat: int, domain: str) -> bool:
    """Return whether the seat has this domain and the domain is active."""
    card = BY_NAME[domain]
    return card in s.built[seat] and card not in s.fresh


def working(s: Valeria, seat: int) -> list[int]:
    return [card for card in s.built[seat] if card not in s.fresh]


def resting(s: Valeria) -> int | None:
    """Return the seat that rests, which is the one before the current seat.

    With fewer than five seats, no seat rests and the result is None.
    """
    return (s.turn - 1) % s.seats if s.seats == AT_FIVE else None


def opponents(s: Valeria, seat: int) -> list[int]:
    """Return the seats from which the seat may take tokens or cards."""
    safe = None if s.options.resting_player_targetable else resting(s)
    return [p for p in range(s.seats) if p not in (seat, safe)]


@lru_cache(1 << 14)
def payments(verb: Verb, card: int, due: int, held: int, magic: int) -> tuple[Offer, ...]:
    """Return the offer to pay for a card, or () if the seat cannot pay.

    Magic may replace all but one of the required tokens. The player chooses the amount of magic as the offer's subset.

    Args:
        verb: the verb of the offer.
        card: the card to pay for.
        due: the number of tokens to pay.
        held: the number of tokens of the required kind that the seat has.
        magic: the amount of magic that the seat has.
    """
    if not held or held + magic < due:
        return ()
    return (Offer(verb.name, (card,), tuple(range(max(0, due - held), min(due - 1, magic) + 1)), (), 1, 1),)
