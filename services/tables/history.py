"""A table as its rows tell it: who sits where, the state of the game, what may be taken back. Folding runs no rule."""
from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import takewhile
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec

from engine import title_of, titles
from engine.kernel import PREFER, SPECTATOR, Chance, Frame, Illegal, State, checked_options, evolve, undo_info
from eventstore import StoredEvent, chain
from services import ids
from services.tables.chain import EPOCH, Seen, row_hash, seen_by_all
from services.tables.rows import (
    Acted,
    AnyRow,
    GameEnded,
    GameStarted,
    Left,
    RulesChanged,
    Seated,
    SpectatorsDelayed,
    TableOpened,
    Undone,
    UnknownRow,
    decode,
)

NO_DATA = b""                                   # the hash of a table that has not begun


class Damaged(Exception):
    """A row does not fit its hash or cannot be read; version says which."""

    def __init__(self, stream: UUID, version: int, what: str) -> None:
        super().__init__(f"table {stream}, version {version}: {what}")
        self.stream, self.version, self.what = stream, version, what


class Entry(NamedTuple):
    """A row in its place in the stream."""

    version: int
    at: datetime
    row: AnyRow
    hash: bytes


class History:
    """One table after `version`; `add` takes it one row further.

    since: for each seat the version at which what it is asked was last created or changed.
    trail: (version, row) of the latest commands, all of one seat; of those it may take back what `undoable` says.
    saved: the version of its last snapshot.
    """

    def __init__(self, stream: UUID, opened: TableOpened, data: bytes = NO_DATA) -> None:
        self.stream, self.id, self.opened = stream, ids.encode(stream), opened
        self.take_title(data)
        self.version, self.hash, self.at = -1, chain.genesis(stream), EPOCH
        self.seats: list[Seated | None] = [None] * opened.seats
        self.state: State | None = None
        self.rules = ""
        self.since = [0] * opened.seats
        self.trail: list[tuple[int, Acted]] = []
        self.saved = 0
        self.ended: GameEnded | None = None
        self.delay: SpectatorsDelayed | None = None

    def take_title(self, data: bytes) -> None:
        """The title with the data of this hash; of new games while there is none."""
        self.title = title_of(self.opened.ruleset, data)
        self.options = msgspec.convert(self.opened.options, self.title.options)

    @property
    def status(self) -> Literal["open", "playing", "over"]:
        if self.state is None:
            return "open"
        return "playing" if self.state.outcome is None else "over"

    @property
    def audiences(self) -> Sequence[int]:
        return range(SPECTATOR, self.opened.seats)

    @property
    def chance(self) -> Chance:
        """Of the game: the table's seed and what the seats gave to it."""
        nonces = b"".join(seated.nonce.ljust(32, b"\0") for seated in self.seats if seated)
        return Chance(hmac.digest(self.opened.seed, b"chance" + nonces, "sha256"))

    def next_hash(self, version: int, at: datetime, row: AnyRow, prev: bytes) -> bytes:
        return self.hashed(version, at, row, prev, seen_by_all(self.title, self.opened.seats, row))

    def hashed(self, version: int, at: datetime, row: AnyRow, prev: bytes, seen: Seen) -> bytes:
        """`next_hash` of a row of which is known what everybody sees."""
        return row_hash(self.opened.seed, prev, version, at, row, seen)

    def check(self, entry: Entry) -> None:
        """Raise Damaged if the row does not follow from this table."""
        if entry.version and entry.at < self.at:
            raise Damaged(self.stream, entry.version, "its time runs backwards")
        if not self.fits(entry):
            raise Damaged(self.stream, entry.version, "it does not fit its hash")

    def fits(self, entry: Entry) -> bool:
        """A damaged row may name places and cards that are none."""
        try:
            return self.next_hash(entry.version, entry.at, entry.row, self.hash) == entry.hash
        except (LookupError, TypeError, ValueError):
            return False

    def add(self, entry: Entry, *, dead: bool = False) -> None:
        """dead: a command that was taken back later; it leaves no trace in the state."""
        if not dead:
            self.take_in(entry.version, entry.row)
        self.version, self.hash, self.at = entry.version, entry.hash, entry.at

    def take_in(self, version: int, row: AnyRow) -> None:
        match row:
            case Seated():
                self.seats[row.seat] = row
            case Left():
                self.seats[row.seat] = None
            case GameStarted():
                self.take_title(row.data)
                self.rules = row.version
                self.state = evolve(self.title.blank(self.options, self.opened.seats), row.event)
                self.since = [version] * self.opened.seats
            case Acted():
                self.act(version, row)
            case Undone():
                self.since = [version] * self.opened.seats
            case GameEnded():
                self.ended = row
            case RulesChanged():
                self.take_title(row.data)
                self.rules = row.version
            case SpectatorsDelayed():
                self.delay = row

    def act(self, version: int, row: Acted) -> None:
        state = self.playing
        before = state.agenda[-1:]
        evolve(state, row.event)
        if row.action.verb == PREFER:
            return
        kept = same_question(before, state.agenda[-1:])
        self.since = [at if seat in kept - {row.seat} else version for seat, at in enumerate(self.since)]
        if self.trail and self.trail[-1][1].seat != row.seat:
            self.trail = []
        self.trail.append((version, row))

    @property
    def undoable(self) -> list[tuple[int, int]]:
        """(version, seat) of the latest commands that their seat may take back. Looked for when it is asked: a fold never
        does."""
        if self.opened.undo != "free":
            return []
        free = [*takewhile(lambda done: self.is_free(done[1]), reversed(self.trail))]
        self.trail = free[::-1]
        return [(version, row.seat) for version, row in self.trail]

    def is_free(self, row: Acted) -> bool:
        """Whether it told nobody anything and drew no chance."""
        return undo_info(self.title.layout, self.opened.seats, row.event).free

    @property
    def playing(self) -> State:
        """The state of a game that has been started."""
        if self.state is None:
            raise ValueError("the game has not started")
        return self.state


