"""Guests, who have a name, a session token, and a rejoin code for other devices."""

from collections.abc import Iterable

import msgspec

from ludarium.accounts.access import Player
from ludarium.accounts.keys import Keys
from ludarium.accounts.names import checked_name
from ludarium.accounts.secrets import code_text, digest, new_key, rejoin_code_of, token_of, typed_code
from ludarium.accounts.sign_ins import Visit
from ludarium.accounts.tokens import SESSION_LIFE, Tokens, player_of
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.entropy import Entropy
from ludarium.platform.idempotency import SECRET_KEY, identity_of
from ludarium.platform.problems import Problem


class Guest(msgspec.Struct, frozen=True):
    """A new guest with a token and a rejoin code.

    Both are returned only once, because the server stores only their hashes.
    """

    player: Player
    token: str
    rejoin_code: str


class Accounts:
    def __init__(self, database: Database, entropy: Entropy) -> None:
        self._database, self.keys = database, Keys(database, entropy)
        self.tokens = Tokens(database, self.keys)

    async def new_guest(self, name: str | None = None, key: str | None = None) -> Guest:
        """Create a guest.

        Args:
            key: an Idempotency-Key. The same key returns the same guest and secrets again, so the client must keep it
                secret.

        Raises:
            Problem: `invalid-request` if the name is not printable or too long, `unkind-words`, `key-reused`.
        """
        checked = None if name is None else checked_name(name)
        identifier = await self.keys.made(identity_of(key, "", ("guest", checked), SECRET_KEY), "guest", checked or "")
        secret = key or new_key()
        token, code = token_of(secret, identifier), rejoin_code_of(secret, identifier)
        shown = checked or f"Guest {ids.encode(identifier)[-4:]}"
        await self._database.row(
            """with player as (insert into accounts.players (id, kind, name) values ($1, 'guest', $2)
                               on conflict do nothing returning id),
                    token as (insert into accounts.tokens (hash, player_id, expires_at) select $3, id, now() + $5 from player)
               insert into accounts.rejoin_codes (hash, player_id) select $4, id from player""",
            identifier, shown, digest(token), digest(_bare(code)), SESSION_LIFE,
        )
        return Guest(Player(ids.encode(identifier), shown, "guest"), token, code)

    async def rejoin(self, code: str, visit: Visit, key: str | None = None) -> Guest:
        """Issue a further token to the player with this rejoin code.

        Raises:
            Problem: `invalid-rejoin-code`, `key-reused`, `banned`.
        """
        letters = typed_code(code)
        found = letters and await self._database.row(
            """select p.id, p.name, p.kind from accounts.rejoin_codes c join accounts.players p on p.id = c.player_id
               where c.hash = $1""",
            digest(letters),
        )
        if not letters or not found:
            raise Problem("invalid-rejoin-code")
        session_id = await self.keys.made(identity_of(key, "", ("rejoin", letters), SECRET_KEY), "rejoin", found["id"])
        token = await self.tokens.session(found["id"], "recovery-code", visit, session_id, key)
        return Guest(Player(ids.encode(found["id"]), found["name"], found["kind"]), token, code_text(letters))

    async def guest(self, token: str) -> Player:
        """Return the guest with this session token. Raises Problem `invalid-guest`."""
        try:
            found = await self.tokens.access(token)
        except Problem as problem:
            raise Problem("invalid-guest") from problem
        if found.kind != "session" or found.player.kind != "guest":
            raise Problem("invalid-guest")
        return found.player

    async def named(self, players: Iterable[str]) -> dict[str, Player]:
        """Return the players that exist among these ids, by id."""
        player_ids = [ids.decode(player) for player in set(players) if ids.is_id(player)]
        rows = await self._database.rows("select id, name, kind, owner_id from accounts.players where id = any($1)", player_ids)
        return {player.id: player for player in map(player_of, rows)}


def _bare(code: str) -> str:
    return code.replace("-", "")
