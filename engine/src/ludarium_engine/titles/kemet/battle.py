"""Resolve an attack.

Its steps are the defender's escape, Initiative, the choice of cards, the battle, and the retreat of survivors.
"""
from __future__ import annotations

from ludarium_engine.kernel.choices import PASS, Action, Offer, each
from ludarium_engine.kernel.scripts import Ask, Pick, Script, Sealed
from ludarium_engine.kernel.slots import Frame

from . import verbs
from .cards import COST, PARAMS, WHEN
from .powers import bonus, earn, gain, has, pay, price
from .state import Kemet, T, at
from .troops import (
    crosses_walls,
    destroy,
    go_along,
    leave_alone,
    leave_none,
    put_units,
    recall,
    recall_attackers,
    refuges,
    relocate,
    say,
    withdraw,
    withdraw_attackers,
)
from .veto import PASSED, announce, could_hold, holds

where = Pick("where", shown=True)
foe = Pick("foe", shown=True)                   # the defender
STAY, RECALL, RETREAT = verbs.stay(), verbs.recall(), verbs.retreat()


def attack(t: T, seat: int, space: int) -> None:
    """Begin an attack with the units in `attackers` and the creature in `charging`."""
    t.ask(assault, seat, where=space, foe=t.s.holder[space])


def occupy(t: T, seat: int, space: int) -> None:
    n = t.s.attackers
    put_units(t, seat, space, n)
    t.set(at.attackers, 0)
    say(t, "occupies", seat, n, space)
    go_along(t, seat, t.move_all(at.charging, at.creatures[space]))


# --- before the battle: the defender may escape, and Initiative strikes -------------------------------------------------
def escape_seats(s: Kemet, f: Frame) -> list[int]:
    """Return the defender if it may be able to flee.

    To flee, the defender needs an adjacent free space and, by public knowledge, must possibly hold the card Escape.
    """
    return [foe(f)] if could_hold(s, foe(f), "escape") and refuges(s, foe(f), where(f)) else []


def escape_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [*each(verbs.escape, holds(s, seat, "escape")), PASS]


def escape(t: T, f: Frame, answers: dict[int, Action]) -> None:
    for seat, answer in answers.items():
        if answer.verb == "escape":
            announce(t, seat, answer.args[0], flight, where=where(f))
        else:
            t.say("stands", seat)


def flee_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.flee, refuges(s, seat, where(f)))


def flee(t: T, f: Frame, seat: int, action: Action) -> None:
    """Let the defender flee without a battle.

    The attacker occupies the space, and the attacker's move ends.
    """
    attacker, n = t.frame_below.seat, t.s.units[where(f)]
    along = relocate(t, where(f), action.args[0])
    say(t, "flees", seat, n, where(f), *action.args)
    go_along(t, seat, along)
    occupy(t, attacker, where(f))
    t.set(at.marching, False)
    t.drop_frame_below()


def ambush(t: T, f: Frame) -> None:
    """Apply Initiative, which destroys defenders before the battle despite protection."""
    kills = min(bonus(t.s, f.seat, "pre_battle_kills_as_attacker"), t.s.units[where(f)])
    if kills:
        t.say("ambushes", f.seat)
        destroy(t, where(f), kills)


def meet(t: T, f: Frame) -> None:
    """Begin the battle, or let the attackers occupy the space if no defenders are left.

    The attackers get no victory point without a battle. An option decides whether they may move on.
    """
    if t.s.units[where(f)]:
        t.set(at.marching, False)
        t.ask(battle, f.seat, where=where(f), foe=foe(f))
    else:
        occupy(t, f.seat, where(f))
        t.set(at.marching, t.s.marching and t.s.options.initiative_moves_on)


# --- secret choice: a card to use, one to set aside, any number of intervention cards -----------------------------------
def fighters(s: Kemet, f: Frame) -> tuple[int, int]:
    return f.seat, foe(f)


def other(f: Frame, seat: int) -> int:
    return f.seat + foe(f) - seat


def show_seats(s: Kemet, f: Frame) -> list[int]:
    """Return the seats that must show their card first because of Prescience."""
    return [p for p in fighters(s, f) if has(s, other(f, p), "b3_prescience")]


def show_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.show, s.hand[seat])


def show(t: T, f: Frame, seat: int, action: Action) -> None:
    t.say("shows", seat, t.move(action.args, at.hand[seat], at.fighting[seat]))


def choose_cards_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    """Return an offer for each pair of a card to use and a card to set aside.

    The subset of the offer consists of intervention cards that the seat can pay for; each of them is paid for separately.
    """
    help_ = tuple(c for c in s.di[seat] if WHEN[c] == "battle")
    costs = tuple(price(s, seat, COST[c]) for c in help_)
    pairs = [(use, keep) for use in s.fighting[seat] or s.hand[seat] for keep in s.hand[seat] if keep != use]
    return [verbs.fight(*pair, pool=help_, worth=costs, least=0, most=s.pp[seat]) for pair in pairs]