def same_question(before: Sequence[Frame], after: Sequence[Frame]) -> set[int]:
    """The seats that are asked the very same as before."""
    if not before or not after:
        return set()
    (f,), (g,) = before, after
    if (f.script, f.seat, f.row, f.picks) != (g.script, g.seat, g.row, g.picks):
        return set()
    return {*f.asked, *(seat for seat, _ in f.sealed)} & {*g.asked, *(seat for seat, _ in g.sealed)}


def entries(stored: Iterable[StoredEvent], first: int = 0) -> list[Entry]:
    """Rows from version `first` on. Raises Damaged for what cannot be read or is not where it belongs."""
    read = []
    for nth, event in enumerate(stored, first):
        if event.version != nth:
            raise Damaged(event.stream, nth, f"version {event.version} stands in its place")
        try:
            read.append(Entry(event.version, event.at, decode(event.type, event.schema, event.data), event.hash))
        except UnknownRow as error:
            raise Damaged(event.stream, event.version, str(error)) from error
    return read


def taken_back(rows: Iterable[Entry]) -> set[int]:
    """The versions of commands that were undone."""
    dead: set[int] = set()
    for version, _, row, _ in rows:
        if isinstance(row, Undone):
            dead.update(range(row.to + 1, version))
    return dead


def is_dead(entry: Entry, dead: set[int]) -> bool:
    """Preferences and seats outlive an undo; commands do not."""
    return entry.version in dead and isinstance(entry.row, Acted) and entry.row.action.verb != PREFER


def folded(stream: UUID, rows: Sequence[Entry], *, upto: int | None = None) -> History:
    """The table after these rows, or as it was after version `upto`; checks the chain as it goes. Raises Damaged."""
    history = opened(stream, rows)
    wanted = rows if upto is None else rows[: upto + 1]
    dead = taken_back(wanted)
    for entry in wanted:
        history.check(entry)
        history.add(entry, dead=is_dead(entry, dead))
    return history


def opened(stream: UUID, rows: Sequence[Entry]) -> History:
    first = rows[0].row if rows else None
    if not isinstance(first, TableOpened) or first.ruleset not in titles():
        raise Damaged(stream, 0, "it does not open a table of a known ruleset")
    data = began_with(rows)
    commitment = hashlib.blake2b(first.seed, digest_size=32).digest()
    if commitment != first.commitment:
        raise Damaged(stream, 0, "the seed is not the one committed to")
    try:
        checked_options(title_of(first.ruleset, data), first.options, first.seats)
    except Illegal as error:
        raise Damaged(stream, 0, str(error)) from error
    return History(stream, first, data)


def began_with(rows: Iterable[Entry]) -> bytes:
    """The hash of the data that the game began with."""
    return next((entry.row.data for entry in rows if isinstance(entry.row, GameStarted)), NO_DATA)


def option_data(options: Any) -> dict[str, Any]:
    """Options as they are stored."""
    data: dict[str, Any] = msgspec.to_builtins(options)
    return data
