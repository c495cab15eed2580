"""Facts: what happened, how it changes the state, and what of it an audience learns. A fold runs no rule.

Nobody sees a fact unless its class derives it from the sights of its slots, or the rule that recorded it said to whom.
Two questions are put to a fact: what of it did an audience know before, and what does it learn? Redaction, undo and the
knowledge trace follow from the answers.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from ludarium_engine.kernel.choices import Action
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.slots import (
    ALL,
    SPECTATOR,
    THIS_TURN,
    TOP_CARD,
    UNKNOWN,
    Frame,
    S,
    State,
    add_to_slot,
    field_number,
    read_slot,
    slot_name,
    write_slot,
)

EVERYBODY = (-1,)                               # whom a sentence is for, where it is not a list of seats
SECRET: Collection[int] = ()                    # what an audience knows or learns of a fact: indices of its cards,
THE_FACT: Collection[int] = (0,)                # or all of it


class Fact(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Invisible unless a subclass says otherwise."""

    def apply(self, s: State) -> None:
        """Change the state; most sentences change nothing."""

    def knew(self, layout: Layout, audience: int) -> Collection[int]:
        return SECRET

    def learns(self, layout: Layout, audience: int) -> Collection[int]:
        return self.knew(layout, audience)

    def seen(self, layout: Layout, audience: int) -> AnyFact | None:
        return self if self.learns(layout, audience) else None  # type: ignore[return-value]


# Who knows of a fact, or learns of it, where that follows from its slot or from whom it is for.
def in_sight(fact: Any, layout: Layout, audience: int) -> Collection[int]:
    return THE_FACT if layout.depth_for(audience, fact.slot) == ALL else SECRET


def on_top(fact: Any, layout: Layout, audience: int) -> Collection[int]:
    return THE_FACT if layout.depth_for(audience, fact.slot) >= TOP_CARD else SECRET


def shown(fact: Any, layout: Layout, audience: int) -> Any:
    """The fact to whom its slot is in sight, as its `knew` has it: the most frequent facts ask nothing else."""
    return fact if layout.depth_for(audience, fact.slot) == ALL else None


def heard(fact: Any, layout: Layout, audience: int) -> Collection[int]:
    return THE_FACT if addressed(fact.to, audience) else SECRET


class Open(Fact, frozen=True):
    """Said to everybody."""

    def seen(self, layout: Layout, audience: int) -> AnyFact | None:
        return self  # type: ignore[return-value]


class Moved(Fact, frozen=True, tag=0):
    """Cards go from one slot to another; always visible as a number of cards."""

    cards: tuple[int, ...]
    src: int
    dst: int
    top: int = UNKNOWN                          # which of the cards lay on top of a source that shows its top

    def apply(self, s: State) -> None:
        src, dst = read_slot(s, self.src), read_slot(s, self.dst)
        for card in self.cards:
            src.remove(card)
        dst += self.cards

    def knew(self, layout: Layout, audience: int) -> Collection[int]:
        return self.visible(layout.depth_for(audience, self.src), self.top)

    def learns(self, layout: Layout, audience: int) -> Collection[int]:
        return self.visible(layout.depth_for(audience, self.dst), len(self.cards) - 1)

    def visible(self, depth: int, top: int) -> Collection[int]:
        if depth == ALL:
            return range(len(self.cards))
        return (top,) if depth == TOP_CARD and top != UNKNOWN else SECRET

    def seen(self, layout: Layout, audience: int) -> AnyFact:
        known = {*self.knew(layout, audience), *self.learns(layout, audience)}
        if len(known) == len(self.cards):
            return self
        cards = tuple(card if i in known else UNKNOWN for i, card in enumerate(self.cards))
        return Moved(cards, self.src, self.dst, self.top if self.top in known else UNKNOWN)


class Uncovered(Fact, frozen=True, tag=1):
    """Now on top of a pile that shows its top, because what lay above went away."""

    card: int
    slot: int
    knew, learns = in_sight, on_top


