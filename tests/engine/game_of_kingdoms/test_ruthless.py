"""The ruthless version, with throwing in, passing on, and surplus cards returned."""
from __future__ import annotations

import msgspec

from ludarium_engine.kernel import SPECTATOR, legal_offers, redact_event, view
from ludarium_engine.kernel.contract import set_preference
from ludarium_engine.kernel.facts import Told
from ludarium_engine.kernel.slots import UNKNOWN
from ludarium_engine.titles.game_of_kingdoms import TITLE
from tests.engine.game_of_kingdoms.language import Kingdom, card, cards


def beaten_once() -> Kingdom:
    """Return a game in which seat 0 is done after its only attack was beaten.

    Seat 0 attacked with the blue 7, and seat 1 beat the attack with the blue 8.
    """
    k = Kingdom("blue 7, blue 5", "blue 8, red hero", "green 7, green 5", "yellow 7, yellow 5", ruthless=True)
    return k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "done")


# --- waves ----------------------------------------------------------------------------------------------------------
def test_nobody_throws_in_before_the_first_attack_is_beaten() -> None:
    k = Kingdom("blue 7, blue 5", "blue 8, red hero", "green 7, green 5", "yellow 7, yellow 5", ruthless=True)
    assert k.do(0, "lead blue 7").asked == [1]
    assert k.do(1, "beat blue 7 with blue 8").asked == [0]


def test_all_others_answer_a_wave_under_seal() -> None:
    k = beaten_once()
    assert k.asked == [2, 3]
    k.do(3, "throw yellow 7")
    assert k.asked == [2] and k.attack == ["blue 7"] and k.may(3, "throw nothing")     # may still be replaced
    for audience in (0, 1, 2, SPECTATOR):
        assert view(TITLE, k.s, audience).agenda[-1].sealed == ()
        assert redact_event(TITLE.layout, k.events[-1], audience).facts == []
    k.do(2, "throw green 7")
    assert k.attack == ["blue 7", "green 7", "yellow 7"]


def test_an_answer_may_be_replaced_until_the_last_one_comes() -> None:
    k = beaten_once().do(3, "throw yellow 7").do(3, "throw nothing").do(2, "throw green 7")
    assert k.attack == ["blue 7", "green 7"] and "yellow 7" in k.hand(3)


def test_each_is_bound_by_the_defenders_hand_alone_so_together_they_can_be_too_many() -> None:
    k = beaten_once()
    assert len(k.hand(1)) == 1 and k.may(2, "throw green 7") and k.may(3, "throw yellow 7")


def test_the_moment_the_defenders_hand_is_empty_unbeaten_cards_go_back() -> None:
    k = beaten_once().do(3, "throw yellow 7").do(2, "throw green 7").do(1, "beat yellow 7 with red hero")
    assert k.hand(2) == {"green 7", "green 5"} and k.hand(3) == {"yellow 5"}
    assert k.pile == {"blue 7", "blue 8", "yellow 7", "red hero"}
    assert k.s.place == [0, 1, 0, 0] and k.s.attacker == 2 and not k.s.taking


def test_cards_go_back_to_those_who_laid_them_when_beaten_and_unbeaten_lie_mixed() -> None:
    k = Kingdom("blue 7, blue 5, green 9", "blue 8, red hero, red king",
                "green 7, green 8, yellow 10", "yellow 7, yellow 8, green 10", ruthless=True)  # fmt: skip
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "done")
    k.do(2, "throw green 7, green 8").do(3, "throw yellow 7, yellow 8")
    assert k.attack == ["blue 7", "green 7", "green 8", "yellow 7", "yellow 8"]
    k.do(1, "beat green 8 with red hero").do(1, "beat yellow 7 with red king")
    assert k.hand(2) == {"green 7", "yellow 10"} and k.hand(3) == {"yellow 8", "green 10"}
    assert k.pile == {"blue 7", "blue 8", "green 8", "red hero", "yellow 7", "red king"}
    assert k.s.layer == [] and k.s.attack == [] and not any(k.s.defence)


