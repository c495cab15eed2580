"""Records of sign-ins, shown to the player and used to recognise familiar devices."""

import re
from datetime import datetime, timedelta
from hashlib import blake2b
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec

from ludarium.accounts.access import Access
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.locale import ENGLISH

RETENTION = timedelta(days=180)
MAX_SIGN_INS = 50
"""Successful sign-ins stored per player, and as many failed ones."""
BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("Chrome", "Chrome"),
            ("CriOS", "Chrome"), ("Safari", "Safari"))  # fmt: skip
SYSTEMS = (("Android", "Android"), ("iPhone", "iOS"), ("iPad", "iOS"), ("Windows", "Windows"), ("Mac OS X", "macOS"),
           ("CrOS", "ChromeOS"), ("Linux", "Linux"))  # fmt: skip
PROGRAM = re.compile(r"[A-Za-z0-9._-]{1,40}")
UNKNOWN = "unknown"
Way = Literal["password", "passkey", "recovery-code", "password-reset", "new-account"]
INSERT_SIGN_IN = """insert into accounts.sign_ins (player_id, way, succeeded, token, place, network, client)"""
SELECT_SURPLUS = """with own as (select id, row_number() over (partition by succeeded order by at desc, id desc) as nth
                         from accounts.sign_ins where player_id = $1),
                  old as (select id from accounts.sign_ins where at < now() - $3::interval order by at limit 2)
             select id from own where nth > $2 union select id from old"""


class Visit(NamedTuple):
    """The origin of a request.

    Attributes:
        address: the client's address.
        agent: the client's User-Agent.
        token: hash of the request's token, valid or not.
        locale: the caller's preferred language.
    """

    address: str
    agent: str = ""
    token: bytes | None = None
    locale: str = ENGLISH


class SignIn(msgspec.Struct, frozen=True):
    """A sign-in or a failed attempt.

    `network` and `client` say roughly where it came from, and with which program. `current` marks the session of this
    request.
    """

    at: datetime
    way: Way
    succeeded: bool
    network: str
    client: str
    current: bool


class SignIns:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def failed(self, player: UUID, way: Way, visit: Visit) -> None:
        """Record a failed sign-in."""
        statement = f"{INSERT_SIGN_IN} values ($1, $2, false, null, $3, $4, $5)"
        await self._database.row(statement, player, way, *origin_of(player, visit))
        await self.delete_surplus(player)

    async def delete_surplus(self, player: UUID) -> None:
        """Delete the player's sign-ins over the limit, and up to two expired ones."""
        rows = await self._database.rows(SELECT_SURPLUS, player, MAX_SIGN_INS, RETENTION)
        if rows:                                 # an empty deletion would still be written to the backups
            await self._database.rows("delete from accounts.sign_ins where id = any($1)", [row["id"] for row in rows])

    async def is_familiar(self, player: UUID, visit: Visit) -> bool:
        """Return whether the player has signed in before with this device or address."""
        row = await self._database.row(
            "select from accounts.sign_ins where player_id = $1 and succeeded and (place = $2 or token = $3) limit 1",
            player, place_of(player, visit), visit.token,
        )  # fmt: skip
        return row is not None

    async def all(self, asking: Access) -> list[SignIn]:
        """Return the caller's stored sign-ins, newest first."""
        rows = await self._database.rows(
            """select at, way, succeeded, network, client, token is not distinct from $2 as current from accounts.sign_ins
               where player_id = $1 order by at desc, id desc""",
            ids.decode(asking.player.id), asking.token,
        )  # fmt: skip
        return [SignIn(**row) for row in rows]


def origin_of(player: UUID, visit: Visit) -> tuple[bytes, str, str]:
    """Return the origin of a sign-in as stored: place, network and client."""
    return place_of(player, visit), network_of(visit.address), client_of(visit.agent)


def place_of(player: UUID, visit: Visit) -> bytes:
    """Return a hash of the player and the network address.

    For IPv6, only the /64 network counts, since devices change the rest.
    """
    address = parse_address(visit.address)
    where = visit.address if address is None or address.version == 4 else str(ip_network((address, 64), strict=False))
    return blake2b(where.encode(), digest_size=32, salt=player.bytes, person=b"sign-in place").digest()


def network_of(text: str) -> str:
    """Return an address without the part that identifies a household."""
    address = parse_address(text)
    if address is None:
        return UNKNOWN
    return str(ip_network((address, 24 if isinstance(address, IPv4Address) else 48), strict=False))


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text.partition("/")[0].partition("%")[0])
    except ValueError:
        return None


def client_of(agent: str) -> str:
    """Return browser and system from a User-Agent, or the name of a program."""
    browser, system = (next((name for mark, name in known if mark in agent), None) for known in (BROWSERS, SYSTEMS))
    if browser is not None:
        return f"{browser}, {system}" if system else browser
    program = PROGRAM.match(agent)
    return program[0] if program else UNKNOWN
