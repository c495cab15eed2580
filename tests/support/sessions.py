"""Sessions created without the API, for tests that need a certain kind of session."""

from uuid import UUID

from ludarium.accounts.accounts import Accounts
from ludarium.accounts.sign_ins import Visit, Way
from ludarium.platform.database import Database
from tests.support.entropy import ENTROPY

HERE = Visit("127.0.0.1", "tests")


async def session_of(base: Database, player: UUID, way: Way = "password") -> str:
    """Sign a player in by the given method and return the token."""
    return await Accounts(base, ENTROPY).tokens.session(player, way, HERE)
