"""Routes to upgrade a guest to an account, to sign in and to recover an account."""

from typing import Annotated

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from ludarium.accounts.access import Access, Player
from ludarium.accounts.credentials import Credentials, NewlyOpened, NewPassword, Password, SignedIn
from ludarium.accounts.mail import Mail
from ludarium.accounts.names import MAX_NAME_LENGTH
from ludarium.accounts.passkeys import Name, NewCredential, Passkeys
from ludarium.accounts.sign_ins import Visit
from ludarium.http.operations import operation
from ludarium.http.parameters import GuestKey
from ludarium.http.rate_limits import REGISTER, SIGN_IN
from ludarium.platform import ids
from ludarium.platform.problems import FieldError, Problem

AccessDep = NamedDependency[Access]
MailDep = NamedDependency[Mail]
VisitDep = NamedDependency[Visit]
Login = Annotated[str, Meta(min_length=1, max_length=64, examples=["ada"])]


class NewAccount(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """An account to open, with a password, a passkey, or both.

    `passkey` is made with the options of `POST /me/passkeys/options`. `passkey_name` is the name of the passkey's
    device.
    """

    login: Login
    password: Password | None = None
    passkey: NewCredential | None = None
    passkey_name: Name = "Passkey"


class PasswordSignIn(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    login: Login
    password: Password


class NewName(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH, examples=["Ada"])]


class RecoveryCode(msgspec.Struct, frozen=True):
    recovery_code: str


@post(
    "/me/account", tags=["players"],
    opt=operation(
        "already-account", "login-taken", "key-reused", "weak-password", "invalid-passkey", "unkind-words", "banned",
        need="own", rate=REGISTER,
        example={"login": "ada", "password": "seven green bottles"},
    ),
)  # fmt: skip
async def open_account(
    data: JSONBody[NewAccount], access: AccessDep, credentials: NamedDependency[Credentials],
    passkeys: NamedDependency[Passkeys], visit: VisitDep, key: GuestKey = None,
) -> NewlyOpened:  # fmt: skip
    """Turn a guest into an account.

    The guest keeps their id, tables and seats, even during a game. Logins must differ visibly from each other. The
    returned token belongs to a new session. `recovery_code` replaces the guest's rejoin code.
    """
    if data.password is None and data.passkey is None:
        raise Problem("invalid-request", errors=[FieldError("/password", "a password, a passkey, or both")])
    if before := await credentials.opened_before(access, data.login, key):
        return before
    passkey = await passkeys.created(access, data.passkey, data.passkey_name) if data.passkey else None
    return await credentials.open_account(access, data.login, data.password, passkey, visit, key)


@post(
    "/sessions", tags=["players"],
    opt=operation(
        "sign-in-failed", "locked-out", "banned", "key-reused", rate=SIGN_IN,
        example={"login": "ada", "password": "seven green bottles"},
    ),
)  # fmt: skip
async def sign_in_with_password(
    data: JSONBody[PasswordSignIn], credentials: NamedDependency[Credentials], visit: VisitDep, key: GuestKey = None
) -> SignedIn:
    """Sign in with a password.

    After five failed attempts, you must wait longer before each further attempt. Tables and seats of a guest on this
    device stay with the guest.
    """
    return await credentials.sign_in(data.login, data.password, visit, key)


@post(
    "/me/password", tags=["players"], status_code=204,
    opt=operation(
        "account-needed", "weak-password", "wrong-password", "locked-out", need="signed-in", rate=SIGN_IN,
        example={"password": "eight green bottles", "current_password": "seven green bottles"},
    ),
)  # fmt: skip
async def change_password(
    data: JSONBody[NewPassword], access: AccessDep, credentials: NamedDependency[Credentials], mail: MailDep, visit: VisitDep
) -> None:
    """Set or change the password, and end all other tokens.

    Only the token of this request stays valid. To change a password, send `current_password`, or `recovery_code` if you
    have forgotten it; wrong values count as failed sign-ins. An account without a password needs neither, because a
    recent sign-in with a passkey is enough.
    """
    await credentials.change_password(access, data, visit.address)
    await mail.notify(access.player.id, "password", visit.locale)


@post("/me/recovery-code", tags=["players"], opt=operation(need="own"))
async def renew_recovery_code(
    access: AccessDep, credentials: NamedDependency[Credentials], mail: MailDep, visit: VisitDep
) -> RecoveryCode:
    """Make a new recovery code for `POST /guests/rejoin`; the old one stops working.

    The code is returned only once.
    """
    code = await credentials.renew_code(ids.decode(access.player.id))
    await mail.notify(access.player.id, "recovery-code", visit.locale)
    return RecoveryCode(code)


@post("/me/name", tags=["players"], status_code=200, opt=operation("unkind-words", need="me:write", example={"name": "Ada"}))
async def change_name(data: JSONBody[NewName], access: AccessDep, credentials: NamedDependency[Credentials]) -> Player:
    """Change your name.

    Names need not be unique; logins must be.
    """
    return await credentials.rename(access, data.name)
