"""Define facts, the recorded changes of a game, and who may see them.

Folding facts onto a state runs no rule. A fact is secret by default. A subclass derives its audience from the visibility of
its slots or from a list of recipients. Each fact says what an audience knew before it (`known_before`) and what the audience
learns from it (`learned`). Redaction, undo and the tracking of knowledge are based on these two methods.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from ludarium_engine.kernel.choices import Action
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.slots import (
    ALL,
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

EVERYBODY = (-1,)                               # the recipients of a fact that is addressed to every seat and spectator
# What an audience knew before a fact or learns from it: the indices of the fact's cards, or one of these two.
SECRET: Collection[int] = ()                    # nothing
WHOLE_FACT: Collection[int] = (0,)              # all of a fact that has no cards


class Fact(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Base class of all facts; hidden from every audience by default.

    An audience is a seat or SPECTATOR (-1).
    """

    def apply(self, s: State) -> None:
        """Apply the fact to a state in place; the default changes nothing."""

    def known_before(self, layout: Layout, audience: int) -> Collection[int]:
        """Return the indices of the cards that the audience knew before, or WHOLE_FACT."""
        return SECRET

    def learned(self, layout: Layout, audience: int) -> Collection[int]:
        """Return the indices of the cards that the audience sees now, or WHOLE_FACT."""
        return self.known_before(layout, audience)

    def redacted(self, layout: Layout, audience: int) -> AnyFact | None:
        """Return the fact as the audience may see it, or None if it may not."""
        return self if self.learned(layout, audience) else None  # type: ignore[return-value]


# Implementations of `known_before`, `learned` and `redacted`, by the visibility of a fact's slot or by its recipients.
def known_if_visible(fact: Any, layout: Layout, audience: int) -> Collection[int]:
    return WHOLE_FACT if layout.depth_for(audience, fact.slot) == ALL else SECRET


def known_if_top_visible(fact: Any, layout: Layout, audience: int) -> Collection[int]:
    return WHOLE_FACT if layout.depth_for(audience, fact.slot) >= TOP_CARD else SECRET


def visible_fact(fact: Any, layout: Layout, audience: int) -> Any:
    """Return the fact if its slot is visible, else None.

    This is a fast path for frequent facts.
    """
    return fact if layout.depth_for(audience, fact.slot) == ALL else None


def with_masked_value(fact: Any, layout: Layout, audience: int) -> Any:
    """Replace hidden numbers of the fact by -1; return None for a hidden flag.

    The length of a list of numbers is public, since views show it. A write to a number is public as well, because earlier
    knowledge of the number ends with it.
    """
    if layout.depth_for(audience, fact.slot) == ALL:
        return fact
    value = layout.masked_value(fact.slot, fact.value, audience)
    if value is None and type(fact.value) is int:
        value = UNKNOWN
    return None if value is None else replace(fact, value=value)


def known_to_recipients(fact: Any, layout: Layout, audience: int) -> Collection[int]:
    return WHOLE_FACT if is_addressed(fact.to, audience) else SECRET


class PublicFact(Fact, frozen=True):
    """A fact that every audience sees unchanged."""

    def redacted(self, layout: Layout, audience: int) -> AnyFact | None:
        return self  # type: ignore[return-value]


class Moved(Fact, frozen=True, tag=0):
    """Cards move between slots; -1 stands for each card that the viewer may not see."""

    cards: tuple[int, ...]
    src: int
    dst: int
    top: int = UNKNOWN                          # which of the cards lay on top of a source that shows its top

    def apply(self, s: State) -> None:
        src, dst = read_slot(s, self.src), read_slot(s, self.dst)
        for card in self.cards:
            src.remove(card)
        dst += self.cards

    def known_before(self, layout: Layout, audience: int) -> Collection[int]:
        return self.visible(layout.depth_for(audience, self.src), self.top)

    def learned(self, layout: Layout, audience: int) -> Collection[int]:
        return self.visible(layout.depth_for(audience, self.dst), len(self.cards) - 1)

    def visible(self, depth: int, top: int) -> Collection[int]:
        """Return the indices of the cards seen at a depth.

        Args:
            depth: ALL, TOP_CARD or NOTHING.
            top: the index of the card on top, or UNKNOWN.
        """
        if depth == ALL:
            return range(len(self.cards))
        return (top,) if depth == TOP_CARD and top != UNKNOWN else SECRET

    def redacted(self, layout: Layout, audience: int) -> AnyFact:
        known = {*self.known_before(layout, audience), *self.learned(layout, audience)}
        if len(known) == len(self.cards):
            return self
        cards = tuple(card if i in known else UNKNOWN for i, card in enumerate(self.cards))
        return Moved(cards, self.src, self.dst, self.top if self.top in known else UNKNOWN)


