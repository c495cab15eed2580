"""What the API says of studies and comments."""
from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

LAST = 2**31 - 1
LONGEST_TITLE, LONGEST_NOTE, LONGEST_COMMENT = 80, 2000, 1000
MOST_CHAPTERS, MOST_NOTES, MOST_ARROWS = 64, 200, 16
Glyph = Literal["brilliant", "good", "interesting", "dubious", "mistake", "blunder"]
Eyes = Literal["spectator", "everything", "0", "1", "2", "3", "4", "5", "6", "7"]
Moment = Annotated[int, Meta(ge=0, le=LAST)]
Title = Annotated[str, Meta(min_length=1, max_length=LONGEST_TITLE)]


class Pointed(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A piece as a view has it: a card, a seat, or a slot, the entry `value` of a zone."""

    kind: Literal["card", "seat", "slot"]
    value: Annotated[int, Meta(ge=0, le=9999)]
    zone: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,31}$")] | None = None


class Arrow(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """From one piece to another; without `end` a circle around one."""

    start: Pointed
    end: Pointed | None = None


class Note(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What is said of the event `at`: a text, a glyph, arrows on pieces."""

    at: Moment
    text: Annotated[str, Meta(max_length=LONGEST_NOTE)] = ""
    glyph: Glyph | None = None
    arrows: Annotated[list[Arrow], Meta(max_length=MOST_ARROWS)] = []


class Chapter(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A part of a study that begins at an event, and with whose eyes it is looked at."""

    title: Title
    at: Moment = 0
    eyes: Eyes = "spectator"
    notes: Annotated[list[Note], Meta(max_length=MOST_NOTES)] = []


class NewStudy(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """shared: who has its link may read it; of a game that is over."""

    title: Title
    chapters: Annotated[list[Chapter], Meta(max_length=MOST_CHAPTERS)] = []
    shared: bool = False


class Study(msgspec.Struct, frozen=True):
    """player: whose it is. hidden: a moderator has taken it away from others. changed_at: when this version was written."""

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
    """Without what stands in it."""

    id: str
    table: str
    version: int
    title: str
    shared: bool
    hidden: bool
    changed_at: str


class StudyPage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    studies: list[StudySummary]
    next: str | None


class NewComment(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """at: the event that it is about; by default the game as a whole."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_COMMENT)]
    at: Moment | None = None


class Comment(msgspec.Struct, frozen=True):
    """hidden: a moderator has taken it away; it is shown to who wrote it alone."""

    id: str
    table: str
    player: str
    at: int | None
    text: str
    said_at: str
    hidden: bool


class CommentPage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    comments: list[Comment]
    next: str | None
