"""How often a caller may ask: token buckets in Valkey, shared by all processes; one for the token, one for the address.

If Valkey is away every request is let through: a table must go on.
"""

import logging
import time
from typing import NamedTuple

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from services import valkey
from services.accounts.accounts import Accounts
from services.accounts.secrets import FORMS, digest
from services.api.auth import bearer
from services.exchange import tell
from services.problems import Problem

log = logging.getLogger(__name__)

PREFIX = "ludarium:{limit}:"
"""A script takes from buckets of one node only: what is in the braces decides which."""
# A bucket is a hash {tokens, at}. Refill all, take one token from each or, if one is empty, from none.
# Answers: tokens left in the emptiest, and milliseconds until it has one again (0: taken).
TAKE = """
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local left, wait, levels = math.huge, 0, {}
for i, key in ipairs(KEYS) do
  local most, rate = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i]) / 1000
  local was = redis.call('HMGET', key, 'tokens', 'at')
  local tokens = math.min(most, (tonumber(was[1]) or most) + (now - (tonumber(was[2]) or now)) * rate)
  levels[i] = tokens
  if tokens < 1 then wait = math.max(wait, math.ceil((1 - tokens) / rate)) end
end
for i, key in ipairs(KEYS) do
  local tokens = wait == 0 and levels[i] - 1 or levels[i]
  local most, rate = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i]) / 1000
  redis.call('HSET', key, 'tokens', tokens, 'at', now)
  redis.call('PEXPIRE', key, math.ceil(most / rate) + 1000)
  left = math.min(left, tokens)
end
return {math.floor(left), wait}
"""
PAUSE = 2.0
"""Seconds for which a Valkey that was away is not asked: while it hangs, each request would wait for it."""


class Rate(NamedTuple):
    """A bucket: it holds `most` requests and gets `per_second` back."""

    most: int
    per_second: float


TOKEN = Rate(300, 60)
BOT = Rate(120, 20)
"""Of one bot: it has one token."""
ADDRESS = Rate(1200, 300)
NEWCOMER = Rate(60, 1)
"""Tables opened, from one address."""
ORGANISER = Rate(300, 5)
"""Tables opened with a token that was made for holding tournaments, by its player: a round begins at all boards at once."""
GUESTS = Rate(240, 4)
"""Guests made, from one address: a school sits down at once behind one."""
REGISTER = Rate(60, 0.5)
"""Accounts opened, and logins found to be taken, from one address."""
SIGN_IN = Rate(240, 4)
"""Sign-ins from one address; `lockout` counts those that fail, by login."""
MAIL = Rate(5, 1 / 60)
"""Letters asked for, from one address."""
POSITIONS = Rate(60, 2)
"""Pages of positions, from one address: one of old games folds twenty of them."""
TALK = Rate(240, 8)
"""Messages from one address; `services.tables.chat` counts those of each player."""
EXPORT = Rate(5, 1 / 60)
"""Exports of all that is kept about somebody, from one address."""
BULK = Rate(10, 0.1)
"""Answers of many records, from one address: each of them is made of its table's log."""
IMPORTS = Rate(30, 0.1)
"""Records brought here, from one address: each is checked from its first row to its last."""
STUDIES = Rate(60, 0.5)
"""Studies begun, from one address."""
PICTURES = Rate(60, 3)
"""Pictures of tables, from one address: each that is not kept is drawn."""
ANALYSES = Rate(60, 2)
"""Moves tried beside games, from one address: each answer folds its game and runs the rules for a second at most."""
REJOIN = Rate(10, 0.1)
"""Rejoin codes tried, from one address."""


class RateLimits:
    """Takes a token from each of several buckets, in one round trip."""

    def __init__(self, redis: valkey.Client) -> None:
        self._take = redis.register_script(TAKE)
        self._down = False
        self._asked_from = 0.0

    async def take(self, buckets: dict[str, Rate]) -> int | None:
        """How many requests are left; None if Valkey is away. Raises Problem `rate-limited`."""
        if time.monotonic() < self._asked_from:
            return None
        arguments = [number for rate in buckets.values() for number in rate]
        try:
            left, wait = await self._take([PREFIX + name for name in buckets], arguments)
        except valkey.AWAY as error:
            self._away(error)
            return None
        self._down = False
        if wait:
            raise Problem("rate-limited", retry_after=-(-wait // 1000))
        return int(left)

    async def count(self, buckets: dict[str, Rate]) -> None:
        """Takes a token from each; the answer says how things stand. Raises Problem `rate-limited`."""
        most = str(min(rate.most for rate in buckets.values()))
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
    """Counts each request against its token, if it has one, and its address. `opt={"rate": ...}` adds a bucket."""

    scopes = (ScopeType.HTTP, ScopeType.ASGI)
    exclude_opt_key = "unlimited"

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        state = scope["litestar_app"].state
        limits: RateLimits = state.limits
        if organisers := scope["route_handler"].opt.get("organisers") if is_personal(scope) else None:
            await limits.count(buckets_of(scope))       # before it is looked up
            await limits.count(await organised(scope, state.parts.accounts, organisers) or special_bucket(scope))
        else:
            await limits.count(buckets_of(scope) | special_bucket(scope))
        await next_app(scope, receive, send)


async def organised(scope: Scope, accounts: Accounts, rate: Rate) -> dict[str, Rate]:
    """The bucket of a player who asks with a token that was made for holding tournaments."""
    try:
        access = await accounts.access(bearer(scope) or "")
    except Problem:
        return {}                                         # the operation says what is wrong with it
    hosts = "tournaments:host" in access.scopes
    return {f"{scope['path_template']}:organiser:{access.player.id}": rate} if hosts else {}


def buckets_of(scope: Scope) -> dict[str, Rate]:
    """Those of the caller's address and, if there is one, token."""
    buckets = {f"address:{address_of(scope)}": ADDRESS}
    if token := bearer(scope):
        buckets[f"token:{digest(token).hex()[:32]}"] = BOT if token.startswith(FORMS["bot"]) else TOKEN
    return buckets


def is_personal(scope: Scope) -> bool:
    return (bearer(scope) or "").startswith(FORMS["personal"])


def special_bucket(scope: Scope) -> dict[str, Rate]:
    """That of an operation which may be asked for less often."""
    rate = scope["route_handler"].opt.get("rate")
    return {f"{scope['path_template']}:{address_of(scope)}": rate} if rate else {}


def address_of(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else "unknown"
