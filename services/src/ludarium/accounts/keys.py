"""Idempotency keys of requests that create something outside a table's log.

A repeated request gets the same id, and creating the same id again changes nothing. See docs/decisions/015.
"""

from uuid import UUID

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.entropy import Entropy, Part
from ludarium.platform.idempotency import Identity
from ludarium.platform.problems import Problem


class Keys:
    def __init__(self, database: Database, entropy: Entropy) -> None:
        self._database, self._entropy = database, entropy

    async def made(self, identity: Identity | None, *name: Part) -> UUID:
        """Return the id of the object that this request creates or has created.

        Table ids come from `made_table` instead.

        Args:
            identity: the request's key and content; None without a key.
            name: identifies the random draw by the kind of object and the player.

        Raises:
            Problem: `key-reused`.
        """
        return await self._known(identity, ids.new_id(self._entropy, *name))

    async def made_table(self, identity: Identity | None, *name: Part) -> UUID:
        """Return the id of the table that this request creates or has created.

        Raises:
            Problem: `key-reused`.
        """
        return await self._known(identity, ids.new_table_id(self._entropy, *name))

    async def _known(self, identity: Identity | None, fresh: UUID) -> UUID:
        """Return the id stored for this key, or store `fresh`.

        Up to two expired keys are deleted.
        """
        if identity is None:
            return fresh
        row = await self._database.row(
            """with old as (select key from accounts.keys where created_at < now() - interval '1 day' and key <> $1
                            order by created_at limit 2 for update skip locked),
                    gone as (delete from accounts.keys where key in (select key from old))
               insert into accounts.keys as known (key, request, made) values ($1, $2, $3)
               on conflict (key) do update set key = known.key returning request, made""",
            identity.key, identity.request, fresh,
        )
        if row is None or row["request"] != identity.request:
            raise Problem("key-reused")
        made: UUID = row["made"]
        return made
