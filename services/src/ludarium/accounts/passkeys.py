"""Passkeys (WebAuthn): options for the browser, and checks of its responses.

The relying party is the host of LUDARIUM_ORIGIN. Pages of other origins cannot use these passkeys.
"""

import logging
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
import webauthn
from msgspec import Meta
from webauthn.helpers import base64url_to_bytes, options_to_json_dict
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from ludarium.accounts.access import STAFF, STAFF_ACT_AGE, Access, Player, now
from ludarium.accounts.names import is_plain
from ludarium.accounts.secrets import digest, typed_code
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.origins import Origins
from ludarium.platform.problems import FieldError, Problem
from ludarium_engine.kernel.decoding import json_decoder

log = logging.getLogger(__name__)
T = TypeVar("T")
MAX_PASSKEYS = 20
"""Maximum number of passkeys per player."""
ENROLMENT_LIFE = timedelta(hours=1)
"""Lifetime of a code from `ludarium admin enrol`."""
Text = Annotated[str, Meta(max_length=16_384)]
Name = Annotated[str, Meta(min_length=1, max_length=64, examples=["My phone"])]
VERIFIED = UserVerificationRequirement.REQUIRED


class Attestation(msgspec.Struct, frozen=True, rename="camel"):
    client_data_json: Text = msgspec.field(name="clientDataJSON")
    attestation_object: Text


class Assertion(msgspec.Struct, frozen=True, rename="camel"):
    client_data_json: Text = msgspec.field(name="clientDataJSON")
    authenticator_data: Text
    signature: Text
    user_handle: Text | None = None


class NewCredential(msgspec.Struct, frozen=True, rename="camel"):
    """The result of `navigator.credentials.create`, by its `toJSON()`."""

    id: Text
    raw_id: Text
    type: Text
    response: Attestation


class UsedCredential(msgspec.Struct, frozen=True, rename="camel"):
    """The result of `navigator.credentials.get`, by its `toJSON()`."""

    id: Text
    raw_id: Text
    type: Text
    response: Assertion


class PasskeyOptions(msgspec.Struct, frozen=True):
    """Options for a passkey, valid for five minutes.

    Pass them to `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.
    """

    options: dict[str, Any]


class PasskeyBody(msgspec.Struct, frozen=True):
    """A passkey of the account."""

    id: str
    name: str
    created_at: datetime
    used_at: datetime | None


class StoredPasskey(NamedTuple):
    id: bytes
    public_key: bytes
    sign_count: int
    name: str


