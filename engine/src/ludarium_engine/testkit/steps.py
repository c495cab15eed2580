"""Play random games step by step and trace each audience's knowledge."""
from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from random import Random
from typing import NamedTuple

from ludarium_engine.kernel import SPECTATOR, Chance, Event, State, act_in_place, clone, new_game, undo_obstacle
from ludarium_engine.kernel.contract import encode, set_preference
from ludarium_engine.kernel.facts import Moved
from ludarium_engine.kernel.scripts import all_pass_names, windows
from ludarium_engine.kernel.slots import REMEMBERED, field_number
from ludarium_engine.testkit.audiences import AnyTitle
from ludarium_engine.testkit.fuzz import Case, chance_of
from ludarium_engine.testkit.memory import Admission, Memory, learned
from ludarium_engine.testkit.sample import random_move

PREFERENCES = 0.05                              # probability that a seat changes a preference to pass


class Step(NamedTuple):
    """An event, the states before and after, and each audience's knowledge before.

    For the set-up, `known` and `numbers` contain the knowledge afterwards, because other worlds redeal the shuffled cards.

    Attributes:
        before: the state before the event.
        event: the event.
        after: the state after the event.
        known: for each audience, the cards whose place it knew.
        heard: for each audience, the answers that were disclosed to it.
        numbers: for each audience, the slots of hidden numbers that it knew.
    """

    before: State
    event: Event
    after: State
    known: dict[int, set[int]]
    heard: dict[int, list[Admission]]
    numbers: Mapping[int, Collection[int]] = {}


def steps_of(case: Case, seed: int, most: int) -> Iterator[Step]:
    """Yield the set-up and at most `most` events of a random game.

    Some of the events are changes of preferences.
    """
    title, rng, chance = case.title, Random(seed), chance_of(seed)
    before = title.blank(case.options, case.seats)
    minds = {audience: Memory(title, audience, before) for audience in (*range(case.seats), SPECTATOR)}
    s, event = new_game(title, case.options, case.seats, chance)
    for nth in range(most + 1):
        numbers = known_numbers(minds)
        known, heard = remembered(minds), {audience: [*mind.admissions] for audience, mind in minds.items()}
        prove_covered(title, before, event, s, known)
        for mind in minds.values():
            mind.apply(before, event)
        step = Step(before, event, s, known if nth else remembered(minds), heard, numbers if nth else known_numbers(minds))
        if nth:
            prove_lasting(title, step, minds)
        yield step
        if s.outcome is not None:
            return
        before = s
        s, event = some_event(title, clone(s), rng, chance)


def log_of(case: Case, seed: int, most: int) -> list[bytes]:
    """Return the encoded events of the game from `steps_of`, up to the first failure."""
    log: list[bytes] = []
    with suppress(Exception):                   # the caller reports the failure
        log.extend(encode(step.event) for step in steps_of(case, seed, most))
    return log


def remembered(minds: dict[int, Memory]) -> dict[int, set[int]]:
    return {audience: set(mind.known) for audience, mind in minds.items()}


def known_numbers(minds: dict[int, Memory]) -> dict[int, set[int]]:
    return {audience: {*mind.numbers} for audience, mind in minds.items()}


def some_event(title: AnyTitle, s: State, rng: Random, chance: Chance) -> tuple[State, Event]:
    names = windows(title)
    if names and rng.random() < PREFERENCES:
        wish = rng.choice(all_pass_names(title, rng.choice(names)))
        return set_preference(title, s, rng.randrange(s.seats), wish, rng.random() < 0.7)
    seat, action = random_move(title, s, rng)
    event = act_in_place(title, s, seat, action, chance)
    return s, event


def prove_lasting(title: AnyTitle, step: Step, minds: dict[int, Memory]) -> None:
    """Assert that an undoable event disclosed only cards that the acting seat knew."""
    if undo_obstacle(title.layout, step.before.seats, step.event) is None:
        for audience, mind in minds.items():
            shown = learned(title, step.after, step.event, audience)    # conclusions from these are not checked
            news = shown - step.known[audience] - step.known[step.event.seat]
            assert not news, f"audience {audience} learned {news} by {step.event.action}, which may be taken back"
            assert len(mind.admissions) == len(step.heard[audience]), f"{step.event.action} admits, and may be taken back"


def prove_covered(title: AnyTitle, before: State, event: Event, after: State, known: dict[int, set[int]]) -> None:
    """Assert that every card that enters a REMEMBERED zone was known to all audiences."""
    for fact in event.facts:
        if isinstance(fact, Moved) and title.layout.fields[field_number(fact.dst)].visibility in REMEMBERED:
            for audience, cards in known.items():
                secret = set(fact.cards) - cards - learned(title, after, event, audience)
                assert not secret, f"audience {audience} never saw {secret}, which went into a covered zone"
