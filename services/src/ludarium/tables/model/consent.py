"""Changes that need the consent of all other people: draws, pauses and takebacks.

The questions do not depend on hidden information, so asking, refusing and withdrawing reveal nothing.
"""
from __future__ import annotations

from ludarium.platform.problems import Problem
from ludarium.tables.model.access import require_seat
from ludarium.tables.model.endings import check_in_game, drawn, end_table, places, players, require_game
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import Undone
from ludarium.tables.model.lifecycle_events import Consent, Question
from ludarium.tables.model.table_state import TableState

PAUSES = 3
"""Maximum number of pauses granted to a seat in one game."""


def propose(table: TableState, player: str, question: Question) -> list[AnyEvent]:
    """Ask the other people for consent. Resuming after a pause needs no consent."""
    seat = require_seat(table, player)
    require_game(table)
    check_in_game(table, seat)
    check(table, seat, question)
    if question == "resume" or players(table) == [seat]:
        return settled(table, seat, question, seat)
    if table.lifecycle.proposal:
        raise Problem("proposal-open")
    return [Consent(seat, question, "asked")]


def check(table: TableState, seat: int, question: Question) -> None:
    if question == "takeback" and table.policies.undo != "consent":
        raise Problem("undo-refused", cause="policy")
    if question == "takeback" and seat not in table.lifecycle.moved:
        raise Problem("undo-refused", cause="nothing-done")
    if question == "pause" and table.lifecycle.paused:
        raise Problem("game-paused")
    if question == "pause" and table.lifecycle.pauses.get(seat, 0) >= PAUSES:
        raise Problem("too-many-pauses")
    if question == "resume" and not table.lifecycle.paused:
        raise Problem("not-paused")
    if question == "resume" and table.lifecycle.paused_by_officials:
        raise Problem("desk-paused")


def answer(table: TableState, player: str, agree: bool) -> list[AnyEvent]:
    """Agree to the open question, or refuse it.

    The first refusal ends the question. The seat that asked withdraws the question by refusing.
    """
    seat = require_seat(table, player)
    require_game(table)
    check_in_game(table, seat)
    asked = table.lifecycle.proposal
    if asked is None:
        raise Problem("nothing-proposed")
    if not agree:
        return [Consent(seat, asked.question, "refused")]
    if seat in (asked.seat, *asked.agreed):
        raise Problem("already-answered")
    if {*players(table)} - {asked.seat, *asked.agreed, seat}:
        return [Consent(seat, asked.question, "agreed")]
    return settled(table, seat, asked.question, asked.seat)


def settled(table: TableState, seat: int, question: Question, by: int) -> list[AnyEvent]:
    """Return the events that follow once everyone has agreed.

    Args:
        seat: the seat that agreed last.
        by: the seat that asked.
    """
    events: list[AnyEvent] = [Consent(seat, question, "settled")]
    match question:
        case "draw":
            return [*events, *end_table(table, "agreed", drawn(table, places(table, require_game(table))))]
        case "takeback":
            return [*events, Undone(by, table.lifecycle.moved[by] - 1)]
        case _:
            return events