class Counted(Fact, frozen=True, tag=2):
    """A number changes by so much."""

    slot: int
    by: int
    apply, knew, seen = add_to_slot, in_sight, shown


class Became(Fact, frozen=True, tag=3):
    """A number, or a row of them, is another now."""

    slot: int
    value: int | bool | tuple[int, ...]
    apply, knew, seen = write_slot, in_sight, shown


class Rolled(Fact, frozen=True, tag=4):
    """Chance gave the slot one of these values."""

    slot: int
    value: int
    among: tuple[int, ...]
    learns = in_sight

    def apply(self, s: State) -> None:
        write_slot(self, s)
        count_draw(s, self.slot)


class Shuffled(Open, frozen=True, tag=5):
    """Everybody sees that it was shuffled, nobody the order."""

    slot: int
    order: tuple[int, ...]

    def apply(self, s: State) -> None:
        read_slot(s, self.slot)[:] = self.order
        count_draw(s, self.slot)

    def seen(self, layout: Layout, audience: int) -> AnyFact:
        return Shuffled(self.slot, ())


class Revealed(Fact, frozen=True, tag=6):
    """Cards are shown, to these seats or to everybody; nothing moves."""

    cards: tuple[int, ...]
    slot: int
    to: tuple[int, ...] = ()
    knew, learns = in_sight, heard


class Told(Fact, frozen=True, tag=7):
    """A sentence of the log (message id, parameters); it changes nothing and is known to those whom it is for."""

    what: str
    args: tuple[int, ...] = ()
    to: tuple[int, ...] = ()
    knew = heard


class Unsealed(Open, frozen=True, tag=8):
    """The last sealed answer has come: even if all passed, that is news to each of them."""

    seats: tuple[int, ...]

    def learns(self, layout: Layout, audience: int) -> Collection[int]:
        return THE_FACT if len(self.seats) > 1 else SECRET


class TurnPassed(Open, frozen=True, tag=9):
    seat: int

    def apply(self, s: State) -> None:
        s.turn = self.seat
        if s.always_passes:
            s.always_passes = [(seat, name) for seat, name in s.always_passes if not name.endswith(THIS_TURN)]


class Ended(Open, frozen=True, tag=10):
    """The place of each seat: 1 is the best, those who tie share it."""

    outcome: tuple[int, ...]

    def apply(self, s: State) -> None:
        s.outcome = list(self.outcome)
        s.agenda.clear()


class Agenda(Fact, frozen=True, tag=11):
    """Once an event: the agenda keeps its lowest frames and goes on with these. Views, not facts, say who is asked."""

    keep: int
    frames: tuple[Frame, ...]

    def apply(self, s: State) -> None:
        s.agenda[self.keep :] = self.frames


class Preferred(Fact, frozen=True, tag=12):
    """A seat always passes a window from now on, or no longer does; nobody else is told. window: as `passing` names it."""

    seat: int
    window: str
    on: bool

    def apply(self, s: State) -> None:
        others = [p for p in s.always_passes if p != (self.seat, self.window)]
        s.always_passes = sorted([*others, (self.seat, self.window)]) if self.on else others

    def knew(self, layout: Layout, audience: int) -> Collection[int]:
        return THE_FACT if audience == self.seat else SECRET


class Admitted(Fact, frozen=True, tag=13):
    """What the rules had to admit of a secret, in words: nobody knew it before. answer: 1 or 0; of a comparison 1, 0 or -1."""

    what: str
    args: tuple[int, ...]
    answer: int
    to: tuple[int, ...]
    learns = heard


class Said(Open, frozen=True, tag=14):
    """A sentence of the story: its id, and for each parameter a number, or which facts of the event move or show its cards.

    It discloses nothing: whoever does not see the cards of those facts hears how many there are.
    """

    what: str
    args: tuple[int | tuple[int, ...], ...] = ()

    def among(self, seen: Mapping[int, int]) -> Said | None:
        """Where only some of the facts are seen (which -> which of those); unheard where one that it points to is not."""
        if tuple not in map(type, self.args):
            return self
        try:
            args = [tuple([seen[nth] for nth in arg]) if isinstance(arg, tuple) else arg for arg in self.args]
        except KeyError:
            return None
        return Said(self.what, tuple(args))


