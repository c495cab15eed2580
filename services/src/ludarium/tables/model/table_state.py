"""A table as its events tell it: who sits where, the state of the game, what may be taken back. Folding runs no rule."""
from __future__ import annotations

import hmac
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from itertools import takewhile
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import replace

from ludarium.clocks.clocks import Clocks, clocks_of
from ludarium.platform import ids
from ludarium.tables.model import documents, timing
from ludarium.tables.model.event_types import AnyEvent, UnreadEvent, is_command
from ludarium.tables.model.events import (
    Acted,
    AnyTitle,
    GameStarted,
    Left,
    PoliciesSet,
    Replaced,
    RulesChanged,
    Seated,
    SeedsRevealed,
    TableEnded,
    TableOpened,
    TakenOver,
    Undone,
)
from ludarium.tables.model.hash_chain import EPOCH, Damaged, LogEntry, StreamSecret, link
from ludarium.tables.model.lifecycle import new_lifecycle
from ludarium.tables.model.policies import LatestPolicies, UndoCause
from ludarium.tables.schemas import TableView
from ludarium_engine.kernel import (
    SPECTATOR,
    Chance,
    Frame,
    Offer,
    State,
    evolve,
    legal_offers,
    published,
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

NONCE = 32                                      # bytes to which each is filled up
NO_DATA = b""                                   # the hash of a table that has not begun


class DecidedCommand(NamedTuple):
    """A command as the rules have decided it here: these very facts, the state after them, what each seat is offered then."""

    facts: list[AnyFact]
    after: State
    choices: dict[int, list[Offer]]


class NextCheck(NamedTuple):
    """At a table, by then at the latest; until an event of the moment `sure` comes nobody can have put it off."""

    by: datetime
    sure: datetime


class TableState:
    """One table after `version`; `add` takes it one event further.

    rules, data: the version and the data's hash that were named last; what can be had may be other data.
    layout: the hash of the one that its events are written under now; layouts: since which versions viewers are shown what.
    since: for each seat the version at which what it is asked was last created or changed.
    trail: (version, event) of the latest commands, all of one seat; of those it may take back what `undoable` says.
    saved: the version of its last snapshot. drawn_from: the chance of a game that has begun, if it was asked for.
    newer: the version of the first event that only a newer release can take in; this one stops before it.
    look: when the table is looked at again, as far as this process knows.
    parts: what its audiences have been shown of the game last; shown_since: the version from which on these are kept.
    told: by audience the view that this process told last; it may be of an earlier version.
    against: what stands against taking back, by version, of the commands in the trail that were looked at; free: those that
    may be, as `undoable` has found them.
    ahead: what the rules have made of a command whose event is not here yet. twin: an equal state that nobody else needs, if
    any; choices: what seats are offered now, as far as that was asked.
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
        """The title with the data of this hash; of new games while there is none."""
        self.title = title_of(self.opened.ruleset, data)
        self.options = converter(self.title.options)(self.all_options)

    @property
    def all_options(self) -> dict[str, Any]:
        """As the table chose them. Options added since are what they are at earlier tables."""
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
        """Whether everybody may see everything: the table is over and so are all that share its deal."""
        return self.revealed is not None

    @property
    def audiences(self) -> Sequence[int]:
        return range(SPECTATOR, self.opened.seats)

    @property
    def chance(self) -> Chance:
        """Of the game, whose nonces are frozen when it starts: from then on it is mixed no more."""
        if self.nonces is None:
            return self.chance_with(self.mixed_in)
        if self.drawn_from is None:
            self.drawn_from = self.chance_with(self.nonces)
        return self.drawn_from

    def chance_with(self, nonces: Sequence[bytes]) -> Chance:
        """From the deal's seed and these nonces: the same at all tables of a shared deal."""
        mixed = b"".join(nonce.ljust(NONCE, b"\0") for nonce in nonces)
        return Chance(hmac.digest(self.secret.deal, b"chance" + mixed, "sha256"))

    @property
    def mixed_in(self) -> list[bytes]:
        """The nonces of the game, or those that it would begin with now."""
        return self.mixed([s for s in self.seats if s]) if self.nonces is None else self.nonces

    def mixed(self, seated: Sequence[Seated]) -> list[bytes]:
        """What a game that begins with these seats is mixed of."""
        deal = self.opened.deal
        return deal.nonces if deal.stream else [one.nonce for one in seated]

    # --- what is shown ------------------------------------------------------------------------------------------------
    def shown(self, version: int) -> Layout:
        """What of the event at `version` viewers are shown: what its own layout and today's both show.

        So a sight that was mended hides what older events told with it, also from who asks for them now.
        """
        return stricter_layout(self.title, self.layout_at(version))

    def layout_at(self, version: int) -> bytes:
        """The hash of the layout of the game's event at `version`."""
        if self.layouts and self.layouts[-1][0] <= version:
            return self.layouts[-1][1]          # of all events but old ones
        return next((hash_ for since, hash_ in reversed(self.layouts) if since <= version), self.title.layout_hash)

    def as_today(self, state: State, version: int) -> State:
        """The game as it was after the event at `version`, its frames at the events of today's scripts."""
        return under_layout(self.title, state, self.layout_at(version), self.title.layout_hash)

    def shown_parts(self) -> ViewCache:
        """What is shown of the game as it is, kept from look to look while it goes on."""
        layout = self.shown(self.version)
        if self.parts is not None and self.parts.layout is layout:
            return self.parts
        parts = ViewCache(self.title, layout)
        if self.ended is None:
            self.parts, self.shown_since = parts, self.version
        return parts

    # --- the chain ----------------------------------------------------------------------------------------------------
    def check(self, entry: LogEntry) -> None:
        """Raise Damaged if the event does not follow from this table."""
        if self.newer is not None:
            return
        if entry.version and entry.at < self.at:
            raise Damaged(self.stream, entry.version, "its time runs backwards")
        if link(self.secret.seed, self.hash, entry, entry.event.under(self.layout), entry.data, entry.root) != entry.hash:
            raise Damaged(self.stream, entry.version, "it does not fit its hash")

    # --- the fold -----------------------------------------------------------------------------------------------------
    def add(self, entry: LogEntry, *, dead: bool = False, clocks: Clocks | None = None) -> None:
        """dead: a command that was taken back later; it leaves no trace in the state. clocks: as they are after the append that
        the event is of, where that is known."""
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
                self.parts, self.last_views, self.obstacles = None, {}, {}      # most are never looked at again
            case SeedsRevealed():
                self.revealed = event
            case RulesChanged():
                self.take_rules(version, event)
            case PoliciesSet(policies):
                self.clocks = clocks_of(policies.clock, self.opened.seats) if policies.clock else None

    def replace(self, event: Replaced) -> None:
        """The seat's nonce stays: the game was mixed with it."""
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
        """The game before its set-up, as the release that began it had it."""
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
        """What the seat is offered now: asked of the rules once."""
        if seat not in self.choices:
            self.choices[seat] = legal_offers(self.title, self.playing, seat)
        return self.choices[seat]

    def take_spare_state(self) -> State | None:
        """For rules to write on, once: whatever becomes of it."""
        twin, self.spare_state = self.spare_state, None
        return twin

    @property
    def undoable(self) -> list[tuple[int, int]]:
        """(version, seat) of the latest commands that their seat may take back. Looked for when it is asked, once for all
        audiences: a fold never does."""
        if self.policies.undo == "none":
            return []
        if self.free is None:
            free = [*takewhile(lambda done: self.obstacle(*done) is None, reversed(self.trail))]
            self.trail = self.trail[-len(free) - 1 :]                   # with the one that stands in the way
            self.obstacles = {version: self.obstacles[version] for version, _ in self.trail}
            self.free = [(version, event.seat) for version, event in reversed(free)]
        return self.free

    def obstacle(self, version: int, event: Acted) -> UndoObstacle | None:
        """What stands against taking it back: that it told somebody something, or drew chance."""
        if version not in self.obstacles:
            self.obstacles[version] = undo_obstacle(self.title.layout, self.opened.seats, event.event)
        return self.obstacles[version]

    def not_undoable(self, seat: int) -> UndoCause | None:
        """Why a seat may not take back its latest command; None if it may."""
        if self.status != "playing":
            return "not-playing"
        if self.policies.undo == "none":
            return "policy"
        if not self.trail or self.trail[-1][1].seat != seat:
            return "answered" if seat in self.lifecycle.moved else "nothing-done"
        return self.obstacle(*self.trail[-1])

    @property
    def started(self) -> State:
        """The state of a game that has been started, as its events have it."""
        if self.state is None:
            raise ValueError("the game has not started")
        return self.state

    @property
    def playing(self) -> State:
        """As today's rules go on with it."""
        if self.layout == self.title.layout_hash and self.state is not None:
            return self.state
        return under_layout(self.title, self.started, self.layout, self.title.layout_hash)


def under_layout(title: AnyTitle, state: State, before: bytes, after: bytes) -> State:
    """The state of a game under one layout, by its hash, as another has it. Raises LookupError, NoDocument."""
    if before == after:
        return state
    old, new = (layout_of(title, hash_) for hash_ in (before, after))
    return replace(state, agenda=published.migrate_agenda(state.agenda, old, new))


def layout_of(title: AnyTitle, hash_: bytes) -> Layout:
    """Raises NoDocument."""
    return title.layout if hash_ == title.layout_hash else documents.layout(hash_)


def same_question(before: Sequence[Frame], after: Sequence[Frame]) -> set[int]:
    """The seats that are asked the very same as before."""
    if not before or not after:
        return set()
    (f,), (g,) = before, after
    if f.seat != g.seat or f.script != g.script or f.row != g.row or f.picks != g.picks:
        return set()
    return {*f.asked, *(seat for seat, _ in f.sealed)} & {*g.asked, *(seat for seat, _ in g.sealed)}


@lru_cache(maxsize=256)
def stricter_layout(title: AnyTitle, layout: bytes) -> Layout:
    """The title's layout where that of this hash does not show less. Raises NoDocument."""
    return title.layout if layout == title.layout_hash else title.layout.intersection(documents.layout(layout))
