"""Seats before and after the game: joining a table, its policies, and starting.

The functions are pure, like those in `decisions`.
"""
from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from msgspec.structs import replace as changed

from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.tables.model.access import (
    Proof,
    arrival_events,
    check_host,
    check_may_enter,
    check_may_leave,
    is_barred,
    own_seat,
    require_seat,
    vacancies,
)
from ludarium.tables.model.decisions import run_rules, start_game
from ludarium.tables.model.endings import end_table, require_game
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import Left, Seated, SeatedBot, SeatedBy, Way
from ludarium.tables.model.lifecycle_events import HandedOver, Ready, Replaced, Reserved, TakenOver, policies_event
from ludarium.tables.model.opening import option_data
from ludarium.tables.model.policies import LatestPolicies
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import NewTable, PoliciesBody, policies_body
from ludarium_engine.bots import bots


class Newcomer(NamedTuple):
    """The properties of a joining player that decide whether the player may sit down.

    Attributes:
        guest: whether the player has no account.
        owner: the player who owns it, if the joining player is a bot.
        barred: players who block this player or are blocked by them.
    """

    guest: bool = False
    owner: str | None = None
    barred: Collection[str] = ()


ANYONE = Newcomer()


def sit(
    table: TableState, player: str, seat: int | None, nonce: bytes, proof: Proof | None = None, who: Newcomer = ANYONE
) -> list[AnyEvent]:
    """Take a seat, and start the game if the policies say so.

    Raises:
        Problem: `not-invited`, also if a barred player is at the table; `already-seated`, `table-closed`, and those of
            `check_rated` and `free_seat`.
    """
    if own_seat(table, player) is not None:
        raise Problem("already-seated")
    check_open(table)
    if is_barred(table, who.barred):
        raise Problem("not-invited")
    way = check_may_enter(table, player, proof)
    check_rated(table.policies, who)
    event = seated_by(who.owner, free_seat(table, seat, player), player, nonce, way)
    return [event, *automatic_start(table, event)]


def check_rated(policies: LatestPolicies | PoliciesBody, who: Newcomer) -> None:
    """Raise a Problem if the table is rated and the player may not play rated games.

    Raises:
        Problem: `no-guests`, `people-only`.
    """
    if policies.rated and who.guest:
        raise Problem("no-guests")
    if policies.rated and who.owner is not None:
        raise Problem("people-only")


def seated_by(owner: str | None, seat: int, player: str, nonce: bytes, way: Way | None) -> SeatedBy:
    if owner is None:
        return SeatedBy(seat, player, None, nonce, way)
    return SeatedBot(seat=seat, player=player, bot=None, nonce=nonce, way=way, owner=owner)


def take_reserved(table: TableState, player: str, who: Newcomer = ANYONE) -> list[AnyEvent]:
    """Take the seat reserved for the player, if there is one."""
    kept_for = table.status == "open" and player in table.lifecycle.reserved.values()
    return sit(table, player, None, b"", who=who) if kept_for and not is_barred(table, who.barred) else []


def add_bot(table: TableState, player: str, bot: str, seat: int | None) -> list[AnyEvent]:
    check_host(table, player)
    if bot not in bots(table.title):
        raise Problem("unknown-bot")
    if table.policies.rated:
        raise Problem("no-bots")
    event = SeatedBy(free_seat(table, seat, None), None, bot)
    return [event, *automatic_start(table, event)]


def free_seat(table: TableState, wanted: int | None, player: str | None) -> int:
    """Return the requested seat or, by default, the reserved or first free one.

    Raises:
        Problem: `no-such-seat`, `seat-taken`, `seat-reserved`.
    """
    check_open(table)
    kept = table.lifecycle.reserved
    free = [i for i, seated in enumerate(table.seats) if seated is None]
    if wanted is not None and wanted not in range(table.opened.seats):
        raise Problem("no-such-seat")
    if not free or (wanted is not None and wanted not in free):
        raise Problem("seat-taken")
    theirs = [i for i in free if kept.get(i, player) == player]
    if not theirs or (wanted is not None and wanted not in theirs):
        raise Problem("seat-reserved")
    return min(theirs, key=lambda i: (i not in kept, i)) if wanted is None else wanted


