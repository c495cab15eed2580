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
    """A request of a client.

    The client chooses the `id`, and the response contains it.
    """

    id: RequestId


class Hello(Request, tag="hello"):
    """The first message of a client.

    - Without a `token` the client is anonymous, and can watch what everyone may see.
    - `locale` is the language of this connection, as a tag such as `es-MX`; by default English. Titles of problems are
      in this language.
    - `text` requests events, views and problems with `text` in this language.
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
    """Follow the events of a table after `after` (-1: from the first event).

    - `as` is a seat or the spectators; by default the caller's own seat, if there is one.
    - `head` is the head of the event at `after`. If the log has lost that event, the server first sends a `reset`, then
      the events after it.
    - `view` can be "changes". Events then have `data.change` instead of `data.view` where that is shorter and can be
      applied.
    """

    table: TableId
    after: Seq
    head: Head | None = None
    as_: Viewer | None = msgspec.field(default=None, name="as")
    view: Literal["full", "changes"] = "full"


class Me(Request, tag="me"):
    """Follow the caller's own news. The `sub` of this subscription is "me".

    The news includes games that start and end, turns, the next table in a tournament, and notices of all kinds.
    """


class Lobby(Request, tag="lobby"):
    """Follow the first tables of a list. The `sub` of this subscription is "lobby".

    The filters are those of `GET /tables`. A second request replaces the list. `friends` limits it to tables of players
    that the caller follows, and needs the scope `me:read`.
    """

    status: Status | None = None
    ruleset: Annotated[str, Meta(pattern="^[a-z0-9-]{1,64}$")] | None = None
    seats: Annotated[int, Meta(ge=1, le=16)] | None = None
    clock: Pace | None = None
    rated: bool | None = None
    friends: bool = False
    order: Order = "newest"


class Tournament(Request, tag="tournament"):
    """Follow the events of a tournament after `after`.

    With -1 they are sent from the first event. The `sub` of this subscription is "tournament:" followed by the
    tournament's id.
    """

    tournament: TableId
    after: Seq = -1


class Unsubscribe(Request, tag="unsubscribe"):
    """End a subscription. After the response, no more messages of it are sent."""

    sub: Annotated[str, Meta(max_length=96)]


class Ping(Request, tag="ping"):
    """Request a response. The server also sends WebSocket pings by itself."""


class Action(msgspec.Struct, forbid_unknown_fields=True):
    """An offer of the table, by its id, with the chosen subset if it has one."""

    id: Annotated[str, Meta(max_length=256)]
    subset: Annotated[list[int], Meta(max_length=256)] = []


class CommandRequest(Request, tag="command"):
    """A command, like the body of `POST /tables/{table}/commands`.

    `key` is its Idempotency-Key. If `view` is "changes", the response does not contain the view. Use this if your
    subscription sends changes.
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
    """The response to requests that return nothing else.

    These are `token`, `me`, `lobby`, `tournament`, `unsubscribe` and `ping`.
    """

    ok: Literal[True] = True


class Greeted(Answer, kw_only=True):
    """The response to `hello`."""

    ok: Literal[True] = True
    player: str | None


class Subscribed(Answer, kw_only=True):
    """The response to `subscribe`.

    The events after `seq` follow, each once and in order. `head` is the head of the event at `seq` in the log; null at
    -1. If it differs from the requested one, a `reset` follows.
    """

    ok: Literal[True] = True
    sub: str
    seq: int
    head: Head | None
    as_: Viewer = msgspec.field(name="as")


class CommandAnswer(Answer, kw_only=True):
    """The response to `command`. `result` is the response of the HTTP API."""

    ok: Literal[True] = True
    result: msgspec.Raw


class ProblemAnswer(Answer, kw_only=True):
    """The response to a refused request, which changed nothing."""

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

    Discard everything that you have received for this table. `data.view` is the table after event `seq`, and the events
    after it follow. A reset may be repeated, and may be sent without a loss.
    """

    sub: str
    seq: int
    head: Head
    data: dict[str, Any]


class News(msgspec.Struct):
    """News for the caller about games, tournaments and notices.

    Types of news about games:

    - `game_started` {table, seat, ruleset}, `your_turn` {table, seat, since} and `game_ended` {table, seat}
    - `turns` {turns} has the first 50 games in which it is the caller's turn, the most urgent first, each as {table,
      ruleset, seat, since, deadline}. It is sent at the beginning and after each change.

    Types of news about tournaments:

    - `next_table` {tournament, stage, round, board, table, bye, starts_at, ends_at, paused}
    - `check_in` {tournament, until}
    - `ruling` {tournament, stage, round, board, table, verdict, places, units}

    Types of news about notices:

    - `notice` is a new or changed notice as in `GET /me/notices`. At the beginning, the newest 50 are sent.
    - `settled` {id, kind, table} names a notice that has been settled.
    - `unread` {count} is sent at the beginning and after each change.

    More types may be added.
    """

    sub: Literal["me"]
    type: str
    data: dict[str, Any]


class LobbyPush(msgspec.Struct):
    """News for a follower of the lobby.

    The first message is `tables` {tables}, with the whole list. After that, `table` is a new or changed table as in
    `GET /tables`, and `gone` {table} is a table that is no longer in the list. More types may be added.
    """

    sub: Literal["lobby"]
    type: str
    data: dict[str, Any]


class RowPush(msgspec.Struct):
    """An event of a tournament, such as `round_published` or `result`.

    Its fields are in `data`. Each `seq` is sent once and in order. To get what the event has changed, such as standings
    or a bracket, request it with its ETag. More types may be added.
    """

    sub: str
    seq: int
    type: str
    head: Head
    data: dict[str, Any]


class PresencePush(msgspec.Struct, tag="presence"):
    """The current viewers of the table.

    This is not an event, so it has no number. It is sent at most once a second.
    """

    sub: str
    data: Present


class ChatPush(msgspec.Struct, tag="chat"):
    """A chat message at the table, or its removal, as in `GET /tables/{table}/chat`.

    Only tokens with the scope `chat` get this. It is not in the log and may be lost. If `number` has a gap, load the
    messages after the last one that you know.
    """

    sub: str
    data: dict[str, Any]


class RematchPush(msgspec.Struct, tag="rematch"):
    """A rematch of this finished table is open.

    `GET /tables/{table}` has its id in `rematch`, for viewers who may see it. This message has no number, is not in the
    log, may be lost, and may be repeated.
    """

    sub: str


class Ended(msgspec.Struct, tag="ended"):
    """The subscription has ended, because the seat that allowed it was given up."""

    sub: str


class TokenEnded(msgspec.Struct, tag="token-ended"):
    """The last message, if the token has expired or was revoked.

    Reconnect with another token.
    """


class Lagging(msgspec.Struct, tag="lagging"):
    """The last message to a client that reads too slowly.

    Reconnect and subscribe with `after`.
    """


class GoingAway(msgspec.Struct, tag="going-away"):
    """The last message of a server that is stopping.

    Reconnect after `retry_after_ms`; you will reach another server.
    """

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
