"""What somebody may ask about themselves: to see all that is kept, to be forgotten, what others see."""

from litestar import MediaType, delete, get, patch
from litestar.di import NamedDependency
from litestar.params import JSONBody
from litestar.response import Stream

from ludarium.accounts import profiles
from ludarium.accounts.access import Access, Player
from ludarium.accounts.credentials import Credentials, Myself
from ludarium.accounts.profiles import Privacy, Profile
from ludarium.http.operations import operation
from ludarium.http.parameters import Page, PlayerId
from ludarium.http.rate_limits import EXPORT
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.privacy.data_export import export_of
from ludarium.privacy.deletion import Departures
from ludarium.privacy.schemas import Export
from ludarium.projections.registry import Projections
from ludarium.projections.schemas import FinishedPage
from ludarium.tables.routes.tables import Visitor, id_of

AccessDep = NamedDependency[Access]
DatabaseDep = NamedDependency[Database]


@get("/me/export", tags=["players"], opt=operation(need="own", rate=EXPORT, tells=Export, headers=("Content-Disposition",)))
async def export_me(
    player: NamedDependency[Player], people: DatabaseDep, projections: NamedDependency[Projections]
) -> Stream:
    """All that is kept about the caller, as one document.

    Of secrets it says that they are there. Each table's `record` leads to all of its log that one may see.
    """
    await projections.turns_settled()
    name = f'attachment; filename="ludarium-{player.id}.json"'
    headers = {"cache-control": "no-store", "content-disposition": name}
    return Stream(await export_of(people, player.id), media_type=MediaType.JSON, headers=headers)


@delete("/me", tags=["players"], opt=operation(need="own"))
async def delete_me(access: AccessDep, departures: NamedDependency[Departures]) -> None:
    """Be forgotten: name, ways to sign in, mail, words, tokens, apps, invitations; there is no way back.

    Seats in running games resign, open tables of one's own go to somebody who sits there, or are closed. Logs keep an id, of
    which nobody can be told but that it was somebody.
    """
    await departures.leave(access.player.id)


@patch("/me", tags=["players"], opt=operation(need="me:write", example={"hides_history": True}))
async def change_me(
    data: JSONBody[Privacy], access: AccessDep, people: DatabaseDep, credentials: NamedDependency[Credentials]
) -> Myself:
    """Say what others are not to see.

    What is left out stays as it is.
    """
    await profiles.set_privacy(people, ids.decode(access.player.id), data)
    return await credentials.myself(access)


@get("/players/{player_id:str}", tags=["players"], opt=operation("not-found"))
async def player_of(player_id: PlayerId, people: DatabaseDep) -> Profile:
    """Somebody's name and kind.

    Tables and events name players by id. Who has gone is `deleted`, and has no name.
    """
    return await profiles.profile(people, player_id)


@get("/players/{player_id:str}/games", tags=["players"], opt=operation("not-found"))
async def games_of(
    player_id: PlayerId, people: DatabaseDep, visitor: Visitor, projections: NamedDependency[Projections], after: Page = None
) -> FinishedPage:
    """The public games that somebody has finished, those of the newest tables first; 50 a page.

    None where the profile `hides_history`, but to oneself.
    """
    found = await profiles.profile(people, player_id)
    if found.hides_history and id_of(visitor) != player_id:
        return FinishedPage([], None)
    return await projections.records_of(player_id, after)
