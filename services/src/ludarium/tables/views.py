"""Build views of a table: seats, game, clocks, and the viewer's choice and undo."""
from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ludarium.clocks.clocks import Clocks
from ludarium.clocks.settings import LiveClock
from ludarium.tables.model.events import Seated
from ludarium.tables.model.hash_chain import head_of
from ludarium.tables.model.lifecycle import Lifecycle, Proposal
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import instant, ms, timestamp
from ludarium.tables.schemas import (
    Choice,
    ClockBody,
    ClocksBody,
    ProposalBody,
    SeatBody,
    TableBody,
    TableView,
    UndoBody,
    deal_body,
    place_of,
    policies_body,
)
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.bodies import ViewBody
from ludarium_engine.kernel.describe import describe_choice, describe_view, grouped

json = msgspec.json.Encoder().encode


def viewer_of(audience: int) -> int | None:
    return None if audience == SPECTATOR else audience


def table_body(table: TableState, rematch: str | UnsetType = UNSET) -> TableBody:
    opened = table.opened
    return TableBody(
        id=table.id,
        ruleset=opened.ruleset,
        options=table.all_options,
        status=table.status,
        policies=policies_body(table.policies),
        creator=opened.creator,
        host=table.lifecycle.host,
        seats=seat_bodies(table),
        seq=table.version,
        rules=table.rules,
        commitment=opened.commitment.hex(),
        deal=deal_body(opened.deal),
        reason=table.ended.reason if table.ended else None,
        outcome=table.ended.outcome if table.ended else None,
        rematch=rematch,
        tournament=place_of(opened),
    )


def seat_bodies(table: TableState) -> list[SeatBody]:
    return [seat_body(table.lifecycle, seat, sat) for seat, sat in enumerate(table.seats)]


def seat_body(life: Lifecycle, seat: int, sat: Seated | None) -> SeatBody:
    return SeatBody(
        seat=seat,
        player=sat.player if sat else None,
        bot=sat.bot if sat else None,
        reserved=life.reserved.get(seat),
        ready=seat in life.ready,
        away=seat in life.away,
        by=life.away.get(seat),
        retired=seat in life.retired,
        left=[player for before, player in life.left if before == seat],
        owner=life.owners.get(seat),
    )


def table_view(table: TableState, audience: int, clocks: ClocksBody | None = None) -> TableView:
    """Return the audience's view.

    Args:
        clocks: by default, the clocks at the newest event.
    """
    state = table.playing if table.state else None
    view = describe_view(table.title, state, audience, table.shown(table.version)) if state else None
    return view_with(table, audience, view, seat_bodies(table), clocks or clocks_body(table, table.at))


def views_for(table: TableState, audiences: Collection[int], away: int = 0) -> dict[int, TableView]:
    """Return the current views by audience.

    Encoded zones are reused until an event changes them. Seats and clocks are encoded once for all audiences.

    Args:
        away: as in `clocks_body`.
    """
    if not audiences:
        return {}
    seats, clocks = encoded(seat_bodies(table)), encoded(clocks_body(table, table.at, away))
    if table.state is None:
        return {audience: view_with(table, audience, None, seats, clocks) for audience in audiences}
    state, parts = table.playing, table.shown_parts()
    return {audience: view_with(table, audience, parts.view(state, audience), seats, clocks) for audience in audiences}


def encoded(body: Any) -> Any:
    return None if body is None else msgspec.Raw(json(body))


def view_with(
    table: TableState, audience: int, view: ViewBody | None, seats: list[SeatBody], clocks: ClocksBody | None
) -> TableView:
    return TableView(
        table=table.id,
        seq=table.version,
        head=head_of(table.hash),
        viewer=viewer_of(audience),
        status=table.status,
        seats=seats,
        view=view,
        choice=choice_of(table, audience),
        undo=undo_body(table, audience) if audience != SPECTATOR else None,
        proposal=proposal_body(table.lifecycle.proposal),
        paused=table.lifecycle.paused,
        clocks=clocks,
        halted=table.lifecycle.paused_by_officials,
    )


def proposal_body(proposal: Proposal | None) -> ProposalBody | None:
    return ProposalBody(proposal.seat, proposal.question, proposal.agreed) if proposal else None


def choice_of(table: TableState, audience: int) -> Choice | None:
    if audience == SPECTATOR or table.state is None:
        return None
    asked = describe_choice(table.title, table.playing, audience, table.offers(audience))
    since = table.since[audience]
    if asked is None:
        return None
    groups = grouped(table.title, table.playing, asked.offers)
    return Choice(f"{since}.{audience}", since, asked.prompt, asked.offers, groups, asked.passes)


def undo_body(table: TableState, seat: int) -> UndoBody:
    count = sum(owner == seat for _, owner in table.undoable) if table.status == "playing" else 0
    return UndoBody(count, None if count else table.not_undoable(seat))


def clocks_body(table: TableState, now: datetime, away: int = 0) -> ClocksBody | None:
    """Return the clocks, which all audiences may see; None if the table has none.

    Args:
        away: milliseconds of an outage since the clocks' newest event.
    """
    if (clocks := table.clocks) is None:
        return None
    at, seats = ms(now), list[ClockBody]()
    for seat in range(len(clocks.seats)):
        seats.append(clock_body(clocks, seat, at, away))
    return ClocksBody(timestamp(now), seats)


def clock_body(clocks: Clocks, seat: int, at: int, away: int) -> ClockBody:
    """Return a seat's clock. The arguments are those of `Clocks.remaining`."""
    left, over = clocks.remaining(seat, at, away), clocks.over(seat, away)
    deadline = None if over is None or isinstance(clocks.clock, LiveClock) else timestamp(instant(over))
    return ClockBody(seat, left if left > 0 else 0, seat in clocks.owes, clocks.seats[seat].quota, deadline)
