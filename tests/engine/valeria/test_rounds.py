"""The round limit ends games that players do not finish."""
from __future__ import annotations

from typing import Any

import pytest

from ludarium_engine.kernel import Action, act_in_place, checked_options, legal_offers, new_game, seats_to_act
from ludarium_engine.kernel.facts import Said, TurnPassed
from ludarium_engine.testkit.fuzz import chance_of
from ludarium_engine.titles.valeria import TITLE
from ludarium_engine.titles.valeria.state import Valeria

MOST = 20_000


def only_gains(seats: int, turns: int = MOST, **options: Any) -> tuple[Valeria, list[Said]]:
    """Play a game in which all players only take resources.

    Args:
        turns: The maximum number of turns to play.
    """
    chance, said = chance_of(5), []
    s: Valeria
    s, event = new_game(TITLE, checked_options(TITLE, options, seats), seats, chance)
    for _ in range(MOST):
        said += [fact for fact in event.facts if isinstance(fact, Said)]
        turns -= sum(isinstance(fact, TurnPassed) for fact in event.facts)
        if s.outcome is not None or turns < 0:
            return s, said
        seat = seats_to_act(s)[0]
        offers = legal_offers(TITLE, s, seat)
        offer = next((offer for offer in offers if offer.verb == "gain"), offers[0])
        event = act_in_place(TITLE, s, seat, Action(offer.verb, offer.args), chance)
    raise AssertionError("no end")


@pytest.mark.parametrize("seats", [2, 5])
def test_players_who_only_gain_resources_end_after_forty_rounds(seats: int) -> None:
    s, said = only_gains(seats)
    assert s.rounds == 40 and s.outcome is not None and s.turn == (s.first - 1) % seats
    assert [fact.args for fact in said if fact.what in ("round", "last_round")] == [(n,) for n in range(1, 41)]
    assert [fact.args for fact in said if fact.what == "rounds_over"] == [(40,)]


def test_a_table_chooses_how_many_rounds() -> None:
    s, said = only_gains(3, max_rounds=2)
    assert s.rounds == 2 and s.outcome is not None and Said("last_round", (2,)) in said
    assert TITLE.cut_short(s)


def test_without_a_limit_the_game_goes_on() -> None:
    s, said = only_gains(2, turns=120, max_rounds=0)
    assert s.rounds == 0 and s.outcome is None and not TITLE.cut_short(s)
    assert "round" not in {fact.what for fact in said}


def test_alone_the_limit_compares_points() -> None:
    s, said = only_gains(1, max_rounds=1)
    assert s.outcome in ([1], [2]) and {"rounds_over", "dark_lord"} <= {fact.what for fact in said}