def test_waves_follow_until_nobody_throws_then_the_attacker_has_the_last_word() -> None:
    k = Kingdom("blue 7, blue 9", "blue 8, red hero, red king, red queen", "green 7, green 8", "yellow 5", ruthless=True)
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "done")
    k.do(2, "throw green 7").do(3, "throw nothing").do(1, "beat green 7 with red hero")
    assert k.asked == [2, 3]
    k.do(2, "throw nothing").do(3, "throw nothing")
    assert k.asked == [0] and k.verbs(0) == {"done"}
    assert k.do(0, "done").asked == [1]                             # the round is over without another wave


def test_who_is_done_is_not_asked_again_before_something_has_come() -> None:
    k = Kingdom("blue 7, yellow 8, blue 9", "blue 8, red hero, red king, red queen", "green 8, green 9", ruthless=True)
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "done").do(2, "throw nothing")
    assert not k.s.attack and k.asked == [1]                        # the round is over


def test_after_the_last_word_new_cards_bring_new_waves() -> None:
    hands = "blue 7, yellow 8, blue 9", "blue 8, red hero, red king, red queen, red 5", "green 8, green 9", "green 7, green 6"
    k = Kingdom(*hands, ruthless=True)
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "done").do(3, "throw green 7").do(2, "throw nothing")
    k.do(1, "beat green 7 with red hero").do(2, "throw nothing").do(3, "throw nothing")
    assert k.asked == [0]
    k.do(0, "add yellow 8").do(1, "beat yellow 8 with red king")
    assert k.asked == [0] and k.do(0, "done").asked == [2, 3]


def test_a_game_that_stood_at_a_wave_of_earlier_rules_leaves_the_attacker_the_last_word() -> None:
    """Earlier rules did not store this choice, so it is unknown."""
    k = beaten_once()
    k.s.agenda[-1] = msgspec.structs.replace(k.s.agenda[-1], picks=(UNKNOWN,))
    k.do(2, "throw nothing").do(3, "throw nothing")
    assert k.asked == [0] and k.attack == ["blue 7"]


def test_an_attacker_without_cards_is_done_and_the_others_go_on() -> None:
    k = Kingdom("blue 7", "blue 8, red hero", "green 7, green 5", ruthless=True)
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8")
    assert k.asked == [2]


def test_a_surplus_over_six_stays_in_hand_unseen() -> None:
    k = Kingdom("blue 5, green 9", "blue 6, red 8, red 9, red 10, red knight, red queen, red king, red hero",
                "green 5, yellow 5, red 5", "green 6, yellow 6, red 6", ruthless=True)  # fmt: skip
    k.do(0, "lead blue 5").do(1, "beat blue 5 with blue 6").do(0, "done")
    k.do(3, "throw green 6, yellow 6, red 6").do(2, "throw green 5, yellow 5, red 5")
    assert k.attack == ["blue 5", "green 5", "yellow 5", "red 5", "green 6", "yellow 6"]
    assert k.hand(3) == {"red 6"}
    told = [fact for fact in redact_event(TITLE.layout, k.events[-1], SPECTATOR).facts if isinstance(fact, Told)]
    assert [(fact.what, fact.args) for fact in told] == [("surplus", (3, 1))]


def test_a_wave_begins_at_the_attackers_left_whoever_answered_first() -> None:
    hands = "green 7, green 5", "yellow 7, yellow 5", "blue 7, blue 5", "blue 8, red hero, red king"
    k = Kingdom(*hands, ruthless=True, attacker=2)
    k.do(2, "lead blue 7").do(3, "beat blue 7 with blue 8").do(2, "done")
    k.do(1, "throw yellow 7").do(0, "throw green 7")
    assert k.attack == ["blue 7", "green 7", "yellow 7"] and k.s.layer == [2, 0, 1]


