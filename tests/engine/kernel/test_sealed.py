"""Sealed rows, whose answers are shown together, and preferences to pass them."""
from __future__ import annotations

from itertools import permutations

import pytest

from ludarium_engine.kernel import Action, Frame, Illegal, view
from ludarium_engine.kernel.choices import CARD
from ludarium_engine.kernel.contract import set_preference
from ludarium_engine.kernel.describe import describe_view
from ludarium_engine.kernel.facts import Agenda, TurnPassed, Unsealed
from ludarium_engine.kernel.scripts import DONE, Ask, Pick, Script, Sealed, pass_names_of, windows
from tests.engine.kernel.tiny import Play, T, everybody, log, offering, others, told, unsealed

PAYS_NOTHING = Action("pay", (0,))
WINDOW = Script("main", Sealed("a", offering("pay:1", "pay:2", "pass"), unsealed, everybody, PAYS_NOTHING), log(9, 9))


def test_nothing_shows_until_the_last_answer_whatever_the_order() -> None:
    for order in permutations(range(3)):
        p = Play(WINDOW)
        for seat in order[:2]:
            event = p.do(seat, "pay", 2)
            assert not [fact for fact in event.facts if not isinstance(fact, Agenda)]
        assert told(p.do(order[2], "pay", 1))[-1] == (9, 9)
        assert p.events[-1].facts[0] == Unsealed((0, 1, 2))
        assert told(p.events[-1])[:3] == [(seat, 1 if seat == order[2] else 2) for seat in range(3)]


def test_each_sees_only_its_own_sealed_answer() -> None:
    p = Play(WINDOW)
    p.do(2, "pay", 2)
    assert p.s.agenda[-1].sealed == ((2, Action("pay", (2,))),)
    assert [len(view(p.title, p.s, audience).agenda[-1].sealed) for audience in (-1, 0, 1, 2)] == [0, 0, 0, 1]
    assert [describe_view(p.title, p.s, audience).agenda[-1].answered for audience in (-1, 0, 1, 2)] == [[2]] * 4


def test_a_sealed_answer_may_be_replaced_and_the_others_still_wait() -> None:
    p = Play(WINDOW)
    p.do(1, "pay", 2)
    assert p.asked == [0, 2] and p.can(1)
    p.do(1, "pay", 1)
    assert p.asked == [0, 2]
    p.do(0, "pay", 1)
    assert told(p.do(2, "pay", 1))[1] == (1, 1)


def test_a_sealed_row_may_be_asked_anew() -> None:
    def until_somebody_pays(t: T, f: Frame, answers: dict[int, Action]) -> bool | None:
        return DONE if all(action.verb == "pass" for action in answers.values()) else None

    p = Play(Script("main", Sealed("a", offering("pay:1", "pass"), until_somebody_pays, others), log(9, 9)))
    p.do(1, "pass")
    p.do(2, "pass")
    assert p.asked == [1, 2]
    p.do(2, "pay", 1)
    assert told(p.do(1, "pass")) == [(9, 9)]


def test_who_always_passes_has_answered_and_may_take_it_back() -> None:
    p = Play(Script("start over", Ask("a", offering("go"), lambda t, f, seat, action: t.ask(WINDOW, 0), repeat=True)), WINDOW)
    p.s, event = set_preference(p.title, p.s, 1, "main", True)
    assert p.s.always_passes == [(1, "main")] and event.action.args == ()
    p.do(0, "go")
    assert p.asked == [0, 2] and p.s.agenda[-1].sealed == ((1, Action("pay", (0,))),)
    p.s, _ = set_preference(p.title, p.s, 1, "main", False)
    assert p.s.always_passes == [] and p.asked == [0, 2]
    p.do(1, "pay", 2)
    p.do(0, "pass")
    assert (1, 2) in told(p.do(2, "pass"))


def test_if_all_always_pass_a_window_is_over_at_once() -> None:
    p = Play(Script("first", Ask("a", offering("go"), lambda t, f, seat, action: t.ask(WINDOW, 0))), WINDOW)
    for seat in range(3):
        p.s, _ = set_preference(p.title, p.s, seat, "main", True)
    assert told(p.do(0, "go")) == [(0, 0), (1, 0), (2, 0), (9, 9)] and p.s.agenda == []


ABOUT = Pick("card", CARD, shown=True)


def reaction(kind: int) -> Play:
    """Return a script that opens a window about a card of this kind again and again."""
    window = Script("react", Sealed("a", offering("pay:2", "pass"), unsealed, everybody, PAYS_NOTHING), picks=(ABOUT,))
    ask = Ask("a", offering("go"), lambda t, f, seat, action: t.ask(window, 0, card=kind), repeat=True)
    return Play(Script("start over", ask), window)


def test_a_window_may_be_passed_for_one_kind_of_card() -> None:
    p = reaction(4)
    p.s, _ = set_preference(p.title, p.s, 1, "react:4", True)
    p.s, _ = set_preference(p.title, p.s, 2, "react:5", True)
    p.do(0, "go")
    assert p.asked == [0, 2]
    assert pass_names_of(p.title, p.s.agenda[-1]) == ["react", "react:4", "react@turn", "react:4@turn"]


def test_a_window_may_be_passed_until_the_turn_passes() -> None:
    p = reaction(4)
    for seat, name in ((0, "react:4@turn"), (1, "react@turn"), (2, "react")):
        p.s, _ = set_preference(p.title, p.s, seat, name, True)
    assert told(p.do(0, "go")) == [(0, 0), (1, 0), (2, 0)]
    TurnPassed(1).apply(p.s)
    assert p.s.always_passes == [(2, "react")]
    p.do(0, "go")
    assert p.asked == [0, 1]


def test_only_kinds_of_cards_that_there_are_and_only_of_a_window_about_one() -> None:
    p, q = reaction(4), Play(WINDOW)
    for play, name in ((p, "react:nonsense"), (p, "react:"), (p, "react@ever"), (p, "react:4:4"), (q, "main:4"), (p, "@turn")):
        with pytest.raises(Illegal):
            set_preference(play.title, play.s, 0, name, True)


def test_only_a_window_of_the_title_and_a_seat_at_the_table_may_be_passed() -> None:
    p = Play(WINDOW)
    assert windows(p.title) == ["main"]
    for seat, window in ((0, "start"), (0, "nonsense"), (3, "main"), (-1, "main")):
        with pytest.raises(Illegal):
            set_preference(p.title, p.s, seat, window, True)


def test_a_window_without_an_idle_answer_cannot_be_passed() -> None:
    p = Play(Script("main", Sealed("a", offering("pass"), unsealed, everybody)))
    with pytest.raises(Illegal):
        set_preference(p.title, p.s, 0, "main", True)
