"""Play solo against the Dark Lord, whose monsters take citizens."""
from __future__ import annotations

from ludarium_engine.kernel.choices import Action, Offer
from ludarium_engine.kernel.facts import EVERYBODY
from ludarium_engine.kernel.scripts import DONE
from ludarium_engine.kernel.slots import Frame

from . import scoring, verbs
from .cards import CITIZEN, COLUMNS, DOMAIN, STACK
from .centre import top, turn_up
from .citizens import uncover
from .state import T, Valeria, at

ANY_STACK = 6                                   # the die with which the player chooses a column
WON, LOST = [1], [2]


# --- the monsters phase -----------------------------------------------------------------------------------------------
def gather(t: T, f: Frame) -> None:
    t.set(at.strikes, t.s.dice)
    t.say("strike", *t.s.dice)
    for die in sorted({*t.s.dice}):
        if not struck(t.s, die):
            t.say("sleeps", die)


def strike_offers(s: Valeria, f: Frame, seat: int) -> list[Offer]:
    """Return offers to choose the victim of any remaining die.

    A die has no victim if its monster stack is exhausted.
    """
    return [offer for die in sorted(set(s.strikes)) for column in struck(s, die) for offer in prey(s, die, column)]


def struck(s: Valeria, die: int) -> list[int]:
    """Return the columns whose monsters this die may activate."""
    columns = range(COLUMNS) if die == ANY_STACK else [die - 1]
    return [i for i in columns if s.monsters[i]]


def prey(s: Valeria, die: int, column: int) -> list[Offer]:
    """Return offers to give up a card of a column.

    The player must give up a top citizen or, if there is none, the domain. If both are gone, the only offer is to lose the
    game.
    """
    citizens = top([s.citizens[column], s.citizens[column + COLUMNS]])
    cards = citizens or top([s.domains[column]])
    return [verbs.give_up(die, card) for card in cards] or [verbs.fall(die, column)]


def strike(t: T, f: Frame, seat: int, action: Action) -> bool:
    die, what = action.args
    if action.verb == "fall":
        t.say("falls", seat, die, t.s.areas[what])
        lose(t)
        return DONE
    left = list(t.s.strikes)
    left.remove(die)
    t.set(at.strikes, left)
    capture(t, seat, die, what)
    return not DONE


def capture(t: T, seat: int, die: int, card: int) -> None:
    if card in CITIZEN:
        stack = STACK[CITIZEN[card].id]
        t.say("gives_up", seat, die, t.move(card, at.citizens[stack], at.captured))
        uncover(t, stack)
    else:
        column = next(i for i, stack in enumerate(t.s.domains) if card in stack)
        t.say("gives_up", seat, die, t.move(card, at.domains[column], at.captured))
        turn_up(t, at.domains_below[column], at.domains[column])


# --- the end ----------------------------------------------------------------------------------------------------------
def lose(t: T) -> None:
    reveal_dark_duke(t)
    t.end(LOST)


def win(t: T) -> None:
    t.say("slew_all", 0)
    reveal_dark_duke(t)
    t.end(WON)


def compare(t: T) -> None:
    """End the game by comparing the player's points with the Dark Lord's.

    A draw counts as 1st place.
    """
    reveal_dark_duke(t)
    own, parts = scoring.tell_score(t, 0), dark_score(t.s)
    dark = sum(parts)
    t.say("dark_lord", dark, *parts)
    t.say("beats" if own > dark else "draws" if own == dark else "is_beaten", 0)
    t.end(LOST if dark > own else WON)


def reveal_dark_duke(t: T) -> None:
    t.say("unmasked", t.reveal(t.s.dark_duke, at.dark_duke, to=EVERYBODY))


def dark_score(s: Valeria) -> tuple[int, int]:
    """Return the Dark Lord's points as (points for cards, points from his duke).

    He scores for living monsters and captured domains. His duke counts these cards and captured citizens.
    """
    monsters = [card for stack in s.monsters for card in stack]
    domains = [card for card in s.captured if card in DOMAIN]
    citizens = [card for card in s.captured if card in CITIZEN]
    return scoring.printed(monsters + domains), scoring.icons(s.dark_duke[0], citizens, domains, monsters)


