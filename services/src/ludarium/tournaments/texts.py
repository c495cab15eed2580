"""Texts of tournaments, stored outside the log.

They include titles, descriptions, codes and reasons given by officials.
"""
from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

import msgspec

from ludarium.platform import ids
from ludarium.platform.database import Database


class Text(msgspec.Struct, frozen=True):
    """A stored text.

    Attributes:
        title: the title or reason, on one line.
        body: the description of a tournament.
        code: the code that players need to enter.
    """

    title: str
    body: str = ""
    code: str = ""


class Texts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, id_: UUID, tournament: UUID, text: Text, author: str) -> None:
        """Store a text once, before the event that refers to the text.

        The text is deleted with its author's account.
        """
        await self._database.row(
            """insert into tournament_texts.texts (id, tournament, title, body, code, player_id)
               select $1, $2, $3, $4, $5, p.id from accounts.players p where p.id = $6 for key share of p
               on conflict do nothing""",
            id_, tournament, text.title, text.body, text.code, ids.decode(author),
        )  # fmt: skip

    async def by_id(self, wanted: Iterable[UUID]) -> dict[UUID, Text]:
        rows = await self._database.rows(
            "select id, title, body, code from tournament_texts.texts where id = any($1)", [*wanted]
        )
        return {row["id"]: Text(row["title"], row["body"], row["code"]) for row in rows}

    async def get(self, wanted: bytes) -> Text:
        """Return a text, or an empty one if its author has deleted their account."""
        id_ = UUID(bytes=wanted)
        return (await self.by_id([id_])).get(id_, Text(""))
