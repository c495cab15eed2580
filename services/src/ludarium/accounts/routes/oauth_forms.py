"""Parts of OAuth that differ from the rest of the API: form bodies and errors."""

from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from litestar import Request, Response

from ludarium.accounts.grants import Refusal
from ludarium.http.strictness import body_of
from ludarium.platform.json_input import NO_NUL
from ludarium_engine.kernel.decoding import converter

FORM = "application/x-www-form-urlencoded"
MAX_FIELDS = 32
T = TypeVar("T")


class OAuthError(msgspec.Struct, frozen=True):
    error: str
    error_description: str


async def form_of(request: Request[Any, Any, Any], kind: type[T]) -> T:
    """Parse a form. As RFC 6749 requires, unknown fields are ignored.

    Raises:
        Refusal: `invalid_request`, also for a repeated field.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise Refusal("invalid_request", f"the body has to be {FORM}")
    try:
        fields = parse_qsl((await body_of(request)).decode(), max_num_fields=MAX_FIELDS, errors="strict")
        if len(dict(fields)) < len(fields):
            raise Refusal("invalid_request", "a field comes twice")
        if any("\0" in name + value for name, value in fields):
            raise Refusal("invalid_request", f"fields have to be {NO_NUL}")
        return converter(kind)(dict(fields))
    except (ValueError, msgspec.ValidationError) as error:
        raise Refusal("invalid_request", description(error)) from None


def description(error: Exception) -> str:
    """Describe an error with only the characters that RFC 6749 allows.

    Bytes that are not text get a general description.
    """
    return str(error).replace('"', "'").replace("\\", "/") if isinstance(error, msgspec.ValidationError) else "no such form"


def refused(_: Request[Any, Any, Any], refusal: Refusal) -> Response[OAuthError]:
    headers = {"cache-control": "no-store", "content-language": "en"}
    return Response(OAuthError(refusal.error, refusal.description), status_code=400, headers=headers)
