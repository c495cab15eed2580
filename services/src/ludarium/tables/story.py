"""Describe a game's events in sentences, as far as an audience may know them."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from ludarium.platform.locale import ENGLISH
from ludarium.tables.model.event_types import AnyEvent, UnreadEvent
from ludarium.tables.model.events import Acted, AnyTitle, BranchStarted, GameStarted, TableEnded, TimedOut, Undone
from ludarium.tables.model.hash_chain import LogEntry
from ludarium.tables.model.lifecycle import OFFICIALS
from ludarium.tables.model.lifecycle_events import Consent, Retired, Returned, StoodIn, TimeGiven
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel.bodies import DEFAULT, Message, Piece
from ludarium_engine.kernel.title import Space
from ludarium_engine.story.lines import LineBody, lines
from ludarium_engine.story.transcript import StoryLine, Transcript
from ludarium_engine.story.words import Words

BEGINNING = -1                                  # before the first event
ENDS = ("abandoned", "agreed", "adjudicated", "voided")
"""Reasons for which the end adds a sentence. Resignations and time-outs are told by their own events."""


class Story(msgspec.Struct, frozen=True):
    """A game log in sentences.

    `seq` is the number of the last event so far: send it as `after` to get the rest. `locale` is the language of the
    lines, and `asked` the requested one. Lines are in English if the title has no texts in the requested language.
    """

    table: str
    seq: int
    locale: str
    asked: str
    lines: list[StoryLine]


def words_of(table: TableState, locale: str, people: Mapping[str, str]) -> Words:
    """Return the words for a table's lines.

    If the title has no texts in the requested language, the words are English.

    Args:
        people: the names of the players, by id.
    """
    title, options = table.title, table.all_options
    words = Words(title, locale if locale in title.texts else ENGLISH, (), spaces_of(table, options))
    words.names = [name_of(table, seat, words, people) for seat in range(table.opened.seats)]
    return words


def spaces_of(table: TableState, options: Mapping[str, object]) -> Sequence[Space]:
    """Return the spaces of the table's board, none if its title has no board."""
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
    """Return the lines of the events after `after`, including undone events and undos.

    Args:
        events: all events from the first one to the last one that the audience may know.
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
    """Yield the lines of an event that is already redacted for the audience."""
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
    """Yield the lines of events about seats, pauses and clocks."""
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
    """Yield the lines of the game's end, none if the rules ended it.

    The last command's lines already tell the result of a game that the rules ended.
    """
    if event.reason in ENDS:
        yield line(event.reason)
    if event.reason != "finished":
        for seat, place in enumerate(event.outcome or ()):
            yield line("place", seat, Piece("number", place))


def line(what: str, seat: int | None = None, *more: Piece) -> LineBody:
    """Return a line.

    Args:
        what: the key of the line's text.
        seat: the acting seat, which is the first value in the text.
        more: further values in the text.
    """
    return LineBody(Message(f"story.{what}", [*([] if seat is None else [Piece("seat", seat)]), *more]), seat)
