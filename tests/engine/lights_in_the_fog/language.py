"""Positions of Lights in the Fog, described in the words of the game."""
from __future__ import annotations

from ludarium_engine.testkit.scene import Scene
from ludarium_engine.titles.lights_in_the_fog import TITLE
from ludarium_engine.titles.lights_in_the_fog.cards import CARDS, FACTS, NUMBERS, sign_of
from ludarium_engine.titles.lights_in_the_fog.state import Fog

TEXTS = TITLE.texts["en"]
COLOURS = [colour.id for colour in FACTS.colours]


def lamp(words: str) -> int:
    """Return the lamp with a name such as "red 5"."""
    return [card.kind for card in CARDS].index(words.replace(" ", "_"))


def lamps(words: str) -> list[int]:
    """Return the lamps of a list such as "red 5, blue 2"; "" is an empty list."""
    return [lamp(one) for one in words.split(", ")] if words else []


def sign(word: str) -> int:
    """Return the sign for a colour or a number, such as "red" or "5"."""
    return sign_of(int(word)) if word.isdigit() else COLOURS.index(word)


class Sea(Scene[Fog]):
    """A position at the start of a round, in which seat 0 begins all rounds.

    Args:
        hands: The masked lamps of each ship, from seat 0 on.
        deck: The hold, with its top lamp last.
    """

    def __init__(self, *hands: str, deck: str = "", bells: int = 8) -> None:
        super().__init__(TITLE, len(hands))
        self.asks("turn", 0)
        self.s.hand, self.s.deck, self.s.bells = [lamps(hand) for hand in hands], lamps(deck), bells

    # --- what the ships do: "hail 1 red", "hail 1 5", "bearing 1", "name 1 red 5", "silence", "pay red 2" --------------------
    def about(self, seat: int) -> set[str]:
        """Return the offers of a seat, by verb and target."""
        return {" ".join(words.split()[:2]) for words in self.offers(seat)}

    def word(self, kind: str, value: int) -> str:
        if kind == "sign.":
            return [*COLOURS, *map(str, NUMBERS)][value]
        return super().word(kind, value).replace("_", " ")

    # --- position -----------------------------------------------------------------------------------------------------
    def hand(self, seat: int) -> list[str]:
        return self.names(self.s.hand[seat])

    def log(self, seat: int) -> list[str]:
        return self.names(self.s.log[seat])

    def slate(self, seat: int) -> tuple[list[str], list[str], list[str]]:
        """Return the signs that a ship has, those that it lacks, and its wrong names."""
        yes, no = ([TEXTS[f"sign.{one}"] for one in row[seat]] for row in (self.s.yes, self.s.no))
        return yes, no, self.names(self.s.missed[seat])
