"""Rate limits: token buckets in Valkey, for each token and address.

If Valkey is down, every request is allowed, so that games can continue.
"""

import asyncio
import logging
import time
from collections.abc import Coroutine
from typing import Any, NamedTuple, cast

from cachetools import LRUCache
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from ludarium.accounts.accounts import Accounts
from ludarium.accounts.secrets import FORMS, digest
from ludarium.http.auth import bearer
from ludarium.platform import metering, valkey
from ludarium.platform.problems import Problem
from ludarium.platform.request_context import tell

log = logging.getLogger(__name__)

PREFIX = "ludarium:{limit}:"
"""Prefix of all buckets. The text in braces makes a Valkey cluster store them on one node, as a script requires."""
# A bucket is a hash {tokens, at}. Refill all and charge what is owed; then take the price from each or, if one holds
# less, from none. Returns how many requests are left in the emptiest, and milliseconds until there is one again (0:
# taken).
TAKE = """
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local left, wait, buckets = math.huge, 0, {}
for i, key in ipairs(KEYS) do
  local n = 4 * i
  local most, rate, price, owed = tonumber(ARGV[n - 3]), tonumber(ARGV[n - 2]) / 1000, tonumber(ARGV[n - 1]), tonumber(ARGV[n])
  local was = redis.call('HMGET', key, 'tokens', 'at')
  local tokens = math.min(most, (tonumber(was[1]) or most) + (now - (tonumber(was[2]) or now)) * rate)
  tokens = math.max(-most, math.min(most, tokens - owed))
  buckets[i] = {tokens, price, most / rate}
  if tokens < price then wait = math.max(wait, math.ceil((price - tokens) / rate)) end
end
for i, key in ipairs(KEYS) do
  local tokens, price, seconds = unpack(buckets[i])
  if wait == 0 then tokens = tokens - price end
  redis.call('HSET', key, 'tokens', tostring(tokens), 'at', now)
  redis.call('PEXPIRE', key, 2 * math.ceil(seconds) + 1000)
  left = math.min(left, tokens / math.max(price, 1))
end
return {math.floor(left), wait}
"""
PAUSE = 2.0
"""Seconds without queries after Valkey was down. Without the pause, each request would wait for a hanging Valkey."""


