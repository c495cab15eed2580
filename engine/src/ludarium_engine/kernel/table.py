"""Let rules change a game: each method records a fact and applies it at once.

A `Table` lives as long as one command is being decided. The recorded facts become the event of the command.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, overload

from msgspec.structs import replace

from ludarium_engine.kernel import facts
from ludarium_engine.kernel.chance import Chance
from ludarium_engine.kernel.choices import CARD, RulesError
from ludarium_engine.kernel.fact_checks import CHECKS
from ludarium_engine.kernel.layout import Layout, group_of
from ludarium_engine.kernel.protocols import ScriptLike, TitleLike
from ludarium_engine.kernel.slots import ENTRY_KINDS, INDEX_BITS, UNKNOWN, Frame, S, State, read_slot, slot_name

SETUP = Frame("set-up", UNKNOWN)
FactNumbers = tuple[int, ...]                         # indices of facts that move or reveal cards, for `Table.say`


class Table(Generic[S]):
    """The state of a game while a command is being decided, and the facts so far.

    Rules read the state as `t.s` and change it only by these methods. They name slots as at.hand[seat] or at.trump.
    """

    __slots__ = "chance", "checked", "depth", "facts", "frame", "layout", "noted", "row", "s", "scripts", "title"

    def __init__(self, title: TitleLike, s: S, chance: Chance, *, checked: bool = True) -> None:
        """Create a table around a state, which is changed in place.

        Args:
            title: the title of the game.
            s: the state.
            chance: the random numbers of the game.
            checked: whether to check each fact before it is recorded. Simulations may leave this out.
        """
        self.checked = checked
        self.title, self.scripts, self.layout, self.s, self.chance = title, title.scripts, title.layout, s, chance
        self.facts: list[facts.AnyFact] = []
        self.noted: dict[int, tuple[int, ...]] = {}         # the last recorded members, by the field of the zone
        self.depth = 0                          # the number of frames below the current one
        self.frame, self.row = SETUP, 0         # the current frame and row

    def record(self, fact: facts.AnyFact) -> None:
        """Record and apply a fact.

        Raises:
            RulesError: the fact does not fit the state.
        """
        if self.layout.groups:
            self.note_members(fact)
        try:
            if self.checked:
                CHECKS[type(fact)](self, fact)
            fact.apply(self.s)
        except (RulesError, LookupError, ValueError) as error:
            raise self.error(f"{self.described(fact)}: {error}") from error
        self.facts.append(fact)
        if self.layout.groups:
            self.share_anew()

    def note_members(self, fact: Any) -> None:
        """Record the members of a shared zone before the first fact about it."""
        for name in ("slot", "src", "dst"):
            n = getattr(fact, name, -1) >> INDEX_BITS
            zone = self.layout.groups.get(n, n)
            if zone in self.layout.groups.values() and zone not in self.noted:
                self.noted[zone] = self.members_in(zone)
                self.facts.append(facts.Members(zone << INDEX_BITS, self.noted[zone]))

    def members_in(self, zone: int) -> tuple[int, ...]:
        return tuple([int(group) for group in read_slot(self.s, zone << INDEX_BITS)])

    def share_anew(self) -> None:
        """Record the content of each shared slot whose members have just changed."""
        for zone, before in self.noted.items():
            now = self.members_in(zone)
            if now != before:
                self.noted[zone] = now
                changed = {group for a, b in zip(before, now, strict=True) if a != b for group in (a, b)}
                for slot in shared_slots(self.layout, self.s, zone):
                    if group_of(slot) in changed:
                        value = read_slot(self.s, slot)
                        self.record(facts.Shared(slot, tuple(value) if isinstance(value, list) else value))

    def record_shown(self, fact: facts.Moved | facts.Revealed) -> FactNumbers:
        """Record a fact that sentences may point to, and return its index in the event."""
        self.record(fact)
        return (len(self.facts) - 1,)

    def described(self, fact: facts.AnyFact) -> str:
        """Return the fact as text with the names of its slots, for error messages."""
        slots = [name for name in ("slot", "src", "dst") if getattr(fact, name, None) in self.layout.slot_kinds]
        return repr(replace(fact, **{name: slot_name(self.s, getattr(fact, name)) for name in slots}))

    def content(self, where: Any) -> Any:
        """Return the content of a slot.

        Raises:
            RulesError: the zone has no such entry.
        """
        try:
            return read_slot(self.s, where)
        except IndexError as error:
            raise self.error(f"there is no {slot_name(self.s, where)}") from error

    def error(self, what: str) -> RulesError:
        """Create an error that names the current script, row and seat."""
        f = self.frame
        at_work = "" if f is SETUP else f", {self.scripts[f.script].row_name(self.row)}, seat {f.seat}"
        return RulesError(f"{self.title.id}: {f.script}{at_work}: {what}")

    # The parameters that name slots are typed like the state's fields, so that mypy checks the rules. Their values are ints.
    def move(self, cards: int | Iterable[int], src: list[int], dst: list[int]) -> FactNumbers:
        """Move cards from one pile onto another, in the given order.

        The last card ends on top.

        Returns:
            The index of the recorded fact, for `say`; empty if no card moved.
        """
        source: Any = src
        target: Any = dst
        moved = (cards,) if isinstance(cards, int) else tuple(cards)
        if moved and self.layout.shows_top[source >> INDEX_BITS]:
            return self.move_off_top(moved, source, target)
        return self.record_shown(facts.Moved(moved, source, target)) if moved else ()

    def move_off_top(self, cards: tuple[int, ...], source: int, target: int) -> FactNumbers:
        """Move cards from a pile whose top card is visible.

        The card that is on top afterwards is recorded.
        """
        pile = read_slot(self.s, source)
        top = cards.index(pile[-1]) if pile and pile[-1] in cards else UNKNOWN
        shown = self.record_shown(facts.Moved(cards, source, target, top))
        if top != UNKNOWN and pile:
            self.record(facts.Uncovered(pile[-1], source))
        return shown

    def move_all(self, src: list[int], dst: list[int]) -> FactNumbers:
        return self.move(self.content(src), src, dst)

    def draw(self, n: int, src: list[int], dst: list[int]) -> FactNumbers:
        """Move the top n cards of a pile, one by one; all cards if there are fewer."""
        return self.move(self.content(src)[: -n - 1 : -1], src, dst) if n > 0 else ()

    def add(self, where: int, by: int) -> None:
        """Add to a number.

        For a number with declared `Values` the new value is recorded, because its encoding always has the same size.
        """
        if where >> INDEX_BITS in self.title.values:
            self.set(where, self.content(where) + by)
        elif by:
            self.record(facts.Counted(where, by))

    @overload
    def set(self, where: bool, value: bool) -> None: ...
    @overload
    def set(self, where: int, value: int) -> None: ...
    @overload
    def set(self, where: list[int], value: Sequence[int]) -> None: ...
    def set(self, where: Any, value: int | Sequence[int]) -> None:
        """Write a number, a flag or a list to a slot.

        A hidden number is recorded even if it does not change.
        """
        if self.content(where) != value or where >> INDEX_BITS in self.layout.hidden_numbers:
            self.record(facts.Became(where + 0, value if isinstance(value, int) else tuple(value)))

    def shuffle(self, where: list[int]) -> None:
        """Shuffle a pile with the game's random numbers."""
        target: Any = where
        name, pile = slot_name(self.s, target), self.content(target)
        self.record(facts.Shuffled(target, self.chance.shuffled(pile, name, self.s.drawn.get(name, 0))))

    def roll(self, where: int, among: Iterable[int]) -> None:
        """Set a number to a random one of these values, each equally likely."""
        name, values = slot_name(self.s, where), tuple(among)
        if not values:
            raise self.error(f"{name} is to be one of no values")
        i = self.chance.below(len(values), name, self.s.drawn.get(name, 0))
        self.record(facts.Rolled(where, values[i], values))

    def roll_several(self, n: int, where: list[int], among: Iterable[int]) -> None:
        """Roll n dice at once: set a slot to n independent random values."""
        target: Any = where
        name, values = slot_name(self.s, target), tuple(among)
        if not values:
            raise self.error(f"{name} is to be some of no values")
        drawn = self.chance.several_below(n, len(values), name, self.s.drawn.get(name, 0))
        self.record(facts.Rolled(target, tuple([values[i] for i in drawn]), values))

    def reveal(self, cards: int | Iterable[int], where: list[int], *, to: Sequence[int]) -> FactNumbers:
        """Show cards to seats without moving them.

        A rule that computes a public number from hidden cards must reveal these cards as well.

        Args:
            cards: a card, or several that lie in the pile.
            where: the slot of the pile.
            to: the seats, or EVERYBODY.
        """
        source: Any = where
        return self.record_shown(facts.Revealed((cards,) if isinstance(cards, int) else tuple(cards), source, tuple(to)))

    def reveal_number(self, where: int | list[int], *, to: Sequence[int]) -> None:
        """Show the number or numbers in a slot to seats, or to EVERYBODY.

        The recipients know the value until the next write to the slot.
        """
        value = self.content(where)
        self.record(facts.NumbersRevealed(int(where), tuple(value) if isinstance(value, list) else value, tuple(to)))  # type: ignore[arg-type]

    def say(self, what: str, *args: int | FactNumbers) -> None:
        """Add a sentence to the game log, right after the facts that it is about.

        A sentence discloses nothing.

        Args:
            what: the id of the sentence.
            args: its parameters. For cards pass what `move`, `draw` or `reveal` returned; a single card must be visible to
            every audience.
        """
        (self.record if self.checked else self.facts.append)(facts.Said(what, args))        # it changes nothing

    def disclose(self, what: str, *args: int, to: Sequence[int]) -> None:
        """Send a message to seats.

        If the message names cards that one of these seats does not see, the cards are revealed to them first.
        """
        for kind, card in zip(self.title.disclosures.get(what, ()), args, strict=False):
            for where in self.layout.unseen_at(self.s, card, to) if kind == CARD else ():
                self.record(facts.Revealed((card,), where, tuple(to)))
        self.record(facts.Told(what, args, tuple(to)))

    def admit(self, what: str, *args: int, to: Sequence[int]) -> int:
        """Compute a predicate about secrets, disclose the answer to seats, and return it.

        The kernel computes the answer, so that no rule can give a wrong one.

        Raises:
            RulesError: there is no such predicate, or it has no answer for these arguments.
        """
        try:
            answer = self.title.predicates[what].answer(self.s, args)
        except (LookupError, ValueError) as error:
            raise self.error(f"admits {what}, {args}: {error}") from error
        self.record(facts.Admitted(what, args, answer, tuple(to)))
        return answer

    def pass_turn(self, seat: int) -> None:
        """Start the turn of a seat.

        This ends the preferences to pass that last until the turn passes.
        """
        self.record(facts.TurnPassed(seat))

    def end(self, outcome: Iterable[int]) -> None:
        """End the game with the rank of each seat: 1 is the best, ties share a rank."""
        self.record(facts.Ended(tuple(outcome)))

    # The methods that change the agenda record no fact: one `Agenda` fact per event covers them all.
    def ask(self, script: ScriptLike, seat: int, /, **picks: int) -> None:
        """Put a script on top of the agenda; it runs before the frames below it continue.

        Args:
            script: one of the title's scripts.
            seat: the owner of the frame.
            picks: all picks of the script by name, with `_` for a blank.

        Raises:
            RulesError: the title has no such script, or the picks do not match.
        """
        if self.scripts.get(script.name) is not script:
            raise self.error(f"{script.name} is not among the title's scripts")
        if picks.keys() != script.pick_names.keys():
            raise self.error(f"{script.name} has the picks {[*script.pick_names]}, not {[*picks]}")
        self.s.agenda.append(Frame(script.name, seat, 0, (), tuple([int(picks[word]) for word in script.pick_names])))

    @property
    def frame_below(self) -> Frame:
        """The frame right below the current one."""
        return self.s.agenda[self.depth - 1]

    def drop_frame_below(self) -> None:
        """Remove the frame right below the current one."""
        self.depth -= 1
        del self.s.agenda[self.depth]


def team_standings(teams: Sequence[int], results: Mapping[int, Any]) -> list[int]:
    """Return the rank of each seat by the result of its team, greatest first.

    Args:
        teams: the team of each seat.
        results: the result of each team.
    """
    return standings([results[team] for team in teams])


def shared_slots(layout: Layout, s: State, zone: int) -> Iterator[int]:
    """Yield the shared slots whose viewers a zone decides.

    Args:
        layout: the layout.
        s: the state.
        zone: the field number of a zone of members.
    """
    for n in [n for n, members in layout.groups.items() if members == zone]:
        field, first = layout.fields[n], n << INDEX_BITS
        yield from range(first + 1, first + 1 + len(getattr(s, field.name))) if field.kind in ENTRY_KINDS else [first]


def standings(results: Sequence[Any]) -> list[int]:
    """Return the rank of each seat by its result, greatest first; ties share a rank."""
    return [1 + sum(other > own for other in results) for own in results]
