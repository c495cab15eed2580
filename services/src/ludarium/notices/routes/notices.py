"""Routes for the caller's notices and their preferences."""

from typing import Annotated

import msgspec
from litestar import get, post, put
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody, QueryParameter
from msgspec import Meta

from ludarium.http.operations import operation
from ludarium.http.parameters import Key, Page
from ludarium.notices.notices import Notices
from ludarium.notices.schemas import Id, NoticePage, NoticePreferences
from ludarium.platform import ids
from ludarium.platform.idempotency import identity_of
from ludarium.tables.routes.tables import Caller

NoticesDep = NamedDependency[Notices]
MAX_MARKED = 100
"""Maximum number of notices marked by one request."""
Limit = Annotated[int, QueryParameter(ge=1, le=100)]


class ReadNotices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ids of notices to mark as read.

    Notices that are already settled are skipped.
    """

    notices: Annotated[list[Id], Meta(min_length=1, max_length=MAX_MARKED)]


@get("/me/notices", tags=["players"], opt=operation(need="me:read"))
async def list_notices(
    player: Caller, notices: NoticesDep, unread: FromQuery[bool] = False, after: Page = None, limit: Limit = 50
) -> NoticePage:
    """List your notices about turns, invitations, messages, rounds and more.

    The newest comes first. A notice leaves the list as soon as it is settled, for example once you have acted. `unread`
    limits the list to those that you have not read on any device. `after` is the `next` of the page before. Players
    whom you have blocked, or who have blocked you, cause no notices.
    """
    return await notices.page(player.id, after, limit, unread)


@post(
    "/me/notices/read", tags=["players"], status_code=204,
    opt=operation("key-reused", need="me:write", example={"notices": [ids.EXAMPLE]}),
)  # fmt: skip
async def mark_notices_read(data: JSONBody[ReadNotices], player: Caller, notices: NoticesDep, key: Key = None) -> None:
    """Mark notices as read, on all your devices.

    They stay in the list until they are settled.
    """
    identity_of(key, player.id, data)
    await notices.mark_read(player.id, data.notices)


@get("/me/notices/preferences", tags=["players"], opt=operation(need="me:read"))
async def get_notice_preferences(player: Caller, notices: NoticesDep) -> NoticePreferences:
    """Get which notices you have switched off.

    These are kinds of notices, muted tables and muted players.
    """
    return await notices.preferences.of_player(player.id)


@put(
    "/me/notices/preferences", tags=["players"], status_code=204,
    opt=operation("key-reused", need="me:write", example={"kinds": ["seated"], "tables": [ids.EXAMPLE], "people": []}),
)  # fmt: skip
async def set_notice_preferences(
    data: JSONBody[NoticePreferences], player: Caller, notices: NoticesDep, key: Key = None
) -> None:
    """Set which notices to switch off, replacing the previous preferences.

    These notices are not listed, counted or pushed until you switch them on again. Rulings about you cannot be switched
    off.
    """
    identity_of(key, player.id, data)
    await notices.preferences.put(player.id, data)