class Rate(NamedTuple):
    """The size and refill rate of a bucket, and what a request takes from the bucket.

    Attributes:
        most: the maximum number of tokens.
        per_second: the tokens that are added in a second.
        price: the tokens that a request takes.
        owed: the tokens that are taken first, as a debt of earlier requests.
    """

    most: int
    per_second: float
    price: float = 1
    owed: float = 0

    @property
    def requests(self) -> int:
        """Number of requests for which a full bucket suffices."""
        return int(self.most // self.price)


TOKEN = Rate(300, 60)
BOT = Rate(120, 20)
"""Requests of one bot, which has one access token."""
ADDRESS = Rate(1200, 300)
COMMANDS = ADDRESS._replace(price=2)
"""Commands from one address. They share the bucket of other requests but count twice, as their CPU time is not charged."""
WORK = Rate(5000, 200)
"""Milliseconds of CPU time for one address. Players' actions use a separate bucket, so that reading never delays playing.
Commands use neither bucket."""
OUTSIDE = 1.0
"""Milliseconds of CPU time that a request takes outside its task, for example for parsing, its log line and its buckets."""
DEPOSIT = 2.0
"""Milliseconds that a request is charged in advance; the next request settles the difference."""
LOOK_BACK = 50.0
"""Deposit for requests that may read a whole log, so that an address can start 100 such requests at once."""
STREAM = 25.0
"""Minimum price of a stream, in milliseconds of CPU time."""
INSTALMENT = 25.0
"""Milliseconds of CPU time that a stream pays for at a time."""
MOST_OWING = 100_000
"""Maximum number of buckets with a remembered debt; the least recently used are dropped."""
NEWCOMER = Rate(60, 1)
"""Tables opened from one address."""
ORGANISER = Rate(300, 5)
"""Tables opened by a player with a token for hosting tournaments, where a round begins at all boards at once."""
GUESTS = Rate(240, 4)
"""Guests created from one address, enough for a school."""
REGISTER = Rate(60, 0.5)
"""Attempts to open an account from one address, which also limits how many existing logins can be discovered."""
SIGN_IN = Rate(240, 4)
"""Sign-ins from one address; `lockout` counts failures by login."""
MAIL = Rate(5, 1 / 60)
"""E-mails requested from one address."""
POSITIONS = Rate(60, 2)
"""Pages of positions from one address. For a page of old games, twenty games are folded."""
TALK = Rate(240, 8)
"""Chat messages from one address; `ludarium.tables.chat` limits each player's."""
EXPORT = Rate(5, 1 / 60)
"""Exports of a player's data from one address."""
BULK = Rate(10, 0.1)
"""Responses with many records for one address. Each record is made from a table's whole log."""
IMPORTS = Rate(30, 0.1)
"""Imported records from one address. Each record is verified completely."""
STUDIES = Rate(60, 0.5)
"""Studies begun from one address."""
PICTURES = Rate(60, 3)
"""Pictures of tables for one address. A picture that is not cached is drawn anew."""
ANALYSES = Rate(60, 2)
"""Analysed moves for one address. For each, a game is folded, and the rules run for at most a second."""
REJOIN = Rate(10, 0.1)
"""Rejoin codes tried from one address."""


class RateLimits:
    """Takes tokens from several buckets in one round trip to Valkey."""

    def __init__(self, redis: valkey.Client) -> None:
        self._take = redis.register_script(TAKE)
        self._owed: LRUCache[str, float] = LRUCache(MOST_OWING)
        self._down = False
        self._asked_from = 0.0

    async def take(self, buckets: dict[str, Rate]) -> int | None:
        """Take a request's price from each bucket.

        Returns:
            How many requests are left, None if Valkey is down.

        Raises:
            Problem: `rate-limited` if a bucket has too few tokens.
        """
        if (answer := await self._run(buckets)) is None:
            return None
        left, wait = answer
        if wait:
            raise Problem("rate-limited", retry_after=-(-wait // 1000))
        return left

    async def _run(self, buckets: dict[str, Rate]) -> tuple[int, int] | None:
        """Take from the buckets, if all of them have enough tokens.

        Returns:
            How many requests are left, and how many milliseconds to wait if a bucket has too few tokens; None if Valkey
            is down.
        """
        if time.monotonic() < self._asked_from:
            return None
        arguments = [number for rate in buckets.values() for number in rate]
        try:
            left, wait = await self._take([PREFIX + name for name in buckets], arguments)
        except valkey.AWAY as error:
            self._away(error)
            return None
        self._down = False
        return int(left), int(wait)

    async def pay(self, bucket: str, milliseconds: float) -> float:
        """Charge CPU time to a bucket at once.

        Returns:
            The seconds until the bucket is out of debt.
        """
        _, wait = await self._run({bucket: WORK._replace(price=0, owed=milliseconds)}) or (0, 0)
        return wait / 1000

    def owe(self, bucket: str, milliseconds: float) -> None:
        """Remember CPU time that is charged with the next request in this process.

        A negative amount is a refund.
        """
        self._owed[bucket] = self._owed.get(bucket, 0.0) + milliseconds

    def work(self, bucket: str, price: float) -> dict[str, Rate]:
        """Return the CPU bucket with this name and price, including the remembered debt."""
        return {bucket: WORK._replace(price=price, owed=self._owed.pop(bucket, 0.0))}

    async def count(self, buckets: dict[str, Rate]) -> None:
        """Take a request's price from each bucket, and report the limit in headers.

        Raises:
            Problem: `rate-limited` if a bucket has too few tokens.
        """
        most = str(min(rate.requests for rate in buckets.values()))
        try:
            left = await self.take(buckets)
        except Problem as refusal:
            wait = str(refusal.retry_after)
            tell({"ratelimit-limit": most, "ratelimit-remaining": "0", "ratelimit-reset": wait})
            raise
        if left is not None:
            tell({"ratelimit-limit": most, "ratelimit-remaining": str(left)})

    def _away(self, error: Exception) -> None:
        if not self._down:
            log.warning("No rate limits while Valkey is away: %s", error)
        self._down = True
        self._asked_from = time.monotonic() + PAUSE


class LimitRequests(ASGIMiddleware):
    """Counts each request against the limits of its token and its address.

    The request's CPU time is charged to the address. An operation with `opt={"rate": ...}` has an additional bucket. The
    deposit of an operation is `opt={"price": ...}`, in milliseconds of CPU time.
    """

    scopes = (ScopeType.HTTP, ScopeType.ASGI)
    exclude_opt_key = "unlimited"

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        state = scope["litestar_app"].state
        limits: RateLimits = state.limits
        price, bucket = price_of(scope), work_bucket(scope)
        common = buckets_of(scope) | limits.work(bucket, price)
        if organisers := scope["route_handler"].opt.get("organisers") if is_personal(scope) else None:
            await limits.count(common)       # before the token is looked up
            await limits.count(await organised(scope, state.parts.accounts, organisers) or special_bucket(scope))
        else:
            await limits.count(common | special_bucket(scope))
        bill = (StreamBill if is_stream(scope) else Bill)(limits, bucket, price)
        token = metering.current.set(bill.meter)
        try:
            await metering.metered(cast(Coroutine[Any, Any, None], next_app(scope, receive, bill.sending(send))))
        finally:
            metering.current.reset(token)
            bill.close()


class Bill:
    """The amount that a request owes for its CPU time."""

    def __init__(self, limits: RateLimits, bucket: str, deposit: float) -> None:
        self.meter = metering.Meter()
        self._limits, self._bucket, self._paid = limits, bucket, deposit

    @property
    def due(self) -> float:
        """Unpaid milliseconds of CPU time; negative if the deposit was higher."""
        return self.meter.seconds * 1000 + OUTSIDE - self._paid

    def sending(self, send: Send) -> Send:
        return send

    def close(self) -> None:
        """Charge the unpaid time with the next request.

        Threads of the request that are still running are charged later, too.
        """
        self._limits.owe(self._bucket, self.due)
        self.meter.charge_later = lambda seconds: self._limits.owe(self._bucket, seconds * 1000)


class StreamBill(Bill):
    """The bill of a stream, which pays in instalments while it sends.

    A stream may read a whole log, and may last for hours.
    """

    def sending(self, send: Send) -> Send:
        """Return a `send` that pays instalments, and pauses while the address is in debt."""

        async def paid(message: Message) -> None:
            await send(message)
            if self.due >= INSTALMENT:
                await asyncio.sleep(await self.pay())

        return paid

    async def pay(self) -> float:
        """Pay the unpaid time, and return the seconds until the address is out of debt."""
        due = self.due
        self._paid += due
        return await self._limits.pay(self._bucket, due)

    def close(self) -> None:
        """Charge the unpaid time, but refund nothing: the deposit is the minimum price."""
        self._paid += min(0.0, self.due)
        super().close()


def is_stream(scope: Scope) -> bool:
    return bool(scope["route_handler"].opt.get("streams"))


def price_of(scope: Scope) -> float:
    """Return the deposit of an operation, in milliseconds of CPU time."""
    opt = scope["route_handler"].opt
    price: float = opt.get("price", STREAM if is_stream(scope) else DEPOSIT)
    return price


def work_bucket(scope: Scope) -> str:
    """Return the name of the bucket to which an operation's CPU time is charged."""
    opt = scope["route_handler"].opt
    plays = opt.get("need") == "play" and "rate" not in opt
    return f"{'play' if plays else 'work'}:{address_of(scope)}"


async def organised(scope: Scope, accounts: Accounts, rate: Rate) -> dict[str, Rate]:
    """Return a bucket for a player whose token may host tournaments, none for others."""
    try:
        access = await accounts.tokens.access(bearer(scope) or "")
    except Problem:
        return {}                                         # the operation reports the problem
    hosts = "tournaments:host" in access.scopes
    return {f"{scope['path_template']}:organiser:{access.player.id}": rate} if hosts else {}


def buckets_of(scope: Scope, address: Rate = ADDRESS) -> dict[str, Rate]:
    """Return the buckets of the caller's address and of the token, if there is one."""
    buckets = {f"address:{address_of(scope)}": address}
    if token := bearer(scope):
        buckets[f"token:{digest(token).hex()[:32]}"] = BOT if token.startswith(FORMS["bot"]) else TOKEN
    return buckets


def is_personal(scope: Scope) -> bool:
    return (bearer(scope) or "").startswith(FORMS["personal"])


def special_bucket(scope: Scope) -> dict[str, Rate]:
    """Return the additional bucket of an operation with a lower limit, if it has one."""
    rate = scope["route_handler"].opt.get("rate")
    return {f"{scope['path_template']}:{address_of(scope)}": rate} if rate else {}


def address_of(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else "unknown"
