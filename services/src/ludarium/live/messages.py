"""The messages of the WebSocket protocol.

All messages are JSON texts. The server sends one response to each request, and pushes. `asyncapi` documents these types.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ludarium.accounts.access import Need
from ludarium.live.lobby import Order, Pace, Status
from ludarium.live.presence import Present
from ludarium.platform.json_input import MARK, parsed
from ludarium.platform.locale import TAG
from ludarium.platform.problems import Problem, ProblemDetails
from ludarium_engine.kernel.decoding import json_decoder

RequestId = Annotated[int, Meta(ge=-(2**53), le=2**53)] | Annotated[str, Meta(max_length=64)]
TableId = Annotated[str, Meta(min_length=1, max_length=64)]
Seat = Annotated[int, Meta(ge=0, le=63)]
Viewer = Seat | Literal["spectator"]
Seq = Annotated[int, Meta(ge=-1, le=2**53)]


Head = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


class Request(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A request. `id` is chosen by the client and returned in the answer."""

    id: RequestId


class Hello(Request, tag="hello"):
    """The first message.

    Without a token the client is anonymous, and may watch what everyone may. `locale`: the language of problems' titles
    on this connection, as a tag such as `es-MX`; by default English. `text`: whether events, views and problems have
    `text` in this language.
    """

    token: Annotated[str, Meta(max_length=256)] | None = None
    locale: Annotated[str, Meta(pattern=TAG)] | None = None
    text: bool = False


class Renew(Request, tag="token"):
    """Continue with another token of the same player.

    It must have all scopes of the current one.
    """

    token: Annotated[str, Meta(max_length=256)]


class Subscribe(Request, tag="subscribe"):
    """Follow a table's events after `after` (-1: from the first).

    Without `as`: from the caller's own seat, if there is one. `head`: of the event at `after`. If the log has lost that
    event, a `reset` is sent first, then the events after it. `view`: "changes" replaces `data.view` by `data.change` in
    events where that is shorter and can be applied.
    """

    table: TableId
    after: Seq
    head: Head | None = None
    as_: Viewer | None = msgspec.field(default=None, name="as")
    view: Literal["full", "changes"] = "full"


class Me(Request, tag="me"):
    """Follow the caller's own news, as `sub` "me".

    Games that start and end, turns, the next table of a tournament, and notices of all kinds.
    """


class Lobby(Request, tag="lobby"):
    """Follow the first tables of a list, as `sub` "lobby".

    The filters are those of `GET /tables`. A second request replaces the list. `friends`: only tables of players that
    the caller follows; needs the scope `me:read`.
    """

    status: Status | None = None
    ruleset: Annotated[str, Meta(pattern="^[a-z0-9-]{1,64}$")] | None = None
    seats: Annotated[int, Meta(ge=1, le=16)] | None = None
    clock: Pace | None = None
    rated: bool | None = None
    friends: bool = False
    order: Order = "newest"


class Tournament(Request, tag="tournament"):
    """Follow a tournament's events after `after`, as `sub` "tournament:" and its id.

    With `after` -1, from the first event.
    """

    tournament: TableId
    after: Seq = -1


class Unsubscribe(Request, tag="unsubscribe"):
    """End a subscription. Nothing of it follows the answer."""

    sub: Annotated[str, Meta(max_length=96)]


class Ping(Request, tag="ping"):
    """Ask for an answer. The server sends WebSocket pings by itself."""


class Action(msgspec.Struct, forbid_unknown_fields=True):
    """An action that the table has offered."""

    id: Annotated[str, Meta(max_length=256)]
    subset: Annotated[list[int], Meta(max_length=256)] = []


class CommandRequest(Request, tag="command"):
    """The body of `POST /tables/{table}/commands`; `key` is its Idempotency-Key.

    `view`: "changes" leaves the view out of the answer, for clients whose subscription sends changes.
    """

    table: TableId
    expected_seq: Seq
    action: Action
    head: Head | None = None
    key: Annotated[str, Meta(max_length=64)] | None = None
    view: Literal["full", "changes"] = "full"

    @property
    def body(self) -> bytes:
        return msgspec.json.encode({"expected_seq": self.expected_seq, "head": self.head, "action": self.action})


ClientMessage = Hello | Renew | Subscribe | Me | Lobby | Tournament | Unsubscribe | Ping | CommandRequest
NEEDS: dict[type[Request], Need] = {
    Hello: "token", Renew: "token", Subscribe: "token", Me: "me:read", Lobby: "token", Tournament: "token",
    Unsubscribe: "token", Ping: "token", CommandRequest: "play",
}  # fmt: skip
"""For connections with a token; others are anonymous, and may watch."""


class Answer(msgspec.Struct, kw_only=True):
    id: RequestId | None
    """Null only in a refusal of a message whose id could not be read."""


class Done(Answer, kw_only=True):
    """The answer to `token`, `me`, `lobby`, `tournament`, `unsubscribe` and `ping`."""

    ok: Literal[True] = True


class Greeted(Answer, kw_only=True):
    """The answer to `hello`."""

    ok: Literal[True] = True
    player: str | None


