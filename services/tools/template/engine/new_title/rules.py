"""One card a turn; when all have played, the highest sum wins."""
from __future__ import annotations

from engine.kernel.choices import CARD, Action, Offer, Verb, each
from engine.kernel.scripts import Ask, Script, around, by_name
from engine.kernel.slots import Frame
from engine.kernel.table import standings

from .cards import FACTS, POINTS
from .state import NewTitle, T, at

PLAY = Verb("play", CARD)


def setup(t: T) -> None:
    t.shuffle(at.deck)
    for seat in range(t.s.seats):
        t.draw(FACTS.hand, at.deck, at.hand[seat])
    t.ask(turn, 0)


def plays(s: NewTitle, f: Frame, seat: int) -> list[Offer]:
    return each(PLAY, s.hand[seat])


def play(t: T, f: Frame, seat: int, action: Action) -> None:
    t.move(action.args, at.hand[seat], at.played[seat])


def go_on(t: T, f: Frame) -> None:
    following = around(t.s, f.seat + 1)[0]
    if len(t.s.played[following]) == FACTS.turns:
        t.end(standing(t.s))
    else:
        t.pass_turn(following)
        t.ask(turn, following)


def standing(s: NewTitle) -> list[int]:
    """If play stopped here, as well: by points."""
    return standings([points(s, seat) for seat in range(s.seats)])


def points(s: NewTitle, seat: int) -> int:
    return sum(POINTS[card] for card in s.played[seat])


turn = Script("turn", Ask("play", plays, play), go_on)
SCRIPTS, VERBS = by_name(turn), by_name(PLAY)
