"""The table while a command is decided. Each verb of the rules records one fact and applies it in the same call."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic

from engine.kernel.chance import Chance
from engine.kernel.facts import (
    EVERYBODY,
    Admitted,
    AnyFact,
    Became,
    Counted,
    Ended,
    Moved,
    Revealed,
    Rolled,
    Shuffled,
    Told,
    TurnPassed,
    Uncovered,
)
from engine.kernel.places import INDEX_BITS, UNKNOWN, Frame, S, get, name_of
from engine.kernel.predicates import CARD, unseen
from engine.kernel.scripts import Script

if TYPE_CHECKING:
    from engine.kernel.title import Title


SETUP = Frame("set-up", UNKNOWN)


class Table(Generic[S]):
    """A state that rules read as `t.s` and write to by verbs only. Places are written at.hand[seat], at.trump."""

    def __init__(self, title: Title[S, Any], s: S, chance: Chance) -> None:
        self.title, self.scripts, self.layout, self.s, self.chance = title, title.scripts, title.layout, s, chance
        self.facts: list[AnyFact] = []
        self.depth = 0                          # how much of the agenda lies beneath the frame at work
        self.frame, self.row = SETUP, 0         # what is at work

    def record(self, fact: AnyFact) -> None:
        fact.apply(self.s)
        self.facts.append(fact)

    def move(self, cards: int | Iterable[int], src: list[int], dst: list[int]) -> None:
        """Cards from one pile onto the top of another, in this order."""
        cards = (cards,) if isinstance(cards, int) else tuple(cards)
        if not cards:
            return
        source, target = place(src), place(dst)
        if self.layout.shows_top[source >> INDEX_BITS]:
            self.move_off_top(cards, source, target)
        else:
            self.record(Moved(cards, source, target))

    def move_off_top(self, cards: tuple[int, ...], source: int, target: int) -> None:
        pile = get(self.s, source)
        top = cards.index(pile[-1]) if pile[-1] in cards else UNKNOWN
        self.record(Moved(cards, source, target, top))
        if top != UNKNOWN and pile:
            self.record(Uncovered(pile[-1], source))

    def move_all(self, src: list[int], dst: list[int]) -> None:
        self.move(get(self.s, place(src)), src, dst)

    def draw(self, n: int, src: list[int], dst: list[int]) -> None:
        """The top n cards one after the other, or as many as there are."""
        if n > 0:
            self.move(get(self.s, place(src))[: -n - 1 : -1], src, dst)

    def add(self, where: int, by: int) -> None:
        if by:
            self.record(Counted(place(where), by))

    def set(self, where: Any, value: int | bool | Sequence[int]) -> None:
        target = place(where)
        if get(self.s, target) != value:
            self.record(Became(target, value if isinstance(value, int) else tuple(value)))

    def shuffle(self, where: list[int]) -> None:
        name, pile = name_of(self.s, place(where)), get(self.s, place(where))
        self.record(Shuffled(place(where), self.chance.shuffled(pile, name, self.s.drawn.get(name, 0))))

    def roll(self, where: int, among: Iterable[int]) -> None:
        """One of these values, each as likely."""
        name, values = name_of(self.s, place(where)), tuple(among)
        i = self.chance.below(len(values), name, self.s.drawn.get(name, 0))
        self.record(Rolled(place(where), values[i], values))

    def reveal(
        self, cards: int | Iterable[int], where: list[int], *, public: bool = False, to: Sequence[int] = ()
    ) -> None:
        """Show cards where they lie. A rule that makes a public number of a secret must reveal the secret as well."""
        cards = (cards,) if isinstance(cards, int) else tuple(cards)
        self.record(Revealed(cards, place(where), EVERYBODY if public else tuple(to)))

    def tell(self, what: str, *args: int, public: bool = False, to: Sequence[int] = ()) -> None:
        """A sentence for the log, by its message id. A card that it names to somebody who does not see it is revealed."""
        audience = EVERYBODY if public else tuple(to)
        for kind, card in zip(self.title.told[what], args, strict=False):
            for where in unseen(self.layout, self.s, card, audience) if kind == CARD else ():
                self.record(Revealed((card,), where, audience))
        self.record(Told(what, args, audience))

    def admit(self, what: str, *args: int, to: Sequence[int]) -> None:
        """What a predicate of the title says of a secret, to these: the answer is found here, no rule can give it."""
        self.record(Admitted(what, args, self.title.predicates[what].answer(self.s, args), tuple(to)))

    def pass_turn(self, seat: int) -> None:
        self.record(TurnPassed(seat))

    def end(self, outcome: Iterable[int]) -> None:
        """The game is over; outcome is the place of each seat."""
        self.record(Ended(tuple(outcome)))

    # The verbs of the agenda are recorded together, as one splice an event.
    def ask(self, script: Script, seat: int, *data: int) -> None:
        """Put a script on top of the agenda: it is done before anything below it goes on."""
        if self.scripts.get(script.name) is not script:
            raise ValueError(f"{script.name} is not among the title's scripts")
        self.s.agenda.append(script.frame(seat, data))

    def beneath(self, f: Frame) -> Frame:
        """What waits for this frame to be done."""
        return self.s.agenda[self.depth - 1]

    def cancel(self, f: Frame) -> None:
        """What lies beneath this frame will not happen."""
        self.depth -= 1
        del self.s.agenda[self.depth]


def place(where: Any) -> int:
    """Rules name places through `at`, which is typed as the state; here they are plain ints again."""
    return int(where)
