"""Random games, step by step, with what everybody knows before each step."""
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

PREFERENCES = 0.05                              # how often a seat changes what it always passes


class Step(NamedTuple):
    """before, after: the states around an event; known, heard: by audience, what it knew before of cards and of admissions.
    numbers: by audience, the slots whose hidden numbers it knew.

    Of the set-up it is what is known after it: what was shuffled then is dealt anew in the other world.
    """

    before: State
    event: Event
    after: State
    known: dict[int, set[int]]
    heard: dict[int, list[Admission]]
    numbers: Mapping[int, Collection[int]] = {}


def steps_of(case: Case, seed: int, most: int) -> Iterator[Step]:
    """The set-up, then at most `most` events of a random game in which seats change now and then what they always pass."""
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
    """The events of such a game, as far as the rules and what is proven of each step hold."""
    log: list[bytes] = []
    with suppress(Exception):                   # whoever asks for the log knows what broke
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
    """Whoever acts cannot take back freely what told anybody something that this seat did not know."""
    if undo_obstacle(title.layout, step.before.seats, step.event) is None:
        for audience, mind in minds.items():
            shown = learned(title, step.after, step.event, audience)    # what follows from that stands in no fact
            news = shown - step.known[audience] - step.known[step.event.seat]
            assert not news, f"audience {audience} learned {news} by {step.event.action}, which may be taken back"
            assert len(mind.admissions) == len(step.heard[audience]), f"{step.event.action} admits, and may be taken back"


def prove_covered(title: AnyTitle, before: State, event: Event, after: State, known: dict[int, set[int]]) -> None:
    """What REMEMBERED claims: everybody knew each card that goes in; so what such a pile hides is no secret."""
    for fact in event.facts:
        if isinstance(fact, Moved) and title.layout.fields[field_number(fact.dst)].visibility in REMEMBERED:
            for audience, cards in known.items():
                secret = set(fact.cards) - cards - learned(title, after, event, audience)
                assert not secret, f"audience {audience} never saw {secret}, which went into a covered zone"
