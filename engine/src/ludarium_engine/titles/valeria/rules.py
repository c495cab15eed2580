"""Run the game, from the choice of dukes to the end after a full round."""
from __future__ import annotations

from ludarium_engine.kernel.choices import Action, Offer, each
from ludarium_engine.kernel.scripts import Ask, Handlers, Script, Sealed, by_name, every_seat, turn_order_from
from ludarium_engine.kernel.slots import Frame

from . import citizens, dice, domains, harvest, monsters, rewards, scoring, solo, verbs
from . import setup as table
from .cards import DOMAIN
from .centre import exhausted, limit, nothing_left
from .state import T, Valeria, at
from .tokens import RESOURCES, bring, credit, working


# --- before the first turn: each seat keeps one of two dukes ------------------------------------------------------------
def setup(t: T) -> None:
    table.lay_out(t)
    t.pass_turn(t.s.first)
    t.ask(opening, t.s.first)


def keep_offers(s: Valeria, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.keep, s.dealt[seat])


def keep(t: T, f: Frame, answers: dict[int, Action]) -> None:
    for seat, answer in sorted(answers.items()):
        t.say("keeps", seat, t.move(answer.args[0], at.dealt[seat], at.duke[seat]))


def dark_lord(t: T, f: Frame) -> None:
    """Draw the Dark Lord's duke from the remaining dukes in a solo game."""
    if t.s.seats == 1:
        t.say("is_led", t.draw(1, at.duke_deck, at.dark_duke))


def first_turn(t: T, f: Frame) -> None:
    begin_round(t)
    begin(t, t.s.first)


def begin_round(t: T) -> None:
    """Count the round if the options limit the number of rounds."""
    if limit := t.s.options.max_rounds:
        t.add(at.rounds, 1)
        t.say("last_round" if t.s.rounds == limit else "round", t.s.rounds)


def begin(t: T, seat: int) -> None:
    t.ask(turn if t.s.seats > 1 else solo_turn, seat)


# --- the action phase ---------------------------------------------------------------------------------------------------
def start(t: T, f: Frame) -> None:
    for card in working(t.s, f.seat):
        bring(t, f.seat, card, DOMAIN[card].start.gain)


def action_offers(s: Valeria, f: Frame, seat: int) -> list[Offer]:
    gains = each(verbs.gain, range(len(RESOURCES)))
    return [*monsters.slay_offers(s, seat), *citizens.recruit_offers(s, seat), *domains.build_offers(s, seat), *gains]


def take_resource(t: T, f: Frame, seat: int, r: int) -> None:
    credit(t, seat, RESOURCES[r], 1)
    t.say("gains", seat, r)


ACTIONS: Handlers = {
    verbs.slay: monsters.slay,
    verbs.recruit: citizens.recruit,
    verbs.build: domains.build,
    verbs.gain: take_resource,
}


def finish(t: T, f: Frame) -> None:
    """Apply the effects of domains at the end of the action phase.

    Cathedral of St Aquila and The Orb of Urdr have such effects.
    """
    for card in reversed(working(t.s, f.seat)):
        if DOMAIN[card].finish.take:
            rewards.take_from_somebody(t, f.seat, card)


# --- the end phase ------------------------------------------------------------------------------------------------------
def end_conditions(s: Valeria) -> list[bool]:
    """Return which end conditions are met.

    The conditions are, in this order, that no monsters are left, that no domains are left, and that enough positions are
    exhausted.
    """
    return [nothing_left(s.monsters), nothing_left(s.domains), exhausted(s) >= limit(s)]


def is_over(s: Valeria) -> bool:
    return any(end_conditions(s))


def close(t: T, f: Frame) -> None:
    """End a turn, then begin the next turn or finish the game.

    The end of the game is announced (or revoked) first. The game ends only after a full round, so that all seats have had
    equally many turns.
    """
    t.set(at.fresh, [])
    announce_end(t, is_over(t.s))
    seat = turn_order_from(t.s, f.seat + 1)[0]
    if seat != t.s.first:
        t.pass_turn(seat)
        begin(t, seat)
    elif t.s.end_announced or is_out_of_rounds(t):
        scoring.finish(t)
    else:
        go_around(t)


def is_out_of_rounds(t: T) -> bool:
    """Return whether the limit on rounds has been reached, and log the fact if so."""
    if reached(t.s):
        t.say("rounds_over", t.s.rounds)
    return reached(t.s)


def reached(s: Valeria) -> bool:
    return 0 < s.options.max_rounds <= s.rounds


def go_around(t: T) -> None:
    t.pass_turn(t.s.first)
    begin_round(t)
    begin(t, t.s.first)


def announce_end(t: T, over: bool) -> None:
    if over == t.s.end_announced:
        return
    t.set(at.end_announced, over)
    if over:
        t.say("end_announced", end_conditions(t.s).index(True))
    else:
        t.say("end_revoked")


def close_round(t: T, f: Frame) -> None:
    t.set(at.fresh, [])
    if nothing_left(t.s.monsters):
        solo.win(t)
    elif exhausted(t.s) >= limit(t.s) or is_out_of_rounds(t):
        solo.compare(t)
    else:
        go_around(t)


TO_ACTIONS = (
    dice.roll,
    Ask("change", dice.change_offers, dice.change, repeat=True, skip_without_offers=True),
    harvest.thieves,
    harvest.bring_in,
    Ask("harvest", harvest.harvest_offers, harvest.harvest, harvest.harvest_seats),
    start,
    Ask("act", action_offers, ACTIONS),
    Ask("act", action_offers, ACTIONS),
    finish,
)
opening = Script("opening", Sealed("keep", keep_offers, keep, every_seat), dark_lord, first_turn)
turn = Script("turn", *TO_ACTIONS, close)
solo_turn = Script(
    "solo turn",
    *TO_ACTIONS,
    solo.gather,
    Ask("strike", solo.strike_offers, solo.strike, repeat=True, skip_without_offers=True, answer_if_forced=True),
    harvest.bring_in_right,
    Ask("harvest", harvest.right_harvest_offers, harvest.harvest_right, harvest.right_harvest_seats),
    close_round,
)
SCRIPTS = by_name(
    opening, turn, solo_turn, rewards.reward, rewards.theft, domains.building, domains.extra_slay, domains.perch,
    domains.watcher, domains.nest,
)  # fmt: skip
