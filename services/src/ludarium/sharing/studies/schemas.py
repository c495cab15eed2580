"""Schemas of studies and comments."""
from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

MAX_VERSION = 2**31 - 1
MAX_TITLE_LENGTH, MAX_NOTE_LENGTH, MAX_COMMENT_LENGTH = 80, 2000, 1000
MAX_CHAPTERS, MAX_NOTES, MAX_ARROWS = 64, 200, 16
Glyph = Literal["brilliant", "good", "interesting", "dubious", "mistake", "blunder"]
Eyes = Literal["spectator", "everything", "0", "1", "2", "3", "4", "5", "6", "7"]
Moment = Annotated[int, Meta(ge=0, le=MAX_VERSION)]
Title = Annotated[str, Meta(min_length=1, max_length=MAX_TITLE_LENGTH)]


class Pointed(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A piece as in a view: a card, a seat, or an entry of a zone.

    For a `slot`, `value` is the index of the entry in `zone`.
    """

    kind: Literal["card", "seat", "slot"]
    value: Annotated[int, Meta(ge=0, le=9999)]
    zone: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,31}$")] | None = None


class Arrow(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """An arrow between two pieces. Without `end`, it is a circle around one."""

    start: Pointed
    end: Pointed | None = None


class Note(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A note on event `at`: a text, a glyph, and arrows on pieces."""

    at: Moment
    text: Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)] = ""
    glyph: Glyph | None = None
    arrows: Annotated[list[Arrow], Meta(max_length=MAX_ARROWS)] = []


class Chapter(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A part of a study that begins at event `at`.

    `eyes` is the audience whose view it shows.
    """

    title: Title
    at: Moment = 0
    eyes: Eyes = "spectator"
    notes: Annotated[list[Note], Meta(max_length=MAX_NOTES)] = []


class NewStudy(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A study to create or to change.

    With `shared`, everyone with the link can read it. This is possible only for finished games.
    """

    title: Title
    chapters: Annotated[list[Chapter], Meta(max_length=MAX_CHAPTERS)] = []
    shared: bool = False


class Study(msgspec.Struct, frozen=True):
    """A study of a game.

    `player` is its author. `hidden` means that a moderator has hidden it from others. `changed_at` is when this version
    was written.
    """

    id: str
    table: str
    player: str
    version: int
    title: str
    chapters: list[Chapter]
    shared: bool
    hidden: bool
    made_at: str
    changed_at: str


class StudySummary(msgspec.Struct, frozen=True):
    """A study without its chapters."""

    id: str
    table: str
    version: int
    title: str
    shared: bool
    hidden: bool
    changed_at: str


class StudyPage(msgspec.Struct, frozen=True):
    """A page of studies.

    `next` is the `after` of the next page; null on the last page.
    """

    studies: list[StudySummary]
    next: str | None


class NewComment(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A comment to write.

    `at` is the event that it is about; by default it is about the whole game.
    """

    text: Annotated[str, Meta(min_length=1, max_length=MAX_COMMENT_LENGTH)]
    at: Moment | None = None


class Comment(msgspec.Struct, frozen=True):
    """A comment on a game.

    `hidden` means that a moderator has hidden it, so that only its author sees it.
    """

    id: str
    table: str
    player: str
    at: int | None
    text: str
    said_at: str
    hidden: bool


class CommentPage(msgspec.Struct, frozen=True):
    """A page of comments.

    `next` is the `after` of the next page; null on the last page.
    """

    comments: list[Comment]
    next: str | None
