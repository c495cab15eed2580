"""Routes to verify an e-mail address, and to reset a password by e-mail."""

from typing import Annotated

import msgspec
from litestar import delete, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from ludarium.accounts.access import Access
from ludarium.accounts.credentials import Credentials, Password, SignedIn
from ludarium.accounts.mail import MAX_ADDRESS_LENGTH
from ludarium.accounts.mail import Mail as Mails
from ludarium.accounts.passwords import check_password
from ludarium.accounts.routes.accounts import Login, VisitDep
from ludarium.http.operations import operation
from ludarium.http.rate_limits import MAIL, REJOIN

AccessDep = NamedDependency[Access]
MailsDep = NamedDependency[Mails]
Code = Annotated[str, Meta(max_length=64, examples=["7yqw8-5tex3-8b5c2-am2h1"])]
CODE = "7yqw8-5tex3-8b5c2-am2h1"


class Address(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    address: Annotated[str, Meta(min_length=3, max_length=MAX_ADDRESS_LENGTH, examples=["ada@example.org"])]


class MailCode(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    code: Code


class Forgotten(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    login: Login


class PasswordReset(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    code: Code
    password: Password


@post(
    "/me/mail", tags=["players"], status_code=202,
    opt=operation("account-needed", "mail-off", need="signed-in", rate=MAIL, example={"address": "ada@example.org"}),
)  # fmt: skip
async def set_mail(data: JSONBody[Address], access: AccessDep, mail: MailsDep, visit: VisitDep) -> None:
    """Set an e-mail address and send a code to it.

    The address is valid after `POST /mail/verify` with the code. At most three codes an hour and ten a day are sent to
    an address. The previous verified address gets a notice.
    """
    await mail.set_address(access, data.address, visit.locale)


@delete("/me/mail", tags=["players"], opt=operation(need="signed-in"))
async def remove_mail(access: AccessDep, mail: MailsDep, visit: VisitDep) -> None:
    """Remove your e-mail address.

    Codes sent to it stop working. The address gets a notice if it was verified.
    """
    await mail.remove(access, visit.locale)


@post(
    "/mail/verify", tags=["players"], status_code=204,
    opt=operation("invalid-mail-code", rate=REJOIN, example={"code": CODE}),
)  # fmt: skip
async def verify_mail(data: JSONBody[MailCode], mail: MailsDep) -> None:
    """Verify an e-mail address with the code sent to it.

    No token is needed: the code identifies the account.
    """
    await mail.verify(data.code)


@post(
    "/password-resets", tags=["players"], status_code=202,
    opt=operation("mail-off", rate=MAIL, example={"login": "ada"}),
)  # fmt: skip
async def request_password_reset(data: JSONBody[Forgotten], mail: MailsDep, visit: VisitDep) -> None:
    """Send a code for a new password by e-mail.

    The response is the same whether or not the login exists or has an address. Strangers can have at most three codes
    an hour and ten a day sent to an address. This limit never blocks owners who use an IP address of an earlier
    sign-in, or send its token as `Authorization`, even if that has ended. Earlier codes stay valid until they expire.
    """
    await mail.ask_reset(data.login, visit)


@post(
    "/password-resets/redeem", tags=["players"],
    opt=operation(
        "invalid-mail-code", "weak-password", "banned", rate=REJOIN, example={"code": CODE, "password": "seven green bottles"}
    ),
)  # fmt: skip
async def reset_password(
    data: JSONBody[PasswordReset], mail: MailsDep, credentials: NamedDependency[Credentials], visit: VisitDep
) -> SignedIn:
    """Set a new password with a code from an e-mail, and sign in.

    All other tokens of the account end, and all other codes for a new password.
    """
    check_password(data.password)
    player = await mail.may_reset(data.code)
    signed_in = await credentials.reset_password(player, data.password, visit)
    await mail.forget_resets(player)
    await mail.notify(signed_in.player.id, "password", visit.locale)
    return signed_in
