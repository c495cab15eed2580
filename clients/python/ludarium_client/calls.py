"""HTTP: one request and its answer, sent again where that cannot do harm."""

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
"""Problems that have changed nothing and pass by themselves."""
LOST = {502, 504}
"""A proxy says so if it does not know what has become of a request."""


class Caller:
    """token: who asks; None for nobody in particular. patience: seconds to go on where trying again may help."""

    def __init__(self, token: str | None, patience: float) -> None:
        self.token, self.patience = token, patience

    def call(
        self, kind: Any, method: str, path: str, body: Any = None, *, key: str | None = None, prefix: str = PREFIX,
        **headers: str,
    ) -> Steps[Any]:
        """The answer, decoded as `kind`; of kind None it has none, of kind bytes it is as it came.

        `key`: an Idempotency-Key. With it, or if the method is GET, an answer that was lost is asked for again.
        Raises Problem; Unreachable when patience is at an end, or if nobody knows whether the request was carried out.
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
        """Call with an Idempotency-Key, by default a new one: it acts once, however often it has to be sent."""
        return self.call(kind, method, path, body, key=key or uuid4().hex, **headers)

    def _headers(self, key: str | None, headers: dict[str, str]) -> dict[str, str]:
        given = {"content-type": "application/json", **headers}
        if self.token is not None:
            given["authorization"] = f"Bearer {self.token}"
        if key is not None:
            given["idempotency-key"] = key
        return given


def checked(answer: Answer) -> Answer:
    """Raises Problem or Unreachable."""
    if answer.status < 400:
        return answer
    if answer.status in LOST:
        raise Unreachable(f"the proxy answers {answer.status}", sent=True)
    raise Problem(details_of(answer))


def details_of(answer: Answer) -> ProblemDetails:
    """Of an error that is none of Ludarium's, too: then its code is `http-` and the status."""
    seconds = answer.headers.get("retry-after", "")
    waits = int(seconds) if seconds.isdecimal() else msgspec.UNSET
    try:
        found: ProblemDetails = decode(answer.content, ProblemDetails)
    except Garbled:
        code = "unavailable" if answer.status == 503 else f"http-{answer.status}"
        return ProblemDetails(type="about:blank", title="Unexpected answer", status=answer.status, code=code, retry_after=waits)
    return found if found.retry_after else msgspec.structs.replace(found, retry_after=waits)


def passes(error: Problem | Unreachable, repeatable: bool) -> bool:
    """Whether the same request may be sent again, and is worth it."""
    if isinstance(error, Problem):
        return error.code in TRANSIENT
    return not isinstance(error, Garbled) and (repeatable or not error.sent)


def least_delay(error: Problem | Unreachable) -> float:
    return error.retry_after if isinstance(error, Problem) else 0.0
