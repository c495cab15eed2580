"""Routes for time in a tournament: pauses, autopilot, delay and featured tables."""

from typing import Annotated

from litestar import post, put
from litestar.params import JSONBody
from msgspec import Meta

from ludarium.accounts.names import checked_line
from ludarium.http.operations import operation
from ludarium.http.parameters import Key
from ludarium.platform.idempotency import identity_of
from ludarium.tables.commands import stream_of
from ludarium.tournaments import player_commands, time_commands
from ludarium.tournaments.plan import DAY
from ludarium.tournaments.routes.corrections import RULING
from ludarium.tournaments.routes.rounds import BOARD, BY_BOARD, LONGEST, BoardDep, Number, Reason, with_reason
from ludarium.tournaments.routes.tournaments import (
    DESK,
    Caller,
    DeskAct,
    TextsDep,
    TournamentId,
    TournamentStoreDep,
    done_body,
    known,
    text_id,
)
from ludarium.tournaments.schemas.tournaments import ActBody
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.texts import Text

AT_BOARD = (*RULING, "round-not-published", "round-closed")
OF_ALL = (*RULING, "tournament-over")


class PauseAct(DeskAct, frozen=True, kw_only=True):
    """A pause, with a public reason."""

    reason: Reason


class TimeAct(DeskAct, frozen=True, kw_only=True):
    """Time to give to an entry, with a public reason."""

    entry: Number
    seconds: Annotated[int, Meta(ge=1, le=time_commands.MOST_TIME)]
    reason: Reason


class FeatureAct(DeskAct, frozen=True, kw_only=True):
    """Whether a table is featured, which means that it is shown first."""

    featured: bool


class AutopilotAct(DeskAct, frozen=True, kw_only=True):
    """Settings of the autopilot.

    `rest` is the number of seconds from the close of a round until the next one is drafted and published. `settle` is
    the number of seconds from the end of a round's last table until the round is closed. Less than 900 shortens the
    time in which players can dispute results.
    """

    on: bool
    rest: Annotated[int, Meta(ge=0, le=60 * DAY)] = 60
    settle: Annotated[int, Meta(ge=0, le=60 * DAY)] = 900


class DelayAct(DeskAct, frozen=True, kw_only=True):
    """A delay for spectators, in events and in seconds; the longer one applies.

    If both are 0, the plan decides.
    """

    events: Annotated[int, Meta(ge=0, le=1000)] = 0
    seconds: Annotated[int, Meta(ge=0, le=DAY)] = 0


# --- all of it ----------------------------------------------------------------------------------------------------------
@post(
    "/tournaments/{tournament_id:str}/pause", tags=["tournaments"], status_code=200,
    opt=operation(
        *OF_ALL, "desk-paused", need="tournaments:host", example={"expected_seq": 0, "reason": "The hall is cleared"}
    ),
)  # fmt: skip
async def pause_tournament(
    tournament_id: TournamentId, data: JSONBody[PauseAct], player: Caller, tournaments: TournamentStoreDep, texts: TextsDep,
    key: Key = None,
) -> ActBody:  # fmt: skip
    """Pause a tournament, as an official.

    All clocks pause, players cannot act, and nothing begins or is published. When the tournament resumes, all scheduled
    times have moved by the length of the pause.
    """
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, "pause", data))
    words, reason = text_id(tournaments, stream, identity), Text(checked_line(data.reason, LONGEST, "/reason"))
    await known(tournaments, stream)
    await texts.save(words, stream, reason, player.id)
    return done_body(await tournaments.change(
        stream, lambda s: time_commands.pause(s, player.id, data.expected_seq, words.bytes), identity
    ))  # fmt: skip


@post(
    "/tournaments/{tournament_id:str}/resume", tags=["tournaments"], status_code=200,
    opt=operation(*OF_ALL, "not-paused", need="tournaments:host", example={"expected_seq": 0}),
)  # fmt: skip
async def resume_tournament(
    tournament_id: TournamentId, data: JSONBody[DeskAct], player: Caller, tournaments: TournamentStoreDep, key: Key = None
) -> ActBody:
    """Resume a tournament.

    Tables that were paused separately stay paused.
    """
    identity = identity_of(key, player.id, (tournament_id, "resume", data))
    return done_body(await tournaments.change(
        stream_of(tournament_id), lambda s: time_commands.resume(s, player.id, data.expected_seq), identity
    ))  # fmt: skip


