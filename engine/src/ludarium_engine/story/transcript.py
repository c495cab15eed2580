"""Create transcripts of games, which are game log lines grouped by turns."""
from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ludarium_engine.kernel.bodies import Message
from ludarium_engine.story.lines import LineBody
from ludarium_engine.story.words import Words


class StoryLine(msgspec.Struct, frozen=True):
    """A sentence of the game log, with its place in the game.

    - `seq` is the number of the event.
    - `turn` is the number of the turn, or 0 before the first one. `whose` is the seat whose turn it is.
    - `seat` is the seat that acted, or null if no seat did.
    - `begins` says whether this sentence begins the turn.
    """

    seq: int
    turn: int
    whose: int | None
    seat: int | None
    begins: bool
    message: Message
    text: str


class Transcript:
    """A converter that turns game log lines into text and numbers the turns."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.turn: tuple[int, int | None] = (0, None)

    def lines_of(self, seq: int, lines: Iterable[LineBody]) -> Iterator[StoryLine]:
        """Yield the lines of an event with their turns and texts.

        Args:
            seq: the event's number in the log.
            lines: the lines of this event; call the method with the events in log order.
        """
        for line in lines:
            if line.turn:
                self.turn = self.turn[0] + 1, line.seat
            yield StoryLine(seq, *self.turn, line.seat, line.turn, line.message, self.words.message(line.message))


def plain(story: Iterable[StoryLine], words: Words) -> str:
    """Return the transcript as plain text, with a numbered heading for each turn."""
    return "".join(f"{written(line, words)}\n" for line in story)


def written(line: StoryLine, words: Words) -> str:
    """Return a line as plain text, either as the heading of a turn or as a sentence."""
    if line.begins and line.seat is not None:
        return f"\n{line.turn}. {words.seat(line.seat)}"
    return f"   {line.text}" if line.turn else line.text