def leave(table: TableState, player: str, seat: int) -> list[AnyEvent]:
    """Free a seat, or cancel its reservation. The host may do so for other players."""
    check_open(table)
    check_may_leave(table)
    kept = table.lifecycle.reserved.get(seat)
    if seat not in range(table.opened.seats) or (table.seats[seat] is None and kept is None):
        raise Problem("no-such-seat")
    if player != kept and seat != own_seat(table, player):
        check_host(table, player)
    return [Left(seat)] if table.seats[seat] else [Reserved(seat, None)]


def reserve(table: TableState, player: str, guest: str, seat: int) -> list[AnyEvent]:
    check_host(table, player)
    if own_seat(table, guest) is not None:
        raise Problem("already-seated")
    return [Reserved(free_seat(table, seat, None), guest)]


def ready(table: TableState, player: str, on: bool) -> list[AnyEvent]:
    seat = require_seat(table, player)
    if table.status == "playing" and (late := arrival_events(table, player)):
        return late
    check_open(table)
    event = Ready(seat, on)
    return [event, *automatic_start(table, event)]


# --- the start --------------------------------------------------------------------------------------------------------
def start(table: TableState, player: str) -> list[AnyEvent]:
    """Start the game. The host counts as ready."""
    check_host(table, player)
    check_open(table)
    if None in table.seats:
        raise Problem("seats-empty")
    seated = [seat for seat in table.seats if seat]
    if any(s.player not in (None, player) and s.seat not in table.lifecycle.ready for s in seated):
        raise Problem("seats-not-ready")
    return start_events(table, seated)


def automatic_start(table: TableState, event: SeatedBy | Ready) -> list[AnyEvent]:
    """Return the events of an automatic start, if this event completes the table.

    There are none if the policies do not ask for an automatic start, or if all seats are bots'.
    """
    seats: list[Any] = [*table.seats]
    if isinstance(event, SeatedBy):
        seats[event.seat] = event
    elif not event.on:
        return []
    willing = {*table.lifecycle.ready, event.seat}
    waits = None in seats or any(s.player and s.seat not in willing for s in seats)
    bots = {*table.lifecycle.owners, *([event.seat] if isinstance(event, SeatedBot) else [])}
    if not table.policies.auto_start or waits or not any(s.player and s.seat not in bots for s in seats):
        return []
    return start_events(table, seats)


def start_events(table: TableState, seated: Sequence[Seated]) -> list[AnyEvent]:
    """Return the events that start the game, drawing seats first if policies say so.

    Players who change seats leave their old seats first, so that their clients stop following the game from there.
    """
    events: list[AnyEvent] = []
    if table.policies.order == "random":
        drawn = by_lot(table, seated)
        moved = [one for one in drawn if one != seated[one.seat]]
        events, seated = [*(Left(one.seat) for one in moved), *moved], drawn
    return [*events, *run_rules(table, lambda: start_game(table, seated))]


def by_lot(table: TableState, seated: Sequence[Seated]) -> list[Seated]:
    """Draw the seats at random from the deal's seed.

    The table committed to this seed before anyone sat down, so nobody could influence the draw.
    """
    chance = table.chance_with([b"seats", *table.mixed(seated)])
    drawn = chance.shuffled(range(len(seated)), "seats", 0)
    return [changed(seated[nth], seat=seat) for seat, nth in enumerate(drawn)]


# --- the host ---------------------------------------------------------------------------------------------------------
def change_policies(table: TableState, player: str, policies: LatestPolicies) -> list[AnyEvent]:
    """Change the policies.

    Afterwards, all players except the host must confirm again that they are ready.
    """
    check_host(table, player)
    check_open(table)
    own = own_seat(table, player)
    if policies.rated and not table.policies.rated and any(table.seats):
        raise Problem("rated-too-late")
    return [policies_event(policies), *([] if own is None else [Ready(own, True)])]


def hand_over(table: TableState, player: str, to: str) -> list[AnyEvent]:
    """Make another seated player the host."""
    check_host(table, player)
    if table.ended is not None:
        raise Problem("game-over")
    if own_seat(table, to) is None:
        raise Problem("no-such-player")
    return [HandedOver(to)]


