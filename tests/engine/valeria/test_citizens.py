"""The powers of the citizens in both turns, and the harvest as a whole."""
from __future__ import annotations

from random import Random

import pytest

from ludarium_engine.bots import bots
from ludarium_engine.kernel import Event, decide, new_game, seats_to_act
from ludarium_engine.kernel.describe import action_of, describe_choice, describe_view
from ludarium_engine.testkit.fuzz import chance_of
from ludarium_engine.titles.valeria import TITLE
from ludarium_engine.titles.valeria.cards import CITIZEN_KINDS, STARTER_KINDS
from ludarium_engine.titles.valeria.state import Valeria, ValeriaOptions
from tests.engine.valeria.language import Realm

Purse = tuple[int, int, int]
NOTHING: Purse = (0, 0, 0)
RICH = {"gold": 5, "strength": 5, "magic": 5}
# kind: dice, other cards, and gains or choices in one's own turn and in others' turns
POWERS: dict[str, tuple[tuple[int, int], str, Purse | set[Purse], Purse | set[Purse]]] = {
    "cleric": ((1, 3), "", (0, 0, 3), (0, 0, 1)),
    "monk": ((1, 3), "", (1, 0, 2), {NOTHING, (-1, 0, 2)}),
    "merchant": ((2, 1), "", {(2, 0, 0), (0, 0, 2)}, (1, 0, 0)),
    "blacksmith": ((2, 1), "2 archer", (2, 0, 0), (1, 0, 0)),
    "mercenary": ((3, 1), "", (1, 1, 0), {NOTHING, (2, -1, 0)}),
    "alchemist": ((3, 1), "", {NOTHING, (-1, 0, 3)}, {NOTHING, (2, 0, -1)}),
    "archer": ((4, 3), "", (0, 2, 0), (0, 1, 0)),
    "wizard": ((4, 3), "", (0, 1, 1), (0, 0, 1)),
    "peasant": ((5, 4), "", (1, 0, 0), (1, 0, 0)),
    "knight": ((6, 1), "", (0, 1, 0), (0, 1, 0)),
    "rogue": ((4, 3), "", (2, 2, 0), (1, 1, 0)),
    "thief": ((4, 3), "", NOTHING, {(2, 0, 0), (0, 0, 2)}),
    "champion": ((4, 4), "", (0, 4, 0), {NOTHING, (-1, 4, 0)}),
    "warlord": ((2, 6), "2 archer knight", (0, 4, 0), (0, 2, 0)),
    "paladin": ((3, 6), "", (0, 1, 2), {NOTHING, (0, -1, 3)}),
    "priestess": ((4, 6), "", (0, 2, 1), {NOTHING, (0, 3, -1)}),
    "butcher": ((5, 6), "merchant", (4, 0, 0), (4, 0, 0)),
    "miner": ((6, 6), "halfpenny_hill", (2, 0, 0), (4, 0, 0)),
}


def brought(seat: int, kind: str) -> tuple[Purse, set[Purse]]:
    """Return the immediate gain from the card, and the gains to choose from."""
    dice, others, *_ = POWERS[kind]
    with_it = Realm().has(0).has(1).has(seat, f"{others} {kind}", **RICH).rolled(*dice)
    without = Realm().has(0).has(1).has(seat, others, **RICH).rolled(*dice)
    more = tuple(a - b for a, b in zip(with_it.purse(seat), without.purse(seat), strict=True))
    return (more[0], more[1], more[2]), {(a, b, c) for a, b, c in with_it.args(seat, "harvest")}


@pytest.mark.parametrize("seat", [0, 1], ids=["on turn", "off turn"])
@pytest.mark.parametrize("kind", POWERS)
def test_what_a_citizen_brings(kind: str, seat: int) -> None:
    expected = POWERS[kind][2 + seat]
    at_once, chosen = brought(seat, kind)
    assert (at_once, chosen) == ((NOTHING, expected) if isinstance(expected, set) else (expected, set()))


def test_every_citizen_is_in_the_table() -> None:
    assert [*POWERS] == [kind.id for kind in CITIZEN_KINDS] and len(STARTER_KINDS) == 2


@pytest.mark.parametrize(("seat", "kind"), [(seat, kind) for kind in POWERS for seat in (0, 1)])
def test_what_is_chosen_is_what_one_gets(seat: int, kind: str) -> None:
    dice, others, *_ = POWERS[kind]
    for change in brought(seat, kind)[1]:
        r = Realm().has(0).has(1).has(seat, f"{others} {kind}", **RICH).rolled(*dice)
        before = r.purse(seat)
        r.do(seat, "harvest", *change)
        assert r.purse(seat) == tuple(a + b for a, b in zip(before, change, strict=True))


