"""The night: prayer points, intervention cards, night tiles, and who goes first tomorrow."""
from __future__ import annotations

from engine.kernel.choices import Action, Offer, each
from engine.kernel.scripts import DONE, Ask, Script
from engine.kernel.slots import Frame

from . import verbs
from .actions import foundations, raisable, set_level
from .cards import RULES
from .levy import BY_NIGHT, barracks, levy
from .powers import bonus, gain, points_of, pyramid_limit
from .state import Kemet, T, at

HAND_OF_GOD, VISION, REINFORCEMENTS = range(3)
NIGHT_EFFECTS = ("night_free_pyramid_levels", "night_vision_draw", "night_free_units")
SLEEP = verbs.sleep()                          # what is left of the night tiles is not used


def receive(t: T, f: Frame) -> None:
    """Prayer points, all added up before they are cut; cards; and the night tiles are ready."""
    for seat in t.s.order:
        gain(t, seat, RULES["night_pp"] + bonus(t.s, seat, "night_pp"))
    for seat in t.s.order:
        draw(t, seat, RULES["night_di"] + bonus(t.s, seat, "night_di_extra"), at.di[seat])
        t.set(at.night[seat], [bonus(t.s, seat, effect) for effect in NIGHT_EFFECTS])


def draw(t: T, seat: int, n: int, where: list[int]) -> None:
    """One by one; when the pile is empty the discards become a new one."""
    for _ in range(n):
        if not t.s.di_deck and t.s.di_discards:
            t.move_all(at.di_discards, at.di_deck)
            t.shuffle(at.di_deck)
        t.draw(1, at.di_deck, where)


# --- night tiles --------------------------------------------------------------------------------------------------------
def uses(s: Kemet, seat: int) -> list[Offer]:
    """What the night tiles of a seat can still do."""
    left = s.night[seat]
    found = blessings(s, seat) if left[HAND_OF_GOD] else []
    if left[VISION] and (s.di_deck or s.di_discards):
        found.append(verbs.look())
    if left[REINFORCEMENTS] and s.reserve[seat] and barracks(s, seat, BY_NIGHT):
        found.append(verbs.reinforce())
    return found


def blessings(s: Kemet, seat: int) -> list[Offer]:
    """Hand of God: one level more, or a new pyramid."""
    higher = [space for space in raisable(s, seat) if s.level[space] < pyramid_limit(s)]
    return [*each(verbs.bless, higher), *(verbs.bless_new(*site) for site in foundations(s, seat))]


def awake(s: Kemet, f: Frame) -> list[int]:
    return [seat for seat in s.order if uses(s, seat)][:1]


def night_uses(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [*uses(s, seat), SLEEP]


def use_night_tile(t: T, f: Frame, seat: int, action: Action) -> None:
    match action.verb:
        case "sleep":
            t.set(at.night[seat], [0, 0, 0])
        case "look":
            spend(t, seat, VISION)
            draw(t, seat, bonus(t.s, seat, "night_vision_draw"), at.looking[seat])
            t.ask(vision, seat)
        case "reinforce":
            spend(t, seat, REINFORCEMENTS)
            levy(t, seat, bonus(t.s, seat, "night_free_units"), BY_NIGHT)
        case _:
            spend(t, seat, HAND_OF_GOD)
            bless(t, *action.args)


def spend(t: T, seat: int, tile: int) -> None:
    t.set(at.night[seat], [0 if i == tile else n for i, n in enumerate(t.s.night[seat])])


def bless(t: T, space: int, colour: int | None = None) -> None:
    if colour is not None:
        t.set(at.pyramid[space], colour)
    set_level(t, space, t.s.level[space] + 1)


def seen(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.keep, s.looking[seat])


def keep_one(t: T, f: Frame, seat: int, action: Action) -> None:
    """The others are shuffled back into the pile."""
    t.move(action.args, at.looking[seat], at.di[seat])
    t.move_all(at.looking[seat], at.di_deck)
    t.shuffle(at.di_deck)


vision = Script("vision", Ask("keep_one", seen, keep_one))


# --- the order of tomorrow ------------------------------------------------------------------------------------------------
def last_in_points(s: Kemet) -> int:
    """Temporary points count; of several, who was earlier in the order."""
    return min(s.order, key=lambda seat: (points_of(s, seat), s.order.index(seat)))


def herald(s: Kemet, f: Frame) -> list[int]:
    return [last_in_points(s)] if s.day else []


def unnamed(s: Kemet) -> list[int]:
    return [seat for seat in range(s.seats) if seat not in s.next_order]


def candidates(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.name, unnamed(s))


def name_next(t: T, f: Frame, seat: int, action: Action) -> bool | None:
    """The whole order, one after the other; the last place is nobody's choice."""
    t.set(at.next_order, [*t.s.next_order, *action.args])
    if len(unnamed(t.s)) > 1:
        return None
    t.set(at.order, [*t.s.next_order, *unnamed(t.s)])
    t.set(at.next_order, [])
    return DONE
