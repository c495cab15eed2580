"""Generate docs/games/: the log of one whole game of each title.

The logs are examples to read. Their differences show the effects of a change to rules or texts.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from ludarium.platform.locale import LOCALES
from ludarium_engine.bots import bots
from ludarium_engine.kernel import SPECTATOR, Event, Title, checked_options, decide, new_game, redact_event, seats_to_act
from ludarium_engine.kernel.describe import action_of, describe_choice, describe_view
from ludarium_engine.kernel.title import Space
from ludarium_engine.registry import titles
from ludarium_engine.story.lines import lines
from ludarium_engine.story.transcript import StoryLine, Transcript, plain
from ludarium_engine.story.words import Words
from ludarium_engine.testkit.fuzz import chance_of

AnyTitle = Title[Any, Any]
NAMES = ("Ada", "Bea", "Cleo")
SEED = 7


def example_games() -> dict[str, bytes]:
    """Return the content of each generated log, by its path in the project.

    Titles without game log sentences have no log.
    """
    return {path: text for title in titles().values() if title.sentences for path, text in transcripts_of(title)}


def transcripts_of(title: AnyTitle) -> Iterator[tuple[str, bytes]]:
    events = [*played(title)]
    for locale in LOCALES:
        words = Words(title, locale, NAMES, spaces_of(title))
        story = f"{title.name[locale]}\n\n{plain(story_lines(title, events, words), words)}"
        yield f"docs/games/{title.id}.{locale}.txt", story.encode()


def played(title: AnyTitle) -> Iterator[Event]:
    """Yield the events of a game that the title's own bot plays with default options.

    The seed is fixed, so the game is the same each time.
    """
    player, rng, chance = [*bots(title).values()][-1], Random(SEED), chance_of(SEED)
    s, event = new_game(title, checked_options(title, {}, len(NAMES)), len(NAMES), chance)
    yield event
    while s.outcome is None:
        seat = seats_to_act(s)[0]
        choice = describe_choice(title, s, seat)
        assert choice is not None
        answer = player(seat, describe_view(title, s, seat), choice, rng)
        s, event = decide(title, s, seat, action_of(answer.offer, answer.subset), chance)
        yield event


def spaces_of(title: AnyTitle) -> Sequence[Space]:
    return next((board.spaces for board in title.boards if board.seats == len(NAMES)), ())


def story_lines(title: AnyTitle, events: list[Event], words: Words) -> Iterator[StoryLine]:
    telling = Transcript(words)
    for seq, event in enumerate(events):
        yield from telling.lines_of(seq, lines(title, redact_event(title.layout, event, SPECTATOR)))
