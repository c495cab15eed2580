"""The game's own language: lay a table out, play, and say how it ends.

    table(hand="urn", discard="kite box_of_food").play("urn").ends(deck="box_of_food", discard="kite")

Zones are names of cards, the top one last; the pyramid from the base's left to the apex, with - for an empty space. A digit
after a zone's name is a seat: hand1="boat"; without one it is seat 0, whose turn it is. Every command goes through `decide`,
and its event must fold to the same state.
"""
from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from engine.kernel import Action, Chance, Frame, Illegal, Offer, decide, evolve, legal, seats_to_act
from engine.kernel.contract import clone, encode
from engine.valley_of_the_kings import TITLE
from engine.valley_of_the_kings.cards import DECK, GROUP, KIND, ROWS, card_of
from engine.valley_of_the_kings.plans import WAYS
from engine.valley_of_the_kings.state import Valley, ValleyOptions, blank
from tests.engine.stories import faults

PYRAMID = "statue_horus book_earth hapi_jar book_dead weres_amulet statue_isis"
SINGLE = ("stock", "under", "boneyard", "revealed")
REACTIONS = ("boat", "cat", "physician", "headrest", "show")
AT_PLAY = 1                                     # the row of the turn that asks for plays


def name(card: int) -> str:
    return ROWS[KIND[card]].id


def said(kind: str, value: int) -> str:
    return name(value) if kind == "card" else WAYS[value] if kind == "way." else str(value)


