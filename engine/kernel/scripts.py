"""Scripts: rows read top-down. A row is a plain function (t, frame), which happens by itself, an Ask, or a Sealed."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from engine.kernel.choices import Action, Offer
from engine.kernel.places import UNKNOWN, Frame, S, State

if TYPE_CHECKING:
    from engine.kernel.table import Table

DONE = True                                     # what a take returns to leave a row that asks again


def owner(s: State, f: Frame) -> Sequence[int]:
    return (f.seat,)


def everybody_else(s: State, f: Frame) -> Sequence[int]:
    """The other seats in turn order, from the frame's seat on."""
    return [(f.seat + i) % s.seats for i in range(1, s.seats)]


class Pick:
    """The name of a number that a frame carries: `card = Pick("card")`, then card(f) reads it.

    Views show a pick only where it was declared shown. `card` says that the number is a card, for the proofs.
    """

    def __init__(self, name: str, *, shown: bool = False, card: bool = False) -> None:
        self.name, self.shown, self.card = name, shown, card
        self.index: dict[str, int] = {}                     # script -> which of its picks

    def __call__(self, f: Frame) -> int:
        return f.picks[self.index[f.script]]


@dataclass(frozen=True, slots=True)
class Ask(Generic[S]):
    """Each seat that `who` names answers once; an answer takes effect at once.

    again: asked anew after each answer, the seats in any order, until who names nobody or take returns DONE. With
    several seats the takes must commute and push nothing (the kernel enforces the latter), so nobody waits for another.
    skip: the row is skipped while its owner is offered nothing; only where all that the options read is public.
    keep: the pick that the answer's first argument becomes.
    """

    options: Callable[[S, Frame, int], list[Offer]]
    take: Callable[[Table[S], Frame, int, Action], bool | None]
    who: Callable[[S, Frame], Sequence[int]] = owner
    again: bool = False
    skip: bool = False
    keep: Pick | None = None

    def seats(self, s: S, f: Frame) -> tuple[int, ...]:
        if self.skip and not self.options(s, f, f.seat):
            return ()
        return tuple(self.who(s, f))

    @property
    def name(self) -> str:
        return self.take.__name__


@dataclass(frozen=True, slots=True)
class Sealed(Generic[S]):
    """Each seat that `who` names owes one answer; nothing shows or takes effect until the last one.

    idle: what a seat answers that has chosen to always pass this window; None where that makes no sense.
    A take that returns DONE has the row asked anew.
    """

    options: Callable[[S, Frame, int], list[Offer]]
    take: Callable[[Table[S], Frame, dict[int, Action]], bool | None]
    who: Callable[[S, Frame], Sequence[int]]
    idle: Action | None = None

    def seats(self, s: S, f: Frame) -> tuple[int, ...]:
        return tuple(self.who(s, f))

    @property
    def name(self) -> str:
        return self.take.__name__


Row = Ask[Any] | Sealed[Any] | Callable[[Any, Frame], None]


class Script:
    """Rows, and the picks that its frames carry. Frames store its name: unique in a title, and never changed."""

    def __init__(self, name: str, *rows: Row, picks: Sequence[Pick] = ()) -> None:
        self.name, self.rows, self.picks = name, rows, tuple(picks)
        for i, pick in enumerate(self.picks):
            pick.index[name] = i
        for row in rows:
            if isinstance(row, Ask) and row.keep is not None and row.keep not in self.picks:
                raise ValueError(f"{name}: keeps a pick that it does not declare")

    def frame(self, seat: int, data: Sequence[int] = ()) -> Frame:
        """At its first row; what data does not fill stays unknown."""
        if len(data) > len(self.picks):
            raise ValueError(f"{self.name}: {len(data)} picks given, {len(self.picks)} declared")
        return Frame(self.name, seat, 0, (), (*map(int, data), *(UNKNOWN,) * (len(self.picks) - len(data))))


def row_name(row: Row) -> str:
    match row:
        case Ask():
            return f"ask {row.name}"
        case Sealed():
            return f"sealed {row.name}"
        case _:
            return row.__name__


def by_name(*scripts: Script) -> dict[str, Script]:
    named = {script.name: script for script in scripts}
    if len(named) != len(scripts):
        raise ValueError("two scripts of one name")
    return named
