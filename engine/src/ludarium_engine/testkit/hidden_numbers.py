"""Replace hidden numbers by other values that the title declares as possible.

The non-interference proof uses this to create other worlds, i.e. games that differ only in hidden information.
"""
from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec.structs import replace

from ludarium_engine.kernel import Action, Chance, Event, RulesError, State, Title, clone, legal_offers
from ludarium_engine.kernel.contract import NEW, PREFER
from ludarium_engine.kernel.facts import AnyFact, Became, NumbersRevealed, Rolled, Shared, is_addressed
from ludarium_engine.kernel.known_numbers import number_slots, overlap
from ludarium_engine.kernel.slots import ALL, field_number, read_slot, slot_name, write_slot
from ludarium_engine.testkit.invariants import check_invariants
from ludarium_engine.testkit.memory import depth_at, members_in
from ludarium_engine.testkit.sample import random_action_of
from ludarium_engine.testkit.steps import Step

AnyTitle = Title[Any, Any]
OTHER_SEED = bytes(range(32))


class Drawn(NamedTuple):
    """A number or tuple of numbers, with its value in the true and in the other world."""

    was: Any
    value: Any


Numbers = Mapping[int, Drawn]                   # by slot
NO_NUMBERS: Numbers = MappingProxyType({})


class HiddenOtherwise(NamedTuple):
    """The things apart from cards that may differ between worlds during some steps.

    Attributes:
        title: the title.
        state: the state before the steps, or after the set-up.
        slots: the slots of numbers that the audience does not know when the steps begin and that no step reveals.
        anything: whether there are such numbers, or hidden numbers are chosen or rolled in these steps.
        answers: whether seats may give other answers with secret verbs. This is False if a step reveals numbers, since those
            may have been chosen with such an answer.
        chance: the random numbers of the other world, in which hidden numbers are rolled differently.
        rng: the source of random numbers for the proof.
    """

    title: AnyTitle
    state: State
    slots: Sequence[int]
    anything: bool
    answers: bool
    chance: Chance
    rng: Random

    def drawn_anew(self, attempt: int) -> Numbers:
        """Draw other values for all numbers in attempt 0, or for only some later."""
        if not self.slots:
            return NO_NUMBERS
        rng = self.rng
        some = rng.sample(self.slots, len(self.slots) if attempt == 0 else rng.randint(1, len(self.slots)))
        values = {slot: as_tuple(read_slot(self.state, slot)) for slot in some}
        return {slot: Drawn(value, another(self.title, slot, value, rng)) for slot, value in values.items()}


def hidden_otherwise(
    title: AnyTitle, steps: Sequence[Step], audience: int, chance: Chance, rng: Random, knower: int | None = None
) -> HiddenOtherwise:
    """Return what may differ in other worlds without being revealed to the audience.

    Args:
        title: the title.
        steps: the steps that are played in both worlds.
        audience: the audience that must not notice a difference.
        chance: the random numbers of the true game.
        rng: the source of random numbers for the proof.
        knower: a seat; if given, only numbers that this seat sees may differ.
    """
    start = steps[0]
    at_start = start.after if start.event.action == NEW else start.before
    if not title.values and not any(verb.secret for verb in title.verbs.values()):
        return HiddenOtherwise(title, at_start, (), False, False, chance, rng)
    revealed = revealed_slots([step.event for step in steps], audience)
    if title.layout.groups:
        revealed |= {slot for step in steps for slot in seen_slots(title, step.after, audience)}
    unseen = unknown_slots(title, at_start, audience, revealed)
    unknown = unknown_slots(title, at_start, audience, {*revealed, *start.numbers.get(audience, ())})
    if knower is not None:
        unknown = [slot for slot in unknown if slot in seen_slots(title, at_start, knower)]
    filled = [slot for slot in unknown if read_slot(at_start, slot) != []]
    later = any(rolls(step, unseen) or (not revealed and chooses(title, step, audience)) for step in steps)
    otherwise = other_chance(chance, at_start, unseen)
    return HiddenOtherwise(title, at_start, filled, bool(filled) or later, not revealed, otherwise, rng)


