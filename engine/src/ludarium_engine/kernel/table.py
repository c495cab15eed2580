"""The table while a command is decided. Each verb of the rules records one fact and applies it in the same call."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, overload

from msgspec.structs import replace

from ludarium_engine.kernel import facts
from ludarium_engine.kernel.chance import Chance
from ludarium_engine.kernel.choices import CARD, CARDS, NUMBER, SEAT, RulesError
from ludarium_engine.kernel.scripts import Script, row_name
from ludarium_engine.kernel.slots import INDEX_BITS, UNKNOWN, Frame, S, read_slot, slot_name

if TYPE_CHECKING:
    from ludarium_engine.kernel.title import Title


SETUP = Frame("set-up", UNKNOWN)
Shown = tuple[int, ...]                         # which facts move or show cards: what a sentence can point to


class Table(Generic[S]):
    """A state that rules read as `t.s` and write to by verbs only. Slots are written at.hand[seat], at.trump."""

    __slots__ = "chance", "checked", "depth", "facts", "frame", "layout", "row", "s", "scripts", "title"

    def __init__(self, title: Title[S, Any], s: S, chance: Chance, *, checked: bool = True) -> None:
        """checked: facts are held against the state before they are recorded; whatever is stored was."""
        self.checked = checked
        self.title, self.scripts, self.layout, self.s, self.chance = title, title.scripts, title.layout, s, chance
        self.facts: list[facts.AnyFact] = []
        self.depth = 0                          # how much of the agenda lies beneath the frame at work
        self.frame, self.row = SETUP, 0         # what is at work

    def record(self, fact: facts.AnyFact) -> None:
        """Refused before it is stored if it does not fit the state."""
        try:
            if self.checked:
                CHECKS[type(fact)](self, fact)
            fact.apply(self.s)
        except (RulesError, LookupError, ValueError) as error:
            raise self.error(f"{self.words(fact)}: {error}") from error
        self.facts.append(fact)

    def show(self, fact: facts.Moved | facts.Revealed) -> Shown:
        """A fact that sentences may point to: which one of the event it is."""
        self.record(fact)
        return (len(self.facts) - 1,)

    def words(self, fact: facts.AnyFact) -> str:
        """The fact, its slots by their names."""
        slots = [name for name in ("slot", "src", "dst") if getattr(fact, name, None) in self.layout.slot_kinds]
        return repr(replace(fact, **{name: slot_name(self.s, getattr(fact, name)) for name in slots}))

    def held(self, where: Any) -> Any:
        """What lies in a slot."""
        try:
            return read_slot(self.s, where)
        except IndexError as error:
            raise self.error(f"there is no {slot_name(self.s, where)}") from error

    def error(self, what: str) -> RulesError:
        """With where the rules stand."""
        f = self.frame
        at_work = "" if f is SETUP else f", {row_name(self.scripts[f.script].rows[self.row])}, seat {f.seat}"
        return RulesError(f"{self.title.id}: {f.script}{at_work}: {what}")

    # `at` is typed as the state, for whoever writes rules; in here its slots are the ints that they are.
    def move(self, cards: int | Iterable[int], src: list[int], dst: list[int]) -> Shown:
        """Cards from one pile onto the top of another, in this order."""
        source: Any = src
        target: Any = dst
        moved = (cards,) if isinstance(cards, int) else tuple(cards)
        if moved and self.layout.shows_top[source >> INDEX_BITS]:
            return self.move_off_top(moved, source, target)
        return self.show(facts.Moved(moved, source, target)) if moved else ()

    def move_off_top(self, cards: tuple[int, ...], source: int, target: int) -> Shown:
        pile = read_slot(self.s, source)
        top = cards.index(pile[-1]) if pile and pile[-1] in cards else UNKNOWN
        shown = self.show(facts.Moved(cards, source, target, top))
        if top != UNKNOWN and pile:
            self.record(facts.Uncovered(pile[-1], source))
        return shown

    def move_all(self, src: list[int], dst: list[int]) -> Shown:
        return self.move(self.held(src), src, dst)

    def draw(self, n: int, src: list[int], dst: list[int]) -> Shown:
        """The top n cards one after the other, or as many as there are."""
        return self.move(self.held(src)[: -n - 1 : -1], src, dst) if n > 0 else ()

    def add(self, where: int, by: int) -> None:
        if by:
            self.record(facts.Counted(where, by))

    @overload
    def set(self, where: bool, value: bool) -> None: ...
    @overload
    def set(self, where: int, value: int) -> None: ...
    @overload
    def set(self, where: list[int], value: Sequence[int]) -> None: ...
    def set(self, where: Any, value: int | Sequence[int]) -> None:
        if self.held(where) != value:
            self.record(facts.Became(where + 0, value if isinstance(value, int) else tuple(value)))

    def shuffle(self, where: list[int]) -> None:
        target: Any = where
        name, pile = slot_name(self.s, target), self.held(target)
        self.record(facts.Shuffled(target, self.chance.shuffled(pile, name, self.s.drawn.get(name, 0))))

    def roll(self, where: int, among: Iterable[int]) -> None:
        """One of these values, each as likely."""
        name, values = slot_name(self.s, where), tuple(among)
        if not values:
            raise self.error(f"{name} is to be one of no values")
        i = self.chance.below(len(values), name, self.s.drawn.get(name, 0))
        self.record(facts.Rolled(where, values[i], values))

    def reveal(self, cards: int | Iterable[int], where: list[int], *, to: Sequence[int]) -> Shown:
        """Show cards where they lie. A rule that makes a public number of a secret must reveal the secret as well."""
        source: Any = where
        return self.show(facts.Revealed((cards,) if isinstance(cards, int) else tuple(cards), source, tuple(to)))

    def say(self, what: str, *args: int | Shown) -> None:
        """A sentence of the story, right behind the facts that it is about, to everybody. It discloses nothing: cards are
        those of facts (what `move`, `draw` and `reveal` return), and a single card is one that everybody sees."""
        (self.record if self.checked else self.facts.append)(facts.Said(what, args))        # it changes nothing

    def tell(self, what: str, *args: int, to: Sequence[int]) -> None:
        """What these did not know, by its message id. A card that it names to somebody who does not see it is revealed."""
        for kind, card in zip(self.title.told.get(what, ()), args, strict=False):
            for where in self.layout.unseen_at(self.s, card, to) if kind == CARD else ():
                self.record(facts.Revealed((card,), where, tuple(to)))
        self.record(facts.Told(what, args, tuple(to)))

    def admit(self, what: str, *args: int, to: Sequence[int]) -> int:
        """What a predicate of the title says of a secret, to these and to the rule that asks; no rule can give the answer."""
        try:
            answer = self.title.predicates[what].answer(self.s, args)
        except (LookupError, ValueError) as error:
            raise self.error(f"admits {what}, {args}: {error}") from error
        self.record(facts.Admitted(what, args, answer, tuple(to)))
        return answer

    def pass_turn(self, seat: int) -> None:
        self.record(facts.TurnPassed(seat))

    def end(self, outcome: Iterable[int]) -> None:
        """The game is over; outcome is the place of each seat."""
        self.record(facts.Ended(tuple(outcome)))

    # The verbs of the agenda are recorded together, as one splice an event.
    def ask(self, script: Script, seat: int, /, **picks: int) -> None:
        """Put a script on top of the agenda: it is done before anything below it goes on. Each of its picks is named,
        a blank written as _."""
        if self.scripts.get(script.name) is not script:
            raise self.error(f"{script.name} is not among the title's scripts")
        if picks.keys() != script.words.keys():
            raise self.error(f"{script.name} has the picks {[*script.words]}, not {[*picks]}")
        self.s.agenda.append(Frame(script.name, seat, 0, (), tuple([int(picks[word]) for word in script.words])))

    @property
    def beneath(self) -> Frame:
        """What waits for the script at work to be done."""
        return self.s.agenda[self.depth - 1]

    def drop_beneath(self) -> None:
        """What waits beneath the script at work will not happen."""
        self.depth -= 1
        del self.s.agenda[self.depth]


def standings(results: Sequence[Any]) -> list[int]:
    """The place of each seat by its result, the greatest first; seats that tie share a place."""
    return [1 + sum(other > own for other in results) for own in results]


# --- what must hold of a fact before it is recorded: it fits the slots that it names and can be read again from its bytes ---
# A check raises RulesError; `record` says where the rules stood. That a single card lies in a pile, and that a pile has such an
# entry, is found as the fact is applied. Every fact of every command comes by here, so the frequent ones call nothing.
ANY = range(1 - 2**53, 2**53)                   # of numbers: beyond it JSON is not exact everywhere
TYPES = {"number": int, "flag": bool, "numbers": tuple}
OF_CARDS = facts.Moved, facts.Revealed          # what a sentence may point to


def moved(t: Table[Any], fact: facts.Moved) -> None:
    lie_in(t, fact.src, fact.cards)
    lie_in(t, fact.dst, ())


def lie_in(t: Table[Any], where: int, cards: tuple[int, ...]) -> None:
    if t.layout.slot_kinds[where] != "pile":
        raise RulesError("cards lie in a pile")
    if cards and not (len({*cards}) == len(cards) and set(map(type, cards)) == {int} and {*cards} <= {*read_slot(t.s, where)}):
        raise RulesError(f"the cards {cards} do not lie there")


def numbered(t: Table[Any], slot: int, *values: object) -> None:
    if t.layout.slot_kinds[slot] != "number":
        raise RulesError("no number is there")
    numbers(ANY, values)


def became(t: Table[Any], fact: facts.Became) -> None:
    kind, value = t.layout.slot_kinds[fact.slot], fact.value
    fits = type(value) is TYPES.get(kind)
    if not fits or not (all([type(n) is int and n in ANY for n in value]) if type(value) is tuple else value in ANY):
        raise RulesError(f"{value!r} is not what such a slot holds: {kind}")


def revealed(t: Table[Any], fact: facts.Revealed) -> None:
    lie_in(t, fact.slot, fact.cards)
    audience(t, fact.to)


def told(t: Table[Any], fact: facts.Told) -> None:
    sentence(t, t.title.told.get(fact.what), fact)
    audience(t, fact.to)


def admitted(t: Table[Any], fact: facts.Admitted) -> None:
    sentence(t, t.title.predicates[fact.what].args, fact)
    numbers(range(-1, 2), (fact.answer,))
    audience(t, fact.to)


def sentence(t: Table[Any], kinds: Sequence[str] | None, fact: facts.Told | facts.Admitted | facts.Said) -> None:
    """kinds: of its parameters; None where there is no such sentence."""
    if kinds is None or len(kinds) != len(fact.args):
        raise RulesError(f"there is no sentence {fact.what} of {len(fact.args)} parameters")
    for kind, value in zip(kinds, fact.args, strict=True):
        if type(value) is not int or not (0 <= value < t.s.seats if kind == SEAT else kind == NUMBER and value in ANY):
            parameter(t, kind, value, fact)     # seats and numbers are the most frequent


def parameter(t: Table[Any], kind: str, value: Any, fact: facts.AnyFact) -> None:
    if kind == CARDS:
        return shown(t, value)
    numbers(values_of(t, kind), (value,))
    if kind.endswith(".") and f"{kind}{value}" not in t.title.texts["en"]:
        raise RulesError(f"there is no text {kind}{value}")
    if kind == CARD and isinstance(fact, facts.Said) and any(t.layout.unseen_at(t.s, value, facts.EVERYBODY)):
        raise RulesError(f"not everybody sees the card {value}")


def shown(t: Table[Any], which: object) -> None:
    """Which facts of the event, all of which move or show cards."""
    there = range(len(t.facts))
    if type(which) is not tuple or not all([type(n) is int and n in there and type(t.facts[n]) in OF_CARDS for n in which]):
        raise RulesError(f"{which!r} points to no facts that move or show cards")


def values_of(t: Table[Any], kind: str) -> range:
    """Of a parameter: numbers, seats, cards, what a text ends in, or indices of a zone."""
    if kind == NUMBER or kind.endswith("."):
        return ANY
    return range(t.s.seats) if kind == SEAT else range(len(t.title.cards if kind == CARD else getattr(t.s, kind)))


def ended(t: Table[Any], fact: facts.Ended) -> None:
    if len(fact.outcome) != t.s.seats:
        raise RulesError("an outcome has one place for each seat")
    numbers(range(1, max(2, t.s.seats) + 1), fact.outcome)              # alone one may come second to the game


def audience(t: Table[Any], to: tuple[int, ...]) -> None:
    numbers(range(t.s.seats), to if to != facts.EVERYBODY else ())


def numbers(allowed: range, values: Iterable[object]) -> None:
    for value in values:
        if type(value) is not int or value not in allowed:
            raise RulesError(f"{value!r} is no whole number from {allowed[0]} to {allowed[-1]}")


CHECKS: Mapping[type, Callable[[Any, Any], None]] = {
    facts.Moved: moved, facts.Became: became, facts.Revealed: revealed, facts.Told: told, facts.Admitted: admitted,
    facts.Ended: ended,
    facts.Said: lambda t, fact: sentence(t, t.title.says.get(fact.what), fact),
    facts.Counted: lambda t, fact: numbered(t, fact.slot, fact.by),
    facts.Rolled: lambda t, fact: numbered(t, fact.slot, fact.value, *fact.among),
    facts.Shuffled: lambda t, fact: lie_in(t, fact.slot, fact.order),
    facts.Uncovered: lambda t, fact: lie_in(t, fact.slot, (fact.card,)),
    facts.TurnPassed: lambda t, fact: numbers(range(t.s.seats), (fact.seat,)),
    facts.Unsealed: lambda t, fact: None,       # the agenda's own
}  # fmt: skip
