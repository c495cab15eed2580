"""Routes for passkeys, which are created on a page of this service."""

from typing import Annotated

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter
from msgspec import Meta

from ludarium.accounts.access import Access
from ludarium.accounts.credentials import Credentials, SignedIn
from ludarium.accounts.passkeys import (
    Name,
    NewCredential,
    PasskeyBody,
    PasskeyOptions,
    Passkeys,
    UsedCredential,
)
from ludarium.accounts.routes.accounts import Login, MailDep, VisitDep
from ludarium.http.operations import operation
from ludarium.http.rate_limits import SIGN_IN
from ludarium.platform.problems import Problem

AccessDep = NamedDependency[Access]
PasskeysDep = NamedDependency[Passkeys]
ANSWER = {"id": "AAAA", "rawId": "AAAA", "type": "public-key"}
PasskeyId = Annotated[str, PathParameter(description="The passkey's id.", schema_extra={"pattern": "^([0-9a-f]{2})+$"})]


class PasskeyLogin(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A request for a passkey.

    `login` is the name under which the device lists the passkey.
    """

    login: Login


class NewPasskey(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A passkey to add.

    `enrolment` is a code from `ludarium admin enrol`, for staff who have no passkey yet.
    """

    name: Name
    credential: NewCredential
    enrolment: Annotated[str, Meta(max_length=64)] | None = None


@post(
    "/me/passkeys/options", tags=["players"], status_code=200,
    opt=operation("too-many-passkeys", need="own", example={"login": "ada"}),
)  # fmt: skip
async def prepare_passkey(data: JSONBody[PasskeyLogin], access: AccessDep, passkeys: PasskeysDep) -> PasskeyOptions:
    """Get the options to make a passkey in the browser.

    Pass them to `navigator.credentials.create` on a page of this service; `GET /api/v1` names its origin.
    """
    return await passkeys.to_create(access, data.login)


@post(
    "/me/passkeys", tags=["players"], status_code=204,
    opt=operation(
        "account-needed", "invalid-passkey", "enrolment-needed", need="signed-in",
        example={
            "name": "My phone",
            "credential": {**ANSWER, "response": {"clientDataJSON": "AAAA", "attestationObject": "AAAA"}},
        },
    ),
)  # fmt: skip
async def add_passkey(
    data: JSONBody[NewPasskey], access: AccessDep, passkeys: PasskeysDep, mail: MailDep, visit: VisitDep
) -> None:
    """Add a passkey that the browser has made.

    A guest sends the first passkey with `POST /me/account` instead. Moderators and administrators need a sign-in by
    passkey in the last 15 minutes, or a code that the operator makes on the server, because a password alone must not
    give the rights of staff.
    """
    if access.player.kind != "account":
        raise Problem("account-needed")
    passkey = await passkeys.created(access, data.credential, data.name)
    await passkeys.check_enrolment(access, data.enrolment)
    await passkeys.keep(access, passkey)
    await mail.notify(access.player.id, "passkey-added", visit.locale)


@get("/me/passkeys", tags=["players"], opt=operation(need="session"))
async def list_passkeys(access: AccessDep, passkeys: PasskeysDep) -> list[PasskeyBody]:
    """List the passkeys of the account, the oldest first.

    Each has the time of its last use.
    """
    return await passkeys.all(access.player.id)


@delete(
    "/me/passkeys/{passkey_id:str}", tags=["players"], opt=operation("not-found", "last-credential", need="signed-in")
)
async def remove_passkey(
    passkey_id: PasskeyId, access: AccessDep, passkeys: PasskeysDep, mail: MailDep, visit: VisitDep
) -> None:
    """Remove a passkey.

    The last way to sign in cannot be removed.
    """
    await passkeys.remove(access.player.id, passkey_id)
    await mail.notify(access.player.id, "passkey-removed", visit.locale)


@post("/sessions/passkey/options", tags=["players"], status_code=200, opt=operation(rate=SIGN_IN))
async def prepare_passkey_sign_in(passkeys: PasskeysDep) -> PasskeyOptions:
    """Get the options for a sign-in with a passkey in the browser.

    Pass them to `navigator.credentials.get`; no login is needed.
    """
    return await passkeys.to_sign_in()


@post(
    "/sessions/passkey", tags=["players"],
    opt=operation(
        "invalid-passkey", "banned", rate=SIGN_IN,
        example={**ANSWER, "response": {"clientDataJSON": "AAAA", "authenticatorData": "AAAA", "signature": "AAAA"}},
    ),
)  # fmt: skip
async def sign_in_with_passkey(
    data: JSONBody[UsedCredential], passkeys: PasskeysDep, credentials: NamedDependency[Credentials], visit: VisitDep
) -> SignedIn:
    """Sign in with the browser's response to a passkey request.

    Each request is valid for one response within five minutes.
    """
    return await credentials.signed_in(await passkeys.owner(data), "passkey", visit)
