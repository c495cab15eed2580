"""Pairs of games that differ only in something that some audiences may not know."""

import hmac
from collections.abc import Callable, Collection, Iterator
from itertools import chain
from random import Random
from typing import NamedTuple

from ludarium_engine.kernel import SPECTATOR, Action, Chance, Event, State, clone, evolve, legal_offers, new_game
from ludarium_engine.kernel.contract import act_in_place
from ludarium_engine.kernel.facts import AnyFact, Shuffled
from ludarium_engine.kernel.slots import entry_index, field_number
from ludarium_engine.testkit.audiences import AnyTitle
from ludarium_engine.testkit.fuzz import Case
from ludarium_engine.testkit.memory import Memory, all_cards, depth_at, learned
from ludarium_engine.testkit.noninterference import (
    Swap,
    contradicted,
    dealt_anew,
    permutation,
    renamed,
    repeated,
    waits_under_seal,
)
from ludarium_engine.testkit.sample import random_action_of, random_move
from ludarium_engine.testkit.steps import Step
from tests.support.people import Json

ATTEMPTS = 20
"""Deals that are tried for one game."""
GAMES = 50
"""Games that are tried."""


class NoSuchWorlds(Exception):
    """An error for a pair of games that was not found.

    The title may have no such secret, or rarely.
    """


class Move(NamedTuple):
    seat: int
    answer: Json


class World(NamedTuple):
    """A game, whose `begun` has the facts of the setup."""

    begun: list[AnyFact]
    moves: list[Move]


class Worlds(NamedTuple):
    """A pair of games.

    Attributes:
        seed: The seed of both tables, so that both draw the same random numbers.
        secrets: Zones in which some seats see different cards in the two games.
    """

    case: Case
    seed: bytes
    pair: tuple[World, World]
    secrets: frozenset[str] = frozenset()


Told = tuple[World, list[State]]


def dealt_otherwise(case: Case, rng: Random, blind: Collection[int], length: int) -> Worlds:
    """Make a pair of games that differ in cards that no audience of `blind` ever sees.

    Some of the cards are in the hand of another seat.
    """
    return found(lambda: another_deal(case, rng, blind, length))


def answered_otherwise(case: Case, rng: Random, blind: Collection[int], most: int) -> Worlds:
    """Make a pair that differs in a last, sealed answer of a seat outside `blind`.

    Args:
        most: The maximum number of moves.
    """
    return found(lambda: another_answer(case, rng, blind, most))


def gone_otherwise(case: Case, rng: Random, common: int, apart: int) -> Worlds:
    """Make a pair of games with `common` equal moves and then `apart` different ones."""
    return found(lambda: another_way(case, rng, common, apart))


def found(search: Callable[[], Worlds | None]) -> Worlds:
    for _ in range(GAMES):
        if worlds := search():
            return worlds
    raise NoSuchWorlds(f"none in {GAMES} games")


# --- another deal -----------------------------------------------------------------------------------------------------
def another_deal(case: Case, rng: Random, blind: Collection[int], length: int) -> Worlds | None:
    title, seed = case.title, rng.randbytes(32)
    chance = chance_of(seed, case.seats)
    steps = played(case, chance, rng, length)
    unknown = set(all_cards(title, steps[0].before)).difference(*(seen_by(title, steps, audience) for audience in blind))
    for attempt in range(ATTEMPTS):
        other = retold(title, steps, unknown, rng, chance, attempt, blind)
        if other is None or steps[-1].after.outcome is not None:
            continue
        pairs = zip(steps, other[1], strict=True)
        secrets = frozenset[str]().union(*(other_hands(title, step.after, state, blind) for step, state in pairs))
        if secrets:
            return Worlds(case, seed, (world(title, steps), other[0]), secrets)
    return None


def seen_by(title: AnyTitle, steps: list[Step], audience: int) -> set[int]:
    """Return the cards that the audience knows after the setup or learns later."""
    mind = Memory(title, audience, steps[0].before)
    mind.apply(steps[0].before, steps[0].event)
    return mind.known.union(*(learned(title, step.after, step.event, audience) for step in steps[1:]))


def retold(
    title: AnyTitle, steps: list[Step], unknown: set[int], rng: Random, chance: Chance, attempt: int, blind: Collection[int]
) -> Told | None:
    """Replay the game after different shuffles.

    Returns:
        The game and its states, or None if a move is impossible or an audience of `blind` would notice.
    """
    begun, swap = shuffled_otherwise(title, steps[0].event.facts, unknown, rng, attempt)
    states = [evolve(clone(steps[0].before), Event(SPECTATOR, steps[0].event.action, begun))]
    moves = list[Move]()
    for step in steps[1:]:
        happened = repeated(title, step, states[-1], swap, step.event.seat, chance)
        if happened is None or any(contradicted(step.event, happened[1], audience) for audience in blind):
            return None
        moves.append(move(title, states[-1], step.event.seat, renamed(title, step.event.action, swap)))
        states.append(clone(happened[0]))
    return World(begun, moves), states


