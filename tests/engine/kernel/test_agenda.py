"""Scripts and the agenda, which decide which seats have to act and what is next."""
from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from ludarium_engine.kernel import PASS, Action, Frame, Illegal, Offer, RulesError, clone, decide
from ludarium_engine.kernel.agenda import MOST_ROWS
from ludarium_engine.kernel.choices import TooManySteps
from ludarium_engine.kernel.contract import encode
from ludarium_engine.kernel.facts import EVERYBODY, Agenda, Counted, Said
from ludarium_engine.kernel.published import migrate_agenda
from ludarium_engine.kernel.scripts import DONE, Ask, Pick, Script, Sealed, by_name, turn_order_from
from ludarium_engine.testkit.redacted_fold import fold
from tests.engine.kernel.tiny import (
    CHANCE,
    Play,
    T,
    Tiny,
    TinyOptions,
    at,
    everybody,
    log,
    offering,
    others,
    tiny,
    told,
    unsealed,
)

x, y, z = Pick("x"), Pick("y", shown=True), Pick("z")
PASS_ACTION = Action("pass")


def pays(t: T, f: Frame, seat: int, action: Action) -> None:
    t.add(at.coins[seat], action.args[0] if action.args else 1)


def poor(s: Tiny, f: Frame) -> list[int]:
    return [seat for seat in range(s.seats) if s.coins[seat] < 2]


def nobody(s: Tiny, f: Frame) -> list[int]:
    return []


# --- rows -----------------------------------------------------------------------------------------------------------
def test_rows_run_down_until_one_asks() -> None:
    p = Play(Script("main", log(1, 0), log(2, 0), Ask("a", offering("pay:3"), pays), log(3, 0)))
    assert told(p.events[0]) == [(1, 0), (2, 0)] and p.asked == [0]
    assert told(p.do(0, "pay", 3)) == [(3, 0)] and p.s.coins == [3, 0, 0] and p.s.agenda == []


def test_a_row_that_asks_nobody_is_skipped() -> None:
    window = Sealed("b", offering("pass"), unsealed, nobody)
    p = Play(Script("main", Ask("a", offering("pass"), pays, nobody), window, log(1, 0)))
    assert told(p.events[0]) == [(1, 0)] and not p.s.agenda


def test_a_row_is_skipped_while_its_owner_is_offered_nothing_if_it_says_so() -> None:
    skipped = Ask("a", offering(), pays, skip_without_offers=True)
    p = Play(Script("main", skipped, log(1, 0), Ask("a", offering("pass"), pays, skip_without_offers=True)))
    assert told(p.events[0]) == [(1, 0)] and p.asked == [0]


def forced(*ids: str, **words: Any) -> Ask[Tiny]:
    return Ask("a", offering(*ids), pays, answer_if_forced=True, **words)


def test_who_has_one_answer_only_has_given_it_if_the_row_says_so() -> None:
    p = Play(Script("main", forced("pay:3"), log(1, 0), forced("pay:2", "pass")))
    assert p.events[0].facts[:2] == [Said("forced", (0,)), Counted(at.coins[0], 3)]
    assert told(p.events[0]) == [(1, 0)] and p.asked == [0] and p.can(0) == ["pay:2", "pass"]


def test_of_several_seats_and_of_a_subset_nothing_is_given_for_them() -> None:
    assert Play(Script("main", forced("pay:3", asked=everybody))).asked == [0, 1, 2]
    pool = Ask("a", lambda s, f, seat: [Offer("choose", (), (1, 2), (), 1)], pays, answer_if_forced=True)
    assert Play(Script("main", pool)).asked == [0]


def test_one_forced_answer_after_another_is_given_in_one_command() -> None:
    p = Play(Script("main", forced("pay:1", asked=poor_owner, repeat=True), log(1, 0)))
    assert told(p.events[0]) == [(1, 0)] and p.s.coins == [2, 0, 0]