class Passkeys:
    def __init__(self, database: Database, origins: Origins) -> None:
        self._database, self._origins = database, origins

    async def to_create(self, access: Access, login: str) -> PasskeyOptions:
        """Return options for creating a passkey.

        Args:
            login: the name under which the device lists the passkey.

        Raises:
            Problem: `too-many-passkeys`.
        """
        player = ids.decode(access.player.id)
        rows = await self._database.rows("select id from accounts.passkeys where player_id = $1", player)
        if len(rows) >= MAX_PASSKEYS:
            raise Problem("too-many-passkeys", f"at most {MAX_PASSKEYS}")
        options = webauthn.generate_registration_options(
            rp_id=self._origins.host, rp_name="Ludarium", user_id=player.bytes, user_name=login,
            user_display_name=access.player.name, challenge=await self._challenge(access.player.id),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=VERIFIED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(row["id"]) for row in rows],
        )  # fmt: skip
        return PasskeyOptions(options_to_json_dict(options))

    async def to_sign_in(self) -> PasskeyOptions:
        options = webauthn.generate_authentication_options(
            rp_id=self._origins.host, challenge=await self._challenge(None), user_verification=VERIFIED
        )
        return PasskeyOptions(options_to_json_dict(options))

    async def created(self, access: Access, credential: NewCredential, name: str) -> StoredPasskey:
        """Verify a new credential. Raises Problem `invalid-passkey`, `invalid-request`."""
        if not is_plain(name) or not name.strip():
            raise Problem("invalid-request", errors=[FieldError("/name", "1 to 64 visible characters")])
        challenge = await self._answered(credential.response.client_data_json, access.player.id)
        found = parse_or_refuse(lambda: webauthn.verify_registration_response(
            credential=msgspec.to_builtins(credential), expected_challenge=challenge, expected_rp_id=self._origins.host,
            expected_origin=self._origins.all, require_user_verification=True,
        ))  # fmt: skip
        await self._check_free(found.credential_id)
        return StoredPasskey(found.credential_id, found.credential_public_key, found.sign_count, name)

    async def check_enrolment(self, access: Access, code: str | None) -> None:
        """Require and use up an enrolment code for staff.

        Players need no code, nor do staff who have just signed in by passkey.

        Raises:
            Problem: `enrolment-needed`.
        """
        fresh = access.passkey and now() - access.created_at <= STAFF_ACT_AGE
        if access.role not in STAFF or (fresh and code is None):
            return
        letters = typed_code(code or "")
        row = letters and await self._database.row(
            """delete from accounts.enrolments where hash = $1 and player_id = $2 and created_at > now() - $3::interval
               returning hash""",
            digest(letters), ids.decode(access.player.id), ENROLMENT_LIFE,
        )
        if not row:
            raise Problem("enrolment-needed")

    async def keep(self, access: Access, passkey: StoredPasskey) -> None:
        """Store a verified passkey. Raises Problem `too-many-passkeys`."""
        player = ids.decode(access.player.id)
        row = await self._database.row_one_at_a_time(
            player,
            """with room as (select count(*) < $6 as is_left from accounts.passkeys where player_id = $1 and id <> $2),
                    made as (insert into accounts.passkeys (player_id, id, public_key, sign_count, name)
                             select $1, $2, $3, $4, $5 from room where is_left on conflict do nothing)
               select is_left from room""",
            player, *passkey, MAX_PASSKEYS,
        )  # fmt: skip
        if row and not row["is_left"]:
            raise Problem("too-many-passkeys", f"at most {MAX_PASSKEYS}")

    async def _check_free(self, passkey: bytes) -> None:
        """Refuse a credential id that is already stored.

        Authenticators choose ids at random, so a known id is a copy.
        """
        if await self._database.row("select from accounts.passkeys where id = $1", passkey) is not None:
            raise Problem("invalid-passkey")

    async def owner(self, credential: UsedCredential) -> Player:
        """Return the player who signs in with this credential.

        Raises:
            Problem: `invalid-passkey`.
        """
        challenge = await self._answered(credential.response.client_data_json, None)
        known = parse_or_refuse(lambda: base64url_to_bytes(credential.raw_id))
        row = await self._database.row(
            """select k.public_key, k.sign_count, p.id, p.name, p.kind from accounts.passkeys k
               join accounts.players p on p.id = k.player_id where k.id = $1""",
            known,
        )
        if row is None:
            raise Problem("invalid-passkey")
        used = parse_or_refuse(lambda: webauthn.verify_authentication_response(
            credential=msgspec.to_builtins(credential), expected_challenge=challenge, expected_rp_id=self._origins.host,
            expected_origin=self._origins.all, credential_public_key=row["public_key"],
            credential_current_sign_count=row["sign_count"], require_user_verification=True,
        ))  # fmt: skip
        await self._database.row(
            "update accounts.passkeys set sign_count = $2, used_at = now() where id = $1", known, used.new_sign_count
        )
        return Player(ids.encode(row["id"]), row["name"], row["kind"])

    async def all(self, player: str) -> list[PasskeyBody]:
        rows = await self._database.rows(
            "select id, name, created_at, used_at from accounts.passkeys where player_id = $1 order by created_at, id",
            ids.decode(player),
        )
        return [PasskeyBody(row["id"].hex(), row["name"], row["created_at"], row["used_at"]) for row in rows]

    async def remove(self, player: str, passkey: str) -> None:
        """Remove a passkey.

        Raises:
            Problem: `not-found`; `last-credential` if the player could no longer sign in.
        """
        found = [each for each in await self.all(player) if each.id == passkey]
        if not found:
            raise Problem("not-found")
        row = await self._database.row(
            """delete from accounts.passkeys k where player_id = $1 and id = $2
               and (exists (select from accounts.passwords where player_id = $1)
                    or exists (select from accounts.passkeys o where o.player_id = $1 and o.id <> $2)) returning id""",
            ids.decode(player), bytes.fromhex(passkey),
        )  # fmt: skip
        if row is None:
            raise Problem("last-credential")

    async def _challenge(self, player: str | None) -> bytes:
        """Create a challenge, and delete up to two expired ones."""
        challenge = secrets.token_bytes(32)
        await self._database.row(
            """with old as (select hash from accounts.challenges where created_at < now() - interval '5 minutes'
                            order by created_at limit 2 for update skip locked),
                    gone as (delete from accounts.challenges where hash in (select hash from old))
               insert into accounts.challenges (hash, player_id) values ($1, $2) on conflict do nothing""",
            digest(challenge.hex()), player and ids.decode(player),
        )  # fmt: skip
        return challenge

    async def _answered(self, client_data: str, player: str | None) -> bytes:
        """Redeem a signed challenge, which must be this player's and not expired.

        Raises:
            Problem: `invalid-passkey`.
        """
        client_data_json = parse_or_refuse(lambda: _signed(base64url_to_bytes(client_data)))
        challenge = parse_or_refuse(lambda: base64url_to_bytes(client_data_json.challenge))
        row = await self._database.row(
            """delete from accounts.challenges where hash = $1 and player_id is not distinct from $2
               and created_at > now() - interval '5 minutes' returning hash""",
            digest(challenge.hex()), player and ids.decode(player),
        )  # fmt: skip
        if row is None:
            raise Problem("invalid-passkey", "nobody was asked to sign this, or it was used")
        return challenge


class _Signed(msgspec.Struct):
    challenge: str


_signed = json_decoder(_Signed)


def parse_or_refuse(read: Callable[[], T]) -> T:
    """Parse untrusted bytes, and turn any exception into Problem `invalid-passkey`."""
    try:
        return read()
    except Exception as error:
        log.debug("not a passkey: %r", error)
        raise Problem("invalid-passkey") from error
