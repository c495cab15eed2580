"""The pyramid, the stock that refills it, and the boneyard.

The spaces of the pyramid are numbered like this:

        5
       3 4
      0 1 2
"""
from __future__ import annotations

from collections.abc import Iterable

from ludarium_engine.kernel.choices import Action, Offer, each
from ludarium_engine.kernel.scripts import Ask, Pick, Script
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import FactNumbers

from . import verbs
from .state import T, Valley, at

BASE, MIDDLE, APEX, SPACES = (0, 1, 2), (3, 4), 5, range(6)
FEEDERS = ((3,), (3, 4), (4,), (5,), (5,), ())  # by space: the spaces from which a card can fall into it
DEAL = (5, 3, 4, 0, 1, 2)                       # the order of the deal: from the apex down, left to right
space = Pick("space", shown=True)


def occupied(s: Valley, spaces: Iterable[int] = SPACES) -> list[int]:
    return [i for i in spaces if s.pyramid[i]]


def cards_in(s: Valley, spaces: Iterable[int] = SPACES) -> list[int]:
    return [s.pyramid[i][0] for i in spaces if s.pyramid[i]]


def space_of(s: Valley, card: int) -> int | None:
    return next((i for i in SPACES if card in s.pyramid[i]), None)


def stock_left(s: Valley) -> int:
    return len(s.stock) + len(s.under)


# --- leaving and crumbling ------------------------------------------------------------------------------------------
def remove(t: T, where: int, dst: list[int]) -> FactNumbers:
    """Take the card of a space out of the pyramid.

    The caller must let the pyramid crumble before anything else happens.
    """
    uncover(t, t.s.pyramid[where][0])
    t.set(at.changed, True)
    t.set(at.quiet_turns, 0)
    return t.move_all(at.pyramid[where], dst)


def crumble(t: T, seat: int, where: int) -> None:
    """Let cards fall into an empty space from above.

    If two cards can fall into the space, the seat that emptied it chooses. This happens only above the middle of the base.
    """
    fallen: FactNumbers = ()
    while len(above := occupied(t.s, FEEDERS[where])) == 1:
        fallen += t.move_all(at.pyramid[above[0]], at.pyramid[where])
        where = above[0]
    if fallen:
        t.say("falls", fallen)
    if above:
        t.ask(fork, seat, space=where)


def fall_offers(s: Valley, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.fall, cards_in(s, FEEDERS[space(f)]))


def fall(t: T, f: Frame, seat: int, action: Action) -> None:
    where = next(i for i in FEEDERS[space(f)] if action.args[0] in t.s.pyramid[i])
    t.say("lets_fall", seat, t.move_all(at.pyramid[where], at.pyramid[space(f)]))
    crumble(t, seat, where)


fork = Script("fork", Ask("fall", fall_offers, fall), picks=(space,))


def swap(t: T, seat: int, a: int, b: int) -> None:
    """Exchange two pyramid cards, which stay face up or face down; nothing crumbles."""
    first, second = (i for card in (a, b) for i in SPACES if card in t.s.pyramid[i])
    t.set(at.changed, True)
    t.say("swaps", seat, t.move(a, at.pyramid[first], at.pyramid[second]), t.move(b, at.pyramid[second], at.pyramid[first]))


def uncover(t: T, card: int) -> None:
    for seat, cards in enumerate(t.s.covered):
        if card in cards:
            t.set(at.covered[seat], [c for c in cards if c != card])


# --- the stock ------------------------------------------------------------------------------------------------------
def from_stock(t: T, n: int, dst: list[int]) -> FactNumbers:
    """Move the top n cards of the stock, or all if there are fewer.

    The cards under the stock follow after it.
    """
    drawn: FactNumbers = ()
    for _ in range(min(n, stock_left(t.s))):
        if not t.s.stock:
            t.say("lower_part", t.move(t.s.under[::-1], at.under, at.stock))
        drawn += t.draw(1, at.stock, dst)
    return drawn


def refill(t: T) -> None:
    """Fill the empty spaces from the stock, from the base up and left to right."""
    filled: FactNumbers = ()
    for where in SPACES:
        if not t.s.pyramid[where]:
            filled += from_stock(t, 1, at.pyramid[where])
    if filled:
        t.set(at.quiet_turns, 0)
        t.say("fills", filled)
        if not stock_left(t.s):
            t.say("stock_is_empty")
