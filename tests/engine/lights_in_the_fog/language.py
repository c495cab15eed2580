"""Ships in the middle of a game, spoken to in the game's own words."""
from __future__ import annotations

from engine.kernel import SPECTATOR, Action, Chance, Event, Frame, decide, facts_for, legal, seats_to_act
from engine.lights_in_the_fog import TITLE
from engine.lights_in_the_fog.cards import CARDS, FACTS, sign_of
from engine.lights_in_the_fog.state import FogOptions, blank
from engine.story.lines import lines
from engine.story.words import Words

CHANCE = Chance(bytes(32))
TEXTS = TITLE.texts["en"]
WORDS = Words(TITLE, "en", ["0", "1", "2", "3"])
COLOURS = [colour.id for colour in FACTS.colours]


def lamp(words: str) -> int:
    """ "red 5" """
    return [card.kind for card in CARDS].index(words.replace(" ", "_"))


def lamps(words: str) -> list[int]:
    """ "red 5, blue 2"; none: "" """
    return [lamp(one) for one in words.split(", ")] if words else []


def said(cards: list[int]) -> list[str]:
    return [CARDS[card].kind.replace("_", " ") for card in cards]


def sign(word: str) -> int:
    """ "red" or "5" """
    return sign_of(int(word)) if word.isdigit() else COLOURS.index(word)


class Sea:
    """hands: the masked lamps of each ship, from seat 0 on; deck: the hold, its top last; all rounds begin with seat 0."""

    def __init__(self, *hands: str, deck: str = "", bells: int = 8) -> None:
        self.s = s = blank(FogOptions(), len(hands))
        s.hand, s.deck, s.bells = [lamps(hand) for hand in hands], lamps(deck), bells
        s.agenda = [Frame("turn", 0, 0, (0,))]
        self.events: list[Event] = []

    # --- what the ships do --------------------------------------------------------------------------------------------
    def do(self, seat: int, words: str) -> Sea:
        """ "hail 1 red", "hail 1 5", "bearing 1", "name 1 red 5", "silence", "pay red 2" """
        self.s, event = decide(TITLE, self.s, seat, action(words), CHANCE)
        self.events.append(event)
        return self

    def may(self, seat: int) -> set[str]:
        """By its verb and whom it is about."""
        return {" ".join(map(str, (offer.verb, *offer.args[:1]))) for offer in legal(TITLE, self.s, seat)}

    @property
    def asked(self) -> tuple[int, ...]:
        return seats_to_act(self.s)

    # --- what is heard of it ------------------------------------------------------------------------------------------
    def heard(self, audience: int) -> list[str]:
        """The sentences that the last event has for an audience; ships are numbers."""
        told = lines(TITLE, facts_for(TITLE, self.events[-1], audience))
        return [WORDS.message(line.message) for line in told if not line.turn]

    def heard_by_all(self) -> list[str]:
        """The same for each."""
        first, *rest = (self.heard(audience) for audience in (*range(self.s.seats), SPECTATOR))
        assert all(one == first for one in rest)
        return first

    # --- how it stands ------------------------------------------------------------------------------------------------
    def hand(self, seat: int) -> list[str]:
        return said(self.s.hand[seat])

    def log(self, seat: int) -> list[str]:
        return said(self.s.log[seat])

    def slate(self, seat: int) -> tuple[list[str], list[str], list[str]]:
        """What it carries, what it does not, what was named there in vain."""
        yes, no = ([TEXTS[f"sign.{one}"] for one in row[seat]] for row in (self.s.yes, self.s.no))
        return yes, no, said(self.s.missed[seat])


def action(words: str) -> Action:
    match words.split():
        case ["hail", ship, what]:
            return Action("hail", (int(ship), sign(what)))
        case ["name", ship, colour, number]:
            return Action("name", (int(ship), sign(colour), sign(number)))
        case ["pay", *what]:
            return Action("pay", (lamp(" ".join(what)),))
        case [verb, *ships]:
            return Action(verb, (*map(int, ships),))
    raise ValueError(words)