def rolls(step: Step, unseen: Collection[int]) -> bool:
    """Return whether a step rolls the number in one of these slots."""
    return any(isinstance(fact, Rolled) and any(overlap(fact.slot, one) for one in unseen) for fact in step.event.facts)


def chooses(title: AnyTitle, step: Step, audience: int) -> bool:
    """Return whether a seat other than the audience answers with a secret verb."""
    verb = step.event.action.verb
    return step.event.seat != audience and verb not in (PREFER, NEW.verb) and title.verbs[verb].secret


def unknown_slots(title: AnyTitle, s: State, audience: int, known: Collection[int]) -> list[int]:
    """Return the slots of numbers that an audience neither sees nor knows.

    Args:
        title: the title.
        s: the state.
        audience: the audience.
        known: the slots whose numbers the audience knows.
    """
    members = members_in(title, s)
    hidden = [slot for slot in number_slots(title, s) if depth_at(title, slot, audience, members) != ALL]
    return [slot for slot in hidden if not any(overlap(slot, one) for one in known)]


def seen_slots(title: AnyTitle, s: State, audience: int) -> set[int]:
    return {*number_slots(title, s)} - {*unknown_slots(title, s, audience, ())}


def revealed_slots(events: Sequence[Event], audience: int) -> set[int]:
    """Return the slots whose numbers these events reveal to an audience."""
    facts = (fact for event in events for fact in event.facts)
    return {fact.slot for fact in facts if isinstance(fact, NumbersRevealed) and is_addressed(fact.to, audience)}


def as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def another(title: AnyTitle, slot: int, value: Any, rng: Random) -> Any:
    """Return a random declared value of the same shape as `value`."""
    values = title.values[field_number(slot)]
    return tuple([rng.choice(values) for _ in value]) if isinstance(value, tuple) else rng.choice(values)


def with_numbers(s: State, numbers: Numbers) -> State:
    """Return a copy of the state with the numbers replaced."""
    other = clone(s)
    for slot, drawn in numbers.items():
        write_slot(Became(slot, drawn.value), other)
    return other


def unchanged_since(then: State, numbers: Numbers) -> Numbers:
    """Return the numbers that already had the same value in an earlier state."""
    return {slot: drawn for slot, drawn in numbers.items() if as_tuple(read_slot(then, slot)) == drawn.was}


def written_anew(fact: AnyFact, numbers: Numbers) -> AnyFact:
    """Return how a set-up fact reads in a world with other numbers."""
    if isinstance(fact, Became | Rolled | Shared) and fact.slot in numbers and fact.value == numbers[fact.slot].was:
        return replace(fact, value=numbers[fact.slot].value)
    return fact


def answered_in_secret(title: AnyTitle, s: State, seat: int, action: Action, rng: Random) -> Action:
    """Return a random legal action with the same verb, or `action` if none is legal."""
    offers = [offer for offer in legal_offers(title, s, seat) if offer.verb == action.verb]
    return random_action_of(rng.choice(offers), rng) if offers else action


def is_possible(title: AnyTitle, s: State) -> bool:
    """Return whether a state satisfies the title's invariants."""
    try:
        check_invariants(title, s)
    except RulesError:
        return False
    return True


class OtherChance(Chance):
    """A source of random numbers with another seed for the streams of hidden numbers."""

    def __init__(self, chance: Chance, streams: Collection[str]) -> None:
        super().__init__(chance.seed)
        self.other, self.streams = Chance(OTHER_SEED), streams

    def numbers(self, stream: str, nth: int) -> Iterator[int]:
        return self.other.numbers(stream, nth) if stream in self.streams else super().numbers(stream, nth)


def other_chance(chance: Chance, s: State, slots: Collection[int]) -> Chance:
    """Return a source of random numbers that rolls the numbers of these slots anew."""
    return OtherChance(chance, {slot_name(s, slot) for slot in slots}) if slots else chance
