"""What has happened at a table, as an audience may know it: the lines of its events, under their turns."""
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

BEGINNING = -1                                  # behind which is the first event
ENDS = ("abandoned", "agreed", "adjudicated", "voided")
"""That have a sentence of their own; who resigned, or had no time left, has been told."""


class Story(msgspec.Struct, frozen=True):
    """seq: of the last event so far, so ask again for what comes `after` it. locale: the language of the lines.

    asked: the language that was asked for; where the title has no texts in it, its lines are English.
    """

    table: str
    seq: int
    locale: str
    asked: str
    lines: list[StoryLine]


def words_of(table: TableState, locale: str, people: Mapping[str, str]) -> Words:
    """people: the names of players, by id. A language that the title has no texts in is English."""
    title, options = table.title, table.all_options
    words = Words(title, locale if locale in title.texts else ENGLISH, (), spaces_of(table, options))
    words.names = [name_of(table, seat, words, people) for seat in range(table.opened.seats)]
    return words


def spaces_of(table: TableState, options: Mapping[str, object]) -> Sequence[Space]:
    """Of the board that is played on."""
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
    """The lines behind `after`; what was taken back is told, and that it was. events: those that the audience may know of."""
    telling, found = Transcript(words), list[StoryLine]()
    turns = [telling.turn]                      # before each event
    for entry in events:
        if isinstance(entry.event, Undone):
            telling.turn = turns[entry.event.to + 1]
        event = entry.event.seen(table.shown(entry.version), audience)
        told = [*telling.lines_of(entry.version, lines_of(table.title, event))]
        found += told if entry.version > after else []
        turns.append(telling.turn)
    return found


def lines_of(title: AnyTitle, event: AnyEvent | UnreadEvent) -> Iterator[LineBody]:
    """Of an event that was redacted before."""
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
    """What becomes of the seats while the game goes on, and of the game by their consent."""
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
    """Of a game that the rules have ended they tell themselves."""
    if event.reason in ENDS:
        yield line(event.reason)
    if event.reason != "finished":
        for seat, place in enumerate(event.outcome or ()):
            yield line("place", seat, Piece("number", place))


def line(what: str, seat: int | None = None, *more: Piece) -> LineBody:
    """seat: whose doing it is, whom the sentence names first."""
    return LineBody(Message(f"story.{what}", [*([] if seat is None else [Piece("seat", seat)]), *more]), seat)
