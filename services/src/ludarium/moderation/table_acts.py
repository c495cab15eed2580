"""What moderators and administrators do to tables: close them, void them, take them out of the ratings."""

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
from ludarium.tables.service import Repeated, Tables


class NewTableAct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`close`: a table that waits goes away, a game ends as it stands. `void`: it ends without a result.

    `unrate`: takes a finished game out of the ratings, for administrators.
    """

    act: Literal["close", "void", "unrate"]
    reason: Reason


TABLE_ACTS = {"close": endings.closed, "void": endings.cut_off, "unrate": endings.void_rating}


async def end_table(
    tables: Tables, moderation: Moderation, accounts: Accounts, by: Access | None, table_id: str, wanted: NewTableAct,
    identity: Identity | None,
) -> None:  # fmt: skip
    """Records the act before it is done. Raises Problem `not-found`, `game-over`, `plays-there`, `not-rated`."""
    stream, moderator = stream_of(table_id), None if by is None else by.player.id
    act = TABLE_ACTS[wanted.act]

    def decide(table: TableState) -> list[AnyEvent]:
        return act(table, moderator)

    if changes(decide, await tables.cache.fresh(stream)):
        made = await accounts.keys.made(identity, "act", stream)
        await moderation.record(by, wanted.act, made, wanted.reason, table=table_id)
    with suppress(Repeated):
        await tables.decide_and_append(stream, decide, identity=identity)


def changes(decide: Callable[[TableState], list[AnyEvent]], table: TableState) -> bool:
    """Whether there is something to record: a refused or repeated act leaves no trace in the audit."""
    try:
        return bool(decide(table))
    except Problem:
        return False