@put(
    "/tournaments/{tournament_id:str}/autopilot", tags=["tournaments"],
    opt=operation(*DESK, "tournament-over", need="tournaments:host", example={"expected_seq": 0, "on": True}),
)  # fmt: skip
async def set_autopilot(
    tournament_id: TournamentId, data: JSONBody[AutopilotAct], player: Caller, tournaments: TournamentStoreDep, key: Key = None
) -> ActBody:
    """Switch the autopilot of a tournament on or off.

    It closes the registration at the plan's `starts_at`, then drafts, publishes and closes rounds. Hosts can take these
    steps themselves at any time. The autopilot does not change drafts that were made by hand.
    """
    identity = identity_of(key, player.id, (tournament_id, "autopilot", data))
    return done_body(await tournaments.change(
        stream_of(tournament_id),
        lambda s: time_commands.set_autopilot(s, player.id, data.expected_seq, data.on, data.rest, data.settle), identity,
    ))  # fmt: skip


@put(
    "/tournaments/{tournament_id:str}/delay", tags=["tournaments"],
    opt=operation(*DESK, "tournament-over", need="tournaments:host", example={"expected_seq": 0, "seconds": 300}),
)  # fmt: skip
async def set_delay(
    tournament_id: TournamentId, data: JSONBody[DelayAct], player: Caller, tournaments: TournamentStoreDep, key: Key = None
) -> ActBody:
    """Set the delay with which spectators see the tables of a tournament.

    It applies to tables that are opened from now on, unless their policies exclude spectators.
    """
    identity = identity_of(key, player.id, (tournament_id, "delay", data))
    return done_body(await tournaments.change(
        stream_of(tournament_id), lambda s: time_commands.set_delay(s, player.id, data.expected_seq, data.events, data.seconds),
        identity,
    ))  # fmt: skip


# --- one table ----------------------------------------------------------------------------------------------------------
@post(
    f"{BOARD}/pause", tags=["tournaments"], status_code=200,
    dependencies=BY_BOARD,
    opt=operation(
        *AT_BOARD, "game-over", "desk-paused", need="tournaments:host",
        example={"expected_seq": 0, "reason": "A card is missing"},
    ),
)  # fmt: skip
async def pause_board(
    place: BoardDep, data: JSONBody[PauseAct],
    player: Caller, tournaments: TournamentStoreDep, texts: TextsDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Pause one table, as an official who does not play there.

    Its clocks pause until it is resumed, and its time limit moves by the length of the pause.
    """
    identity = place.identity(key, player.id, "pause", data)
    return await with_reason(
        tournaments, texts, player.id, place, data.reason, identity,
        lambda s, at, there, said: time_commands.pause_board(s, player.id, at, there, data.expected_seq, said),
    )


@post(
    f"{BOARD}/resume", tags=["tournaments"], status_code=200,
    dependencies=BY_BOARD,
    opt=operation(*AT_BOARD, "game-over", "not-paused", need="tournaments:host", example={"expected_seq": 0}),
)  # fmt: skip
async def resume_board(
    place: BoardDep, data: JSONBody[DeskAct],
    player: Caller, tournaments: TournamentStoreDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Resume one table.

    While the whole tournament is paused, the table stays paused until the tournament resumes.
    """
    identity = place.identity(key, player.id, "resume", data)

    def decide(state: TournamentState) -> player_commands.Events:
        return time_commands.resume_board(state, player.id, *place.find(state), data.expected_seq)

    return done_body(await tournaments.change(place.stream, decide, identity))


@post(
    f"{BOARD}/time", tags=["tournaments"], status_code=200,
    dependencies=BY_BOARD,
    opt=operation(
        *AT_BOARD, "game-over", "game-not-started", "not-seated", "no-clock", need="tournaments:host",
        example={"expected_seq": 0, "entry": 1, "seconds": 15, "reason": "The lights went out"},
    ),
)  # fmt: skip
async def add_board_time(
    place: BoardDep, data: JSONBody[TimeAct],
    player: Caller, tournaments: TournamentStoreDep, texts: TextsDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Give time to a player of a table, as an official who does not play there.

    The time is added to the player's clock, if the table has clocks, and to the table's time limit, if it has one.
    """
    identity = place.identity(key, player.id, "time", data)
    return await with_reason(
        tournaments, texts, player.id, place, data.reason, identity,
        lambda s, at, there, said: time_commands.add_time(
            s, player.id, at, there, data.expected_seq, data.entry, data.seconds, said
        ),
    )


@put(
    f"{BOARD}/featured", tags=["tournaments"],
    dependencies=BY_BOARD,
    opt=operation(*AT_BOARD, "too-many-featured", need="tournaments:host", example={"expected_seq": 0, "featured": True}),
)  # fmt: skip
async def feature_board(
    place: BoardDep, data: JSONBody[FeatureAct],
    player: Caller, tournaments: TournamentStoreDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Feature a table, or stop featuring it.

    During the round, the tournament and the list of tournaments show it first.
    """
    identity = place.identity(key, player.id, data)

    def decide(state: TournamentState) -> player_commands.Events:
        return time_commands.feature(state, player.id, *place.find(state), data.expected_seq, data.featured)

    return done_body(await tournaments.change(place.stream, decide, identity))
