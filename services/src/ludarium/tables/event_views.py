"""Convert stored events into events of the API."""
from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from msgspec import UNSET, UnsetType

from ludarium.platform import ids
from ludarium.tables.event_data import (
    ActedData,
    ArrivedData,
    BranchBody,
    ConsentData,
    EventData,
    GameEndedData,
    GameStartedData,
    HandedOverData,
    LeftData,
    LogCutData,
    NoteData,
    PoliciesData,
    RatingVoidedData,
    ReadyData,
    ReplacedData,
    ReservedData,
    RetiredData,
    ReturnedData,
    RulesChangedData,
    SeatedData,
    SeedsRevealedData,
    StoodInData,
    TableOpenedData,
    TakenOverData,
    TimedOutData,
    TimeGivenData,
    UndoneData,
)
from ludarium.tables.event_schemas import (
    ActedEvent,
    ArrivedEvent,
    ConsentEvent,
    EventBody,
    GameEndedEvent,
    GameStartedEvent,
    HandedOverEvent,
    Hidden,
    LeftEvent,
    LogCutEvent,
    PoliciesEvent,
    RatingVoidedEvent,
    ReadyEvent,
    ReplacedEvent,
    ReservedEvent,
    RetiredEvent,
    ReturnedEvent,
    RulesChangedEvent,
    SeatedEvent,
    SeedsRevealedEvent,
    StoodInEvent,
    TableOpenedEvent,
    TakenOverEvent,
    TimedOutEvent,
    TimeGivenEvent,
    UndoneEvent,
    UnknownEvent,
)
from ludarium.tables.model.event_types import AnyEvent, UnreadEvent, is_command
from ludarium.tables.model.events import (
    Acted,
    AnyTitle,
    BranchStarted,
    GameStarted,
    Left,
    LogCut,
    RatingVoided,
    RulesChanged,
    Seated,
    SeatedBot,
    SeatedBy,
    SeedsRevealed,
    TableEnded,
    TableOpened,
    TimedOut,
    Undone,
)
from ludarium.tables.model.hash_chain import LogEntry, head_of
from ludarium.tables.model.lifecycle_events import (
    Arrived,
    Consent,
    HandedOver,
    PoliciesSet,
    Ready,
    Replaced,
    Reserved,
    Retired,
    Returned,
    StoodIn,
    TakenOver,
    TimeGiven,
)
from ludarium.tables.model.policies import completed
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import timestamp
from ludarium.tables.schemas import TableView, deal_body, place_of, policies_body
from ludarium_engine.kernel import Event
from ludarium_engine.kernel.describe import describe_facts
from ludarium_engine.story.lines import LineBody, lines

Storyteller = Callable[[AnyTitle, Event], list[LineBody] | UnsetType]


def no_story(title: AnyTitle, event: Event) -> UnsetType:
    """Return no story."""
    return UNSET


def event_body(
    entry: LogEntry, audience: int, table: TableState, view: TableView | UnsetType = UNSET
) -> EventBody:
    """Return the event as the audience may see it.

    Args:
        table: the table at this event or later.
    """
    return body_of(entry.event.seen(table.shown(entry.version), audience), entry, table.title, view, lines)


def body_of(
    event: AnyEvent | UnreadEvent, entry: LogEntry, title: AnyTitle, view: TableView | UnsetType = UNSET,
    story: Storyteller = no_story,
) -> EventBody:  # fmt: skip
    """Encode an event that is already redacted for the audience.

    Args:
        event: the redacted event.
        entry: the stored event.
        story: makes the lines of the game log.
    """
    place, at = (entry.version, head_of(entry.hash)), timestamp(entry.at)
    if is_command(event):
        return acted_event(title, event, place, at, view, story)
    match event:
        case GameStarted():
            return GameStartedEvent(*place, started_data(title, event, at, view, story))
        case TableOpened():
            return TableOpenedEvent(*place, opened_data(event, at, view))
        case Seated():
            return SeatedEvent(*place, seated_data(event, at, view))
        case Left():
            return LeftEvent(*place, LeftData(seat=event.seat, at=at, view=view))
        case Undone():
            return UndoneEvent(*place, UndoneData(seat=event.seat, to=event.to, at=at, view=view))
        case TableEnded():
            return GameEndedEvent(*place, GameEndedData(reason=event.reason, outcome=event.outcome, at=at, view=view))
        case TimedOut():
            return TimedOutEvent(*place, TimedOutData(seat=event.seat, since=event.since, at=at, view=view))
        case SeedsRevealed():
            seeds = SeedsRevealedData(seed=event.seed.hex(), deal_seed=event.deal.hex(), at=at, view=view)
            return SeedsRevealedEvent(*place, seeds)
        case RulesChanged():
            data, layout = event.data.hex(), event.layout.hex()
            changed = RulesChangedData(rules=event.version, data_hash=data, layout_hash=layout, at=at, view=view)
            return RulesChangedEvent(*place, changed)
        case LogCut():
            return LogCutEvent(*place, LogCutData(kept=event.kept, lost=event.lost.hex(), at=at, view=view))
        case RatingVoided():
            return RatingVoidedEvent(*place, RatingVoidedData(at=at, view=view))
        case _:
            return lifecycle_event(event, place, at, view)


