"""How many e-mails a recipient gets: counted in PostgreSQL by the address that they go to, not by who asks for them."""

from hashlib import blake2b
from math import ceil
from typing import NamedTuple

from ludarium.platform.database import Database
from ludarium.platform.problems import Problem


class Allowance(NamedTuple):
    """name: of what is counted. hourly, daily: e-mails to one recipient."""

    name: str
    hourly: int
    daily: int


CODES = Allowance("codes", 3, 10)
"""Codes that anybody has asked for."""
FAMILIAR = Allowance("familiar", 10, 30)
"""Codes that were asked for where the account's owner has signed in before. Strangers cannot use them up."""
NOTICES = Allowance("notices", 10, 30)
"""Notices of changes to an account."""
TIMES_WITHIN = "from unnest(m.times) t where t > now() - interval '1 {span}'"
HOUR, DAY = (TIMES_WITHIN.format(span=span) for span in ("hour", "day"))


class MailLimits:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, recipient: str, allowance: Allowance, place: bytes = b"") -> None:
        """Count an e-mail to this address.

        Args:
            place: where it was asked for; each place has an allowance of its own.

        Raises:
            Problem: `rate-limited` if the recipient has had as many as the allowance says.
        """
        key = key_of(recipient, allowance, place)
        taken = await self._database.row(
            f"""with old as (select key from accounts.mailings where last_at < now() - interval '1 day' and key <> $1
                             order by last_at limit 2 for update skip locked),
                     gone as (delete from accounts.mailings where key in (select key from old))
                insert into accounts.mailings as m (key, times) values ($1, array[now()])
                on conflict (key) do update set times = array(select t {DAY} order by t) || now(), last_at = now()
                where (select count(*) {HOUR}) < $2 and (select count(*) {DAY}) < $3 returning key""",
            key, allowance.hourly, allowance.daily,
        )  # fmt: skip
        if taken is None:
            raise Problem("rate-limited", retry_after=await self._wait(key, allowance))

    async def _wait(self, key: bytes, allowance: Allowance) -> int:
        """Seconds until the recipient may have another one."""
        row = await self._database.row(
            f"""select extract(epoch from greatest(
                  (select t + interval '1 hour' {HOUR} order by t desc offset $2 - 1 limit 1),
                  (select t + interval '1 day' {DAY} order by t desc offset $3 - 1 limit 1)) - now())::float as seconds
                from accounts.mailings m where key = $1""",
            key, allowance.hourly, allowance.daily,
        )  # fmt: skip
        return max(1, ceil(row["seconds"] or 1)) if row else 1


def key_of(recipient: str, allowance: Allowance, place: bytes) -> bytes:
    """No addresses are kept, only their hashes."""
    counted = b"|".join((allowance.name.encode(), place, recipient.casefold().encode()))
    return blake2b(counted, digest_size=32, person=b"mailing").digest()
