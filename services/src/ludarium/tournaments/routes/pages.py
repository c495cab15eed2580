"""Routes for the public pages of a tournament.

If a page depends only on the log, its ETag is made from the newest event.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from cachetools import LRUCache
from litestar import MediaType, Request, Response, get
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter

from ludarium.accounts.accounts import Accounts
from ludarium.http.answers import etag_of, is_known, kept
from ludarium.http.negotiation import locale_of
from ludarium.http.operations import operation
from ludarium.platform.problems import Problem
from ludarium.tables.commands import stream_of
from ludarium.tournaments.csv_export import sheet
from ludarium.tournaments.explanations import explanation_body
from ludarium.tournaments.listed_names import ListedNames
from ludarium.tournaments.routes.entries import EntryNumber
from ludarium.tournaments.routes.invitations import ListedNamesDep
from ludarium.tournaments.routes.rounds import DraftsDep, role_of
from ludarium.tournaments.routes.tournaments import READ, TextsDep, TournamentId, TournamentStoreDep, Visitor
from ludarium.tournaments.schemas.tournaments import (
    BracketBody,
    CrosstableBody,
    StandingsBody,
    TournamentBody,
    WhyBody,
    bracket_body,
    crosstable_body,
    standings_body,
    tournament_body,
)
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.stream_export import StreamBody, export_stream

PAGES: LRUCache[str, bytes] = LRUCache(500)
"""A cache of pages, computed once for each event that can change them."""
AnyRequest = Request[Any, Any, Any]
StageOf = Annotated[int | None, QueryParameter(name="stage", ge=1, le=5, description="By default the newest one.")]
AfterRound = Annotated[
    int | None, QueryParameter(ge=0, le=1000, description="After so many rounds; by default with all that is known.")
]
CSV = "text/csv"


def page_of(request: AnyRequest, state: TournamentState, make: Callable[[], msgspec.Struct], *what: object) -> Response[Any]:
    etag = etag_of(state.id, state.hash.hex()[:16], *what)
    headers = {"cache-control": "no-cache", "etag": etag}
    if is_known(request, etag):
        return Response(None, status_code=304, headers=headers)
    if etag not in PAGES:
        PAGES[etag] = msgspec.json.encode(make())
    return Response(PAGES[etag], media_type=MediaType.JSON, headers=headers)


def stage_in(state: TournamentState, wanted: int | None) -> int:
    """Return the stage to show, by default the newest.

    Raises:
        Problem: `not-found`.
    """
    stage = wanted or state.stage
    if stage > state.stage:
        raise Problem("not-found")
    return stage


@get("/tournaments/{tournament_id:str}", tags=["tournaments"], opt=operation(*READ, headers=("ETag",), tells=TournamentBody))
async def get_tournament(
    request: AnyRequest, tournament_id: TournamentId, tournaments: TournamentStoreDep, texts: TextsDep
) -> Response[TournamentBody]:
    """Get a tournament: its plan, officials and progress.

    Hosts send `plan_seq` or `status_seq` as the `expected_seq` of their commands.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    paused = state.times.paused
    reasons = await texts.by_id([UUID(bytes=paused.text)] if paused else [])
    body = tournament_body(state, await texts.get(state.text), reasons, await tournaments.unopened(state))
    return await kept(request, msgspec.json.encode(body), MediaType.JSON, {})


