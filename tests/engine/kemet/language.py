"""Positions of Kemet, described in the words of the game's data."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ludarium_engine.testkit.scene import Scene
from ludarium_engine.titles.kemet import TITLE
from ludarium_engine.titles.kemet.board import Board
from ludarium_engine.titles.kemet.cards import COLOURS, ID, UNITS, battle_cards, card_of
from ludarium_engine.titles.kemet.state import Kemet, KemetOptions, board
from ludarium_engine.titles.kemet.troops import holders


class Desert(Scene[Kemet]):
    """An empty board on which seat 0 owns city A, seat 1 owns city B, and so on.

    No seat has cards or units on the board, and it is seat 0's turn on day 1.
    """

    def __init__(self, seats: int = 2, **options: Any) -> None:
        super().__init__(TITLE, seats, KemetOptions(**options))
        s = self.s
        s.city, s.order, s.day = [*range(seats)], [*range(seats)], 1
        for seat, districts in enumerate(self.board.districts[:seats]):
            for space in districts:
                s.lord[space] = seat
        self.turn(0)

    @property
    def board(self) -> Board:
        return board(self.s)

    # --- setup --------------------------------------------------------------------------------------------------------
    def turn(self, seat: int) -> Desert:
        self.s.turn, self.s.acted = seat, False
        return self.asks("turn", seat, 1)

    def troop(self, seat: int, where: str, n: int, creature: str | None = None) -> Desert:
        space = self.at(where)
        self.s.units[space], self.s.holder[space] = n, seat
        self.s.reserve[seat] -= n
        assert 0 <= self.s.reserve[seat] <= UNITS
        if creature:
            card = card_of(creature)
            pile = self.s.wild if card in self.s.wild else self.s.stable[seat]
            pile.remove(card)
            self.s.creatures[space].append(card)
        return self.counted()

    def cleared(self) -> Desert:
        """Remove all units from the board and all tokens from the action boards."""
        s, size = self.s, self.board.size
        s.units, s.holder, s.reserve = [0] * size, [-1] * size, [UNITS] * s.seats
        s.boxes = [[] for _ in range(s.seats)]
        return self.counted()

    def pyramid(self, where: str, colour: str, level: int) -> Desert:
        space = self.at(where)
        self.s.pyramid[space], self.s.level[space] = COLOURS.index(colour), level
        return self.counted()

    def counted(self) -> Desert:
        self.s.held = [*map(holders(self.s).count, range(self.s.seats))]
        return self

    def tiles(self, seat: int, *names: str) -> Desert:
        for name in names:
            tile = next(tile for tile in self.s.market if ID[tile] == name)
            self.s.market.remove(tile)
            self.s.tiles[seat].append(tile)
        return self

    def cards(self, seat: int, *names: str) -> Desert:
        for name in names:
            card = next(card for card in self.s.di_deck if ID[card] == name)
            self.s.di_deck.remove(card)
            self.s.di[seat].append(card)
        return self

    def points(self, seat: int, pp: int, vp: int = 0) -> Desert:
        self.s.pp[seat], self.s.vp[seat] = pp, vp
        return self

    # --- actions ------------------------------------------------------------------------------------------------------
    def fight(self, *cards: str, attacker: int = 0, defender: int = 1) -> Desert:
        """Choose the battle card of each side, first the attacker's.

        Each side sets any other card aside.
        """
        for seat, card in zip((attacker, defender), cards, strict=True):
            self.do(seat, next(words for words in self.offers(seat) if words.split()[1] == card))
        return self

    def word(self, kind: str, value: int) -> str:
        words: dict[str, Sequence[str]] = {"colour.": COLOURS, "box.": BOXES}
        return words[kind][value] if kind in words else super().word(kind, value)

    # --- position -----------------------------------------------------------------------------------------------------
    def at(self, where: str) -> int:
        return self.board.space(where)

    def units(self, where: str) -> tuple[int, int]:
        """Return the owner and the number of units in a space."""
        return self.s.holder[self.at(where)], self.s.units[self.at(where)]

    def names(self, cards: Iterable[int]) -> list[str]:
        return sorted(super().names(cards))

    def creature(self, where: str) -> list[str]:
        return [ID[card] for card in self.s.creatures[self.at(where)]]


BOXES = ["move", "recruit", "move2", "raise", "pray", "buy_white", "buy_red", "buy_blue", "pray3"]


def war(attackers: int = 3, defenders: int = 3, **options: Any) -> Desert:
    """Return a board on which seat 0's troop can attack seat 1's.

    The troops are in front of city A and in the lower temple.
    """
    return Desert(**options).troop(0, "A_front", attackers).troop(1, "T_SMALL_W", defenders)


def charge(desert: Desert) -> Desert:
    return desert.go(0, "act move", "lead A_front", "step T_SMALL_W")


def hand_of(seat: int) -> list[str]:
    return [ID[card] for card in battle_cards(seat)]