def test_an_answer_that_is_forced_for_ever_ends() -> None:
    with pytest.raises(TooManySteps):
        Play(Script("main", forced("pay:1", repeat=True)))


def test_several_seats_answer_in_any_order_and_each_once() -> None:
    for order in permutations(range(3)):
        p = Play(Script("main", Ask("a", offering("pay:3"), pays, everybody), log(1, 0)))
        for nth, seat in enumerate(order):
            assert p.asked == sorted(order[nth:]) and told(p.events[-1]) == []
            p.do(seat, "pay", 3)
            assert p.can(seat) == []
        assert p.s.coins == [3, 3, 3] and told(p.events[-1]) == [(1, 0)]


def test_a_row_that_asks_again_draws_its_list_anew_after_each_answer() -> None:
    p = Play(Script("main", Ask("a", offering("pay:1"), pays, poor, repeat=True)))
    p.do(2, "pay", 1)
    assert p.asked == [0, 1, 2]
    p.do(2, "pay", 1)
    assert p.asked == [0, 1] and p.can(2) == []


def test_a_row_that_asks_again_ends_with_done() -> None:
    def pays_or_ends(t: T, f: Frame, seat: int, action: Action) -> bool | None:
        if action.verb == "pass":
            return DONE
        t.add(at.coins[seat], 1)
        return None

    p = Play(Script("main", Ask("a", offering("pay:1", "pass"), pays_or_ends, repeat=True), log(1, 0)))
    p.do(0, "pay", 1)
    p.do(0, "pay", 1)
    assert told(p.do(0, "pass")) == [(1, 0)] and p.s.coins[0] == 2


def test_seats_are_named_in_turn_order() -> None:
    assert turn_order_from(Tiny(4, TinyOptions()), 2) == [2, 3, 0, 1]


# --- nesting --------------------------------------------------------------------------------------------------------
def test_what_is_pushed_is_done_before_what_lies_below_goes_on() -> None:
    inner = Script("inner", log(1, 0), Ask("a", offering("pass"), lambda t, f, seat, action: None), log(2, 0))
    p = Play(Script("main", lambda t, f: t.ask(inner, 1), log(3, 0)), inner)
    assert told(p.events[0]) == [(1, 0)] and p.asked == [1]
    assert told(p.do(1, "pass")) == [(2, 0), (3, 0)]


def test_what_one_row_pushes_twice_the_last_one_does_first() -> None:
    first, second = Script("first", log(1, 0)), Script("second", log(2, 0))

    def both(t: T, f: Frame) -> None:
        t.ask(first, 0)
        t.ask(second, 0)

    p = Play(Script("main", both, log(3, 0)), first, second)
    assert told(p.events[0]) == [(2, 0), (1, 0), (3, 0)]


def test_three_deep_and_back() -> None:
    third = Script("third", Ask("a", offering("pass"), lambda t, f, seat, action: None), log(3, 0))
    second = Script("second", lambda t, f: t.ask(third, 2), log(2, 0))
    p = Play(Script("main", lambda t, f: t.ask(second, 1), log(1, 0)), second, third)
    assert [f.script for f in p.s.agenda] == ["start", "main", "second", "third"]
    assert told(p.do(2, "pass")) == [(3, 0), (2, 0), (1, 0)]


def test_a_take_that_pushes_in_a_row_that_asks_again_comes_back_to_it() -> None:
    inner = Script("inner", Ask("a", offering("pass"), lambda t, f, seat, action: None))
    asks = Ask("a", offering("go"), lambda t, f, seat, action: t.ask(inner, 1), poor_owner, repeat=True)
    p = Play(Script("main", asks), inner)
    p.do(0, "go")
    assert p.asked == [1]
    p.do(1, "pass")
    assert p.asked == [0] and p.can(0) == ["go"]


def poor_owner(s: Tiny, f: Frame) -> list[int]:
    return [f.seat] if s.coins[f.seat] < 2 else []


