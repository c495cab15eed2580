"""Give seats prayer points and cards at night, and let them set the turn order."""
from __future__ import annotations

from ludarium_engine.kernel.choices import Action, Offer, each
from ludarium_engine.kernel.scripts import DONE, Ask, Script
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import FactNumbers

from . import verbs
from .actions import foundations, raisable
from .cards import RULES
from .powers import bonus, gain, points_of, pyramid_limit
from .recruiting import BY_NIGHT, call_up, free_districts
from .state import Kemet, T, at
from .troops import say

HAND_OF_GOD, VISION, REINFORCEMENTS = range(3)
NIGHT_EFFECTS = ("night_free_pyramid_levels", "night_vision_draw", "night_free_units")
SLEEP = verbs.sleep()                          # do not use the remaining night tiles


def receive(t: T, f: Frame) -> None:
    """Give each seat its prayer points and cards, and make its night tiles usable.

    All prayer points of a seat are added up before the limit is applied.
    """
    t.say("night")
    for seat in t.s.order:
        drawn = draw(t, seat, RULES["night_di"] + bonus(t.s, seat, "night_di_extra"), at.di[seat])
        t.set(at.night[seat], [bonus(t.s, seat, effect) for effect in NIGHT_EFFECTS])
        t.say("receives", seat, gain(t, seat, RULES["night_pp"] + bonus(t.s, seat, "night_pp")), drawn)


def draw(t: T, seat: int, n: int, where: list[int]) -> FactNumbers:
    """Draw intervention cards one by one, reshuffling the discard pile if necessary."""
    drawn: FactNumbers = ()
    for _ in range(n):
        if not t.s.di_deck and t.s.di_discards:
            t.move_all(at.di_discards, at.di_deck)
            t.shuffle(at.di_deck)
            t.say("reshuffles", seat)
        drawn += t.draw(1, at.di_deck, where)
    return drawn


# --- night tiles --------------------------------------------------------------------------------------------------------
def uses(s: Kemet, seat: int) -> list[Offer]:
    """Return offers for the remaining uses of a seat's night tiles."""
    left = s.night[seat]
    found = blessings(s, seat) if left[HAND_OF_GOD] else []
    if left[VISION] and (s.di_deck or s.di_discards):
        found.append(verbs.look())
    if left[REINFORCEMENTS] and s.reserve[seat] and free_districts(s, seat, BY_NIGHT):
        found.append(verbs.reinforce())
    return found


def blessings(s: Kemet, seat: int) -> list[Offer]:
    """Return offers to raise a pyramid by one level or found one with Hand of God."""
    higher = [space for space in raisable(s, seat) if s.level[space] < pyramid_limit(s)]
    return [*each(verbs.bless, higher), *(verbs.bless_new(*site) for site in foundations(s, seat))]


def night_seats(s: Kemet, f: Frame) -> list[int]:
    return [seat for seat in s.order if uses(s, seat)][:1]


def night_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [*uses(s, seat), SLEEP]


def use_night_tile(t: T, f: Frame, seat: int, action: Action) -> None:
    match action.verb:
        case "sleep":
            t.set(at.night[seat], [0, 0, 0])
            t.say("sleeps", seat)
        case "look":
            spend(t, seat, VISION)
            t.say("looks", seat, draw(t, seat, bonus(t.s, seat, "night_vision_draw"), at.looking[seat]))
            t.ask(vision, seat)
        case "reinforce":
            spend(t, seat, REINFORCEMENTS)
            call_up(t, seat, bonus(t.s, seat, "night_free_units"), BY_NIGHT)
        case _:
            spend(t, seat, HAND_OF_GOD)
            bless(t, seat, *action.args)


def spend(t: T, seat: int, tile: int) -> None:
    t.set(at.night[seat], [0 if i == tile else n for i, n in enumerate(t.s.night[seat])])


def bless(t: T, seat: int, space: int, colour: int | None = None) -> None:
    if colour is not None:
        t.set(at.pyramid[space], colour)
    t.set(at.level[space], t.s.level[space] + 1)
    say(t, "blesses" if colour is None else "blesses_new", seat, t.s.pyramid[space], space, t.s.level[space])


def keep_one_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.keep, s.looking[seat])


def keep_one(t: T, f: Frame, seat: int, action: Action) -> None:
    """Keep one of the cards drawn by Vision and shuffle the others into the pile."""
    kept = t.move(action.args, at.looking[seat], at.di[seat])
    t.say("keeps", seat, kept, t.move_all(at.looking[seat], at.di_deck))
    t.shuffle(at.di_deck)


vision = Script("vision", Ask("keep_one", keep_one_offers, keep_one))


# --- the order of the next day --------------------------------------------------------------------------------------------
def last_in_points(s: Kemet) -> int:
    """Return the seat with the fewest points, including temporary points.

    If several seats are tied, the first one in turn order is returned.
    """
    return min(s.order, key=lambda seat: (points_of(s, seat), s.order.index(seat)))


def call_herald(t: T, f: Frame) -> None:
    for seat in name_next_seats(t.s, f):
        t.say("heralds", seat, points_of(t.s, seat))


def name_next_seats(s: Kemet, f: Frame) -> list[int]:
    return [last_in_points(s)] if s.day else []


def unnamed(s: Kemet) -> list[int]:
    return [seat for seat in range(s.seats) if seat not in s.next_order]


def name_next_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.name, unnamed(s))


def say_named(t: T, seat: int, named: int) -> None:
    place = len(t.s.next_order)
    if named == seat:
        t.say("names_oneself", seat, place)
    else:
        t.say("names", seat, named, place)


def name_next(t: T, f: Frame, seat: int, action: Action) -> bool | None:
    """Name the next seat in the turn order; the last seat is added automatically."""
    t.set(at.next_order, [*t.s.next_order, *action.args])
    say_named(t, seat, *action.args)
    if len(unnamed(t.s)) > 1:
        return None
    t.set(at.order, [*t.s.next_order, *unnamed(t.s)])
    t.set(at.next_order, [])
    t.say("is_left", t.s.order[-1], t.s.seats)
    return DONE
