"""Rows as events that the API sends, for those who may see them."""
from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from msgspec import UNSET, UnsetType

from ludarium.platform import ids
from ludarium.tables.event_schemas import (
    ActedData,
    ActedEvent,
    ArrivedData,
    ArrivedEvent,
    BranchBody,
    ClockData,
    ClockEvent,
    ConsentData,
    ConsentEvent,
    Data,
    EventBody,
    GameEndedData,
    GameEndedEvent,
    GameStartedData,
    GameStartedEvent,
    HandedOverData,
    HandedOverEvent,
    Hidden,
    LeftData,
    LeftEvent,
    LogCutData,
    LogCutEvent,
    NoteData,
    PoliciesData,
    PoliciesEvent,
    RatingVoidedData,
    RatingVoidedEvent,
    ReadyData,
    ReadyEvent,
    ReplacedData,
    ReplacedEvent,
    ReservedData,
    ReservedEvent,
    RetiredData,
    RetiredEvent,
    ReturnedData,
    ReturnedEvent,
    RulesChangedData,
    RulesChangedEvent,
    SeatedData,
    SeatedEvent,
    SeedsRevealedData,
    SeedsRevealedEvent,
    SpectatorsDelayedData,
    SpectatorsDelayedEvent,
    StoodInData,
    StoodInEvent,
    TableOpenedData,
    TableOpenedEvent,
    TakenOverData,
    TakenOverEvent,
    TimedOutData,
    TimedOutEvent,
    TimeGivenData,
    TimeGivenEvent,
    UndoneData,
    UndoneEvent,
    UnknownEvent,
)
from ludarium.tables.model.event_types import AnyRow, Unread, is_command
from ludarium.tables.model.events import (
    Acted,
    AnyTitle,
    Arrived,
    BranchStarted,
    ClockSet,
    Consent,
    GameEnded,
    GameStarted,
    HandedOver,
    Left,
    LogCut,
    PoliciesSet,
    RatingVoided,
    Ready,
    Replaced,
    Reserved,
    Retired,
    Returned,
    RulesChanged,
    Seated,
    SeatedBot,
    SeatedBy,
    SeedsRevealed,
    SpectatorsDelayed,
    StoodIn,
    TableEnded,
    TableOpened,
    TakenOver,
    TimedOut,
    TimeGiven,
    Undone,
)
from ludarium.tables.model.log_entries import Entry
from ludarium.tables.model.policies import completed
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import timestamp
from ludarium.tables.schemas import TableView, deal_body, head_of, place_of, policies_body
from ludarium_engine.kernel import Event
from ludarium_engine.kernel.describe import described_facts
from ludarium_engine.story.lines import LineBody, lines

Storyteller = Callable[[AnyTitle, Event], list[LineBody] | UnsetType]


def untold(title: AnyTitle, event: Event) -> UnsetType:
    """No story."""
    return UNSET


def event_body(
    entry: Entry, audience: int, table: TableState, view: TableView | UnsetType = UNSET
) -> EventBody:
    """The event as the audience may see it. table: the table then or later."""
    return body_of(entry.row.seen(table.shown(entry.version), audience), entry, table.title, view, lines)


def body_of(
    row: AnyRow | Unread, entry: Entry, title: AnyTitle, view: TableView | UnsetType = UNSET, story: Storyteller = untold
) -> EventBody:
    """A row that was redacted before."""
    place, at = (entry.version, head_of(entry.hash)), timestamp(entry.at)
    if is_command(row):
        return acted_event(title, row, place, at, view, story)
    match row:
        case GameStarted():
            return GameStartedEvent(*place, started_data(title, row, at, view, story))
        case TableOpened():
            return TableOpenedEvent(*place, opened_data(row, at, view))
        case Seated():
            return SeatedEvent(*place, seated_data(row, at, view))
        case Left():
            return LeftEvent(*place, LeftData(seat=row.seat, at=at, view=view))
        case Undone():
            return UndoneEvent(*place, UndoneData(seat=row.seat, to=row.to, at=at, view=view))
        case GameEnded() | TableEnded():
            return GameEndedEvent(*place, GameEndedData(reason=row.reason, outcome=row.outcome, at=at, view=view))
        case ClockSet():
            return ClockEvent(*place, ClockData(clock=row.clock, at=at, view=view))
        case TimedOut():
            return TimedOutEvent(*place, TimedOutData(seat=row.seat, since=row.since, at=at, view=view))
        case SeedsRevealed():
            seeds = SeedsRevealedData(seed=row.seed.hex(), deal_seed=row.deal.hex(), at=at, view=view)
            return SeedsRevealedEvent(*place, seeds)
        case SpectatorsDelayed():
            delay = SpectatorsDelayedData(events=row.events, seconds=row.seconds, at=at, view=view)
            return SpectatorsDelayedEvent(*place, delay)
        case RulesChanged():
            data, layout = row.data.hex(), row.layout.hex()
            changed = RulesChangedData(rules=row.version, data_hash=data, layout_hash=layout, at=at, view=view)
            return RulesChangedEvent(*place, changed)
        case LogCut():
            return LogCutEvent(*place, LogCutData(kept=row.kept, lost=row.lost.hex(), at=at, view=view))
        case RatingVoided():
            return RatingVoidedEvent(*place, RatingVoidedData(at=at, view=view))
        case _:
            return life_event(row, place, at, view)