def test_nothing_may_be_pushed_while_others_are_being_asked() -> None:
    inner = Script("inner", log(1, 0))
    p = Play(Script("main", Ask("a", offering("go"), lambda t, f, seat, action: t.ask(inner, 1), everybody)), inner)
    before = encode(p.s)
    with pytest.raises(RulesError, match="other seats"):
        p.do(0, "go")
    assert encode(p.s) == before


def test_what_lies_beneath_can_be_read_and_cancelled() -> None:
    def veto(t: T, f: Frame) -> None:
        t.disclose("paid", 0, x(t.frame_below), to=EVERYBODY)
        t.drop_frame_below()

    announced = Script("announced", lambda t, f: t.ask(vetoed, 1), log(5, 5), picks=(x,))
    vetoed = Script("vetoed", veto, log(6, 6))
    p = Play(Script("main", lambda t, f: t.ask(announced, 0, x=42), log(7, 7)), announced, vetoed)
    assert told(p.events[0]) == [(0, 42), (6, 6), (7, 7)]


def test_a_rule_that_runs_away_is_stopped() -> None:
    loop = Script("loop", lambda t, f: t.ask(loop, 0))
    with pytest.raises(RulesError, match=str(MOST_ROWS)):
        Play(loop)


def test_the_end_of_the_game_clears_the_agenda() -> None:
    p = Play(Script("main", lambda t, f: t.end([2, 1, 3]), log(1, 0)))
    assert p.s.outcome == [2, 1, 3] and p.s.agenda == [] and p.asked == [] and told(p.events[0]) == []


def test_the_end_in_a_take_asks_nobody_else() -> None:
    p = Play(Script("main", Ask("a", offering("go"), lambda t, f, seat, action: t.end([1, 1, 1]), everybody)))
    p.do(1, "go")
    assert p.s.agenda == [] and p.asked == []


# --- answers ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("seat", "action"), [
    (1, PASS), (-1, PASS), (99, PASS), (0, Action("nonsense")), (0, Action("pay")), (0, Action("pay", (4,))),
    (0, Action("pay", (3, 3))), (0, Action("PAY", (3,))),
])  # fmt: skip
def test_what_was_not_offered_changes_nothing(seat: int, action: Action | object) -> None:
    p = Play(Script("main", Ask("a", offering("pay:3"), pays)))
    before = encode(p.s)
    with pytest.raises(Illegal):
        decide(p.title, p.s, seat, action if isinstance(action, Action) else Action("pass"), CHANCE)
    assert encode(p.s) == before


def test_a_decision_leaves_the_state_before_it_alone() -> None:
    p = Play(Script("main", Ask("a", offering("pay:3"), pays)))
    before, kept = clone(p.s), p.s
    p.do(0, "pay", 3)
    assert encode(kept) == encode(before) and p.s is not kept


def test_the_log_folds_to_the_state_through_every_kind_of_row() -> None:
    inner = Script("inner", Ask("a", offering("pay:1"), pays))
    p = Play(Script("main", log(1, 0), lambda t, f: t.ask(inner, 1), Ask("a", offering("pay:1"), pays, poor, repeat=True),
                    Sealed("a", offering("pass"), unsealed, others)), inner)  # fmt: skip
    p.do(1, "pay", 1)
    for seat in (0, 0, 1, 2, 2):
        p.do(seat, "pay", 1)
    p.do(2, "pass")
    start = Agenda(0, (Frame("start", 0, 0, (0,)),))
    p.events[0].facts.insert(0, start)
    assert encode(fold(p.title, TinyOptions(), 3, p.events)) == encode(p.s)


# --- checks when a title is loaded --------------------------------------------------------------------------------------
@pytest.mark.parametrize("picks", [{}, {"x": 1, "w": 2}, {"x": 1, "y": 2, "w": 3}])
def test_each_pick_of_a_script_is_named(picks: dict[str, int]) -> None:
    script = Script("script", Ask("a", offering("pass"), pays), picks=(x, y))
    with pytest.raises(RulesError, match=r"script has the picks \['x', 'y'\]"):
        Play(Script("main", lambda t, f: t.ask(script, 0, **picks)), script)
    p = Play(Script("main", lambda t, f: t.ask(script, 2, y=5, x=4)), script)
    assert p.s.agenda[-1].picks == (4, 5)


