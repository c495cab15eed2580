"""Games event by event, for replays in a client that folds the facts into views.

Each step also contains data that facts lack: the agenda, the decision, points and clocks.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, cast
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from ludarium.platform.problems import Problem
from ludarium.projections.frames import game_states
from ludarium.projections.replay_worker import FoldingContext, ReplayWorker, ResultCache, gzipped
from ludarium.projections.schemas import Decision, Replay, ReplayStart, ReplayStep
from ludarium.tables.model.event_types import AnyEvent, UnreadEvent
from ludarium.tables.model.events import Acted, AnyTitle, GameStarted, Undone
from ludarium.tables.model.folding import empty_table
from ludarium.tables.model.hash_chain import Damaged, LogEntry, decoded_entries, head_of, is_undone, undone_versions
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import ms, timestamp
from ludarium.tables.schemas import ActionBody
from ludarium.tables.story import lines_of
from ludarium.tables.views import clocks_body, viewer_of
from ludarium_engine.kernel import SPECTATOR, Action, State, seats_to_act
from ludarium_engine.kernel.bodies import FactBody, Focus, FrameBody
from ludarium_engine.kernel.contract import PREFER, view
from ludarium_engine.kernel.describe import describe_choice, describe_fact, describe_frames, describe_scores
from ludarium_engine.kernel.facts import AnyFact, Became, Preferred, Shuffled
from ludarium_engine.registry import titles
from ludarium_eventstore import StoredEvent

ALL_HANDS = SPECTATOR - 1
"""The audience that sees all hands, once the game is over."""


class ReplayQuery(NamedTuple):
    """A replay for an audience, up to the event `last` with the hash `link`."""

    table: UUID
    audience: int
    last: int
    link: bytes


class Replays:
    """A cache of replays. The replay of a running game ends at its newest event."""

    def __init__(self, worker: ReplayWorker) -> None:
        self._worker = worker
        self.cache = ResultCache[ReplayQuery]()

    async def block(self, table: TableState, audience: int) -> bytes:
        """Return a replay as gzipped JSON.

        Args:
            table: the latest state that the audience may see.

        Raises:
            Problem: `game-not-started`, `forbidden`, `log-damaged`, `unavailable`.
        """
        if table.state is None:
            raise Problem("game-not-started")
        if audience == ALL_HANDS and not table.is_open_to_all:
            raise Problem("forbidden")
        return await self.cache.get(ReplayQuery(table.stream, audience, table.version, table.hash), self._make)

    async def start(self) -> None:
        """Start the worker process in advance, so that the first replay need not wait."""
        await self._worker.start(import_titles)

    async def _make(self, query: ReplayQuery) -> bytes:
        return await self._worker.run(make_replay, query, await self._worker.cache.load(query.table))


# --- in the worker process --------------------------------------------------------------------------------------------
def import_titles() -> None:
    """Import all titles in the worker process."""
    titles()


def make_replay(query: ReplayQuery, stored: Sequence[StoredEvent], context: FoldingContext) -> bytes:
    """Fold a table's log and encode a replay as gzipped JSON.

    Raises:
        Problem: `log-damaged`.
    """
    context.provide()
    try:
        log = decoded_entries(stored[: query.last + 1])
        table, clocks = fold_with_clocks(query.table, log)
    except Damaged as damage:
        raise Problem("log-damaged", f"version {damage.version}") from None
    return gzipped(ReplayBuilder(table, log, clocks, query.audience).replay())


def fold_with_clocks(table: UUID, log: Sequence[LogEntry]) -> tuple[TableState, list[list[int]]]:
    """Return the table after these events, and the clocks' times after each.

    Times are the milliseconds that each seat has left, or an empty list without clocks.
    """
    table_state, clocks = empty_table(table, log), []
    dead = undone_versions(table_state.title, log)
    for entry in log:
        table_state.check(entry)
        table_state.add(entry, dead=is_undone(entry, dead))
        body = clocks_body(table_state, entry.at)
        clocks.append([clock.remaining_ms for clock in body.seats] if body else [])
    return table_state, clocks


NO_FOCUS = Focus([])


class StepContext(NamedTuple):
    """The data of a step besides its facts, which are sent where they change."""

    asked: list[int] = []
    agenda: list[FrameBody] = []
    focus: Focus = NO_FOCUS
    veiled: list[str] = []
    points: list[int] = []
    left: list[int] = []


class ReplayBuilder:
    """A builder that makes a replay from a log."""

    def __init__(self, table: TableState, log: Sequence[LogEntry], clocks: Sequence[list[int]], audience: int) -> None:
        self.table, self.title, self.audience, self.clocks = table, table.title, audience, clocks
        first = next(entry.version for entry in log if isinstance(entry.event, GameStarted))
        self.log, self.rows = log, log[first:]

    @property
    def shows_everything(self) -> bool:
        return self.audience == ALL_HANDS

    def replay(self) -> Replay:
        table, last = self.table, self.log[-1]
        steps = [*self.steps()]
        scores, sources = describe_scores(self.title, table.started)
        return Replay(
            table=table.id,
            viewer=None if self.shows_everything else viewer_of(self.audience),
            everything=self.shows_everything,
            over=table.is_open_to_all,
            seq=last.version,
            head=head_of(last.hash),
            began=timestamp(self.rows[0].at),
            start=self.start(),
            steps=steps,
            scores=scores,
            sources=sources,
        )

    def start(self) -> ReplayStart:
        began = self.rows[0]
        assert isinstance(began.event, GameStarted)
        blank = self.seen(self.table.blank(began.version, began.event.zones), began.version)
        zones = msgspec.to_builtins({f.name: getattr(blank, f.name) for f in self.title.layout.fields})
        return ReplayStart(blank.turn, blank.outcome, zones, [])

    def seen(self, state: State, version: int) -> State:
        return state if self.shows_everything else view(self.title, state, self.audience, self.table.shown(version))

    def steps(self) -> Iterator[ReplayStep]:
        before, decision = StepContext(), cast(Decision | UnsetType, UNSET)
        following = [*self.rows[1:], None]
        for entry, state, next_ in zip(self.rows, game_states(self.table, self.log), following, strict=True):
            context = self.context_of(self.table.as_today(state, entry.version), entry.version)
            yield self.step(entry, before, context, decision)
            before = context
            decision = self.decision(next_.event, state, entry.version) if next_ else UNSET

    def step(self, entry: LogEntry, before: StepContext, context: StepContext, decision: Decision | UnsetType) -> ReplayStep:
        row = entry.event if self.shows_everything else entry.event.seen(self.table.shown(entry.version), self.audience)
        changes: dict[str, Any] = {
            name: now if now != was else UNSET for name, was, now in zip(StepContext._fields, before, context, strict=True)
        }
        return ReplayStep(
            seq=entry.version,
            at=ms(entry.at) - ms(self.rows[0].at),
            seat=row.seat if isinstance(row, Acted | Undone) and row.seat >= 0 else UNSET,
            to=row.to if isinstance(row, Undone) else UNSET,
            facts=[*self.facts(row.facts)] or UNSET if isinstance(row, Acted | GameStarted) else UNSET,
            story=[*lines_of(self.title, row)] or UNSET,
            decision=decision,
            **changes,
        )

    def facts(self, facts: Iterable[AnyFact]) -> Iterator[FactBody]:
        """Yield descriptions of an event's facts, already redacted for the audience."""
        for fact in facts:
            body = describe_fact(self.title, fact)
            if body is None or (self.shows_everything and isinstance(fact, Preferred)):
                continue
            yield body
            if self.shows_everything and isinstance(fact, Shuffled):
                yield cast(FactBody, describe_fact(self.title, Became(fact.slot, fact.order)))

    def context_of(self, state: State, version: int) -> StepContext:
        seen = self.seen(state, version)
        return StepContext(
            asked=[*seats_to_act(state)],
            agenda=describe_frames(self.title, state, seen),
            focus=(self.title.focus(seen) if seen.agenda else None) or NO_FOCUS,
            veiled=[] if self.shows_everything else sorted(self.title.veiled(state, self.audience)),
            points=self.points(state),
            left=self.clocks[version],
        )

    def points(self, state: State) -> list[int]:
        """Return the points by seat, empty unless the game is open to everyone.

        Points include hidden cards.
        """
        if not self.table.is_open_to_all:
            return []
        return [sum(parts.values()) for parts in self.title.scores(state)]

    def decision(self, row: AnyEvent | UnreadEvent, state: State, version: int) -> Decision | UnsetType:
        """Return the decision that led to an event, if the audience may know it.

        Args:
            state: the state before the event.
        """
        if not isinstance(row, Acted) or row.action.verb == PREFER or not (self.shows_everything or row.seat == self.audience):
            return UNSET
        choice = describe_choice(self.title, self.table.as_today(state, version), row.seat)
        return Decision(row.seat, choice.prompt, choice.offers, sent_action(self.title, row.action)) if choice else UNSET


def sent_action(title: AnyTitle, action: Action) -> ActionBody:
    """Return the action in the form in which the player sent it."""
    verb = title.verbs.get(action.verb)
    arity = verb.arity if verb else len(action.args)
    return ActionBody(":".join([action.verb, *map(str, action.args[:arity])]), [*action.args[arity:]])