def take_over(table: TableState, guest: str, player: str) -> list[AnyEvent]:
    """Transfer a guest's seat to a player with an account.

    If the guest is the host, the player becomes the host. The player must not have another seat at the table.
    """
    seat = require_seat(table, guest)
    check_may_leave(table)
    if table.ended is not None:
        raise Problem("game-over")
    if own_seat(table, player) is not None or player in table.lifecycle.reserved.values():
        raise Problem("already-seated")
    check_unseen(table, player, seat)
    events: list[AnyEvent] = [TakenOver(seat, player)]
    return [*events, HandedOver(player)] if table.lifecycle.host == guest else events


def cancel(table: TableState, player: str) -> list[AnyEvent]:
    check_host(table, player)
    check_open(table)
    return end_table(table, "voided", None)


def expires_at(table: TableState) -> datetime | None:
    """Return when an open table expires, None if the table is no longer open."""
    return table.opened_at + timedelta(seconds=table.policies.expires) if table.status == "open" else None


def expire(table: TableState, now: datetime) -> list[AnyEvent]:
    """Return the events that end an expired table, none if it has not expired."""
    at = expires_at(table)
    return end_table(table, "voided", None) if at is not None and now >= at else []


def check_open(table: TableState) -> None:
    if table.ended is not None:
        raise Problem("table-closed" if table.state is None else "table-not-open")
    if table.status != "open":
        raise Problem("table-not-open")


# --- during the game --------------------------------------------------------------------------------------------------
def replace(
    table: TableState, player: str, seat: int, proof: Proof | None = None, who: Newcomer = ANYONE
) -> list[AnyEvent]:
    """Take over an absent player's seat. Bots cannot take over seats."""
    if own_seat(table, player) is not None:
        raise Problem("already-seated")
    require_game(table)
    if seat not in range(table.opened.seats):
        raise Problem("no-such-seat")
    if seat not in vacancies(table):
        raise Problem("not-vacant")
    if is_barred(table, who.barred):
        raise Problem("not-invited")
    if who.owner is not None:
        raise Problem("people-only")
    way = check_may_enter(table, player, proof)
    check_rated(table.policies, who)
    check_unseen(table, player, seat)
    return [Replaced(seat, player, way)]


def check_unseen(table: TableState, player: str, seat: int) -> None:
    """Raise Problem `seen-another-hand` if the player had another seat in the game."""
    if any(before == player and where != seat for where, before in table.lifecycle.left):
        raise Problem("seen-another-hand")


# --- after the game ---------------------------------------------------------------------------------------------------
def rematch(table: TableState, player: str, who: Newcomer = ANYONE) -> tuple[NewTable, list[AnyEvent]]:
    """Return the settings and events of a finished table's rematch.

    The ruleset may change options; in Kingdoms, for example, the loser deals. Each seat is reserved for the player who
    had it, except for players who block the requesting player or are blocked by them.
    """
    own = require_seat(table, player)
    if table.status != "over" or table.state is None:
        raise Problem("game-not-over")
    opened = table.opened
    options: dict[str, Any] = option_data(run_rules(table, lambda: table.title.rematch(table.playing)))
    wanted = NewTable(opened.ruleset, opened.seats, options, policies_body(table.policies))
    owner = table.lifecycle.owners.get(own)
    there = [seated for seated in table.seats if seated and seated.player not in who.barred]
    return wanted, [seated_by(owner, own, player, b"", "rematch") if s.seat == own else reserved_seats(s) for s in there]


def reserved_seats(seated: Any) -> AnyEvent:
    """Return the event that seats a built-in bot, or reserves the seat for its player."""
    if seated.player is None:
        return SeatedBy(seated.seat, None, seated.bot, b"", "rematch")
    return Reserved(seated.seat, seated.player)


def next_table(table: TableState) -> UUID:
    """Return the id of a finished table's only rematch.

    The id cannot be computed from the published seeds.
    """
    return ids.derived_id(ids.time_of(table.stream), table.secret.root, b"rematch")
