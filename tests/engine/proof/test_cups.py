"""Hidden numbers in the state, and which audiences receive them.

The length of encoded data must not depend on a hidden number. `test_shown_numbers` plants mistakes.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Annotated, Any

import msgspec
import pytest

from ludarium_engine.branches.resampling import Sampler
from ludarium_engine.kernel import (
    SPECTATOR,
    Action,
    Event,
    Illegal,
    RulesError,
    State,
    decide,
    new_game,
    redact_event,
    undo_obstacle,
    view,
)
from ludarium_engine.kernel.contract import encode
from ludarium_engine.kernel.describe import describe_choice, describe_facts, describe_view
from ludarium_engine.kernel.facts import EVERYBODY, Became, NumbersRevealed, Rolled
from ludarium_engine.kernel.knowledge import Knowledge
from ludarium_engine.kernel.known_numbers import number_slots
from ludarium_engine.kernel.observations import observe
from ludarium_engine.kernel.slots import Hidden, Owner, OwnerTop, Pile, Public, Values, fields_of, values_of
from ludarium_engine.story.lines import lines
from ludarium_engine.testkit import cached_views, folded
from ludarium_engine.testkit.audiences import Observer
from ludarium_engine.testkit.disclosures import disclosures
from ludarium_engine.testkit.evenness import evenness
from ludarium_engine.testkit.flips import flips
from ludarium_engine.testkit.fuzz import Case, play
from ludarium_engine.testkit.memory import Memory
from ludarium_engine.testkit.noninterference import DIFFERS, SAME, changed, trials
from tests.engine.kernel.tiny import CHANCE
from tests.engine.kernel.tiny import at as tiny_at
from tests.engine.kernel.tiny import table as tiny_table
from tests.engine.proof import cups as game
from tests.engine.proof.cups import NO_BID, Cups, T, at, cups

SEEDS = range(12)
a: Any = at
to_json = msgspec.json.encode


def found(seats: int = 3, **words: Any) -> Counter[str]:
    case = Case(cups(**words), {}, seats)
    return trials(Observer(case.title), case, SEEDS)


def begun(seats: int = 3) -> tuple[Any, Cups]:
    title = cups()
    s, _ = new_game(title, title.options(), seats, CHANCE)
    return title, s


def done(s: Cups, verb: str, *args: int) -> tuple[Cups, Event]:
    return decide(cups(), s, s.turn, Action(verb, args), CHANCE)


def seen(event: Event, audience: int) -> list[Any]:
    facts = redact_event(cups().layout, event, audience).facts
    return [fact for fact in facts if isinstance(fact, Became | Rolled | NumbersRevealed)]


# --- the proof, fuzz and folds ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nobody_can_tell_worlds_with_other_hidden_numbers_apart(seats: int) -> None:
    results = found(seats)
    assert not results[DIFFERS] and results[SAME] > 100 and changed(results) >= 0.9


def test_its_random_games_hold_and_its_events_fold_into_views() -> None:
    for seed in SEEDS:
        case = Case(cups(), {}, 3)
        assert play(case, seed).outcome and folded.check(case, seed) > 10 and cached_views.check(case, seed) > 5


def test_each_hidden_number_is_noticed_when_it_is_opened() -> None:
    title = cups()
    noticed = {flip.name: flip.noticed for flip in flips(title, [Case(title, {}, 3)], SEEDS)}
    assert {f"zone {name}" for name in ("dice", "life", "bid", "fate")} <= {name for name, found in noticed.items() if found}
    assert False not in noticed.values()


def test_what_reaches_whom_is_a_line_of_the_disclosures() -> None:
    told = disclosures([Case(cups(), {}, 3)], SEEDS)
    assert [line for line in told if "reveal" in line] == [
        "turn: ask take_turn: reveal bid -> everybody",
        "turn: ask take_turn: reveal dice -> everybody",
        "turn: ask take_turn: reveal fate -> the seat that acts",
    ]


# --- one width ----------------------------------------------------------------------------------------------------------
AUDIENCES = (0, 1, SPECTATOR)


def changes_to(write: Callable[[T], None]) -> tuple[Cups, Event]:
    return changed_to(lambda t, _: write(t), 0)


TITLE = cups()


def changed_to(write: Callable[[T, int], None], value: int) -> tuple[Cups, Event]:
    t = T(TITLE, new_game(TITLE, TITLE.options(), 3, CHANCE)[0], CHANCE)
    write(t, value)
    return t.s, Event(0, Action("bid", (t.s.bid[0],)), t.facts)


def sizes(s: Cups, event: Event, audience: int) -> tuple[int, ...]:
    """Return the size of everything that is stored, hashed or sent for an event."""
    title, shown = TITLE, redact_event(TITLE.layout, event, audience)
    return tuple(map(len, (
        encode(event), encode(s), encode(shown), encode(view(title, s, audience)), to_json(describe_view(title, s, audience)),
        to_json(describe_facts(title, shown)), to_json(lines(title, shown)), to_json([shown.action.verb, *shown.action.args]),
        to_json(describe_choice(title, s, audience)) if audience >= 0 else b"",
    )))  # fmt: skip


def reveals_a_bid(t: T, value: int) -> None:
    t.set(at.bid[0], value)
    t.reveal_number(at.bid[0], to=[1])


WRITES: dict[str, tuple[range, Callable[[T, int], None]]] = {
    "bid": (range(1000, 1201), lambda t, n: t.set(at.bid[0], n)),
    "life": (range(10, 20), lambda t, n: t.add(at.life[0], n - t.s.life[0])),
    "fate": (range(10), lambda t, n: t.set(at.fate, n)),
    "a die": (range(1, 7), lambda t, n: t.set(at.dice[0], [n, 1, 1])),
    "all bids": (range(1000, 1201), lambda t, n: t.set(at.bid, [n, 1000, 1000])),
    "a revealed bid": (range(1000, 1201), reveals_a_bid),
}


def each_value(name: str) -> list[tuple[Cups, Event]]:
    values, write = WRITES[name]
    return [changed_to(write, n) for n in values]


@pytest.mark.parametrize("name", WRITES)
def test_no_size_depends_on_a_hidden_number(name: str) -> None:
    made = each_value(name)
    for audience in AUDIENCES:
        assert len({sizes(s, event, audience) for s, event in made}) == 1


@pytest.mark.parametrize("name", [name for name in WRITES if name != "a revealed bid"])
def test_what_others_are_sent_is_the_same_for_each_value(name: str) -> None:
    title, made = cups(), each_value(name)
    assert len({encode((redact_event(title.layout, event, 1), view(title, s, 1))) for s, event in made}) == 1


@pytest.mark.parametrize(("lowest", "highest"), [(0, 10), (9, 10), (10, 128), (100, 130), (1000, 10000), (-1, 5), (5, 4)])
def test_values_of_several_widths_are_refused(lowest: int, highest: int) -> None:
    with pytest.raises(ValueError, match="one width"):
        Values(lowest, highest)


@pytest.mark.parametrize(("lowest", "highest"), [(0, 9), (1, 6), (10, 99), (100, 127), (1000, 9999), (10000, 65535), (4, 4)])
def test_all_values_between_have_the_width_of_the_ends(lowest: int, highest: int) -> None:
    assert len({(len(to_json(n)), len(encode(n))) for n in Values(lowest, highest).range}) == 1


def test_only_hidden_numbers_have_values() -> None:
    class Open(State, array_like=True):
        life: Public[Annotated[int, Values(0, 9)]] = 0

    class Top(State, array_like=True):
        life: OwnerTop[Annotated[list[int], Values(0, 9)]] = []

    class Flag(State, array_like=True):
        life: Hidden[Annotated[bool, Values(0, 1)]] = False

    class Cards(State, array_like=True):
        hand: Owner[Annotated[Pile, Values(0, 9)]] = []

    for state in (Open, Top, Flag, Cards):
        with pytest.raises(TypeError, match="hidden numbers only"):
            values_of(state)


def test_values_are_no_part_of_the_layout() -> None:
    class Plain(State, array_like=True):
        dice: Owner[list[list[int]]] = []

    one, other = (next(iter(fields_of(state))) for state in (Cups, Plain))
    assert one == other


# --- what facts say -----------------------------------------------------------------------------------------------------
def test_dice_are_thrown_together_and_others_see_how_many() -> None:
    s, event = done(begun()[1], "shake")
    owner, other = seen(event, 0), seen(event, 1)
    fate = Rolled(a.fate, -1, tuple(game.FATES))
    assert owner == [Rolled(a.dice[0], tuple(s.dice[0]), (1, 2, 3, 4, 5, 6)), fate] and s.drawn["dice.0"] == 2
    assert other == seen(event, SPECTATOR) == [Rolled(a.dice[0], (-1, -1, -1), (1, 2, 3, 4, 5, 6)), fate]
    assert s.dice[0] == [1 + n for n in CHANCE.several_below(3, 6, "dice.0", 1)]
    assert undo_obstacle(cups().layout, 3, Event(0, event.action, event.facts[:2])) == "chance"


def test_a_hidden_number_is_written_even_if_it_stays_the_same() -> None:
    s = begun()[1]
    _, same = done(s, "bid", NO_BID)
    _, other = done(s, "bid", NO_BID + 50)
    assert seen(same, 0) == [Became(a.bid[0], NO_BID)] and len(same.facts) == len(other.facts)
    assert encode(redact_event(cups().layout, same, 1)) == encode(redact_event(cups().layout, other, 1))


def test_each_seat_is_sent_its_own_of_a_whole_row() -> None:
    t = tiny_table()
    t.set(tiny_at.purse, [4, 5, 6])
    shown = [redact_event(t.title.layout, Event(0, Action("x"), t.facts), audience).facts for audience in (0, 1, SPECTATOR)]
    assert [fact.value for (fact,) in shown] == [(4, -1, -1), (-1, 5, -1), (-1, -1, -1)]    # type: ignore[union-attr]


def test_a_bid_can_be_undone_and_a_look_cannot() -> None:
    s = begun()[1]
    assert undo_obstacle(cups().layout, 3, done(s, "bid", 1100)[1]) is None
    assert undo_obstacle(cups().layout, 3, changes_to(lambda t: t.reveal_number(at.fate, to=[0]))[1]) == "learned"
    assert undo_obstacle(cups().layout, 3, changes_to(lambda t: t.reveal_number(at.dice[0], to=EVERYBODY))[1]) is None
    assert undo_obstacle(cups().layout, 3, changes_to(lambda t: t.reveal_number(at.dice[1], to=[0]))[1]) == "learned"
    assert done(s, "look")[0].fate == s.fate


def test_a_revealed_number_is_known_until_it_is_written_again() -> None:
    title, s = begun()
    minds = [Memory(title, audience, s) for audience in (0, 1)]
    for mind in minds:
        mind.numbers.clear()
    fate, dice = int(a.fate), a.dice[1]
    for verb, known in (("look", [{fate}, set()]), ("lift", [{fate, dice}, {dice}]), ("shake", [{dice}] * 2)):
        before, (s, event) = s, done(s, verb)
        for mind in minds:
            mind.apply(before, event)
        assert [mind.numbers for mind in minds] == known


def test_everybody_knows_what_was_there_before_the_set_up() -> None:
    title = cups()
    blank = title.blank(title.options(), 2)
    s, event = new_game(title, title.options(), 2, CHANCE)
    mind = Memory(title, SPECTATOR, blank)
    assert mind.numbers == {*number_slots(title, blank)}
    mind.apply(blank, event)
    assert mind.numbers == {a.life[0], a.life[1], a.bid[0], a.bid[1]} and s.life == blank.life


def test_a_whole_row_written_anew_is_not_known_any_more() -> None:
    title, s = begun()
    mind = Memory(title, 1, s)
    mind.numbers = {a.bid[0], a.bid[2], a.life[0]}
    mind.apply(s, Event(0, Action("x"), [Became(int(a.bid), (1000, 1000, 1000))]))
    assert mind.numbers == {a.life[0]}


def watching(audience: int, *verbs: str) -> tuple[Cups, Knowledge]:
    """Return an audience's knowledge after seats have done these verbs in turn."""
    title = cups()
    s, event = new_game(title, title.options(), 3, CHANCE)
    mind = Knowledge(title, title.layout, audience, title.options(), 3)
    mind.apply(observe(title.layout, event, s, audience))
    for verb in verbs:
        name, *args = verb.split(":")
        s, event = done(s, name, *map(int, args))
        mind.apply(observe(title.layout, event, s, audience))
    return s, mind


