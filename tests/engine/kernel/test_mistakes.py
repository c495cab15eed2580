"""Mistakes in a first title are found by mypy, at import, or as a RulesError.

The error names the place in the rules, and is raised before anything is stored.
"""
from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mypy import api

from ludarium_engine.kernel import Action, RulesError
from ludarium_engine.kernel.contract import encode
from ludarium_engine.kernel.facts import (
    EVERYBODY,
    AnyFact,
    Became,
    Counted,
    Ended,
    Event,
    Moved,
    Revealed,
    Rolled,
    Said,
    Shuffled,
    Told,
    TurnPassed,
    Uncovered,
)  # fmt: skip
from ludarium_engine.kernel.scripts import Ask, Pick, Script
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.testkit.redacted_fold import fold
from tests.engine.kernel.tiny import Play, T, Tiny, TinyOptions, at, blank, offering, table, tiny

PLANTED = Path(__file__).with_name("mistakes.py")
a: Any = at                                     # untyped here, as for an author without mypy


# --- by mypy ------------------------------------------------------------------------------------------------------------
def test_mypy_finds_them() -> None:
    planted = enumerate(PLANTED.read_text().splitlines(), 1)
    expected = {nth: line.partition("# E: ")[2] for nth, line in planted if "# E: " in line}
    found, _, _ = api.run(["--no-error-summary", "--hide-error-context", str(PLANTED)])
    said = {int(nth): what for nth, what in re.findall(r"^[^:]+:(\d+): error: (.*)$", found, re.MULTILINE)}
    assert said.keys() == expected.keys(), found
    assert not [said[nth] for nth, words in expected.items() if words not in said[nth]]


# --- as a RulesError ----------------------------------------------------------------------------------------------------
MISTAKES: list[tuple[Callable[[Any], None], str]] = [
    (lambda t: t.disclose("wno", 1, 2, to=EVERYBODY), "no sentence wno"),
    (lambda t: t.disclose("paid", 1, to=EVERYBODY), "no sentence paid of 1"),
    (lambda t: t.disclose("paid", 7, 1, to=EVERYBODY), "7 is no whole number from 0 to 2"),
    (lambda t: t.disclose("paid", 1, 1, to=[3]), "3 is no whole number from 0 to 2"),
    (lambda t: t.move(3, a.deck, a.coins), "lie in a pile"),
    (lambda t: t.move(3, a.deck, a.hand), "lie in a pile"),
    (lambda t: t.move(3, a.hand[0], a.deck), "do not lie there"),
    (lambda t: t.move([3, 3], a.deck, a.table), "do not lie there"),
    (lambda t: t.move(True, a.deck, a.table), "do not lie there"),
    (lambda t: t.move(3, a.deck, a.hand[9]), "index out of range"),
    (lambda t: t.move_all(a.hand[9], a.deck), "there is no hand.9"),
    (lambda t: t.move(3, a.hand[1], a.table), "src='hand.1', dst='table'"),
    (lambda t: t.reveal(3, a.hand[0], to=EVERYBODY), "do not lie there"),
    (lambda t: t.reveal(3, a.deck, to=[3]), "3 is no whole number from 0 to 2"),
    (lambda t: t.set(a.coins, 5), "5 is not what such a slot holds: numbers"),
    (lambda t: t.set(a.done[0], 7), "7 is not what such a slot holds: flag"),
    (lambda t: t.set(a.hand[0], [1, 2]), "pile"),
    (lambda t: t.set(a.done, [1] * 3), "is not what such a slot holds: flags"),
    (lambda t: t.set(a.coins, [True] * 3), "is not what such a slot holds: numbers"),
    (lambda t: t.set(a.grid, [1, 2]), "lists"),
    (lambda t: t.set(a.coins[3], 1), "there is no coins.3"),
    (lambda t: t.set(a.die, 1 << 53), "9007199254740992 is not"),
    (lambda t: t.add(a.deck, 1), "no number is there"),
    (lambda t: t.add(a.coins[3], 1), "out of range"),
    (lambda t: t.add(a.die, True), "True is no whole number"),
    (lambda t: t.roll(a.deck, [1, 2]), "no number is there"),
    (lambda t: t.roll(a.die, []), "no values"),
    (lambda t: t.shuffle(a.coins), "lie in a pile"),
    (lambda t: t.say("wno", 1), "there is no sentence wno"),
    (lambda t: t.say("moves", 1), "no sentence moves of 1"),
    (lambda t: t.say("moves", 3, ()), "3 is no whole number from 0 to 2"),
    (lambda t: t.say("moves", 1, 4), "4 points to no facts that"),
    (lambda t: t.say("moves", 1, (99,)), "\\(99,\\) points to no facts"),
    (lambda t: t.say("names", 1, 9), "not everybody sees the card 9"),
    (lambda t: t.say("ranks", 7), "no text rank.7"),
    (lambda t: t.pass_turn(3), "3 is no whole number from 0 to 2"),
    (lambda t: t.end([1, 2]), "one place for each seat"),
    (lambda t: t.end([0, 1, 2]), "0 is no whole number from 1 to 3"),
    (lambda t: None, "nobody is asked, and the game is not over"),
]