def test_a_window_opens_by_public_memory_alone() -> None:
    k = Kingdom("blue 7, blue 5", "blue 8, red hero", "green king", "yellow king", ruthless=True,
                pile="red 7, yellow 7, red 8, green 8, yellow 8")  # fmt: skip
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "done")
    assert k.asked == [2, 3] and not k.choices(2, "throw")          # the location of the green 7 is unknown
    k.do(2, "throw nothing").do(3, "throw nothing")
    k = Kingdom("blue 7, blue 5", "blue 8, red hero", "green king", "yellow king", ruthless=True,
                pile="red 7, yellow 7, green 7, red 8, green 8, yellow 8")  # fmt: skip
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8")
    assert not k.s.attack and k.s.attacker == 1                     # all have been seen: no seat is asked


def test_a_window_opens_for_a_card_that_was_taken_and_for_no_other() -> None:
    """All sevens but the green one are public, so only seat 2 can have it."""
    k = Kingdom("blue 7, blue 5", "blue 8, red hero", "green 7, green king", "green 6, yellow king", ruthless=True,
                pile="red 7, yellow 7, red 8, green 8, yellow 8")  # fmt: skip
    k.s.known[2] = [card("green 7")]
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8")
    assert k.asked == [2]                       # neither the attacker nor seat 3: seat 2 has the last seven


def test_who_holds_nothing_but_known_cards_is_not_asked_for_others() -> None:
    k = Kingdom("blue 7, blue 5", "blue 8, red hero", "green king, green 6", "yellow 7, yellow king", ruthless=True)
    k.s.known[2] = [*cards("green king, green 6")]
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "done")
    assert k.asked == [3]


def test_what_goes_into_a_hand_before_all_eyes_is_remembered_until_it_comes_out() -> None:
    k = Kingdom("blue 7, blue 5", "blue 6, red hero", "green 7, green 5", "yellow 7, yellow 5", turned="red 5", ruthless=True)
    k.do(0, "lead blue 7").do(1, "take").do(0, "done")
    assert k.names(k.s.known[1]) == ["blue 7"] and k.names(k.s.known[0]) == ["red 5"]
    k.do(2, "lead green 7")
    assert not k.s.known[2] and k.names(k.s.known[1]) == ["blue 7"]


def test_who_always_passes_has_answered_as_the_window_opens() -> None:
    k = Kingdom("blue 7, blue 5", "blue 8, red hero", "green 7, green 5", "yellow 7, yellow 5", ruthless=True)
    k.s, event = set_preference(TITLE, k.s, 3, "wave", True)
    assert redact_event(TITLE.layout, event, 2).facts == [] and view(TITLE, k.s, 2).always_passes == []
    assert view(TITLE, k.s, 3).always_passes == [(3, "wave")]
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "done")
    assert k.asked == [2]
    k.do(2, "throw green 7")
    assert k.attack == ["blue 7", "green 7"]


def test_if_all_always_pass_the_window_closes_as_it_opens() -> None:
    k = Kingdom("blue 7, blue 5", "blue 8, red hero", "green 7, green 5", ruthless=True)
    k.s, _ = set_preference(TITLE, k.s, 2, "wave", True)
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "done")
    assert k.asked == [1] and not k.s.attack                        # the round is over


# --- a taking defender ------------------------------------------------------------------------------------------------
def test_before_the_first_attack_is_beaten_only_the_attacker_piles_on() -> None:
    k = Kingdom("blue 7, red 7, red 5", "blue 8, green 6, yellow 6", "green 7, green 8", "yellow 7, yellow 9", ruthless=True)
    k.do(0, "lead blue 7").do(1, "take")
    assert k.asked == [0]
    k.do(0, "add red 7")
    assert k.asked == [2] and len(k.hand(1)) == 5


