"""The streams of shared deals, whose tables draw from one seed.

Each deal has its own stream. The stream commits to the seed before the first table opens. It records the table of each
board before this table exists, and the board of each player before the player sits down; the store's version check
resolves conflicts. The seed is secret until the deal is closed and all tables have ended.

See docs/decisions/022.
"""
from __future__ import annotations

import hmac
import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from ludarium.platform import ids
from ludarium.platform.entropy import Entropy
from ludarium.platform.problems import Problem
from ludarium.tables.deals.events import (
    DEAL_NUMBERS,
    OPENED,
    AnyDealEvent,
    BoardOpened,
    DealClosed,
    DealOpened,
    DealPostponed,
    DealRevealed,
    PlayerJoined,
    decode,
    encode,
)
from ludarium.tables.model.event_types import UnreadEvent, type_of
from ludarium.tables.model.events import Deal, TableEnded
from ludarium.tables.model.hash_chain import (
    SEED,
    Damaged,
    EventHeader,
    NewerRelease,
    StreamSecret,
    commitment,
    link,
    microseconds,
    new_secret,
    secret_of,
)
from ludarium.tables.model.opening import drawn_secret
from ludarium.tables.schemas import NewTable
from ludarium.tables.table_cache import PATIENCE
from ludarium_engine.kernel.decoding import from_json
from ludarium_eventstore import Append, Conflict, EventStore, NewEvent, StoredEvent, Untimely, chain

log = logging.getLogger(__name__)
MOST_BOARDS = 1000
TRIES = 20
Decide = Callable[["DealState"], AnyDealEvent | None]


class DealState:
    """A shared deal, folded from its events.

    Attributes:
        newer: the version of the first event that only a newer release can apply, if any; folding stops before it.
    """

    def __init__(self, stream: UUID, opened: DealOpened, secret: StreamSecret) -> None:
        self.stream, self.opened, self.secret = stream, opened, secret
        self.version, self.hash = -1, chain.genesis(stream)
        self.closes_at = opened.closes_at
        self.boards: dict[int, BoardOpened] = {}
        self.players: dict[str, int] = {}
        self.closed = self.revealed = False
        self.newer: int | None = None

    def check(self, event: StoredEvent) -> None:
        """Raise Damaged if the event's hash does not continue the deal's hash chain."""
        if link_of(self.secret, self.hash, event) != event.hash:
            raise Damaged(self.stream, event.version, "it does not fit its hash")

    def add(self, version: int, event: AnyDealEvent | UnreadEvent, hash_: bytes) -> None:
        match event:
            case UnreadEvent(is_note=False):
                self.newer = version
                return
            case DealPostponed():
                self.closes_at = event.closes_at
            case BoardOpened():
                self.boards[event.board] = event
            case PlayerJoined():
                self.players[event.player] = event.board
            case DealClosed():
                self.closed = True
            case DealRevealed():
                self.revealed = True
        self.version, self.hash = version, hash_

    def table(self, board: int) -> UUID:
        """Return the id of a board's table. Outsiders cannot guess the id."""
        name = b"board" + self.stream.bytes + board.to_bytes(2, "big")
        return ids.derived_id(ids.time_of(self.stream), self.secret.root, name)

    def deal_of(self, board: int) -> Deal:
        """Return the deal in the form in which a board's table stores it."""
        return Deal(self.opened.deal, self.stream.bytes, board, [self.opened.nonce])

    def secret_of(self, board: int) -> StreamSecret:
        """Return the secret of a board's table.

        The secret consists of the shared seed of the deal and of a key for this board. Because the keys differ, the hash
        chains of two tables are unrelated.
        """
        return new_secret(hmac.digest(self.secret.root, b"table" + board.to_bytes(2, "big"), "sha256"), self.secret.deal)


# --- the stream -------------------------------------------------------------------------------------------------------
class DealStreams:
    """Reads and appends the streams of shared deals."""

    def __init__(self, store: EventStore, now: Callable[[], datetime], entropy: Entropy) -> None:
        self.store, self.now, self.entropy = store, now, entropy

    async def open(self, owner: str, boards: int, closes_at: datetime, nonce: bytes = b"") -> UUID:
        """Open a deal and return its stream's id. Raises Problem `invalid-deal`."""
        if boards not in range(1, MOST_BOARDS + 1) or closes_at <= self.now() or len(nonce) > SEED:
            limits = f"1 to {MOST_BOARDS} boards, a closing time to come, and a nonce of at most {SEED} bytes"
            raise Problem("invalid-deal", limits)
        stream = ids.new_table_id(self.entropy, "shared deal", owner, creator=owner)
        secret = drawn_secret(self.entropy, stream)
        opened = DealOpened(
            commitment(secret.seed), commitment(secret.deal), nonce, boards, microseconds(closes_at), owner
        )
        await self.append(DealState(stream, opened, secret), opened)
        return stream

    async def load(self, stream: UUID) -> DealState:
        """Load a deal.

        Raises:
            Problem: `not-found`, `log-damaged`, and `newer-release` if only a newer release can continue it.
        """
        stored = await self.store.read(stream)
        if not stored or stored[0].type != OPENED:
            raise Problem("not-found")
        try:
            deal = fold_deal(stream, stored)
        except Damaged as damage:
            log.error("damaged log: %s", damage)
            raise Problem("log-damaged", f"version {damage.version} of its deal") from damage
        except NewerRelease as newer:
            raise Problem("newer-release", retry_after=PATIENCE) from newer
        if deal.newer is not None:
            raise Problem("newer-release", retry_after=PATIENCE)
        return deal

    async def change(self, stream: UUID, decide: Decide) -> DealState:
        """Append the event that `decide` returns, if any; repeat both after a conflict.

        Raises:
            Problem: `busy` after too many conflicts, and those of `load` and of `decide`.
        """
        for _ in range(TRIES):
            deal = await self.load(stream)
            event = decide(deal)
            if event is None or await self.append(deal, event):
                return deal
        raise Problem("busy", retry_after=1)

    async def append(self, deal: DealState, row: AnyDealEvent) -> bool:
        """Append an event and apply it to the deal.

        Returns:
            False if another event has the version already.
        """
        version, at = deal.version + 1, self.now()
        event = new_event(deal.secret, deal.hash, version, at, row)
        secret = None if version else deal.secret.data
        verdict = await self.store.append(Append(deal.stream, version, [event], prev=deal.hash, secret=secret))
        if isinstance(verdict, Untimely):
            raise Problem("busy", retry_after=1)
        if isinstance(verdict, Conflict):
            return False
        deal.add(version, row, event.hash)
        return True

    async def count_ended(self, deal: DealState) -> int:
        """Count the deal's tables that have ended."""
        rows = await self.store.fetch(
            "select count(*) as ended from es.events where type = $2"
            " and (partition, stream_id) in (select es.partition_of(s), s from unnest($1::uuid[]) s)",
            [deal.table(board) for board in deal.boards], type_of(TableEnded),
        )  # fmt: skip
        ended: int = rows[0]["ended"]
        return ended


