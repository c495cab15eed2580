"""Device authorization (RFC 8628), in which users enter a code shown by a device."""

import secrets
from datetime import timedelta
from uuid import UUID

import asyncpg
import msgspec

from ludarium.accounts.access import Access, Scope
from ludarium.accounts.apps import AskingApp, asking_app
from ludarium.accounts.grants import HAS_ROOM, Grants, Refusal, TokenPair, check_room, grantable_scopes
from ludarium.accounts.lockout import Lockout
from ludarium.accounts.secrets import digest, new_key, new_salt
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""The letters of codes, without vowels so that a code does not spell a word."""
CODE_LENGTH = 8
CODE_LIFE = timedelta(minutes=10)
POLL_INTERVAL = 5
"""Seconds between two polls of a device; each early poll adds as many."""
MAX_POLL_INTERVAL = 60


class DeviceCode(msgspec.Struct, frozen=True):
    """A code for a device without a browser.

    The device polls with `device_code` and shows `user_code`.
    """

    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int


class Devices:
    def __init__(self, database: Database, grants: Grants, issuer: str) -> None:
        self._database, self._grants, self._page = database, grants, f"{issuer}/device"
        self._lockout = Lockout(database)

    async def begin(self, app: UUID, scopes: list[Scope]) -> DeviceCode:
        """Create a device code, and delete up to two expired ones."""
        code, letters = new_key(), "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        await self._database.row(
            """with old as (select hash from accounts.devices where created_at < now() - $5::interval * 2
                            order by created_at limit 2 for update skip locked),
                    gone as (delete from accounts.devices where hash in (select hash from old))
               insert into accounts.devices (hash, user_hash, app_id, scopes, pause) values ($1, $2, $3, $4, $6)
               on conflict do nothing""",
            digest(code), digest(letters), app, scopes, CODE_LIFE, POLL_INTERVAL,
        )  # fmt: skip
        shown = f"{letters[:4]}-{letters[4:]}"
        complete = f"{self._page}?user_code={shown}"
        return DeviceCode(code, shown, self._page, complete, int(CODE_LIFE.total_seconds()), POLL_INTERVAL)

    async def look(self, access: Access, user_code: str, address: str) -> AskingApp:
        """Return the app that requests approval on this device.

        Raises:
            Problem: `not-found`, `locked-out`.
        """
        row = await self._waiting(access, user_code, address)
        return asking_app(row, None, row["scopes"])

    async def answer(self, access: Access, user_code: str, approve: bool, address: str) -> None:
        """Approve or deny the app on this device.

        Raises:
            Problem: `not-found`, `locked-out`, `insufficient-scope`, `too-many-tokens`.
        """
        device = await self._waiting(access, user_code, address)
        if not approve:
            await self._database.rows("update accounts.devices set denied = true where hash = $1", device["hash"])
            return
        player = ids.decode(access.player.id)
        row = await self._database.row_one_at_a_time(
            player,
            f"""with room as ({HAS_ROOM}),
                     device as (delete from accounts.devices where hash = $2 and (select is_left from room)
                                returning hash, app_id),
                     made as (insert into accounts.grants (id, app_id, player_id, scopes, expires_at)
                              select $1, app_id, $3, $4, now() + $5 from device returning id),
                     voucher as (insert into accounts.vouchers (hash, grant_id, kind)
                                 select hash, id, 'device' from device, made)
                select is_left from room""",
            new_salt(), device["hash"], player, grantable_scopes(access, device["scopes"]), CODE_LIFE,
        )  # fmt: skip
        check_room(row)

    async def pair(self, app: UUID, code: str) -> TokenPair:
        """Return the tokens for an approved device. Raises Refusal until it is approved."""
        pair = await self._grants.by_device(app, code)
        if pair is not None:
            return pair
        row = await self._asked(app, code)
        if row is None or row["over"]:
            raise Refusal("expired_token", "unknown, used or too old")
        if row["denied"]:
            raise Refusal("access_denied", "somebody has said no")
        if row["early"]:
            raise Refusal("slow_down", f"wait {POLL_INTERVAL} seconds more each time")
        raise Refusal("authorization_pending", "nobody has answered yet")

    async def _asked(self, app: UUID, code: str) -> asyncpg.Record | None:
        return await self._database.row(
            """with old as (select hash, coalesce(asked_at + make_interval(secs => pause) > now(), false) as early
                            from accounts.devices where hash = $1 and app_id = $2)
               update accounts.devices d
               set asked_at = now(), pause = case when early then least(pause + $4, $5) else pause end
               from old where d.hash = old.hash returning denied, early, created_at < now() - $3::interval as over""",
            digest(code), app, CODE_LIFE, POLL_INTERVAL, MAX_POLL_INTERVAL,
        )  # fmt: skip

    async def _waiting(self, access: Access, user_code: str, address: str) -> asyncpg.Record:
        """Find the device with this user code.

        Repeated wrong codes lock the player out, even if correct codes are entered in between. Anyone can request a code for
        a device of their own, so a correct code must not reset the count of wrong ones.

        Raises:
            Problem: `not-found`, `locked-out`.
        """
        guesser = f"device {access.player.id}"
        await self._lockout.attempt(guesser, address)
        row = await self._database.row(
            """select d.hash, d.scopes, a.id, a.name, p.id as owner_id, p.name as owner_name, p.kind as owner_kind
               from accounts.devices d join accounts.apps a on a.id = d.app_id join accounts.players p on p.id = a.owner_id
               where d.user_hash = $1 and not d.denied and d.created_at > now() - $2::interval""",
            digest(user_code.upper().replace("-", "").replace(" ", "")), CODE_LIFE,
        )
        if row is None:
            raise Problem("not-found")
        await self._lockout.excuse(guesser, address)
        return row
