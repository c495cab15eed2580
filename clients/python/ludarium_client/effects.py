"""What the core asks of the network and of its user, as data: the core itself does no I/O.

An operation is a generator (`Steps`): it yields effects, is sent their results, and returns its own. `runner` and
`async_runner` carry the same operations out, each in its way. An effect that fails raises Unreachable in the generator.
"""

from collections.abc import Generator
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ludarium_client.bodies import TableView

T = TypeVar("T")


class Send(NamedTuple):
    """An HTTP request. Its result is an Answer."""

    method: str
    path: str
    headers: dict[str, str]
    content: bytes | None = None


class Answer(NamedTuple):
    """headers: names in lower case."""

    status: int
    headers: dict[str, str]
    content: bytes


class Wait(NamedTuple):
    seconds: float


class Dial(NamedTuple):
    """A new WebSocket, on which these messages are sent at once. Its result is a Line, for Hear and HangUp."""

    url: str
    words: tuple[bytes, ...]


Line: TypeAlias = Any
"""The driver's own; the core only hands it back."""


class Hear(NamedTuple):
    """The next message of a WebSocket, as text or bytes."""

    line: Line


class HangUp(NamedTuple):
    line: Line


class Ask(NamedTuple):
    """The user is to choose. The result is an ActionBody."""

    view: TableView


Effect = Send | Wait | Dial | Hear | HangUp | Ask
Steps: TypeAlias = Generator[Effect, Any, T]
