"""Moderators' acts on tables: close, void, or remove from the ratings."""

from collections.abc import Callable
from contextlib import suppress
from typing import Literal

import msgspec

from ludarium.accounts.access import Access
from ludarium.accounts.accounts import Accounts
from ludarium.moderation.acts import Moderation, Reason
from ludarium.platform.idempotency import Identity
from ludarium.platform.problems import Problem
from ludarium.tables.commands import stream_of
from ludarium.tables.model import endings
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.table_state import TableState
from ludarium.tables.repeated_commands import Repeated
from ludarium.tables.service import Tables


class NewTableAct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An act on a table.

    - `close` removes an open table, or ends a running game with its current standing.
    - `void` ends the game without a result.
    - `unrate` removes a finished game from the ratings; for administrators.
    """

    act: Literal["close", "void", "unrate"]
    reason: Reason


TABLE_ACTS = {"close": endings.closed, "void": endings.cut_off, "unrate": endings.void_rating}


async def apply_table_act(
    tables: Tables, moderation: Moderation, accounts: Accounts, by: Access | None, table_id: str, wanted_act: NewTableAct,
    identity: Identity | None,
) -> None:  # fmt: skip
    """Record the act in the audit log, then apply it to the table.

    Raises:
        Problem: `not-found`, `game-over`, `plays-there`, `not-rated`.
    """
    stream, moderator = stream_of(table_id), None if by is None else by.player.id
    act = TABLE_ACTS[wanted_act.act]

    def decide(table: TableState) -> list[AnyEvent]:
        return act(table, moderator)

    if has_effect(decide, await tables.cache.fresh(stream)):
        made = await accounts.keys.made(identity, "act", stream)
        await moderation.record(by, wanted_act.act, made, wanted_act.reason, table=table_id)
    with suppress(Repeated):
        await tables.decide_and_append(stream, decide, identity=identity)


def has_effect(decide: Callable[[TableState], list[AnyEvent]], table: TableState) -> bool:
    """Return whether the act changes the table.

    Acts that are refused or repeated are not recorded.
    """
    try:
        return bool(decide(table))
    except Problem:
        return False