def dealt_often(mind: Knowledge, deals: int = 3000) -> list[Any]:
    sampler, rng = Sampler(mind), Random(7)
    return [sampler.deal(rng) for _ in range(deals)]


def is_even(found: Sequence[Any], among: Sequence[Any]) -> bool:
    counts = Counter(found)
    return {*counts} == {*among} and evenness(counts, dict.fromkeys(among, 1)) > 0.001


def test_hidden_numbers_are_drawn_from_their_values() -> None:
    s, mind = watching(1, "bid:1100", "shake", "hit")
    deals = dealt_often(mind)
    assert all(other.dice[1] == s.dice[1] and other.bid[1] == s.bid[1] and other.life[1] == s.life[1] for other in deals)
    assert is_even([other.fate for other in deals], range(10))
    assert is_even([tuple(other.dice[2][:2]) for other in deals], [*product(range(1, 7), repeat=2)])
    assert is_even([other.life[0] for other in deals], [13])
    assert is_even([other.bid[0] // 50 for other in deals if other.bid[0] < 1200], range(20, 24))


def test_what_was_admitted_of_numbers_is_so_until_they_are_written() -> None:
    _, mind = watching(0, "shake", "hit")           # seat 1 hits seat 2, and all hear that it has not fallen
    assert is_even([other.life[2] for other in dealt_often(mind)], range(11, 20))
    _, mind = watching(0, "shake", "hit", "shake", "shake", "hit")      # and again
    assert is_even([other.life[2] for other in dealt_often(mind)], range(11, 20))


def test_a_revealed_number_is_dealt_until_it_is_written() -> None:
    s, mind = watching(0, "look")
    assert {other.fate for other in dealt_often(mind, 50)} == {s.fate}
    s, mind = watching(0, "look", "lift")
    assert {(other.fate, *other.dice[1]) for other in dealt_often(mind, 50)} == {(s.fate, *s.dice[1])}
    s, mind = watching(0, "look", "lift", "shake")
    deals = dealt_often(mind)
    assert is_even([other.fate for other in deals], range(10)) and {tuple(other.dice[1]) for other in deals} == {(*s.dice[1],)}


# --- wrong moments and wrong values ---------------------------------------------------------------------------------------
WRONG: list[tuple[Callable[[T], object], str]] = [
    (lambda t: t.set(at.bid[0], 999), "999 is no whole number from 1000 to 1200"),
    (lambda t: t.set(at.dice[0], [1, 7]), "7 is no whole number from 1 to 6"),
    (lambda t: t.set(at.bid, [1000, 0, 1000]), "0 is no whole number"),
    (lambda t: t.add(at.life[0], -4), "9 is no whole number from 10 to 19"),
    (lambda t: t.roll(at.fate, range(11)), "10 is no whole number from 0 to 9"),
    (lambda t: t.roll_several(2, at.dice[0], range(7)), "0 is no whole number from 1 to 6"),
    (lambda t: t.roll_several(2, at.dice[0], ()), "some of no values"),
    (lambda t: t.roll_several(2, a.fate, (1, 2)), "no row of numbers"),
    (lambda t: t.roll(a.dice[0], (1, 2)), "no number is there"),
    (lambda t: t.reveal_number(a.dice, to=EVERYBODY), "no number is there"),
    (lambda t: t.reveal_number(at.fate, to=[3]), "3 is no whole number from 0 to 2"),
    (lambda t: t.record(NumbersRevealed(a.bid[0], 1100, (1,))), "1100 is not there"),
]


@pytest.mark.parametrize(("write", "what"), WRONG, ids=[what for _, what in WRONG])
def test_what_does_not_fit_is_refused(write: Callable[[T], object], what: str) -> None:
    t = T(cups(), begun()[1], CHANCE)
    with pytest.raises(RulesError, match=what):
        write(t)
    assert not t.facts


def test_another_seat_and_an_offer_that_was_not_made_are_refused() -> None:
    title, s = begun()
    for seat, action in ((1, Action("shake")), (0, Action("bid", (1001,))), (0, Action("bid", (47,)))):
        with pytest.raises(Illegal):
            decide(title, s, seat, action, CHANCE)
