"""`ludarium picture`: draw a recorded game as an image or an animation."""
from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from PIL import Image

from ludarium.commands.records import read_file
from ludarium.commands.replay import claimed_names, read_game
from ludarium.commands.running import fail
from ludarium.platform.locale import ENGLISH
from ludarium.platform.problems import Problem
from ludarium.projections.frames import game_states
from ludarium.sharing.imports.replaying import ImportedLog, check_version
from ludarium.sharing.pictures.drawing import HEIGHT, WIDTH, draw_svg
from ludarium.sharing.pictures.pictures import render_png
from ludarium.sharing.pictures.scenes import Scene, scene_of
from ludarium.tables import story
from ludarium.tables.model.folding import fold
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.describe import describe_view

GIF_SIZE = int(WIDTH) // 2, int(HEIGHT) // 2
"""Width and height of an animation in pixels."""
MAX_FRAMES = 250
PACE_MS, REST_MS = 800, 4000


def register(app: typer.Typer) -> None:
    app.command()(picture)


def picture(
    file: Annotated[str, typer.Argument(help="A record's file, or - for standard input.")],
    out: Annotated[Path, typer.Argument(help="Output file: .svg, .png, or .gif with one frame a turn.")],
    at: Annotated[int | None, typer.Option(min=0, help="Number of the last event; by default the newest.")] = None,
    seat: Annotated[int | None, typer.Option("--as", min=0, help="Show this seat's view; by default the spectators'.")] = None,
    locale: Annotated[str, typer.Option(help="Language: en, es or hu.")] = ENGLISH,
) -> None:
    """Draw the game of a record, at one event or turn by turn.

    The record is checked first.
    """
    record = read_file(file)
    game, names, audience = read_game(file, record), claimed_names(record), SPECTATOR if seat is None else seat
    if audience >= game.table.opened.seats:
        fail(f"There are {game.table.opened.seats} seats, from 0 on.")
    match out.suffix:
        case ".gif":
            write_gif(out, [*turn_scenes(game, names, audience, locale)])
        case ".svg":
            out.write_text(draw_svg(scene_at(game, names, audience, locale, at)))
        case ".png":
            out.write_bytes(render_png(draw_svg(scene_at(game, names, audience, locale, at))))
        case _:
            fail(f"{out} ends in none of .svg, .png, .gif.")


def scene_at(game: ImportedLog, names: dict[str, str], audience: int, locale: str, at: int | None) -> Scene:
    table = game.table
    if at is not None:
        try:
            check_version(table, at)
        except Problem:
            fail(f"The game has events up to {table.version}.")
        table = fold(table.stream, game.rows, upto=at)
    return scene_of(table, audience, story.words_of(table, locale, names))


def turn_scenes(game: ImportedLog, names: dict[str, str], audience: int, locale: str) -> Iterator[Scene]:
    """Yield the scene at the start of each turn, and at the end of the game."""
    table, title = game.table, game.table.title
    words = story.words_of(table, locale, names)
    last = scene_of(table, audience, words)
    turns = {line.seq for line in story.story_of(table, game.rows, audience, story.BEGINNING, words) if line.begins}
    first = len(game.rows) - sum(1 for _ in game_states(table, game.rows))
    for seq, state in enumerate(game_states(table, game.rows), first):
        if seq in turns:
            view = describe_view(title, table.as_today(state, seq), audience, table.shown(seq))
            yield last._replace(view=view, status="playing", places=[])
    yield last


def write_gif(out: Path, scenes: list[Scene]) -> None:
    """Write an animation of at most MAX_FRAMES scenes, always including the last."""
    step = -(-len(scenes) // MAX_FRAMES)
    first, *others = [render_frame(scene) for scene in [*scenes[:-1:step], scenes[-1]]]
    spans = [PACE_MS] * len(others) + [REST_MS]
    first.save(out, save_all=True, append_images=others, duration=spans, loop=0, optimize=True)


def render_frame(scene: Scene) -> Image.Image:
    with Image.open(io.BytesIO(render_png(draw_svg(scene)))) as image:
        return image.convert("RGB").resize(GIF_SIZE, Image.Resampling.LANCZOS).quantize(128)
