"""What the socket carries, made from `api-schema/asyncapi.json` by `make schema`: not to be edited by hand."""
from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field


class Action(Struct, frozen=True, kw_only=True):
    """An offer of the table, by its id, with the chosen subset if it has one."""

    id: str
    subset: list[int] | UnsetType = UNSET


class ChatPush(Struct, frozen=True, kw_only=True, tag="chat"):
    """A chat message at the table, or its removal, as in `GET /tables/{table}/chat`.

    Only tokens with the scope `chat` get this. It is not in the log and may be lost. If `number` has a gap, load the
    messages after the last one that you know.
    """

    sub: str
    data: dict[str, Any]


class CommandAnswer(Struct, frozen=True, kw_only=True):
    """The response to `command`. `result` is the response of the HTTP API."""

    id: int | str | None
    ok: Literal[True]
    result: Any


class CommandRequest(Struct, frozen=True, kw_only=True, tag="command"):
    """A command, like the body of `POST /tables/{table}/commands`.

    `key` is its Idempotency-Key. If `view` is "changes", the response does not contain the view. Use this if your
    subscription sends changes.
    """

    table: str
    expected_seq: int
    action: Action
    head: str | None = None
    key: str | None = None
    view: Literal['changes', 'full'] | UnsetType = UNSET
    id: int | str


class Done(Struct, frozen=True, kw_only=True):
    """The response to requests that return nothing else.

    These are `token`, `me`, `lobby`, `tournament`, `unsubscribe` and `ping`.
    """

    id: int | str | None
    ok: Literal[True]


class Ended(Struct, frozen=True, kw_only=True, tag="ended"):
    """The subscription has ended, because the seat that allowed it was given up."""

    sub: str


class EventPush(Struct, frozen=True, kw_only=True):
    """An event of a table.

    Events that the viewer may not see have the type `hidden`, so that numbers have no gaps.
    """

    sub: str
    seq: int
    type: str
    head: str
    data: dict[str, Any] | UnsetType = UNSET


class FieldError(Struct, frozen=True, kw_only=True):
    """A fault in a field of a body (RFC 6901 pointer) or in a parameter (its name)."""

    pointer: str
    detail: str


class GoingAway(Struct, frozen=True, kw_only=True, tag="going-away"):
    """The last message of a server that is stopping.

    Reconnect after `retry_after_ms`; you will reach another server.
    """

    retry_after_ms: int


class Greeted(Struct, frozen=True, kw_only=True):
    """The response to `hello`."""

    id: int | str | None
    ok: Literal[True]
    player: str | None


class Hello(Struct, frozen=True, kw_only=True, tag="hello"):
    """The first message of a client.

    - Without a `token` the client is anonymous, and can watch what everyone may see.
    - `locale` is the language of this connection, as a tag such as `es-MX`; by default English. Titles of problems are
      in this language.
    - `text` requests events, views and problems with `text` in this language.
    """

    token: str | None = None
    locale: str | None = None
    text: bool | UnsetType = UNSET
    id: int | str


class Lagging(Struct, frozen=True, kw_only=True, tag="lagging"):
    """The last message to a client that reads too slowly.

    Reconnect and subscribe with `after`.
    """



class Lobby(Struct, frozen=True, kw_only=True, tag="lobby"):
    """Follow the first tables of a list. The `sub` of this subscription is "lobby".

    The filters are those of `GET /tables`. A second request replaces the list. `friends` limits it to tables of players
    that the caller follows, and needs the scope `me:read`.
    """

    status: Literal['open', 'over', 'playing'] | None = None
    ruleset: str | None = None
    seats: int | None = None
    clock: Literal['live', 'none', 'turn-based'] | None = None
    rated: bool | None = None
    friends: bool | UnsetType = UNSET
    order: Literal['newest', 'people'] | UnsetType = UNSET
    id: int | str


class LobbyPush(Struct, frozen=True, kw_only=True):
    """News for a follower of the lobby.

    The first message is `tables` {tables}, with the whole list. After that, `table` is a new or changed table as in
    `GET /tables`, and `gone` {table} is a table that is no longer in the list. More types may be added.
    """

    sub: Literal['lobby']
    type: str
    data: dict[str, Any]


class Me(Struct, frozen=True, kw_only=True, tag="me"):
    """Follow the caller's own news. The `sub` of this subscription is "me".

    The news includes games that start and end, turns, the next table in a tournament, and notices of all kinds.
    """

    id: int | str


