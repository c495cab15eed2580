"""Routes to create guests, and to rejoin with a code."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from ludarium.accounts.access import Access
from ludarium.accounts.accounts import Accounts, Guest
from ludarium.accounts.credentials import Credentials, Myself
from ludarium.accounts.names import MAX_NAME_LENGTH
from ludarium.accounts.sign_ins import Visit
from ludarium.http.operations import operation
from ludarium.http.parameters import GuestKey
from ludarium.http.rate_limits import GUESTS, REJOIN


class NewGuest(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME_LENGTH, examples=["Ada"])] | None = None


class Rejoin(msgspec.Struct, forbid_unknown_fields=True):
    rejoin_code: Annotated[str, msgspec.Meta(max_length=64, examples=["7yqw8-5tex3-8b5c2-am2h1"])]


@post("/guests", tags=["players"], opt=operation("key-reused", "unkind-words", rate=GUESTS, example={"name": "Ada"}))
async def create_guest(data: JSONBody[NewGuest], accounts: NamedDependency[Accounts], key: GuestKey = None) -> Guest:
    """Create a guest.

    The token and the rejoin code are returned only once. Send the token as `Authorization: Bearer`, and save the code
    to get a new token on another device.
    """
    return await accounts.new_guest(data.name, key)


@post(
    "/guests/rejoin", tags=["players"],
    opt=operation(
        "invalid-rejoin-code", "key-reused", "banned", rate=REJOIN, example={"rejoin_code": "7yqw8-5tex3-8b5c2-am2h1"}
    ),
)  # fmt: skip
async def redeem_rejoin_code(
    data: JSONBody[Rejoin], accounts: NamedDependency[Accounts], visit: NamedDependency[Visit], key: GuestKey = None
) -> Guest:
    """Get another token with a rejoin code, for example on another device.

    You are the same guest there, with the same name, tables and seats. The nine newest older tokens stay valid.
    """
    return await accounts.rejoin(data.rejoin_code, visit, key)


@get("/me", tags=["players"], opt=operation(need="me:read"))
async def get_me(access: NamedDependency[Access], credentials: NamedDependency[Credentials]) -> Myself:
    """Describe the caller and the scopes of their token.

    Use it to check whether a token is still valid.
    """
    return await credentials.myself(access)
