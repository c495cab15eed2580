"""The exceptions of this package."""

from ludarium_client.bodies import FieldError, ProblemDetails, TableEvent


class LudariumError(Exception):
    """Base of all exceptions of this package."""


class Problem(LudariumError):
    """The server refused the request; nothing has changed (RFC 9457).

    `details` is the whole answer.
    """

    def __init__(self, details: ProblemDetails) -> None:
        super().__init__(f"{details.code}: {details.detail or details.title}")
        self.details = details

    @property
    def code(self) -> str:
        """The stable code; docs/errors.md lists all of them."""
        return self.details.code

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.details.status

    @property
    def seq(self) -> int | None:
        """The table's current `seq`, if the caller's was too old."""
        return self.details.seq or None

    @property
    def events(self) -> list[TableEvent]:
        """The events that the caller has missed, if its `seq` was too old."""
        return self.details.events or []

    @property
    def errors(self) -> list[FieldError]:
        """The faults in each field of the request."""
        return self.details.errors or []

    @property
    def retry_after(self) -> float:
        """How many seconds to wait before the next attempt; 0 if not given."""
        return float(self.details.retry_after or 0)


class Unreachable(LudariumError):
    """The server could not be reached, or the connection was lost.

    Args:
        reason: the message.
        sent: whether the server may have carried out the request.
        code: the code with which the server closed a WebSocket.
    """

    def __init__(self, reason: str, *, sent: bool = False, code: int | None = None) -> None:
        super().__init__(reason)
        self.sent, self.code = sent, code


class Garbled(Unreachable):
    """The answer is not Ludarium's: a proxy's page, or a broken server."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, sent=True)
