"""The mail address of an account: shown to be its owner's by a code, and then good for setting a new password."""

import re
import secrets
from typing import Literal
from uuid import UUID

from services import ids
from services.accounts.access import Access
from services.accounts.letters import TEXTS
from services.accounts.logins import folded
from services.accounts.mailer import Letter, Mailer
from services.accounts.secrets import CODE_LENGTH, digest, typed_code
from services.database import Database
from services.problems import FieldError, Problem

ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+")
"""As browsers check it, and with a dot in the host: no quotes, no comments, nothing that could be a header."""
LONGEST_ADDRESS = 254
HOURS = 2
"""For which a code is good."""
Purpose = Literal["verify", "reset"]


class Mail:
    def __init__(self, database: Database, mailer: Mailer, origin: str) -> None:
        self._database, self._mailer, self._origin = database, mailer, origin

    async def set_address(self, access: Access, address: str, locale: str) -> None:
        """Sends a code there. Raises Problem `invalid-request`, `account-needed`, `mail-off`, `rate-limited`."""
        if len(address) > LONGEST_ADDRESS or not ADDRESS.fullmatch(address):
            raise Problem("invalid-request", errors=[FieldError("/address", "a mail address")])
        if access.player.kind != "account":
            raise Problem("account-needed")
        self._mailer.check()
        player = ids.decode(access.player.id)
        await self._database.row(
            """insert into accounts.mails (player_id, address) values ($1, $2) on conflict (player_id) do update
               set address = excluded.address,
                   verified_at = case when mails.address = excluded.address then mails.verified_at end""",
            player, address,
        )
        await self._write(player, address, "verify", locale)

    async def remove(self, access: Access) -> None:
        player = ids.decode(access.player.id)
        await self._database.rows(
            "with codes as (delete from accounts.letters where player_id = $1) delete from accounts.mails where player_id = $1",
            player,
        )

    async def verify(self, code: str) -> None:
        """Raises Problem `invalid-mail-code`."""
        player, address = await self._redeemed(code, "verify")
        await self._database.rows(
            "update accounts.mails set verified_at = now() where player_id = $1 and address = $2", player, address
        )

    async def ask_reset(self, login: str, locale: str) -> None:
        """A letter, if there is such an account and it has shown an address. Raises Problem `mail-off`, `rate-limited`."""
        self._mailer.check()
        row = await self._database.row(
            """select m.player_id, m.address from accounts.logins l join accounts.mails m using (player_id)
               where l.name = $1 and m.verified_at is not null""",
            folded(login),
        )
        if row is not None:
            await self._write(row["player_id"], row["address"], "reset", locale)

    async def may_reset(self, code: str) -> UUID:
        """Whose password may be set with the code, which is used by this. Raises Problem `invalid-mail-code`."""
        return (await self._redeemed(code, "reset"))[0]

    async def _write(self, player: UUID, address: str, purpose: Purpose, locale: str) -> None:
        """The newest code of a purpose is the only one."""
        code = ids.base32(secrets.randbits(5 * CODE_LENGTH), CODE_LENGTH)
        await self._database.row(
            """with old as (delete from accounts.letters where player_id = $2 and purpose = $3)
               insert into accounts.letters (hash, player_id, purpose, address) values ($1, $2, $3, $4)
               on conflict do nothing""",
            digest(code), player, purpose, address,
        )
        shown = "-".join(code[i : i + 5] for i in range(0, CODE_LENGTH, 5))
        subject, text = TEXTS[purpose][locale]
        self._mailer.send(Letter(address, subject, text.format(code=shown, origin=self._origin, hours=HOURS)))

    async def _redeemed(self, code: str, purpose: Purpose) -> tuple[UUID, str]:
        letters = typed_code(code)
        row = letters and await self._database.row(
            """delete from accounts.letters where hash = $1 and purpose = $2 and created_at > now() - make_interval(hours => $3)
               returning player_id, address""",
            digest(letters), purpose, HOURS,
        )
        if not row:
            raise Problem("invalid-mail-code")
        return row["player_id"], row["address"]
