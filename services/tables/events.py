"""Events as the API sends them. A hidden one keeps its number, so that every viewer counts alike."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from engine.kernel import Event, Title
from engine.kernel.bodies import FactBody
from engine.kernel.describe import described_facts
from engine.story.lines import LineBody, lines
from services import ids
from services.clocks.settings import Clock
from services.tables.bodies import Change, DealBody, Head, PoliciesBody, TableView, deal_body, head_of, policies_body
from services.tables.history import Entry, History
from services.tables.policies import completed
from services.tables.rows import (
    Acted,
    Answer,
    AnyRow,
    BranchStarted,
    ClockSet,
    Consent,
    GameEnded,
    GameStarted,
    HandedOver,
    Left,
    LogCut,
    OpenedFor,
    PoliciesSet,
    Question,
    Ready,
    Reason,
    Replaced,
    Reserved,
    Retired,
    Retreat,
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
    UndoPolicy,
    Unread,
    Visibility,
    Way,
    is_command,
)
from services.tables.timing import timestamp

AnyTitle = Title[Any, Any]
Storyteller = Callable[[AnyTitle, Event], list[LineBody] | UnsetType]


class Data(msgspec.Struct, frozen=True, kw_only=True):
    """Of every event. view: the table as the viewer sees it after this event, where the event is the newest one.

    change: in its place, to who follows a table by changes.
    """

    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class TournamentPlace(msgspec.Struct, frozen=True):
    """Where in a tournament a table belongs: stage, round and board from 1 on."""

    id: str
    stage: int
    round: int
    board: int


class TableOpenedData(Data, frozen=True):
    """creator: of a tournament's table the tournament, so that nobody has an opener's rights there."""

    ruleset: str
    options: dict[str, Any]
    seats: int
    visibility: Visibility
    undo: UndoPolicy
    creator: str
    commitment: str
    deal: DealBody
    tournament: TournamentPlace | UnsetType = UNSET


class SeatedData(Data, frozen=True, kw_only=True):
    """way: by which somebody came in, where that is known. owner: the player is a bot, and this player answers for it."""

    seat: int
    player: str | None
    bot: str | None
    way: Way | None = None
    owner: str | UnsetType = UNSET


class LeftData(Data, frozen=True):
    seat: int


class BranchBody(msgspec.Struct, frozen=True):
    """Of another table's game, as it stood after event `at`: as it was, or as its seat `viewer` knew it."""

    table: str
    at: int
    viewer: int | None


class GameStartedData(Data, frozen=True):
    """nonces: what is mixed into the deal's seed, by seat; hashes name documents of the record. story: as of `acted`.

    branch: of a game that goes on from a position of another one, where that stood; the facts put it there.
    """

    rules: str
    data_hash: str
    layout_hash: str
    zones_hash: str
    nonces: list[str]
    facts: list[FactBody]
    story: list[LineBody] | UnsetType = UNSET
    branch: BranchBody | UnsetType = UNSET


class ActedData(Data, frozen=True, kw_only=True):
    """verb and args: only for the seat itself; facts tell the others what happened.

    story: the same in sentences; not in records, since their words may be mended.
    """

    seat: int
    facts: list[FactBody]
    story: list[LineBody] | UnsetType = UNSET
    verb: str | UnsetType = UNSET
    args: list[int] | UnsetType = UNSET


class UndoneData(Data, frozen=True):
    """The game stands again as after `to`."""

    seat: int
    to: int


class GameEndedData(Data, frozen=True):
    """outcome: the place of each seat, null if none was found."""

    reason: Reason
    outcome: list[int] | None


class ClockData(Data, frozen=True):
    """The table has this clock."""

    clock: Clock


class TimedOutData(Data, frozen=True):
    """The seat has had its time for what it owes since the event `since`. What follows from that comes a second later."""

    seat: int
    since: int


class SeedsRevealedData(Data, frozen=True):
    """What the commitments were made to; with these every salt, shuffle and die can be computed again."""

    seed: str
    deal_seed: str


class NoteData(Data, frozen=True):
    """A note of a kind that this server does not know: it changes nothing of the game."""


class RulesChangedData(Data, frozen=True):
    rules: str
    data_hash: str
    layout_hash: str


class SpectatorsDelayedData(Data, frozen=True):
    """Spectators see the game so many events and seconds late, whichever is more."""

    events: int
    seconds: int


class LogCutData(Data, frozen=True):
    """The log has lost the rows that stood behind `kept`; lost: the head of the last one of them."""

    kept: int
    lost: Head


class PoliciesData(Data, frozen=True):
    """What holds at the table from here on."""

    policies: PoliciesBody


class HandedOverData(Data, frozen=True):
    """The table is this player's now."""

    player: str


class TakenOverData(Data, frozen=True):
    """Who plays the seat from here on: the same person, who was a guest before."""

    seat: int
    player: str


class ReservedData(Data, frozen=True):
    """For whom an empty seat is kept; null: for anybody again."""

    seat: int
    player: str | None


class ReadyData(Data, frozen=True):
    seat: int
    on: bool


class RetiredData(Data, frozen=True):
    """A seat is out of the game, and ranked behind all who stay."""

    seat: int
    why: Retreat


class StoodInData(Data, frozen=True):
    """Who plays the seat is away. by: what answers in their place, a bot's name or `default`; null: nothing does."""

    seat: int
    by: str | None


