"""Carry out the action of a card, step by step.

Before each step the script `perform` is on the agenda. If the step needs a choice, `choose` or `pick` asks for it. What a
step puts on the agenda (crumbling, windows, demands on other seats) lies above the next `perform`, so each step is finished
before the next one begins.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from ludarium_engine.kernel.choices import Action, Offer, Verb
from ludarium_engine.kernel.scripts import Ask, Pick, Script
from ludarium_engine.kernel.slots import Frame

from . import steps, verbs
from .card_moves import cover, exchange, give, sacrifice_chosen, shift
from .cards import HIDDEN, KIND, TYPE
from .draws import draw, off_deck, reshuffle
from .forced import force, must_put
from .memory import seen, seen_to_get
from .outlook import outlook
from .plans import (
    PICKS,
    PLANS,
    WAYS,
    Part,
    Plan,
    about,
    card,
    choices,
    chosen,
    completing,
    completing_ways,
    executable,
    next_chosen,
    part_of,
    plan,
    position,
    text,
)
from .pyramid import from_stock
from .state import T, Valley, at
from .steps import Choice

SKIP = verbs.skip()


def begin(t: T, seat: int, what: int, by: int) -> None:
    """Begin the action of a card.

    Args:
        t: the table.
        seat: the seat that acts.
        what: the card whose action is carried out.
        by: the card that was played for it.
    """
    t.ask(perform, seat, text=what, card=by, position=0, chosen=HIDDEN)


def go_on_at(t: T, f: Frame, where: int, what: int) -> None:
    t.ask(perform, f.seat, text=text(f), card=card(f), position=where, chosen=what)


def next_step(t: T, f: Frame) -> None:
    if position(f) >= len(plan(f).parts):
        return remember(t, text(f))
    part = part_of(f)
    if part.asks:
        return inquire(t, f, part)
    possible = choices(part.step, outlook(t.s, f.seat), chosen(f))
    if not possible:
        return go_on_at(t, f, part.then, chosen(f))
    return carry_out(t, f, part, possible[0])


def inquire(t: T, f: Frame, part: Part) -> None:
    """Ask the seat for the choice of a step.

    The step is skipped if everyone can tell that there is nothing to choose.
    """
    if part.step.asks(outlook(t.s, f.seat), chosen(f)):
        t.ask(pick if part.open else choose, f.seat, text=text(f), card=card(f), position=position(f), chosen=chosen(f))
    else:
        go_on_at(t, f, part.then, chosen(f))


def carry_out(t: T, f: Frame, part: Part, choice: Choice) -> None:
    go_on_at(t, f, part.then, next_chosen(part.step, choice, chosen(f)))
    EFFECTS[type(part.step)](t, f, part.step, *choice)


def remember(t: T, what: int) -> None:
    """Record that a card's action was carried out, so that it can be repeated.

    The ability of a pharaoh is not an action, so it cannot be repeated.
    """
    if TYPE[what] != "pharaoh":
        t.set(at.executed, [*t.s.executed, what])


# --- offers ---------------------------------------------------------------------------------------------------------
def take_offers(s: Valley, f: Frame, seat: int) -> list[Offer]:
    part, w = part_of(f), outlook(s, seat)
    step = part.step
    if part.ways:
        return [way_offer(plan(f), part, i) for i in completing_ways(plan(f), position(f), w, chosen(f))]
    if isinstance(step, steps.Redraw):
        return [verbs.discard(pool=tuple(w.hand), least=1, most=step.most)]
    if type(step) is steps.PutBack:
        return [verbs.put_back(pool=tuple(w.seen), least=len(w.seen), most=len(w.seen))]
    offers = offers_for(step, completing(plan(f), position(f), w, chosen(f)))
    return [*offers, SKIP] if not offers or getattr(step, "may", False) else offers


def way_offer(plan: Plan, part: Part, i: int) -> Offer:
    """Return the offer for one of the ways of a step.

    The offer names the way by the kind of its first step. The last way of a `Maybe` is to skip its steps.
    """
    if isinstance(part.step, steps.Maybe) and i + 1 == len(part.ways):
        return SKIP
    return verbs.way(way_about(plan, part.ways[i]))


def way_about(plan: Plan, first: int) -> int:
    return WAYS.index(about(plan.parts[first].step))


def offers_for(step: steps.AnyStep, possible: Sequence[Choice]) -> list[Offer]:
    if isinstance(step, steps.TopOrBottom):
        return [verb(*choice) for choice in possible for verb in (verbs.put_on_top, verbs.put_under)]
    return [verb_of(step)(*choice) for choice in possible]


def verb_of(step: steps.AnyStep) -> Verb:
    """Return the verb for a step's offers, which tells where the chosen card goes."""
    if isinstance(step, steps.Give):
        return GIVES[step.to]
    return GOES[step.to] if isinstance(step, steps.Put | steps.Take) else VERBS[type(step)]


