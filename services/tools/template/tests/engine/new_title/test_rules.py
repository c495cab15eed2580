"""New Title, played by hand."""
from __future__ import annotations

from engine import titles
from engine.kernel import Action, Chance, Frame, decide, seats_to_act

TITLE = titles()["new-title"]
CHANCE = Chance(bytes(32))


class Game:
    """A table with these hands, in points; seat 0 begins."""

    def __init__(self, *hands: list[int]) -> None:
        self.s = TITLE.blank(TITLE.options(), len(hands))
        self.s.hand = [[points - 1 for points in hand] for hand in hands]
        self.s.agenda = [Frame("turn", 0, 0, (0,))]

    def play(self, seat: int, points: int) -> Game:
        self.s, _ = decide(TITLE, self.s, seat, Action("play", (points - 1,)), CHANCE)
        return self


def test_seats_play_in_turn() -> None:
    game = Game([1, 2], [3, 4])
    assert [*seats_to_act(game.s)] == [0]
    assert [*seats_to_act(game.play(0, 1).s)] == [1]


def test_the_highest_sum_of_three_cards_wins() -> None:
    game = Game([1, 2, 3, 20], [4, 5, 6])
    for mine, theirs in ((1, 4), (2, 5), (3, 6)):
        game.play(0, mine).play(1, theirs)
    assert game.s.outcome == [2, 1]


def test_equal_sums_share_the_place() -> None:
    game = Game([1, 2, 9], [3, 4, 5])
    for mine, theirs in ((1, 3), (2, 4), (9, 5)):
        game.play(0, mine).play(1, theirs)
    assert game.s.outcome == [1, 1]
