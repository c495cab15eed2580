"""The rules: play one card each turn; the highest sum wins."""
from __future__ import annotations

from ludarium_engine.kernel.choices import CARD, Action, Offer, Verb, each
from ludarium_engine.kernel.scripts import Ask, Script, by_name, turn_order_from
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import standings

from .cards import FACTS, POINTS
from .state import NewTitle, T, at

PLAY = Verb("play", CARD)


def setup(t: T) -> None:
    t.shuffle(at.deck)
    for seat in range(t.s.seats):
        t.say("is_dealt", seat, t.draw(FACTS.hand, at.deck, at.hand[seat]))
    begin(t, 0)


def begin(t: T, seat: int) -> None:
    t.pass_turn(seat)
    t.ask(turn, seat)


def plays(s: NewTitle, f: Frame, seat: int) -> list[Offer]:
    return each(PLAY, s.hand[seat])


def play(t: T, f: Frame, seat: int, action: Action) -> None:
    t.say("plays", seat, t.move(action.args, at.hand[seat], at.played[seat]))


def go_on(t: T, f: Frame) -> None:
    following = turn_order_from(t.s, f.seat + 1)[0]
    if len(t.s.played[following]) == FACTS.turns:
        t.end(standing(t.s))
    else:
        begin(t, following)


def standing(s: NewTitle) -> list[int]:
    """Return each seat's place by points, even while the game is in progress."""
    return standings([points(s, seat) for seat in range(s.seats)])


def points(s: NewTitle, seat: int) -> int:
    return sum(POINTS[card] for card in s.played[seat])


turn = Script("turn", Ask("play", plays, play), go_on)
SCRIPTS, VERBS = by_name(turn), by_name(PLAY)
