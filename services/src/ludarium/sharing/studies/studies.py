"""Studies, stored in versions. Each has one author, and can be shared by link."""
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
    MAX_NOTE_LENGTH,
    MAX_TITLE_LENGTH,
    Chapter,
    NewStudy,
    Note,
    Study,
    StudyPage,
    StudySummary,
)
from ludarium.tables.model.timing import timestamp
from ludarium_engine.kernel.decoding import converter, json_decoder

MAX_STUDIES = 200
"""Maximum number of studies per player."""
MAX_STORED_VERSIONS = 50
"""Number of versions stored for a study, the newest ones."""
SELECT_VERSIONS = """
    select s.id, s.table_id, s.player_id, s.shared, s.hidden_at, s.made_at, v.version, v.title, v.chapters::text, v.at
    from studies.studies s join studies.versions v on v.study_id = s.id"""


class Studies:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def make(self, study_id: UUID, table: UUID, player: str, fields: NewStudy) -> Study:
        """Store a new study and return it; a repeated `study_id` changes nothing.

        Args:
            fields: the study as returned by `checked`.

        Raises:
            Problem: `too-many-studies`.
        """
        await self._database.row_one_at_a_time(
            ids.decode(player),
            """with fresh as (insert into studies.studies (id, table_id, player_id, shared) select $1, $2, $3, $4
                              where (select count(*) from studies.studies where player_id = $3) < $5
                              on conflict do nothing returning id)
               insert into studies.versions (study_id, version, id, title, chapters)
               select id, 1, id, $6, $7::text::jsonb from fresh""",
            study_id, table, ids.decode(player), fields.shared, MAX_STUDIES, fields.title, encode_chapters(fields.chapters),
        )  # fmt: skip
        study = await self.find(ids.encode(study_id))
        if study is None:
            raise Problem("too-many-studies", f"at most {MAX_STUDIES}")
        return study

    async def change(self, change_id: UUID, study: Study, version: int, fields: NewStudy) -> Study:
        """Store a study's next version if `version` is still the latest.

        A repeated `change_id` changes nothing.

        Raises:
            Problem: `study-changed`.
        """
        await self._database.row(
            """with next as (update studies.studies set version = version + 1, shared = $4 where id = $1 and version = $2
                             and not exists (select from studies.versions where id = $3) returning id, version),
                    gone as (delete from studies.versions v using next
                             where v.study_id = next.id and v.version <= next.version - $7)
               insert into studies.versions (study_id, version, id, title, chapters)
               select next.id, next.version, $3, $5, $6::text::jsonb from next""",
            ids.decode(study.id), version, change_id, fields.shared, fields.title, encode_chapters(fields.chapters),
            MAX_STORED_VERSIONS,
        )  # fmt: skip
        written = await self._database.row("select version from studies.versions where id = $1", change_id)
        if written is None:
            raise Problem("study-changed", seq=await self._version(study.id))
        return await self.found(study.id)

    async def found(self, study: str, version: int | None = None) -> Study:
        """Return a study.

        Raises:
            Problem: `not-found`.
        """
        found = await self.find(study, version)
        if found is None:
            raise Problem("not-found")
        return found

    async def find(self, study: str, version: int | None = None) -> Study | None:
        row = ids.is_id(study) and await self._database.row(
            f"{SELECT_VERSIONS} where s.id = $1 and v.version = coalesce($2, s.version)", ids.decode(study), version
        )
        return study_from_row(row) if row else None

    async def page(self, player: str, table: UUID | None, after: str | None, limit: int) -> StudyPage:
        """Return a page of the player's studies, newest first, for one table or for all."""
        rows = await self._database.rows(
            f"""{SELECT_VERSIONS} and v.version = s.version where s.player_id = $1 and ($2::uuid is null or s.table_id = $2)
                and ($3::uuid is null or s.id < $3) order by s.id desc limit $4""",
            ids.decode(player), table, after and ids.decode(after), limit,
        )  # fmt: skip
        found = [summary_from_row(row) for row in rows]
        return StudyPage(found, found[-1].id if len(found) == limit else None)

    async def forget(self, study: Study) -> None:
        """Delete all versions of a study."""
        await self._database.rows("delete from studies.studies where id = $1", ids.decode(study.id))

    async def _version(self, study: str) -> int | None:
        row = await self._database.row("select version from studies.studies where id = $1", ids.decode(study))
        return row["version"] if row else None


# --- checks -------------------------------------------------------------------------------------------------------------
def checked(study: NewStudy, last: int) -> NewStudy:
    """Check a study and normalise its texts.

    Args:
        last: the newest event that the author may see.

    Raises:
        Problem: `future-sequence`, `invalid-request`, `unkind-words`.
    """
    if max(moments(study), default=0) > last:
        raise Problem("future-sequence", seq=last)
    chapters = [checked_chapter(chapter, f"/chapters/{nth}") for nth, chapter in enumerate(study.chapters)]
    return NewStudy(checked_line(study.title, MAX_TITLE_LENGTH, "/title"), chapters, study.shared)


def moments(study: NewStudy) -> Iterator[int]:
    for chapter in study.chapters:
        yield chapter.at
        yield from (note.at for note in chapter.notes)


def note_at(study: Study, seq: int) -> Note:
    """Return the study's first note on the event `seq`.

    Raises:
        Problem: `no-note`.
    """
    found = next((note for chapter in study.chapters for note in chapter.notes if note.at == seq), None)
    if found is None:
        raise Problem("no-note")
    return found


def checked_chapter(chapter: Chapter, field: str) -> Chapter:
    title = checked_line(chapter.title, MAX_TITLE_LENGTH, f"{field}/title")
    notes = [checked_note(note, f"{field}/notes/{nth}") for nth, note in enumerate(chapter.notes)]
    return msgspec.structs.replace(chapter, title=title, notes=notes)


def checked_note(note: Note, field: str) -> Note:
    """Check that arrows name a zone only for slots, and normalise the text."""
    for arrow in note.arrows:
        for end in (arrow.start, arrow.end):
            if end is not None and (end.kind == "slot") != (end.zone is not None):
                wrong = FieldError(f"{field}/arrows", "a zone for a slot, and for nothing else")
                raise Problem("invalid-request", errors=[wrong])
    text = checked_text(note.text, MAX_NOTE_LENGTH, f"{field}/text") if note.text else ""
    return msgspec.structs.replace(note, text=text)


# --- rows --------------------------------------------------------------------------------------------------------------
def encode_chapters(chapters: list[Chapter]) -> str:
    return msgspec.json.encode(chapters).decode()


decode_chapters = json_decoder(list[Chapter])
convert_summary = converter(StudySummary, from_attributes=True)


def study_from_row(row: Any) -> Study:
    chapters = decode_chapters(row["chapters"])
    id_, table, player = (ids.encode(row[name]) for name in ("id", "table_id", "player_id"))
    made_at, changed_at = timestamp(row["made_at"]), timestamp(row["at"])
    shown = row["shared"], row["hidden_at"] is not None
    return Study(id_, table, player, row["version"], row["title"], chapters, *shown, made_at, changed_at)


def summary_from_row(row: Any) -> StudySummary:
    study = study_from_row(row)
    return convert_summary(study)
