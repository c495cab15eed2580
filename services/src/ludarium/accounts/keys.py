"""Idempotency keys of what is made outside a table's own log: for a day a key stands for one id.

So what is asked for again has the same id, and to make it again changes nothing.
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
        """Return the id of what this request makes or has made, other than a table.

        Args:
            name: of the draw: what is made, and who makes it.

        Raises:
            Problem: `key-reused`.
        """
        return await self._known(identity, ids.new_id(self._entropy, *name))

    async def made_table(self, identity: Identity | None, *name: Part) -> UUID:
        """Return the id of the table that this request makes or has made; otherwise as `made`."""
        return await self._known(identity, ids.new_table_id(self._entropy, *name))

    async def _known(self, identity: Identity | None, fresh: UUID) -> UUID:
        """Each new key lets two old ones go."""
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
