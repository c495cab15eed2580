"""Routes to create, list, change, open, close and cancel tournaments."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Response, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter
from msgspec import Meta

from ludarium.accounts.access import Access, Player
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.names import checked_line
from ludarium.http.operations import operation
from ludarium.http.parameters import Key, Page, Ruleset
from ludarium.http.rate_limits import NEWCOMER
from ludarium.moderation.acts import Moderation
from ludarium.platform import ids
from ludarium.platform.idempotency import Identity, digest, identity_of
from ludarium.platform.problems import Problem
from ludarium.projections.registry import Projections
from ludarium.tables.commands import stream_of
from ludarium.tables.model.hash_chain import commitment
from ludarium.tournaments import player_commands
from ludarium.tournaments.events import Drafted, Entered, Returned, Status, Substituted, TournamentOpened
from ludarium.tournaments.plan import PlanBody, new_plan
from ludarium.tournaments.schemas.tournaments import (
    ActBody,
    Seq,
    TournamentBody,
    TournamentPage,
    TournamentSummary,
    tournament_body,
)
from ludarium.tournaments.store import CommandResult, TournamentStore
from ludarium.tournaments.texts import Text, Texts
from ludarium_pairing.model import VERSION

MOST_HELD = 20
"""Maximum number of unfinished tournaments per owner."""
LONGEST_TITLE, LONGEST_LINE, MOST_LINES = 80, 500, 40
TournamentStoreDep = NamedDependency[TournamentStore]
TextsDep = NamedDependency[Texts]
Caller = NamedDependency[Player]
Visitor = NamedDependency[Access | None]
TournamentId = Annotated[str, PathParameter(description="The tournament's id.", schema_extra={"pattern": ids.PATTERN})]
READ = ("not-found", "log-damaged", "newer-release")
CHANGED = (*READ, "busy", "key-reused")
DESK = (*CHANGED, "forbidden", "stale-desk", "future-sequence")
GIVEN = ("unknown-ruleset", "invalid-tournament", "no-game-points", "invalid-options", "invalid-policies", "invalid-seats",
         "unknown-bot", "unkind-words")  # fmt: skip
EXAMPLE = {
    "title": "Friday swiss", "plan": {
        "tables": {"ruleset": "game-of-kingdoms"}, "stages": [{"format": "swiss", "seats": 2, "rounds": 3}],
    },
}  # fmt: skip


class NewTournament(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A tournament to create.

    `title` is one line, `about` the description. If the plan's `entrance` is `code`, players need the `code` to enter.
    """

    title: Annotated[str, Meta(min_length=1, max_length=LONGEST_TITLE)]
    plan: PlanBody
    about: Annotated[str, Meta(max_length=4000)] = ""
    code: Annotated[str, Meta(max_length=64)] = ""


class TournamentChange(NewTournament, frozen=True, kw_only=True):
    """The new settings of a tournament, which replace all old ones."""

    expected_seq: Seq


