"""The standard rules, with the examples from the rulebook."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import Chance, Illegal, new_game
from ludarium_engine.kernel.facts import EVERYBODY, Moved, Revealed, Rolled
from ludarium_engine.kernel.slots import entry_index
from ludarium_engine.titles.game_of_kingdoms import TITLE
from ludarium_engine.titles.game_of_kingdoms.cards import COLOUR, HAND, RANK
from ludarium_engine.titles.game_of_kingdoms.rules import beats
from ludarium_engine.titles.game_of_kingdoms.state import KingdomsOptions
from tests.engine.game_of_kingdoms.language import Kingdom, card

SQUIRES = [str(n) for n in range(5, 11)]
RANKS = [*SQUIRES, "knight", "queen", "king", "hero"]


def wins(defence: str, attack: str) -> bool:
    return beats(Kingdom("red 5", "blue 5", trump="red").s, card(defence), card(attack))


# --- beating --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("colour", ["blue", "green", "yellow"])
@pytest.mark.parametrize("rank", RANKS)
def test_a_low_trump_beats_every_card_of_the_other_colours(rank: str, colour: str) -> None:
    assert wins("red 7", f"{colour} {rank}")


def test_among_trumps_the_rank_decides() -> None:
    assert [rank for rank in RANKS if wins("red 7", f"red {rank}")] == ["5", "6"]


def test_a_queen_beats_what_is_lower_in_her_colour_and_nothing_else() -> None:
    assert [rank for rank in RANKS if wins("blue queen", f"blue {rank}")] == [*SQUIRES, "knight"]
    assert not any(wins("blue queen", f"{colour} {rank}") for colour in ("red", "green", "yellow") for rank in RANKS)


# --- a round --------------------------------------------------------------------------------------------------------
def test_the_attacker_may_add_ranks_that_lie_on_the_table() -> None:
    k = Kingdom("blue 10, yellow 10, green king, green queen, green knight", "blue king, yellow knight, blue 6, green 6")
    k.do(0, "lead blue 10").do(1, "beat blue 10 with blue king")
    assert k.choices(0, "add") == {"yellow 10", "green king"}
    k.do(0, "add yellow 10").do(1, "beat yellow 10 with yellow knight")
    assert k.choices(0, "add") == {"green king", "green knight"}


def test_several_cards_of_one_rank_may_be_laid_at_once_but_not_of_two() -> None:
    k = Kingdom("blue 7, green 7, blue 8", "red 5, red 6, red 8")
    assert k.may(0, "lead blue 7, green 7") and k.may(0, "lead blue 8")
    assert not k.may(0, "lead blue 7, blue 8")


def test_an_attack_must_be_made_before_it_can_be_done() -> None:
    assert Kingdom("blue 7", "red 5").verbs(0) == {"lead"}


def test_attacker_and_defender_speak_in_turn() -> None:
    k = Kingdom("blue 7, green 7, blue 8", "yellow 7, red 6, red 8")
    k.do(0, "lead blue 7, green 7")
    assert k.asked == [1]
    k.do(1, "beat green 7 with red 6")
    assert k.asked == [1] and not k.may(0, "add blue 8")
    k.do(1, "beat blue 7 with red 8")
    assert k.asked == [0] and k.may(0, "add blue 8")


def test_all_beaten_goes_to_the_pile_and_the_defender_attacks() -> None:
    k = Kingdom("blue 7, blue 5", "blue 9, red 6", "green 5", turned="red 5")
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 9").do(0, "done")
    assert k.pile == {"blue 7", "blue 9"} and k.asked == [1] and (k.s.attacker, k.s.defender) == (1, 2)


def test_a_defender_who_takes_gets_everything_and_loses_the_attack() -> None:
    k = Kingdom("blue 7, green 9, blue 5", "blue 9, red 6", "green 5", turned="red 5")
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 9").do(0, "add green 9").do(1, "take")
    assert k.hand(1) == {"blue 7", "blue 9", "green 9", "red 6"} and not k.pile
    assert k.asked == [2] and (k.s.attacker, k.s.defender) == (2, 0)


def test_never_more_than_six_attacking_cards() -> None:
    k = Kingdom("blue 7, green 7, yellow 7, blue 8, green 8, yellow 8, red 7",
                "red 8, red 9, red 10, red queen, red king, red hero, red 5")  # fmt: skip
    k.do(0, "lead blue 7, green 7, yellow 7")
    for attack, defence in [("blue 7", "red 8"), ("green 7", "red 9"), ("yellow 7", "red 10")]:
        k.do(1, f"beat {attack} with {defence}")
    assert not k.may(0, "add blue 8, green 8, yellow 8, red 7")
    k.do(0, "add blue 8, green 8, yellow 8")
    for attack, defence in [("blue 8", "red queen"), ("green 8", "red king"), ("yellow 8", "red hero")]:
        k.do(1, f"beat {attack} with {defence}")
    assert k.asked == [1] and len(k.pile) == 12         # the round ends without a question: there is no room


def test_never_more_unbeaten_cards_than_the_defender_holds() -> None:
    k = Kingdom("blue 7, green 7, yellow 7", "blue 9, red 6")
    assert k.may(0, "lead blue 7, green 7") and not k.may(0, "lead blue 7, green 7, yellow 7")


def test_the_attacker_may_pile_on_a_taking_defender_within_the_limit() -> None:
    k = Kingdom("blue 7, green 7, yellow 7, blue 5", "blue 9, red 6", "green 5")
    k.do(0, "lead blue 7").do(1, "take")
    assert k.asked == [0] and k.choices(0, "add") == {"green 7", "yellow 7"} and not k.may(0, "add green 7, yellow 7")
    k.do(0, "add green 7")
    assert k.hand(1) == {"blue 9", "red 6", "blue 7", "green 7"} and k.asked == [2]


def test_without_piling_on_the_cards_are_taken_at_once() -> None:
    k = Kingdom("blue 7, green 7, blue 5", "blue 9, red 6", "green 5", pile_on_take=False)
    k.do(0, "lead blue 7").do(1, "take")
    assert k.hand(1) == {"blue 9", "red 6", "blue 7"} and k.asked == [2]


def test_the_attacker_is_not_asked_when_all_cards_of_the_ranks_have_been_seen() -> None:
    seen = "green 7, yellow 7, red 7, green 8, yellow 8, red 8"
    k = Kingdom("blue 7, blue 5", "blue 8, red 6", "green 5", pile=seen, turned="red 5")
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8")
    assert k.asked == [1] and not k.s.attack


def test_somebody_who_could_match_is_asked_even_without_a_matching_card() -> None:
    k = Kingdom("blue 7, blue 5", "blue 8, red 6", "green 5", turned="red 5")
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8")
    assert k.asked == [0] and k.verbs(0) == {"done"}


# --- refilling, leaving and the end -----------------------------------------------------------------------------------
def test_the_attacker_draws_first_the_defender_last_and_the_turned_up_card_at_the_end() -> None:
    k = Kingdom("blue 7, blue 5", "blue 9, red 6", "green 5, green 6, green 7, green 8, green 9",
                deck="yellow 8, yellow 7, yellow 6, yellow 5, yellow 9", turned="red 10")  # fmt: skip
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 9").do(0, "done")
    assert k.hand(0) == {"blue 5", "yellow 9", "yellow 5", "yellow 6", "yellow 7", "yellow 8"}
    assert k.hand(2) == {"green 5", "green 6", "green 7", "green 8", "green 9", "red 10"}
    assert k.hand(1) == {"red 6"}


def test_six_cards_or_more_draw_nothing() -> None:
    k = Kingdom("blue 7, green 7", "blue 5, blue 6, green 5, green 6, yellow 5, yellow 6", deck="red 8, red 9", turned="red 10")
    k.do(0, "lead blue 7").do(1, "take").do(0, "done")
    assert len(k.hand(1)) == 7 and len(k.hand(0)) == 4


def test_somebody_without_cards_draws_while_there_are_any() -> None:
    k = Kingdom("blue 7", "blue 9, red 6", "green 5", deck="yellow 5, yellow 6", turned="red 10")
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 9")
    assert k.hand(0) == {"yellow 5", "yellow 6", "red 10"} and k.s.place == [0, 0, 0]


def test_out_of_cards_with_nothing_to_draw_is_out_of_the_game() -> None:
    k = Kingdom("blue 7", "blue 9, red 6", "green 5, green 6")
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 9")
    assert k.s.place == [1, 0, 0] and k.asked == [1] and k.s.defender == 2


def test_a_successful_defender_who_is_out_hands_the_attack_to_the_left() -> None:
    k = Kingdom("blue 7, blue 5", "blue 9", "green 5, green 6", "yellow 5, yellow 6")
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 9")
    assert k.s.place == [0, 1, 0, 0] and (k.s.attacker, k.s.defender) == (2, 3)


def test_the_last_one_with_cards_loses() -> None:
    k = Kingdom("blue 7", "blue 5, green 5", trump="red")
    k.do(0, "lead blue 7").do(1, "take")
    assert k.s.outcome == [1, 2] and k.asked == []


def test_if_the_last_two_run_out_in_one_round_nobody_loses() -> None:
    assert Kingdom("blue 7", "blue 9").do(0, "lead blue 7").do(1, "beat blue 7 with blue 9").s.outcome == [1, 1]


def test_those_who_leave_in_one_round_share_a_place() -> None:
    k = Kingdom("blue 7", "blue 9", "green 5, yellow 9", "green 6, yellow 10")
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 9")
    assert k.s.place == [1, 1, 0, 0]
    k.do(2, "lead green 5").do(3, "beat green 5 with green 6").do(2, "done")
    k.do(3, "lead yellow 10").do(2, "take")
    assert k.s.outcome == [1, 1, 4, 3]


# --- setup ------------------------------------------------------------------------------------------------------------
def chance_of(seed: int) -> Chance:
    return Chance(seed.to_bytes(32, "big"))


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_deal(seats: int) -> None:
    s, event = new_game(TITLE, KingdomsOptions(dealer=1), seats, chance_of(seats))
    deals = [fact for fact in event.facts if isinstance(fact, Moved)]
    left_of_the_dealer_first = [(2 + i) % seats for i in range(HAND * seats)]
    assert [len(hand) for hand in s.hand] == [HAND] * seats and len(s.deck) == 40 - HAND * seats - 1
    assert [entry_index(fact.dst) for fact in deals[:-1]] == left_of_the_dealer_first
    assert all(len(fact.cards) == 1 for fact in deals)
    assert s.trump == COLOUR[s.turned[0]] and s.dealer == 1


def test_the_lowest_trump_is_shown_and_attacks_first() -> None:
    s, event = new_game(TITLE, KingdomsOptions(), 4, chance_of(1))
    (shown,) = [fact for fact in event.facts if isinstance(fact, Revealed)]
    trumps = [c for hand in s.hand for c in hand if COLOUR[c] == s.trump]
    assert shown.cards == (min(trumps, key=lambda c: RANK[c]),) and shown.to == EVERYBODY
    assert shown.cards[0] in s.hand[s.attacker] and s.defender == (s.attacker + 1) % 4 and s.turn == s.attacker


def test_if_nobody_holds_a_trump_chance_names_the_attacker() -> None:
    games = [new_game(TITLE, KingdomsOptions(dealer=0), 2, chance_of(seed)) for seed in range(300)]
    without = [(s, event) for s, event in games if all(COLOUR[c] != s.trump for hand in s.hand for c in hand)]
    rolled = [[fact.value for fact in event.facts if isinstance(fact, Rolled)] for _, event in without]
    assert rolled == [[s.attacker] for s, _ in without]
    assert not any(isinstance(fact, Revealed) for _, event in without for fact in event.facts)
    assert {s.attacker for s, _ in without} == {0, 1}


def test_chance_names_the_first_dealer() -> None:
    dealers = {new_game(TITLE, KingdomsOptions(), 3, chance_of(seed))[0].dealer for seed in range(40)}
    assert dealers == {0, 1, 2}


def test_the_loser_deals_the_rematch_and_after_a_draw_the_next_seat() -> None:
    lost = Kingdom("blue 7", "blue 5, green 5").do(0, "lead blue 7").do(1, "take").s
    assert TITLE.rematch(lost) == KingdomsOptions(dealer=1)
    drawn = Kingdom("blue 7", "blue 9").do(0, "lead blue 7").do(1, "beat blue 7 with blue 9").s
    drawn.dealer = 1
    assert TITLE.rematch(drawn) == KingdomsOptions(dealer=0)


def test_a_dealer_has_a_seat_at_the_table() -> None:
    with pytest.raises(Illegal, match="dealer"):
        TITLE.check_options(KingdomsOptions(dealer=3), 3)
