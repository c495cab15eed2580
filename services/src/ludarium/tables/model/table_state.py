"""A table folded from its events: seats, the game's state, and what can be undone.

Folding runs no rules.
"""
from __future__ import annotations

import hmac
from collections.abc import Sequence
from itertools import takewhile
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec

from ludarium.clocks.clocks import Clocks, clocks_of
from ludarium.platform import ids
from ludarium.tables.model import documents, timing
from ludarium.tables.model.documents import stricter_layout, under_layout
from ludarium.tables.model.event_types import AnyEvent, UnreadEvent, is_command
from ludarium.tables.model.events import (
    Acted,
    GameStarted,
    Left,
    RulesChanged,
    Seated,
    SeedsRevealed,
    TableEnded,
    TableOpened,
    Undone,
)
from ludarium.tables.model.hash_chain import EPOCH, Damaged, LogEntry, StreamSecret, link
from ludarium.tables.model.lifecycle import new_lifecycle
from ludarium.tables.model.lifecycle_events import PoliciesSet, Replaced, TakenOver
from ludarium.tables.model.policies import LatestPolicies, UndoCause
from ludarium.tables.model.timing import NextCheck
from ludarium.tables.schemas import TableView
from ludarium_engine.kernel import (
    SPECTATOR,
    Chance,
    Frame,
    Offer,
    State,
    evolve,
    legal_offers,
    undo_obstacle,
)
from ludarium_engine.kernel.contract import PREFER
from ludarium_engine.kernel.decoding import converter
from ludarium_engine.kernel.describe import ViewCache
from ludarium_engine.kernel.facts import AnyFact
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.published import with_zones
from ludarium_engine.kernel.undo import UndoObstacle
from ludarium_engine.registry import title_of
from ludarium_eventstore import chain

NONCE = 32                                      # bytes that each nonce is padded to
NO_DATA = b""                                   # data hash of a table that has not begun


class DecidedCommand(NamedTuple):
    """A command decided by the rules here.

    Its facts, the state after them, and each seat's next choice.
    """

    facts: list[AnyFact]
    after: State
    choices: dict[int, list[Offer]]


