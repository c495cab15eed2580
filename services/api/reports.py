"""Reports to the moderators."""

from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from services import ids
from services.accounts import reports
from services.accounts.access import Player
from services.accounts.accounts import Accounts
from services.accounts.people import People
from services.accounts.reports import LONGEST, About, Reason, Report
from services.api.chat import check_hearing
from services.api.operations import operation
from services.api.parameters import Key
from services.database import Database
from services.idempotency import identity_of
from services.problems import FieldError, Problem
from services.tables.access import may_find
from services.tables.chat import Chat
from services.tables.commands import stream_of
from services.tables.tables import Tables

Id = Annotated[str, Meta(pattern=ids.PATTERN)]


class NewReport(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """About a player, a table, or what was said there; then the player is who said it.

    message: of the chat. writing: a comment, or a study that is shared. text: what one adds in one's own words.
    """

    reason: Reason
    player: Id | None = None
    table: Id | None = None
    message: Id | None = None
    writing: Id | None = None
    text: Annotated[str, Meta(max_length=LONGEST)] = ""


@post(
    "/reports", tags=["players"], status_code=201,
    opt=operation(
        "not-found", "forbidden", "deal-running", "log-damaged", "no-such-player", "too-many-reports", "key-reused",
        need="me:write", example={"reason": "insult", "player": ids.EXAMPLE},
    ),
)  # fmt: skip
async def report(
    data: JSONBody[NewReport], player: NamedDependency[Player], people: NamedDependency[Database],
    accounts: NamedDependency[Accounts], tables: NamedDependency[Tables], chat: NamedDependency[Chat],
    known: NamedDependency[People],
    key: Key = None,
) -> Report:  # fmt: skip
    """Tell the moderators of a player, a table, or something that was said.

    None but they learn who told it. At most 20 a day.
    """
    checked(data)
    if data.player is not None and data.player not in await accounts.named([data.player]):
        raise Problem("no-such-player")
    about: About = data.player, None, None
    if data.table is not None:
        history = await tables.hot.fresh(stream_of(data.table))
        proof = await tables.proof(history, player.id)
        may_find(history, player.id, proof)
        about = data.player, history.stream, None
        if data.message is not None:
            said = await chat.found(history.stream, stream_of(data.message))
            check_hearing(history, player.id, said.room, proof)
            about = said.player, history.stream, stream_of(said.id)
        if data.writing is not None:
            about = await author_of(known, data.writing, history.stream), history.stream, stream_of(data.writing)
    made = await accounts.keys.made(identity_of(key, player.id, data), "report", player.id)
    return await reports.report(people, made, player.id, data.reason, data.text or None, about)


async def author_of(known: People, writing: str, table: UUID) -> str:
    """Raises Problem `not-found`."""
    author = await known.author(writing, table)
    if author is None:
        raise Problem("not-found")
    return author


def checked(wanted: NewReport) -> None:
    """Raises Problem `invalid-request`."""
    wrong: dict[str, Any] = {}
    if wanted.player is None and wanted.table is None:
        wrong["/player"] = "a player or a table"
    if wanted.message is not None and (wanted.table is None or wanted.player is not None):
        wrong["/message"] = "with its table, and without a player"
    if wanted.writing is not None and (wanted.table is None or wanted.player is not None or wanted.message is not None):
        wrong["/writing"] = "with its table, and without a player or a message"
    if any(letter != "\n" and not letter.isprintable() for letter in wanted.text):
        wrong["/text"] = "visible characters and line breaks"
    if wrong:
        raise Problem("invalid-request", errors=[FieldError(*each) for each in wrong.items()])