def choose_cards(t: T, f: Frame, answers: dict[int, Action]) -> None:
    for seat in fighters(t.s, f):
        use, keep, *help_ = answers[seat].args
        used = () if t.s.fighting[seat] else t.move(use, at.hand[seat], at.fighting[seat])
        kept = t.move(keep, at.hand[seat], at.aside[seat])
        if used:
            t.say("fights", seat, used, kept)
        else:
            t.say("sets_aside", seat, kept)
        if help_:
            add_help(t, seat, help_)


def add_help(t: T, seat: int, cards: list[int]) -> None:
    added = t.move(cards, at.di[seat], at.hidden_help[seat])
    t.say("adds", seat, added, sum([pay(t, seat, COST[c]) for c in cards]))


def wound_seats(s: Kemet, f: Frame) -> list[int]:
    return [p for p in fighters(s, f) if has(s, p, "r3_divine_wound") and s.di[p]]


def wound_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [verbs.wound(pool=tuple(s.di[seat]), least=0, most=len(s.di[seat]))]


def wound(t: T, f: Frame, seat: int, action: Action) -> None:
    """Discard intervention cards for Divine Wound, each of which adds 1 strength."""
    t.say("wounds", seat, t.move(action.args, at.di[seat], at.wounding))


# --- combat -------------------------------------------------------------------------------------------------------------
def creature_in_battle(s: Kemet, f: Frame, seat: int) -> list[int]:
    """Return a side's creature, unless the opposing creature cancels the effects."""
    mine, theirs = s.charging, s.creatures[where(f)]
    if seat != f.seat:
        mine, theirs = theirs, mine
    cancelled = any(PARAMS[c]["special"] == "cancel_enemy_creature_in_battle" for c in theirs)
    return [] if cancelled else mine


def force(s: Kemet, f: Frame, seat: int, what: str) -> int:
    """Return a side's strength, damage or protection without counting units.

    Args:
        s: the state.
        f: the frame of the battle.
        seat: the seat of the side.
        what: "strength", "damage" or "protection".
    """
    cards = [*s.fighting[seat], *s.hidden_help[seat], *creature_in_battle(s, f, seat)]
    return sum(int(PARAMS[c].get(what, 0)) for c in cards) + bonus(s, seat, what)


def strength(s: Kemet, f: Frame, seat: int) -> int:
    """Return a side's total strength, including all units before losses."""
    attacking = seat == f.seat
    units = s.attackers if attacking else s.units[where(f)]
    side = bonus(s, seat, "attack_strength" if attacking else "defense_strength")
    torn = len(s.wounding) * has(s, seat, "r3_divine_wound")
    return units + side + torn + force(s, f, seat, "strength")


def losses(s: Kemet, f: Frame, seat: int) -> int:
    units = s.attackers if seat == f.seat else s.units[where(f)]
    return min(units, max(0, force(s, f, other(f, seat), "damage") - force(s, f, seat, "protection")))


def counts(s: Kemet, f: Frame, seat: int) -> dict[str, int]:
    """Return a side's current strength, damage and protection, keyed by name.

    Only revealed cards count, since secret choices are not part of the state.
    """
    return {"strength": strength(s, f, seat), **{what: force(s, f, seat, what) for what in ("damage", "protection")}}


def struck(f: Frame) -> bool:
    """Return whether the battle has been decided, so that strength no longer matters."""
    return f.script == battle.name and f.row > battle.rows.index(strike)


def strike(t: T, f: Frame) -> None:
    """Decide the battle by strength and destroy units.

    The defender wins ties. Damage is dealt simultaneously and does not change the result.
    """
    a, d = fighters(t.s, f)
    sides = [(p, strength(t.s, f, p), losses(t.s, f, p)) for p in (a, d)]
    t.set(at.winner, a if sides[0][1] > sides[1][1] else d)
    withdraw_attackers(t, a, sides[0][2])
    withdraw(t, where(f), sides[1][2])
    t.say("battle", *sides[0], *sides[1])
    say(t, "wins_tie" if sides[0][1] == sides[1][1] else "wins", t.s.winner, where(f))
    leave_none(t, a)
    leave_alone(t, d, where(f))
    for p, _, lost in sides:
        crusade(t, other(f, p), lost)
    reward(t, f)


def crusade(t: T, seat: int, kills: int) -> None:
    if points := kills * bonus(t.s, seat, "pp_per_enemy_unit_destroyed_in_battle"):
        t.say("gains_for_kills", seat, gain(t, seat, points))


def survivors(s: Kemet, f: Frame, seat: int) -> int:
    return s.attackers if seat == f.seat else s.units[where(f)] * (s.holder[where(f)] == seat)


