"""Non-interference: two worlds that agree on all that an audience may know go on with the same commands, and everything
the audience gets stays equal to the byte: views, choices, what is legal, its slice of the log.

The other world is the same state with the cards that the audience cannot know dealt anew among those of one back, and the
same commands with these cards renamed alike. A world in which such a command is not possible, or in which somebody was
promised a choice that is none, is left out and counted.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from msgspec.structs import replace

from engine.kernel import PREFER, SPECTATOR, Action, Chance, Event, State, act, clone, legal, prefer, seats_to_act
from engine.kernel.contract import NEW, encode
from engine.kernel.facts import AnyFact, Moved, Preferred, Revealed, Shuffled, Uncovered
from engine.kernel.places import Frame
from engine.kernel.scripts import Ask
from engine.kernel.title import CARD
from engine.proof.eyes import AnyTitle, Eyes
from engine.proof.fuzz import Case, cards_of, chance_of
from engine.proof.memory import learned
from engine.proof.steps import Step, steps_of

FORESIGHT = 3                                   # how many commands the two worlds go on together, at most
MOST_EVENTS = 300                               # of a game that is looked at
NOTHING_HIDDEN, IMPOSSIBLE, UNCHANGED, SAME, DIFFERS = "nothing hidden", "impossible", "unchanged", "same", "differs"
Swap = dict[int, int]


def trials(eyes: Eyes, case: Case, seeds: Sequence[int]) -> Counter[str]:
    """Results for every seat and the spectators, at every step of random games."""
    return Counter(result for seed in seeds for result in trials_of(eyes, case, seed))


def trials_of(eyes: Eyes, case: Case, seed: int) -> Iterator[str]:
    luck, chance = Random(seed), chance_of(seed)
    steps = list(steps_of(case, seed, MOST_EVENTS))
    for i in range(len(steps)):
        for audience in (*range(case.seats), SPECTATOR):
            yield trial(eyes, steps[i : i + luck.randint(1, FORESIGHT)], audience, luck, chance)


def trial(eyes: Eyes, steps: Sequence[Step], audience: int, luck: Random, chance: Chance) -> str:
    """Whether the audience can tell the world of these steps from another one."""
    title, start = eyes.title, steps[0]
    told = [learned(title, step.after, step.event, audience) for step in steps]
    unknown = set(cards_of(title, start.before)) - start.known[audience].union(*told)
    swap = permutation(title, unknown, luck)
    if all(a == b for a, b in swap.items()):
        return NOTHING_HIDDEN
    other = redealt(title, start.before, swap)
    if encode(other) == encode(start.before):
        return UNCHANGED
    if eyes.slice(start.before, None, audience) != eyes.slice(other, None, audience):
        return DIFFERS
    return go_on(eyes, steps, other, swap, audience, chance)


def go_on(eyes: Eyes, steps: Sequence[Step], other: State, swap: Swap, audience: int, chance: Chance) -> str:
    for step in steps:
        happened = repeated(eyes.title, step, other, swap, audience, chance)
        if happened is None:
            return IMPOSSIBLE
        after, event, other = happened
        if eyes.slice(step.after, step.event, audience) != eyes.slice(after, event, audience):
            return DIFFERS
    return SAME


Happened = tuple[State, Event, State]           # after the event, the event, and the state to go on from


def repeated(
    title: AnyTitle, step: Step, other: State, swap: Swap, audience: int, chance: Chance
) -> Happened | None:
    """The step's command in the other world; None if it is not possible there."""
    seat, action = step.event.seat, step.event.action
    if action == NEW:
        after = redealt(title, step.after, swap)
        return after, Event(seat, action, [dealt_anew(fact, swap) for fact in step.event.facts]), after
    if action.verb == PREFER:
        return preferred_otherwise(title, step, other, audience)
    mapped = renamed(title, action, swap)
    possible = seats_to_act(other) == seats_to_act(step.before) and keeps_promises(title, step.before, other)
    if not possible or not any(offer.allows(mapped) for offer in legal(title, other, seat)):
        return None
    after = clone(other)
    event = act(title, after, seat, mapped, chance)
    return after, event, after


def preferred_otherwise(title: AnyTitle, step: Step, other: State, audience: int) -> Happened:
    """Somebody else's preference is turned round, which nobody may notice; then both worlds go on with the same one."""
    seat, (fact,) = step.event.seat, step.event.facts
    assert isinstance(fact, Preferred)
    after, event = prefer(title, other, seat, fact.window, fact.on if seat == audience else not fact.on)
    return after, event, prefer(title, other, seat, fact.window, fact.on)[0]


# --- the other world --------------------------------------------------------------------------------------------------
def permutation(title: AnyTitle, unknown: set[int], luck: Random) -> Swap:
    """Cards dealt anew among those of one back, never all as they were if that can be helped."""
    backs: dict[int, list[int]] = {}
    for card in sorted(unknown):
        backs.setdefault(title.back(card), []).append(card)
    swap: Swap = {}
    for cards in backs.values():
        dealt = luck.sample(cards, len(cards))
        swap.update(zip(cards, dealt if dealt != cards else [*cards[1:], cards[0]], strict=True))
    return swap


def redealt(title: AnyTitle, s: State, swap: Swap) -> State:
    other = clone(s)
    for f in title.layout.fields:
        if f.cards:
            zone = getattr(other, f.name)
            dealt = swapped(zone, swap) if f.kind == "pile" else [swapped(pile, swap) for pile in zone]
            setattr(other, f.name, dealt)
    other.agenda = [sealed_anew(title, f, swap) for f in other.agenda]
    return other


def swapped(cards: Sequence[int], swap: Swap) -> list[int]:
    return [swap.get(card, card) for card in cards]


def sealed_anew(title: AnyTitle, f: Frame, swap: Swap) -> Frame:
    return replace(f, sealed=tuple((seat, renamed(title, action, swap)) for seat, action in f.sealed))


def renamed(title: AnyTitle, action: Action, swap: Swap) -> Action:
    """The action with the cards in it swapped; other arguments stay."""
    verb = title.verbs[action.verb]
    kinds = (*verb.args, *(verb.subset for _ in action.args[len(verb.args) :]))
    pairs = zip(kinds, action.args, strict=True)
    return Action(action.verb, tuple(swap.get(arg, arg) if kind == CARD else arg for kind, arg in pairs))


def dealt_anew(fact: AnyFact, swap: Swap) -> AnyFact:
    """A fact of the set-up, as it is in the other world."""
    match fact:
        case Moved() | Revealed():
            return replace(fact, cards=tuple(swapped(fact.cards, swap)))
        case Shuffled():
            return replace(fact, order=tuple(swapped(fact.order, swap)))
        case Uncovered():
            return replace(fact, card=swap.get(fact.card, fact.card))
        case _:
            return fact


def keeps_promises(title: AnyTitle, s: State, other: State) -> bool:
    """A question that waits beneath, because a look ahead said it has an answer, has one in the other world too."""
    for f in s.agenda[:-1]:
        row = title.scripts[f.script].rows[f.row]
        if isinstance(row, Ask) and bool(row.options(s, f, f.seat)) != bool(row.options(other, f, f.seat)):
            return False
    return True
