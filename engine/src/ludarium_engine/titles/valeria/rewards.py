"""Resolve the effects of slain monsters, built domains and thieves."""
from __future__ import annotations

from ludarium_engine.kernel.choices import PASS, Action, Offer, each
from ludarium_engine.kernel.scripts import Ask, Pick, Script
from ludarium_engine.kernel.slots import Frame

from . import verbs
from .cards import BY_NAME, DOMAIN, MONSTER, TABLEAU
from .citizens import matching, welcome
from .data_file import Effect
from .state import T, Valeria
from .tokens import RESOURCES, affords, amounts, bring, brings, credit, gain, opponents, purse

source = Pick("source", shown=True)             # the card whose effect this is
TRUCE = BY_NAME["cutthroats_truce"]


def effect_of(card: int) -> Effect:
    """Return the effect of a card that may need a decision.

    The effect is a monster's reward, a domain's effect, or a citizen's power on the owner's turn.
    """
    if card in MONSTER:
        return MONSTER[card].reward
    if card in DOMAIN:
        return DOMAIN[card].finish if DOMAIN[card].finish.asks else DOMAIN[card].built
    return TABLEAU[card].on_turn


def give(t: T, seat: int, card: int, effect: Effect) -> None:
    """Give a card's gains at once, and ask the seat about the rest if it has a choice."""
    if not effect.pay:
        bring(t, seat, card, brings(t.s, seat, effect))
    if effect.take:
        return take_from_somebody(t, seat, card)
    offers = reward_offers(t.s, seat, effect)
    if len(offers) == 1:
        accept(t, seat, card, offers[0].verb, offers[0].args)
    elif offers:
        t.ask(reward, seat, source=card)


def reward_offers(s: Valeria, seat: int, effect: Effect) -> list[Offer]:
    """Return the offers for an effect that needs a decision.

    If there is a suitable citizen, one must be taken. Paying is optional.
    """
    if effect.choose:
        return [offer for option in effect.choose for offer in option_offers(s, seat, option)]
    if effect.citizen is not None:
        return each(verbs.take, matching(s, effect.citizen))
    if effect.pay and affords(s, seat, effect.pay):
        return [verbs.pay(), PASS]
    return []


def option_offers(s: Valeria, seat: int, option: Effect) -> list[Offer]:
    if option.citizen is not None:
        return reward_offers(s, seat, option)
    return [verbs.draw(RESOURCES.index(name), n) for name, n in brings(s, seat, option).items()]


def claim_offers(s: Valeria, f: Frame, seat: int) -> list[Offer]:
    return reward_offers(s, seat, effect_of(source(f)))


def claim(t: T, f: Frame, seat: int, action: Action) -> None:
    accept(t, seat, source(f), action.verb, action.args)


def accept(t: T, seat: int, card: int, verb: str, args: tuple[int, ...]) -> None:
    """Carry out the chosen part of a card's effect."""
    effect = effect_of(card)
    match verb:
        case "take":
            welcome(t, seat, args[0], card)
            for option in effect.choose:
                if option.citizen is not None:
                    bring(t, seat, card, option.gain)
        case "draw":
            bring(t, seat, card, {RESOURCES[args[0]]: args[1]})
        case "pay":
            gain(t, seat, effect.pay, -1)
            t.say("pays", seat, card, *amounts(effect.pay))
            bring(t, seat, card, effect.gain)
        case "pass":
            t.say("declines", seat, card)


reward = Script("reward", Ask("claim", claim_offers, claim), picks=(source,))


# --- taking from an opponent; in a solo game from the bank -----------------------------------------------------------
def take_from_somebody(t: T, seat: int, card: int) -> None:
    offers = theft_offers(t.s, seat, card)
    if len(offers) == 1:
        carry_off(t, seat, card, offers[0].verb, offers[0].args)
    elif offers:
        t.ask(theft, seat, source=card)


def theft_offers(s: Valeria, seat: int, card: int) -> list[Offer]:
    """Return offers to take tokens of one kind from an opponent, or to pass.

    The card's effect limits the number of tokens. Cutthroat's Truce must be used and takes as many as possible.
    """
    take = [(RESOURCES.index(name), limit) for name, limit in effect_of(card).take.items()]
    if s.seats == 1:
        return [verbs.draw(r, limit) for r, limit in take]
    must = card == TRUCE
    found = []
    for victim in opponents(s, seat):
        for r, limit in take:
            most = min(limit, purse(s, victim)[r])
            found += [verbs.steal(victim, r, n) for n in range(1, most + 1) if n == most or not must]
    return found if must or not found else [*found, PASS]


def rob_offers(s: Valeria, f: Frame, seat: int) -> list[Offer]:
    return theft_offers(s, seat, source(f))


def rob(t: T, f: Frame, seat: int, action: Action) -> None:
    carry_off(t, seat, source(f), action.verb, action.args)


def carry_off(t: T, seat: int, card: int, verb: str, args: tuple[int, ...]) -> None:
    match verb:
        case "draw":
            bring(t, seat, card, {RESOURCES[args[0]]: args[1]})
        case "steal":
            victim, r, n = args
            credit(t, victim, RESOURCES[r], -n)
            credit(t, seat, RESOURCES[r], n)
            t.say("takes_from", seat, victim, n, r, card)
        case "pass":
            t.say("declines", seat, card)


theft = Script("theft", Ask("rob", rob_offers, rob, skip_without_offers=True), picks=(source,))