def reward(t: T, f: Frame) -> None:
    """Give a victory point to an attacker who wins and survives.

    A winning defender gets points only with the tile Defensive Victory.
    """
    winner = t.s.winner
    if holy := bonus(t.s, winner, "pp_on_battle_win"):
        t.say("gains_for_victory", winner, gain(t, winner, holy))
    points = 1 if winner == f.seat else bonus(t.s, winner, "vp_on_defensive_win")
    if survivors(t.s, f, winner) and points:
        earn(t, winner, points)
        t.add(at.battle_vp[winner], points)
        t.say("battle_point", winner)


def put_away(t: T, f: Frame) -> None:
    """Put the used cards away; a player with no cards left takes all six back."""
    away = t.move_all(at.wounding, at.di_discards)
    for p in fighters(t.s, f):
        away += t.move_all(at.fighting[p], at.used[p]) + t.move_all(at.hidden_help[p], at.di_discards)
    t.say("puts_away", away)
    for p in fighters(t.s, f):
        if not t.s.hand[p]:
            take_back(t, p)


def take_back(t: T, seat: int) -> None:
    if back := t.move_all(at.used[seat], at.hand[seat]) + t.move_all(at.aside[seat], at.hand[seat]):
        t.say("takes_back", seat, back)


# --- the survivors ------------------------------------------------------------------------------------------------------
def loser(s: Kemet, f: Frame) -> int:
    return other(f, s.winner)


def beaten(s: Kemet, f: Frame) -> list[int]:
    """Return the loser as a one-element list, or [] if the loser has no survivors."""
    return [loser(s, f)] if survivors(s, f, loser(s, f)) else []


def driven_away(s: Kemet, f: Frame) -> bool:
    """Return whether the loser must leave the space.

    The loser must leave if the winner has survivors. Otherwise, a losing defender may stay, and an option decides whether a
    losing attacker must leave.
    """
    return survivors(s, f, s.winner) > 0 or (loser(s, f) == f.seat and s.options.lone_loser_leaves)


def ways_back(s: Kemet, f: Frame) -> list[int]:
    p = loser(s, f)
    mine = s.charging if p == f.seat else s.creatures[where(f)]
    return refuges(s, p, where(f), bool(bonus(s, p, "ignore_walls")) or crosses_walls(mine))


def fate_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    if not driven_away(s, f):
        return [STAY, RECALL]
    return [RECALL, RETREAT] if ways_back(s, f) else [RECALL]


def take_fate(t: T, f: Frame, seat: int, action: Action) -> None:
    match action.verb:
        case "stay":
            t.say("stays", seat, where(f))
        case "retreat":
            t.set(at.retreating, True)
            t.say("retreats", seat)
        case "recall" if seat == f.seat:
            recall_attackers(t, seat, where(f))
        case "recall":
            recall(t, where(f))


def send_away_seats(s: Kemet, f: Frame) -> list[int]:
    return [s.winner] if s.retreating else []


def send_away_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.send, ways_back(s, f))


def send_away(t: T, f: Frame, seat: int, action: Action) -> None:
    """Move the beaten troop to the space chosen by the winner."""
    (there,) = action.args
    beaten, n = other(f, seat), survivors(t.s, f, other(f, seat))
    t.set(at.retreating, False)
    if seat == f.seat:
        along = relocate(t, where(f), there)
        say(t, "sends", seat, beaten, n, there)
        go_along(t, beaten, along)
    else:
        t.say("sends", seat, beaten, n, there)
        occupy(t, f.seat, there)


def take_field(t: T, f: Frame) -> None:
    """Let surviving attackers occupy the space if no other units are there."""
    if t.s.attackers and not t.s.units[where(f)]:
        occupy(t, f.seat, where(f))


def rest_seats(s: Kemet, f: Frame) -> list[int]:
    return [s.winner] if s.units[where(f)] and s.holder[where(f)] == s.winner else []


def rest_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [STAY, RECALL]


def rest(t: T, f: Frame, seat: int, action: Action) -> None:
    if action.verb == "recall":
        recall(t, where(f))
    else:
        t.say("stays", seat, where(f))


assault = Script(
    "assault", Sealed("escape", escape_offers, escape, escape_seats, pass_action=PASSED), ambush, meet, picks=(where, foe)
)
flight = Script("flight", Ask("flee", flee_offers, flee, answer_if_forced=True), picks=(where,))
battle = Script(
    "battle",
    Ask("show", show_offers, show, show_seats),
    Sealed("choose_cards", choose_cards_offers, choose_cards, fighters),
    Ask("wound", wound_offers, wound, wound_seats),
    strike,
    put_away,
    Ask("take_fate", fate_offers, take_fate, beaten, answer_if_forced=True),
    Ask("send_away", send_away_offers, send_away, send_away_seats, answer_if_forced=True),
    take_field,
    Ask("rest", rest_offers, rest, rest_seats),
    picks=(where, foe),
)
