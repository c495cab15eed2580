"""Pictures that somebody asks for: made in a process beside this one, kept as long as there is room."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple
from uuid import UUID

import resvg_py

from ludarium.platform.problems import Problem
from ludarium.platform.processes import Processes
from ludarium.projections.replay_worker import ResultCache
from ludarium.sharing.pictures.drawing import drawn
from ludarium.sharing.pictures.lettering import FAMILY, FILES
from ludarium.sharing.pictures.scenes import Scene, scene_of
from ludarium.sharing.studies.schemas import Arrow
from ludarium.tables.story import words_of
from ludarium.tables.table_cache import TableCache

SECONDS = 20.0
"""Of CPU time, for one picture: a hundred times what the largest takes."""
MOST_WAITING = 40
Kind = Literal["svg", "png"]


class PictureQuery(NamedTuple):
    """A table after the row `seq`, for an audience. version, link: what its log had come to, so that a log which has lost rows
    is another one. names: of who sits there, by their ids: who has gone has none. arrows: of the note on it."""

    table: UUID
    seq: int
    version: int
    link: bytes
    audience: int
    locale: str
    names: Sequence[tuple[str, str]]
    kind: Kind
    arrows: tuple[Arrow, ...]


class Pictures:
    def __init__(self, cache: TableCache) -> None:
        self._cache, self._processes = cache, Processes(1, SECONDS, MOST_WAITING)
        self.kept = ResultCache[PictureQuery]()

    async def picture(self, asked: PictureQuery) -> bytes:
        """asked: of what the audience may see. Raises Problem `log-damaged`, `unavailable`."""
        return await self.kept.get(asked, self._made)

    async def _made(self, asked: PictureQuery) -> bytes:
        scene = await self._scene(asked)
        try:
            return await self._processes.run(made, scene, asked.kind)
        except TimeoutError as error:
            raise Problem("unavailable", "The picture takes too long.", retry_after=5) from error

    async def _scene(self, asked: PictureQuery) -> Scene:
        table = await self._cache.load(asked.table)
        if table.version != asked.seq:
            queue = self._cache.lookback
            table = await self._cache.state_at(asked.table, await self._cache.events(asked.table, queue), asked.seq, queue)
        return scene_of(table, asked.audience, words_of(table, asked.locale, dict(asked.names)), asked.arrows)


# --- beside the event loop --------------------------------------------------------------------------------------------
def made(scene: Scene, kind: Kind) -> bytes:
    picture = drawn(scene)
    return picture.encode() if kind == "svg" else rendered(picture)


def rendered(picture: str) -> bytes:
    """As PNG, in our own font alone: with the machine's it would be another picture elsewhere, or one without words."""
    fonts = [str(file) for file in FILES]
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=picture, skip_system_fonts=True, font_files=fonts, font_family=FAMILY, sans_serif_family=FAMILY
        )
    )
