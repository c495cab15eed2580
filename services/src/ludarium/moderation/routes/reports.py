"""The route for players' reports to the moderators."""

from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from ludarium.accounts.access import Player
from ludarium.accounts.accounts import Accounts
from ludarium.http.operations import operation
from ludarium.http.parameters import Key
from ludarium.moderation import reports
from ludarium.moderation.lookups import PlayerLookup
from ludarium.moderation.reports import MAX_TEXT_LENGTH, Reason, Report, ReportSubject
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.idempotency import identity_of
from ludarium.platform.problems import FieldError, Problem
from ludarium.tables.chat import Chat
from ludarium.tables.commands import stream_of
from ludarium.tables.model.access import check_may_find
from ludarium.tables.routes.chat import check_hearing
from ludarium.tables.service import Tables
from ludarium.tournaments.listed_names import ListedNames
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.store import TournamentStore

Id = Annotated[str, Meta(pattern=ids.PATTERN)]


class NewReport(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A report about a player, a table, or a text at that table.

    If the report is about a text, its author is the reported player.

    - `tournament` is set to report the name under which a host lists the player there.
    - `message` is a chat message.
    - `writing` is a comment or shared study.
    - `text` is the reporter's own description.
    """

    reason: Reason
    player: Id | None = None
    table: Id | None = None
    message: Id | None = None
    writing: Id | None = None
    tournament: Id | None = None
    text: Annotated[str, Meta(max_length=MAX_TEXT_LENGTH)] = ""


@post(
    "/reports", tags=["players"], status_code=201,
    opt=operation(
        "not-found", "forbidden", "deal-running", "log-damaged", "superseded-rules", "no-such-player", "too-many-reports",
        "key-reused", "newer-release",
        need="me:write", example={"reason": "insult", "player": ids.EXAMPLE},
    ),
)  # fmt: skip
async def create_report(
    data: JSONBody[NewReport], player: NamedDependency[Player], people: NamedDependency[Database],
    accounts: NamedDependency[Accounts], tables: NamedDependency[Tables], chat: NamedDependency[Chat],
    known: NamedDependency[PlayerLookup], listed_names: NamedDependency[ListedNames],
    tournaments: NamedDependency[TournamentStore],
    key: Key = None,
) -> Report:  # fmt: skip
    """Report a player, a table, a message, or a listed name to the moderators.

    Only the moderators see who made the report. You can make at most 20 reports a day.
    """
    check_fields(data)
    if data.player is not None and data.player not in await accounts.named([data.player]):
        raise Problem("no-such-player")
    about = ReportSubject(data.player)
    if data.player is not None and data.tournament is not None:
        tournament = await tournaments.fresh(stream_of(data.tournament))
        about = await listed_name_subject(listed_names, tournament, data.player, player.id)
    if data.table is not None:
        table = await tables.cache.fresh(stream_of(data.table))
        proof = await tables.queries.proof(table, player.id)
        check_may_find(table, player.id, proof)
        about = ReportSubject(data.player, table.stream)
        if data.message is not None:
            said = await chat.found(table.stream, stream_of(data.message))
            check_hearing(table, player.id, said.room, proof)
            about = ReportSubject(said.player, table.stream, stream_of(said.id))
        if data.writing is not None:
            author = await author_of(known, data.writing, table.stream)
            about = ReportSubject(author, table.stream, stream_of(data.writing))
    made = await accounts.keys.made(identity_of(key, player.id, data), "report", player.id)
    return await reports.create_report(people, made, player.id, data.reason, data.text or None, about)


async def listed_name_subject(listed_names: ListedNames, state: TournamentState, player: str, reporter: str) -> ReportSubject:
    """Return a player's listed name in a tournament as the subject of a report.

    Until the player accepts an invitation, only the player can report the name.

    Raises:
        Problem: `not-found`.
    """
    name = (await listed_names.by_player(state.stream)).get(player)
    if name is None or (reporter != player and state.entrant_of(player) is None):
        raise Problem("not-found")
    return ReportSubject(player, tournament=state.stream, listed_name=name)


async def author_of(known: PlayerLookup, writing: str, table: UUID) -> str:
    """Return the author of a comment or study.

    Raises:
        Problem: `not-found`.
    """
    author = await known.author(writing, table)
    if author is None:
        raise Problem("not-found")
    return author


def is_misplaced(wanted: NewReport) -> bool:
    """Return whether a report of a listed name lacks the player or names a table."""
    return wanted.tournament is not None and (wanted.player is None or wanted.table is not None)


def check_fields(wanted: NewReport) -> None:
    """Check that the fields of the report fit together.

    Raises:
        Problem: `invalid-request`.
    """
    wrong: dict[str, Any] = {}
    if wanted.player is None and wanted.table is None:
        wrong["/player"] = "a player or a table"
    if wanted.message is not None and (wanted.table is None or wanted.player is not None):
        wrong["/message"] = "with its table, and without a player"
    if wanted.writing is not None and (wanted.table is None or wanted.player is not None or wanted.message is not None):
        wrong["/writing"] = "with its table, and without a player or a message"
    if is_misplaced(wanted):
        wrong["/tournament"] = "with the player who is listed there, and without a table"
    if any(letter != "\n" and not letter.isprintable() for letter in wanted.text):
        wrong["/text"] = "visible characters and line breaks"
    if wrong:
        raise Problem("invalid-request", errors=[FieldError(*each) for each in wrong.items()])