class News(Struct, frozen=True, kw_only=True):
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

    sub: Literal['me']
    type: str
    data: dict[str, Any]


class Ping(Struct, frozen=True, kw_only=True, tag="ping"):
    """Request a response. The server also sends WebSocket pings by itself."""

    id: int | str


class PresencePush(Struct, frozen=True, kw_only=True, tag="presence"):
    """The current viewers of the table.

    This is not an event, so it has no number. It is sent at most once a second.
    """

    sub: str
    data: Present


class Present(Struct, frozen=True, kw_only=True):
    """The seats with connected players, and the number of connections that watch."""

    seats: list[int]
    spectators: int


class ProblemAnswer(Struct, frozen=True, kw_only=True):
    """The response to a refused request, which changed nothing."""

    id: int | str | None
    ok: Literal[False]
    problem: ProblemDetails


class ProblemDetails(Struct, frozen=True, kw_only=True):
    """A problem (RFC 9457).

    `code` is stable; `title` and `detail` are for people. `text` is what to show to players, in the requested language.
    """

    type: str
    title: str
    status: int
    code: str
    detail: str | UnsetType = UNSET
    instance: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    cause: str | UnsetType = UNSET
    events: list[Any] | UnsetType = UNSET
    errors: list[FieldError] | UnsetType = UNSET
    retry_after: int | UnsetType = UNSET
    until: str | UnsetType = UNSET
    text: str | UnsetType = UNSET


class RematchPush(Struct, frozen=True, kw_only=True, tag="rematch"):
    """A rematch of this finished table is open.

    `GET /tables/{table}` has its id in `rematch`, for viewers who may see it. This message has no number, is not in the
    log, may be lost, and may be repeated.
    """

    sub: str


class Renew(Struct, frozen=True, kw_only=True, tag="token"):
    """Continue with another token of the same player.

    It must have all scopes of the current one.
    """

    token: str
    id: int | str


class ResetPush(Struct, frozen=True, kw_only=True, tag="reset"):
    """The log has lost its newest events, for example in a fail-over.

    Discard everything that you have received for this table. `data.view` is the table after event `seq`, and the events
    after it follow. A reset may be repeated, and may be sent without a loss.
    """

    sub: str
    seq: int
    head: str
    data: dict[str, Any]


class RowPush(Struct, frozen=True, kw_only=True):
    """An event of a tournament, such as `round_published` or `result`.

    Its fields are in `data`. Each `seq` is sent once and in order. To get what the event has changed, such as standings
    or a bracket, request it with its ETag. More types may be added.
    """

    sub: str
    seq: int
    type: str
    head: str
    data: dict[str, Any]


class Subscribe(Struct, frozen=True, kw_only=True, tag="subscribe"):
    """Follow the events of a table after `after` (-1: from the first event).

    - `as` is a seat or the spectators; by default the caller's own seat, if there is one.
    - `head` is the head of the event at `after`. If the log has lost that event, the server first sends a `reset`, then
      the events after it.
    - `view` can be "changes". Events then have `data.change` instead of `data.view` where that is shorter and can be
      applied.
    """

    table: str
    after: int
    head: str | None = None
    as_: int | Literal['spectator'] | None = field(name="as", default=None)
    view: Literal['changes', 'full'] | UnsetType = UNSET
    id: int | str


class Subscribed(Struct, frozen=True, kw_only=True):
    """The response to `subscribe`.

    The events after `seq` follow, each once and in order. `head` is the head of the event at `seq` in the log; null at
    -1. If it differs from the requested one, a `reset` follows.
    """

    id: int | str | None
    ok: Literal[True]
    sub: str
    seq: int
    head: str | None
    as_: int | Literal['spectator'] = field(name="as")


class TokenEnded(Struct, frozen=True, kw_only=True, tag="token-ended"):
    """The last message, if the token has expired or was revoked.

    Reconnect with another token.
    """



class Tournament(Struct, frozen=True, kw_only=True, tag="tournament"):
    """Follow the events of a tournament after `after`.

    With -1 they are sent from the first event. The `sub` of this subscription is "tournament:" followed by the
    tournament's id.
    """

    tournament: str
    after: int | UnsetType = UNSET
    id: int | str


class Unsubscribe(Struct, frozen=True, kw_only=True, tag="unsubscribe"):
    """End a subscription. After the response, no more messages of it are sent."""

    sub: str
    id: int | str
