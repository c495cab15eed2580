"""`ludarium replay`: show a record in the terminal, line by line."""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Annotated

import click
import msgspec
import typer
from rich.console import Console, Group, RenderableType
from rich.text import Text

from ludarium.api.ruleset_schemas import described
from ludarium.commands.board import TextBoard
from ludarium.commands.records import describe_finding, read_file
from ludarium.commands.running import fail
from ludarium.platform.locale import ENGLISH
from ludarium.platform.problems import Problem
from ludarium.records.reading import ReadRecord
from ludarium.records.verify import verify
from ludarium.sharing.imports.replaying import ImportedLog, game_of, safe_name, view_at
from ludarium.tables import story
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.decoding import from_json

LINES_BEFORE = 8
"""Lines of the story shown before the current one."""
HELP = "→ next   ← back   ↓ next turn   ↑ turn before   g first   G last   q quit"
NEXT, BACK, TURN, TURN_BACK = ("\x1b[C", "n", " "), ("\x1b[D", "p"), ("\x1b[B", "N"), ("\x1b[A", "P")
FIRST, LAST, QUIT = ("g", "\x1b[H"), ("G", "\x1b[F"), ("q", "\x03", "\x04")


def register(app: typer.Typer) -> None:
    app.command()(replay)


def replay(
    file: Annotated[str, typer.Argument(help="A record's file, or - for standard input.")],
    seat: Annotated[int | None, typer.Option("--as", min=0, help="Show this seat's view; by default the spectators'.")] = None,
    locale: Annotated[str, typer.Option(help="Language: en, es or hu.")] = ENGLISH,
) -> None:
    """Replay the record of a finished game, by keys in a terminal, otherwise as text.

    The record is checked first.
    """
    record = read_file(file)
    screen = Screen(read_game(file, record), claimed_names(record), SPECTATOR if seat is None else seat, locale)
    if sys.stdin.isatty() and sys.stdout.isatty():
        console = Console(highlight=False)
        with console.screen(hide_cursor=True):
            browse(screen, read_keys(), console.print)
    else:
        print_all(screen, Console(highlight=False, width=120))


def read_game(file: str, record: ReadRecord) -> ImportedLog:
    if finding := verify(record).finding:
        fail(f"{file}: {describe_finding(finding)}")
    try:
        return game_of(record)
    except Problem:
        fail(f"{file} is the record of a running game, which shows what one viewer saw; `ludarium verify` checks it.")


def claimed_names(record: ReadRecord) -> dict[str, str]:
    """Return the players' names in the file, which may be false."""
    return {player: name for player, told in record.claims.names.items() if (name := safe_name(told))}


class Screen:
    """A game as seen from one seat, at each line of its story."""

    def __init__(self, game: ImportedLog, names: dict[str, str], audience: int, locale: str) -> None:
        self.game, self.audience = game, audience
        if audience >= game.table.opened.seats:
            fail(f"There are {game.table.opened.seats} seats, from 0 on.")
        self.words = story.words_of(game.table, locale, names)
        self.lines = story.story_of(game.table, game.rows, audience, story.BEGINNING, self.words)
        rules = from_json(msgspec.json.encode(described(game.table.title)))
        self.board = TextBoard(rules, self.words.locale)

    def line(self, nth: int) -> Text:
        line = self.lines[nth]
        turn = f"{line.turn}. {self.words.seat(line.whose)}" if line.begins and line.whose is not None else None
        return Text(f"\n{turn}\n   {line.text}" if turn else f"   {line.text}")

    def table(self, nth: int) -> RenderableType:
        """Return the table after the event of line `nth`."""
        view = view_at(self.game, self.audience, self.lines[nth].seq).view
        return self.board.table(view.zones) if view else Text()

    def render(self, nth: int) -> RenderableType:
        before = [self.line(each) for each in range(max(nth - LINES_BEFORE, 0), nth)]
        now = self.line(nth)
        now.stylize("bold")
        place = Text(f"event {self.lines[nth].seq} of {self.game.table.version}   {HELP}", style="dim")
        return Group(self.table(nth), Text(), *before, now, Text(), place)

    def turn(self, nth: int, step: int) -> int:
        """Return the number of the first line of the next or the previous turn."""
        last = len(self.lines) - 1
        nth += step
        while 0 < nth < last and not self.lines[nth].begins:
            nth += step
        return nth


def browse(screen: Screen, pressed: Iterator[str], show: Callable[[RenderableType], None]) -> None:
    """Show the line that the user selects with keys, until the user quits."""
    nth, last = 0, len(screen.lines) - 1
    show(screen.render(nth))
    for key in pressed:
        if key in QUIT:
            return
        nth = min(max(next_position(screen, nth, key, last), 0), last)
        show(screen.render(nth))


def next_position(screen: Screen, nth: int, key: str, last: int) -> int:
    steps: list[tuple[tuple[str, ...], Callable[[], int]]] = [
        (NEXT, lambda: nth + 1), (BACK, lambda: nth - 1), (FIRST, lambda: 0), (LAST, lambda: last),
        (TURN, lambda: screen.turn(nth, 1)), (TURN_BACK, lambda: screen.turn(nth, -1)),
    ]  # fmt: skip
    return next((step() for names, step in steps if key in names), nth)


def read_keys() -> Iterator[str]:
    while True:
        yield click.getchar()


def print_all(screen: Screen, console: Console) -> None:
    """Print all lines and the final table."""
    for nth in range(len(screen.lines)):
        console.print(screen.line(nth), soft_wrap=True)
    console.print()
    console.print(screen.table(len(screen.lines) - 1))
