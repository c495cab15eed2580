"""Teams share a place, although places are given by seat."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ludarium_engine.kernel import Action, Frame, RulesError, State, Title, act_in_place, decide, legal_offers, new_game
from ludarium_engine.kernel.fact_checks import divided_teams
from ludarium_engine.kernel.scripts import Ask, Script, turn_order_from
from ludarium_engine.kernel.table import standings, team_standings
from ludarium_engine.testkit.fuzz import Case, Failure, play
from tests.engine.kernel.tiny import CHANCE, T, at, offering, tiny

SEEDS = range(4)
Ending = Callable[[T], Sequence[int]]


def teams(options: Any, seats: int) -> list[int]:
    return [seat % 2 for seat in range(seats)]


def by_team(s: Any) -> list[int]:
    coins = {team: sum(s.coins[team::2]) for team in range(2)}
    return team_standings(teams(s.options, s.seats), coins)


def by_seat(s: Any) -> list[int]:
    return standings(s.coins)


def partnership(end: Callable[[Any], list[int]] = by_team, **words: Any) -> Title[Any, Any]:
    """Return a title in which each seat takes a coin or passes in turn.

    The team with the most coins wins.
    """
    def take(t: T, f: Frame, seat: int, action: Action) -> None:
        t.add(at.coins[seat], int(action.verb == "go"))

    def next_turn(t: T, f: Frame) -> None:
        following = turn_order_from(t.s, f.seat + 1)[0]
        if following == 0:
            return t.end(end(t.s))
        t.pass_turn(following)
        t.ask(turn, following)

    def setup(t: T) -> None:
        t.ask(turn, 0)

    turn = Script("turn", Ask("take", offering("go", "pass"), take), next_turn)
    about = {"setup": setup, "seats": range(4, 5), "teams": teams, "standing": by_team, **words}
    return tiny(turn, **about)


def test_who_ties_shares_a_place() -> None:
    assert standings([(3, 1), (5, 0), (3, 1), (3, 2)]) == [3, 1, 3, 2]


def test_members_share_the_place_of_their_team() -> None:
    assert team_standings([0, 1, 0, 1], {0: 3, 1: 7}) == [3, 1, 3, 1]
    assert team_standings([0, 1, 0, 1], {0: 7, 1: 7}) == [1, 1, 1, 1]
    assert team_standings([2, 0, 1, 2, 0, 1], {0: 1, 1: 2, 2: 3}) == [1, 5, 3, 1, 5, 3]


def test_a_team_is_divided_if_its_members_have_different_places() -> None:
    assert divided_teams([0, 1, 0, 1], [1, 3, 1, 3]) == [] and divided_teams([0, 1, 0, 1], [1, 3, 2, 3]) == [0]


def test_a_game_of_teams_ends_with_shared_places() -> None:
    title = partnership()
    s, _ = new_game(title, title.options(), 4, CHANCE)
    for seat, verb in enumerate(["go", "pass", "go", "go"]):
        assert legal_offers(title, s, seat)
        s, _ = decide(title, s, seat, Action(verb), CHANCE)
    assert s.outcome == [1, 3, 1, 3]
    for seed in SEEDS:
        assert play(Case(title, {}, 4), seed).outcome


def test_an_outcome_that_divides_a_team_is_refused() -> None:
    title = partnership(by_seat)
    s: State = new_game(title, title.options(), 4, CHANCE)[0]
    for seat in range(3):
        act_in_place(title, s, seat, Action("go" if seat else "pass"), CHANCE)
    with pytest.raises(RulesError, match="the members of team 0 share one place"):
        decide(title, s, 3, Action("go"), CHANCE)


@pytest.mark.parametrize(("words", "what"), [
    ({"standing": by_seat}, "members of a team would have different places"),
    ({"teams": lambda options, seats: [0] * seats}, "are no teams for 4 seats"),
    ({"teams": lambda options, seats: [0, 1]}, "are no teams for 4 seats"),
], ids=["standing", "one team", "too few"])  # fmt: skip
def test_fuzz_finds_teams_that_are_none(words: dict[str, Any], what: str) -> None:
    with pytest.raises(Failure, match=what):
        for seed in SEEDS:
            play(Case(partnership(**words), {}, 4), seed)
