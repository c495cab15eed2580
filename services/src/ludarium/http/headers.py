"""Describe response headers for the OpenAPI document.

Headers that every response has are not described.
"""

from collections.abc import Iterable
from typing import Any

from ludarium.platform.request_context import GIVEN_ID

Header = dict[str, Any]
TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}


def header(description: str, schema: dict[str, Any] = TEXT, *, always: bool = True) -> Header:
    return {"description": description, "schema": schema, "required": always}


HEADERS: dict[str, Header] = {
    "Content-Security-Policy": header("Opened by itself it runs and loads nothing."),
    "Cache-Control": header("Whether others than the caller may be shown the answer, and for how long."),
    "Content-Disposition": header("Under which name to save it."),
    "Content-Language": header("The language of the answer's words: `en`, `es` or `hu`."),
    "ETag": header("Of this state of the resource; send it back as `If-None-Match` to be told only what has changed."),
    "Location": header("The path of what was made."),
    "Preference-Applied": header("The wish of `Prefer` that was fulfilled.", always=False),
    "RateLimit-Limit": header("How many requests the caller has at once.", COUNT, always=False),
    "RateLimit-Remaining": header("How many of them are left.", COUNT, always=False),
    "RateLimit-Reset": header("In how many seconds there is one again.", COUNT, always=False),
    "Retry-After": header("After how many seconds to send the same again.", COUNT, always=False),
    "WWW-Authenticate": header("`Bearer`."),
    "X-Request-Id": header(
        "Of this exchange, as the server's log has it; the request's own, if it had one.",
        {**TEXT, "pattern": f"^{GIVEN_ID.pattern.decode()}$"},
    ),
}
COMPONENTS = HEADERS | {
    "Text-Language": header("The language of `text`: `en`, `es` or `hu`; only with `locale`.", always=False),
}
"""Descriptions by name. `Text-Language` describes Content-Language where only `locale` asks for texts."""


def described(status: str, opt: dict[str, Any]) -> dict[str, Any]:
    """Return the description of the headers that responses with this status have.

    Args:
        status: the HTTP status code, as text.
        opt: the `opt` of the operation. `texts`: whether its responses have texts if `locale` asks for them.
    """
    found = {name: name for name in names(status, opt)}
    if opt.get("texts") and status < "400":
        found["Content-Language"] = "Text-Language"
    return {name: {"$ref": f"#/components/headers/{found[name]}"} for name in sorted(found)}


def names(status: str, opt: dict[str, Any]) -> Iterable[str]:
    yield "X-Request-Id"
    if not opt.get("unlimited"):
        yield from ("RateLimit-Limit", "RateLimit-Remaining")
    if status < "400":
        yield from opt.get("headers", ())
    else:
        yield "Content-Language"
        yield from OF_PROBLEMS.get(status, ())


OF_PROBLEMS = {
    "401": ("WWW-Authenticate",),
    "409": ("Retry-After",),
    "429": ("RateLimit-Reset", "Retry-After"),
    "503": ("Retry-After",),
}
