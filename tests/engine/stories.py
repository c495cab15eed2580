"""Find faults in the story of an event, for the tests of every title.

The story is the text that describes an event for players.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ludarium_engine.kernel import SPECTATOR, Event, State, Title, redact_event
from ludarium_engine.kernel.bodies import Message, Piece
from ludarium_engine.kernel.choices import NUMBER
from ludarium_engine.kernel.contract import PREFER, asking_row
from ludarium_engine.kernel.facts import Admitted, Counted, Moved, Said, Told, Unsealed
from ludarium_engine.kernel.scripts import Sealed
from ludarium_engine.kernel.slots import field_number
from ludarium_engine.story.lines import LineBody, lines, pointers

AnyTitle = Title[Any, Any]
OF_ALL = {"story.turn", "story.over"}           # messages that no title has to provide


def faults(title: AnyTitle, before: State, event: Event) -> list[str]:
    return [*generic(title, before.seats, event), *wrong_heads(title, before, event), *wrong_numbers(title, event)]


def generic(title: AnyTitle, seats: int, event: Event) -> Iterator[str]:
    """Yield visible facts for which the title has no message."""
    for audience in (*range(seats), SPECTATOR):
        for line in lines(title, redact_event(title.layout, event, audience)):
            if line.message.id.startswith("story.") and line.message.id not in OF_ALL:
                yield f"to {audience} nothing is said of {in_short(line.message)}"


def in_short(message: Message) -> str:
    """Name the zones, entries and amounts of a generic message, such as "hand 1 → bag 5"."""
    named = [short(piece) for piece in message.params if piece.kind != "cards"]
    return " → ".join(named) if message.id == "story.moved" else f"{message.id.removeprefix('story.')}: {', '.join(named)}"


def short(piece: Piece) -> str:
    return f"{piece.zone} {piece.value}" if piece.kind == "slot" else str(piece.value).removeprefix("zone.")


# --- actors -------------------------------------------------------------------------------------------------------------
def wrong_heads(title: AnyTitle, before: State, event: Event) -> Iterator[str]:
    """Yield decisions that no line reports under the name of the player."""
    told = lines(title, redact_event(title.layout, event, SPECTATOR))
    unsealed = [seat for fact in event.facts if isinstance(fact, Unsealed) for seat in fact.seats]
    if event.action.verb == PREFER or event.seat == SPECTATOR:
        return
    if not isinstance(asking_row(title, before.agenda[-1]), Sealed):
        if not told or told[0].seat != event.seat:
            yield f"{event.action} of seat {event.seat} is not told first, under its name: {told[:1]}"
    elif missing := {*unsealed} - {line.seat for line in before_the_turn(told)}:
        yield f"of the answers of {missing} nothing is said"


def before_the_turn(told: list[LineBody]) -> list[LineBody]:
    turns = [nth for nth, line in enumerate(told) if line.turn]
    return told[: turns[0]] if turns else told


# --- numbers ------------------------------------------------------------------------------------------------------------
def wrong_numbers(title: AnyTitle, event: Event) -> Iterator[str]:
    """Yield cards that are mentioned twice, and amounts that contradict a sentence."""
    often = Counter(nth for fact in event.facts for cards in pointers(fact) for nth in cards)
    for nth, fact in enumerate(event.facts):
        if isinstance(fact, Moved) and often[nth] > 1:
            yield f"{fact} is told of {often[nth]} times"
    changes: Counter[int] = Counter()
    for fact in event.facts:
        if isinstance(fact, Counted):
            changes[fact.slot] += fact.by
        elif isinstance(fact, Said | Told | Admitted):
            yield from unaccounted(title, fact, changes)
            changes.clear()


def unaccounted(title: AnyTitle, sentence: Said | Told | Admitted, changes: Counter[int]) -> Iterator[str]:
    """Yield changes that the sentence does not mention.

    A change by one may be part of the sentence's wording.
    """
    drawn = {spot.zone for spot in title.spots}
    said = numbers_of(title, sentence)
    for slot, by in changes.items():
        if abs(by) > 1 and abs(by) not in said and title.layout.fields[field_number(slot)].name in drawn:
            yield f"{sentence} does not say that {title.layout.fields[field_number(slot)].name} changes by {by}"


def numbers_of(title: AnyTitle, sentence: Said | Told | Admitted) -> set[int]:
    kinds = title.sentences if isinstance(sentence, Said) else title.disclosures
    pairs = zip(kinds.get(sentence.what, ()), sentence.args, strict=False)
    return {abs(arg) for kind, arg in pairs if kind == NUMBER and isinstance(arg, int)}
