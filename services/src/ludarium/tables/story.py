"""Game logs in words: lines of events by turn, as an audience may know them."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from ludarium.platform.locale import ENGLISH
from ludarium.tables.model.event_types import AnyEvent, UnreadEvent
from ludarium.tables.model.events import (
    Acted,
    AnyTitle,
    BranchStarted,
    Consent,
    GameStarted,
    Retired,
    Returned,
    StoodIn,
    TableEnded,
    TimedOut,
    TimeGiven,
    Undone,
)
from ludarium.tables.model.hash_chain import LogEntry
from ludarium.tables.model.lifecycle import OFFICIALS
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel.bodies import DEFAULT, Message, Piece
from ludarium_engine.kernel.title import Space
from ludarium_engine.story.lines import LineBody, lines
from ludarium_engine.story.transcript import StoryLine, Transcript
from ludarium_engine.story.words import Words

BEGINNING = -1                                  # before the first event
ENDS = ("abandoned", "agreed", "adjudicated", "voided")
"""Reasons with a sentence of their own; resignations and time-outs have one already."""


class Story(msgspec.Struct, frozen=True):
    """A game log. `seq`: of the last event so far; ask again with it as `after`.

    `locale`: language of the lines. `asked`: the requested language; lines are English if the title has no texts in it.
    """

    table: str
    seq: int
    locale: str
    asked: str
    lines: list[StoryLine]


def words_of(table: TableState, locale: str, people: Mapping[str, str]) -> Words:
    """Return the words for a table's lines.

    Languages without texts fall back to English.

    Args:
        people: the names of players by id.
    """
    title, options = table.title, table.all_options
    words = Words(title, locale if locale in title.texts else ENGLISH, (), spaces_of(table, options))
    words.names = [name_of(table, seat, words, people) for seat in range(table.opened.seats)]
    return words


def spaces_of(table: TableState, options: Mapping[str, object]) -> Sequence[Space]:
    """Return the spaces of the table's board."""
    boards = [board for board in table.title.boards if board.seats == table.opened.seats]
    fitting = (board for board in boards if all(options.get(name) == value for name, value in board.options.items()))
    return next((board.spaces for board in fitting), ())


def name_of(table: TableState, seat: int, words: Words, people: Mapping[str, str]) -> str:
    seated, number = table.seats[seat], str(seat + 1)
    if seated and seated.bot:
        return words.said("story.bot", number)
    known = people.get(seated.player or "") if seated else None
    return known or words.said("story.seat", number)


def story_of(table: TableState, events: Sequence[LogEntry], audience: int, after: int, words: Words) -> list[StoryLine]:
    """Return the lines after `after`. Undone events are included, and so is the undo.

    Args:
        events: those that the audience may know of.
    """
    telling, found = Transcript(words), list[StoryLine]()
    turns = [telling.turn]                      # the turn before each event
    for entry in events:
        if isinstance(entry.event, Undone):
            telling.turn = turns[entry.event.to + 1]
        event = entry.event.seen(table.shown(entry.version), audience)
        told = [*telling.lines_of(entry.version, lines_of(table.title, event))]
        found += told if entry.version > after else []
        turns.append(telling.turn)
    return found


def lines_of(title: AnyTitle, event: AnyEvent | UnreadEvent) -> Iterator[LineBody]:
    """Yield the lines of an event that is redacted already."""
    match event:
        case BranchStarted():
            yield LineBody(Message("story.begins"), None)
        case GameStarted():
            yield LineBody(Message("story.begins"), None)
            yield from lines(title, event.event)
        case Acted():
            yield from lines(title, event.event)
        case Undone(seat):
            yield line("undone", seat)
        case TableEnded():
            yield from end(event)
        case _:
            yield from lifecycle_lines(event)


def lifecycle_lines(event: AnyEvent | UnreadEvent) -> Iterator[LineBody]:
    """Yield the lines of what happens to seats, and of changes by consent."""
    match event:
        case TimedOut(seat):
            yield line("timed_out", seat)
        case StoodIn(seat, by):
            yield line({None: "away", DEFAULT: "stood_in"}.get(by, "bot_in"), seat)
        case Returned(seat):
            yield line("returned", seat)
        case Retired(seat, why):
            yield line("resigned" if why == "resigned" else "retired", seat)
        case Consent(question="pause" | "resume", answer="settled"):
            yield line("paused" if event.question == "pause" else "resumed")
        case TimeGiven(seat, to, seconds) if seat == OFFICIALS:
            yield line("added", to, Piece("number", seconds))
        case TimeGiven(seat, to, seconds):
            yield line("given", seat, Piece("seat", to), Piece("number", seconds))


def end(event: TableEnded) -> Iterator[LineBody]:
    """Yield the lines of an end. A game ended by the rules has lines of its own."""
    if event.reason in ENDS:
        yield line(event.reason)
    if event.reason != "finished":
        for seat, place in enumerate(event.outcome or ()):
            yield line("place", seat, Piece("number", place))


def line(what: str, seat: int | None = None, *more: Piece) -> LineBody:
    """Return a line. `seat`: the seat that acts, which the sentence names first."""
    return LineBody(Message(f"story.{what}", [*([] if seat is None else [Piece("seat", seat)]), *more]), seat)
