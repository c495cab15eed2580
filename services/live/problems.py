"""Why a request was refused: the members of an RFC 9457 problem, under the codes that REST uses."""

import re
from collections.abc import Sequence

import msgspec

TITLES: dict[str, tuple[int, str]] = {
    "already-subscribed": (409, "This connection follows the table as this audience already"),
    "internal-error": (500, "Something went wrong on the server"),
    "invalid-json": (400, "The message is not JSON text"),
    "invalid-request": (400, "The message is not a request of this protocol"),
    "not-found": (404, "There is no such thing"),
    "rate-limited": (429, "Too many messages"),
    "too-many-subscriptions": (429, "This connection follows as many tables as it may"),
}
"""Code -> status and title, for what the gateway itself refuses."""


class Fault(msgspec.Struct, frozen=True):
    """One wrong member of a request."""

    pointer: str
    detail: str


class ProblemBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """RFC 9457, with a stable `code`."""

    code: str
    title: str
    status: int
    detail: str = ""
    seq: int | None = None
    errors: list[Fault] = []
    retry_after: float | None = None


class Problem(Exception):
    def __init__(self, body: ProblemBody) -> None:
        super().__init__(body.code)
        self.body = body

    @property
    def status(self) -> int:
        return self.body.status


def problem(code: str, detail: str = "", *, errors: Sequence[Fault] = (), retry_after: float | None = None) -> Problem:
    """A problem of the gateway's own."""
    status, title = TITLES[code]
    return Problem(ProblemBody(code, title, status, detail, errors=list(errors), retry_after=retry_after))


def fault(error: msgspec.ValidationError) -> Fault:
    """What msgspec says of a wrong member, its path as a JSON pointer."""
    detail, _, path = str(error).partition(" - at `$")
    return Fault(re.sub(r"[.\[]", "/", path.rstrip("`").replace("]", "")), detail)
