"""Shared deals: tables that draw from one seed, so that many play the same cards.

A deal is a stream of its own. It commits itself to its seed before the first table opens, and says of every board which table
plays it and of every player at which board they sit, before table or seat exist: its version check decides all races.
Nobody learns the seed before the deal is closed and the last of its tables has ended.
"""
from __future__ import annotations

import hmac
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from eventstore import Append, Conflict, EventStore, NewEvent, StoredEvent, chain
from services import ids
from services.problems import Problem
from services.tables.bodies import NewTable
from services.tables.chain import (
    SEED,
    Place,
    Secret,
    commitment,
    leaf_number,
    link,
    microseconds,
    secret_of,
)
from services.tables.history import Damaged
from services.tables.rows import Deal, GameEnded, type_of

MOST_BOARDS = 1000
SCHEMA = 1
TRIES = 20


class DealRow(msgspec.Struct, array_like=True, frozen=True):
    """A row of a deal's stream: everybody may see it."""


class DealOpened(DealRow, frozen=True):
    """The first row. commitment, deal: BLAKE2b-256 of the seeds of its chain's salts and of its chance; nonce: what its owner
    mixes in; boards: how many; closes_at: microseconds since 1970."""

    commitment: bytes
    deal: bytes
    nonce: bytes
    boards: int
    closes_at: int
    owner: str


class PutOff(DealRow, frozen=True):
    """The deal closes later."""

    closes_at: int


class BoardOpened(DealRow, frozen=True):
    """The table that plays this board, from 1 on, is opened thus."""

    board: int
    creator: str
    table: dict[str, Any]


class PlayerJoined(DealRow, frozen=True):
    """The player belongs to this board, and to no other one of the deal."""

    player: str
    board: int


class DealClosed(DealRow, frozen=True):
    """No board opens and nobody joins any more; what still runs is voided."""


class DealRevealed(DealRow, frozen=True):
    """All its tables are over, and have been told the seed."""

    seed: bytes
    deal: bytes


AnyDealRow = DealOpened | PutOff | BoardOpened | PlayerJoined | DealClosed | DealRevealed
DEAL_KINDS: Mapping[int, type[AnyDealRow]] = {
    64: DealOpened, 65: PutOff, 66: BoardOpened, 67: PlayerJoined, 68: DealClosed, 69: DealRevealed,
}  # fmt: skip
DEAL_NAMES = {
    64: "deal_opened", 65: "deal_put_off", 66: "board_opened", 67: "player_joined", 68: "deal_closed", 69: "deal_revealed",
}  # fmt: skip
NUMBERS = {kind: number for number, kind in DEAL_KINDS.items()}
encode = msgspec.msgpack.Encoder().encode
DECODERS = {number: msgspec.msgpack.Decoder(kind) for number, kind in DEAL_KINDS.items()}
Decide = Callable[["DealState"], AnyDealRow | None]


class DealState:
    """A deal as its rows tell it."""

    def __init__(self, stream: UUID, opened: DealOpened, secret: Secret) -> None:
        self.stream, self.opened, self.secret = stream, opened, secret
        self.version, self.hash = -1, chain.genesis(stream)
        self.closes_at = opened.closes_at
        self.boards: dict[int, BoardOpened] = {}
        self.players: dict[str, int] = {}
        self.closed = self.revealed = False

    def add(self, version: int, row: AnyDealRow, hash_: bytes) -> None:
        match row:
            case PutOff():
                self.closes_at = row.closes_at
            case BoardOpened():
                self.boards[row.board] = row
            case PlayerJoined():
                self.players[row.player] = row.board
            case DealClosed():
                self.closed = True
            case DealRevealed():
                self.revealed = True
        self.version, self.hash = version, hash_

    def table(self, board: int) -> UUID:
        """The id of the table that plays it: one a board, and nobody can guess it."""
        name = b"board" + self.stream.bytes + board.to_bytes(2, "big")
        return ids.derived_id(ids.time_of(self.stream), self.secret.seed, name)

    def deal_of(self, board: int) -> Deal:
        """As its table's first row has it."""
        return Deal(self.opened.deal, self.stream.bytes, board, [self.opened.nonce])

    def secret_of(self, board: int) -> Secret:
        """Of its table: a seed of its own, so that two tables' chains say nothing of each other, and the deal's."""
        return Secret(hmac.digest(self.secret.seed, b"table" + board.to_bytes(2, "big"), "sha256"), self.secret.deal)


