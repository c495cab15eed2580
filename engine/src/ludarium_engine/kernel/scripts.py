"""Define scripts, the sequences of rows of which a title's rules are made.

The rows of a script run from top to bottom. A row is a function (t, frame), an `Ask` or a `Sealed`. Layouts, prompts and
stored games refer to rows and picks by name. A row that is a function has the name of the function.

See docs/decisions/033.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, Generic, TypeVar

from ludarium_engine.kernel.choices import CARD, NUMBER, Action, Offer, RulesError, Verb
from ludarium_engine.kernel.protocols import TitleLike
from ludarium_engine.kernel.slots import THIS_TURN, Frame, S, State
from ludarium_engine.kernel.table import Table

Handlers = Mapping[Verb, Callable[..., bool | None]]
DONE = True                                     # a handler returns this to leave a repeating row


def owner(s: State, f: Frame) -> Sequence[int]:
    return (f.seat,)


def every_seat(s: State, f: Frame) -> Sequence[int]:
    return range(s.seats)


def turn_order_from(s: State, seat: int) -> list[int]:
    """Return all seats in turn order, starting with `seat`."""
    return [*range(seat, s.seats), *range(seat)]


class Pick:
    """A named number that is stored in the frames of a script.

    After `card = Pick("card", CARD)`, the call `card(f)` reads the number from frame `f`.
    """

    def __init__(self, name: str, kind: str = NUMBER, *, shown: bool = False) -> None:
        """Declare a pick.

        Args:
            name: its name in layouts and views.
            kind: the kind of its value, as for a verb's argument.
            shown: whether views show it to every audience; otherwise they show it to none.
        """
        self.name, self.kind, self.shown = name, kind, shown
        self.index: dict[str, int] = {}                     # script -> index among its picks

    def __call__(self, f: Frame) -> int:
        """Read the number from a frame.

        Raises:
            RulesError: the script of the frame does not declare this pick.
        """
        try:
            return f.picks[self.index[f.script]]
        except KeyError:
            raise RulesError(f"{f.script} has no pick {self.name}") from None


def handler_by_verb(takers: Handlers) -> Callable[[Any, Frame, int, Action], bool | None]:
    """Combine the handlers of several verbs into one.

    Raises:
        TypeError: a handler does not accept the arguments of its verb.
    """
    for verb, taker in takers.items():
        if not any(accepts(taker, len(verb.args) + more) for more in range(3 if verb.subset else 1)):
            raise TypeError(f"{taker.__name__} does not take table, frame, seat and {verb.args}, as {verb.name} has them")
    named = {verb.name: taker for verb, taker in takers.items()}
    return lambda t, f, seat, action: named[action.verb](t, f, seat, *action.args)


def accepts(taker: Callable[..., Any], n: int) -> bool:
    """Return whether a handler accepts a table, a frame, a seat and n arguments."""
    try:
        signature(taker).bind(None, None, *range(1 + n))
    except TypeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Ask(Generic[S]):
    """A question to one or more seats, whose answers take effect at once.

    Attributes:
        name: the name of the row, without the prefix `ask`.
        offers: returns what a seat may do: (state, frame, seat).
        handlers: a function that applies an answer, or one per verb, which gets the arguments of the action one by one.
        asked: returns the seats to ask; by default the owner of the frame. Each of them answers once.
        repeat: ask again after each answer, until `asked` returns no seat or the handler returns DONE. Several seats answer
            in any
        order, so their handlers must commute. They must push no scripts either; the kernel checks this.
        skip_without_offers: skip the row while its owner has no offers. `offers` must then read public fields only.
        answer_if_forced: answer for a seat that is asked alone and has only one answer. `offers` must then read public fields
            only.
        handle: the handlers combined into one function.
    """

    name: str
    offers: Callable[[S, Frame, int], list[Offer]]
    handlers: Callable[[Table[S], Frame, int, Action], bool | None] | Handlers
    asked: Callable[[S, Frame], Sequence[int]] = owner
    repeat: bool = False
    skip_without_offers: bool = False
    answer_if_forced: bool = False
    handle: Callable[[Table[S], Frame, int, Action], bool | None] = field(init=False)

    def __post_init__(self) -> None:
        handle = handler_by_verb(self.handlers) if isinstance(self.handlers, Mapping) else self.handlers
        object.__setattr__(self, "handle", handle)

    def seats(self, s: S, f: Frame) -> Sequence[int]:
        """Return the seats to ask; no seat if the row should be skipped."""
        return () if self.skip_without_offers and not self.offers(s, f, f.seat) else self.asked(s, f)

    def forced_answer(self, s: S, f: Frame, asked: Sequence[int]) -> Action | None:
        """Return the answer that the kernel gives for the seat, or None.

        There is one if `answer_if_forced` is set, one seat is asked, and it has a single offer without a subset.
        """
        offers = self.offers(s, f, asked[0]) if self.answer_if_forced and len(asked) == 1 else []
        return Action(offers[0].verb, offers[0].args) if len(offers) == 1 and not offers[0].pool else None


@dataclass(frozen=True, slots=True)
class Sealed(Generic[S]):
    """A question that several seats answer in secret.

    Answers are revealed and take effect together, after the last one.

    Attributes:
        name: the name of the row, without the prefix `sealed`.
        offers: returns what a seat may do: (state, frame, seat).
        handle: applies the answers of all seats, by seat. If it returns DONE, the row is asked again.
        asked: returns the seats to ask.
        pass_action: the answer for seats that always pass this window. If it is None, the row is not a window.
    """

    name: str
    offers: Callable[[S, Frame, int], list[Offer]]
    handle: Callable[[Table[S], Frame, dict[int, Action]], bool | None]
    asked: Callable[[S, Frame], Sequence[int]]
    pass_action: Action | None = None

    def seats(self, s: S, f: Frame) -> Sequence[int]:
        return self.asked(s, f)


Row = Ask[Any] | Sealed[Any] | Callable[[Any, Frame], None]


class Script:
    """A named list of rows, and the picks that its frames carry.

    Frames store the name, so it must be unique in the title and never change.
    """

    def __init__(self, name: str, *rows: Row, picks: Sequence[Pick] = ()) -> None:
        self.name, self.rows, self.picks = name, rows, tuple(picks)
        self.pick_names = dict.fromkeys(pick.name.replace(" ", "_") for pick in picks)
        for i, pick in enumerate(self.picks):
            pick.index[name] = i

    def row_name(self, nth: int) -> str:
        return row_name(self.rows[nth])

    @property
    def subject(self) -> Pick | None:
        """The first public pick that is a card, as the card that the script is about."""
        return next((pick for pick in self.picks if pick.shown and pick.kind == CARD), None)


N = TypeVar("N", Script, Verb)


def row_name(row: Row) -> str:
    """Return the name of a row, as in layouts and prompts.

    The name is `ask NAME`, `sealed NAME` or the function's name.
    """
    if callable(row):
        return row.__name__
    return f"{'ask' if isinstance(row, Ask) else 'sealed'} {row.name}"


def by_name(*named: N) -> dict[str, N]:
    """Map scripts or verbs by name.

    Raises:
        ValueError: two have the same name.
    """
    found = {one.name: one for one in named}
    if len(found) != len(named):
        raise ValueError("two of one name")
    return found


# --- names of preferences to pass: a window, optionally for one kind of card, optionally until the turn passes --------------
#     wave        announcement:prayer        wave@turn        announcement:prayer@turn
def is_window(row: Row) -> bool:
    """Return whether a seat may choose to always pass this row.

    The name of such a window is the name of its script.
    """
    return isinstance(row, Sealed) and row.pass_action is not None


def windows(title: TitleLike) -> list[str]:
    """Return the names of the title's scripts that a seat can choose to always pass."""
    return [script.name for script in title.scripts.values() if any(map(is_window, script.rows))]


def pass_names_of(title: TitleLike, f: Frame) -> list[str]:
    """Return the names of all preferences that would pass the window of this frame."""
    about = title.scripts[f.script].subject
    return pass_names(f.script, *([] if about is None else [title.cards[about(f)].kind]))


def pass_names(window: str, *kinds: str) -> list[str]:
    """Return the names of preferences for a window and these kinds of cards."""
    for_the_game = [window, *(f"{window}:{kind}" for kind in kinds)]
    return [name + span for span in ("", THIS_TURN) for name in for_the_game]


def all_pass_names(title: TitleLike, window: str) -> list[str]:
    """Return the names of all preferences for a window, with every kind of card."""
    kinds = dict.fromkeys(card.kind for card in title.cards) if title.scripts[window].subject else ()
    return pass_names(window, *kinds)
