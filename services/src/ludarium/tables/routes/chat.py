"""Routes for the chat at a table, in the seats' room and the spectators' room."""

from typing import Annotated

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter
from msgspec import Meta

from ludarium.accounts import relations
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.names import checked_line
from ludarium.http.operations import operation
from ludarium.http.parameters import LAST, Key, TableId
from ludarium.http.rate_limits import TALK
from ludarium.live.channel import ChatPush
from ludarium.live.publisher import Publisher
from ludarium.moderation.acts import Moderation
from ludarium.platform import ids, locale
from ludarium.platform.database import Database
from ludarium.platform.idempotency import identity_of
from ludarium.platform.problems import FieldError, Problem
from ludarium.tables.chat import Chat, ChatMessage, Room
from ludarium.tables.commands import stream_of
from ludarium.tables.model import access
from ludarium.tables.model.table_state import TableState
from ludarium.tables.routes.tables import SEEN, Caller
from ludarium.tables.service import Tables

LONGEST = 300
"""Maximum length of a text."""
TablesDep = NamedDependency[Tables]
DatabaseDep = NamedDependency[Database]
ChatDep = NamedDependency[Chat]
PublisherDep = NamedDependency[Publisher]
MessageId = Annotated[str, PathParameter(description="The message's id.", schema_extra={"pattern": ids.PATTERN})]
Number = Annotated[int, QueryParameter(ge=0, le=LAST, description="The `number` behind which to begin.")]
Limit = Annotated[int, QueryParameter(ge=1, le=100)]


class Phrase(msgspec.Struct, frozen=True):
    """A predefined phrase, with its text in each locale."""

    id: str
    texts: dict[str, str]


class PhraseList(msgspec.Struct, frozen=True):
    """All predefined phrases."""

    phrases: list[Phrase]


class NewMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A message to send: either the id of a phrase, or a text of one line."""

    phrase: Annotated[str, Meta(min_length=1, max_length=32)] | None = None
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST)] | None = None


class ChatPage(msgspec.Struct, frozen=True):
    """A page of messages.

    `next` is the `after` of the next page; null on the last page. `read` is the number of the last message that the
    caller has read on any device; 0 for none.
    """

    room: Room
    messages: list[ChatMessage]
    next: int | None
    read: int = 0


class ReadMessages(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Messages to mark as read: all up to `number`.

    `room` is by default the room where the caller can write.
    """

    number: Annotated[int, Meta(ge=0, le=LAST)]
    room: Room | None = None


@get("/phrases", tags=["tables"])
async def list_phrases() -> PhraseList:
    """List the predefined phrases.

    Readers see a phrase in their own language.
    """
    return PhraseList([Phrase(id_, dict(texts)) for id_, texts in locale.phrases().items()])


@get("/tables/{table_id:str}/chat", tags=["tables"], opt=operation(*SEEN, "chat-off", "deal-running", need="chat"))
async def list_messages(
    table_id: TableId, player: Caller, tables: TablesDep, chat: ChatDep, people: DatabaseDep,
    room: FromQuery[Room | None] = None, after: Number = 0, limit: Limit = 50,
) -> ChatPage:  # fmt: skip
    """Read the chat of a table, the oldest message first.

    By default, this is the room where you can write. Only the players and the table's host can read the seats' room.
    During the game, the seats cannot read the spectators' room. Messages of players whom you have blocked, or who have
    blocked you, are `hidden`.
    """
    table = await tables.cache.fresh(stream_of(table_id))
    proof = await tables.queries.proof(table, player.id)
    wanted = room or access.room_of(table, player.id, proof)
    check_hearing(table, player.id, wanted, proof)
    access.check_talk(table, wanted, free=False)
    said = [*await chat.page(table.stream, wanted, after, limit, await relations.blocked_either_way(people, player.id))]
    read = await chat.read_by(table.stream, wanted, player.id)
    return ChatPage(wanted, said, said[-1].number if len(said) == limit else None, read)


@post(
    "/tables/{table_id:str}/chat/read", tags=["tables"], status_code=204,
    opt=operation(*SEEN, "chat-off", "deal-running", "key-reused", need="chat", example={"number": 3}),
)  # fmt: skip
async def mark_messages_read(
    table_id: TableId, data: JSONBody[ReadMessages], player: Caller, tables: TablesDep, chat: ChatDep, key: Key = None
) -> None:
    """Mark chat messages of a room as read, on all your devices.

    This settles their notice in `GET /me/notices`. A smaller number than before changes nothing.
    """
    identity_of(key, player.id, (table_id, data))
    table = await tables.cache.fresh(stream_of(table_id))
    proof = await tables.queries.proof(table, player.id)
    room = data.room or access.room_of(table, player.id, proof)
    check_hearing(table, player.id, room, proof)
    access.check_talk(table, room, free=False)
    await chat.mark_read(table.stream, room, player.id, data.number)