# --- the stream ---------------------------------------------------------------------------------------------------------
class DealStreams:
    """Deals in the log."""

    def __init__(self, store: EventStore, now: Callable[[], datetime]) -> None:
        self.store, self.now = store, now

    async def open(self, owner: str, boards: int, closes_at: datetime, nonce: bytes = b"") -> UUID:
        """Raises Problem `invalid-deal`."""
        if boards not in range(1, MOST_BOARDS + 1) or closes_at <= self.now() or len(nonce) > SEED:
            limits = f"1 to {MOST_BOARDS} boards, a closing time to come, and a nonce of at most {SEED} bytes"
            raise Problem("invalid-deal", limits)
        stream, secret = ids.new_id(owner), Secret(os.urandom(SEED), os.urandom(SEED))
        opened = DealOpened(
            commitment(secret.seed), commitment(secret.deal), nonce, boards, microseconds(closes_at), owner
        )
        await self.append(DealState(stream, opened, secret), opened)
        return stream

    async def load(self, stream: UUID) -> DealState:
        """Raises Problem `not-found`, Damaged."""
        stored = await self.store.read(stream)
        if not stored or stored[0].type != NUMBERS[DealOpened]:
            raise Problem("not-found")
        return folded(stream, stored)

    async def change(self, stream: UUID, decide: Decide) -> DealState:
        """Appends what is decided, again when others were faster; nothing where that is None. Raises Problem."""
        for _ in range(TRIES):
            deal = await self.load(stream)
            row = decide(deal)
            if row is None or await self.append(deal, row):
                return deal
        raise Problem("busy", retry_after=1)

    async def append(self, deal: DealState, row: AnyDealRow) -> bool:
        """Whether it stands in the log now; then the deal has taken it in."""
        version, at = deal.version + 1, self.now()
        event = new_event(deal.secret, deal.hash, version, at, row)
        secret = None if version else deal.secret.data
        verdict = await self.store.append(Append(deal.stream, version, [event], prev=deal.hash, secret=secret))
        if isinstance(verdict, Conflict):
            return False
        deal.add(version, row, event.hash)
        return True

    async def over(self, deal: DealState) -> int:
        """How many of its tables have ended."""
        rows = await self.store.fetch(
            "select count(*) as ended from es.events where type = $2"
            " and (partition, stream_id) in (select es.partition_of(s), s from unnest($1::uuid[]) s)",
            [deal.table(board) for board in deal.boards], type_of(GameEnded),
        )  # fmt: skip
        ended: int = rows[0]["ended"]
        return ended

    async def unrevealed(self) -> list[UUID]:
        """The deals whose tables may still have to be told."""
        rows = await self.store.fetch(
            "select stream_id from es.events o where version = 0 and type = $1 and not exists ("
            " select from es.events r where r.partition = o.partition and r.stream_id = o.stream_id and r.type = $2)",
            NUMBERS[DealOpened], NUMBERS[DealRevealed],
        )  # fmt: skip
        return [row["stream_id"] for row in rows]


def new_event(secret: Secret, prev: bytes, version: int, at: datetime, row: AnyDealRow) -> NewEvent:
    """Everybody sees the whole row: there is one leaf beside its own."""
    data, number = encode(row), leaf_number(-1)
    root = chain.root([chain.leaf(chain.salt(secret.seed, version, number), data)])
    place = Place(version, NUMBERS[type(row)], SCHEMA, at, chain.NO_LAYOUT)
    return NewEvent(place.type, place.schema, at, data, root, link(secret.seed, prev, place, data, root))


def folded(stream: UUID, stored: Sequence[StoredEvent]) -> DealState:
    """Raises Damaged."""
    secret = secret_of(stored[0].secret)
    deal: DealState | None = None
    for event in stored:
        prev = deal.hash if deal else chain.genesis(stream)
        row = checked(stream, secret, prev, event)
        if deal is None:
            if not isinstance(row, DealOpened) or not secret.fits((row.commitment, row.deal)):
                raise Damaged(stream, 0, "the seeds that it is committed to are missing or others")
            deal = DealState(stream, row, secret)
        deal.add(event.version, row, event.hash)
    assert deal is not None
    return deal


def checked(stream: UUID, secret: Secret, prev: bytes, event: StoredEvent) -> AnyDealRow:
    place = Place(event.version, event.type, event.schema, event.at, chain.NO_LAYOUT)
    if link(secret.seed, prev, place, event.data, event.root) != event.hash:
        raise Damaged(stream, event.version, "it does not fit its hash")
    row: AnyDealRow = DECODERS[event.type].decode(event.data)
    return row


# --- what is decided ------------------------------------------------------------------------------------------------------
def still_open(deal: DealState) -> None:
    """Raises Problem `deal-closed`."""
    if deal.closed:
        raise Problem("deal-closed")


def board_opened(deal: DealState, board: int, creator: str, wanted: NewTable) -> BoardOpened | None:
    """None if it is opened so already. Raises Problem `deal-closed`, `no-such-board`, `board-taken`."""
    still_open(deal)
    if board not in range(1, deal.opened.boards + 1):
        raise Problem("no-such-board")
    row = BoardOpened(board, creator, msgspec.to_builtins(wanted))
    if deal.boards.get(board, row) != row:
        raise Problem("board-taken")
    return None if board in deal.boards else row


def joined(deal: DealState, player: str, board: int) -> PlayerJoined | None:
    """None if they belong there already. Raises Problem `deal-closed`, `other-board`."""
    still_open(deal)
    if deal.players.get(player, board) != board:
        raise Problem("other-board")
    return None if player in deal.players else PlayerJoined(player, board)


def put_off(deal: DealState, owner: str, closes_at: datetime) -> PutOff:
    """Raises Problem `forbidden`, `deal-closed`, `invalid-deal`."""
    if owner != deal.opened.owner:
        raise Problem("forbidden")
    still_open(deal)
    if microseconds(closes_at) <= deal.closes_at:
        raise Problem("invalid-deal", "a deal can only be put off")
    return PutOff(microseconds(closes_at))
