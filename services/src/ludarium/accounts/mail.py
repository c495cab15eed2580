"""Accounts' e-mail addresses, verified by a code and used to reset passwords."""

import logging
import re
import secrets
from typing import Literal
from uuid import UUID

from ludarium.accounts.access import Access
from ludarium.accounts.logins import normalised_login
from ludarium.accounts.mail_limits import CODES, FAMILIAR, NOTICES, MailLimits
from ludarium.accounts.mail_templates import TEXTS, Change, notice
from ludarium.accounts.mailer import Mailer, Message
from ludarium.accounts.secrets import CODE_LENGTH, digest, typed_code
from ludarium.accounts.sign_ins import SignIns, Visit, place_of
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import FieldError, Problem

log = logging.getLogger(__name__)
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+")
"""As HTML checks `input type=email`, with a dot required in the host: no quotes or comments, nothing that could be a header."""
MAX_ADDRESS_LENGTH = 254
CODE_HOURS = 2
"""Lifetime of a code."""
Purpose = Literal["verify", "reset"]


class Mail:
    def __init__(self, database: Database, mailer: Mailer, sign_ins: SignIns, origin: str) -> None:
        self._database, self._mailer, self._sign_ins, self._origin = database, mailer, sign_ins, origin
        self._limits = MailLimits(database)

    @property
    def is_off(self) -> bool:
        return self._mailer.is_off

    async def set_address(self, access: Access, address: str, locale: str) -> None:
        """Set the address and send a verification code to it.

        If the account had a verified address before, a notice is sent to that address.

        Raises:
            Problem: `invalid-request`, `account-needed`, `mail-off`, `rate-limited`.
        """
        if len(address) > MAX_ADDRESS_LENGTH or not ADDRESS.fullmatch(address):
            raise Problem("invalid-request", errors=[FieldError("/address", "a mail address")])
        if access.player.kind != "account":
            raise Problem("account-needed")
        self._mailer.check()
        await self._limits.take(address, CODES)
        player = ids.decode(access.player.id)
        row = await self._database.row(
            """with old as (select address from accounts.mails where player_id = $1 and address <> $2
                            and verified_at is not null),
                    codes as (delete from accounts.letters where player_id = $1 and purpose = 'verify' and address <> $2)
               insert into accounts.mails (player_id, address) values ($1, $2) on conflict (player_id) do update
               set address = excluded.address,
                   verified_at = case when mails.address = excluded.address then mails.verified_at end
               returning (select address from old) as old""",
            player, address,
        )
        if row and row["old"] is not None:
            await self._send_notice(row["old"], "address", locale)
        await self._send_code(player, address, "verify", locale)

    async def remove(self, access: Access, locale: str) -> None:
        player = ids.decode(access.player.id)
        row = await self._database.row(
            """with codes as (delete from accounts.letters where player_id = $1)
               delete from accounts.mails where player_id = $1 returning address, verified_at""",
            player,
        )
        if row and row["verified_at"] is not None:
            await self._send_notice(row["address"], "address", locale)

    async def verify(self, code: str) -> None:
        """Verify the address to which this code was sent.

        Raises:
            Problem: `invalid-mail-code`.
        """
        player, address = await self._redeem(code, "verify")
        await self._database.rows(
            "update accounts.mails set verified_at = now() where player_id = $1 and address = $2", player, address
        )

    async def ask_reset(self, login: str, visit: Visit) -> None:
        """Send a reset code if the login has a verified address within its e-mail limits.

        Raises:
            Problem: `mail-off`; `rate-limited`, but only while the e-mail queue is full.
        """
        self._mailer.check()
        row = await self._database.row(
            """select m.player_id, m.address from accounts.logins l join accounts.mails m using (player_id)
               where l.name = $1 and m.verified_at is not null""",
            normalised_login(login),
        )
        if row is not None and await self._take_allowance(row["player_id"], row["address"], visit):
            await self._send_code(row["player_id"], row["address"], "reset", visit.locale)

    async def _take_allowance(self, player: UUID, address: str, visit: Visit) -> bool:
        familiar = await self._sign_ins.is_familiar(player, visit)
        wanted = (FAMILIAR, place_of(player, visit)) if familiar else (CODES, b"")
        try:
            await self._limits.take(address, *wanted)
        except Problem as problem:
            if problem.code != "rate-limited":
                raise
            return False                            # an error would reveal that the account exists
        return True

    async def notify(self, player: str, change: Change, locale: str) -> None:
        """Send a notice of a change to the account's verified address, if any."""
        row = await self._database.row(
            "select address from accounts.mails where player_id = $1 and verified_at is not null", ids.decode(player)
        )
        if row is not None:
            await self._send_notice(row["address"], change, locale)

    async def _send_notice(self, address: str, change: Change, locale: str) -> None:
        """Send a notice.

        The change has already been made, so a failure is logged and does not fail the request.
        """
        if self._mailer.is_off:
            return
        try:
            await self._limits.take(address, NOTICES)
            self._mailer.send(Message(address, *notice(change, locale, self._origin)))
        except Problem as problem:
            log.warning("a notice of a changed %s did not go out: %s", change, problem.code)

    async def may_reset(self, code: str) -> UUID:
        """Redeem a reset code and return the player. Raises Problem `invalid-mail-code`."""
        return (await self._redeem(code, "reset"))[0]

    async def forget_resets(self, player: UUID) -> None:
        """Delete all reset codes of a player who has used one of them."""
        await self._database.rows("delete from accounts.letters where player_id = $1 and purpose = 'reset'", player)

    async def _send_code(self, player: UUID, address: str, purpose: Purpose, locale: str) -> None:
        """Send a new code; earlier ones stay valid until they expire."""
        code = ids.base32(secrets.randbits(5 * CODE_LENGTH), CODE_LENGTH)
        await self._database.row(
            """with old as (delete from accounts.letters
                            where player_id = $2 and created_at < now() - make_interval(hours => $5))
               insert into accounts.letters (hash, player_id, purpose, address) values ($1, $2, $3, $4)
               on conflict do nothing""",
            digest(code), player, purpose, address, CODE_HOURS,
        )
        shown = "-".join(code[i : i + 5] for i in range(0, CODE_LENGTH, 5))
        subject, text = TEXTS[purpose][locale]
        self._mailer.send(Message(address, subject, text.format(code=shown, origin=self._origin, hours=CODE_HOURS)))

    async def _redeem(self, code: str, purpose: Purpose) -> tuple[UUID, str]:
        letters = typed_code(code)
        row = letters and await self._database.row(
            """delete from accounts.letters where hash = $1 and purpose = $2 and created_at > now() - make_interval(hours => $3)
               returning player_id, address""",
            digest(letters), purpose, CODE_HOURS,
        )
        if not row:
            raise Problem("invalid-mail-code")
        return row["player_id"], row["address"]