@post(
    "/tables/{table_id:str}/chat", tags=["tables"], status_code=201,
    opt=operation(
        *SEEN, "chat-off", "phrases-only", "deal-running", "key-reused", "muted", "unkind-words", need="chat", rate=TALK,
        example={"phrase": "hello"},
    ),
)  # fmt: skip
async def send_message(
    table_id: TableId,
    data: JSONBody[NewMessage],
    player: Caller,
    tables: TablesDep,
    chat: ChatDep,
    accounts: NamedDependency[Accounts],
    people: DatabaseDep,
    publisher: PublisherDep,
    moderation: NamedDependency[Moderation],
    key: Key = None,
) -> ChatMessage:
    """Send a chat message to the seats or to the spectators.

    If you have a seat, it goes to the seats' room, otherwise to the spectators' room. The table's policies may allow
    phrases only. Messages are stored for 30 days, outside the log.
    """
    table = await tables.cache.fresh(stream_of(table_id))
    room = access.room_of(table, player.id, await tables.queries.proof(table, player.id))
    access.check_talk(table, room, free=data.text is not None)
    phrase, text = checked(data)
    await moderation.check_not_muted(player.id)
    message = await accounts.keys.made(identity_of(key, player.id, (table_id, data)), "message", player.id)
    said = await chat.say(table.stream, room, player.id, message, phrase, text)
    tell(publisher, table, said, await relations.blocked_either_way(people, player.id))
    return said


@delete(
    "/tables/{table_id:str}/chat/{message_id:str}", tags=["tables"], status_code=204, opt=operation(*SEEN, need="chat")
)
async def delete_message(
    table_id: TableId, message_id: MessageId, player: Caller, tables: TablesDep, chat: ChatDep, publisher: PublisherDep,
    key: Key = None,
) -> None:  # fmt: skip
    """Hide one of your messages, or delete any message at your table.

    A marker shows that a message was removed.
    """
    identity_of(key, player.id, ("take back", table_id, message_id))
    table = await tables.cache.fresh(stream_of(table_id))
    said = await chat.found(table.stream, stream_of(message_id))
    tell(publisher, table, await taken_back(chat, table, player.id, said))


async def taken_back(chat: Chat, table: TableState, player: str, said: ChatMessage) -> ChatMessage:
    """Hide or delete a message.

    Raises:
        Problem: `forbidden`, or `not-found` if the player must not learn that it exists.
    """
    stream, message = table.stream, stream_of(said.id)
    if player == table.lifecycle.host and access.may_hear(table, player, said.room):
        return await chat.delete(stream, message)
    if player == said.player:
        return await chat.hide(stream, message)
    access.check_may_find(table, player)
    raise Problem("forbidden" if access.may_hear(table, player, said.room) else "not-found")


def check_hearing(table: TableState, player: str, room: Room, proof: access.Proof | None) -> None:
    """Check that a player may read a room.

    Raises:
        Problem: `forbidden`, and those of `access.audience`.
    """
    access.audience(table, player, None, proof)
    if not access.may_hear(table, player, room):
        raise Problem("forbidden")


def checked(message: NewMessage) -> tuple[str | None, str | None]:
    """Return the phrase or the text.

    Raises:
        Problem: `invalid-request`, `unkind-words`.
    """
    if (message.phrase is None) == (message.text is None):
        raise Problem("invalid-request", errors=[FieldError("", "either a phrase or a text")])
    if message.text is not None:
        return None, checked_line(message.text, LONGEST, "/text")
    if message.phrase not in locale.phrases():
        raise Problem("invalid-request", errors=[FieldError("/phrase", "one of GET /phrases")])
    return message.phrase, None


def tell(publisher: Publisher, table: TableState, said: ChatMessage, barred: frozenset[str] = frozenset()) -> None:
    """Send a message to viewers of the table who may read the room and are not barred."""
    players, these = access.listeners_in(table, said.room)
    players = players - barred if these else players | barred
    event = msgspec.json.encode({"type": "chat", "data": said})
    publisher.publish_chat(table.id, ChatPush(players, these, event))