AnyFact = (
    Moved | Uncovered | Counted | Became | Rolled | Shuffled | Revealed | Told | Unsealed | TurnPassed | Ended | Agenda
    | Preferred | Admitted | Said
)
WRITTEN = {Moved: ("src", "dst"), **dict.fromkeys((Counted, Became, Rolled, Shuffled), ("slot",))}      # slots that it changes
NOT_YOURS = Action("")                          # what others see of an action


class Event(msgspec.Struct, array_like=True, gc=False):
    """What one accepted command did."""

    seat: int
    action: Action                              # only its own seat ever sees it; facts tell the others what happened
    facts: list[AnyFact]


def evolve(s: S, event: Event) -> S:
    """In place; runs no rule."""
    for fact in event.facts:
        fact.apply(s)
    return s


def copy_for(event: Event, layout: Layout, s: S) -> S:
    """What the event may be folded onto: a copy, which shares with the state the fields that no fact writes to."""
    after = replace(s, agenda=s.agenda[:], drawn=s.drawn.copy())
    for n in written(event.facts) & layout.mutable_fields.keys():
        name, copied = layout.mutable_fields[n]
        setattr(after, name, copied(getattr(s, name)))
    return after


def written(facts: Iterable[AnyFact]) -> set[int]:
    """The numbers of the fields that they change."""
    return {field_number(getattr(fact, name)) for fact in facts for name in WRITTEN.get(type(fact), ())}


def event_for(layout: Layout, event: Event, audience: int) -> Event:
    """The event as the audience may see it; whose it was only shows with a fact that shows."""
    facts = seen_facts(layout, event.facts, audience)
    if event.seat == audience >= 0:
        return Event(event.seat, event.action, facts)
    return Event(event.seat if facts else UNKNOWN, NOT_YOURS, facts)


def seen_facts(layout: Layout, facts: Iterable[AnyFact], audience: int) -> list[AnyFact]:
    seen: list[AnyFact] = []
    now: dict[int, int] = {}                    # which fact -> which of those that are seen
    for nth, fact in enumerate(facts):
        shown = fact.among(now) if type(fact) is Said else fact.seen(layout, audience)
        if shown is not None:
            now[nth] = len(seen)
            seen.append(shown)
    return seen


def addressed(to: Sequence[int], audience: int) -> bool:
    return to == EVERYBODY or audience in to


def count_draw(s: State, slot: int) -> None:
    name = slot_name(s, slot)
    s.drawn[name] = s.drawn.get(name, 0) + 1


def is_news(fact: Any, layout: Layout, audience: int, actor: int) -> bool:
    """Whether the audience learns something of the fact that the actor did not know before it."""
    learns = fact.learns(layout, audience)
    return bool(learns) and not set(learns) <= {*fact.knew(layout, audience), *fact.knew(layout, actor)}


# --- what may be taken back: computed from what was told to whom and which chance was drawn, never marked by hand --------
Cause = Literal["turn-passed", "chance", "learned"]


def against_undo(layout: Layout, seats: int, event: Event) -> Cause | None:
    """Why it may not be taken back, what everybody saw first; None: it may, as long as nobody else has answered."""
    kinds, audiences = {type(fact) for fact in event.facts}, (*range(seats), SPECTATOR)
    if TurnPassed in kinds:
        return "turn-passed"
    if not kinds.isdisjoint((Rolled, Shuffled)):
        return "chance"
    telling = [fact for fact in event.facts if type(fact).learns is not Fact.learns]        # of others all is known already
    return "learned" if any(is_news(fact, layout, seat, event.seat) for fact in telling for seat in audiences) else None
