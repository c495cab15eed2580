"""Moderators and administrators for tests."""

from ludarium.platform import ids
from ludarium.platform.database import Database
from tests.support.people import Person


async def make_staff(base: Database, person: Person, role: str) -> Person:
    """Give an account a role, as if its owner had just signed in by passkey."""
    player = ids.decode(person.id)
    await base.rows("update accounts.players set kind = 'account', role = $2 where id = $1", player, role)
    await base.rows("update accounts.tokens set passkey = true, created_at = now() where player_id = $1", player)
    return person