def test_afterwards_the_others_pile_on_in_one_last_wave() -> None:
    k = Kingdom("blue 7, red 7, red 5", "blue 8, green 6, yellow 6", "green 7, green 8", "yellow 7, yellow 9", ruthless=True)
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "add red 7").do(1, "take")
    assert k.asked == [0]
    k.do(0, "done")
    assert k.asked == [2, 3]
    k.do(2, "throw green 7").do(3, "throw nothing")
    assert k.asked == [2] and len(k.hand(1)) == 6 and k.s.attacker == 2


def test_without_piling_on_there_is_no_last_wave() -> None:
    k = Kingdom("blue 7, red 7, red 5", "blue 8, green 6, yellow 6", "green 7, green 8", ruthless=True, pile_on_take=False)
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "add red 7").do(1, "take")
    assert k.asked == [2] and len(k.hand(1)) == 5


# --- passing on -------------------------------------------------------------------------------------------------------
def test_an_attack_is_passed_on_with_a_card_of_its_rank() -> None:
    k = Kingdom("blue knight, blue 5", "green knight, red 5, blue 6", "blue queen, yellow 6, yellow 9", ruthless=True)
    k.do(0, "lead blue knight")
    assert k.choices(1, "pass_on") == {"green knight"}
    k.do(1, "pass on green knight")
    assert (k.s.attacker, k.s.defender) == (1, 2) and k.asked == [2] and k.attack == ["blue knight", "green knight"]


def test_the_next_may_pass_it_on_again() -> None:
    k = Kingdom("blue 7, blue 5, blue 6, blue 9", "green 7, red 5, blue 8", "yellow 7, yellow 6, yellow 9", ruthless=True)
    k.do(0, "lead blue 7").do(1, "pass on green 7").do(2, "pass on yellow 7")
    assert (k.s.attacker, k.s.defender) == (2, 0) and len(k.attack) == 3


def test_only_to_somebody_with_enough_cards() -> None:
    k = Kingdom("blue knight, blue 5", "green knight, red 5, blue 6", "blue queen", ruthless=True)
    assert not k.do(0, "lead blue knight").may(1, "pass on green knight")


def test_only_before_a_card_is_beaten_and_with_one_rank_on_the_table() -> None:
    k = Kingdom("blue 7, green 7, blue 5", "yellow 7, red 5, red 6", "blue queen, yellow 6, yellow 9", ruthless=True)
    k.do(0, "lead blue 7, green 7")
    assert k.may(1, "pass on yellow 7")
    assert not k.do(1, "beat blue 7 with red 5").may(1, "pass on yellow 7")


def test_among_two_it_goes_back_to_the_first() -> None:
    k = Kingdom("blue 7, blue 5, blue 6", "green 7, red 5", ruthless=True)
    k.do(0, "lead blue 7").do(1, "pass on green 7")
    assert (k.s.attacker, k.s.defender) == (1, 0) and k.asked == [0]


def test_never_to_somebody_who_is_out() -> None:
    k = Kingdom("blue 7, blue 5, blue 6", "green 7, red 5", "", ruthless=True)
    k.s.place[2] = 1
    k.do(0, "lead blue 7").do(1, "pass on green 7")
    assert k.s.defender == 0


def test_the_standard_version_knows_no_passing_on() -> None:
    k = Kingdom("blue 7, blue 5, blue 6", "green 7, red 5", "blue queen, yellow 6, yellow 9")
    assert "pass_on" not in k.do(0, "lead blue 7").verbs(1)


# --- views ------------------------------------------------------------------------------------------------------------
def test_the_pile_is_face_down_and_hands_are_their_owners() -> None:
    k = Kingdom("blue 7, blue 5", "blue 9, red 6", turned="red 5")
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 9").do(0, "done")
    seen = view(TITLE, k.s, 0)
    assert seen.pile == [-1, -1] and {*k.names(seen.hand[0])} == k.hand(0) and set(seen.hand[1]) == {-1}
    assert not legal_offers(TITLE, k.s, 0)
