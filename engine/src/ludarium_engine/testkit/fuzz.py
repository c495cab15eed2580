"""Play random games and check all invariants after every event."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import msgspec

from ludarium_engine.kernel import (
    SPECTATOR,
    Chance,
    Event,
    Illegal,
    Offer,
    State,
    Title,
    checked_options,
    decide,
    evolve,
    legal_offers,
    new_game,
    redact_event,
    seats_to_act,
)
from ludarium_engine.kernel.contract import encode
from ludarium_engine.kernel.decoding import msgpack_decoder
from ludarium_engine.kernel.describe import action_of, describe_choice, describe_facts, describe_view
from ludarium_engine.kernel.fact_checks import divided_teams
from ludarium_engine.kernel.known_numbers import number_slots
from ludarium_engine.kernel.slots import field_number, read_slot, slot_name
from ludarium_engine.testkit.invariants import check_invariants
from ludarium_engine.testkit.memory import all_cards
from ludarium_engine.testkit.position_names import named_event, position
from ludarium_engine.testkit.redacted_fold import fold
from ludarium_engine.testkit.sample import random_action

DECODE = msgpack_decoder(Event)
DESCRIBED_EVERY = 10                            # the number of events from one check of API views to the next
AnyTitle = Title[Any, Any]


class Game(NamedTuple):
    """A finished random game; `log` holds the encoded events."""

    log: list[bytes]
    outcome: list[int]


class Failure(AssertionError):
    """A failed check, with everything needed to reproduce the failure."""

    def __init__(self, what: str, case: Case, seed: int, log: list[bytes], tool: str = "fuzz") -> None:
        """Compose the error message.

        Args:
            what: what failed.
            case: the title with its options and number of seats.
            seed: the seed of the game.
            log: the encoded events before the failure.
            tool: the subcommand of `ludarium-engine` that found the failure.
        """
        super().__init__(f"{case.title.id} {dict(case.raw)}, {case.seats} seats, seed {seed}, event {len(log)}: {what}")
        self.case, self.seed, self.log, self.tool = case, seed, log, tool

    def report(self) -> dict[str, Any]:
        """Return the failed game as JSON data, to be saved as a test fixture."""
        case = {"ruleset": self.case.title.id, "options": dict(self.case.raw), "seats": self.case.seats}
        return {**case, "seed": self.seed, "what": str(self), "events": [readable(row) for row in self.log]}

    def explain(self) -> str:
        """Describe the failure, the last command, the position, and how to reproduce it."""
        return "\n".join([str(self), *self.scene(), f"again: {self.case.command(self.tool, self.seed)}"])

    def scene(self) -> list[str]:
        """Return lines that describe the last event and the position after the event."""
        title, case = self.case.title, self.case
        try:
            events = [*map(DECODE, self.log)]
            s = fold(title, case.options, case.seats, events)
            return [f"after {named_event(title, events[-1])}", *position(title, s)] if events else []
        except Exception as error:              # the position may depend on the code that failed
            return [f"the position cannot be told: {type(error).__name__}: {error}"]


def readable(row: bytes) -> Any:
    """Return a stored event as JSON data, or in hexadecimal if it cannot be read."""
    try:
        return msgspec.to_builtins(DECODE(row))
    except msgspec.MsgspecError:
        return row.hex()


class Case(NamedTuple):
    """A title with options and a number of seats."""

    title: AnyTitle
    raw: Mapping[str, Any]
    seats: int

    @property
    def options(self) -> Any:
        return checked_options(self.title, self.raw, self.seats)

    def command(self, tool: str, seed: int) -> str:
        """Return the shell command that replays a game with this seed and seat count."""
        return f"ludarium-engine {tool} {self.title.id} --games 1 --seats {self.seats} --seed {seed}"


def cases(title: AnyTitle, seats: range | None = None) -> list[Case]:
    """Return a case for each variant and each number of seats that the options allow.

    Args:
        title: the title.
        seats: the numbers of seats to use; by default all that the title allows.
    """
    return [Case(title, raw, n) for raw in title.variants for n in seats or title.seats if fits(title, raw, n)]


def fits(title: AnyTitle, raw: Mapping[str, Any], seats: int) -> bool:
    try:
        checked_options(title, raw, seats)
    except Illegal:
        return False
    return True


def chance_of(seed: int) -> Chance:
    return Chance(seed.to_bytes(32, "big"))


def play(case: Case, seed: int) -> Game:
    """Play a random game with all checks.

    Raises:
        Failure: a check failed or the rules raised an error.
    """
    log: list[bytes] = []
    try:
        return Game(log, checked_game(case, seed, log))
    except Exception as error:
        raise Failure(f"{type(error).__name__}: {error}", case, seed, log) from error


def checked_game(case: Case, seed: int, log: list[bytes]) -> list[int]:
    """Play a random game with all checks and return the outcome.

    Args:
        case: the title with its options and number of seats.
        seed: the seed of the game and of the players' decisions.
        log: a list to which the encoded events are appended, even if a check fails.
    """
    title, options = case.title, case.options
    rng, chance = Random(seed), chance_of(seed)
    s, event = new_game(title, options, case.seats, chance)
    shadow = title.blank(options, case.seats)
    cards = all_cards(title, shadow)
    while True:
        log.append(encode(event))
        evolve(shadow, DECODE(log[-1]))
        check(title, s, shadow, cards)
        if len(log) % DESCRIBED_EVERY == 1:
            check_described(title, s, event)
        if s.outcome is not None:
            break
        assert len(log) < title.most_events, "the game does not end"
        offers = checked_offers(title, s)
        seat = rng.choice([*offers])
        s, event = decide(title, s, seat, random_action(offers[seat], rng), chance)     # on the state that was checked
    again = fold(without_rules(title), options, case.seats, map(DECODE, log))
    assert encode(again) == encode(s), "the log folds to another state"
    return list(s.outcome)


def without_rules(title: AnyTitle) -> AnyTitle:
    """Return the title with its rules removed, to check that folding runs no rules."""
    return replace(title, scripts={}, setup=no_rule, rematch=no_rule, check_options=no_rule, invariants=no_rule)


def no_rule(*args: object) -> Any:
    raise AssertionError("a fold has run a rule")


def check(title: AnyTitle, s: State, shadow: State, cards: list[int]) -> None:
    """Assert everything that must be true after an event.

    Args:
        title: the title.
        s: the state after the event.
        shadow: the state folded from the stored events.
        cards: the sorted ids of all cards in the game.
    """
    assert encode(shadow) == encode(s), "the fold of the stored events is not the live state"
    assert all_cards(title, s) == cards, "cards were lost or made"
    check_numbers(title, s)
    check_invariants(title, s)
    check_teams(title, s)
    if s.outcome is not None:
        assert not s.agenda and len(s.outcome) == s.seats, "an outcome that is none"
        assert 1 in s.outcome or s.seats == 1, "an outcome without a winner"      # a solo game can be lost


def check_teams(title: AnyTitle, s: State) -> None:
    """Assert that a title with teams has at least two and ranks team members equally."""
    teams = title.teams(s.options, s.seats) if title.teams else ()
    if title.teams:
        assert len(teams) == s.seats and len({*teams}) > 1, f"{teams} are no teams for {s.seats} seats"
        assert not divided_teams(teams, title.standing(s)), "members of a team would have different places"


def checked_offers(title: AnyTitle, s: State) -> dict[int, list[Offer]]:
    """Check the offers to all seats that must act and return them, keyed by seat."""
    offers = {seat: legal_offers(title, s, seat) for seat in seats_to_act(s)}
    assert offers, "nobody is asked"
    for seat, its in offers.items():
        assert its, f"seat {seat} is asked and offered nothing"
        assert all(in_range(title, offer) for offer in its), "an argument is outside of its verb's range"
        assert len({(offer.verb, offer.args) for offer in its}) == len(its), "two offers of one id"
    return offers


def in_range(title: AnyTitle, offer: Offer) -> bool:
    ranges = title.verbs[offer.verb].ranges
    return all(numbers is None or arg in numbers for arg, numbers in zip(offer.args, ranges, strict=True))


def check_numbers(title: AnyTitle, s: State) -> None:
    """Assert that numbers are not below their minimum and have declared values."""
    for f in title.layout.fields:
        lowest = title.lowest.get(f.name, 0)
        if not f.holds_cards:
            assert least(getattr(s, f.name), lowest) >= lowest, f"{f.name} fell below {lowest}"
    for slot in number_slots(title, s):
        values, there = title.values[field_number(slot)], read_slot(s, slot)
        assert all(n in values for n in (there if isinstance(there, list) else [there])), f"{slot_name(s, slot)} is {there}"


def least(value: Any, none: int) -> Any:
    """Return the smallest number in a (nested) list, or `none` for an empty list."""
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], list):
        return min(least(part, none) for part in value)
    return min(value, default=none)


def check_described(title: AnyTitle, s: State, event: Event) -> None:
    """Check that views, facts and scores can be encoded and that offer ids can be parsed."""
    for audience in (*range(s.seats), SPECTATOR):
        msgspec.json.encode(describe_view(title, s, audience))
        msgspec.json.encode(describe_facts(title, redact_event(title.layout, event, audience)))
    msgspec.json.encode(title.scores(s))
    for seat in range(s.seats):
        choice = describe_choice(title, s, seat)
        for offer in choice.offers if choice else ():
            action = action_of(offer.id)
            assert (action.verb, [*action.args]) == (offer.verb, offer.args), offer.id