def seated_data(event: Seated, at: str, view: TableView | UnsetType) -> SeatedData:
    way = event.way if isinstance(event, SeatedBy) else None
    owner = event.owner if isinstance(event, SeatedBot) else UNSET
    return SeatedData(seat=event.seat, player=event.player, bot=event.bot, way=way, owner=owner, at=at, view=view)


def lifecycle_event(
    event: AnyEvent | UnreadEvent, place: tuple[int, str], at: str, view: TableView | UnsetType
) -> EventBody:
    """Encode an event about seats, policies or consent, or an unknown one."""
    match event:
        case PoliciesSet():
            return PoliciesEvent(*place, PoliciesData(policies=policies_body(completed(event.policies)), at=at, view=view))
        case HandedOver():
            return HandedOverEvent(*place, HandedOverData(player=event.player, at=at, view=view))
        case TakenOver():
            return TakenOverEvent(*place, TakenOverData(seat=event.seat, player=event.player, at=at, view=view))
        case Reserved():
            return ReservedEvent(*place, ReservedData(seat=event.seat, player=event.player, at=at, view=view))
        case Ready():
            return ReadyEvent(*place, ReadyData(seat=event.seat, on=event.on, at=at, view=view))
        case Retired():
            return RetiredEvent(*place, RetiredData(seat=event.seat, why=event.why, at=at, view=view))
        case StoodIn():
            return StoodInEvent(*place, StoodInData(seat=event.seat, by=event.by, at=at, view=view))
        case Returned():
            return ReturnedEvent(*place, ReturnedData(seat=event.seat, at=at, view=view))
        case Replaced():
            replaced = ReplacedData(seat=event.seat, player=event.player, way=event.way, at=at, view=view)
            return ReplacedEvent(*place, replaced)
        case Consent():
            said = ConsentData(seat=event.seat, question=event.question, answer=event.answer, at=at, view=view)
            return ConsentEvent(*place, said)
        case Arrived():
            return ArrivedEvent(*place, ArrivedData(seat=event.seat, at=at, view=view))
        case TimeGiven():
            return TimeGivenEvent(*place, TimeGivenData(seat=event.seat, to=event.to, seconds=event.seconds, at=at, view=view))
        case _:
            return UnknownEvent(*place, NoteData(at=at, view=view))


def acted_event(
    title: AnyTitle, row: Acted, place: tuple[int, str], at: str, view: TableView | UnsetType, story: Storyteller
) -> EventBody:
    if row.hidden:
        return Hidden(*place, EventData(at=at, view=view))
    event = row.event
    facts, told = describe_facts(title, event), story(title, event)
    if not row.action.verb:
        return ActedEvent(*place, ActedData(seat=row.seat, facts=facts, story=told, at=at, view=view))
    verb, args = row.action.verb, [*row.action.args]
    return ActedEvent(*place, ActedData(seat=row.seat, facts=facts, story=told, verb=verb, args=args, at=at, view=view))


def started_data(
    title: AnyTitle, event: GameStarted, at: str, view: TableView | UnsetType, story: Storyteller
) -> GameStartedData:
    return GameStartedData(
        rules=event.version,
        data_hash=event.data.hex(),
        layout_hash=event.layout.hex(),
        zones_hash=event.zones.hex(),
        nonces=[nonce.hex() for nonce in event.nonces],
        facts=describe_facts(title, event.event),
        story=[] if isinstance(event, BranchStarted) and story is not no_story else story(title, event.event),
        branch=branch_of(event),
        at=at,
        view=view,
    )


def branch_of(event: GameStarted) -> BranchBody | UnsetType:
    if not isinstance(event, BranchStarted):
        return UNSET
    return BranchBody(ids.encode(UUID(bytes=event.table)), event.at, event.viewer)


def opened_data(event: TableOpened, at: str, view: TableView | UnsetType) -> TableOpenedData:
    return TableOpenedData(
        ruleset=event.ruleset,
        options=event.options,
        seats=event.seats,
        visibility=event.visibility,
        undo=event.undo,
        creator=event.creator,
        commitment=event.commitment.hex(),
        deal=deal_body(event.deal),
        tournament=place_of(event),
        at=at,
        view=view,
    )
