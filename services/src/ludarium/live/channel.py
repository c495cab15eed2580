"""The messages that processes send each other through Redis.

The process that has committed an event publishes one message for the event.
"""

from typing import NamedTuple

import msgspec

from ludarium_engine.kernel.decoding import msgpack_decoder

PREFIX = "ludarium:table:"
LARGEST = 32 * 1024
"""Maximum bytes for one audience. An audience with a larger event only gets a hint, and reads the log. At the largest
tables of current titles, half of all events are below 3 KiB, the largest has 12, and all audiences together have 50.
The limit applies to each audience, so that one audience's message does not depend on the size of another's."""


HEAD = 8
"""The number of bytes of a hash that are sent."""


class Push(NamedTuple):
    """A message about a committed event.

    Attributes:
        seq: the event's number.
        prev: the first HEAD bytes of the previous event's hash, empty for the first event.
        events: JSON bytes by view channel (`platform.view_channel`): a seat or -1 for spectators, each with views or
            with changes.
    """

    seq: int
    prev: bytes
    events: dict[int, bytes]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgpack_decoder(Push)


def of_table(table: str) -> bytes:
    """Return the channel of a table."""
    return f"{PREFIX}{table}".encode()


def of_view_channel(table: str, look: int) -> bytes:
    """Return the Redis channel that shows whether a view channel has readers.

    Nothing is published on this channel; Redis only reports how many processes subscribe to it. In a cluster, it is on
    the same node as the table's main channel.
    """
    return f"{PREFIX}{{{PREFIX}{table}}}:{look}".encode()


def view_channel_of(channel: bytes) -> tuple[str, int]:
    """Return the table and the view channel of a name made by `of_view_channel`."""
    table, _, look = channel.decode().removeprefix(f"{PREFIX}{{{PREFIX}").rpartition("}:")
    return table, int(look)


def table_of(channel: bytes) -> str:
    return channel.decode().removeprefix(PREFIX)


TOKENS = of_table("")
"""The Redis channel on which ended tokens are announced. Each process then looks up which tokens have ended."""


def encode(push: Push) -> bytes:
    """Encode a push, leaving out audiences whose event is too long."""
    events = {audience: event for audience, event in push.events.items() if len(event) <= LARGEST}
    return _encode(push._replace(events=events))


def hint(seq: int) -> bytes:
    """Encode a hint: the table has reached event `seq`, which is not included."""
    return _encode(Push(seq, b"", {}))


PRESENCE = hint(-1)
"""Announces that someone connected to a table or disconnected."""


INVITATIONS = -3
REVOKED = hint(INVITATIONS)
"""Announces that an invitation to the table was withdrawn."""


AGAIN = -4
REMATCH = hint(AGAIN)
"""Announces that the rematch of a finished table is open."""


class ChatPush(NamedTuple):
    """A chat message as JSON bytes.

    Attributes:
        players: a set of players.
        these: whether only these players may read the message, or all others.
        event: the message.
    """

    players: frozenset[str]
    these: bool
    event: bytes

    def is_for(self, player: str | None) -> bool:
        return player is not None and (player in self.players) == self.these


CHAT = -2
"""The `seq` of chat messages, which are not events. A release without chat ignores them like events it already has."""
_decode_talk = msgpack_decoder(ChatPush)


def chat_push(said: ChatPush) -> bytes:
    return _encode(Push(CHAT, b"", {CHAT: _encode(said)}))


def chats_of(push: Push) -> list[ChatPush]:
    """Return the chat messages in a push, none if the message was too long to be sent."""
    return [_decode_talk(said) for said in push.events.values()] if push.seq == CHAT else []


def decode(payload: bytes) -> Push:
    """Decode a message. Raises msgspec.MsgspecError if it is not valid."""
    return _decode(payload)