def test_scripts_have_names_of_their_own() -> None:
    with pytest.raises(ValueError, match="one name"):
        by_name(Script("main"), Script("main"))


def test_only_scripts_of_the_title_are_pushed() -> None:
    with pytest.raises(RulesError, match="stranger"):
        Play(Script("main", lambda t, f: t.ask(Script("stranger"), 0)))


# --- a newer release ----------------------------------------------------------------------------------------------------
def test_frames_are_found_again_by_the_names_of_rows_and_picks() -> None:
    def first(t: T, f: Frame) -> None: ...

    def second(t: T, f: Frame) -> None: ...

    paying = Ask("pay", offering("pay:1"), pays)
    old = tiny(Script("main", first, paying, first, paying, picks=(x, y)))
    new = tiny(Script("main", second, first, paying, second, first, paying, picks=(y, z, x)))
    frames = [Frame("main", 1, row, (2,), (7, 8), ((0, PASS_ACTION),)) for row in range(4)]
    found = migrate_agenda(frames, old.layout, new.layout)
    assert [f.row for f in found] == [1, 2, 4, 5]
    assert {(f.seat, f.asked, f.picks, f.sealed) for f in found} == {(1, (2,), (8, -1, 7), ((0, PASS_ACTION),))}
    assert migrate_agenda(found, new.layout, old.layout) == frames
    with pytest.raises(LookupError):
        migrate_agenda([Frame("main", 0, 0, (), (1, 2, 3))], new.layout, old.layout)


def test_a_view_under_two_layouts_shows_the_picks_that_both_show() -> None:
    old = tiny(Script("main", picks=(Pick("a", shown=True), Pick("b"), Pick("c", shown=True))))
    new = tiny(Script("main", picks=(Pick("n", shown=True), Pick("a"), Pick("b", shown=True), Pick("c", shown=True))))
    assert new.layout.intersection(old.layout).frame(Frame("main", 0, 0, (), (1, 2, 3, 4)), 0).picks == (1, -1, -1, 4)
    assert old.layout.intersection(new.layout).frame(Frame("main", 0, 0, (), (2, 3, 4)), 0).picks == (-1, -1, 4)


# --- a command with a spare state ---------------------------------------------------------------------------------------
def test_a_twin_becomes_the_state_after_where_it_is_one() -> None:
    p = Play(Script("main", Ask("a", offering("pay:3"), pays), Ask("b", offering("pay:1"), pays)))
    action, twin, other = Action("pay", (3,)), clone(p.s), clone(p.s)
    other.coins = [5, 5, 5]
    before, alone = encode(p.s), decide(p.title, p.s, 0, action, CHANCE)
    after, event = decide(p.title, p.s, 0, action, CHANCE, spare=twin)
    assert after is twin and (after, event) == alone and encode(p.s) == before
    after, event = decide(p.title, p.s, 0, action, CHANCE, spare=other)
    assert after is not other and (after, event) == alone and other.coins == [5, 5, 5] and encode(p.s) == before


def test_what_is_known_to_be_offered_is_not_asked_again() -> None:
    def once(s: Tiny, f: Frame, seat: int) -> list[Offer]:
        asked.append(seat)
        return [Offer("pay", (3,))]

    asked: list[int] = []
    p = Play(Script("main", Ask("a", once, pays)))
    with pytest.raises(Illegal):
        decide(p.title, p.s, 0, Action("pay", (3,)), CHANCE, offers=[])
    decide(p.title, p.s, 0, Action("pay", (3,)), CHANCE, offers=[Offer("pay", (3,))])
    assert asked == []
