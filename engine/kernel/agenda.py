"""The agenda's own work: run rows until somebody is asked or nothing is left, and take an answer in."""
from __future__ import annotations

from typing import Any

from engine.kernel.choices import Action
from engine.kernel.facts import Agenda, Unsealed
from engine.kernel.places import Frame
from engine.kernel.scripts import Ask, Row, Sealed
from engine.kernel.table import Table

MOST_ROWS = 10_000                              # of one command: a rule that runs away stops here
Answers = dict[int, Action]


class RulesError(Exception):
    """A title breaks the kernel's contract; the command it was deciding never happened."""


class TooManySteps(RulesError):
    """One command ran more than MOST_ROWS rows."""


def go_on(t: Table[Any]) -> None:
    agenda = t.s.agenda
    for _ in range(MOST_ROWS):
        if not agenda or agenda[-1].asked:
            return
        run(t, take_up(t))
    raise TooManySteps(f"{agenda[-1].script}: more than {MOST_ROWS} steps in one command")


def run(t: Table[Any], f: Frame) -> None:
    """Rows from the frame's on, until one asks, pushes or ends the game."""
    rows, agenda = t.scripts[f.script].rows, t.s.agenda
    for nth in range(f.row, len(rows)):
        row, t.row = rows[nth], nth
        if not callable(row):
            here = f if nth == f.row else Frame(f.script, f.seat, nth, (), f.picks)
            return ask(t, here, row)
        row(t, f)
        if len(agenda) != t.depth:
            return put(t, Frame(f.script, f.seat, nth + 1, (), f.picks) if nth + 1 < len(rows) else None)
        if t.s.outcome is not None:
            return None


def ask(t: Table[Any], f: Frame, row: Ask[Any] | Sealed[Any]) -> None:
    if isinstance(row, Sealed):
        open_window(t, f, row)
    else:
        put(t, asking(t, f, row))


def answer(t: Table[Any], seat: int, action: Action) -> None:
    f = take_up(t)
    row = row_of(t, f)
    if isinstance(row, Sealed):
        seal(t, f, row, {**dict(f.sealed), seat: action})
    elif isinstance(row, Ask):  # pragma: no branch - a frame that is asked stands at a row that asks
        settle(t, f, row, seat, action)


def settle(t: Table[Any], f: Frame, row: Ask[Any], seat: int, action: Action) -> None:
    done = row.take(t, f, seat, action)
    pushed = len(t.s.agenda) != t.depth
    if pushed and len(f.asked) > 1:
        raise RulesError(f"{f.script}: a take pushes while other seats are being asked")
    if row.again and not done:
        put(t, Frame(f.script, f.seat, f.row, (), f.picks) if pushed else asking(t, f, row))
    else:
        left = tuple(p for p in f.asked if p != seat)
        put(t, Frame(f.script, f.seat, f.row, left, f.picks) if left else following(t, kept(f, row, action)))


def open_window(t: Table[Any], f: Frame, row: Sealed[Any]) -> None:
    """Those who always pass this window have answered as it opens."""
    asked = row.seats(t.s, f)
    if not asked:
        return put(t, following(t, f))
    passing = {p for p, window in t.s.passes if window == f.script} if row.idle else set()
    opened = Frame(f.script, f.seat, f.row, asked, f.picks)
    seal(t, opened, row, {p: row.idle for p in asked if p in passing and row.idle})


def seal(t: Table[Any], f: Frame, row: Sealed[Any], answers: Answers) -> None:
    """Answers stand by seat, never by order of arrival; the last one unseals them."""
    left, by_seat = tuple(p for p in f.asked if p not in answers), tuple(sorted(answers.items(), key=seat_of))
    if left:
        return put(t, Frame(f.script, f.seat, f.row, left, f.picks, by_seat))
    t.record(Unsealed(tuple(seat for seat, _ in by_seat)))
    again = row.take(t, f, dict(by_seat))
    put(t, Frame(f.script, f.seat, f.row, (), f.picks) if again else following(t, f))


def seat_of(item: tuple[int, Action]) -> int:
    return item[0]


def asking(t: Table[Any], f: Frame, row: Ask[Any]) -> Frame | None:
    asked = row.seats(t.s, f)
    if not asked:
        return following(t, f)
    return f if asked == f.asked else Frame(f.script, f.seat, f.row, asked, f.picks)


def following(t: Table[Any], f: Frame) -> Frame | None:
    last = f.row + 1 == len(t.scripts[f.script].rows)
    return None if last else Frame(f.script, f.seat, f.row + 1, (), f.picks)


def kept(f: Frame, row: Ask[Any], action: Action) -> Frame:
    if row.keep is None:
        return f
    i = row.keep.index[f.script]
    return Frame(f.script, f.seat, f.row, (), f.picks[:i] + action.args[:1] + f.picks[i + 1 :])


def take_up(t: Table[Any]) -> Frame:
    f: Frame = t.s.agenda.pop()
    t.depth, t.frame, t.row = len(t.s.agenda), f, f.row
    return f


def put(t: Table[Any], f: Frame | None) -> None:
    """Under whatever the row has put on the agenda since; nowhere when the game is over."""
    if f is not None and t.s.outcome is None:
        t.s.agenda.insert(t.depth, f)


def row_of(t: Table[Any], f: Frame) -> Row:
    return t.scripts[f.script].rows[f.row]


def splice(before: list[Frame], after: list[Frame]) -> Agenda | None:
    """The one fact that turns an agenda into another; frames that were not touched are the same objects."""
    keep, most = 0, min(len(before), len(after))
    while keep < most and before[keep] is after[keep]:
        keep += 1
    return Agenda(keep, tuple(after[keep:])) if keep < max(len(before), len(after)) else None
