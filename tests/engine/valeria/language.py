"""Positions of Valeria, described in the words of the game."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from ludarium_engine.kernel import Action, Chance, Event, Frame, checked_options, new_game
from ludarium_engine.kernel.agenda import run_agenda
from ludarium_engine.kernel.facts import Counted
from ludarium_engine.kernel.slots import slot_name
from ludarium_engine.kernel.table import Table
from ludarium_engine.testkit.scene import CHANCE, Scene
from ludarium_engine.titles.valeria import TITLE
from ludarium_engine.titles.valeria.cards import FACES, cards_of
from ludarium_engine.titles.valeria.rules import TO_ACTIONS
from ludarium_engine.titles.valeria.state import Valeria
from ludarium_engine.titles.valeria.tokens import RESOURCES

AFTER_ROLL, ACTIONS, LAST_ACTION, FINISH = 1, len(TO_ACTIONS) - 3, len(TO_ACTIONS) - 2, len(TO_ACTIONS) - 1


class Realm(Scene[Valeria]):
    """A game on seat 0's turn, by default with the setup for a first game.

    No seat has tokens.
    """

    def __init__(self, seats: int = 2, chance: Chance = CHANCE, **options: Any) -> None:
        about = options or {"setup": "first_game"}
        super().__init__(TITLE, seats, checked_options(TITLE, about, seats), chance)
        self.s, _ = new_game(TITLE, self.s.options, seats, chance)
        for dealt, duke in zip(self.s.dealt, self.s.duke, strict=True):
            duke.append(dealt.pop())
        if seats == 1:
            self.s.dark_duke.append(self.s.duke_deck.pop())
        self.s.agenda, self.s.turn, self.s.first = [], 0, 0
        for purse in (self.s.gold, self.s.strength, self.s.magic):
            purse[:] = [0] * seats

    # --- setup --------------------------------------------------------------------------------------------------------
    def has(self, seat: int, cards: str = "", gold: int = 0, strength: int = 0, magic: int = 0) -> Realm:
        """Give a seat tokens, and cards by their kinds' ids ("3 archer" for three)."""
        words = cards.split()
        for word, before in zip(words, ["", *words], strict=False):
            if not word.isdigit():
                for _ in range(int(before) if before.isdigit() else 1):
                    self.give(seat, word)
        self.s.gold[seat], self.s.strength[seat], self.s.magic[seat] = gold, strength, magic
        return self

    def give(self, seat: int, kind: str) -> None:
        card = self.take_out(kind)
        zone = {"Monster": self.s.slain, "Domain": self.s.built}.get(type(FACES[card]).__name__, self.s.tableau)
        zone[seat].append(card)

    def duke(self, seat: int, kind: str) -> Realm:
        card = cards_of(kind)[0]
        (pile,) = [pile for pile in self.piles() if card in pile]
        pile[pile.index(card)], self.s.duke[seat][0] = self.s.duke[seat][0], card
        return self

    def take_out(self, kind: str) -> int:
        """Take a card of this kind that no seat has, from the box if possible."""
        owned = {card for zone in (self.s.tableau, self.s.built, self.s.slain) for pile in zone for card in pile}
        free = [card for card in cards_of(kind) if card not in owned]
        card = next((card for card in free if card in self.s.box), free[0])
        next(pile for pile in self.piles() if card in pile).remove(card)
        return card

    def on_top(self, zone: str, i: int, kind: str) -> Realm:
        """Put a card of this kind on top of a stack.

        A domain swaps places with the top card.
        """
        stack = getattr(self.s, zone)[i]
        card = next((c for c in cards_of(kind) if c in stack), None) or self.take_out(kind)
        if card in stack:
            stack.remove(card)
        if zone == "domains" and stack:
            self.s.domain_deck.append(stack.pop())
        stack.append(card)
        return self

    def without(self, zone: str, *stacks: int) -> Realm:
        """Remove all cards of these stacks."""
        for i in stacks:
            for name in (zone, f"{zone}_below"):
                if hasattr(self.s, name):
                    self.s.box += getattr(self.s, name)[i]
                    getattr(self.s, name)[i].clear()
        return self

    # --- the turn -----------------------------------------------------------------------------------------------------
    def rolled(self, a: int, b: int) -> Realm:
        """Set the dice, and run the turn up to the next question."""
        self.s.dice[:] = a, b
        return self.at(AFTER_ROLL)

    def acting(self, last: bool = False) -> Realm:
        return self.at(LAST_ACTION if last else ACTIONS)

    def finishing(self) -> Realm:
        return self.at(FINISH)

    def at(self, row: int) -> Realm:
        self.s.agenda = [Frame("turn" if self.s.seats > 1 else "solo turn", self.s.turn, row)]
        t = Table(TITLE, self.s, self.chance)
        run_agenda(t)
        self.events.append(Event(-1, Action(""), t.facts))
        return self

    # --- actions ------------------------------------------------------------------------------------------------------
    def do(self, seat: int, verb: str, *args: int | str) -> Self:
        """Do an action, with cards given by kind and resources by name."""
        return self.answer(seat, self.action(seat, verb, args))

    def action(self, seat: int, verb: str, args: Sequence[int | str]) -> Action:
        wanted = tuple(self.number(seat, verb, arg) for arg in args)
        offers = [offer for offer in self.legal(seat, verb) if offer.args == wanted]
        if offers and offers[0].pool:
            return Action(verb, (*wanted, min(offers[0].pool)))
        return Action(verb, wanted)

    def number(self, seat: int, verb: str, arg: int | str) -> int:
        if isinstance(arg, int):
            return arg
        if arg in RESOURCES:
            return RESOURCES.index(arg)
        offered = [n for offer in self.legal(seat, verb) for n in offer.args]
        return next((card for card in cards_of(arg) if card in offered), cards_of(arg)[0])

    # --- legal actions ------------------------------------------------------------------------------------------------
    def args(self, seat: int, verb: str) -> set[tuple[int, ...]]:
        return {offer.args for offer in self.legal(seat, verb)}

    def payments(self, seat: int, verb: str, kind: str) -> list[int]:
        """Return the amounts of magic that may replace other tokens in this payment."""
        card = self.number(seat, verb, kind)
        return [n for offer in self.legal(seat, verb) if offer.args == (card,) for n in offer.pool]

    # --- position -----------------------------------------------------------------------------------------------------
    def purse(self, seat: int) -> tuple[int, int, int]:
        return self.s.gold[seat], self.s.strength[seat], self.s.magic[seat]

    def kinds(self, zone: str, i: int) -> list[str]:
        return [FACES[card].id for card in getattr(self.s, zone)[i]]

    def counted(self) -> list[tuple[str, int]]:
        """Return the numbers that changed in the last event, in order."""
        return [(slot_name(self.s, fact.slot), fact.by) for fact in self.event.facts if isinstance(fact, Counted)]