class DeskAct(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A command of a host.

    `expected_seq` is the version of the last change of the part that the command concerns, or a later version. The
    responses about that part contain it.
    """

    expected_seq: Seq


def done_body(done: CommandResult) -> ActBody:
    """Return the response to a command, which is the same for a repeated request."""
    match done.event:
        case Entered(entry=entry) | Returned(entry=entry) | Substituted(entry=entry):
            return ActBody(done.version, entry=entry)
        case Drafted(round=round):
            return ActBody(done.version, round=round)
        case _:
            return ActBody(done.version)


def text_id(tournaments: TournamentStore, stream: UUID, identity: Identity | None) -> UUID:
    """Return the id for a text, which is the same for a repeated request."""
    if identity is None:
        return ids.new_id(tournaments.entropy, "text", stream)
    return UUID(bytes=digest(stream.bytes + identity.key.bytes + identity.request, 16))


def text_of(data: NewTournament) -> Text:
    """Validate and return the texts of a tournament.

    Raises:
        Problem: `invalid-request`, `unkind-words`.
    """
    lines = data.about.splitlines()[:MOST_LINES]
    about = "\n".join(checked_line(line, LONGEST_LINE, "/about") if line.strip() else "" for line in lines)
    return Text(checked_line(data.title, LONGEST_TITLE, "/title"), about, data.code)


# --- the tournament -----------------------------------------------------------------------------------------------------
@post(
    "/tournaments", tags=["tournaments"], status_code=201,
    opt=operation(
        "key-reused", "too-many-tournaments", "draining", *GIVEN, need="tournaments:host", rate=NEWCOMER,
        headers=("Location",), example=EXAMPLE,
    ),
)  # fmt: skip
async def create_tournament(
    data: JSONBody[NewTournament], player: Caller, tournaments: TournamentStoreDep, texts: TextsDep,
    accounts: NamedDependency[Accounts], projections: NamedDependency[Projections], moderation: NamedDependency[Moderation],
    key: Key = None,
) -> Response[TournamentBody]:  # fmt: skip
    """Create a tournament. Players can enter once it is opened.

    You become its owner. docs/hosts.md explains all steps up to the final.
    """
    plan, text = new_plan(data.plan), text_of(data)
    if await projections.unfinished_tournaments(player.id) >= MOST_HELD:
        raise Problem("too-many-tournaments")
    await moderation.check_not_draining()
    stream = await accounts.keys.made(identity_of(key, player.id, data), "tournament", player.id)
    words, secret = UUID(bytes=digest(b"title" + stream.bytes, 16)), tournaments.entropy.draw(32, "tournament", stream)
    await texts.save(words, stream, text, player.id)
    opened = TournamentOpened(commitment(secret), player.id, msgspec.to_builtins(plan), words.bytes, VERSION)
    await tournaments.open(stream, opened, secret)
    body = tournament_body(await tournaments.fresh(stream), text)
    return Response(body, status_code=201, headers={"location": f"/api/v1/tournaments/{body.id}"})


@get("/tournaments", tags=["tournaments"])
async def list_tournaments(
    projections: NamedDependency[Projections], texts: TextsDep, status: FromQuery[Status | None] = None,
    ruleset: Ruleset = None, after: Page = None, limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> TournamentPage:  # fmt: skip
    """List tournaments, the newest first.

    Tournaments whose registration was never opened are not listed.
    """
    found = await projections.tournaments(status, ruleset, after, limit)
    said = await texts.by_id([one.text for one in found])
    shown = await projections.featured([one.id for one in found])
    listed = [
        TournamentSummary(
            ids.encode(one.id), said.get(one.text, Text("")).title, one.status, one.ruleset, one.owner, one.entries,
            [*map(ids.encode, shown.get(one.id, ()))],
        )
        for one in found
    ]
    return TournamentPage(listed, listed[-1].id if len(listed) == limit else None)


@patch(
    "/tournaments/{tournament_id:str}", tags=["tournaments"],
    opt=operation(
        *DESK, *GIVEN, "tournament-over", "tournament-begun", "rated-too-late", need="tournaments:host",
        example={**EXAMPLE, "expected_seq": 0},
    ),
)  # fmt: skip
async def change_tournament(
    tournament_id: TournamentId, data: JSONBody[TournamentChange], player: Caller, tournaments: TournamentStoreDep,
    texts: TextsDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Replace all settings of a tournament.

    This is possible until its first round is drafted.
    """
    plan, text, stream = new_plan(data.plan), text_of(data), stream_of(tournament_id)
    identity = identity_of(key, player.id, (tournament_id, data))
    words = text_id(tournaments, stream, identity)
    await known(tournaments, stream)
    await texts.save(words, stream, text, player.id)
    return done_body(await tournaments.change(
        stream, lambda s: player_commands.change_plan(s, player.id, data.expected_seq, plan, words.bytes), identity
    ))  # fmt: skip


async def known(tournaments: TournamentStore, stream: UUID) -> None:
    """Check that a tournament exists, before a text about it is stored.

    Raises:
        Problem: `not-found`.
    """
    await tournaments.fresh(stream)


# --- who may enter ------------------------------------------------------------------------------------------------------
async def set_status(
    tournaments: TournamentStore, tournament_id: str, player: str, data: DeskAct, status: Status, key: str | None
) -> ActBody:
    identity = identity_of(key, player, (tournament_id, status, data))
    stream = stream_of(tournament_id)
    return done_body(await tournaments.change(
        stream, lambda s: player_commands.set_status(s, player, data.expected_seq, status), identity
    ))  # fmt: skip


@post(
    "/tournaments/{tournament_id:str}/open", tags=["tournaments"], status_code=200,
    opt=operation(*DESK, "tournament-over", need="tournaments:host", example={"expected_seq": 0}),
)  # fmt: skip
async def open_tournament(
    tournament_id: TournamentId, data: JSONBody[DeskAct], player: Caller, tournaments: TournamentStoreDep, key: Key = None
) -> ActBody:
    """Open the registration.

    From then on the tournament is listed. You can open it again between rounds for late entries.
    """
    return await set_status(tournaments, tournament_id, player.id, data, "open", key)


@post(
    "/tournaments/{tournament_id:str}/close", tags=["tournaments"], status_code=200,
    opt=operation(*DESK, "tournament-over", need="tournaments:host", example={"expected_seq": 0}),
)  # fmt: skip
async def close_tournament(
    tournament_id: TournamentId, data: JSONBody[DeskAct], player: Caller, tournaments: TournamentStoreDep, key: Key = None
) -> ActBody:
    """Close the registration.

    After that the first round can be drafted.
    """
    return await set_status(tournaments, tournament_id, player.id, data, "closed", key)


@post(
    "/tournaments/{tournament_id:str}/cancel", tags=["tournaments"], status_code=200,
    opt=operation(*DESK, "tournament-over", need="tournaments:host", example={"expected_seq": 0}),
)  # fmt: skip
async def cancel_tournament(
    tournament_id: TournamentId, data: JSONBody[DeskAct], player: Caller, tournaments: TournamentStoreDep, key: Key = None
) -> ActBody:
    """Cancel a tournament permanently.

    Running games end without a result.
    """
    return await set_status(tournaments, tournament_id, player.id, data, "cancelled", key)