class ReturnedData(Data, frozen=True):
    seat: int


class ReplacedData(Data, frozen=True, kw_only=True):
    """The player has the seat from here on; who had it is ranked behind all seats. way: as of `seated`."""

    seat: int
    player: str
    way: Way | None = None


class ConsentData(Data, frozen=True):
    """A question to all other people at the table, or what a seat says to it; with `settled` it is done.

    seat: -1 where the desk of a tournament pauses its table, or has it go on.
    """

    seat: int
    question: Question
    answer: Answer


class TimeGivenData(Data, frozen=True):
    seat: int
    to: int
    seconds: int


class Numbered(msgspec.Struct, frozen=True):
    """head: tells this row of the log from any other that may stand there after newer rows were lost."""

    seq: int
    head: Head


class Hidden(Numbered, frozen=True, tag="hidden"):
    """Something that the viewer may not see; it keeps its number."""

    data: Data


class TableOpenedEvent(Numbered, frozen=True, tag="table_opened"):
    data: TableOpenedData


class SeatedEvent(Numbered, frozen=True, tag="seated"):
    data: SeatedData


class LeftEvent(Numbered, frozen=True, tag="left"):
    data: LeftData


class GameStartedEvent(Numbered, frozen=True, tag="game_started"):
    data: GameStartedData


class ActedEvent(Numbered, frozen=True, tag="acted"):
    data: ActedData


class UndoneEvent(Numbered, frozen=True, tag="undone"):
    data: UndoneData


class GameEndedEvent(Numbered, frozen=True, tag="game_ended"):
    data: GameEndedData


class SeedsRevealedEvent(Numbered, frozen=True, tag="seeds_revealed"):
    data: SeedsRevealedData


class ClockEvent(Numbered, frozen=True, tag="clock"):
    data: ClockData


class TimedOutEvent(Numbered, frozen=True, tag="timed_out"):
    data: TimedOutData


class UnknownEvent(Numbered, frozen=True, tag="unknown"):
    data: NoteData


class RulesChangedEvent(Numbered, frozen=True, tag="rules_changed"):
    data: RulesChangedData


class SpectatorsDelayedEvent(Numbered, frozen=True, tag="spectators_delayed"):
    data: SpectatorsDelayedData


class LogCutEvent(Numbered, frozen=True, tag="log_cut"):
    data: LogCutData


class PoliciesEvent(Numbered, frozen=True, tag="policies"):
    data: PoliciesData


class HandedOverEvent(Numbered, frozen=True, tag="handed_over"):
    data: HandedOverData


class TakenOverEvent(Numbered, frozen=True, tag="taken_over"):
    data: TakenOverData


class ReservedEvent(Numbered, frozen=True, tag="reserved"):
    data: ReservedData


class ReadyEvent(Numbered, frozen=True, tag="ready"):
    data: ReadyData


class RetiredEvent(Numbered, frozen=True, tag="retired"):
    data: RetiredData


class StoodInEvent(Numbered, frozen=True, tag="stood_in"):
    data: StoodInData


class ReturnedEvent(Numbered, frozen=True, tag="returned"):
    data: ReturnedData


class ReplacedEvent(Numbered, frozen=True, tag="replaced"):
    data: ReplacedData


class ConsentEvent(Numbered, frozen=True, tag="consent"):
    data: ConsentData


class TimeGivenEvent(Numbered, frozen=True, tag="time_given"):
    data: TimeGivenData


class ResetData(msgspec.Struct, frozen=True):
    view: TableView


class Reset(msgspec.Struct, frozen=True, tag="reset"):
    """No event, but the table as it is, for who was told of rows that the log has lost; the next event is behind `seq`."""

    seq: int
    head: Head
    data: ResetData


EventBody = (
    Hidden | TableOpenedEvent | SeatedEvent | LeftEvent | GameStartedEvent | ActedEvent | UndoneEvent | GameEndedEvent
    | RulesChangedEvent | SpectatorsDelayedEvent | SeedsRevealedEvent | PoliciesEvent | HandedOverEvent | ReservedEvent
    | ReadyEvent | RetiredEvent | StoodInEvent | ReturnedEvent | ReplacedEvent | TakenOverEvent | ConsentEvent | TimeGivenEvent
    | ClockEvent | TimedOutEvent | LogCutEvent | UnknownEvent
)


class Accepted(msgspec.Struct, frozen=True):
    """The answer to everything that changes a table: the events that it made, as the caller may see them."""

    seq: int
    head: Head
    events: list[EventBody]
    view: TableView | UnsetType = UNSET


class EventPage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    events: list[EventBody]
    next: int | None


def untold(title: AnyTitle, event: Event) -> UnsetType:
    """No story."""
    return UNSET


def event_body(
    entry: Entry, audience: int, history: History, view: TableView | UnsetType = UNSET
) -> EventBody:
    """The event as the audience may see it. history: the table then or later."""
    return body_of(entry.row.seen(history.shown(entry.version), audience), entry, history.title, view, lines)


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


def place_of(row: TableOpened) -> TournamentPlace | UnsetType:
    if not isinstance(row, OpenedFor):
        return UNSET
    return TournamentPlace(ids.encode(UUID(bytes=row.tournament)), row.stage, row.round, row.board)


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
