"""Games without progress are drawn, by repetition or by rounds without discards."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import Action, act_in_place, legal_offers, new_game, seats_to_act
from ludarium_engine.kernel.facts import Said
from ludarium_engine.testkit.fuzz import chance_of
from ludarium_engine.titles.game_of_kingdoms import TITLE
from ludarium_engine.titles.game_of_kingdoms.repetition import MOST_ROUNDS, position, progress
from ludarium_engine.titles.game_of_kingdoms.state import Kingdoms
from tests.engine.game_of_kingdoms.language import Kingdom, cards


def circle(*hands: str) -> Kingdom:
    """Return a game at the start of a round with these publicly known hands."""
    k = Kingdom(*hands)
    k.s.known = [[*hand] for hand in k.s.hand]
    k.s.positions = [progress(k.s), position(k.s, k.s.attacker)]
    return k


def lead_and_take(k: Kingdom) -> list[str]:
    """Play one round, and return the sentences of its last event."""
    seat = k.asked[0]
    lowest = k.names([min(k.s.hand[seat])])[0]
    k.do(seat, f"lead {lowest}").do(k.s.defender, "take")
    while k.s.outcome is None and k.s.taking:
        k.do(k.asked[0], "done")
    return [fact.what for fact in k.event.facts if isinstance(fact, Said)]


def until_the_end(k: Kingdom, most: int) -> tuple[int, list[str]]:
    for rounds in range(1, most + 1):
        said = lead_and_take(k)
        if k.s.outcome is not None:
            return rounds, said
    raise AssertionError(f"no end after {most} rounds")


@pytest.mark.parametrize("seed", [5, 6])
def test_three_players_who_always_take_reach_a_draw(seed: int) -> None:
    chance = chance_of(seed)
    s: Kingdoms
    s, event = new_game(TITLE, TITLE.options(), 3, chance)
    for _ in range(3000):
        if s.outcome is not None:
            break
        seat = seats_to_act(s)[0]
        offers = legal_offers(TITLE, s, seat)
        refusal = next((offer for offer in offers if offer.verb in ("take", "done")), None)
        lead = min(offers, key=lambda offer: offer.pool)
        action = Action(refusal.verb) if refusal else Action("lead", (*lead.args, min(lead.pool)))
        event = act_in_place(TITLE, s, seat, action, chance)
    assert s.outcome == [1, 1, 1]
    assert "repeats" in [fact.what for fact in event.facts if isinstance(fact, Said)]


def test_the_third_occurrence_of_a_position_is_a_draw_among_those_still_in() -> None:
    k = circle("blue 5, blue 6", "green 5, green 6", "yellow 5, yellow 6", "")
    k.s.place[3] = 1
    seen = [position(k.s, k.s.attacker)]
    while k.s.outcome is None:
        assert len(seen) < 100
        said = lead_and_take(k)
        seen.append(k.s.positions[-1])
    assert seen.count(seen[-1]) == 3 and all(seen.count(each) < 3 for each in seen[:-1] if each != seen[-1])
    assert k.s.outcome == [2, 2, 2, 1] and "repeats" in said


def test_a_discard_starts_the_count_anew() -> None:
    k = circle("blue 5, blue 6", "green 5, green 6", "yellow 5, yellow 6, green 7")
    before = k.s.positions[0]
    lead_and_take(k)
    assert len(k.s.positions) == 3
    lead_and_take(k)
    k.do(1, "lead green 6").do(2, "beat green 6 with green 7")
    while "done" in k.verbs(k.asked[0]):
        k.do(k.asked[0], "done")
    assert k.s.positions[0] == before + 2 and len(k.s.positions) == 2


def test_sixty_rounds_without_a_draw_or_a_discard_end_the_game() -> None:
    k = circle("blue 5, blue 6", "green 5, green 6", "yellow 5, yellow 6")
    k.s.positions = [progress(k.s), *range(MOST_ROUNDS), position(k.s, 0)]
    assert "stalls" in lead_and_take(k)
    assert k.s.outcome == [1, 1, 1]


def test_the_position_is_what_everybody_knows() -> None:
    k, other = Kingdom("blue 5", "green 5", "yellow 5"), Kingdom("blue 6", "green 6", "yellow 6")
    assert position(k.s, 0) == position(other.s, 0) != position(k.s, 1)
    other.s.known[0] = [*cards("blue 6")]
    assert position(k.s, 0) != position(other.s, 0)