def take(t: T, f: Frame, seat: int, action: Action) -> None:
    part = part_of(f)
    if action.verb == "skip":
        t.say("skips", seat)
    if part.ways:
        go_by_way(t, f, part, action)
    elif action.verb == "skip":
        go_on_at(t, f, part.then, chosen(f))
    elif action.verb == "put_under":
        go_on_at(t, f, part.then, chosen(f))
        put_under(t, f, part.step)
    else:
        carry_out(t, f, part, action.args)


def go_by_way(t: T, f: Frame, part: Part, action: Action) -> None:
    where = part.ways[-1]
    if action.verb == "way":
        where = next(first for first in part.ways if way_about(plan(f), first) == action.args[0])
        t.say("chooses", f.seat, *action.args)
    go_on_at(t, f, where, chosen(f))


perform = Script("perform", next_step, picks=PICKS)
choose = Script("choose", Ask("take", take_offers, take), picks=PICKS)
pick = Script("pick", Ask("take", take_offers, take, answer_if_forced=True), picks=PICKS)         # for public cards


# --- steps that happen by themselves --------------------------------------------------------------------------------
def draw_cards(t: T, f: Frame, step: steps.Draw) -> None:
    draw(t, f.seat, step.n)


def modify(t: T, f: Frame, step: steps.Modify) -> None:
    """Change a number that lasts for the turn or for the next purchase.

    Amounts in `by` add up. A value in `to` never lowers the number, for example the reach of a purchase.
    """
    now = getattr(t.s, step.what)
    value = now + step.by if step.to is None else max(now, step.to)
    t.set(getattr(at, step.what), value)
    t.say(step.what, f.seat, value)


def force_others(t: T, f: Frame, step: steps.Force, target: int | None = None) -> None:
    if target is not None:
        t.say("picks", f.seat, target)
    force(t, f.seat, as_agreed(t.s, step), target)


def as_agreed(s: Valley, step: steps.Force) -> steps.Force:
    """Return a step in the version that the table's options choose.

    Two cards of the base edition have such versions: see the options `bastet` and `inner_sarcophagus`.
    """
    if step.option == "bastet" and s.options.bastet == "english":
        return replace(step, who="each_opponent", what="put")
    if step.option == "inner_sarcophagus" and s.options.inner_sarcophagus == "opponents":
        return replace(step, who="each_opponent")
    return step


def nothing(t: T, f: Frame, step: steps.RequireDiscard) -> None:
    """Change nothing, because the step is only a condition that is met here."""


def reveal(t: T, f: Frame, step: steps.Reveal) -> None:
    off_deck(t, f.seat, step.n, at.revealed, "reveals")


def look(t: T, f: Frame, step: steps.Look) -> None:
    if step.source == "stock":
        t.say("looks_at", f.seat, from_stock(t, step.n, at.looked[f.seat]))
    else:
        off_deck(t, f.seat, step.n, at.looked[f.seat], "looks_at")


def discard_rest(t: T, f: Frame, step: steps.DiscardRest) -> None:
    rest = t.move_all(at.revealed, at.discard[f.seat]) + t.move_all(at.looked[f.seat], at.discard[f.seat])
    if rest:
        t.say("discards", f.seat, rest)


def put_under(t: T, f: Frame, step: steps.AnyStep) -> None:
    if t.s.looked[f.seat]:
        t.say("puts_under", f.seat, t.move_all(at.looked[f.seat], at.under))


def put_back(t: T, f: Frame, step: steps.PutBack, *cards: int) -> None:
    t.say("puts_back", f.seat, t.move(cards, at.looked[f.seat], at.stock))


def shuffle_in(t: T, f: Frame, step: steps.Reshuffle) -> None:
    reshuffle(t, f.seat)


# --- the odd ones ---------------------------------------------------------------------------------------------------
def redraw(t: T, f: Frame, step: steps.Redraw, *cards: int) -> None:
    t.say("discards", f.seat, t.move(cards, at.hand[f.seat], at.discard[f.seat]))
    draw(t, f.seat, len(cards))


def draw_if_new(t: T, f: Frame, step: steps.DrawIfNew) -> None:
    """Draw a card if the card entombed before is the first of its kind in the tomb.

    That card is already in the tomb at this point. Only cards of sets count.
    """
    alike = [c for c in t.s.tomb[f.seat] if KIND[c] == KIND[chosen(f)]]
    if chosen(f) != HIDDEN and TYPE[chosen(f)] == "set" and len(alike) == 1:
        draw(t, f.seat, 1)


def rob(t: T, f: Frame, step: steps.Rob, victim: int) -> None:
    what = t.s.discard[victim][-1]
    seen_to_get(t, f.seat, what)
    t.say("robs", f.seat, t.move(what, at.discard[victim], at.hand[f.seat]), victim)


