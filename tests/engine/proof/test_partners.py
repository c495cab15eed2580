"""Zones that only some seats see, by the options and by the state.

The tests check which audiences receive their contents, and that the non-interference proof finds leaks.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec
import pytest
from msgspec.structs import replace

from ludarium_engine.branches.placing import position_facts
from ludarium_engine.kernel import (
    SPECTATOR,
    Action,
    Event,
    Illegal,
    RulesError,
    State,
    decide,
    evolve,
    new_game,
    redact_event,
    view,
)
from ludarium_engine.kernel.contract import NEW
from ludarium_engine.kernel.facts import AnyFact, Became, Members, Moved, Rolled, Shared
from ludarium_engine.kernel.layout import Layout, layout_of
from ludarium_engine.kernel.observations import evolve_seen
from ludarium_engine.kernel.published import encode_layout, read_layout
from ludarium_engine.kernel.scripts import Ask
from ludarium_engine.kernel.slots import VISIBILITIES, Hidden, Piles, Public, depths_of, fields_of, seen_by
from ludarium_engine.kernel.table import Table
from ludarium_engine.kernel.undo import undo_obstacle
from ludarium_engine.registry import titles
from ludarium_engine.testkit import cached_views, folded
from ludarium_engine.testkit.audiences import Observer
from ludarium_engine.testkit.commands.prove import prove_title
from ludarium_engine.testkit.disclosures import disclosures
from ludarium_engine.testkit.flips import flips
from ludarium_engine.testkit.fuzz import Case, play
from ludarium_engine.testkit.memory import Memory
from ludarium_engine.testkit.noninterference import DIFFERS, NOTHING_HIDDEN, SAME, changed, pair_trials, trials
from tests.engine.kernel.tiny import CHANCE
from tests.engine.proof import partners as game
from tests.engine.proof.partners import Partners, T, at, partners

SEEDS = range(6)
EVERYONE = (0, 1, 2, 3, SPECTATOR)
a: Any = at


def case(seats: int = 4, **options: str) -> Case:
    return Case(partners(), options, seats)


def table(seats: int = 4, **state: Any) -> T:
    title = partners()
    s, _ = new_game(title, title.options(), seats, CHANCE)
    for name, value in state.items():
        setattr(s, name, value)
    return T(title, s, CHANCE)


def shown(facts: Sequence[AnyFact], audience: int) -> list[Any]:
    return redact_event(partners().layout, Event(0, Action("x"), [*facts]), audience).facts


# --- the proof, fuzz and folds ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("tried", [case(2), case(3), case(4), case(4, partners="beside")], ids=str)
def test_nobody_can_tell_two_worlds_apart(tried: Case) -> None:
    results = trials(Observer(tried.title), tried, SEEDS[:3])
    assert not results[DIFFERS] and results[SAME] > 100 and changed(results) >= 0.9
    assert play(tried, 1).outcome and folded.check(tried, 1) > 10 and cached_views.check(tried, 1) > 5


def test_no_seat_of_a_pair_can_tell_worlds_apart_in_which_the_other_knows_something_else() -> None:
    for (one, other), results in pair_trials(Observer(case().title), case(), SEEDS[:3]).items():
        assert not results[DIFFERS] and results[SAME] > 10, (one, other)
        assert results[SAME] > results[NOTHING_HIDDEN] / 10


def test_each_shared_zone_is_noticed_when_it_is_opened() -> None:
    noticed = {flip.name: flip.noticed for flip in flips(case().title, [case()], SEEDS)}
    names = {"zone plan", "zone fund", "zone vault", "zone hand", "shared with members"}
    assert names <= {name for name, found in noticed.items() if found} and False not in noticed.values()


def test_what_reaches_whom_is_a_line_of_the_disclosures() -> None:
    told = disclosures([case()], SEEDS)
    assert "turn: ask take_turn: move hand to plan -> its owner and one other seat" in told
    assert any(line.startswith("turn: ask take_turn: share plan -> ") for line in told)
    assert not [line for line in told if "plan -> everybody" in line and "reveal" not in line and "share" not in line]


# --- what each sees -------------------------------------------------------------------------------------------------------
def test_members_see_a_shared_zone_and_nobody_else_does() -> None:
    t = table(plan=[[1, 2], [3]], fund=[4, 5], vault=[6], spies=[False, True, True, False])
    for audience, plan, fund, vault in (
        (0, [[1, 2], [-1]], [4, -1], [-1]), (1, [[-1, -1], [3]], [-1, 5], [6]), (2, [[1, 2], [-1]], [4, -1], [6]),
        (3, [[-1, -1], [3]], [-1, 5], [-1]), (SPECTATOR, [[-1, -1], [-1]], [-1, -1], [-1]),
    ):  # fmt: skip
        seen = view(partners(), t.s, audience)
        assert (seen.plan, seen.fund, seen.vault) == (plan, fund, vault)


def test_the_options_say_who_is_on_a_team() -> None:
    options = game.PartnersOptions(partners="beside")
    assert game.blank(options, 4).team == [0, 0, 1, 1] and game.blank(game.PartnersOptions(), 4).team == [0, 1, 0, 1]


def test_a_card_that_is_given_to_the_team_is_seen_by_its_members() -> None:
    t = table()
    card = t.s.hand[0][0]
    game.give(t, t.frame, 0, card)
    assert t.facts == [Members(int(a.team), (0, 1, 0, 1)), Moved((card,), a.hand[0], a.plan[0])]
    assert [fact.cards for p in EVERYONE for fact in shown(t.facts, p)] == [(card,), (-1,), (card,), (-1,), (-1,)]


def test_a_new_member_is_given_what_lies_there_and_a_former_one_keeps_no_view() -> None:
    t = table(plan=[[1, 2], [3]], fund=[4, 5])
    game.defect(t, t.frame, 0)
    assert [type(fact) for fact in t.facts] == [Members, Became, Shared, Shared, Shared, Shared]
    by_seat = {p: {(f.slot, f.value) for f in shown(t.facts, p) if isinstance(f, Shared)} for p in EVERYONE}
    assert by_seat[0] == {(a.plan[0], (-1, -1)), (a.plan[1], (3,)), (a.fund[0], -1), (a.fund[1], 5)}
    assert by_seat[2] == {(a.plan[0], (1, 2)), (a.plan[1], (-1,)), (a.fund[0], 4), (a.fund[1], -1)}
    assert by_seat[SPECTATOR] == {(a.plan[0], (-1, -1)), (a.plan[1], (-1,)), (a.fund[0], -1), (a.fund[1], -1)}


def test_members_are_those_after_the_fact() -> None:
    t = table()
    card, other = t.s.hand[0]
    game.give(t, t.frame, 0, card)
    game.defect(t, t.frame, 2)
    t.move(other, at.hand[0], at.plan[0])
    moves = {p: [fact.cards for fact in shown(t.facts, p) if isinstance(fact, Moved)] for p in EVERYONE}
    assert moves[2] == [(card,), (-1,)] and moves[0] == [(card,), (other,)] and moves[1] == [(-1,), (-1,)]


def test_a_row_of_teams_that_is_set_as_a_whole_changes_them_too() -> None:
    t = table(plan=[[1], [3]])
    t.set(at.team, [1, 1, 1, 1])
    assert {fact.value for fact in shown(t.facts, 0) if isinstance(fact, Shared) and fact.slot == a.plan[1]} == {(3,)}


def test_a_whole_zone_belongs_to_the_seats_with_a_flag() -> None:
    t = table(vault=[6, 7])
    game.spy(t, t.frame, 3)
    assert [fact.value for p in EVERYONE for fact in shown(t.facts, p) if isinstance(fact, Shared)] == [
        (-1, -1), (-1, -1), (-1, -1), (6, 7), (-1, -1)
    ]  # fmt: skip


def test_a_rolled_number_reaches_members_alone() -> None:
    t = table()
    game.roll(t, t.frame, 1)
    rolled = [(f.value, f.among) for p in EVERYONE for f in shown(t.facts, p) if isinstance(f, Rolled)]
    assert rolled == [(value, tuple(game.FUNDS)) for value in (-1, t.s.fund[1], -1, t.s.fund[1], -1)]


def test_what_a_change_of_members_shows_cannot_be_undone() -> None:
    t = table(vault=[6])
    game.spy(t, t.frame, 3)
    assert undo_obstacle(partners().layout, 4, Event(3, Action("spy"), t.facts)) == "learned"
    t = table()
    game.give(t, t.frame, 0, t.s.hand[0][0])
    assert undo_obstacle(partners().layout, 4, Event(0, Action("give"), t.facts)) is None


def test_without_a_fact_that_names_the_members_nobody_sees_a_shared_zone() -> None:
    assert [fact.cards for p in EVERYONE for fact in shown([Moved((3,), a.deck, a.plan[0])], p)] == [(-1,)] * 5


# --- what was seen stays seen -----------------------------------------------------------------------------------------------
def test_a_former_member_still_knows_what_it_saw() -> None:
    t = table(fund=[4, 5])
    title, s = partners(), t.s
    minds = [Memory(title, seat, title.blank(s.options, 4)) for seat in range(4)]
    _, event = new_game(title, s.options, 4, CHANCE)
    for mind in minds:
        mind.apply(title.blank(s.options, 4), event)
        assert (s.plan[0][0] in mind.known, s.plan[1][0] in mind.known) == (mind.audience % 2 == 0, mind.audience % 2 == 1)
    s, event = decide(title, s, 0, Action("defect"), CHANCE)
    before = table(fund=[4, 5]).s
    for mind in minds:
        mind.apply(before, event)
    assert {*s.plan[0], *s.plan[1]} <= minds[0].known and s.plan[1][0] not in minds[2].known
    assert {a.fund[0], a.fund[1]} <= minds[0].numbers


def test_a_position_is_put_there_for_its_members() -> None:
    title, t = partners(), table(fund=[4, 5])
    game.defect(t, t.frame, 1)
    game.lay(t, t.frame, 2, t.s.hand[2][0])
    game.spy(t, t.frame, 3)
    blank = title.blank(t.s.options, 4)
    event = Event(SPECTATOR, NEW, position_facts(title.layout, blank, t.s))
    assert evolve(title.blank(t.s.options, 4), event) == replace(t.s, drawn={})
    for audience in EVERYONE:
        start = title.layout.view(blank, audience)
        seen = evolve_seen(title.layout, start, redact_event(title.layout, event, audience), audience)
        assert not folded.differences(title, seen, title.layout.view(t.s, audience))


# --- the layout -------------------------------------------------------------------------------------------------------------
def test_the_published_layout_names_the_members() -> None:
    document = msgspec.json.decode(encode_layout(partners()))
    assert document["sights"]["members:team"] == document["sights"]["members:spies"] == [2, 0]
    assert {f["name"]: f["sight"] for f in document["fields"]}["vault"] == "members:spies"
    again = read_layout(encode_layout(partners()))
    assert again.groups == partners().layout.groups and again.at(table().s).depth_for(0, a.plan[0]) == 2


def test_layouts_of_titles_without_shared_zones_say_nothing_of_them() -> None:
    for title in titles().values():
        sights = msgspec.json.decode(title.layout_document)["sights"]
        assert not title.layout.groups and sights.keys() == VISIBILITIES.keys()


def test_a_stricter_layout_hides_what_one_of_both_hides() -> None:
    shared, s = partners().layout, table(plan=[[1], [2]]).s
    hidden = [(0, 0) if f.name == "plan" else depths for f, depths in zip(shared.fields, shared.depths, strict=True)]
    stricter = shared.intersection(type(shared)(shared.fields, shared.scripts.values(), hidden))
    assert stricter.view(s, 0).plan == [[-1], [-1]] and stricter.view(s, 0).fund == [0, -1]


def with_sight(layout: Layout, visibility: str) -> Layout:
    fields = [replace(f, visibility=visibility) if f.name == "plan" else f for f in layout.fields]
    return layout_of(fields, layout.scripts.values(), [depths_of(f.visibility) for f in fields])


@pytest.mark.parametrize(("one", "other", "plan"), [
    ("members:team", "public", [[1], [-1]]), ("public", "members:team", [[1], [-1]]), ("members:team", "hidden", [[-1], [-1]]),
    ("members:team", "members:spies", [[-1], [-1]]), ("owner", "members:team", [[-1], [-1]]), ("owner", "public", [[1], [-1]]),
])  # fmt: skip
def test_a_mended_sight_shows_what_both_layouts_show(one: str, other: str, plan: list[list[int]]) -> None:
    layout, s = partners().layout, table(plan=[[1], [2]]).s
    assert with_sight(layout, one).intersection(with_sight(layout, other)).view(s, 0).plan == plan


def test_members_are_in_a_public_zone_of_numbers_or_flags() -> None:
    class Nowhere(State, array_like=True):
        plan: Annotated[Piles, seen_by("team")] = []

    class Secret(State, array_like=True):
        team: Hidden[list[int]] = []
        plan: Annotated[Piles, seen_by("team")] = []

    class OfCards(State, array_like=True):
        team: Public[Piles] = []
        plan: Annotated[Piles, seen_by("team")] = []

    class One(State, array_like=True):
        team: Public[int] = 0
        plan: Annotated[Piles, seen_by("team")] = []

    for state in (Nowhere, Secret, OfCards, One):
        with pytest.raises(TypeError, match="members are in a public zone"):
            list(fields_of(state))


# --- wrong moments ------------------------------------------------------------------------------------------------------------
def test_what_is_not_ones_own_or_not_ones_turn_is_refused() -> None:
    title, s = partners(), table().s
    others = s.plan[1][0]
    wrong = [(0, "take", others), (0, "give", others), (0, "save", 10)]
    for seat, action in [(1, Action("spy")), *((seat, Action(verb, (value,))) for seat, verb, value in wrong)]:
        with pytest.raises(Illegal):
            decide(title, s, seat, action, CHANCE)


def test_a_fact_of_the_kernel_that_does_not_fit_is_refused() -> None:
    t = table(plan=[[1], [2]])
    for fact in (Shared(a.plan[0], (2,)), Shared(a.hand[0], tuple(t.s.hand[0]))):
        with pytest.raises(RulesError, match="is not shared there"):
            t.record(fact)


# --- planted mistakes ---------------------------------------------------------------------------------------------------------
def differs() -> bool:
    return bool(trials(Observer(case().title), case(), SEEDS[:3])[DIFFERS])


def plant(monkeypatch: pytest.MonkeyPatch, verb: Any, handler: Callable[..., None]) -> None:
    row = Ask("take_turn", game.turns, {**game.HANDLERS, verb: handler})
    monkeypatch.setattr(game.turn, "rows", (row, *game.turn.rows[1:]))


def shows_without_revealing(t: T, f: Any, seat: int) -> None:
    t.set(at.turns, min(game.TURNS - 2, t.s.turns + t.s.fund[1] % 2))


def counts_a_plan(t: T, f: Any, seat: int) -> None:
    t.set(at.turns, min(game.TURNS - 2, sum(t.s.plan[1 - t.s.team[seat]])))


def goes_over_by_the_fund(t: T, f: Any, seat: int) -> None:
    if t.s.fund[1] > 4:
        game.defect(t, f, seat)


@pytest.mark.parametrize(("verb", "handler"), [
    (game.SPY, shows_without_revealing), (game.SPY, counts_a_plan), (game.DEFECT, goes_over_by_the_fund),
], ids=["number", "cards", "members"])  # fmt: skip
def test_a_rule_that_lets_a_shared_zone_show_is_found(
    verb: Any, handler: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, verb, handler)
    assert differs()


def test_an_offer_that_reads_the_other_teams_plan_is_found_by_a_pair_of_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    def offers(s: Partners, f: Any, seat: int) -> list[Any]:
        odd = any(card % 2 for card in s.plan[1 - s.team[seat]])
        return game.turns(s, f, seat)[: -1 if odd else None]

    monkeypatch.setattr(game.turn, "rows", (Ask("take_turn", offers, game.HANDLERS), *game.turn.rows[1:]))
    assert differs()
    found = pair_trials(Observer(case().title), case(), SEEDS)
    assert any(results[DIFFERS] for results in found.values())


@pytest.mark.parametrize("kind", [Shared, Moved, Members])
def test_a_fact_that_is_not_redacted_is_found(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The members of a team are public, so showing them is no leak."""
    monkeypatch.setattr(kind, "redacted", lambda self, layout, audience: self)
    assert differs() is (kind is not Members)


def test_members_of_an_earlier_moment_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A former member is sent cards that the team gets later."""
    monkeypatch.setattr(Table, "members_in", lambda self, zone: (0, 0, 0, 0) if zone == 0 else (False,) * 4)
    assert differs()


def test_the_command_proves_each_pair(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert prove_title(partners(), [case(3)], range(1)) and "what the other seat" in capsys.readouterr().out
    monkeypatch.setattr(Moved, "redacted", lambda self, layout, audience: self)
    assert not prove_title(partners(), [case(3)], range(1))
