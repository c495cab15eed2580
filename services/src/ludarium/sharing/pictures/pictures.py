"""Pictures of tables, drawn in a worker process and cached."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple
from uuid import UUID

import resvg_py

from ludarium.platform.problems import Problem
from ludarium.platform.processes import Processes
from ludarium.projections.replay_worker import ResultCache
from ludarium.sharing.pictures.drawing import draw_svg
from ludarium.sharing.pictures.lettering import FAMILY, FILES
from ludarium.sharing.pictures.scenes import Scene, scene_of
from ludarium.sharing.studies.schemas import Arrow
from ludarium.tables.story import words_of
from ludarium.tables.table_cache import TableCache

MAX_CPU_SECONDS = 20.0
"""CPU time for a picture, a hundred times what the largest one needs."""
MAX_WAITING = 40
Kind = Literal["svg", "png"]


class PictureQuery(NamedTuple):
    """A request for a picture of a table after event `seq`, for an audience.

    Attributes:
        version: the newest version of the table.
        link: the hash of that version, which differs if the log has lost events since.
        names: the players' names by id; deleted players have none.
        arrows: the arrows of a note, drawn over the table.
    """

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
        self._cache, self._processes = cache, Processes(1, MAX_CPU_SECONDS, MAX_WAITING)
        self.cache = ResultCache[PictureQuery]()

    async def picture(self, query: PictureQuery) -> bytes:
        """Return a picture of the table as the audience may see it.

        Raises:
            Problem: `log-damaged`, `unavailable`.
        """
        return await self.cache.get(query, self._make)

    async def _make(self, query: PictureQuery) -> bytes:
        scene = await self._scene(query)
        try:
            return await self._processes.run(make_picture, scene, query.kind)
        except TimeoutError as error:
            raise Problem("unavailable", "The picture takes too long.", retry_after=5) from error

    async def _scene(self, query: PictureQuery) -> Scene:
        table = await self._cache.load(query.table)
        if table.version != query.seq:
            queue = self._cache.lookback
            table = await self._cache.state_at(query.table, await self._cache.events(query.table, queue), query.seq, queue)
        return scene_of(table, query.audience, words_of(table, query.locale, dict(query.names)), query.arrows)


# --- in the worker process --------------------------------------------------------------------------------------------
def make_picture(scene: Scene, kind: Kind) -> bytes:
    picture = draw_svg(scene)
    return picture.encode() if kind == "svg" else render_png(picture)


def render_png(picture: str) -> bytes:
    """Render an SVG as PNG, using only the bundled font so that results do not vary."""
    fonts = [str(file) for file in FILES]
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=picture, skip_system_fonts=True, font_files=fonts, font_family=FAMILY, sans_serif_family=FAMILY
        )
    )
