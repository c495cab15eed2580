"""Run the scripts on a game's agenda until a seat must answer, and apply answers.

The agenda is a stack of frames; a frame is a script under way, with its next row. While a row runs, its frame is off the
stack. The row may push scripts. The kernel then puts the rest of the interrupted script back below them, so that the pushed
scripts run first:

      before            at work             after a push

                                            pushed           <- runs next
      script, row 2     (row 2 runs)        script, row 3
      below             below               below            <- t.depth frames wait
"""
from __future__ import annotations

from operator import is_
from typing import Any

from ludarium_engine.kernel.choices import Action, TooManySteps
from ludarium_engine.kernel.facts import Agenda, AnyFact, Unsealed
from ludarium_engine.kernel.scripts import Ask, Sealed, pass_names_of
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import Table

FORCED = "forced"                               # the game log sentence for a seat that had only one answer
MOST_ROWS = 10_000                              # the most frames that one command may take off the agenda


def run_agenda(t: Table[Any]) -> None:
    """Run rows until a seat is asked or no frame is left.

    Raises:
        RulesError: a row broke the kernel's contract.
        TooManySteps: the rules did not stop within MOST_ROWS steps.
    """
    agenda = t.s.agenda
    for _ in range(MOST_ROWS):
        if not agenda or agenda[-1].asked:
            return check_at_rest(t) if t.checked else None
        f = pop_frame(t)
        run_rows(t, f, f.row)
    raise TooManySteps(f"{agenda[-1].script}: more than {MOST_ROWS} steps in one command")


def check_at_rest(t: Table[Any]) -> None:
    """Check that valid seats are asked or the game is over.

    Raises:
        RulesError: no seat is asked before the end, or a seat is asked that does not exist.
    """
    if not t.s.agenda and t.s.outcome is None:
        raise t.error("nobody is asked, and the game is not over")
    for seat in t.s.agenda[-1].asked if t.s.agenda else ():
        if type(seat) is not int or not 0 <= seat < t.s.seats:
            raise t.error(f"{seat!r} is asked, which is no seat")


def pop_frame(t: Table[Any]) -> Frame:
    """Take the top frame off the agenda and make it the current one."""
    f: Frame = t.s.agenda.pop()
    t.depth, t.frame, t.row = len(t.s.agenda), f, f.row
    return f


def put_back(t: Table[Any], f: Frame) -> None:
    """Insert a frame below the frames that the current row pushed.

    Does nothing once the game is over.
    """
    if t.s.outcome is None:
        t.s.agenda.insert(t.depth, f)


def run_rows(t: Table[Any], f: Frame, first: int) -> None:
    """Run rows of a script until one asks seats, pushes a script or ends the game.

    Args:
        t: the table.
        f: the frame of the script; it is off the agenda.
        first: the index of the first row to run.
    """
    s, agenda = t.s, t.s.agenda
    for row in t.scripts[f.script].rows[first:]:
        if len(agenda) != t.depth or s.outcome is not None:
            return put_back(t, f.at_row(first))
        t.row = first
        if callable(row):
            row(t, f)
        elif asked := tuple(row.seats(s, f)):
            return ask_seats(t, f, row, asked)
        first += 1


def ask_seats(t: Table[Any], f: Frame, row: Ask[Any] | Sealed[Any], asked: tuple[int, ...]) -> None:
    """Ask seats a question.

    The kernel answers at once for seats that always pass or have only one answer. If the row asks the same seats as before,
    the same frame object is put back, so that the event has no agenda change.
    """
    if isinstance(row, Sealed):                 # seats that always pass this window answer as it opens
        passing = {seat for seat, name in t.s.always_passes if name in pass_names_of(t.title, f)}
        passes = {seat: row.pass_action for seat in asked if row.pass_action and seat in passing}
        apply_sealed(t, f.at_row(t.row, asked), row, passes)
    elif (only := row.forced_answer(t.s, f, asked)) is not None:
        t.say(FORCED, *asked)
        apply_at_once(t, f.at_row(t.row, asked), row, asked[0], only)
    else:
        put_back(t, f if (t.row, asked) == (f.row, f.asked) else f.at_row(t.row, asked))


def apply_answer(t: Table[Any], seat: int, action: Action) -> None:
    """Apply the answer of a seat to the question on top of the agenda."""
    f = pop_frame(t)
    row = t.scripts[f.script].rows[f.row]
    if isinstance(row, Sealed):
        apply_sealed(t, f, row, {**dict(f.sealed), seat: action})
    elif isinstance(row, Ask):  # pragma: no branch - the current row of an asked frame is an Ask or a Sealed
        apply_at_once(t, f, row, seat, action)


def apply_at_once(t: Table[Any], f: Frame, row: Ask[Any], seat: int, action: Action) -> None:
    """Apply an answer to an `Ask`.

    Afterwards the kernel repeats the row, waits for the other seats that it asks, or runs the next row.

    Raises:
        RulesError: the handler pushed a script while other seats are being asked.
    """
    done, several = row.handle(t, f, seat, action), len(f.asked) > 1
    if several and len(t.s.agenda) > t.depth:
        raise t.error("a take pushes while other seats are being asked")
    if row.repeat and not done and row.answer_if_forced:
        put_back(t, f.at_row(f.row))                     # forced answers may follow: run_agenda limits their number
    elif row.repeat and not done:
        run_rows(t, f, f.row)
    elif several:
        put_back(t, f.at_row(f.row, tuple(p for p in f.asked if p != seat)))
    else:
        run_rows(t, f, f.row + 1)


def apply_sealed(t: Table[Any], f: Frame, row: Sealed[Any], answers: dict[int, Action]) -> None:
    """Store sealed answers, ordered by seat.

    Once all seats have answered, unseal and apply them.
    """
    left, answered = tuple([p for p in f.asked if p not in answers]), sorted(answers)
    if left:
        return put_back(t, f.at_row(f.row, left, tuple([(seat, answers[seat]) for seat in answered])))
    t.record(Unsealed(tuple(answered)))
    if row.handle(t, f, {seat: answers[seat] for seat in answered}):
        put_back(t, f.at_row(f.row))
    else:
        run_rows(t, f, f.row + 1)


def agenda_change(before: list[Frame], after: list[Frame]) -> list[AnyFact]:
    """Return the fact that turns one agenda into another, as a list.

    The list is empty if both are equal. Frames that stay must be the same objects in both agendas.
    """
    keep = [*map(is_, before, after), False].index(False)
    return [] if keep == len(before) == len(after) else [Agenda(keep, tuple(after[keep:]))]
