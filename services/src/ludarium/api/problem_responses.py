"""The problems of operations in the OpenAPI document.

All problems with one status share a response. Each operation lists its own codes as `x-problems`, and `components/examples`
has what each code means. See docs/decisions/136.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from ludarium.accounts.access import NEEDS_OF_BANNED, SESSION_ONLY_NEEDS
from ludarium.http import headers
from ludarium.http.errors import MEDIA_TYPE
from ludarium.http.operations import ALWAYS
from ludarium.http.parameters import KEY
from ludarium.platform.json_schema import REF
from ludarium.platform.problems import KINDS, TYPE

CODES = "x-problems"
"""The field of an operation that lists the codes of its problems."""
NO_TOKEN: list[Any] = []
MAYBE_TOKEN: list[Any] = [{}, {"token": []}]
Document = dict[str, Any]


def problems(operation: Document, opt: Document) -> Iterator[str]:
    """Yield the codes of the problems that the operation can return."""
    yield from opt.get("problems", ())
    yield from ALWAYS
    security = operation["security"]
    if security != NO_TOKEN:
        yield "invalid-token"
    if security not in (NO_TOKEN, MAYBE_TOKEN):
        yield "unauthenticated"
        yield from refusals(security)
    if "form" in opt or "file" in opt:
        yield "body-too-large"
    elif "requestBody" in operation:
        yield from ("invalid-json", "invalid-request", "body-too-large")
    parameters = [parameter["name"] for parameter in operation.get("parameters", [])]
    if parameters:
        yield "invalid-request"
    if any(parameter["in"] == "path" for parameter in operation.get("parameters", [])):
        yield "no-such-path"                    # a value with a slash, or a word where a number belongs, is another path
    if KEY.name not in parameters:
        yield "key-not-taken"


def refusals(security: list[Any]) -> Iterator[str]:
    """Yield the codes for a valid token that is not sufficient."""
    ((scheme, needs),) = security[0].items()
    if {*needs} - NEEDS_OF_BANNED:
        yield "banned"
    if scheme == "session":
        yield "session-needed"
    if needs:
        yield "sign-in-again" if {*needs} <= SESSION_ONLY_NEEDS else "insufficient-scope"
    if "admin-act" in needs:
        yield "passkey-needed"


def sorted_codes(codes: Iterable[str]) -> list[str]:
    """Return each code once, by status."""
    return sorted({*codes}, key=lambda code: (KINDS[code].status, code))


def references(codes: Iterable[str]) -> Document:
    """Return the responses for problems with these codes, by status."""
    return {status: {"$ref": f"#/components/responses/{name_of(status)}"} for status in by_status(codes)}


def responses(codes: Iterable[str]) -> Document:
    """Return the shared responses for problems with these codes, by name."""
    return {name_of(status): response(status, those) for status, those in by_status(codes).items()}


def name_of(status: str) -> str:
    return f"Problem{status}"


def by_status(codes: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for code in sorted_codes(codes):
        found.setdefault(str(KINDS[code].status), []).append(code)
    return found


def response(status: str, codes: list[str]) -> Document:
    examples = {code: {"$ref": f"#/components/examples/{code}"} for code in codes}
    return {
        "description": f"A problem: one of the codes with this status that `{CODES}` of the operation lists.",
        "headers": headers.described(status, {}),
        "content": {MEDIA_TYPE: {"schema": {"$ref": REF.format(name="ProblemDetails")}, "examples": examples}},
    }


def examples(codes: Iterable[str]) -> Document:
    """Return the meaning of each code, and a problem with it."""
    return {code: example(code) for code in sorted(codes)}


def example(code: str) -> Document:
    kind = KINDS[code]
    return {"summary": kind.when, "value": {"type": TYPE + code, "title": kind.title, "status": kind.status, "code": code}}
