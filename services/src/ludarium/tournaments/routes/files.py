"""Routes for a tournament's files: pictures, the TRF report, and records of games."""

from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter
from litestar.response import Stream

from ludarium.accounts.accounts import Accounts
from ludarium.http.answers import kept
from ludarium.http.operations import operation
from ludarium.http.parameters import Page
from ludarium.http.rate_limits import BULK
from ludarium.live.stream_outlet import NDJSON
from ludarium.platform import ids
from ludarium.platform.metering import in_thread
from ludarium.platform.problems import Problem
from ludarium.records.record import record_of
from ludarium.tables.commands import stream_of
from ludarium.tables.model.access import may_see
from ludarium.tables.service import Tables
from ludarium.tables.table_cache import UNREADABLE
from ludarium.tournaments.derived import history_of
from ludarium.tournaments.groups import playing_groups, stage_settings
from ludarium.tournaments.pictures import picture
from ludarium.tournaments.plan import MOST_GROUPS
from ludarium.tournaments.routes.invitations import ListedNamesDep
from ludarium.tournaments.routes.pages import StageOf, names_of, stage_in
from ludarium.tournaments.routes.tournaments import READ, TextsDep, TournamentId, TournamentStoreDep
from ludarium.tournaments.state_parts import Board
from ludarium_engine.kernel import SPECTATOR
from ludarium_pairing.errors import Refused
from ludarium_pairing.trf import report

SVG, TRF = "image/svg+xml", "text/plain"
GUARD = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""When opened directly, a picture runs no scripts and loads nothing."""
MOST_RECORDS = 100
GroupOf = Annotated[int | None, QueryParameter(ge=1, le=MOST_GROUPS, description="Of a stage of groups, which one.")]


@get(
    "/tournaments/{tournament_id:str}/pictures/{picture_name:str}", tags=["tournaments"], media_type=SVG,
    opt=operation(*READ, headers=("ETag", "Content-Security-Policy")),
)  # fmt: skip
async def get_tournament_picture(
    request: Request[Any, Any, Any],
    tournament_id: TournamentId,
    picture_name: Annotated[Literal["standings", "bracket"], PathParameter()],
    tournaments: TournamentStoreDep,
    texts: TextsDep,
    accounts: NamedDependency[Accounts],
    listed_names: ListedNamesDep,
    stage: StageOf = None,
) -> Response[str]:
    """Get the `standings` or the `bracket` of a stage as an SVG image.

    Use it for web pages and video streams: it is always up to date, and contains no scripts.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    at, title = stage_in(state, stage), (await texts.get(state.text)).title
    names = await names_of(accounts, listed_names, state)
    drawn = await in_thread(picture, state, picture_name, at, title, names)
    return await kept(request, drawn, SVG, {"content-security-policy": GUARD})


@get(
    "/tournaments/{tournament_id:str}/report", tags=["tournaments"], media_type=TRF,
    opt=operation(*READ, "no-report", headers=("ETag", "Content-Disposition")),
)  # fmt: skip
async def get_tournament_report(
    request: Request[Any, Any, Any], tournament_id: TournamentId, tournaments: TournamentStoreDep, texts: TextsDep,
    accounts: NamedDependency[Accounts], listed_names: ListedNamesDep, stage: StageOf = None, group: GroupOf = None,
) -> Response[str]:  # fmt: skip
    """Get a stage with two seats per table as a TRF16 file.

    Federations and pairing programs read this format. It is not available for larger tables, or if a win is not worth
    one point. Each group has a separate file. A match of several games counts as one game.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    at, title = stage_in(state, stage), (await texts.get(state.text)).title
    names = {str(number): name for number, name in (await names_of(accounts, listed_names, state)).items()}
    field = next((field for field in playing_groups(state, at) if field.number == (group or 0)), None)
    if field is None:
        raise Problem("no-report" if group is None else "not-found")
    try:
        told = report(title, field.entries, field.own_history(history_of(state, at)), stage_settings(state, at), names)
    except Refused as refused:
        raise Problem("no-report") from refused
    nth = f"{at}-{group}" if group else str(at)
    name = f'attachment; filename="ludarium-{state.id}-{nth}.trf"'
    return await kept(request, told.encode(), TRF, {"content-disposition": name})


@get("/tournaments/{tournament_id:str}/records", tags=["tournaments"], opt=operation(*READ, rate=BULK, ndjson=True))
async def download_tournament_records(
    tournament_id: TournamentId, tournaments: TournamentStoreDep, tables: NamedDependency[Tables], after: Page = None,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_RECORDS)] = 20,
) -> Stream:  # fmt: skip
    """Stream the records of a tournament's finished games as JSON lines.

    They contain no player names, and are in order of rounds and boards. To continue, send the `table` of the last line
    as `after`. Games that spectators may not see are left out.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    boards = [board for round in state.rounds.values() for board in round.boards.values()]
    played = [game for board in boards for game in board.by_game if game.result]
    return Stream(lines(tables, boards_behind(played, after), limit), media_type=NDJSON.media_type)


def boards_behind(boards: Sequence[Board], after: str | None) -> Sequence[Board]:
    """Return the boards after the one with this table, none if there is no such board."""
    if after is None:
        return boards
    at = next((at for at, board in enumerate(boards) if board.table == ids.decode(after)), len(boards))
    return boards[at + 1 :]


async def lines(tables: Tables, boards: Sequence[Board], limit: int) -> AsyncIterator[bytes]:
    """Yield the records of up to `limit` readable games, made in threads one by one."""
    left = limit
    for board in boards:
        if not left:
            break
        if line := await line_of(tables, board):
            left -= 1
            yield line


async def line_of(tables: Tables, board: Board) -> bytes | None:
    """Return the record of a game, None if it is unreadable or closed to spectators."""
    try:
        rows = await tables.cache.events(board.table, tables.cache.lookback)
        table = await tables.cache.state_at(board.table, rows, rows[-1].version)
    except Problem as problem:
        if problem.code not in UNREADABLE:
            raise
        return None
    if not table.is_open_to_all or not may_see(table, None):
        return None
    return await tables.cache.lookback.run(len(rows), lambda: msgspec.json.encode(record_of(table, rows, SPECTATOR)) + b"\n")
