"""The rights that a token gives: its player, its scopes, and checks of requests.

See docs/decisions/030.
"""

from datetime import UTC, datetime, timedelta
from typing import Literal

import msgspec

from ludarium.platform.problems import Problem
from ludarium_engine.kernel import SPECTATOR

Scope = Literal["me:read", "me:write", "tables", "play", "chat", "tournaments:play", "tournaments:host", "admin"]
SCOPES: dict[Scope, str] = {
    "me:read": "See who one is, one's tables, and when it is one's turn.",
    "me:write": "Change one's name.",
    "tables": "Open tables, invite, sit down, leave, start, close.",
    "play": "Play one's seats, and see what they see; without it one's own tables are seen as spectators see them.",
    "chat": "Read and write what is said where one plays and watches.",
    "tournaments:play": "Enter tournaments and leave them.",
    "tournaments:host": "Hold tournaments.",
    "admin": "Moderate: what one's role may; no app is ever given it.",
}
Need = Scope | Literal["token", "session", "signed-in", "own", "admin-act"]
"""What a request needs. A scope needs a token with that scope; `token`, any valid token.

- `session`: the player's own sign-in, not a token made for a program or an app.
- `signed-in`: such a session, not older than RECENT_SIGN_IN.
- `own`: as `signed-in`, but a guest's session may have any age, since guests cannot sign in again.
- `admin`: besides the scope, a session by passkey not older than STAFF_READ_AGE, or a token not older than
  STAFF_TOKEN_AGE.
- `admin-act`: a session by passkey not older than STAFF_ACT_AGE.
"""
SESSION_ONLY_NEEDS: frozenset[Need] = frozenset({"session", "signed-in", "own"})
SESSION_NEEDS: frozenset[Need] = SESSION_ONLY_NEEDS | {"admin-act"}
STAFF_READ_AGE = timedelta(hours=12)
"""Maximum age of a staff session for lookups."""
STAFF_ACT_AGE = timedelta(minutes=15)
"""Maximum age of a staff session for moderation acts."""
STAFF_TOKEN_AGE = timedelta(days=1)
"""Maximum age of a token with the scope `admin`. Such a token can read, but not act."""
RECENT_SIGN_IN = timedelta(minutes=10)
"""Maximum age of a session for changes that could take over an account: an old session on an unattended device is not
enough."""
Kind = Literal["session", "personal", "app"]
Role = Literal["player", "organiser", "moderator", "admin"]
"""organiser: may seat people at tables and in tournaments who signed up elsewhere."""
STAFF: tuple[Role, ...] = ("moderator", "admin")


NEEDS_OF_BANNED: frozenset[Need] = frozenset({"token", "me:read", *SESSION_ONLY_NEEDS})
"""Needs that a banned player still meets: reading the reason, exporting data and deleting the account."""


class Player(msgspec.Struct, frozen=True):
    """A player as everyone sees them.

    `owner` is the player responsible for a `bot`; null for people.
    """

    id: str
    name: str
    kind: Literal["guest", "account", "bot"]
    owner: str | None = None


class Ban(msgspec.Struct, frozen=True):
    until: datetime
    reason: str


class Access(msgspec.Struct, frozen=True):
    """A valid token with its player.

    Attributes:
        token: the token's hash.
        created_at: for a session, the time of the sign-in.
        passkey: whether the player signed in by passkey.
        ban: the ban on the player, or on the owner of a bot.
    """

    token: bytes
    player: Player
    kind: Kind
    scopes: frozenset[Scope]
    created_at: datetime
    expires_at: datetime | None
    role: Role = "player"
    ban: Ban | None = None
    passkey: bool = False

    @property
    def is_over(self) -> bool:
        return self.expires_at is not None and self.expires_at <= now()

    def check(self, need: Need) -> None:
        """Raise unless this token may be used for the need.

        Raises:
            Problem: `banned`, `insufficient-scope`, `session-needed`, `sign-in-again`, `passkey-needed`.
        """
        if need not in NEEDS_OF_BANNED:
            self.check_ban()
        if need in SESSION_NEEDS:
            self._check_session(need)
        scope = "admin" if need == "admin-act" else need
        if scope not in SESSION_ONLY_NEEDS and scope != "token" and scope not in self.scopes:
            raise Problem("insufficient-scope", f"`{scope}` is needed")
        if scope == "admin":
            self._check_staff(STAFF_ACT_AGE if need == "admin-act" else STAFF_READ_AGE)

    def check_ban(self) -> None:
        """Raise Problem `banned` while a ban is in force."""
        if self.ban is not None and self.ban.until > now():
            raise Problem("banned", self.ban.reason, until=self.ban.until)

    def _check_session(self, need: Need) -> None:
        if self.kind != "session":
            raise Problem("session-needed")
        is_guest = need == "own" and self.player.kind == "guest"
        if need in ("signed-in", "own") and not is_guest and now() - self.created_at > RECENT_SIGN_IN:
            raise Problem("sign-in-again")

    def _check_staff(self, longest: timedelta) -> None:
        if self.kind == "session" and not self.passkey:
            raise Problem("passkey-needed")
        if now() - self.created_at > (longest if self.kind == "session" else STAFF_TOKEN_AGE):
            raise Problem("passkey-needed")


def viewer_of(visitor: Access | None, as_: int | None) -> tuple[str | None, int | None]:
    """Return the player id and the seat as which a visitor views a table.

    With a token that lacks the scope `play`, players see their own tables as spectators. They see the views of seats like an
    anonymous visitor.

    Args:
        visitor: None for a visitor without a token.
        as_: the requested seat or SPECTATOR; None lets the table choose.
    """
    if visitor is None:
        return None, as_
    if "play" in visitor.scopes:
        return visitor.player.id, as_
    return (visitor.player.id, SPECTATOR) if as_ in (None, SPECTATOR) else (None, as_)


def chat_reader(visitor: Access | None) -> str | None:
    """Return the player allowed to read a table's chat, None without the scope `chat`."""
    return visitor.player.id if visitor and "chat" in visitor.scopes else None


BOT_SCOPES: frozenset[Scope] = frozenset({"me:read", "tables", "play", "chat"})


def scopes_allowed(kind: str, role: Role) -> frozenset[Scope]:
    """Return all scopes that tokens of such a player may have."""
    lacking: set[Scope] = set()
    if kind == "bot":
        return BOT_SCOPES
    if role not in STAFF:
        lacking.add("admin")
    if kind == "guest":
        lacking.add("tournaments:host")
    return frozenset(SCOPES.keys() - lacking)


def now() -> datetime:
    return datetime.now(UTC)