@pytest.mark.parametrize(("rule", "match"), MISTAKES, ids=[match for _, match in MISTAKES])
def test_a_mistake_is_refused_with_where_the_rules_stood(rule: Callable[[Any], None], match: str) -> None:
    def rule_of_the_title(t: T, f: Frame) -> None:
        rule(t)
        t.drop_frame_below()

    with pytest.raises(RulesError, match=match) as caught:
        Play(Script("main", rule_of_the_title))
    assert str(caught.value).startswith("tiny: main, rule_of_the_title, seat 0: ")


@pytest.mark.parametrize("cheat", [
    lambda t, f: t.s.coins.__setitem__(0, 4), lambda t, f: setattr(t.s, "options", TinyOptions(hand=4)),
], ids=["zone", "options"])  # fmt: skip
def test_a_state_that_is_written_to_beside_the_verbs_is_refused(cheat: Callable[[T, Frame], None]) -> None:
    with pytest.raises(RulesError, match="other than by a verb"):
        Play(Script("main", cheat))


@pytest.mark.parametrize("asked", [[3], [-1], [True]])
def test_who_is_asked_is_a_seat(asked: list[int]) -> None:
    def take(t: T, f: Frame, seat: int, action: object) -> None: ...

    with pytest.raises(RulesError, match="which is no seat"):
        Play(Script("main", Ask("take", offering("go"), take, lambda s, f: asked)))


def test_a_pick_that_the_script_does_not_carry_is_named() -> None:
    card = Pick("card")

    def rule(t: T, f: Frame) -> None:
        card(f)

    with pytest.raises(RulesError, match=r"^main has no pick card$"):
        Play(Script("main", rule))


def test_what_is_refused_changes_nothing() -> None:
    s = blank(TinyOptions(), 3)
    before, t = encode(s), table(s)
    for rule, _ in MISTAKES[:-1]:
        with pytest.raises(RulesError):
            rule(t)
    assert encode(s) == before and t.facts == []


# --- everything that is recorded can be read again ------------------------------------------------------------------------
wild: Any = st.one_of(
    st.integers(-3, 12), st.integers(), st.booleans(), st.lists(st.integers(-2, 10), max_size=4).map(tuple),
    st.lists(st.booleans(), max_size=4).map(tuple), st.lists(st.one_of(st.integers(), st.booleans()), max_size=3).map(tuple),
)  # fmt: skip
slots = st.builds(lambda field, index: (field << 6) + index, st.integers(0, 13), st.integers(0, 5))
cards = st.lists(st.one_of(st.integers(-1, 11), st.booleans()), max_size=3).map(tuple)
audiences = st.one_of(st.just(EVERYBODY), st.lists(st.integers(-1, 4), max_size=3).map(tuple))
seats: Any = st.one_of(st.integers(-1, 4), st.booleans())
FACTS: Any = st.one_of(
    st.builds(Moved, cards, slots, slots), st.builds(Uncovered, seats, slots), st.builds(Counted, slots, wild),
    st.builds(Became, slots, wild), st.builds(Rolled, slots, wild, cards), st.builds(Revealed, cards, slots, audiences),
    st.builds(Told, st.sampled_from(["paid", "said", "wno"]), cards, audiences), st.builds(TurnPassed, seats),
    st.builds(Ended, cards), st.builds(Said, st.sampled_from(["moves", "names", "swaps", "wno"]), st.tuples(wild, wild)),
    slots.map(lambda slot: Shuffled(slot, (3, 2, 1))),
)  # fmt: skip


@given(st.lists(FACTS, max_size=6))
def test_whatever_is_recorded_can_be_decoded(facts: list[AnyFact]) -> None:
    t = table()
    for fact in facts:
        try:
            t.record(fact)
        except RulesError:
            continue
    stored = msgspec.msgpack.decode(encode(Event(0, Action("x"), t.facts)), type=Event)
    assert stored.facts == t.facts
    assert encode(fold(tiny(), TinyOptions(), 3, [stored])) == encode(t.s)
    assert msgspec.msgpack.decode(encode(t.s), type=Tiny) == t.s