class Uncovered(Fact, frozen=True, tag=1):
    """A card is now on top of a pile that shows its top card."""

    card: int
    slot: int
    known_before, learned = known_if_visible, known_if_top_visible


class Counted(Fact, frozen=True, tag=2):
    """A number changes by an amount."""

    slot: int
    by: int
    apply, known_before, redacted = add_to_slot, known_if_visible, visible_fact


class Became(Fact, frozen=True, tag=3):
    """A number, or a list of numbers, gets a new value."""

    slot: int
    value: int | bool | tuple[int, ...]
    apply, known_before, redacted = write_slot, known_if_visible, with_masked_value


class Rolled(Fact, frozen=True, tag=4):
    """A slot gets a random value of `among`, or a list of independent ones."""

    slot: int
    value: int | tuple[int, ...]
    among: tuple[int, ...]
    learned, redacted = known_if_visible, with_masked_value

    def apply(self, s: State) -> None:
        write_slot(self, s)
        count_draw(s, self.slot)


class Shuffled(PublicFact, frozen=True, tag=5):
    """A slot is shuffled. All viewers see that, but not the order."""

    slot: int
    order: tuple[int, ...]

    def apply(self, s: State) -> None:
        read_slot(s, self.slot)[:] = self.order
        count_draw(s, self.slot)

    def redacted(self, layout: Layout, audience: int) -> AnyFact:
        return Shuffled(self.slot, ())


class Revealed(Fact, frozen=True, tag=6):
    """Cards are shown to some seats or to everybody; they do not move."""

    cards: tuple[int, ...]
    slot: int
    to: tuple[int, ...] = ()
    known_before, learned = known_if_visible, known_to_recipients


class Told(Fact, frozen=True, tag=7):
    """A sentence of the game log for certain recipients; it changes nothing."""

    what: str
    args: tuple[int, ...] = ()
    to: tuple[int, ...] = ()
    known_before = known_to_recipients


class Unsealed(PublicFact, frozen=True, tag=8):
    """The sealed answers of these seats are opened, since all have answered."""

    seats: tuple[int, ...]

    def learned(self, layout: Layout, audience: int) -> Collection[int]:
        return WHOLE_FACT if len(self.seats) > 1 else SECRET


class TurnPassed(PublicFact, frozen=True, tag=9):
    """The turn of this seat begins."""

    seat: int                                   # the seat whose turn begins

    def apply(self, s: State) -> None:
        s.turn = self.seat
        if s.always_passes:
            s.always_passes = [(seat, name) for seat, name in s.always_passes if not name.endswith(THIS_TURN)]


class Ended(PublicFact, frozen=True, tag=10):
    """The game is over. Rank 1 is the best, and tied seats share a rank."""

    outcome: tuple[int, ...]

    def apply(self, s: State) -> None:
        s.outcome = list(self.outcome)
        s.agenda.clear()


class Agenda(Fact, frozen=True, tag=11):
    """The change of the agenda, at most once per event.

    The lowest frames stay, and others are put on top of them. This fact is sent to no audience, because views show the
    agenda.

    Attributes:
        keep: the number of frames that stay.
        frames: the frames to put above these, the top one last.
    """

    keep: int
    frames: tuple[Frame, ...]

    def apply(self, s: State) -> None:
        s.agenda[self.keep :] = self.frames


class Preferred(Fact, frozen=True, tag=12):
    """A seat starts or stops always passing `window`; other seats do not see this."""

    seat: int
    window: str
    on: bool

    def apply(self, s: State) -> None:
        others = [p for p in s.always_passes if p != (self.seat, self.window)]
        s.always_passes = sorted([*others, (self.seat, self.window)]) if self.on else others

    def known_before(self, layout: Layout, audience: int) -> Collection[int]:
        return WHOLE_FACT if audience == self.seat else SECRET