@get(
    "/tournaments/{tournament_id:str}/standings", tags=["tournaments"],
    opt=operation(*READ, headers=("ETag",), tells=StandingsBody),
)  # fmt: skip
async def get_standings(
    request: AnyRequest, tournament_id: TournamentId, tournaments: TournamentStoreDep, stage: StageOf = None,
    after_round: AfterRound = None,
) -> Response[StandingsBody]:  # fmt: skip
    """Get the standings of a stage, with the tie-breaks that decided.

    They are computed from the log. During a round, its finished tables count.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    at = stage_in(state, stage)
    return page_of(request, state, lambda: standings_body(state, at, after_round), "standings", at, after_round)


@get(
    "/tournaments/{tournament_id:str}/standings/{entry:int}/why", tags=["tournaments"],
    opt=operation(*READ, "pairing-invalid", headers=("ETag", "Content-Language"), tells=WhyBody),
)  # fmt: skip
async def explain_standing(
    request: AnyRequest, tournament_id: TournamentId, entry: EntryNumber, visitor: Visitor, tournaments: TournamentStoreDep,
    drafts: DraftsDep, stage: StageOf = None,
) -> Response[WhyBody]:  # fmt: skip
    """Explain the place and the pairing of an entry in sentences.

    They are in the language of Accept-Language. The owner and hosts also get the explanation of a draft.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    at, locale = stage_in(state, stage), locale_of(request.scope)
    draft = state.current
    if draft and draft.stage == at and draft.published is None and role_of(state, visitor) in ("owner", "host"):
        told = explanation_body(state, at, entry, locale, await drafts.pairing(state, draft))
        answer = await kept(request, msgspec.json.encode(told), "application/json", {})
    else:
        answer = page_of(request, state, lambda: explanation_body(state, at, entry, locale), "why", at, entry, locale)
    answer.headers["content-language"] = locale
    return answer


@get(
    "/tournaments/{tournament_id:str}/crosstable", tags=["tournaments"],
    opt=operation(*READ, headers=("ETag",), tells=CrosstableBody),
)  # fmt: skip
async def get_crosstable(
    request: AnyRequest, tournament_id: TournamentId, tournaments: TournamentStoreDep, stage: StageOf = None
) -> Response[CrosstableBody]:
    """Get the results of every entry in every round of a stage.

    Each result has the opponents and the units.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    at = stage_in(state, stage)
    return page_of(request, state, lambda: crosstable_body(state, at), "crosstable", at)


@get(
    "/tournaments/{tournament_id:str}/bracket", tags=["tournaments"],
    opt=operation(*READ, headers=("ETag",), tells=BracketBody),
)  # fmt: skip
async def get_bracket(
    request: AnyRequest, tournament_id: TournamentId, tournaments: TournamentStoreDep, stage: StageOf = None
) -> Response[BracketBody]:
    """Get all rounds of a stage, with opponents and places.

    A client can draw a bracket from this.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    at = stage_in(state, stage)
    return page_of(request, state, lambda: bracket_body(state, at), "bracket", at)


@get("/tournaments/{tournament_id:str}/stream", tags=["tournaments"], opt=operation(*READ, headers=("ETag",), tells=StreamBody))
async def list_tournament_rows(
    request: AnyRequest, tournament_id: TournamentId, tournaments: TournamentStoreDep
) -> Response[StreamBody]:
    """Get all events of a tournament.

    To verify them, save the response and run `ludarium tournament verify FILE`.
    """
    stream = stream_of(tournament_id)
    state = await tournaments.fresh(stream)
    rows = await tournaments.store.read(stream, limit=state.version + 1)
    return page_of(request, state, lambda: export_stream(stream, rows), "stream")


@get(
    "/tournaments/{tournament_id:str}/sheets/{sheet_name:str}", tags=["tournaments"], media_type=CSV,
    opt=operation(*READ),
)  # fmt: skip
async def get_tournament_sheet(
    tournament_id: TournamentId,
    sheet_name: Annotated[Literal["entries", "pairings", "standings", "crosstable"], PathParameter()],
    tournaments: TournamentStoreDep,
    accounts: NamedDependency[Accounts],
    listed_names: ListedNamesDep,
    stage: StageOf = None,
) -> Response[str]:
    """Get the data of a stage for a spreadsheet, as CSV.

    The sheet is `entries`, `pairings`, `standings` or `crosstable`. Values that a spreadsheet would treat as formulas
    begin with an apostrophe.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    at = stage_in(state, stage)
    return Response(sheet(state, sheet_name, at, await names_of(accounts, listed_names, state)), media_type=CSV)


async def names_of(accounts: Accounts, listed_names: ListedNames, state: TournamentState) -> dict[int, str]:
    """Return names by entry: the listed name, or else the player's own name.

    The name is "" if the player was deleted.
    """
    named = await accounts.named(entrant.player for entrant in state.entrants.values())
    shown = {player: one.name for player, one in named.items()} | await listed_names.by_player(state.stream)
    return {number: shown.get(entrant.player, "") for number, entrant in state.entrants.items()}
