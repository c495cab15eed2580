"""Open branches: tables that continue from a position of another game.

A branch of a finished game continues exactly as the game was. A branch of a running game continues from what one seat
knows; everything else is dealt again. The functions are pure.
"""
from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from ludarium.platform.problems import Problem
from ludarium.tables.model import access, documents
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import Acted, BranchStarted, GameStarted, SeatedBy
from ludarium.tables.model.hash_chain import LogEntry, is_undone, undone_versions
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import AbsenceBody, NewTable, PoliciesBody, SpectatorsBody
from ludarium_engine.bots import bots
from ludarium_engine.branches.placing import position_facts
from ludarium_engine.branches.resampling import NoDeal, resample
from ludarium_engine.kernel import RulesError, State, evolve
from ludarium_engine.kernel.knowledge import Knowledge
from ludarium_engine.kernel.observations import observe
from ludarium_engine.registry import titles

POLICIES = PoliciesBody(SpectatorsBody("nobody", listed=False), "invited", "free", "nobody", AbsenceBody())
"""Policies of every branch, where one player plays alone against bots."""


def seat_for(table: TableState, player: str, at: int, wanted: int | None) -> int:
    """Return the seat that the player continues from.

    Args:
        table: the current table.
        at: the version to continue from.
        wanted: the seat that the player requests, if any.

    Raises:
        Problem: `no-branch`, `forbidden`, `no-such-seat`, `future-sequence`.
    """
    own = access.own_seat(table, player)
    seat = wanted if wanted is not None else own or 0
    if at > table.version:
        raise Problem("future-sequence", seq=table.version)
    if seat not in range(table.opened.seats):
        raise Problem("no-such-seat")
    if not table.is_open_to_all:
        if own is None or seat != own:
            raise Problem("forbidden")
        check_may_branch(table)
    return seat


def check_may_branch(table: TableState) -> None:
    """Raise Problem `no-branch` if this game may not be branched while it is running."""
    policies = table.policies
    if policies.rated or access.is_arranged(table) or table.opened.deal.stream is not None:
        raise Problem("no-branch", "others are measured by this game")
    if not policies.branches:
        raise Problem("no-branch", "the policies do not say `branches`")


def branch(
    now: TableState, then: TableState, events: Sequence[LogEntry], player: str, seat: int, bot: str, luck: Random
) -> tuple[NewTable, list[AnyEvent]]:
    """Return the new table's settings and its first events.

    Args:
        now: the current table.
        then: the table after `events`, from which the branch continues.
        seat: the player's seat.
        bot: the bot that plays all other seats.

    Raises:
        Problem: `unknown-bot`, `game-not-started`, `game-over`, `no-branch`.
    """
    if bot not in bots(now.title):
        raise Problem("unknown-bot")
    check_going(then)
    title, opened = then.title, now.opened
    if title.data_hash != titles()[opened.ruleset].data_hash or then.data != title.data_hash:
        raise Problem("no-branch", "the game began with other data than new games do")
    viewer = None if now.is_open_to_all else seat
    blank = title.blank(then.options, opened.seats)
    try:
        state = as_it_was(then) if viewer is None else resample(known(then, events, seat), luck)
        facts = position_facts(title.layout, blank, state)
    except (NoDeal, RulesError) as error:
        raise Problem("no-branch", str(error)) from error
    others = [SeatedBy(n, None, bot) for n in range(opened.seats) if n != seat]
    rules, place = (title.version, *documents.of_game(title, blank)), (now.stream.bytes, then.version, viewer)
    start = BranchStarted(*rules, [b""] * opened.seats, facts, *place)
    wanted = NewTable(opened.ruleset, opened.seats, now.all_options, POLICIES)
    return wanted, [SeatedBy(seat, player, None, b"", "opener"), *others, start]


def check_going(then: TableState) -> None:
    """Raise a Problem unless the game was running at that moment.

    Raises:
        Problem: `game-not-started`, `game-over`.
    """
    if then.state is None:
        raise Problem("game-not-started")
    if then.state.outcome is not None:
        raise Problem("game-over")


def as_it_was(then: TableState) -> State:
    """Return the true state, with future draws reset and without seats' preferences."""
    return replace(then.playing, drawn={}, always_passes=[])


def known(then: TableState, events: Sequence[LogEntry], seat: int) -> Knowledge:
    """Return the seat's knowledge after these events, ignoring undone events."""
    title, dead = then.title, undone_versions(then.title, events)
    state: State = title.blank(then.options, then.opened.seats)
    layout = then.shown(then.version)
    knowledge = Knowledge(title, layout, seat, then.options, then.opened.seats)
    for entry in events:
        if isinstance(entry.event, GameStarted | Acted) and not is_undone(entry, dead):
            state = evolve(state, entry.event.event)
            knowledge.apply(observe(layout, entry.event.event, state, seat))
    return knowledge
