"""Positions of Game of Kingdoms, described in the words of the game."""
from __future__ import annotations

from typing import Self

from ludarium_engine.kernel import Action
from ludarium_engine.kernel.choices import CARD
from ludarium_engine.testkit.scene import Scene
from ludarium_engine.titles.game_of_kingdoms import TITLE
from ludarium_engine.titles.game_of_kingdoms.cards import COLOUR, COLOURS, RANK, RANKS, card_of
from ludarium_engine.titles.game_of_kingdoms.state import Kingdoms, KingdomsOptions


def card(words: str) -> int:
    """Return the card with a name such as "blue king" or "red 10" (a squire)."""
    colour, rank = words.split()
    return card_of(f"squire_{rank}" if rank.isdigit() else rank, colour)


def cards(words: str) -> tuple[int, ...]:
    """Return the cards of a list such as "blue king, red 10".

    Both "" and "nothing" are empty lists.
    """
    return tuple(map(card, words.split(", "))) if words not in ("", "nothing") else ()


class Kingdom(Scene[Kingdoms]):
    """A position in a game.

    Args:
        hands: The hand of each seat, from seat 0 on.
        deck: The deck, with its top card last.
        turned: The card that is drawn after the deck.
    """

    def __init__(
        self, *hands: str, trump: str = "red", deck: str = "", turned: str = "", pile: str = "",
        ruthless: bool = False, pile_on_take: bool = True, attacker: int = 0,
    ) -> None:  # fmt: skip
        options = KingdomsOptions("ruthless" if ruthless else "standard", pile_on_take)
        super().__init__(TITLE, len(hands), options)
        self.asks("round", attacker)
        s = self.s
        s.hand, s.deck, s.turned, s.pile = [[*cards(hand)] for hand in hands], [*cards(deck)], [*cards(turned)], [*cards(pile)]
        s.trump, s.turn, s.attacker, s.defender = COLOUR[card(f"{trump} 5")], attacker, attacker, (attacker + 1) % len(hands)

    # --- actions ------------------------------------------------------------------------------------------------------
    def do(self, seat: int, words: str, *pieces: str) -> Self:
        """Do an action, such as "lead red 7, blue 7" or "beat blue 10 with blue king".

        The other actions are "pass on red 7", "take", "add ...", "throw ..." and "done".
        """
        return self.answer(seat, self.action(words))

    def action(self, words: str) -> Action:
        verb, _, rest = words.partition(" ")
        match verb:
            case "lead":
                return Action("lead", (RANK[cards(rest)[0]], *cards(rest)))
            case "beat":
                attack, defence = map(card, rest.split(" with "))
                return Action("beat", (self.s.attack.index(attack), defence))
            case "pass":
                return Action("pass_on", cards(rest.removeprefix("on ")))
            case _:
                return Action(verb, cards(rest))

    def word(self, kind: str, value: int) -> str:
        if kind == CARD:
            return f"{COLOURS[COLOUR[value]].id} {RANKS[RANK[value]].id.removeprefix('squire_')}"
        return super().word(kind, value)

    # --- legal actions ------------------------------------------------------------------------------------------------
    def may(self, seat: int, words: str) -> bool:
        return any(offer.allows(self.action(words)) for offer in self.legal(seat))

    def choices(self, seat: int, verb: str) -> set[str]:
        """Return the cards that the seat can choose for this verb."""
        return {*self.names(c for offer in self.legal(seat, verb) for c in offer.pool or offer.args[-1:])}

    # --- position -----------------------------------------------------------------------------------------------------
    def hand(self, seat: int) -> set[str]:
        return {*self.names(self.s.hand[seat])}

    @property
    def attack(self) -> list[str]:
        return self.names(self.s.attack)

    @property
    def pile(self) -> set[str]:
        return {*self.names(self.s.pile)}
