"""What travels through Redis: one message per committed row of a table, made by the process that committed it."""

from typing import NamedTuple

import msgspec

from ludarium_engine.kernel.decoding import msgpack_decoder

PREFIX = "ludarium:table:"
LARGEST = 32 * 1024
"""Bytes for one audience. One that would get more is only hinted at, and reads the log; the others get theirs.

At the largest tables of today's titles half of all are below 3 KiB and the largest has 12; the sum for all is 50. It goes by
the audience, so that how much the others are told does not show in how one is told.
"""


HEAD = 8
"""Bytes of a link that stand for it."""


class Push(NamedTuple):
    """The row at `seq`, as JSON bytes for each viewer (`platform.view_channel`): a seat, -1 for spectators, or either with
    changes in place of views. prev: the HEAD of the link of the row before, none before the first."""

    seq: int
    prev: bytes
    events: dict[int, bytes]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgpack_decoder(Push)


def of_table(table: str) -> bytes:
    """The channel of one table."""
    return f"{PREFIX}{table}".encode()


def of_view_channel(table: str, look: int) -> bytes:
    """Whoever follows the table so listens here, and nobody ever speaks: that somebody listens is what it tells.

    On the same node of a cluster as the table's own channel.
    """
    return f"{PREFIX}{{{PREFIX}{table}}}:{look}".encode()


def view_channel_of(channel: bytes) -> tuple[str, int]:
    """The table and the look of such a channel."""
    table, _, look = channel.decode().removeprefix(f"{PREFIX}{{{PREFIX}").rpartition("}:")
    return table, int(look)


def table_of(channel: bytes) -> str:
    return channel.decode().removeprefix(PREFIX)


TOKENS = of_table("")
"""The channel of no table: some tokens have ended, and each process looks which."""


def encode(push: Push) -> bytes:
    """Leaves out the audiences for which it is too long."""
    events = {audience: event for audience, event in push.events.items() if len(event) <= LARGEST}
    return _encode(push._replace(events=events))


def hint(seq: int) -> bytes:
    """Says only that the table has reached `seq`."""
    return _encode(Push(seq, b"", {}))


PRESENCE = hint(-1)
"""Says that somebody came or went."""


INVITATIONS = -3
REVOKED = hint(INVITATIONS)
"""Says that an invitation to the table was taken back."""


AGAIN = -4
REMATCH = hint(AGAIN)
"""Says that the next table of a finished one is open."""


class ChatPush(NamedTuple):
    """What was said at a table, as JSON bytes. Told to these players, or to all others who follow it."""

    players: frozenset[str]
    these: bool
    event: bytes

    def is_for(self, player: str | None) -> bool:
        return player is not None and (player in self.players) == self.these


CHAT = -2
"""The number of what is no row: a release that does not know it takes it for one that is told."""
_decode_talk = msgpack_decoder(ChatPush)


def chat_push(said: ChatPush) -> bytes:
    return _encode(Push(CHAT, b"", {CHAT: _encode(said)}))


def chats_of(push: Push) -> list[ChatPush]:
    """None, where it could not be sent."""
    return [_decode_talk(said) for said in push.events.values()] if push.seq == CHAT else []


def decode(payload: bytes) -> Push:
    """Raises msgspec.MsgspecError if the payload is no message of ours."""
    return _decode(payload)
