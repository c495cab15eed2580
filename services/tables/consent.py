"""What needs the consent of all other people at the table: a draw, a pause, to take back what told somebody something.

It is always the same question, whatever lies hidden: asking, refusing and taking back tell nobody anything new.
"""
from __future__ import annotations

from services.problems import Problem
from services.tables.access import seat_of
from services.tables.ends import drawn, ended, places, players, playing, still_in
from services.tables.history import History
from services.tables.rows import AnyRow, Consent, Question, Undone


def propose(history: History, player: str, question: Question) -> list[AnyRow]:
    """To go on after a pause needs nobody's consent."""
    seat = seat_of(history, player)
    playing(history)
    still_in(history, seat)
    check(history, seat, question)
    if question == "resume" or players(history) == [seat]:
        return settled(history, seat, question, seat)
    if history.life.proposal:
        raise Problem("proposal-open")
    return [Consent(seat, question, "asked")]


def check(history: History, seat: int, question: Question) -> None:
    if question == "takeback" and (history.policies.undo != "consent" or seat not in history.life.moved):
        raise Problem("undo-refused")
    if question == "pause" and history.life.paused:
        raise Problem("game-paused")
    if question == "resume" and not history.life.paused:
        raise Problem("not-paused")


def answer(history: History, player: str, agree: bool) -> list[AnyRow]:
    """The first who refuses ends the question; so does who asked it, by taking it back."""
    seat = seat_of(history, player)
    playing(history)
    still_in(history, seat)
    asked = history.life.proposal
    if asked is None:
        raise Problem("nothing-proposed")
    if not agree:
        return [Consent(seat, asked.question, "refused")]
    if seat in (asked.seat, *asked.agreed):
        raise Problem("already-answered")
    if {*players(history)} - {asked.seat, *asked.agreed, seat}:
        return [Consent(seat, asked.question, "agreed")]
    return settled(history, seat, asked.question, asked.seat)


def settled(history: History, seat: int, question: Question, by: int) -> list[AnyRow]:
    """by: who asked."""
    rows: list[AnyRow] = [Consent(seat, question, "settled")]
    match question:
        case "draw":
            return [*rows, *ended(history, "agreed", drawn(history, places(history, playing(history))))]
        case "takeback":
            return [*rows, Undone(by, history.life.moved[by] - 1)]
        case _:
            return rows