class Scene:
    answered: ClassVar[set[tuple[str, str]]] = set()       # (reaction card, "yes" or "pass"): all that scenes have seen

    def __init__(self, s: Valley) -> None:
        self.s, self.chance = s, Chance(bytes(32))

    # --- doing ------------------------------------------------------------------------------------------------------
    def play(self, card: str) -> Scene:
        return self.do("act", card)

    def buy(self, card: str, *payment: str) -> Scene:
        where = next(i for i, pile in enumerate(self.s.pyramid) if pile and name(pile[0]) == card)
        seat = self.seat()
        paid = self.cards_of(payment, self.s.hand[seat])
        return self.answer(seat, Action("buy", (where, *paid)))

    def entomb(self, card: str) -> Scene:
        return self.do("entomb", card)

    def end(self, *on_top: str) -> Scene:
        seat = self.seat()
        return self.answer(seat, Action("end", self.cards_of(on_top, self.s.played[seat] + self.s.hand[seat])))

    def rule(self) -> Scene:
        return self.answer(self.seat(), Action("rule", tuple(self.s.pharaoh[self.seat()])))

    def pick(self, *words: str) -> Scene:
        """The one offer of these cards and seats, whatever its verb."""
        seat = self.seat()
        found = [offer for offer in legal(TITLE, self.s, seat) if self.words(offer) == [*words] and not offer.pool]
        assert len({offer.verb for offer in found}) == 1, f"{words} among {self.offered()}"
        return self.answer(seat, Action(found[0].verb, found[0].args))

    def do(self, verb: str, *words: str) -> Scene:
        seat = self.seat()
        found = [o for o in legal(TITLE, self.s, seat) if o.verb == verb and self.words(o) == [*words]]
        assert found, f"{verb} {words} among {self.offered()}"
        return self.answer(seat, Action(verb, found[0].args))

    def several(self, verb: str, *words: str) -> Scene:
        """An offer of a subset: these cards of its pool, in this order."""
        seat = self.seat()
        offer = next(o for o in legal(TITLE, self.s, seat) if o.verb == verb)
        return self.answer(seat, Action(verb, self.cards_of(words, offer.pool)))

    def skip(self) -> Scene:
        return self.do("skip")

    def way(self, about: str) -> Scene:
        return self.do("way", about)

    def passes(self) -> Scene:
        """Everybody who is asked passes."""
        for seat in seats_to_act(self.s):
            self.answer(seat, Action("pass"))
        return self

    def react(self, seat: int, verb: str, *words: str) -> Scene:
        """The seat plays its reaction, everybody else who is asked passes."""
        found = [o for o in legal(TITLE, self.s, seat) if o.verb == verb and self.words(o)[-len(words):] == [*words]]
        assert found, f"{verb} {words} among {self.offered(seat)}"
        for p in seats_to_act(self.s):
            self.answer(p, Action(verb, found[0].args) if p == seat else Action("pass"))
        return self

    def answer(self, seat: int, action: Action) -> Scene:
        self.note(seat, action)
        before, there = clone(self.s), clone(self.s)
        self.s, event = decide(TITLE, self.s, seat, action, self.chance)
        assert encode(evolve(before, event)) == encode(self.s)
        TITLE.invariants(self.s)
        assert not faults(TITLE, there, event)
        return self

    def note(self, seat: int, action: Action) -> None:
        """A seat that may react does so, or not."""
        for offer in legal(TITLE, self.s, seat):
            if offer.verb in REACTIONS:
                self.answered.add((name(offer.args[0]), "yes" if action.verb == offer.verb else "pass"))

    def refuses(self, seat: int, action: Action) -> Scene:
        try:
            decide(TITLE, self.s, seat, action, self.chance)
        except Illegal:
            return self
        raise AssertionError(f"{action} was accepted")

    # --- seeing -----------------------------------------------------------------------------------------------------
    def seat(self) -> int:
        return min(seats_to_act(self.s))

    def asked(self) -> tuple[int, ...]:
        return seats_to_act(self.s)

    def words(self, offer: Offer) -> list[str]:
        kinds = TITLE.verbs[offer.verb].args
        return [said(kind, value) for kind, value in zip(kinds, offer.args, strict=True)]

    def offered(self, seat: int | None = None) -> list[str]:
        """What is offered, in words: `take boat`, each once."""
        offers = legal(TITLE, self.s, self.seat() if seat is None else seat)
        return sorted({" ".join((offer.verb, *self.words(offer))) for offer in offers})

    def offers(self, verb: str, seat: int | None = None) -> list[str]:
        return [words.removeprefix(verb).strip() for words in self.offered(seat) if words.split()[0] == verb]

    def cards_of(self, words: tuple[str, ...], among: Any) -> tuple[int, ...]:
        left, found = list(among), []
        for word in words:
            card = next(c for c in left if name(c) == word)
            left.remove(card)
            found.append(card)
        return tuple(found)

    def names(self, field: str) -> list[str]:
        """The cards that a list of ids speaks of."""
        return [name(card) for card in getattr(self.s, field)]

    def zone(self, word: str) -> list[str]:
        field, seat = (word[:-1], int(word[-1])) if word[-1].isdigit() else (word, 0)
        if field == "pyramid":
            return [name(pile[0]) if pile else "-" for pile in self.s.pyramid]
        cards = getattr(self.s, field)
        return [name(card) for card in (cards if field in SINGLE else cards[seat])]

    def ends(self, **zones: str | int) -> Scene:
        """These zones hold exactly these cards, in order; a hand in any order."""
        for word, wanted in zones.items():
            if isinstance(wanted, int):
                assert getattr(self.s, word) == wanted, f"{word}: {getattr(self.s, word)}"
            elif word.startswith("hand"):
                assert Counter(self.zone(word)) == Counter(wanted.split()), f"{word}: {self.zone(word)}"
            else:
                assert self.zone(word) == wanted.split(), f"{word}: {self.zone(word)}"
        return self


def table(seats: int = 2, /, **zones: Any) -> Scene:
    """Names of cards by zone; numbers that last for the turn; and `options`."""
    s = blank(ValleyOptions(**zones.pop("options", {})), seats)
    words: dict[str, str | int] = {"pyramid": PYRAMID, **zones}
    for word, cards in words.items():
        if isinstance(cards, int):
            setattr(s, word, cards)
        else:
            lay(s, word, cards.split())
    out = [card for card in DECK if card not in s.box]
    s.pool = sorted({GROUP[card] for card in out} - {-1})
    s.agenda = [Frame("turn", 0, AT_PLAY, (0,))]
    return Scene(s)


def lay(s: Valley, word: str, names: list[str]) -> None:
    field, seat = (word[:-1], int(word[-1])) if word[-1].isdigit() else (word, 0)
    zone = getattr(s, field)
    for i, card_name in enumerate(names):
        if card_name != "-":
            card = next(c for n in range(24) if (c := card_of(card_name, n)) in s.box)
            s.box.remove(card)
            pile = zone[i] if field == "pyramid" else zone if field in SINGLE else zone[seat]
            pile.append(card)