class Subscribed(Answer, kw_only=True):
    """The answer to `subscribe`.

    The events after `seq` follow, each once and in order. `head`: of the event at `seq` in the log, null at -1. If it
    differs from the requested one, a `reset` follows.
    """

    ok: Literal[True] = True
    sub: str
    seq: int
    head: Head | None
    as_: Viewer = msgspec.field(name="as")


class CommandAnswer(Answer, kw_only=True):
    """The answer to `command`. `result` is the answer of the HTTP API."""

    ok: Literal[True] = True
    result: msgspec.Raw


class ProblemAnswer(Answer, kw_only=True):
    """The answer to a refused request, which changed nothing."""

    ok: Literal[False] = False
    problem: ProblemDetails


class EventPush(msgspec.Struct):
    """An event of a table.

    Events that the viewer may not see have the type `hidden`, so that numbers have no gaps.
    """

    sub: str
    seq: int
    type: str
    head: Head
    data: dict[str, Any] | UnsetType = UNSET


class ResetPush(msgspec.Struct, tag="reset"):
    """The log has lost its newest events, for example in a fail-over.

    Discard everything received: `data.view` is the table after event `seq`, and the events after it follow. A reset may
    be repeated, and may come without a loss.
    """

    sub: str
    seq: int
    head: Head
    data: dict[str, Any]


class News(msgspec.Struct):
    """News of the caller.

    Games: `game_started` {table, seat, ruleset}, `your_turn` {table, seat, since}, `game_ended` {table, seat}.
    Tournaments: `next_table` {tournament, stage, round, board, table, bye, starts_at, ends_at, paused}, `check_in`
    {tournament, until}, `ruling` {tournament, stage, round, board, table, verdict, places, units}. `turns` {turns}: the
    first 50 games in which it is the caller's turn, the next one first, each {table, ruleset, seat, since, deadline};
    sent at first and whenever it changes.

    Notices, of all kinds: `notice` is a new or changed one as in `GET /me/notices`, at first the newest 50; `settled` {id,
    kind, table} names one that no longer waits; `unread` {count} is sent at first and whenever it changes.

    More types may be added.
    """

    sub: Literal["me"]
    type: str
    data: dict[str, Any]


class LobbyPush(msgspec.Struct):
    """News of the lobby: first `tables` {tables}, the whole list.

    Then `table`, a new or changed table as in `GET /tables`, and `gone` {table}, one that is no longer in the list.
    More types may be added.
    """

    sub: Literal["lobby"]
    type: str
    data: dict[str, Any]


class RowPush(msgspec.Struct):
    """An event of a tournament, such as `round_published` or `result`.

    Its fields are in `data`. Each `seq` is sent once and in order. Load what follows from it (standings, a bracket) by
    its ETag. More types may be added.
    """

    sub: str
    seq: int
    type: str
    head: Head
    data: dict[str, Any]


class PresencePush(msgspec.Struct, tag="presence"):
    """The viewers at the table now.

    It has no number, is not an event, and is sent at most once a second.
    """

    sub: str
    data: Present


class ChatPush(msgspec.Struct, tag="chat"):
    """A chat message at the table, or its removal, as in `GET /tables/{table}/chat`.

    It is not in the log and may be lost: if `number` skips some, load those after the last known one. For tokens with
    the scope `chat`.
    """

    sub: str
    data: dict[str, Any]


class RematchPush(msgspec.Struct, tag="rematch"):
    """A rematch of this finished table is open.

    `GET /tables/{table}` names it as `rematch`, for viewers who may see it. This message has no number, is not in the
    log, may be lost, and may be repeated.
    """

    sub: str


class Ended(msgspec.Struct, tag="ended"):
    """The subscription has ended: the seat that gave the right to watch was given up."""

    sub: str


class TokenEnded(msgspec.Struct, tag="token-ended"):
    """The last message: the token has expired or was revoked.

    Reconnect with another token.
    """


class Lagging(msgspec.Struct, tag="lagging"):
    """The last message to a client that reads too slowly.

    Connect again and subscribe with `after`.
    """


class GoingAway(msgspec.Struct, tag="going-away"):
    """This server is stopping. Connect again, to another one, after `retry_after_ms`."""

    retry_after_ms: int


ServerMessage = (
    Done | Greeted | Subscribed | CommandAnswer | ProblemAnswer
    | EventPush | ResetPush | News | LobbyPush | RowPush | PresencePush | ChatPush | RematchPush | Ended | TokenEnded
    | Lagging | GoingAway
)  # fmt: skip


class _Envelope(msgspec.Struct):
    id: RequestId | None = None


encode = msgspec.json.Encoder().encode
_requests = json_decoder(ClientMessage)
_envelopes = json_decoder(_Envelope)


def parse(text: str | bytes) -> ClientMessage:
    """Parse the request in a text message.

    Raises:
        Problem: `invalid-json` or `invalid-request`.
    """
    if isinstance(text, bytes):
        raise Problem("invalid-request", "a request is a text message")
    request: ClientMessage = parsed(unmarked(text), _requests)
    return request


def unmarked(text: str | bytes) -> bytes:
    """Return a message without a byte-order mark."""
    return (text if isinstance(text, bytes) else text.encode()).removeprefix(MARK)


def id_of(text: str | bytes) -> RequestId | None:
    """Return the id of a message that may not be a valid request, None if it has none."""
    try:
        return parsed(unmarked(text), _envelopes).id
    except Problem:
        return None
