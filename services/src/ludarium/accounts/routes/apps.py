"""Apps of other people: registered by their owners, approved by their users."""

from typing import Annotated, Any

import msgspec
from litestar import Request, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import Meta

from ludarium.accounts import apps as accounts_apps
from ludarium.accounts.access import Access
from ludarium.accounts.apps import MAX_SCOPE_LENGTH, App, AskingApp, NewApp
from ludarium.accounts.devices import Devices
from ludarium.accounts.grants import Approval, Consent, Grants
from ludarium.accounts.redirects import MAX_LENGTH
from ludarium.http.operations import operation
from ludarium.http.parameters import Key
from ludarium.http.rate_limits import SIGN_IN, address_of
from ludarium.platform import ids

AccessDep = NamedDependency[Access]
Apps = NamedDependency[accounts_apps.Apps]
AppId = Annotated[str, PathParameter(description="The app's `client_id`.", schema_extra={"pattern": ids.PATTERN})]
ApprovalId = Annotated[str, PathParameter(description="The approval's id.", schema_extra={"pattern": ids.PATTERN})]
RedirectUri = Annotated[str, QueryParameter(max_length=MAX_LENGTH, description="One that the app has named.")]
ScopeText = Annotated[str, QueryParameter(name="scope", max_length=MAX_SCOPE_LENGTH, description="Between single spaces.")]
UserCode = Annotated[str, Meta(max_length=32, examples=["BCDF-GHJK"])]
AnyRequest = Request[Any, Any, Any]


class Redirected(msgspec.Struct, frozen=True):
    """Where the page has to go now."""

    redirect: str


class TypedCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the device shows, however it is typed."""

    user_code: UserCode


class DeviceAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    user_code: UserCode
    approve: bool


@post(
    "/me/apps", tags=["apps"],
    opt=operation(
        "too-many-apps", "key-reused", "unkind-words", need="session",
        example={"name": "Table radar", "redirects": ["https://radar.example/back", "http://127.0.0.1/back"]},
    ),
)  # fmt: skip
async def register_app(data: JSONBody[NewApp], access: AccessDep, apps: Apps, key: Key = None) -> App:
    """Register an app of one's own; its `id` is its `client_id`, and it has no secret.

    Redirects: `https://…`, `http://127.0.0.1/…` and `http://[::1]/…` (at any port), `com.example.app:/…`.
    """
    return await apps.register(access, data, key)


@get("/me/apps", tags=["apps"], opt=operation(need="session"))
async def list_apps(access: AccessDep, apps: Apps) -> list[App]:
    """The apps that one has registered.

    The newest first.
    """
    return await apps.all(access)


@delete("/me/apps/{app_id:str}", tags=["apps"], opt=operation("not-found", need="session"))
async def delete_app(app_id: AppId, access: AccessDep, apps: Apps) -> None:
    """Delete an app of one's own.

    All that anybody has let it do ends.
    """
    await apps.delete(access, app_id)


@get("/oauth/apps/{app_id:str}", tags=["apps"], opt=operation("not-found", "invalid-redirect"))
async def get_asking_app(app_id: AppId, redirect_uri: RedirectUri, wanted: ScopeText, apps: Apps) -> AskingApp:
    """What to show to who is asked to approve an app: whose it is, where the answer goes, what it wants.

    A page that shows it must not be shown in another's frame.
    """
    return await apps.describe(app_id, redirect_uri, wanted)


@post(
    "/oauth/consent", tags=["apps"], status_code=200,
    opt=operation(
        "not-found", "invalid-redirect", "insufficient-scope", "too-many-tokens", need="signed-in",
        example={
            "client_id": ids.EXAMPLE, "redirect_uri": "https://radar.example/back", "response_type": "code",
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
            "scope": "me:read play", "state": "af0ifjsldkj", "approve": True,
        },
    ),
)  # fmt: skip
async def answer_app(data: JSONBody[Consent], access: AccessDep, grants: NamedDependency[Grants]) -> Redirected:
    """Approve an app, or refuse: the answer is the address to go to, with a code that is good for a minute.

    `state` stands there unchanged, beside `iss`. What the caller may not do the app may not either.
    """
    return Redirected(await grants.consent(access, data))


@post(
    "/oauth/devices", tags=["apps"], status_code=200,
    opt=operation("not-found", "locked-out", need="session", rate=SIGN_IN, example={"user_code": "BCDF-GHJK"}),
)  # fmt: skip
async def get_device_app(
    request: AnyRequest, data: JSONBody[TypedCode], access: AccessDep, devices: NamedDependency[Devices]
) -> AskingApp:
    """Which app shows this code, and what it wants.

    Five codes may be wrong; then each must wait longer.
    """
    return await devices.look(access, data.user_code, address_of(request.scope))


@post(
    "/oauth/devices/consent", tags=["apps"], status_code=204,
    opt=operation(
        "not-found", "locked-out", "insufficient-scope", "too-many-tokens", need="signed-in", rate=SIGN_IN,
        example={"user_code": "BCDF-GHJK", "approve": True},
    ),
)  # fmt: skip
async def answer_device(
    request: AnyRequest, data: JSONBody[DeviceAnswer], access: AccessDep, devices: NamedDependency[Devices]
) -> None:
    """Approve the app on the device that shows this code, or refuse.

    The code is used up by it.
    """
    await devices.answer(access, data.user_code, data.approve, address_of(request.scope))


@get("/me/approvals", tags=["apps"], opt=operation(need="session"))
async def list_approvals(access: AccessDep, grants: NamedDependency[Grants]) -> list[Approval]:
    """The apps that one has approved, once for each approval.

    The newest first.
    """
    return await grants.all(access)


@delete("/me/approvals/{approval_id:str}", tags=["apps"], opt=operation("not-found", need="session"))
async def withdraw_approval(approval_id: ApprovalId, access: AccessDep, grants: NamedDependency[Grants]) -> None:
    """Take an approval back.

    The app's tokens end, its sockets and streams within two seconds.
    """
    await grants.withdraw(access, approval_id)
