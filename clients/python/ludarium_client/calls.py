"""HTTP requests with their answers, repeated where that is safe."""

from typing import Any
from uuid import uuid4

import msgspec

from ludarium_client.bodies import ProblemDetails
from ludarium_client.decoding import decode, encode
from ludarium_client.effects import Answer, Send, Steps, Wait
from ludarium_client.patience import Patience
from ludarium_client.problems import Garbled, Problem, Unreachable

PREFIX = "/api/v1"
TRANSIENT = {"rate-limited", "busy", "unavailable", "key-in-use"}
"""Codes of problems that changed nothing and pass by themselves."""
LOST = {502, 504}
"""Statuses with which a proxy reports that it lost a request."""


class Caller:
    """Builds requests with a token and repeats them after transient failures.

    Args:
        token: the token to send; None for anonymous requests.
        patience: how many seconds to keep repeating requests.
        locale: the language of texts in views and events; None for no texts.
    """

    def __init__(self, token: str | None, patience: float, locale: str | None = None) -> None:
        self.token, self.patience, self.locale = token, patience, locale

    def call(
        self, kind: Any, method: str, path: str, body: Any = None, *, key: str | None = None, prefix: str = PREFIX,
        **headers: str,
    ) -> Steps[Any]:
        """Send a request and return the answer, decoded as `kind`.

        Requests with a `key` and GET requests are repeated if their answer was lost.

        Args:
            kind: the type of the answer; None if it has none, bytes for its content as it is.
            method: the HTTP method.
            path: the path after `prefix`.
            body: is sent as JSON.
            key: an Idempotency-Key.
            prefix: the path of the API.
            headers: further headers.

        Raises:
            Problem: the server refused the request.
            Unreachable: patience ran out, or the request may have been carried out and cannot be repeated.
        """
        request = Send(method, prefix + path, self._headers(key, headers), None if body is None else encode(body))
        repeatable = key is not None or method == "GET"
        patience = Patience(self.patience)
        while True:
            try:
                answer = yield request
                content = checked(answer).content
                return None if kind is None else content if kind is bytes else decode(content, kind)
            except (Problem, Unreachable) as error:
                delay = patience.delay(least_delay(error)) if passes(error, repeatable) else None
                if delay is None:
                    raise
            yield Wait(delay)

    def once(
        self, kind: Any, method: str, path: str, body: Any = None, key: str | None = None, **headers: str
    ) -> Steps[Any]:
        """Call with an Idempotency-Key, by default a new one.

        However often the request is sent, the server carries it out once.
        """
        return self.call(kind, method, path, body, key=key or uuid4().hex, **headers)

    def _headers(self, key: str | None, headers: dict[str, str]) -> dict[str, str]:
        given = {"content-type": "application/json", **headers}
        if self.token is not None:
            given["authorization"] = f"Bearer {self.token}"
        if key is not None:
            given["idempotency-key"] = key
        return given


def checked(answer: Answer) -> Answer:
    """Return the answer, if it is a success.

    Raises:
        Problem: the server refused the request.
        Unreachable: a proxy lost the request.
    """
    if answer.status < 400:
        return answer
    if answer.status in LOST:
        raise Unreachable(f"the proxy answers {answer.status}", sent=True)
    raise Problem(details_of(answer))


def details_of(answer: Answer) -> ProblemDetails:
    """Return the problem in an error answer.

    Errors that do not come from Ludarium get the code `http-` and the status, or `unavailable` for 503.
    """
    seconds = answer.headers.get("retry-after", "")
    waits = int(seconds) if seconds.isdecimal() else msgspec.UNSET
    try:
        found: ProblemDetails = decode(answer.content, ProblemDetails)
    except Garbled:
        code = "unavailable" if answer.status == 503 else f"http-{answer.status}"
        return ProblemDetails(type="about:blank", title="Unexpected answer", status=answer.status, code=code, retry_after=waits)
    return found if found.retry_after else msgspec.structs.replace(found, retry_after=waits)


def passes(error: Problem | Unreachable, repeatable: bool) -> bool:
    """True if the same request may be sent again and could succeed."""
    if isinstance(error, Problem):
        return error.code in TRANSIENT
    return not isinstance(error, Garbled) and (repeatable or not error.sent)


def least_delay(error: Problem | Unreachable) -> float:
    """Return the seconds that the server asks us to wait."""
    return error.retry_after if isinstance(error, Problem) else 0.0