class Admitted(Fact, frozen=True, tag=13):
    """The rules disclose something hidden: 1 or 0, or for a comparison 1, 0 or -1."""

    what: str
    args: tuple[int, ...]
    answer: int
    to: tuple[int, ...]
    learned = known_to_recipients


class Said(PublicFact, frozen=True, tag=14):
    """A sentence of the game log; it discloses nothing and changes nothing.

    Attributes:
        what: the id of the sentence.
        args: for each parameter a number, or the indices of the event's facts that move or reveal its cards. An audience
            that does not see these cards reads how many there are.
    """

    what: str
    args: tuple[int | tuple[int, ...], ...] = ()

    def for_visible_facts(self, seen: Mapping[int, int]) -> Said | None:
        """Renumber the facts that the sentence points to, for an audience.

        Args:
            seen: the index of each visible fact in the event -> its index among the visible facts.

        Returns:
            None if one of the facts is not visible.
        """
        if tuple not in map(type, self.args):
            return self
        try:
            args = [tuple([seen[nth] for nth in arg]) if isinstance(arg, tuple) else arg for arg in self.args]
        except KeyError:
            return None
        return Said(self.what, tuple(args))


class NumbersRevealed(Fact, frozen=True, tag=15):
    """A number, or a list of numbers, is shown to some seats or to everybody."""

    slot: int
    value: int | tuple[int, ...]
    to: tuple[int, ...]
    known_before, learned = known_if_visible, known_to_recipients


class Members(Fact, frozen=True, tag=16):
    """The members of shared zones at this point of the event.

    The fact repeats the content of the zone that decides which seats see the shared zones, because redaction has no state to
    read it from. It is sent to no audience, since that zone is public.
    """

    slot: int
    value: tuple[int, ...]


class Shared(Fact, frozen=True, tag=17):
    """The content of a shared slot for its new members; all others get -1 for each."""

    slot: int
    value: int | tuple[int, ...]
    learned = known_if_visible

    def redacted(self, layout: Layout, audience: int) -> AnyFact:
        found = with_masked_value(self, layout, audience)
        return Shared(self.slot, UNKNOWN) if found is None else found


AnyFact = (
    Moved | Uncovered | Counted | Became | Rolled | Shuffled | Revealed | Told | Unsealed | TurnPassed | Ended | Agenda
    | Preferred | Admitted | Said | NumbersRevealed
    | Members | Shared
)
WRITTEN_SLOTS = {Moved: ("src", "dst"), **dict.fromkeys((Counted, Became, Rolled, Shuffled, Shared), ("slot",))}
"""Fields that name the slots which a fact changes, by the type of the fact."""


class Event(msgspec.Struct, array_like=True, gc=False):
    """The result of one accepted command, as a list of facts."""

    seat: int
    action: Action                              # shown to its own seat only; all others see the facts
    facts: list[AnyFact]


def evolve(s: S, event: Event) -> S:
    """Apply the facts of an event to a state, in place.

    No rule runs.
    """
    for fact in event.facts:
        fact.apply(s)
    return s


def copy_to_evolve(event: Event, layout: Layout, s: S) -> S:
    """Copy a state so that an event can be applied to the copy.

    Only fields that the event changes are copied; the others are shared.
    """
    after = replace(s, agenda=s.agenda[:], drawn=s.drawn.copy())
    for n in written_fields(event.facts) & layout.mutable_fields.keys():
        name, copied = layout.mutable_fields[n]
        setattr(after, name, copied(getattr(s, name)))
    return after


def written_fields(facts: Iterable[AnyFact]) -> set[int]:
    """Return the numbers of the fields that these facts change."""
    return {field_number(getattr(fact, name)) for fact in facts for name in WRITTEN_SLOTS.get(type(fact), ())}


def is_addressed(to: Sequence[int], audience: int) -> bool:
    return to == EVERYBODY or audience in to


def count_draw(s: State, slot: int) -> None:
    """Count a random draw of a slot.

    The next draw then uses new numbers of its stream.
    """
    name = slot_name(s, slot)
    s.drawn[name] = s.drawn.get(name, 0) + 1