def seated_data(row: Seated, at: str, view: TableView | UnsetType) -> SeatedData:
    way = row.way if isinstance(row, SeatedBy) else None
    owner = row.owner if isinstance(row, SeatedBot) else UNSET
    return SeatedData(seat=row.seat, player=row.player, bot=row.bot, way=way, owner=owner, at=at, view=view)


def life_event(
    row: AnyRow | Unread, place: tuple[int, str], at: str, view: TableView | UnsetType
) -> EventBody:
    """Of what is beside the game."""
    match row:
        case PoliciesSet():
            return PoliciesEvent(*place, PoliciesData(policies=policies_body(completed(row.policies)), at=at, view=view))
        case HandedOver():
            return HandedOverEvent(*place, HandedOverData(player=row.player, at=at, view=view))
        case TakenOver():
            return TakenOverEvent(*place, TakenOverData(seat=row.seat, player=row.player, at=at, view=view))
        case Reserved():
            return ReservedEvent(*place, ReservedData(seat=row.seat, player=row.player, at=at, view=view))
        case Ready():
            return ReadyEvent(*place, ReadyData(seat=row.seat, on=row.on, at=at, view=view))
        case Retired():
            return RetiredEvent(*place, RetiredData(seat=row.seat, why=row.why, at=at, view=view))
        case StoodIn():
            return StoodInEvent(*place, StoodInData(seat=row.seat, by=row.by, at=at, view=view))
        case Returned():
            return ReturnedEvent(*place, ReturnedData(seat=row.seat, at=at, view=view))
        case Replaced():
            replaced = ReplacedData(seat=row.seat, player=row.player, way=row.way, at=at, view=view)
            return ReplacedEvent(*place, replaced)
        case Consent():
            said = ConsentData(seat=row.seat, question=row.question, answer=row.answer, at=at, view=view)
            return ConsentEvent(*place, said)
        case Arrived():
            return ArrivedEvent(*place, ArrivedData(seat=row.seat, at=at, view=view))
        case TimeGiven():
            return TimeGivenEvent(*place, TimeGivenData(seat=row.seat, to=row.to, seconds=row.seconds, at=at, view=view))
        case _:
            return UnknownEvent(*place, NoteData(at=at, view=view))


def acted_event(
    title: AnyTitle, row: Acted, place: tuple[int, str], at: str, view: TableView | UnsetType, story: Storyteller
) -> EventBody:
    if row.hidden:
        return Hidden(*place, Data(at=at, view=view))
    event = row.event
    facts, told = described_facts(title, event), story(title, event)
    if not row.action.verb:
        return ActedEvent(*place, ActedData(seat=row.seat, facts=facts, story=told, at=at, view=view))
    verb, args = row.action.verb, [*row.action.args]
    return ActedEvent(*place, ActedData(seat=row.seat, facts=facts, story=told, verb=verb, args=args, at=at, view=view))


def started_data(
    title: AnyTitle, row: GameStarted, at: str, view: TableView | UnsetType, story: Storyteller
) -> GameStartedData:
    return GameStartedData(
        rules=row.version,
        data_hash=row.data.hex(),
        layout_hash=row.layout.hex(),
        zones_hash=row.zones.hex(),
        nonces=[nonce.hex() for nonce in row.nonces],
        facts=described_facts(title, row.event),
        story=[] if isinstance(row, BranchStarted) and story is not untold else story(title, row.event),
        branch=branch_of(row),
        at=at,
        view=view,
    )


def branch_of(row: GameStarted) -> BranchBody | UnsetType:
    if not isinstance(row, BranchStarted):
        return UNSET
    return BranchBody(ids.encode(UUID(bytes=row.table)), row.at, row.viewer)


def opened_data(row: TableOpened, at: str, view: TableView | UnsetType) -> TableOpenedData:
    return TableOpenedData(
        ruleset=row.ruleset,
        options=row.options,
        seats=row.seats,
        visibility=row.visibility,
        undo=row.undo,
        creator=row.creator,
        commitment=row.commitment.hex(),
        deal=deal_body(row.deal),
        tournament=place_of(row),
        at=at,
        view=view,
    )
