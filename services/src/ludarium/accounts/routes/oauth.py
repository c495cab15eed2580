"""Routes of OAuth 2.1 for public clients, as specified by the RFCs.

An app exchanges a code, a refresh token or an approved device code for a pair of tokens.
"""

from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from litestar import Request, Response, get, post
from litestar.di import NamedDependency
from litestar.types import ExceptionHandlersMap
from msgspec import Meta

from ludarium.accounts.access import SCOPES, Scope
from ludarium.accounts.apps import MAX_SCOPE_LENGTH, Apps, scopes_of
from ludarium.accounts.devices import DeviceCode, Devices
from ludarium.accounts.grants import Grants, Refusal, TokenPair
from ludarium.accounts.redirects import MAX_LENGTH
from ludarium.accounts.routes.oauth_forms import form_of, refused
from ludarium.api.state import Settings
from ludarium.http.operations import operation
from ludarium.http.rate_limits import SIGN_IN
from ludarium.platform import ids
from ludarium.platform.problems import Problem

HANDLERS: ExceptionHandlersMap = {Refusal: refused}
SECRET = {"cache-control": "no-store"}
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
GRANTS = ("authorization_code", "refresh_token", DEVICE)
API = "/api/v1/oauth"
Client = Annotated[str, Meta(max_length=64)]
Secret = Annotated[str, Meta(min_length=1, max_length=256)]
Verifier = Annotated[str, Meta(pattern="^[A-Za-z0-9._~-]{43,128}$")]
AnyRequest = Request[Any, Any, Any]


class DeviceRequest(msgspec.Struct, frozen=True):
    client_id: Client
    scope: Annotated[str, Meta(max_length=MAX_SCOPE_LENGTH)]


class TokenRequest(msgspec.Struct, frozen=True):
    """A token request.

    `grant_type` determines which fields are needed: `code`, `code_verifier` and `redirect_uri`; or `refresh_token`; or
    `device_code`.
    """

    grant_type: Annotated[str, Meta(max_length=64)]
    client_id: Client
    code: Secret | None = None
    code_verifier: Verifier | None = None
    redirect_uri: Annotated[str, Meta(max_length=MAX_LENGTH)] | None = None
    refresh_token: Secret | None = None
    device_code: Secret | None = None


class Revocation(msgspec.Struct, frozen=True):
    """An access token or a refresh token to revoke."""

    client_id: Client
    token: Secret


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """Metadata of the authorization server (RFC 8414)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    revocation_endpoint: str
    device_authorization_endpoint: str
    service_documentation: str
    scopes_supported: list[Scope]
    response_types_supported: tuple[Literal["code"], ...] = ("code",)
    response_modes_supported: tuple[Literal["query"], ...] = ("query",)
    grant_types_supported: tuple[str, ...] = GRANTS
    code_challenge_methods_supported: tuple[Literal["S256"], ...] = ("S256",)
    token_endpoint_auth_methods_supported: tuple[Literal["none"], ...] = ("none",)
    revocation_endpoint_auth_methods_supported: tuple[Literal["none"], ...] = ("none",)
    authorization_response_iss_parameter_supported: bool = True


@get("/.well-known/oauth-authorization-server", tags=["apps"], opt={"unlimited": True})
async def get_oauth_metadata(request: AnyRequest, settings: NamedDependency[Settings]) -> Metadata:
    """List the OAuth endpoints and features (RFC 8414).

    The server supports codes with PKCE by S256, refresh tokens and devices. Apps have no secrets.
    """
    settings.hosts.check(request.headers.get("host", ""))
    origin = settings.origin
    return Metadata(
        issuer=origin, authorization_endpoint=f"{origin}/oauth/authorize", token_endpoint=f"{origin}{API}/token",
        revocation_endpoint=f"{origin}{API}/revoke", device_authorization_endpoint=f"{origin}{API}/device",
        service_documentation=f"{origin}/docs",
        scopes_supported=[scope for scope in SCOPES if scope != "admin"],
    )  # fmt: skip


@post(
    "/oauth/device", tags=["apps"], status_code=200, exception_handlers=HANDLERS,
    opt=operation(form=DeviceRequest, rate=SIGN_IN, example={"client_id": ids.EXAMPLE, "scope": "me:read play"}),
)  # fmt: skip
async def request_device_code(
    request: AnyRequest, apps: NamedDependency[Apps], devices: NamedDependency[Devices]
) -> Response[DeviceCode]:
    """Get a code for a device to show (RFC 8628).

    It is valid for ten minutes. Meanwhile the device polls `POST /oauth/token` every `interval` seconds.
    """
    form = await form_of(request, DeviceRequest)
    app = await app_of(apps, form.client_id)
    try:
        scopes = scopes_of(form.scope)
    except Problem:
        raise Refusal("invalid_scope", "scopes of the API, between single spaces") from None
    return Response(await devices.begin(app, scopes), status_code=200, headers=SECRET)


@post(
    "/oauth/token", tags=["apps"], status_code=200, exception_handlers=HANDLERS,
    opt=operation(
        form=TokenRequest, example={"grant_type": "refresh_token", "client_id": ids.EXAMPLE, "refresh_token": "ludr_…"}
    ),
)  # fmt: skip
async def issue_tokens(
    request: AnyRequest, apps: NamedDependency[Apps], grants: NamedDependency[Grants], devices: NamedDependency[Devices]
) -> Response[TokenPair]:
    """Exchange a code, a refresh token or an approved device for a pair of tokens.

    Each can be used once. If a refresh token is used again after 30 seconds, all tokens of the approval end. If a code
    is used again, they end immediately. `scope` has the scopes of the new access token.
    """
    form = await form_of(request, TokenRequest)
    app = await app_of(apps, form.client_id)
    return Response(await pair_for(app, form, grants, devices), status_code=200, headers=SECRET)


@post(
    "/oauth/revoke", tags=["apps"], status_code=200, exception_handlers=HANDLERS,
    opt=operation(form=Revocation, example={"client_id": ids.EXAMPLE, "token": "ludr_…"}),
)  # fmt: skip
async def revoke_app_tokens(request: AnyRequest, apps: NamedDependency[Apps], grants: NamedDependency[Grants]) -> None:
    """Revoke a token of the app, with all tokens of the same approval (RFC 7009).

    Unknown tokens count as revoked.
    """
    form = await form_of(request, Revocation)
    await grants.revoke(await app_of(apps, form.client_id), form.token)


async def app_of(apps: Apps, client: str) -> UUID:
    """Return the id of the app with this `client_id`.

    Raises:
        Refusal: `invalid_client`.
    """
    app = await apps.id_of(client)
    if app is None:
        raise Refusal("invalid_client", "there is no such app")
    return app


async def pair_for(app: UUID, form: TokenRequest, grants: Grants, devices: Devices) -> TokenPair:
    """Return the pair of tokens for a token request.

    Raises:
        Refusal: the grant is unsupported, incomplete or invalid.
    """
    match form:
        case TokenRequest(grant_type="authorization_code", code=str(code), code_verifier=str(verifier)):
            return await grants.by_code(app, code, verifier, form.redirect_uri)
        case TokenRequest(grant_type="refresh_token", refresh_token=str(token)):
            return await grants.by_refresh(app, token)
        case TokenRequest(grant_type=kind, device_code=str(code)) if kind == DEVICE:
            return await devices.pair(app, code)
    if form.grant_type in GRANTS:
        raise Refusal("invalid_request", "a field is missing")
    raise Refusal("unsupported_grant_type", ", ".join(GRANTS))
