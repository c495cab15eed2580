"""Store players' playing hours and vacations.

A turn uses the playing hours that were set at least NOTICE before the turn began.
"""
from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import msgspec

from ludarium.clocks.hours import ALWAYS, NOTICE, Rest
from ludarium_engine.kernel.decoding import msgpack_decoder
from ludarium_eventstore import EventStore

encode = msgspec.msgpack.Encoder().encode
decode = msgpack_decoder(Rest)


async def set_rest(store: EventStore, player: str, rest: Rest) -> None:
    """Store playing hours that take effect after NOTICE, and delete obsolete ones."""
    await store.fetch(
        "insert into clocks.rests (player, since, data) values ($1, es.now(), $2)"
        " on conflict (player, since) do update set data = excluded.data",
        player, encode(rest),
    )  # fmt: skip
    await store.fetch(
        "delete from clocks.rests where player = $1 and since <"
        " (select max(since) from clocks.rests where player = $1 and since <= es.now() - $2::interval)",
        player, NOTICE,
    )  # fmt: skip


async def rest_of(store: EventStore, player: str) -> Rest:
    """Return the playing hours that the player set last, even if not yet in effect."""
    rows = await store.fetch("select data from clocks.rests where player = $1 order by since desc limit 1", player)
    return decode(rows[0]["data"]) if rows else ALWAYS


async def rests_of(store: EventStore, players: Collection[str], at: datetime) -> dict[str, Rest]:
    """Return the playing hours in effect for turns that begin at `at`, by player.

    Players who have set no playing hours are left out.
    """
    rows = await store.fetch(
        "select distinct on (player) player, data from clocks.rests where player = any($1) and since <= $2"
        " order by player, since desc",
        [*players], at - NOTICE,
    )  # fmt: skip
    return {row["player"]: decode(row["data"]) for row in rows}
