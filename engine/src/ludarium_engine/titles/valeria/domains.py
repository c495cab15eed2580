"""Build domains, and apply the special effects of newly built domains."""
from __future__ import annotations

from collections.abc import Callable

from ludarium_engine.kernel.choices import PASS, Action, Offer, each
from ludarium_engine.kernel.scripts import Ask, Pick, Script
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import FactNumbers

from . import verbs
from .cards import AREA, BY_NAME, CITIZEN, DOMAIN, FACES, STACK, TABLEAU
from .centre import note_if_exhausted, top, turn_up
from .monsters import slay, slay_offers
from .rewards import give
from .state import T, Valeria, at
from .tokens import opponents, payments, roles, works

RETURNED = 3                                    # points for a card put back
domain = Pick("domain", shown=True)
column = Pick("column", shown=True)
EYE, PERCH = BY_NAME["eye_of_asteraten"], BY_NAME["purloiners_perch"]
WATCHER, NEST = BY_NAME["watcher_on_the_water"], BY_NAME["nest_of_the_weaver_witch"]


def build_offers(s: Valeria, seat: int) -> list[Offer]:
    """Return offers to build the available domains.

    The seat's citizens must have the roles that a domain requires. Starters and domains do not provide roles.
    """
    owned, less, gold, magic = roles(s, seat), discount(s, seat), s.gold[seat], s.magic[seat]
    offers = [o for card in top(s.domains) for o in payments(verbs.build, card, DOMAIN[card].gold - less, gold, magic)]
    return [o for o in offers if all(owned[role] >= n for role, n in DOMAIN[o.args[0]].roles.items())]


def discount(s: Valeria, seat: int) -> int:
    """Return by how much gold domains are cheaper, which is 1 with Pratchett's Plateau."""
    return int(works(s, seat, "pratchetts_plateau"))


def build(t: T, f: Frame, seat: int, card: int, magic: int) -> None:
    where = next(i for i, stack in enumerate(t.s.domains) if card in stack)
    gold = DOMAIN[card].gold - discount(t.s, seat) - magic
    t.add(at.gold[seat], -gold)
    t.add(at.magic[seat], -magic)
    t.say("builds", seat, t.move(card, at.domains[where], at.built[seat]), gold, magic)
    if t.s.options.domain_build_turn_cooldown:
        t.set(at.fresh, [*t.s.fresh, card])
    t.ask(building, seat, domain=card, column=where)


def fulfil(t: T, f: Frame) -> None:
    card = domain(f)
    give(t, f.seat, card, DOMAIN[card].built)
    if DOMAIN[card].id in WHEN_BUILT:
        WHEN_BUILT[DOMAIN[card].id](t, f.seat)


def uncover(t: T, f: Frame) -> None:
    """Turn up the next domain after the effect of the built domain."""
    turn_up(t, at.domains_below[column(f)], at.domains[column(f)])


building = Script("building", fulfil, uncover, picks=(domain, column))


# --- Eye of Asteraten: you may slay one more monster for its full price ----------------------------------------------
def eye_of_asteraten(t: T, seat: int) -> None:
    t.ask(extra_slay, seat)


def slay_extra_offers(s: Valeria, f: Frame, seat: int) -> list[Offer]:
    offers = slay_offers(s, seat)
    return [*offers, PASS] if offers else []


def slay_extra(t: T, f: Frame, seat: int, action: Action) -> None:
    if action.verb == "slay":
        slay(t, f, seat, *action.args)
    else:
        t.say("declines", seat, EYE)


# --- Purloiner's Perch: a random slain monster of an opponent, without its reward ------------------------------------
def purloiners_perch(t: T, seat: int) -> None:
    """Take a random monster that an opponent has slain.

    In a solo game, the player takes the top card of the leftmost monster stack instead.
    """
    if t.s.seats > 1:
        t.ask(perch, seat)
    elif stacks := [i for i, stack in enumerate(t.s.monsters) if stack]:
        t.say("gets", seat, t.draw(1, at.monsters[stacks[0]], at.slain[seat]), PERCH)
        note_if_exhausted(t, t.s.monsters[stacks[0]])


def purloin_offers(s: Valeria, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.rob, [p for p in opponents(s, seat) if s.slain[p]])


def purloin(t: T, f: Frame, seat: int, action: Action) -> None:
    victim = action.args[0]
    t.roll(at.lot, t.s.slain[victim])
    t.say("purloins", seat, victim, t.move(t.s.lot, at.slain[victim], at.slain[seat]), PERCH)


# --- Watcher on the Water, Nest of the Weaver Witch: you may return a card to its stack, for points ------------------
def watcher_on_the_water(t: T, seat: int) -> None:
    t.ask(watcher, seat)


def nest_of_the_weaver_witch(t: T, seat: int) -> None:
    t.ask(nest, seat)


def returnable(cards: list[int]) -> list[Offer]:
    """Return offers to put back one card of any kind, or to pass, if there are cards."""
    of_kind = {FACES[card].id: card for card in cards}
    return [*(verbs.put_back(card) for card in of_kind.values()), PASS] if of_kind else []


def returned(t: T, seat: int, card: FactNumbers) -> None:
    t.add(at.vp[seat], RETURNED)
    t.say("puts_back", seat, card, RETURNED)


def put_back_monster_offers(s: Valeria, f: Frame, seat: int) -> list[Offer]:
    return returnable(s.slain[seat])


def put_back_monster(t: T, f: Frame, seat: int, action: Action) -> None:
    if action.verb == "put_back":
        card = action.args[0]
        returned(t, seat, t.move(card, at.slain[seat], at.monsters[t.s.areas.index(AREA[card])]))
    else:
        t.say("declines", seat, WATCHER)


def put_back_citizen_offers(s: Valeria, f: Frame, seat: int) -> list[Offer]:
    return returnable([card for card in s.tableau[seat] if card in CITIZEN])


def put_back_citizen(t: T, f: Frame, seat: int, action: Action) -> None:
    if action.verb == "put_back":
        card = action.args[0]
        returned(t, seat, t.move(card, at.tableau[seat], at.citizens[STACK[TABLEAU[card].id]]))
    else:
        t.say("declines", seat, NEST)


WHEN_BUILT: dict[str, Callable[[T, int], None]] = {
    "eye_of_asteraten": eye_of_asteraten,
    "purloiners_perch": purloiners_perch,
    "watcher_on_the_water": watcher_on_the_water,
    "nest_of_the_weaver_witch": nest_of_the_weaver_witch,
}
extra_slay = Script("extra slay", Ask("slay_extra", slay_extra_offers, slay_extra, skip_without_offers=True))
perch = Script("perch", Ask("purloin", purloin_offers, purloin, skip_without_offers=True, answer_if_forced=True))
watcher = Script("watcher", Ask("put_back_monster", put_back_monster_offers, put_back_monster, skip_without_offers=True))
nest = Script("nest", Ask("put_back_citizen", put_back_citizen_offers, put_back_citizen, skip_without_offers=True))
