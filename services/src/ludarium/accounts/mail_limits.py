"""Limits on e-mails to each recipient, which do not depend on the sender."""

from hashlib import blake2b
from math import ceil
from typing import NamedTuple

from ludarium.platform.database import Database
from ludarium.platform.problems import Problem


class Allowance(NamedTuple):
    """A kind of e-mail, with hourly and daily limits for each recipient."""

    name: str
    hourly: int
    daily: int


CODES = Allowance("codes", 3, 10)
"""Codes that anyone can request."""
FAMILIAR = Allowance("familiar", 10, 30)
"""Codes requested from a place where the owner has signed in before. Strangers cannot use these up."""
NOTICES = Allowance("notices", 10, 30)
"""Notices of changes to an account."""
TIMES_WITHIN = "from unnest(m.times) t where t > now() - interval '1 {span}'"
HOUR, DAY = (TIMES_WITHIN.format(span=span) for span in ("hour", "day"))


class MailLimits:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, recipient: str, allowance: Allowance, place: bytes = b"") -> None:
        """Count an e-mail to this recipient.

        Args:
            place: hash of the address that requested the e-mail; each place is counted separately.

        Raises:
            Problem: `rate-limited` if the allowance is used up.
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
        """Return the seconds until the recipient may get another e-mail."""
        row = await self._database.row(
            f"""select extract(epoch from greatest(
                  (select t + interval '1 hour' {HOUR} order by t desc offset $2 - 1 limit 1),
                  (select t + interval '1 day' {DAY} order by t desc offset $3 - 1 limit 1)) - now())::float as seconds
                from accounts.mailings m where key = $1""",
            key, allowance.hourly, allowance.daily,
        )  # fmt: skip
        return max(1, ceil(row["seconds"] or 1)) if row else 1


def key_of(recipient: str, allowance: Allowance, place: bytes) -> bytes:
    """Return the key under which e-mails are counted, a hash of the address."""
    counted = b"|".join((allowance.name.encode(), place, recipient.casefold().encode()))
    return blake2b(counted, digest_size=32, person=b"mailing").digest()
