"""The agenda's own work: run rows until somebody is asked or nothing is left, and take an answer in.

The agenda is a stack of frames. While a row is at work its frame is off the stack; what the row asks for it pushes, and
what is left of its own script is put back beneath that, so that the pushed is done first:

      before            at work             after a push

                                            pushed           <- goes on next
      script, row 2     (row 2 runs)        script, row 3
      beneath           beneath             beneath          <- t.depth frames wait
"""
from __future__ import annotations

from operator import is_
from typing import Any

from ludarium_engine.kernel.choices import Action, TooManySteps
from ludarium_engine.kernel.facts import Agenda, AnyFact, Unsealed
from ludarium_engine.kernel.scripts import Ask, Sealed, passed_by
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import Table

FORCED = "forced"                               # what the story says where a seat had one answer only
MOST_ROWS = 10_000                              # of one command: a rule that runs away stops here


def go_on(t: Table[Any]) -> None:
    agenda = t.s.agenda
    for _ in range(MOST_ROWS):
        if not agenda or agenda[-1].asked:
            return at_rest(t) if t.checked else None
        f = take_up(t)
        run(t, f, f.row)
    raise TooManySteps(f"{agenda[-1].script}: more than {MOST_ROWS} steps in one command")


def at_rest(t: Table[Any]) -> None:
    """Somebody is asked, or the game is over."""
    if not t.s.agenda and t.s.outcome is None:
        raise t.error("nobody is asked, and the game is not over")
    for seat in t.s.agenda[-1].asked if t.s.agenda else ():
        if type(seat) is not int or not 0 <= seat < t.s.seats:
            raise t.error(f"{seat!r} is asked, which is no seat")


def take_up(t: Table[Any]) -> Frame:
    f: Frame = t.s.agenda.pop()
    t.depth, t.frame, t.row = len(t.s.agenda), f, f.row
    return f


def put(t: Table[Any], f: Frame) -> None:
    """Beneath whatever the row has pushed; nowhere when the game is over."""
    if t.s.outcome is None:
        t.s.agenda.insert(t.depth, f)


def run(t: Table[Any], f: Frame, first: int) -> None:
    """Rows from the first on, until one asks, has pushed or has ended the game."""
    s, agenda = t.s, t.s.agenda
    for row in t.scripts[f.script].rows[first:]:
        if len(agenda) != t.depth or s.outcome is not None:
            return put(t, f.at_row(first))
        t.row = first
        if callable(row):
            row(t, f)
        elif asked := tuple(row.seats(s, f)):
            return ask(t, f, row, asked)
        first += 1


def ask(t: Table[Any], f: Frame, row: Ask[Any] | Sealed[Any], asked: tuple[int, ...]) -> None:
    """A frame that is asked as it was is put back as it is: nothing of the agenda has changed."""
    if isinstance(row, Sealed):                 # those who always pass this window have answered as it opens
        passing = {seat for seat, name in t.s.always_passes if name in passed_by(t.title, f)}
        seal(t, f.at_row(t.row, asked), row, {seat: row.passed for seat in asked if row.passed and seat in passing})
    elif (only := row.only(t.s, f, asked)) is not None:
        t.say(FORCED, *asked)
        settle(t, f.at_row(t.row, asked), row, asked[0], only)
    else:
        put(t, f if (t.row, asked) == (f.row, f.asked) else f.at_row(t.row, asked))


def answer(t: Table[Any], seat: int, action: Action) -> None:
    f = take_up(t)
    row = t.scripts[f.script].rows[f.row]
    if isinstance(row, Sealed):
        seal(t, f, row, {**dict(f.sealed), seat: action})
    elif isinstance(row, Ask):  # pragma: no branch - a frame that is asked stands at a row that asks
        settle(t, f, row, seat, action)


def settle(t: Table[Any], f: Frame, row: Ask[Any], seat: int, action: Action) -> None:
    done, several = row.take(t, f, seat, action), len(f.asked) > 1
    if several and len(t.s.agenda) > t.depth:
        raise t.error("a take pushes while other seats are being asked")
    if row.again and not done and row.forced:
        put(t, f.at_row(f.row))                     # a forced answer may follow: go_on counts them
    elif row.again and not done:
        run(t, f, f.row)
    elif several:
        put(t, f.at_row(f.row, tuple(p for p in f.asked if p != seat)))
    else:
        run(t, f, f.row + 1)


def seal(t: Table[Any], f: Frame, row: Sealed[Any], answers: dict[int, Action]) -> None:
    """Answers stand by seat, never by order of arrival; the last one unseals them."""
    left, answered = tuple([p for p in f.asked if p not in answers]), sorted(answers)
    if left:
        return put(t, f.at_row(f.row, left, tuple([(seat, answers[seat]) for seat in answered])))
    t.record(Unsealed(tuple(answered)))
    if row.take(t, f, {seat: answers[seat] for seat in answered}):
        put(t, f.at_row(f.row))
    else:
        run(t, f, f.row + 1)


def splice(before: list[Frame], after: list[Frame]) -> list[AnyFact]:
    """The one fact, if any, that turns an agenda into another; frames that were not touched are the same objects."""
    keep = [*map(is_, before, after), False].index(False)
    return [] if keep == len(before) == len(after) else [Agenda(keep, tuple(after[keep:]))]
