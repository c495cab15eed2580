"""A table as a picture, for links that show what they lead to."""

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, cast

from litestar import Request, Response, get
from litestar.di import NamedDependency, Provide
from litestar.openapi import ResponseSpec
from litestar.params import QueryParameter

from ludarium.accounts.access import Access, looking
from ludarium.accounts.accounts import Accounts
from ludarium.http.answers import compressed, etag_of, hash_of, is_known, packed, takes_gzip
from ludarium.http.negotiation import locale_of
from ludarium.http.operations import operation
from ludarium.http.parameters import At, Language, TableId, Viewer
from ludarium.http.rate_limits import PICTURES
from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.sharing.pictures.pictures import Kind, PictureQuery, Pictures
from ludarium.sharing.routes.studies import readable
from ludarium.sharing.studies.schemas import Study
from ludarium.sharing.studies.studies import Studies, note_at
from ludarium.tables.commands import stream_of
from ludarium.tables.model import access
from ludarium.tables.model.table_state import TableState
from ludarium.tables.routes.tables import VIEWED, Visitor, audience_of, names_at
from ludarium.tables.service import Tables
from ludarium_engine.kernel import SPECTATOR

SVG, PNG = "image/svg+xml", "image/png"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""Who opens it as a page is shown a picture and nothing that could act."""
PUBLIC, OWN = "public, max-age=60", "private, no-cache"
HEADERS = "Cache-Control", "Content-Language", "Content-Security-Policy", "ETag"
DRAWN = operation(*VIEWED, "no-note", rate=PICTURES, headers=HEADERS)
UNCHANGED = {304: ResponseSpec(None, description="As the caller has it, by `If-None-Match`.")}
Eyes = Annotated[
    Viewer | None,
    QueryParameter(
        name="as", description="A seat, or `spectator`; by default as spectators see it, and then others may be shown it too."
    ),
]
Noted = Annotated[
    str | None,
    QueryParameter(
        name="study", pattern=ids.PATTERN,
        description="A study of this table, shared or the caller's own, that has a note at `at`: its arrows are drawn.",
    ),
]  # fmt: skip
TablesDep = NamedDependency[Tables]
StudiesDep = NamedDependency[Studies]
AccountsDep = NamedDependency[Accounts]
PicturesDep = NamedDependency[Pictures]
AnyRequest = Request[Any, Any, Any]


@dataclass(frozen=True)
class PictureOptions:
    """The query of a picture, as a client sends it."""

    viewer: Eyes = None
    at: At = None
    locale: Language = None
    study_id: Noted = None


class Drawing(NamedTuple):
    """A picture that the caller may see. key: what its ETag is made of, beside its kind. public: others may be shown it too."""

    query: PictureQuery
    key: tuple[object, ...]
    public: bool

    def of_kind(self, kind: Kind) -> PictureQuery:
        return self.query._replace(kind=kind)

    def headers(self, kind: Kind) -> dict[str, str]:
        return {
            "cache-control": PUBLIC if self.public else OWN, "content-language": self.query.locale,
            "content-security-policy": POLICY, "vary": "Authorization", "etag": etag_of(kind, *self.key),
        }  # fmt: skip


async def drawing_of(
    request: AnyRequest, table_id: TableId, visitor: Visitor, tables: TablesDep, accounts: AccountsDep, studies: StudiesDep,
    options: NamedDependency[PictureOptions],
) -> Drawing:  # fmt: skip
    """Without `as` from where spectators look, whoever asks: such a picture may be shown to others.

    Raises Problem `future-sequence`, `no-note`, `not-found`, and as the table does.
    """
    study = await studied(tables, studies, options.study_id, table_id, visitor)
    audience = SPECTATOR if options.viewer is None else audience_of(options.viewer)
    table, audience = await tables.queries.seen_by(stream_of(table_id), *looking(visitor, audience))
    seq = table.version if options.at is None else options.at
    if seq > table.version:
        raise Problem("future-sequence", seq=table.version)
    language = locale_of(request.scope, options.locale, table.title.texts)
    names = tuple(sorted((await names_at(accounts, table)).items()))
    arrows = tuple(note_at(study, seq).arrows) if study else ()
    query = PictureQuery(table.stream, seq, table.version, table.hash, audience, language, names, "svg", arrows)
    public = options.viewer is None and is_public(table) and (study is None or (study.shared and not study.hidden))
    besides = hash_of(repr((names, arrows)).encode())
    return Drawing(query, (table.id, seq, table.hash.hex()[:16], audience, language, besides), public)


DRAWING = {"options": Provide(PictureOptions, sync_to_thread=False), "drawing": Provide(drawing_of)}


@get(
    "/tables/{table_id:str}/picture.svg", tags=["tables"], media_type=SVG, opt=DRAWN, responses=UNCHANGED, dependencies=DRAWING
)
async def picture_svg(request: AnyRequest, drawing: NamedDependency[Drawing], pictures: PicturesDep) -> Response[str]:
    """The table as a picture of 1200 by 630: as spectators see it, or as a seat does; now, or as it was after event `at`.

    It has no script, no link and nothing from elsewhere. With `as`, and with a study of which nobody else knows, it is for the
    caller alone (`Cache-Control: private`). `study` draws the arrows of its note at `at` over the pieces that are seen.
    """
    return cast(Response[str], await answered(request, pictures, drawing, "svg"))


@get(
    "/tables/{table_id:str}/picture.png", tags=["tables"], media_type=PNG, opt=DRAWN, responses=UNCHANGED, dependencies=DRAWING
)
async def picture_png(request: AnyRequest, drawing: NamedDependency[Drawing], pictures: PicturesDep) -> Response[bytes]:
    """The same picture as `picture.svg`, for those that show no SVG: previews of links, chats, mail.

    Rendered with a font of the server's own, so it looks the same everywhere.
    """
    return await answered(request, pictures, drawing, "png")


async def studied(
    tables: Tables, studies: Studies, study_id: str | None, table: str, visitor: Access | None
) -> Study | None:
    """Raises Problem `not-found` of what the visitor may not read, and of what is of another table."""
    if study_id is None:
        return None
    study = await readable(tables, studies, study_id, visitor)
    if study.table != table:
        raise Problem("not-found")
    return study


def is_public(table: TableState) -> bool:
    """Whether a stranger may see the same."""
    try:
        return access.audience(table, None, SPECTATOR) == SPECTATOR
    except Problem:
        return False


async def answered(request: AnyRequest, pictures: Pictures, drawing: Drawing, kind: Kind) -> Response[Any]:
    headers = drawing.headers(kind)
    gzipped = kind == "svg" and drawing.public and takes_gzip(request)
    if is_known(request, headers["etag"]):
        return Response(b"", status_code=304, headers=headers)
    picture = await pictures.picture(drawing.of_kind(kind))
    if gzipped:
        return packed(compressed(picture), SVG, headers)
    return Response(picture, media_type=SVG if kind == "svg" else PNG, headers=headers)
