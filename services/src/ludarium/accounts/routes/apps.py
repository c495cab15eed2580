"""Routes for third-party apps, registered by owners and approved by users."""

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
    """The address to which the page must go next."""

    redirect: str


class TypedCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The code that the device shows. Case and spacing do not matter."""

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
    """Register an app. Its `id` is its `client_id`; it has no secret.

    Allowed redirects are `https://…`, `http://127.0.0.1/…` and `http://[::1]/…` (with any port), and
    `com.example.app:/…`.
    """
    return await apps.register(access, data, key)


@get("/me/apps", tags=["apps"], opt=operation(need="session"))
async def list_apps(access: AccessDep, apps: Apps) -> list[App]:
    """List the apps that you have registered.

    The newest first.
    """
    return await apps.all(access)


@delete("/me/apps/{app_id:str}", tags=["apps"], opt=operation("not-found", need="session"))
async def delete_app(app_id: AppId, access: AccessDep, apps: Apps) -> None:
    """Delete one of your apps.

    All its approvals end.
    """
    await apps.delete(access, app_id)


@get("/oauth/apps/{app_id:str}", tags=["apps"], opt=operation("not-found", "invalid-redirect"))
async def get_asking_app(app_id: AppId, redirect_uri: RedirectUri, wanted: ScopeText, apps: Apps) -> AskingApp:
    """Describe an app to the user who is asked to approve it.

    The response has the app's owner, redirect and scopes. Do not let other sites embed the page that shows this in a
    frame.
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
    """Approve or refuse an app.

    The response is the address to go to, with a code that is valid for one minute. The address contains `state`
    unchanged, and `iss`. The app gets no scope that the caller lacks.
    """
    return Redirected(await grants.consent(access, data))


@post(
    "/oauth/devices", tags=["apps"], status_code=200,
    opt=operation("not-found", "locked-out", need="session", rate=SIGN_IN, example={"user_code": "BCDF-GHJK"}),
)  # fmt: skip
async def get_device_app(
    request: AnyRequest, data: JSONBody[TypedCode], access: AccessDep, devices: NamedDependency[Devices]
) -> AskingApp:
    """Look up the app that shows this code on a device, and its scopes.

    After five wrong codes, you must wait longer before each further attempt.
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
    """Approve or refuse the app on the device that shows this code.

    The code cannot be used again.
    """
    await devices.answer(access, data.user_code, data.approve, address_of(request.scope))


@get("/me/approvals", tags=["apps"], opt=operation(need="session"))
async def list_approvals(access: AccessDep, grants: NamedDependency[Grants]) -> list[Approval]:
    """List the apps that you have approved, one entry per approval.

    The newest first.
    """
    return await grants.all(access)


@delete("/me/approvals/{approval_id:str}", tags=["apps"], opt=operation("not-found", need="session"))
async def withdraw_approval(approval_id: ApprovalId, access: AccessDep, grants: NamedDependency[Grants]) -> None:
    """Withdraw an approval.

    The app's tokens end immediately, and its sockets and streams within two seconds.
    """
    await grants.withdraw(access, approval_id)
