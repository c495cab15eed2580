"""The non-interference proof still varies hidden cards after many admissions."""
from __future__ import annotations

from random import Random

from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.testkit.fuzz import Case
from ludarium_engine.testkit.memory import all_cards
from ludarium_engine.testkit.noninterference import dealt, redealt
from ludarium_engine.testkit.steps import Step, steps_of
from ludarium_engine.titles.lights_in_the_fog import TITLE

GAMES, LAST = 5, 20


def carries_otherwise(step: Step, rng: Random) -> bool:
    """Check whether a ship has other lamps in a world that spectators think possible."""
    unknown = set(all_cards(TITLE, step.before)) - step.known[SPECTATOR]
    swap = dealt(TITLE, unknown, step.heard[SPECTATOR], rng, 0)
    hands = redealt(TITLE, step.before, swap or {}).hand  # type: ignore[attr-defined]
    return any({*hand} != {*other} for hand, other in zip(step.before.hand, hands, strict=True))  # type: ignore[attr-defined]


def test_late_in_a_game_most_other_worlds_still_have_other_hands() -> None:
    rng = Random(1)
    late = [step for seed in range(GAMES) for step in [*steps_of(Case(TITLE, {}, 3), seed, 300)][-LAST:]]
    assert sum(carries_otherwise(step, rng) for step in late) > len(late) / 2
