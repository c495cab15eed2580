"""Studies: each is its maker's, in versions; who has the link of one that is shared reads it."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec

from ludarium.accounts.names import checked_line, checked_text
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import FieldError, Problem
from ludarium.sharing.studies.schemas import (
    LONGEST_NOTE,
    LONGEST_TITLE,
    Chapter,
    NewStudy,
    Note,
    Study,
    StudyPage,
    StudySummary,
)
from ludarium.tables.model.timing import timestamp
from ludarium_engine.kernel.decoding import converter, json_decoder

MOST = 200
"""Of one player."""
KEPT = 50
"""Versions of each: the newest ones."""
CURRENT = """select s.id, s.table_id, s.player_id, s.shared, s.hidden_at, s.made_at, v.version, v.title, v.chapters::text, v.at
             from studies.studies s join studies.versions v on v.study_id = s.id"""


class Studies:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def make(self, made: UUID, table: UUID, player: str, wanted: NewStudy) -> Study:
        """Once for each `made`. wanted: as `checked` gives it. Raises Problem `too-many-studies`."""
        await self._database.row_one_at_a_time(
            ids.decode(player),
            """with fresh as (insert into studies.studies (id, table_id, player_id, shared) select $1, $2, $3, $4
                              where (select count(*) from studies.studies where player_id = $3) < $5
                              on conflict do nothing returning id)
               insert into studies.versions (study_id, version, id, title, chapters)
               select id, 1, id, $6, $7::text::jsonb from fresh""",
            made, table, ids.decode(player), wanted.shared, MOST, wanted.title, encoded(wanted.chapters),
        )  # fmt: skip
        study = await self.find(ids.encode(made))
        if study is None:
            raise Problem("too-many-studies", f"at most {MOST}")
        return study

    async def change(self, made: UUID, study: Study, version: int, wanted: NewStudy) -> Study:
        """Its next version, if this is still the last one; once for each `made`. Raises Problem `study-changed`."""
        await self._database.row(
            """with next as (update studies.studies set version = version + 1, shared = $4 where id = $1 and version = $2
                             and not exists (select from studies.versions where id = $3) returning id, version),
                    gone as (delete from studies.versions v using next
                             where v.study_id = next.id and v.version <= next.version - $7)
               insert into studies.versions (study_id, version, id, title, chapters)
               select next.id, next.version, $3, $5, $6::text::jsonb from next""",
            ids.decode(study.id), version, made, wanted.shared, wanted.title, encoded(wanted.chapters), KEPT,
        )  # fmt: skip
        written = await self._database.row("select version from studies.versions where id = $1", made)
        if written is None:
            raise Problem("study-changed", seq=await self._version(study.id))
        return await self.found(study.id)

    async def found(self, study: str, version: int | None = None) -> Study:
        """Raises Problem `not-found`."""
        found = await self.find(study, version)
        if found is None:
            raise Problem("not-found")
        return found

    async def find(self, study: str, version: int | None = None) -> Study | None:
        row = ids.is_id(study) and await self._database.row(
            f"{CURRENT} where s.id = $1 and v.version = coalesce($2, s.version)", ids.decode(study), version
        )
        return study_of(row) if row else None

    async def page(self, player: str, table: UUID | None, after: str | None, limit: int) -> StudyPage:
        """One's own, the newest first; of all tables or of one."""
        rows = await self._database.rows(
            f"""{CURRENT} and v.version = s.version where s.player_id = $1 and ($2::uuid is null or s.table_id = $2)
                and ($3::uuid is null or s.id < $3) order by s.id desc limit $4""",
            ids.decode(player), table, after and ids.decode(after), limit,
        )  # fmt: skip
        found = [summary_of(row) for row in rows]
        return StudyPage(found, found[-1].id if len(found) == limit else None)

    async def forget(self, study: Study) -> None:
        """All versions of it."""
        await self._database.rows("delete from studies.studies where id = $1", ids.decode(study.id))

    async def _version(self, study: str) -> int | None:
        row = await self._database.row("select version from studies.studies where id = $1", ids.decode(study))
        return row["version"] if row else None


# --- what may be written ------------------------------------------------------------------------------------------------
def checked(wanted: NewStudy, last: int) -> NewStudy:
    """last: the newest event that its maker may see. Raises Problem `future-sequence`, `invalid-request`, `unkind-words`."""
    if max(moments(wanted), default=0) > last:
        raise Problem("future-sequence", seq=last)
    chapters = [checked_chapter(chapter, f"/chapters/{nth}") for nth, chapter in enumerate(wanted.chapters)]
    return NewStudy(checked_line(wanted.title, LONGEST_TITLE, "/title"), chapters, wanted.shared)


def moments(wanted: NewStudy) -> Iterator[int]:
    for chapter in wanted.chapters:
        yield chapter.at
        yield from (note.at for note in chapter.notes)


def note_at(study: Study, seq: int) -> Note:
    """The first note on an event. Raises Problem `no-note`."""
    found = next((note for chapter in study.chapters for note in chapter.notes if note.at == seq), None)
    if found is None:
        raise Problem("no-note")
    return found


def checked_chapter(chapter: Chapter, field: str) -> Chapter:
    title = checked_line(chapter.title, LONGEST_TITLE, f"{field}/title")
    notes = [checked_note(note, f"{field}/notes/{nth}") for nth, note in enumerate(chapter.notes)]
    return msgspec.structs.replace(chapter, title=title, notes=notes)


def checked_note(note: Note, field: str) -> Note:
    """A slot lies in a zone, and nothing else does."""
    for arrow in note.arrows:
        for end in (arrow.start, arrow.end):
            if end is not None and (end.kind == "slot") != (end.zone is not None):
                wrong = FieldError(f"{field}/arrows", "a zone for a slot, and for nothing else")
                raise Problem("invalid-request", errors=[wrong])
    text = checked_text(note.text, LONGEST_NOTE, f"{field}/text") if note.text else ""
    return msgspec.structs.replace(note, text=text)


# --- as it is kept ------------------------------------------------------------------------------------------------------
def encoded(chapters: list[Chapter]) -> str:
    return msgspec.json.encode(chapters).decode()


_chapters = json_decoder(list[Chapter])
_summary = converter(StudySummary, from_attributes=True)


def study_of(row: Any) -> Study:
    chapters = _chapters(row["chapters"])
    id_, table, player = (ids.encode(row[name]) for name in ("id", "table_id", "player_id"))
    made_at, changed_at = timestamp(row["made_at"]), timestamp(row["at"])
    shown = row["shared"], row["hidden_at"] is not None
    return Study(id_, table, player, row["version"], row["title"], chapters, *shown, made_at, changed_at)


def summary_of(row: Any) -> StudySummary:
    study = study_of(row)
    return _summary(study)