def leave_censer(t: T, f: Frame, step: steps.LeaveCenser, victim: int) -> None:
    """Take the victim's top discarded card, then give the victim the played card.

    The played card is in play or, if a Book of Gates revealed it, in the zone `book`.
    """
    what = t.s.discard[victim][-1]
    seen(t, what, f.seat)
    t.say("censes", f.seat, t.move(what, at.discard[victim], at.discard[f.seat]), victim)
    censer = t.move(card(f), at.book if card(f) in t.s.book else at.played[f.seat], at.discard[victim])
    t.say("gives_to_discard", f.seat, censer, victim)


def repay(t: T, f: Frame, step: steps.Repay) -> None:
    t.ask(must_put, chosen(f), receiver=f.seat, exempt_at=0)


def run_again(t: T, f: Frame, step: steps.Again, what: int) -> None:
    """Run the action of another card, as if the played card had that action."""
    t.say("repeats", f.seat, KIND[what])
    begin(t, f.seat, what, card(f))


def open_book(t: T, f: Frame, step: steps.OpenBook) -> None:
    off_deck(t, f.seat, 1, at.book, "reveals")
    t.ask(page, f.seat, page=t.s.book[-1])


def read_page_seats(s: Valley, f: Frame) -> Sequence[int]:
    """Return the seat to ask about the revealed card, unless everyone can tell.

    There is always only one answer. For some cards only the seat itself knows whether the action is possible, so that
    answering for the seat would disclose it.
    """
    return [f.seat] if PLANS[KIND[page_card(f)]].parts and not legible(f) else []


def legible(f: Frame) -> bool:
    """Return whether everyone can tell if the revealed card's action is possible."""
    return PLANS[KIND[page_card(f)]].open


def open_read_page_seats(s: Valley, f: Frame) -> Sequence[int]:
    return [f.seat] if PLANS[KIND[page_card(f)]].parts and legible(f) else []


def read_page_offers(s: Valley, f: Frame, seat: int) -> list[Offer]:
    """Return the offer to carry out the revealed card's action.

    If the action is possible, the seat must carry it out; otherwise the only offer is to skip it.
    """
    possible = executable(outlook(s, seat), KIND[page_card(f)])
    return [verbs.act(page_card(f)) if possible else SKIP]


def read_page(t: T, f: Frame, seat: int, action: Action) -> None:
    if action.verb == "act":
        t.say("reads", seat, page_card(f))
        begin(t, seat, page_card(f), page_card(f))
    else:
        t.say("cannot_read", seat, page_card(f))


def close_book(t: T, f: Frame) -> None:
    """Discard the revealed card, unless it has left the zone `book`.

    A Censer, for example, has been given to an opponent by now.
    """
    if page_card(f) in t.s.book:
        seen(t, page_card(f), f.seat)
        t.say("discards", f.seat, t.move(page_card(f), at.book, at.discard[f.seat]))


page_card = Pick("page", shown=True)
page = Script(
    "page",
    Ask("read_page", read_page_offers, read_page, read_page_seats),
    Ask("read_page", read_page_offers, read_page, open_read_page_seats, answer_if_forced=True),
    close_book,
    picks=(page_card,),
)
SCRIPTS = (perform, choose, pick, page)
GOES = {
    "discard": verbs.take, "hand": verbs.to_hand, "deck": verbs.to_deck, "tomb": verbs.entomb, "boneyard": verbs.sacrifice,
    "their_deck": verbs.to_deck, "their_tomb": verbs.entomb, "their_discard": verbs.put,
}  # fmt: skip
GIVES = {"their_deck": verbs.give_to_deck, "their_tomb": verbs.give_to_tomb, "their_discard": verbs.give}
VERBS: dict[type, Verb] = {
    steps.Sacrifice: verbs.sacrifice, steps.Entomb: verbs.entomb, steps.Discard: verbs.discard_one, steps.Cover: verbs.cover,
    steps.Exchange: verbs.exchange, steps.Force: verbs.target, steps.Rob: verbs.rob, steps.LeaveCenser: verbs.rob,
    steps.Repeat: verbs.repeat, steps.Borrow: verbs.repeat,
}  # fmt: skip
EFFECTS: dict[type, Callable[..., None]] = {
    steps.Sacrifice: sacrifice_chosen, steps.Entomb: shift, steps.Discard: shift, steps.Take: shift, steps.Put: shift,
    steps.Cover: cover, steps.Give: give, steps.Exchange: exchange, steps.Draw: draw_cards, steps.Modify: modify,
    steps.Force: force_others, steps.RequireDiscard: nothing, steps.Reveal: reveal, steps.Look: look,
    steps.DiscardRest: discard_rest, steps.PutUnder: put_under, steps.PutBack: put_back, steps.TopOrBottom: put_back,
    steps.Reshuffle: shuffle_in, steps.Redraw: redraw, steps.DrawIfNew: draw_if_new, steps.Rob: rob,
    steps.LeaveCenser: leave_censer, steps.Repay: repay, steps.Repeat: run_again, steps.Borrow: run_again,
    steps.OpenBook: open_book,
}  # fmt: skip
