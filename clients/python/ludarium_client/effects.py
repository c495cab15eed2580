"""The effects that operations request: the core itself does no I/O.

An operation is a generator (`Steps`): it yields effects, is sent their results, and returns its own. `runner` and
`async_runner` carry out the same operations. If an effect fails, Unreachable is raised in the generator.
"""

from collections.abc import Generator
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ludarium_client.bodies import TableView

T = TypeVar("T")


class Send(NamedTuple):
    """Send an HTTP request. The result is an Answer."""

    method: str
    path: str
    headers: dict[str, str]
    content: bytes | None = None


class Answer(NamedTuple):
    """An HTTP answer. The names of `headers` are in lower case."""

    status: int
    headers: dict[str, str]
    content: bytes


class Wait(NamedTuple):
    """Wait this many seconds."""

    seconds: float


class Dial(NamedTuple):
    """Open a WebSocket and send these messages. The result is a Line."""

    url: str
    words: tuple[bytes, ...]


Line: TypeAlias = Any
"""The runner's connection object, which the core only hands back to it."""


class Hear(NamedTuple):
    """Receive the next message of a WebSocket, as text or bytes."""

    line: Line


class HangUp(NamedTuple):
    """Close a WebSocket."""

    line: Line


class Ask(NamedTuple):
    """Ask the user to choose. The result is an ActionBody."""

    view: TableView


Effect = Send | Wait | Dial | Hear | HangUp | Ask
Steps: TypeAlias = Generator[Effect, Any, T]
