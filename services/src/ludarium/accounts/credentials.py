"""Accounts: upgrading a guest, signing in with a password, and resetting it."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from ludarium.accounts.access import Access, Player, Scope
from ludarium.accounts.lockout import Lockout
from ludarium.accounts.logins import checked_login, is_reserved, lookalike_key, normalised_login
from ludarium.accounts.names import checked_name
from ludarium.accounts.passkeys import StoredPasskey
from ludarium.accounts.passwords import MAX_LENGTH, Hashing, check_password
from ludarium.accounts.secrets import digest, new_key, new_salt, rejoin_code_of, token_of, typed_code
from ludarium.accounts.sign_ins import Visit, Way
from ludarium.accounts.tokens import Tokens
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem

Password = Annotated[str, Meta(min_length=1, max_length=MAX_LENGTH, examples=["seven green bottles"])]


class SignedIn(msgspec.Struct, frozen=True):
    """A player with the token of a new session, which is returned only once."""

    player: Player
    token: str


class NewlyOpened(msgspec.Struct, frozen=True):
    """A new account with the token of a new session and a recovery code.

    Both are returned only once.
    """

    player: Player
    token: str
    recovery_code: str


class NewPassword(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A password to set.

    If the account already has a password, send `current_password` or, if you have forgotten it, `recovery_code`.
    """

    password: Password
    current_password: Password | None = None
    recovery_code: Annotated[str, Meta(min_length=1, max_length=64)] | None = None


class Myself(msgspec.Struct, frozen=True, kw_only=True):
    """The caller, and the scopes of their token.

    - `owner` is the player responsible for a bot; null for people.
    - `login` and `mail` are null if the caller has none.
    - `passkeys` is the number of passkeys.
    """

    id: str
    name: str
    kind: str
    owner: str | None
    scopes: list[Scope]
    login: str | None
    mail: str | None
    mail_verified: bool
    has_password: bool
    passkeys: int
    hides_history: bool
    hides_presence: bool


