"""Public profiles, including those of deleted players, and privacy settings."""

from collections.abc import Iterable, Sequence
from uuid import UUID

import msgspec
from asyncpg import Record

from ludarium.accounts.access import Player
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem


class Profile(Player, frozen=True, kw_only=True):
    """A player's public profile.

    `name` is "" if the player is `deleted`; show that in the reader's language. `hides_history` means that others
    cannot list the player's finished games.
    """

    deleted: bool = False
    hides_history: bool = False


class Privacy(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Settings for what others can see of the caller.

    With `hides_history`, others cannot list the caller's finished games. With `hides_presence`, followers do not find
    the caller's tables.
    """

    hides_history: bool | msgspec.UnsetType = msgspec.UNSET
    hides_presence: bool | msgspec.UnsetType = msgspec.UNSET


class Profiles(msgspec.Struct, frozen=True):
    """Profiles in the order of the request. Unknown players are left out."""

    players: list[Profile]


async def profile(pool: Database, player: str) -> Profile:
    """Return a player's profile, even if the player was deleted.

    Raises:
        Problem: `not-found`.
    """
    found = await profiles(pool, [player])
    if not found:
        raise Problem("not-found")
    return found[0]


async def profiles(pool: Database, players: Sequence[str]) -> list[Profile]:
    """Return the profiles of existing or deleted players, in the order given."""
    rows = await pool.rows(
        """select id, name, kind, owner_id, false as deleted, hides_history from accounts.players where id = any ($1)
           union all select player_id, '', kind, null, true, true from accounts.departures where player_id = any ($1)""",
        [ids.decode(player) for player in players if ids.is_id(player)],
    )  # fmt: skip
    found = {profile.id: profile for profile in map(profile_of, sorted(rows, key=lambda row: not row["deleted"]))}
    return [found[player] for player in dict.fromkeys(players) if player in found]


def profile_of(row: Record) -> Profile:
    owner = row["owner_id"] and ids.encode(row["owner_id"])
    player = ids.encode(row["id"])
    return Profile(player, row["name"], row["kind"], owner, deleted=row["deleted"], hides_history=row["hides_history"])


async def names_with_history(pool: Database, players: Iterable[str], viewer: str | None) -> dict[str, str]:
    """Return by id the names of players whose game history the viewer may see."""
    player_ids = [ids.decode(player) for player in players if ids.is_id(player)]
    rows = await pool.rows(
        "select id, name from accounts.players where id = any ($1) and (not hides_history or id = $2)",
        player_ids, ids.decode(viewer) if viewer else None,
    )  # fmt: skip
    return {ids.encode(row["id"]): row["name"] for row in rows}


async def set_privacy(pool: Database, player: UUID, privacy: Privacy) -> None:
    """Change the privacy settings that are given, and no others."""
    changes = {name: value for name, value in msgspec.structs.asdict(privacy).items() if value is not msgspec.UNSET}
    await pool.rows(
        """update accounts.players set hides_history = coalesce($2, hides_history),
                                       hides_presence = coalesce($3, hides_presence) where id = $1""",
        player, changes.get("hides_history"), changes.get("hides_presence"),
    )  # fmt: skip
