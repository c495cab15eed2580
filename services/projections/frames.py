"""Finished games view by view, for replays: as spectators saw them and from each seat.

A block is stored as the answer that it is to who reads block by block, compressed: nothing is decoded to serve it.
"""
from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any
from uuid import UUID

import msgspec

from engine.kernel import PREFER, SPECTATOR, State, clone, evolve
from engine.kernel.describe import described_view
from eventstore import StoredEvent
from eventstore.store import COLUMNS, stored
from eventstore.subscriptions import Connection
from services.database import Database
from services.projections.bodies import Frame, FramePage
from services.projections.finished import UNFINISHED
from services.tables.data import provide_for
from services.tables.history import Entry, entries, opened
from services.tables.rows import Acted, AnyTitle, GameStarted, Undone

BLOCK = 100
"""Views that are stored, and read, at a time."""
AS_ANSWER = 1
"""In place of a time, in the gzip header of a block that is an answer; blocks of before have 0, and lines in them."""
Block = tuple[UUID, int, int, int, bytes]
json = msgspec.json.Encoder().encode


class Frames:
    """A few rows for each finished game and audience."""

    skips = UNFINISHED

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        for row in rows:
            found = await connection.fetch(
                f"select {COLUMNS} from es.events where stream_id = $1 and version <= $2 order by version",
                row.stream, row.version,
            )  # fmt: skip
            log = entries(map(stored, found))
            await provide_for(partial(document, connection), log)
            await connection.executemany(
                "insert into blocks (id, audience, first, last, body) values ($1, $2, $3, $4, $5)",
                await asyncio.to_thread(blocks_of, row.stream, log),
            )


async def document(connection: Connection, hash_: bytes) -> bytes | None:
    data: bytes | None = await connection.fetchval("select data from es.documents where hash = $1", hash_)
    return data


def blocks_of(stream: UUID, log: Sequence[Entry]) -> list[Block]:
    history = opened(stream, log)
    title, audiences = history.title, range(SPECTATOR, history.opened.seats)
    first = next(entry.version for entry in log if isinstance(entry.row, GameStarted))
    after = enumerate(states(title, history.options, history.opened.seats, log), first)
    frames = ([json(Frame(seq, described_view(title, state, a))) for a in audiences] for seq, state in after)
    blocks: list[Block] = []
    while some := [*islice(frames, BLOCK)]:
        last = first + len(some) - 1
        seen = zip(audiences, zip(*some, strict=True), strict=True)
        more = b"%d" % last if last < log[-1].version else b"null"
        blocks += [(stream, a, first, last, gzip.compress(answer(lines, more), mtime=AS_ANSWER)) for a, lines in seen]
        first = last + 1
    return blocks


def states(title: AnyTitle, options: Any, seats: int, log: Sequence[Entry]) -> Iterator[State]:
    """The game after each row from its start on; the same object, changed in place, until something is taken back."""
    state = title.blank(options, seats)
    wanted = {entry.row.to for entry in log if isinstance(entry.row, Undone)}
    kept: dict[int, State] = {}
    started = False
    for version, _, row, _ in log:
        match row:
            case GameStarted():
                started = True
                evolve(state, row.event)
            case Acted():
                evolve(state, row.event)
            case Undone():
                state = gone_back(kept[row.to], log[row.to + 1 : version])
        if version in wanted:
            kept[version] = clone(state)
        if started:
            yield state


def gone_back(state: State, between: Sequence[Entry]) -> State:
    """Preferences outlive an undo."""
    state = clone(state)
    for _, _, row, _ in between:
        if isinstance(row, Acted) and row.action.verb == PREFER:
            evolve(state, row.event)
    return state


def answer(frames: Sequence[bytes], more: bytes) -> bytes:
    """A FramePage."""
    return b'{"frames":[' + b",".join(frames) + b'],"next":' + more + b"}"


async def stored_page(database: Database, table: UUID, audience: int, after: int, limit: int) -> bytes | None:
    """The block that begins behind version `after`, if it is an answer and no longer than `limit`."""
    row = await database.row(
        "select first, last, body from frames.blocks where id = $1 and audience = $2 and last > $3 order by first limit 1",
        table, audience, after,
    )
    if row is None or row["first"] <= after or row["last"] - row["first"] >= limit or row["body"][4] != AS_ANSWER:
        return None
    body: bytes = row["body"]
    return body


async def page(database: Database, table: UUID, audience: int, after: int, limit: int) -> FramePage:
    """The views behind version `after`; empty for a game that is not over."""
    rows = await database.rows(
        "select body from frames.blocks where id = $1 and audience = $2 and last > $3 order by first limit $4",
        table, audience, after, limit // BLOCK + 2,
    )
    return await asyncio.to_thread(cut, [row["body"] for row in rows], after, limit)


def cut(blocks: Sequence[bytes], after: int, limit: int) -> FramePage:
    frames = (frame for block in blocks for frame in frames_of(block) if frame.seq > after)
    found = [*islice(frames, limit + 1)]
    return FramePage(found[:limit], found[limit - 1].seq if len(found) > limit else None)


def frames_of(block: bytes) -> list[Frame]:
    content = gzip.decompress(block)
    if block[4] == AS_ANSWER:
        return msgspec.json.decode(content, type=FramePage).frames
    return [msgspec.json.decode(line, type=Frame) for line in content.split(b"\n")]