def shuffled_otherwise(
    title: AnyTitle, facts: list[AnyFact], unknown: set[int], rng: Random, attempt: int
) -> tuple[list[AnyFact], Swap]:
    """Change the results of shuffles in the setup.

    Each card changes places with a card that has the same back and was last shuffled with it.

    Returns:
        The new facts, and the cards that changed places.
    """
    last = {card: nth for nth, fact in enumerate(facts) if isinstance(fact, Shuffled) for card in fact.order}
    swap: Swap = {}
    for nth in {*last.values()}:
        swap |= permutation(title, {card for card in unknown if last.get(card) == nth}, rng, attempt)

    def after(nth: int, fact: AnyFact) -> AnyFact:
        return dealt_anew(title, fact, {card: other for card, other in swap.items() if last[card] <= nth})

    return [after(nth, fact) for nth, fact in enumerate(facts)], swap


def other_hands(title: AnyTitle, one: State, other: State, blind: Collection[int]) -> set[str]:
    """Return the zones in which a seat outside `blind` sees different own cards."""
    pairs = zip(title.layout.piles(one), title.layout.piles(other), strict=True)
    own = [(slot, entry_index(slot)) for (slot, a), (_, b) in pairs if a != b and entry_index(slot) not in (-1, *blind)]
    return {
        title.layout.fields[field_number(slot)].name
        for slot, seat in own if depth_at(title, slot, seat) > depth_at(title, slot, SPECTATOR)
    }  # fmt: skip


# --- other moves ------------------------------------------------------------------------------------------------------
def another_answer(case: Case, rng: Random, blind: Collection[int], most: int) -> Worlds | None:
    title, seed = case.title, rng.randbytes(32)
    steps = played(case, chance_of(seed, case.seats), rng, most)
    for nth, step in enumerate(steps[1:], 1):
        seat, action = step.event.seat, step.event.action
        if seat not in blind and waits_under_seal(step):
            answers = [random_action_of(offer, rng) for offer in legal_offers(title, step.before, seat)]
            others = [answer for answer in answers if answer != action]
            if others:
                one = world(title, steps[: nth + 1])
                other = World(one.begun, [*one.moves[:-1], move(title, step.before, seat, rng.choice(others))])
                return Worlds(case, seed, (one, other))
    return None


def another_way(case: Case, rng: Random, common: int, apart: int) -> Worlds | None:
    title, seed = case.title, rng.randbytes(32)
    chance = chance_of(seed, case.seats)
    steps = played(case, chance, rng, common)
    ways = [[*onwards(title, steps[-1].after, chance, rng, apart)] for _ in range(2)]
    if any(step.after.outcome is not None for step in chain(steps, *ways)):
        return None
    one, other = (world(title, [*steps, *way]) for way in ways)
    return Worlds(case, seed, (one, other)) if one.moves[common:] != other.moves[common:] else None


# --- games ------------------------------------------------------------------------------------------------------------
def chance_of(seed: bytes, seats: int) -> Chance:
    """Return the random source of a table with this seed and no nonces of seats."""
    return Chance(hmac.digest(seed, b"chance" + bytes(32 * seats), "sha256"))


def played(case: Case, chance: Chance, rng: Random, length: int) -> list[Step]:
    """Play the setup and `length` moves, and return the steps."""
    before = case.title.blank(case.options, case.seats)
    after, event = new_game(case.title, case.options, case.seats, chance)
    return [Step(before, event, clone(after), {}, {}), *onwards(case.title, after, chance, rng, length)]


def onwards(title: AnyTitle, s: State, chance: Chance, rng: Random, length: int) -> Iterator[Step]:
    for _ in range(length):
        if s.outcome is not None:
            return
        before, after = clone(s), clone(s)
        seat, action = random_move(title, before, rng)
        event = act_in_place(title, after, seat, action, chance)
        yield Step(before, event, clone(after), {}, {})
        s = after


def world(title: AnyTitle, steps: list[Step]) -> World:
    moves = [move(title, step.before, step.event.seat, step.event.action) for step in steps[1:]]
    return World(steps[0].event.facts, moves)


def move(title: AnyTitle, s: State, seat: int, action: Action) -> Move:
    """Return a move in the form in which clients send it."""
    offer = next(offer for offer in legal_offers(title, s, seat) if offer.allows(action))
    return Move(seat, {"id": offer.id, "subset": [*action.args[len(offer.args) :]]})