def new_event(secret: StreamSecret, prev: bytes, version: int, at: datetime, event: AnyDealEvent) -> NewEvent:
    """Return the event in the form in which it is stored.

    Since the event is public, one leaf of the hash chain covers all audiences.
    """
    data = encode(event)
    root = root_of(secret, version, data)
    place = EventHeader(version, *DEAL_NUMBERS[type(event)], at)
    hash_ = link(secret.seed, prev, place, chain.NO_LAYOUT, data, root)
    return NewEvent(place.type, place.schema, at, data, root, hash_)


def fold_deal(stream: UUID, stored: Sequence[StoredEvent]) -> DealState:
    """Fold a deal up to the first event that this release cannot read.

    Raises:
        Damaged: an event does not fit its hash.
        NewerRelease: this release cannot read the first event.
    """
    deal = empty_deal(stream, stored[0])
    for event in stored:
        if deal.newer is None:
            deal.check(event)
            deal.add(event.version, decode(event.type, event.schema, event.data), event.hash)
    return deal


def empty_deal(stream: UUID, first: StoredEvent) -> DealState:
    """Return the deal before its first event.

    Raises:
        Damaged: the first event does not fit its hash or the secret.
        NewerRelease: this release cannot read the first event.
    """
    secret, event = secret_of(first.secret), decode(first.type, first.schema, first.data)
    if isinstance(event, DealOpened):
        if secret.fits((event.commitment, event.deal)):
            return DealState(stream, event, secret)
        raise Damaged(stream, 0, "the seeds that it is committed to are missing or others")
    if isinstance(event, UnreadEvent) and link_of(secret, chain.genesis(stream), first) == first.hash:
        raise NewerRelease(f"deal {stream}: {event.why}")
    raise Damaged(stream, 0, "it does not open a deal")


def root_of(secret: StreamSecret, version: int, data: bytes) -> bytes:
    return chain.root([chain.salted_leaf(secret.seed, version, chain.SPECTATORS, data)])


def link_of(secret: StreamSecret, prev: bytes, event: StoredEvent) -> bytes:
    return link(secret.seed, prev, event, chain.NO_LAYOUT, event.data, event.root)


# --- decisions --------------------------------------------------------------------------------------------------------
def check_open(deal: DealState) -> None:
    """Raise Problem `deal-closed` if the deal is closed."""
    if deal.closed:
        raise Problem("deal-closed")


def open_board(deal: DealState, board: int, creator: str, wanted: NewTable) -> BoardOpened | None:
    """Return the event that opens a board, None if the board is open already.

    Raises:
        Problem: `deal-closed`, `no-such-board`, `board-taken`.
    """
    check_open(deal)
    if board not in range(1, deal.opened.boards + 1):
        raise Problem("no-such-board")
    event = BoardOpened(board, creator, from_json(msgspec.json.encode(wanted)))
    if deal.boards.get(board, event) != event:
        raise Problem("board-taken")
    return None if board in deal.boards else event


def join_board(deal: DealState, player: str, board: int) -> PlayerJoined | None:
    """Return the event by which a player joins a board, None if they joined before.

    Raises:
        Problem: `deal-closed`, `other-board`.
    """
    check_open(deal)
    if deal.players.get(player, board) != board:
        raise Problem("other-board")
    return None if player in deal.players else PlayerJoined(player, board)


def postpone(deal: DealState, owner: str, closes_at: datetime) -> DealPostponed:
    """Return the event that postpones the deal's closing time.

    Raises:
        Problem: `forbidden`, `deal-closed`, `invalid-deal`.
    """
    if owner != deal.opened.owner:
        raise Problem("forbidden")
    check_open(deal)
    if microseconds(closes_at) <= deal.closes_at:
        raise Problem("invalid-deal", "a deal can only be put off")
    return DealPostponed(microseconds(closes_at))
