"""Prove non-interference by playing pairs of games that differ only in secrets.

A trial takes a game and an audience (a seat or the spectators) and creates another world, i.e. a game that differs only in
things that the audience may not know. Both worlds continue with the same commands. Everything the audience is sent must be
equal to the byte, namely views, choices, legal offers and redacted events.

In the other world, cards that the audience cannot know are redealt among cards with the same back, hidden numbers are drawn
again from their declared values, and commands name the exchanged cards. Unless numbers are revealed during the trial, other
seats give different answers with secret verbs, and hidden numbers are rolled differently. A world is counted as impossible if a
command is illegal there, if a waiting prompt gains or loses its offers, or if a disclosed answer would have been different.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random

from msgspec.structs import replace

from ludarium_engine.kernel import (
    SPECTATOR,
    Action,
    Chance,
    Event,
    State,
    act_in_place,
    clone,
    decide,
    legal_offers,
    seats_to_act,
)
from ludarium_engine.kernel.choices import CARD
from ludarium_engine.kernel.contract import NEW, PREFER, set_preference
from ludarium_engine.kernel.facts import Admitted, AnyFact, Moved, Preferred, Revealed, Shared, Shuffled, is_addressed
from ludarium_engine.kernel.scripts import Ask
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.testkit.audiences import AnyTitle, Comparison, Moment
from ludarium_engine.testkit.fuzz import Case, Failure, chance_of
from ludarium_engine.testkit.hidden_numbers import (
    NO_NUMBERS,
    HiddenOtherwise,
    Numbers,
    answered_in_secret,
    hidden_otherwise,
    is_possible,
    unchanged_since,
    with_numbers,
    written_anew,
)
from ludarium_engine.testkit.memory import Admission, admitted, all_cards, learned
from ludarium_engine.testkit.memory import swap_cards as cards_redealt
from ludarium_engine.testkit.sample import random_action_of
from ludarium_engine.testkit.steps import Step, log_of, steps_of

FORESIGHT = 3                                   # the most commands with which the two worlds continue
ATTEMPTS = 5                                    # attempts to find a possible world; later ones may change fewer cards
EXCHANGES = 16                                  # exchanges of two cards, to find a world that agrees with all answers
MOST_EVENTS = 300                               # the most events of a game that are tested
NOTHING_HIDDEN, IMPOSSIBLE, SAME, DIFFERS = "nothing hidden", "impossible", "same", "differs"
Swap = dict[int, int]


def trials(observer: Comparison, case: Case, seeds: Sequence[int], every: int = 1) -> Counter[str]:
    """Run trials along random games and count the results.

    Args:
        observer: the comparison of the two worlds.
        case: the title with its options and number of seats.
        seeds: the seed of each game.
        every: the number of steps between two trials for an audience. A trial takes two steps on average.

    Raises:
        Failure: the rules or the proof raised an error.
    """
    return sum((trials_in(observer, case, seed, every) for seed in seeds), Counter[str]())


def trials_in(observer: Comparison, case: Case, seed: int, every: int = 1) -> Counter[str]:
    """Run trials along one game and count the results.

    Raises:
        Failure: the rules or the proof raised an error.
    """
    try:
        return Counter(trials_of(observer, case, seed, every))
    except Exception as error:
        raise Failure(f"{type(error).__name__}: {error}", case, seed, log_of(case, seed, MOST_EVENTS), "prove") from error


def changed(results: Counter[str]) -> float:
    """Return the share of trials that changed a secret, from 0 to 1.

    Trials in which nothing was hidden are ignored.
    """
    hidden = results.total() - results[NOTHING_HIDDEN]
    return (results[SAME] + results[DIFFERS]) / hidden if hidden else 0.0


def trials_of(observer: Comparison, case: Case, seed: int, every: int = 1) -> Iterator[str]:
    return trials_along(observer, [*steps_of(case, seed, MOST_EVENTS)], seed, every)


def pair_trials(observer: Comparison, case: Case, seeds: Sequence[int]) -> dict[tuple[int, int], Counter[str]]:
    """Run trials for each pair of seats and count the results.

    In the trials for the pair (a, b), only cards and numbers that seat b knows differ, and seat a must not notice.
    """
    found = {pair: Counter[str]() for pair in permutations(range(case.seats), 2)}
    for seed in seeds:
        rng, chance, steps = Random(seed), chance_of(seed), [*steps_of(case, seed, MOST_EVENTS)]
        for i in range(len(steps)):
            for (audience, other), results in found.items():
                results[trial(observer, steps[i : i + rng.randint(1, FORESIGHT)], audience, rng, chance, other)] += 1
    return found


def trials_along(observer: Comparison, steps: Sequence[Step], seed: int, every: int = 1) -> Iterator[str]:
    rng, chance = Random(seed), chance_of(seed)
    for i, step in enumerate(steps):
        audiences = (*range(step.after.seats), SPECTATOR)
        for audience in [one for one in audiences if (i + one) % every == 0]:
            yield trial(observer, steps[i : i + rng.randint(1, FORESIGHT)], audience, rng, chance)
        yield from answered_otherwise(observer, step, rng, chance)


def trial(
    observer: Comparison, steps: Sequence[Step], audience: int, rng: Random, chance: Chance, knower: int | None = None
) -> str:
    """Play some steps in both worlds and return the result of the comparison.

    Args:
        observer: the comparison of the two worlds.
        steps: the steps in the true world.
        audience: the audience that must not notice a difference.
        rng: the source of random numbers for the trial.
        chance: the random numbers of the game.
        knower: a seat; if given, only cards and numbers that this seat knows may differ.

    Returns:
        NOTHING_HIDDEN, IMPOSSIBLE, SAME or DIFFERS.
    """
    title, start = observer.title, steps[0]
    told = [learned(title, step.after, step.event, audience) for step in steps]
    unknown = set(all_cards(title, start.before)) - start.known[audience].union(*told)
    unknown &= start.known[knower] if knower is not None else unknown
    heard = [*start.heard[audience], *(one for step in steps for one in admitted(step.before, step.event, audience))]
    other = hidden_otherwise(title, steps, audience, chance, rng, knower)
    result = NOTHING_HIDDEN
    for attempt in range(ATTEMPTS):
        numbers = other.drawn_anew(attempt)
        swap = dealt(title, unknown, heard, rng, attempt, numbers)
        if swap == {} and not other.anything:
            break
        result = IMPOSSIBLE if swap is None else compared(observer, steps, swap, audience, chance, other, numbers)
        if result != IMPOSSIBLE:
            break
    return result


def compared(
    observer: Comparison, steps: Sequence[Step], swap: Swap, audience: int, chance: Chance, hidden: HiddenOtherwise,
    numbers: Numbers,
) -> str:
    """Play the steps in a given other world and return SAME, DIFFERS or IMPOSSIBLE."""
    before, other = steps[0].before, redealt(observer.title, steps[0].before, swap, numbers)
    at_once = steps[0].event.action == NEW      # the state before the set-up is sent to no audience
    if not at_once and observer.distinguishes(Moment(before), Moment(other), audience):
        return DIFFERS
    if numbers and not at_once and not is_possible(observer.title, other):
        return IMPOSSIBLE
    for step in steps:
        happened = repeated(observer.title, step, other, swap, audience, hidden.chance, numbers,
                            hidden.rng if hidden.answers else None)
        if happened is None:
            return IMPOSSIBLE
        after, event, other = happened
        if contradicted(step.event, event, audience):
            return IMPOSSIBLE
        if observer.distinguishes(Moment(step.after, step.event), Moment(after, event), audience):
            return DIFFERS
    return SAME


def answered_otherwise(observer: Comparison, step: Step, rng: Random, chance: Chance) -> Iterator[str]:
    """Replace a sealed answer and yield, for each other audience, SAME or DIFFERS.

    Nothing is yielded unless the step is a sealed answer while other answers are outstanding.
    """
    title, seat, action = observer.title, step.event.seat, step.event.action
    if not waits_under_seal(step):
        return
    answers = [random_action_of(offer, rng) for offer in legal_offers(title, step.before, seat)]
    other = next((answer for answer in answers if answer != action), None)
    if other is None:
        return
    after, event = decide(title, step.before, seat, other, chance)
    for audience in (*range(step.before.seats), SPECTATOR):
        if audience != seat:
            told = observer.distinguishes(Moment(step.after, step.event), Moment(after, event), audience)
            yield DIFFERS if told else SAME


def waits_under_seal(step: Step) -> bool:
    """Return whether the step is a sealed answer while other answers are outstanding."""
    answered = {seat for f in step.after.agenda for seat, _ in f.sealed}
    return step.event.action.verb != PREFER and step.event.seat in answered and len(step.event.facts) == 1


Happened = tuple[State, Event, State]           # the state after the event, the event, the state to continue from


def repeated(
    title: AnyTitle, step: Step, other: State, swap: Swap, audience: int, chance: Chance, numbers: Numbers = NO_NUMBERS,
    rng: Random | None = None,
) -> Happened | None:
    """Repeat a step's command in the other world.

    Args:
        title: the title.
        step: the step in the true world.
        other: the state of the other world before the step.
        swap: the exchanged cards.
        audience: the audience that must not notice a difference.
        chance: the random numbers of the other world.
        numbers: the hidden numbers that differ.
        rng: draws different answers with secret verbs; if None, such answers are repeated unchanged.

    Returns:
        None if the command is impossible in the other world.
    """
    seat, action = step.event.seat, step.event.action
    if action == NEW:
        after = redealt(title, step.after, swap, numbers)
        if numbers and not is_possible(title, after):
            return None
        facts = [written_anew(dealt_anew(title, fact, swap), numbers) for fact in step.event.facts]
        return after, Event(seat, action, facts), after
    if action.verb == PREFER:
        return preferred_otherwise(title, step, other, audience)
    mapped = renamed(title, action, swap)
    if rng and seat != audience and title.verbs[action.verb].secret:
        mapped = answered_in_secret(title, other, seat, mapped, rng)
    possible = seats_to_act(other) == seats_to_act(step.before) and keeps_promises(title, step.before, other)
    if not possible or not any(offer.allows(mapped) for offer in legal_offers(title, other, seat)):
        return None
    after = clone(other)
    event = act_in_place(title, after, seat, mapped, chance)
    return after, event, after


def preferred_otherwise(title: AnyTitle, step: Step, other: State, audience: int) -> Happened:
    """Set the opposite preference of another seat, which the audience must not notice.

    Both worlds continue with the true preference. If the audience itself set the preference, its command is repeated unchanged.
    """
    seat, (fact,) = step.event.seat, step.event.facts
    assert isinstance(fact, Preferred)
    as_it_was, event = set_preference(title, other, seat, fact.window, fact.on)
    if seat == audience:
        return as_it_was, event, as_it_was
    instead = next(p for p in (*range(seat + 1, other.seats), *range(seat + 1)) if p != audience)
    return *set_preference(title, other, instead, fact.window, not fact.on), as_it_was


def contradicted(event: Event, other: Event, audience: int) -> bool:
    """Return whether the events disclose contradictory answers to the audience.

    Only the first pair of different answers is compared.
    """
    heard, instead = ([fact for fact in one.facts if isinstance(fact, Admitted) and is_addressed(fact.to, audience)]
                      for one in (event, other))
    a, b = next(((a, b) for a, b in zip(heard, instead, strict=False) if a != b), (None, None))
    return a is not None and b is not None and replace(a, answer=b.answer) == b


# --- the other world --------------------------------------------------------------------------------------------------
def dealt(
    title: AnyTitle, unknown: set[int], heard: Sequence[Admission], rng: Random, attempt: int, numbers: Numbers = NO_NUMBERS
) -> Swap | None:
    """Redeal unknown cards so that all disclosed answers are still true.

    If a random deal contradicts an answer, the function starts from the true deal and exchanges two cards at a time.

    Returns:
        A mapping from each changed card to the card in its place. The mapping is empty if no two cards could be exchanged; the
        result is None if no suitable deal was found.
    """
    swap = permutation(title, unknown, rng, attempt)
    if not (swap or numbers) or all_admitted(title, heard, swap, numbers):
        return swap
    if not swap:
        return None
    reached = {card: card for card in swap}
    for _ in range(EXCHANGES):
        further = exchanged(title, reached, rng)
        if all_admitted(title, heard, further, numbers):
            reached = further
    return {card: instead for card, instead in reached.items() if card != instead} or None


def exchanged(title: AnyTitle, swap: Swap, rng: Random) -> Swap:
    """Return a copy of the mapping with two more cards of the same back exchanged."""
    one = rng.choice([*swap])
    other = rng.choice([card for card in swap if title.card_back(card) == title.card_back(one)])
    return {**swap, one: swap[other], other: swap[one]}


def all_admitted(title: AnyTitle, heard: Sequence[Admission], swap: Swap, numbers: Numbers = NO_NUMBERS) -> bool:
    """Return whether all disclosed answers are still true in the other world.

    The latest answers are checked first because they rule out most deals.
    """
    return all(as_admitted(title, one, swap, numbers) for one in reversed(heard))


def as_admitted(title: AnyTitle, heard: Admission, swap: Swap, numbers: Numbers) -> bool:
    kinds = title.predicates[heard.fact.what].args
    then = redealt(title, heard.state, swap, unchanged_since(heard.state, numbers))
    return heard.holds_in(title, then, cards_swapped(kinds, heard.fact.args, swap))


def permutation(title: AnyTitle, unknown: set[int], rng: Random, attempt: int = 0) -> Swap:
    """Permute cards with the same back, and return a mapping of the changed cards.

    Attempt 0 permutes all unknown cards, later attempts only a random selection. If no cards can be permuted, the mapping is
    empty.
    """
    backs: dict[int, list[int]] = {}
    for card in sorted(unknown):
        backs.setdefault(title.card_back(card), []).append(card)
    swap: Swap = {}
    for cards in backs.values():
        if len(cards) > 1:
            some = rng.sample(cards, len(cards) if attempt == 0 else rng.randint(2, len(cards)))
            swap.update(zip(some, [*some[1:], some[0]], strict=True))
    return swap


def redealt(title: AnyTitle, s: State, swap: Swap, numbers: Numbers = NO_NUMBERS) -> State:
    """Return a copy of the state with exchanged cards and other numbers."""
    other = cards_redealt(title, with_numbers(s, numbers) if numbers else s, swap)
    other.agenda = [frame_anew(title, f, swap) for f in other.agenda]
    return other


def swapped(cards: Sequence[int], swap: Swap) -> list[int]:
    return [swap.get(card, card) for card in cards]


def frame_anew(title: AnyTitle, f: Frame, swap: Swap) -> Frame:
    """Return the frame with cards exchanged in its picks and sealed answers."""
    picks = zip(title.scripts[f.script].picks, f.picks, strict=True)
    sealed = tuple((seat, renamed(title, action, swap)) for seat, action in f.sealed)
    return replace(f, picks=tuple(swap.get(n, n) if pick.kind == CARD else n for pick, n in picks), sealed=sealed)


def renamed(title: AnyTitle, action: Action, swap: Swap) -> Action:
    """Return the action with its cards exchanged and its other arguments unchanged."""
    verb = title.verbs[action.verb]
    kinds = (*verb.args, *(verb.subset for _ in action.args[len(verb.args) :]))
    return Action(action.verb, cards_swapped(kinds, action.args, swap))


def cards_swapped(kinds: Sequence[str | None], args: Sequence[int], swap: Swap) -> tuple[int, ...]:
    return tuple(swap.get(arg, arg) if kind == CARD else arg for kind, arg in zip(kinds, args, strict=True))


def dealt_anew(title: AnyTitle, fact: AnyFact, swap: Swap) -> AnyFact:
    """Return how a set-up fact reads in the other world."""
    match fact:
        case Moved() | Revealed():
            return replace(fact, cards=tuple(swapped(fact.cards, swap)))
        case Shared(slot, tuple(cards)) if title.layout.slot_kinds[slot] == "pile":
            return replace(fact, value=tuple(swapped(cards, swap)))
        case Shuffled():
            return replace(fact, order=tuple(swapped(fact.order, swap)))
        case _:
            return fact


def keeps_promises(title: AnyTitle, s: State, other: State) -> bool:
    """Return whether each waiting prompt has offers in both worlds or in neither.

    The rules may have created a waiting prompt only because there were offers for it.
    """
    for f in s.agenda[:-1]:
        row = title.scripts[f.script].rows[f.row]
        if isinstance(row, Ask) and bool(row.offers(s, f, f.seat)) != bool(row.offers(other, f, f.seat)):
            return False
    return True
