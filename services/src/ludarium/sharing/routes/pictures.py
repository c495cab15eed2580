"""Routes for pictures of tables, used in link previews."""

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, cast

from litestar import Request, Response, get
from litestar.di import NamedDependency, Provide
from litestar.openapi import ResponseSpec
from litestar.params import QueryParameter

from ludarium.accounts.access import Access, viewer_of
from ludarium.accounts.accounts import Accounts
from ludarium.http.answers import compressed, etag_of, hash_of, is_known, packed, takes_gzip
from ludarium.http.negotiation import locale_of
from ludarium.http.operations import operation
from ludarium.http.parameters import At, Language, TableId, Viewer
from ludarium.http.rate_limits import PICTURES
from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.sharing.pictures.pictures import Kind, PictureQuery, Pictures
from ludarium.sharing.routes.studies import readable_study
from ludarium.sharing.studies.schemas import Study
from ludarium.sharing.studies.studies import Studies, note_at
from ludarium.tables.commands import stream_of
from ludarium.tables.model import access
from ludarium.tables.model.table_state import TableState
from ludarium.tables.routes.tables import VIEWED, Visitor, audience_of
from ludarium.tables.service import Tables
from ludarium.tables.texts import names_at
from ludarium_engine.kernel import SPECTATOR

SVG, PNG = "image/svg+xml", "image/png"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A policy by which a picture opened as a page cannot run anything."""
PUBLIC, PRIVATE = "public, max-age=60", "private, no-cache"
HEADERS = "Cache-Control", "Content-Language", "Content-Security-Policy", "ETag"
PICTURE_OPERATION = operation(*VIEWED, "no-note", rate=PICTURES, headers=HEADERS)
UNCHANGED = {304: ResponseSpec(None, description="Not modified since the `If-None-Match` of the request.")}
ViewerParameter = Annotated[
    Viewer | None,
    QueryParameter(
        name="as", description="A seat, or `spectator`; by default as spectators see it, and then others may be shown it too."
    ),
]
StudyParameter = Annotated[
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
    """The query parameters of a picture."""

    viewer: ViewerParameter = None
    at: At = None
    locale: Language = None
    study_id: StudyParameter = None


class Drawing(NamedTuple):
    """A picture that the caller may see.

    Attributes:
        key: the values from which the ETag is made, besides the kind of picture.
        public: whether others may see the picture too.
    """

    query: PictureQuery
    key: tuple[object, ...]
    public: bool

    def of_kind(self, kind: Kind) -> PictureQuery:
        return self.query._replace(kind=kind)

    def headers(self, kind: Kind) -> dict[str, str]:
        return {
            "cache-control": PUBLIC if self.public else PRIVATE, "content-language": self.query.locale,
            "content-security-policy": POLICY, "vary": "Authorization", "etag": etag_of(kind, *self.key),
        }  # fmt: skip


async def drawing_of(
    request: AnyRequest, table_id: TableId, visitor: Visitor, tables: TablesDep, accounts: AccountsDep, studies: StudiesDep,
    options: NamedDependency[PictureOptions],
) -> Drawing:  # fmt: skip
    """Return the picture to draw.

    Without the parameter `as`, the picture shows the spectators' view and may be public.

    Raises:
        Problem: `future-sequence`, `no-note`, `not-found`, and the problems of viewing the table.
    """
    study = await study_of_table(tables, studies, options.study_id, table_id, visitor)
    audience = SPECTATOR if options.viewer is None else audience_of(options.viewer)
    table, audience = await tables.queries.seen_by(stream_of(table_id), *viewer_of(visitor, audience))
    seq = table.version if options.at is None else options.at
    if seq > table.version:
        raise Problem("future-sequence", seq=table.version)
    language = locale_of(request.scope, options.locale, table.title.texts)
    names = tuple(sorted((await names_at(accounts, table)).items()))
    arrows = tuple(note_at(study, seq).arrows) if study else ()
    query = PictureQuery(table.stream, seq, table.version, table.hash, audience, language, names, "svg", arrows)
    public = options.viewer is None and is_public(table) and (study is None or (study.shared and not study.hidden))
    digest = hash_of(repr((names, arrows)).encode())
    return Drawing(query, (table.id, seq, table.hash.hex()[:16], audience, language, digest), public)


DRAWING_DEPENDENCIES = {"options": Provide(PictureOptions, sync_to_thread=False), "drawing": Provide(drawing_of)}


@get(
    "/tables/{table_id:str}/picture.svg", tags=["tables"], media_type=SVG, opt=PICTURE_OPERATION, responses=UNCHANGED,
    dependencies=DRAWING_DEPENDENCIES,
)
async def get_picture_svg(request: AnyRequest, drawing: NamedDependency[Drawing], pictures: PicturesDep) -> Response[str]:
    """Get the table as an SVG picture of 1200 by 630.

    It shows the view of the spectators or of a seat, now or after event `at`. It contains no scripts and no links. With
    `as`, or with a study that is not shared, it is private (`Cache-Control: private`). `study` draws the arrows of the
    study's note at `at` over visible pieces.
    """
    return cast(Response[str], await picture_response(request, pictures, drawing, "svg"))


@get(
    "/tables/{table_id:str}/picture.png", tags=["tables"], media_type=PNG, opt=PICTURE_OPERATION, responses=UNCHANGED,
    dependencies=DRAWING_DEPENDENCIES,
)
async def get_picture_png(request: AnyRequest, drawing: NamedDependency[Drawing], pictures: PicturesDep) -> Response[bytes]:
    """Get `picture.svg` as PNG, for link previews, chats and e-mail.

    It uses the server's font, so it looks the same everywhere.
    """
    return await picture_response(request, pictures, drawing, "png")


async def study_of_table(
    tables: Tables, studies: Studies, study_id: str | None, table: str, visitor: Access | None
) -> Study | None:
    """Return the study whose arrows are to be drawn, None if none is requested.

    Raises:
        Problem: `not-found` if the visitor may not read the study, or if it is about another table.
    """
    if study_id is None:
        return None
    study = await readable_study(tables, studies, study_id, visitor)
    if study.table != table:
        raise Problem("not-found")
    return study


def is_public(table: TableState) -> bool:
    """Return whether spectators without an account may see the table."""
    try:
        return access.audience(table, None, SPECTATOR) == SPECTATOR
    except Problem:
        return False


async def picture_response(request: AnyRequest, pictures: Pictures, drawing: Drawing, kind: Kind) -> Response[Any]:
    headers = drawing.headers(kind)
    gzipped = kind == "svg" and drawing.public and takes_gzip(request)
    if is_known(request, headers["etag"]):
        return Response(b"", status_code=304, headers=headers)
    picture = await pictures.picture(drawing.of_kind(kind))
    if gzipped:
        return packed(compressed(picture), SVG, headers)
    return Response(picture, media_type=SVG if kind == "svg" else PNG, headers=headers)
