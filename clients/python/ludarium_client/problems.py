"""What can go wrong: the server refuses, or it cannot be reached."""

from ludarium_client.bodies import Event, FieldError, ProblemDetails


class LudariumError(Exception):
    """Anything that this package raises."""


class Problem(LudariumError):
    """The server refused, and nothing has changed (RFC 9457).

    code: stable, https://ludarium has each in docs/errors.md; details: the whole answer.
    """

    def __init__(self, details: ProblemDetails) -> None:
        super().__init__(f"{details.code}: {details.detail or details.title}")
        self.details = details

    @property
    def code(self) -> str:
        return self.details.code

    @property
    def status(self) -> int:
        return self.details.status

    @property
    def seq(self) -> int | None:
        """The table's version, where the caller's was too old."""
        return self.details.seq or None

    @property
    def events(self) -> list[Event]:
        """What the caller has missed, where its version was too old."""
        return self.details.events or []

    @property
    def errors(self) -> list[FieldError]:
        """What is wrong with each field of the request."""
        return self.details.errors or []

    @property
    def retry_after(self) -> float:
        """Seconds; 0 where the server names none."""
        return float(self.details.retry_after or 0)


class Unreachable(LudariumError):
    """No connection, or it was lost.

    sent: whether the server may have acted on what was asked. code: with which it closed a WebSocket.
    """

    def __init__(self, reason: str, *, sent: bool = False, code: int | None = None) -> None:
        super().__init__(reason)
        self.sent, self.code = sent, code


class Garbled(Unreachable):
    """What came was understood by nobody: whoever answers there is no Ludarium, or one that is broken."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, sent=True)