class TableState:
    """A table after `version`; `add` applies the next event.

    Attributes:
        rules, data: version and data hash named last; the available data may differ.
        layout: hash of the layout that events are written under now.
        layouts: the layouts by the version from which on they apply.
        since: for each seat, the version at which its question was created or changed.
        trail: (version, event) of the latest commands of one seat, from which `undoable` follows.
        snapshot_version: of its last snapshot.
        drawn_from: the chance of a game that has begun, once it was needed.
        newer: version of the first event that only a newer release can apply; the fold stops before it.
        next_check: when the table is checked next, as far as this process knows.
        parts: cached parts of the last views; shown_since: the version since which they are cached.
        last_views: by audience, the view that this process sent last, perhaps of an earlier version.
        obstacles: by version, what prevents undoing a command of the trail; free: the undoable commands.
        decided: the rules' result for a command whose event is not appended yet.
        spare_state: an equal state that nothing else uses.
        choices: the seats' current offers, as far as they were needed.
    """

    def __init__(self, stream: UUID, opened: TableOpened, secret: StreamSecret, data: bytes = NO_DATA) -> None:
        self.stream, self.id, self.opened, self.secret = stream, ids.encode(stream), opened, secret
        self.take_title(data)
        self.version, self.hash, self.at = -1, chain.genesis(stream), EPOCH
        self.layout = chain.NO_LAYOUT
        self.layouts: list[tuple[int, bytes]] = []
        self.nonces: list[bytes] | None = None
        self.drawn_from: Chance | None = None
        self.seats: list[Seated | None] = [None] * opened.seats
        self.state: State | None = None
        self.rules, self.data = "", data
        self.since = [0] * opened.seats
        self.trail: list[tuple[int, Acted]] = []
        self.snapshot_version = 0
        self.ended: TableEnded | None = None
        self.revealed: SeedsRevealed | None = None
        self.lifecycle = new_lifecycle(opened)
        self.clocks: Clocks | None = None
        self.newer: int | None = None
        self.opened_at = EPOCH
        self.next_check: NextCheck | None = None
        self.parts: ViewCache | None = None
        self.shown_since = -1
        self.obstacles: dict[int, UndoObstacle | None] = {}
        self.free: list[tuple[int, int]] | None = None
        self.decided: DecidedCommand | None = None
        self.spare_state: State | None = None
        self.choices: dict[int, list[Offer]] = {}
        self.last_views: dict[int, TableView] = {}

    def take_title(self, data: bytes) -> None:
        """Use the title with the data of this hash, if they are loaded.

        Otherwise use the title of new games.
        """
        self.title = title_of(self.opened.ruleset, data)
        self.options = converter(self.title.options)(self.all_options)

    @property
    def all_options(self) -> dict[str, Any]:
        """The options that the table chose.

        Options added since have the value that they had implicitly.
        """
        return {**self.title.options.earlier, **self.opened.options}

    @property
    def status(self) -> Literal["open", "playing", "over"]:
        if self.ended is not None:
            return "over"
        return "open" if self.state is None else "playing"

    @property
    def policies(self) -> LatestPolicies:
        return self.lifecycle.policies

    @property
    def is_open_to_all(self) -> bool:
        """Whether everyone may see everything.

        The table is over, and so are all that share its deal.
        """
        return self.revealed is not None

    @property
    def audiences(self) -> Sequence[int]:
        return range(SPECTATOR, self.opened.seats)

    @property
    def chance(self) -> Chance:
        """The chance of the game. Its nonces are fixed when it starts."""
        if self.nonces is None:
            return self.chance_with(self.mixed_in)
        if self.drawn_from is None:
            self.drawn_from = self.chance_with(self.nonces)
        return self.drawn_from

    def chance_with(self, nonces: Sequence[bytes]) -> Chance:
        """Return the chance from the deal's seed and these nonces.

        It is the same at all tables of a shared deal.
        """
        mixed = b"".join(nonce.ljust(NONCE, b"\0") for nonce in nonces)
        return Chance(hmac.digest(self.secret.deal, b"chance" + mixed, "sha256"))

    @property
    def mixed_in(self) -> list[bytes]:
        """The nonces of the game, or those that it would begin with now."""
        return self.mixed([s for s in self.seats if s]) if self.nonces is None else self.nonces

    def mixed(self, seated: Sequence[Seated]) -> list[bytes]:
        """Return the nonces of a game that begins with these seats."""
        deal = self.opened.deal
        return deal.nonces if deal.stream else [one.nonce for one in seated]

    # --- visibility ---------------------------------------------------------------------------------------------------
    def shown(self, version: int) -> Layout:
        """Return the layout by which viewers see the event at `version`.

        It shows what the event's own layout and the current one both show. So a corrected visibility also hides what
        older events revealed.
        """
        return stricter_layout(self.title, self.layout_at(version))

    def layout_at(self, version: int) -> bytes:
        """Return the hash of the layout of the game's event at `version`."""
        if self.layouts and self.layouts[-1][0] <= version:
            return self.layouts[-1][1]          # true for all but old events
        return next((hash_ for since, hash_ in reversed(self.layouts) if since <= version), self.title.layout_hash)

    def as_today(self, state: State, version: int) -> State:
        """Return a past state with its frames converted to the current scripts."""
        return under_layout(self.title, state, self.layout_at(version), self.title.layout_hash)

    def shown_parts(self) -> ViewCache:
        """Return the cache of view parts, which lives as long as the game."""
        layout = self.shown(self.version)
        if self.parts is not None and self.parts.layout is layout:
            return self.parts
        parts = ViewCache(self.title, layout)
        if self.ended is None:
            self.parts, self.shown_since = parts, self.version
        return parts

    # --- hash chain ---------------------------------------------------------------------------------------------------
    def check(self, entry: LogEntry) -> None:
        """Raise Damaged if the event does not follow from this table."""
        if self.newer is not None:
            return
        if entry.version and entry.at < self.at:
            raise Damaged(self.stream, entry.version, "its time runs backwards")
        if link(self.secret.seed, self.hash, entry, entry.event.under(self.layout), entry.data, entry.root) != entry.hash:
            raise Damaged(self.stream, entry.version, "it does not fit its hash")

    # --- fold ---------------------------------------------------------------------------------------------------------
    def add(self, entry: LogEntry, *, dead: bool = False, clocks: Clocks | None = None) -> None:
        """Apply an event.

        Args:
            dead: whether it is a command that was undone later, which leaves no trace in the state.
            clocks: after the event's append, if they are known.
        """
        if self.newer is None and entry.event.is_ahead(self.title):
            self.newer = entry.version
        if self.newer is not None:
            return
        if not entry.version:
            self.opened_at = entry.at
        if not dead:
            self.apply_event(entry.version, entry.event)
            self.lifecycle.apply(entry.version, entry.at, entry.event)
        if clocks is not None:
            self.clocks = clocks
        elif self.clocks is not None:
            timing.apply_to_clocks(self.clocks, entry.version, timing.ms(entry.at), entry.event, dead=dead)
        self.version, self.hash, self.at = entry.version, entry.hash, entry.at

    def apply_event(self, version: int, event: AnyEvent | UnreadEvent) -> None:
        self.spare_state, self.choices, self.free = None, {}, None
        if is_command(event):
            self.apply_command(version, event)
            return
        match event:
            case Seated():
                self.seats[event.seat] = Seated(event.seat, event.player, event.bot, event.nonce)
            case Left():
                self.seats[event.seat] = None
            case Replaced():
                self.replace(event)
            case TakenOver():
                before = self.seats[event.seat]
                self.seats[event.seat] = Seated(event.seat, event.player, None, before.nonce if before else b"")
            case GameStarted():
                self.start(version, event)
            case Undone():
                self.since = [version] * self.opened.seats
            case TableEnded():
                self.ended = TableEnded(event.reason, event.outcome)
                self.parts, self.last_views, self.obstacles = None, {}, {}      # finished tables are rarely viewed again
            case SeedsRevealed():
                self.revealed = event
            case RulesChanged():
                self.take_rules(version, event)
            case PoliciesSet(policies):
                self.clocks = clocks_of(policies.clock, self.opened.seats) if policies.clock else None

    def replace(self, event: Replaced) -> None:
        """Replace a seat's player. Its nonce stays, since the game's chance contains it."""
        before = self.seats[event.seat]
        if before is not None and before.player is not None:
            self.lifecycle.leave(event.seat, before.player)
            self.seats[event.seat] = Seated(event.seat, event.player, None, before.nonce)

    def start(self, version: int, event: GameStarted) -> None:
        self.take_rules(version, event)
        self.nonces, self.drawn_from = event.nonces, None
        self.state = evolve(self.blank(version, event.zones), event.event)
        self.since = [version] * self.opened.seats

    def blank(self, version: int, zones: bytes) -> State:
        """Return the game before its set-up, as the release that began it had it."""
        try:
            blank: State = self.title.blank(self.options, self.opened.seats)
            return with_zones(blank, documents.zones(zones))
        except (documents.NoDocument, msgspec.ValidationError) as error:
            raise Damaged(self.stream, version, str(error)) from error

    def take_rules(self, version: int, event: GameStarted | RulesChanged) -> None:
        event.check_supported(self.title)
        self.take_title(event.data)
        try:
            stricter_layout(self.title, event.layout)
            if self.state is not None:
                self.state = under_layout(self.title, self.state, self.layout, event.layout)
        except (documents.NoDocument, LookupError) as error:
            raise Damaged(self.stream, version, str(error)) from error
        self.rules, self.data, self.layout = event.version, event.data, event.layout
        self.parts, self.obstacles = None, {}
        self.layouts.append((version, event.layout))

    def apply_command(self, version: int, event: Acted) -> None:
        state = self.started
        before = state.agenda[-1:]
        for fact in event.facts:
            fact.apply(state)
        if self.decided is not None and self.decided.facts is event.facts:
            self.spare_state, self.choices, self.decided = self.decided.after, self.decided.choices, None
        if self.parts is not None:
            self.parts.invalidate(state, event.facts)
        if event.action.verb == PREFER:
            return
        since, self.since = self.since, [version] * self.opened.seats
        for seat in same_question(before, state.agenda[-1:]) - {event.seat}:
            self.since[seat] = since[seat]
        if self.trail and self.trail[-1][1].seat != event.seat:
            self.trail = []
        self.trail.append((version, event))

    def offers(self, seat: int) -> list[Offer]:
        """Return the seat's offers, computed once for each event."""
        if seat not in self.choices:
            self.choices[seat] = legal_offers(self.title, self.playing, seat)
        return self.choices[seat]

    def take_spare_state(self) -> State | None:
        """Return a state that the rules may overwrite, None if there is none."""
        twin, self.spare_state = self.spare_state, None
        return twin

    @property
    def undoable(self) -> list[tuple[int, int]]:
        """(version, seat) of the latest commands that their seat may undo.

        It is computed when needed, once for all audiences, and never by a fold.
        """
        if self.policies.undo == "none":
            return []
        if self.free is None:
            free = [*takewhile(lambda done: self.obstacle(*done) is None, reversed(self.trail))]
            self.trail = self.trail[-len(free) - 1 :]                   # including the command that is the obstacle
            self.obstacles = {version: self.obstacles[version] for version, _ in self.trail}
            self.free = [(version, event.seat) for version, event in reversed(free)]
        return self.free

    def obstacle(self, version: int, event: Acted) -> UndoObstacle | None:
        """Return what prevents undoing a command: it revealed something, or drew chance."""
        if version not in self.obstacles:
            self.obstacles[version] = undo_obstacle(self.title.layout, self.opened.seats, event.event)
        return self.obstacles[version]

    def not_undoable(self, seat: int) -> UndoCause | None:
        """Return why a seat may not undo its latest command, None if it may."""
        if self.status != "playing":
            return "not-playing"
        if self.policies.undo == "none":
            return "policy"
        if not self.trail or self.trail[-1][1].seat != seat:
            return "answered" if seat in self.lifecycle.moved else "nothing-done"
        return self.obstacle(*self.trail[-1])

    @property
    def started(self) -> State:
        """The state of a started game, with its own layout."""
        if self.state is None:
            raise ValueError("the game has not started")
        return self.state

    @property
    def playing(self) -> State:
        """The state of a started game, converted to the current rules."""
        if self.layout == self.title.layout_hash and self.state is not None:
            return self.state
        return under_layout(self.title, self.started, self.layout, self.title.layout_hash)


def same_question(before: Sequence[Frame], after: Sequence[Frame]) -> set[int]:
    """Return the seats that are asked the same question as before."""
    if not before or not after:
        return set()
    (f,), (g,) = before, after
    if f.seat != g.seat or f.script != g.script or f.row != g.row or f.picks != g.picks:
        return set()
    return {*f.asked, *(seat for seat, _ in f.sealed)} & {*g.asked, *(seat for seat, _ in g.sealed)}