def test_starters_bring_a_gold_and_a_strength_on_either_side() -> None:
    assert [Realm().rolled(5, 6).purse(seat) for seat in (0, 1)] == [(1, 1, 0)] * 2


# --- the Thief --------------------------------------------------------------------------------------------------------
def test_a_thief_takes_up_to_three_gold_or_magic_never_mixed() -> None:
    r = Realm(3).has(0, "thief").has(1, gold=5, strength=9).has(2, gold=1, magic=2).rolled(4, 3)
    gold, magic = 0, 2
    assert r.args(0, "steal") == {(1, gold, n) for n in (1, 2, 3)} | {(2, gold, 1), (2, magic, 1), (2, magic, 2)}
    r.do(0, "steal", 1, "gold", 3)
    assert r.purse(0)[0] == 3 and r.purse(1)[:2] == (2, 9)


def test_a_thief_may_take_nothing() -> None:
    r = Realm().has(0, "thief").has(1, gold=5).rolled(4, 3).do(0, "pass")
    assert r.purse(0) == NOTHING and r.purse(1)[0] == 5


def test_each_thief_acts_and_each_activation_counts() -> None:
    r = Realm().has(0, "2 thief").has(1, gold=5).rolled(4, 3).do(0, "steal", 1, "gold", 3)
    assert r.args(0, "steal") == {(1, 0, 1), (1, 0, 2)}
    assert r.do(0, "steal", 1, "gold", 2).purse(0) == (5, 0, 0)


# --- all seats at once ------------------------------------------------------------------------------------------------
def test_trades_in_any_order_that_can_be_paid_for() -> None:
    r = Realm(citizens=["monk", "alchemist"]).has(1, "monk alchemist", magic=1).rolled(1, 3)
    assert r.args(1, "harvest") == {NOTHING, (2, 0, -1), (1, 0, 1)}     # the alchemist's gold pays the monk
    broke = Realm(citizens=["monk", "alchemist"]).has(1, "monk alchemist").rolled(1, 3)
    assert broke.args(1, "harvest") == set()


def test_a_trade_is_made_once_for_each_activation() -> None:
    r = Realm(citizens=["alchemist"]).has(0, "alchemist", gold=5).rolled(3, 3)
    assert r.args(0, "harvest") == {NOTHING, (-1, 0, 3), (-2, 0, 6)}


def test_seats_answer_in_any_order_and_nobody_waits() -> None:
    cards = {seat: "merchant" if seat == 0 else "champion monk" for seat in range(4)}
    orders = [(0, 1, 2, 3), (3, 1, 0, 2), (2, 3, 1, 0)]
    ends = []
    for order in orders:
        r = Realm(4, citizens=["champion", "monk"])
        for seat, kinds in cards.items():
            r.has(seat, kinds, gold=1)
        r.rolled(2, 6)
        assert r.asked == [0, 1, 2, 3]
        for seat in order:
            r.do(seat, "harvest", *((0, 0, 2) if seat == 0 else (-1, 4, 0)))
        ends.append([r.purse(seat) for seat in range(4)])
    assert ends[0] == ends[1] == ends[2]


def test_a_harvest_takes_one_answer_of_each_seat_with_a_choice_and_none_of_the_others() -> None:
    """In random games with five seats, no seat answers twice in a harvest."""
    harvests, asked = 0, 0
    for seed in range(3):
        harvest: list[int] = []
        for s, event in game(5, seed):
            if event.action.verb == "harvest":
                harvest.append(event.seat)
                assert event.seat != (s.turn - 1) % 5
            elif harvest:
                assert len(set(harvest)) == len(harvest)
                harvests, asked, harvest = harvests + 1, asked + len(harvest), []
    assert harvests > 20 and asked / harvests > 1


def game(seats: int, seed: int) -> list[tuple[Valeria, Event]]:
    """Play a game of simple bots, and return each event with the state before it."""
    rng, chance, play = Random(seed), chance_of(seed), bots(TITLE)["simple"]
    s, _ = new_game(TITLE, ValeriaOptions(), seats, chance)
    log = []
    while s.outcome is None:
        seat = rng.choice(seats_to_act(s))
        choice = describe_choice(TITLE, s, seat)
        assert choice is not None
        answer = play(seat, describe_view(TITLE, s, seat), choice, rng)
        before, (s, event) = s, decide(TITLE, s, seat, action_of(answer.offer, answer.subset), chance)
        log.append((before, event))
    return log
