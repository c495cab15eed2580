"""Lockout after failed sign-ins, by login and address and by login alone.

Failures are stored in PostgreSQL, so that they survive a restart of Valkey. Unknown logins are locked in the same way as
existing ones.
"""

from hashlib import blake2b
from math import ceil
from typing import NamedTuple

from ludarium.platform.database import Database
from ludarium.platform.problems import Problem


class LockoutRule(NamedTuple):
    """The number of free attempts, and the delay after further ones.

    After the free attempts, a player has to wait `first` seconds. Each failure doubles the delay, up to `most` seconds.
    """

    free: int
    first: int
    most: int


FROM_ADDRESS = LockoutRule(5, 15, 900)
"""The rule for one login from one address."""
FROM_ANYWHERE = LockoutRule(50, 5, 60)
"""The rule for one login from anywhere. It slows attackers with many addresses, and locks owners out for at most a minute."""
WAIT = "make_interval(secs => case when f.times < $2 then 0 else least($4, $3 * power(2, least(f.times - $2, 16))) end)"
WAIT_BEFORE = WAIT.replace("f.times", "(f.times - 1)")
"""SQL for the delay that applied to the last attempt."""


class Lockout:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def attempt(self, login: str, address: str) -> None:
        """Count an attempt as failed in advance; `succeeded` deletes the count.

        Counting before the check prevents parallel guesses.

        Raises:
            Problem: `locked-out`.
        """
        for key, patience in keys_of(login, address).items():
            counted = await self._database.row(
                f"""with old as (select key from accounts.failures where last_at < now() - interval '1 day' and key <> $1
                                 order by last_at limit 2 for update skip locked),
                         gone as (delete from accounts.failures where key in (select key from old))
                    insert into accounts.failures as f (key, times) values ($1, 1)
                    on conflict (key) do update
                    set times = case when f.last_at < now() - interval '1 day' then 1 else f.times + 1 end, last_at = now()
                    where f.last_at + {WAIT} <= now() returning times""",
                key, *patience,
            )  # fmt: skip
            if counted is None:
                raise Problem("locked-out", retry_after=await self._wait(key, patience))

    async def succeeded(self, login: str, address: str) -> None:
        await self._database.rows("delete from accounts.failures where key = any($1)", [*keys_of(login, address)])

    async def excuse(self, login: str, address: str) -> None:
        """Uncount the last attempt but keep earlier failures.

        This is used where an attacker may also know a correct code.
        """
        for key, patience in keys_of(login, address).items():
            await self._database.rows(
                f"""with first as (delete from accounts.failures where key = $1 and times = 1)
                    update accounts.failures f set times = times - 1, last_at = last_at - {WAIT_BEFORE}
                    where key = $1 and times > 1""",
                key, *patience,
            )  # fmt: skip

    async def _wait(self, key: bytes, patience: LockoutRule) -> int:
        row = await self._database.row(
            f"select extract(epoch from f.last_at + {WAIT} - now())::float as seconds from accounts.failures f where key = $1",
            key, *patience,
        )  # fmt: skip
        return max(1, ceil(row["seconds"])) if row else 1


def keys_of(login: str, address: str) -> dict[bytes, LockoutRule]:
    """Return the keys under which attempts are counted, each with its rule.

    Keys are hashes, so no names or addresses are stored.
    """
    return {_key(login, address): FROM_ADDRESS, _key(login, ""): FROM_ANYWHERE}


def _key(login: str, address: str) -> bytes:
    return blake2b(f"{address}|{login}".encode(), digest_size=32, person=b"sign-in").digest()
