"""The language of scenes, which lay out a table, play, and compare the end.

An example is table(hand="urn", discard="kite box_of_food").play("urn").ends(deck="box_of_food", discard="kite"). Zones are
given as names of cards, with the top one last. The pyramid is given from the left of the base to the apex, with - for an
empty space. A digit after a zone is a seat, such as hand1="boat". The default is seat 0, whose turn it is.
"""
from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar, Self

from ludarium_engine.kernel import Action, Illegal, Offer, decide
from ludarium_engine.kernel.contract import clone
from ludarium_engine.testkit.scene import Scene
from ludarium_engine.titles.valley_of_the_kings import TITLE
from ludarium_engine.titles.valley_of_the_kings.cards import GROUP
from ludarium_engine.titles.valley_of_the_kings.plans import WAYS
from ludarium_engine.titles.valley_of_the_kings.state import Valley, ValleyOptions
from tests.engine.stories import faults

PYRAMID = "statue_horus book_earth hapi_jar book_dead weres_amulet statue_isis"
SINGLE = ("stock", "under", "boneyard", "revealed")
REACTIONS = ("boat", "cat", "physician", "headrest", "show")
AT_PLAY = 1                                     # the row of the turn that asks for plays


class Table(Scene[Valley]):
    answered: ClassVar[set[tuple[str, str]]] = set()       # (reaction card, "yes" or "pass") in all scenes

    # --- actions ----------------------------------------------------------------------------------------------------
    def play(self, card: str) -> Table:
        return self.choose("act", card)

    def buy(self, card: str, *payment: str) -> Table:
        return self.several(f"buy {self.zone('pyramid').index(card)}", *payment)

    def entomb(self, card: str) -> Table:
        return self.choose("entomb", card)

    def end(self, *on_top: str) -> Table:
        return self.several("end", *on_top)

    def rule(self) -> Table:
        return self.choose("rule", *self.names(self.s.pharaoh[self.seat()]))

    def pick(self, *words: str) -> Table:
        """Choose the only offer with these cards and seats, whatever its verb."""
        seat = self.seat()
        found = [offer for offer in self.legal(seat) if self.words(offer) == [*words] and not offer.pool]
        assert len({offer.verb for offer in found}) == 1, f"{words} among {self.offered()}"
        return self.answer(seat, Action(found[0].verb, found[0].args))

    def choose(self, verb: str, *words: str) -> Table:
        return self.do(self.seat(), " ".join((verb, *words)))

    def several(self, offer: str, *words: str) -> Table:
        """Choose an offer with these cards of its pool, in this order."""
        return self.do(self.seat(), offer, *words)

    def skip(self) -> Table:
        return self.choose("skip")

    def way(self, about: str) -> Table:
        return self.choose("way", about)

    def passes(self) -> Table:
        """Let all seats pass that have to act."""
        for seat in self.asked:
            self.answer(seat, Action("pass"))
        return self

    def react(self, seat: int, verb: str, *words: str) -> Table:
        """Let the seat play its reaction, and let all other asked seats pass."""
        found = [offer for offer in self.legal(seat, verb) if self.words(offer)[-len(words):] == [*words]]
        assert found, f"{verb} {words} among {self.offered(seat)}"
        for p in self.asked:
            self.answer(p, Action(verb, found[0].args) if p == seat else Action("pass"))
        return self

    def answer(self, seat: int, action: Action) -> Self:
        self.note(seat, action)
        before = clone(self.s)
        there = super().answer(seat, action)
        assert not faults(TITLE, before, self.event)
        return there

    def note(self, seat: int, action: Action) -> None:
        """Record whether a seat that may react does so."""
        for offer in self.legal(seat):
            if offer.verb in REACTIONS:
                self.answered.add((self.words(offer)[0], "yes" if action.verb == offer.verb else "pass"))

    def refuses(self, seat: int, action: Action) -> Table:
        try:
            decide(TITLE, self.s, seat, action, self.chance)
        except Illegal:
            return self
        raise AssertionError(f"{action} was accepted")

    # --- position ---------------------------------------------------------------------------------------------------
    def seat(self) -> int:
        return min(self.asked)

    def word(self, kind: str, value: int) -> str:
        return WAYS[value] if kind == "way." else super().word(kind, value)

    def words(self, offer: Offer) -> list[str]:
        return self.said(offer).split()[1:]

    def offered(self, seat: int | None = None) -> list[str]:
        """Return the offers as text, such as `take boat`, without repetitions."""
        return sorted({*self.offers(self.seat() if seat is None else seat)})

    def can(self, verb: str, seat: int | None = None) -> list[str]:
        return [words.removeprefix(verb).strip() for words in self.offered(seat) if words.split()[0] == verb]

    def lying(self, words: str) -> list[int]:
        return super().lying(words if words in SINGLE or words[-1].isdigit() else f"{words}0")

    def zone(self, words: str) -> list[str]:
        if words == "pyramid":
            return [" ".join(self.names(pile)) or "-" for pile in self.s.pyramid]
        return super().zone(words)

    def ends(self, **zones: str | int) -> Table:
        """Check that these zones have exactly these cards, in order except for hands."""
        for word, wanted in zones.items():
            if isinstance(wanted, int):
                assert getattr(self.s, word) == wanted, f"{word}: {getattr(self.s, word)}"
            elif word.startswith("hand"):
                assert Counter(self.zone(word)) == Counter(wanted.split()), f"{word}: {self.zone(word)}"
            else:
                assert self.zone(word) == wanted.split(), f"{word}: {self.zone(word)}"
        return self


def table(seats: int = 2, /, **zones: Any) -> Table:
    """Lay out a table.

    Args:
        zones: The names of cards by zone, numbers that belong to the turn, and `options`.
    """
    there = Table(TITLE, seats, ValleyOptions(**zones.pop("options", {})))
    for i, card in enumerate(zones.pop("pyramid", PYRAMID).split()):
        there.lay(**{f"pyramid{i}": card} if card != "-" else {})
    for word, value in zones.items():
        if isinstance(value, int):
            setattr(there.s, word, value)
        else:
            there.lay(**{word: value})
    there.s.pool = sorted({GROUP[card] for card in there.laid} - {-1})
    return there.asks("turn", 0, AT_PLAY)
