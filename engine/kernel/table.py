"""The table while a command is decided. Each verb of the rules records one fact and applies it in the same call."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, overload

from msgspec.structs import replace

from engine.kernel import facts
from engine.kernel.chance import Chance
from engine.kernel.checks import CHECKS
from engine.kernel.choices import CARD, RulesError
from engine.kernel.scripts import Script, row_name
from engine.kernel.slots import INDEX_BITS, UNKNOWN, Frame, S, get, name_of

if TYPE_CHECKING:
    from engine.kernel.title import Title


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
        slots = [name for name in ("slot", "src", "dst") if getattr(fact, name, None) in self.layout.kinds]
        return repr(replace(fact, **{name: name_of(self.s, getattr(fact, name)) for name in slots}))

    def held(self, where: Any) -> Any:
        """What lies in a slot."""
        try:
            return get(self.s, where)
        except IndexError as error:
            raise self.error(f"there is no {name_of(self.s, where)}") from error

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
        pile = get(self.s, source)
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
        name, pile = name_of(self.s, target), self.held(target)
        self.record(facts.Shuffled(target, self.chance.shuffled(pile, name, self.s.drawn.get(name, 0))))

    def roll(self, where: int, among: Iterable[int]) -> None:
        """One of these values, each as likely."""
        name, values = name_of(self.s, where), tuple(among)
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
        self.record(facts.Said(what, args))

    def tell(self, what: str, *args: int, to: Sequence[int]) -> None:
        """What these did not know, by its message id. A card that it names to somebody who does not see it is revealed."""
        for kind, card in zip(self.title.told.get(what, ()), args, strict=False):
            for where in self.layout.unseen(self.s, card, to) if kind == CARD else ():
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
