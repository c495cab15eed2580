"""Add `text` to encoded views and events for clients that ask for a language.

See docs/decisions/135.
"""
from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import UUID

import msgspec
from cachetools import LRUCache

from ludarium.accounts.accounts import Accounts
from ludarium.accounts.names import isolated
from ludarium.platform.problems import Problem
from ludarium.tables.appends import audience_for
from ludarium.tables.commands import stored, stream_of
from ludarium.tables.model.table_state import TableState
from ludarium.tables.queries import TableQueries
from ludarium.tables.story import words_of
from ludarium.tables.text_fields import Json, TextFields
from ludarium_engine.kernel.decoding import json_decoder

KEPT = 16 * 1024 * 1024
"""Bytes of cached events, with and without texts."""
Key = tuple[UUID, bytes, str, tuple[str, ...], bytes]
"""What an event with texts depends on: the table, the hash of the title's data, the locale, the players' names, and the event
as its audience is sent it."""
Cache = LRUCache[Key, bytes]
_decode: Callable[[bytes], Json] = json_decoder(dict[str, Any])
_encode = msgspec.json.Encoder().encode


class Texts:
    """The texts of a table in one language, with the names of its players.

    Attributes:
        locale: the locale of the texts, English if the title has none in the requested language.
        names: the names of the seats, of which the texts are made.
    """

    def __init__(self, table: TableState, locale: str, people: Mapping[str, str], cache: Cache) -> None:
        words = words_of(table, locale, people)
        self.locale, self.names = words.locale, tuple(words.names)
        self._fields, self._cache = TextFields(words), cache
        self._of = table.stream, table.title.data_hash, self.locale, self.names

    def view(self, encoded: bytes) -> bytes:
        return added(self._fields.view, encoded)

    def table(self, encoded: bytes) -> bytes:
        return added(self._fields.policies, encoded)

    def page(self, encoded: bytes) -> bytes:
        return added(self._fields.page, encoded)

    def answer(self, encoded: bytes) -> bytes:
        return added(self._fields.answer, encoded)

    def event(self, encoded: bytes) -> bytes:
        """Return an event with texts, computed once for all who are sent the same event in the same language."""
        key = *self._of, encoded
        if (found := self._cache.get(key)) is None:
            found = self._cache[key] = added(self._fields.event, encoded)
        return found


def added(fill: Callable[[Json], None], encoded: bytes) -> bytes:
    document = _decode(encoded)
    fill(document)
    return _encode(document)


class TableTexts:
    """Creates the texts of tables, with one cache for all."""

    def __init__(self, queries: TableQueries, accounts: Accounts) -> None:
        self._queries, self._accounts = queries, accounts
        self._cache: Cache = LRUCache(KEPT, lambda found: 2 * len(found))

    async def of(self, table: str, audience: int, locale: str) -> Texts:
        """Return the texts of a table for an audience.

        They name the players who sit there in the state that the audience may see.
        """
        with stored():
            newest = await self._queries.cache.fresh(stream_of(table))
            seen = await self._queries.delayed.visible(newest, audience)
        return await self.of_state(seen, locale)

    async def answered(self, table: str, player: str | None, locale: str | None, work: Awaitable[bytes]) -> bytes:
        """Return the answer to a player's command, with texts if a locale is given.

        The events of a refusal are given texts too.

        Raises:
            Problem: of the command.
        """
        try:
            answer = await work
        except Problem as problem:
            if locale is not None and problem.events:
                texts = await self.of_player(table, player, locale)
                problem.events = [texts.event(event) for event in problem.events]
            raise
        return answer if locale is None else (await self.of_player(table, player, locale)).answer(answer)

    async def of_player(self, table: str, player: str | None, locale: str) -> Texts:
        with stored():
            newest = await self._queries.cache.load(stream_of(table))
        return await self.of(table, audience_for(newest, player), locale)

    async def of_state(self, table: TableState, locale: str) -> Texts:
        names = {player: isolated(name) for player, name in (await names_at(self._accounts, table)).items()}
        return Texts(table, locale, names, self._cache)


async def names_at(accounts: Accounts, table: TableState) -> dict[str, str]:
    """Return the names of the people in the seats, by player id."""
    people = [seated.player for seated in table.seats if seated and seated.player]
    return {id_: player.name for id_, player in (await accounts.named(people)).items()}
