"""Apply the intervention cards that players use in their own turn."""
from __future__ import annotations

from collections.abc import Mapping

from ludarium_engine.kernel.choices import Action, Offer, each
from ludarium_engine.kernel.scripts import Ask, Script
from ludarium_engine.kernel.slots import Frame

from . import verbs
from .cards import COST, ID, PARAMS, WHEN, card_of
from .powers import bonus, gain, price
from .recruiting import FREE, call_up
from .state import NOBODY, Kemet, T, at
from .troops import destroy
from .veto import announce


def playable(s: Kemet, seat: int) -> list[int]:
    return [c for c in s.di[seat] if WHEN[c] == "turn" and price(s, seat, COST[c]) <= s.pp[seat]]


def play(t: T, seat: int, card: int) -> None:
    announce(t, seat, card, EFFECTS[ID[card]])


def params(name: str) -> dict[str, int]:
    return PARAMS[card_of(name)]


def answer_prayer(t: T, f: Frame) -> None:
    """Apply Prayer, which gives prayer points, with the bonus of Priest if allowed.

    An option decides whether the bonus is added.
    """
    extra = bonus(t.s, f.seat, "pray_bonus") if t.s.options.prayer_with_priest else 0
    t.say("is_heard", f.seat, gain(t, f.seat, params("prayer")["pp"] + extra))


def steal_mana(t: T, f: Frame) -> None:
    """Apply Mana Theft, which takes a prayer point from each opponent and gives one."""
    victims = [seat for seat in range(t.s.seats) if seat != f.seat and t.s.pp[seat]]
    for seat in victims:
        t.add(at.pp[seat], params("mana_theft")["opponents_pp"])
    t.say("steals", f.seat, len(victims), gain(t, f.seat, params("mana_theft")["self_pp"]))


def call_to_arms(t: T, f: Frame) -> None:
    """Apply Enlistment, which places free units in the city or with own troops."""
    call_up(t, f.seat, params("enlistment")["free_units"], FREE)


def burn_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.burn, [space for space, other in enumerate(s.holder) if other not in (seat, NOBODY)])


def burn(t: T, f: Frame, seat: int, action: Action) -> None:
    """Destroy one enemy unit anywhere."""
    t.say("burns", seat, action.args[0])
    destroy(t, action.args[0], 1)


prayer = Script("prayer", answer_prayer)
mana_theft = Script("mana theft", steal_mana)
enlistment = Script("enlistment", call_to_arms)
raining_fire = Script("raining fire", Ask("burn", burn_offers, burn, skip_without_offers=True))
EFFECTS: Mapping[str, Script] = {
    "prayer": prayer, "mana_theft": mana_theft, "enlistment": enlistment, "raining_fire": raining_fire,
}  # fmt: skip