class Credentials:
    def __init__(self, database: Database, tokens: Tokens) -> None:
        self._database, self._tokens = database, tokens
        self._lockout, self._hashing = Lockout(database), Hashing()

    def close(self) -> None:
        self._hashing.close()

    async def open_account(
        self, access: Access, login: str, password: str | None, passkey: StoredPasskey | None, visit: Visit,
        key: str | None = None,
    ) -> NewlyOpened:  # fmt: skip
        """Turn a guest into an account with the same id and tables.

        The guest's rejoin code stops working.

        Raises:
            Problem: `already-account`, `login-taken`, `weak-password`, `invalid-request`, `unkind-words`, `banned`,
                `key-reused`.
        """
        access.check_ban()
        if access.player.kind != "guest":
            raise Problem("already-account")
        name = checked_login(login)
        if password is not None:
            check_password(password, name)
        hashed = None if password is None else await self._hashing.hashed(password)
        player = ids.decode(access.player.id)
        await self._open(player, name, hashed, passkey)
        self._tokens.forget_player(access.player.id)
        shown = Player(access.player.id, access.player.name, "account")
        made = await self._tokens.made(player, f"account {name}", key)
        token = await self._tokens.session(player, "new-account", visit, made, key)
        return NewlyOpened(shown, token, await self.renew_code(player, made, key))

    async def opened_before(self, access: Access, login: str, key: str | None) -> NewlyOpened | None:
        """Return the original response if a request to open an account is repeated.

        None if this request has not opened an account before.

        Raises:
            Problem: `key-reused`.
        """
        player = ids.decode(access.player.id)
        if key is None or access.player.kind == "guest":
            return None
        made = await self._tokens.made(player, f"account {normalised_login(login)}", key)
        if made is None:
            return None
        token = token_of(key, made)
        known = await self._tokens.is_known(player, token)
        return NewlyOpened(access.player, token, rejoin_code_of(key, made)) if known else None

    async def _open(self, player: UUID, name: str, hashed: str | None, passkey: StoredPasskey | None) -> None:
        key = lookalike_key(name)
        opened = not is_reserved(key) and await self._database.row(
            """with released as (delete from accounts.retired_logins where until <= now()),
                    login as (insert into accounts.logins (player_id, name, key) select $1, $2, $3
                              where not exists (select from accounts.retired_logins
                                                where hash = sha256(convert_to($3, 'UTF8')) and until > now())
                              on conflict do nothing returning player_id),
                    kind as (update accounts.players set kind = 'account' where id in (select player_id from login)),
                    codes as (delete from accounts.rejoin_codes where player_id in (select player_id from login)),
                    password as (insert into accounts.passwords (player_id, hash)
                                 select player_id, $4 from login where $4::text is not null),
                    passkey as (insert into accounts.passkeys (id, player_id, public_key, sign_count, name)
                                select $5, player_id, $6, $7, $8 from login where $5::bytea is not null)
               select player_id from login""",
            player, name, key, hashed, *(passkey or (None, None, None, None)),
        )  # fmt: skip
        if not opened:
            raise Problem("login-taken")

    async def sign_in(self, login: str, password: str, visit: Visit, key: str | None = None) -> SignedIn:
        """Sign a player in with login and password.

        An unknown login gives the same errors as a wrong password.

        Raises:
            Problem: `sign-in-failed`, `locked-out`, `rate-limited`, `banned`, `key-reused`.
        """
        name = normalised_login(login)
        await self._lockout.attempt(name, visit.address)
        row = await self._database.row(
            """select p.id, p.name, p.kind, w.hash from accounts.logins l join accounts.players p on p.id = l.player_id
               join accounts.passwords w using (player_id) where l.name = $1""",
            name,
        )
        if not await self._hashing.fits(password, row["hash"] if row else None) or row is None:
            if row is not None:
                await self._tokens.sign_ins.failed(row["id"], "password", visit)
            raise Problem("sign-in-failed")
        await self._lockout.succeeded(name, visit.address)
        if self._hashing.is_old(row["hash"]):
            await self._store_password(row["id"], password)
        return await self.signed_in(Player(ids.encode(row["id"]), row["name"], row["kind"]), "password", visit, key)

    async def signed_in(self, player: Player, way: Way, visit: Visit, key: str | None = None) -> SignedIn:
        """Start a session for a player whose identity is proven.

        Repeated requests with the same Idempotency-Key get the same session.
        """
        id_ = ids.decode(player.id)
        made = await self._tokens.made(id_, "session", key)
        return SignedIn(player, await self._tokens.session(id_, way, visit, made, key))

    async def change_password(self, access: Access, change: NewPassword, address: str) -> None:
        """Set a password after proof of the current one, and end all other sessions.

        Raises:
            Problem: `account-needed`, `weak-password`, `wrong-password`, `locked-out`.
        """
        login = await self._login(access)
        check_password(change.password, login)
        player = ids.decode(access.player.id)
        row = await self._database.row("select hash from accounts.passwords where player_id = $1", player)
        if row is not None:
            await self._lockout.attempt(login, address)
            if not await self._proves(player, row["hash"], change):
                raise Problem("wrong-password")
            await self._lockout.succeeded(login, address)
        await self._store_password(player, change.password)
        await self._tokens.revoke_all(player, but=access.token)

    async def _proves(self, player: UUID, stored_hash: str, change: NewPassword) -> bool:
        """Return whether the current password or the player's recovery code is correct."""
        if change.current_password is not None and await self._hashing.fits(change.current_password, stored_hash):
            return True
        letters = change.recovery_code and typed_code(change.recovery_code)
        statement = "select from accounts.rejoin_codes where hash = $1 and player_id = $2"
        return bool(letters) and await self._database.row(statement, digest(str(letters)), player) is not None

    async def reset_password(self, player: UUID, password: str, visit: Visit) -> SignedIn:
        """Set the password of a player with a valid reset code, and sign the player in.

        All earlier sessions and tokens end.
        """
        row = await self._database.row(
            """select p.name, p.kind, l.name as login from accounts.players p join accounts.logins l on l.player_id = p.id
               where p.id = $1""",
            player,
        )
        if row is None:
            raise Problem("invalid-mail-code")
        check_password(password, row["login"])
        await self._tokens.check_ban(player)
        await self._store_password(player, password)
        await self._tokens.revoke_all(player)
        return await self.signed_in(Player(ids.encode(player), row["name"], row["kind"]), "password-reset", visit)

    async def _store_password(self, player: UUID, password: str) -> None:
        await self._database.row(
            """insert into accounts.passwords (player_id, hash) values ($1, $2)
               on conflict (player_id) do update set hash = excluded.hash, changed_at = now()""",
            player, await self._hashing.hashed(password),
        )  # fmt: skip

    async def _login(self, access: Access) -> str:
        row = await self._database.row(
            "select name from accounts.logins where player_id = $1", ids.decode(access.player.id)
        )
        if row is None:
            raise Problem("account-needed")
        return str(row["name"])

    async def renew_code(self, player: UUID, made: UUID | None = None, key: str | None = None) -> str:
        """Issue a new recovery code; earlier ones stop working."""
        code = rejoin_code_of(key or new_key(), made or new_salt())
        await self._database.row(
            """with old as (delete from accounts.rejoin_codes where player_id = $1)
               insert into accounts.rejoin_codes (hash, player_id) values ($2, $1) on conflict do nothing""",
            player, digest(code.replace("-", "")),
        )  # fmt: skip
        return code

    async def rename(self, access: Access, name: str) -> Player:
        """Change the displayed name. Raises Problem `invalid-request`, `unkind-words`."""
        shown = checked_name(name)
        await self._database.row("update accounts.players set name = $2 where id = $1", ids.decode(access.player.id), shown)
        self._tokens.forget_player(access.player.id)
        return Player(access.player.id, shown, access.player.kind)

    async def myself(self, access: Access) -> Myself:
        player = access.player
        row = await self._database.row(
            """select l.name as login, m.address, m.verified_at is not null as verified, w.hash is not null as has_password,
                      (select count(*) from accounts.passkeys k where k.player_id = p.id) as passkeys,
                      p.hides_history, p.hides_presence
               from accounts.players p left join accounts.logins l on l.player_id = p.id
               left join accounts.mails m on m.player_id = p.id left join accounts.passwords w on w.player_id = p.id
               where p.id = $1""",
            ids.decode(player.id),
        )
        if row is None:
            raise Problem("invalid-token")
        return Myself(
            id=player.id, name=player.name, kind=player.kind, owner=player.owner, scopes=sorted(access.scopes),
            login=row["login"], mail=row["address"], mail_verified=row["verified"],
            has_password=row["has_password"], passkeys=row["passkeys"],
            hides_history=row["hides_history"], hides_presence=row["hides_presence"],
        )  # fmt: skip
