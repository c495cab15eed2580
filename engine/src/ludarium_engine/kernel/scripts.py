"""Scripts: rows read top-down. A row is a plain function (t, frame), which happens by itself, an Ask, or a Sealed.

Rows and picks are known by their names: in the log's layout, in prompts, and to games that began before a row or a pick was
inserted. A function's row has the function's name.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ludarium_engine.kernel.choices import CARD, NUMBER, Action, Offer, RulesError, Verb
from ludarium_engine.kernel.slots import THIS_TURN, Frame, S, State

if TYPE_CHECKING:
    from ludarium_engine.kernel.table import Table
    from ludarium_engine.kernel.title import Title

Takers = Mapping[Verb, Callable[..., bool | None]]
DONE = True                                     # what a take returns to leave a row that asks again


def owner(s: State, f: Frame) -> Sequence[int]:
    return (f.seat,)


def everybody(s: State, f: Frame) -> Sequence[int]:
    return range(s.seats)


def around(s: State, seat: int) -> list[int]:
    """All seats in turn order, beginning at the seat."""
    return [*range(seat, s.seats), *range(seat)]


class Pick:
    """The name of a number that a frame carries: `card = Pick("card", CARD)`, then card(f) reads it.

    Views show a pick only where it was declared shown. kind: as of a verb's argument.
    """

    def __init__(self, name: str, kind: str = NUMBER, *, shown: bool = False) -> None:
        self.name, self.kind, self.shown = name, kind, shown
        self.index: dict[str, int] = {}                     # script -> which of its picks

    def __call__(self, f: Frame) -> int:
        try:
            return f.picks[self.index[f.script]]
        except KeyError:
            raise RulesError(f"{f.script} has no pick {self.name}") from None


def by_verb(takers: Takers) -> Callable[[Any, Frame, int, Action], bool | None]:
    """Raises TypeError if a taker does not take the arguments that its verb comes with."""
    for verb, taker in takers.items():
        if not any(takes(taker, len(verb.args) + more) for more in range(3 if verb.subset else 1)):
            raise TypeError(f"{taker.__name__} does not take table, frame, seat and {verb.args}, as {verb.name} has them")
    named = {verb.name: taker for verb, taker in takers.items()}
    return lambda t, f, seat, action: named[action.verb](t, f, seat, *action.args)


def takes(taker: Callable[..., Any], n: int) -> bool:
    try:
        signature(taker).bind(None, None, *range(1 + n))
    except TypeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Ask(Generic[S]):
    """Each seat that `who` names answers once; an answer takes effect at once.

    again: asked anew after each answer, the seats in any order, until who names nobody or take returns DONE. With
    several seats the takes must commute and push nothing (the kernel enforces the latter), so nobody waits for another.
    skip: the row is skipped while its owner is offered nothing; only where all that the options read is public.
    forced: whoever is asked alone, and offered one thing that leaves nothing to choose, has answered; only where, too.
    takers: of a row whose offers have several verbs, what takes each: it gets the action's arguments one by one.
    """

    name: str
    options: Callable[[S, Frame, int], list[Offer]]
    takers: Callable[[Table[S], Frame, int, Action], bool | None] | Takers
    who: Callable[[S, Frame], Sequence[int]] = owner
    again: bool = False
    skip: bool = False
    forced: bool = False
    take: Callable[[Table[S], Frame, int, Action], bool | None] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "take", by_verb(self.takers) if isinstance(self.takers, Mapping) else self.takers)

    def seats(self, s: S, f: Frame) -> Sequence[int]:
        return () if self.skip and not self.options(s, f, f.seat) else self.who(s, f)

    def only(self, s: S, f: Frame, asked: Sequence[int]) -> Action | None:
        """What by all that everybody sees is the one answer."""
        offers = self.options(s, f, asked[0]) if self.forced and len(asked) == 1 else []
        return Action(offers[0].verb, offers[0].args) if len(offers) == 1 and not offers[0].pool else None


@dataclass(frozen=True, slots=True)
class Sealed(Generic[S]):
    """Each seat that `who` names owes one answer; nothing shows or takes effect until the last one.

    passed: what a seat answers that always passes it: then it is a window; None where nobody may.
    A take that returns DONE has the row asked anew.
    """

    name: str
    options: Callable[[S, Frame, int], list[Offer]]
    take: Callable[[Table[S], Frame, dict[int, Action]], bool | None]
    who: Callable[[S, Frame], Sequence[int]]
    passed: Action | None = None

    def seats(self, s: S, f: Frame) -> Sequence[int]:
        return self.who(s, f)


Row = Ask[Any] | Sealed[Any] | Callable[[Any, Frame], None]


class Script:
    """Rows, and the picks that its frames carry. Frames store its name: unique in a title, and never changed."""

    def __init__(self, name: str, *rows: Row, picks: Sequence[Pick] = ()) -> None:
        self.name, self.rows, self.picks = name, rows, tuple(picks)
        self.words = dict.fromkeys(pick.name.replace(" ", "_") for pick in picks)
        for i, pick in enumerate(self.picks):
            pick.index[name] = i

    @property
    def about(self) -> Pick | None:
        """The card that everybody knows it is about."""
        return next((pick for pick in self.picks if pick.shown and pick.kind == CARD), None)


N = TypeVar("N", Script, Verb)


def row_name(row: Row) -> str:
    if callable(row):
        return row.__name__
    return f"{'ask' if isinstance(row, Ask) else 'sealed'} {row.name}"


def by_name(*named: N) -> dict[str, N]:
    found = {one.name: one for one in named}
    if len(found) != len(named):
        raise ValueError("two of one name")
    return found


# --- what a seat always passes, by name: a window, maybe for one kind of card, maybe until the turn passes ------------------
#     wave        announcement:prayer        wave@turn        announcement:prayer@turn
def is_window(row: Row) -> bool:
    """A sealed row that a seat may always pass; it goes by the name of its script."""
    return isinstance(row, Sealed) and row.passed is not None


def windows(title: Title[Any, Any]) -> list[str]:
    return [script.name for script in title.scripts.values() if any(map(is_window, script.rows))]


def passed_by(title: Title[Any, Any], f: Frame) -> list[str]:
    """Under which names a seat may pass this window."""
    about = title.scripts[f.script].about
    return passing(f.script, *([] if about is None else [title.cards[about(f)].kind]))


def passing(window: str, *kinds: str) -> list[str]:
    for_the_game = [window, *(f"{window}:{kind}" for kind in kinds)]
    return [name + span for span in ("", THIS_TURN) for name in for_the_game]


def may_pass(title: Title[Any, Any], window: str) -> list[str]:
    """All names under which a window may ever be passed."""
    kinds = dict.fromkeys(card.kind for card in title.cards) if title.scripts[window].about else ()
    return passing(window, *kinds)
