"""Setup with editions, mixes, seats and pharaohs."""
from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ludarium_engine.kernel import UNKNOWN, Action, Chance, Illegal, checked_options, decide, new_game, seats_to_act, view
from ludarium_engine.titles.valley_of_the_kings import TITLE
from ludarium_engine.titles.valley_of_the_kings.cards import GROUPS, LEVEL, ROWS, SET, TYPE
from ludarium_engine.titles.valley_of_the_kings.state import Valley

CHANCE = Chance(bytes(31) + b"\x07")
MIX = ("chambers", "weapons", "amulets", "artisans", "statues")


def game(seats: int, **options: Any) -> Valley:
    return new_game(TITLE, checked_options(TITLE, options, seats), seats, CHANCE)[0]


def stocked(s: Valley) -> list[int]:
    return [*s.stock, *s.under, *(c for pile in s.pyramid for c in pile), *s.boneyard]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("edition", "levels"), [("base", (29, 27)), ("afterlife", (29, 27)), ("last_rites", (28, 28))])
def test_each_edition_brings_its_56_cards_for_every_number_of_seats(
    edition: str, levels: tuple[int, int], seats: int
) -> None:
    found = Counter(LEVEL[c] for c in stocked(game(seats, edition=edition)))
    assert (found[2], found[3]) == levels


def test_six_cards_of_level_two_make_the_pyramid_and_one_the_boneyard() -> None:
    s = game(2)
    assert [len(pile) for pile in s.pyramid] == [1] * 6 and len(s.boneyard) == 1
    assert {LEVEL[c] for c in s.stock} == {2} and {LEVEL[c] for c in s.under} == {3} and len(s.stock) == 22


def test_each_player_holds_five_of_ten_starters() -> None:
    s = game(4, edition="last_rites")
    assert [(len(hand), len(deck)) for hand, deck in zip(s.hand, s.deck, strict=True)] == [(5, 5)] * 4
    names = Counter(ROWS[k].id for k, row in enumerate(ROWS) if row.type == "starter" and row.edition == "last_rites")
    assert set(names) == {"menial", "embalmer", "kite", "medjay"}


@pytest.mark.parametrize(("seats", "cards", "sets"), [(2, 56, 5), (4, 56, 5), (5, 70, 6), (6, 84, 7)])
def test_a_premium_mix_has_a_set_of_each_size_and_more_for_more_seats(seats: int, cards: int, sets: int) -> None:
    s = game(seats, edition="premium")
    assert len(stocked(s)) == cards and len(set(s.pool)) == sets + 1
    assert len({SET[c] for c in stocked(s)} - {0}) == sets
    assert len([c for c in stocked(s) if TYPE[c] == "unique"]) == 6


def test_a_chosen_mix_is_what_was_chosen_and_everybody_sees_it() -> None:
    s = game(3, edition="premium", sets=MIX, uniques="last_rites", extra_uniques=True, starters="last_rites")
    assert {GROUPS[g] for g in s.pool} == {*MIX, "uniques_last_rites", "uniques_premium"}
    assert len(stocked(s)) == 62 and view(TITLE, s, 1).pool == s.pool


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (5, {"edition": "base"}),
        (7, {"edition": "premium"}),
        (1, {}),
        (2, {"sets": MIX}),
        (2, {"pharaohs": True}),
        (2, {"edition": "premium", "sets": MIX[:4]}),
        (2, {"edition": "premium", "sets": (*MIX[:4], "unicorns")}),
        (2, {"edition": "premium", "sets": (*MIX[:4], MIX[0])}),
        (5, {"edition": "premium", "sets": MIX}),
        (2, {"first": 2}),
        (2, {"edition": "deluxe"}),
    ],
)
def test_options_that_fit_no_box_are_refused(seats: int, options: dict[str, Any]) -> None:
    with pytest.raises(Illegal):
        checked_options(TITLE, options, seats)


def test_the_first_player_may_be_named() -> None:
    assert game(4, first=2).turn == 2 == seats_to_act(game(4, first=2))[0]


@pytest.mark.parametrize(("seats", "dealt"), [(2, 2), (5, 2), (6, 1)])
def test_pharaohs_are_chosen_under_seal_and_shown_together(seats: int, dealt: int) -> None:
    s = game(seats, edition="premium", pharaohs=True)
    assert [len(pile) for pile in s.dealt] == [dealt] * seats and seats_to_act(s) == tuple(range(seats))
    assert view(TITLE, s, 1).dealt[0] == [-1] * dealt and view(TITLE, s, 0).dealt[0] == s.dealt[0]
    for seat in range(seats):
        assert not any(s.pharaoh)
        s, _ = decide(TITLE, s, seat, Action("keep", (s.dealt[seat][0],)), CHANCE)
    assert all(len(pile) == 1 for pile in s.pharaoh) and not any(s.dealt) and seats_to_act(s) == (s.first,)


@pytest.mark.parametrize("strict", [True, False])
def test_a_strict_view_closes_the_own_discard_pile_on_the_own_turn(strict: bool) -> None:
    s = game(2, strict_discard_view=strict)
    s.discard[s.turn], other = [1, 2, 3], 1 - s.turn
    s.discard[other] = [4, 5]
    assert view(TITLE, s, s.turn).discard[s.turn] == ([UNKNOWN, UNKNOWN, 3] if strict else [1, 2, 3])
    assert view(TITLE, s, s.turn).discard[other] == [UNKNOWN, 5]
    assert view(TITLE, s, other).discard[other] == [4, 5] and view(TITLE, s, other).discard[s.turn] == [UNKNOWN, UNKNOWN, 3]
