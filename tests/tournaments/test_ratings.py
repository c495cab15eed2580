"""Ratings depend only on results, in any order and after any voided game."""
from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from ludarium_pairing.ratings import RatedGame, Rating, ratings
from tests.tournaments.test_pairing import quick

PLAYERS = tuple(f"p{at}" for at in range(10))


def games(seed: int, count: int = 40) -> list[RatedGame]:
    luck = Random(seed)
    found = []
    for position in range(count):
        players = tuple(luck.sample(PLAYERS, luck.choice([2, 3, 4, 6])))
        shown = [luck.gauss(-int(player[1:]), 2) for player in players]
        places = tuple(1 + sum(other > own for other in shown) for own in shown)
        found.append(RatedGame(position, luck.choice(["kemet", "valeria"]), players, places))
    return found


@quick
@given(st.integers(0, 1 << 32), st.integers(0, 39))
def test_a_voided_game_is_as_if_it_had_never_been(seed: int, voided: int) -> None:
    played = games(seed)
    without = [game for game in played if game.position != voided]
    voiding = [structs.replace(game, voided=game.position == voided) for game in played]
    assert ratings(voiding) == ratings(without)
    assert ratings(Random(seed).sample(played, len(played))) == ratings(played)


def test_rulesets_and_games_of_two_are_rated_apart() -> None:
    pools = ratings(games(1))
    assert set(pools) == {(ruleset, size) for ruleset in ("kemet", "valeria") for size in ("two", "many")}


def test_the_stronger_come_to_be_rated_higher_and_lose_the_provisional_mark() -> None:
    luck = Random(3)
    played = [RatedGame(at, "kemet", tuple(found), tuple(1 + sum(other > own for other in found) for own in found))
              for at in range(200) for found in [luck.sample(PLAYERS, 4)]]
    pool = ratings(played)["kemet", "many"]
    by_rating = sorted(pool, key=lambda player: -pool[player].mean)
    assert by_rating[0] == "p9" and by_rating[-1] == "p0"
    assert Rating().provisional and not any(rating.provisional for rating in pool.values())
    assert pool["p9"].display > Rating().display == 0


def test_the_history_says_after_which_game() -> None:
    pool = ratings([RatedGame(7, "kemet", ("a", "b"), (1, 2)), RatedGame(3, "kemet", ("a", "c"), (1, 1))])["kemet", "two"]
    assert [step.position for step in pool["a"].history] == [3, 7]
    assert pool["a"].history[-1].mean == pool["a"].mean > pool["c"].mean
