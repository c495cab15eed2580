"""Routes for a player's own data: export, deletion and visibility."""

from litestar import MediaType, delete, get, patch
from litestar.di import NamedDependency
from litestar.params import JSONBody
from litestar.response import Stream

from ludarium.accounts import profiles
from ludarium.accounts.access import Access, Player
from ludarium.accounts.credentials import Credentials, Myself
from ludarium.accounts.profiles import Privacy, Profile, Profiles
from ludarium.http.operations import operation
from ludarium.http.parameters import Page, PlayerId, PlayerIds
from ludarium.http.rate_limits import EXPORT
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.privacy.data_export import export_player
from ludarium.privacy.deletion import Deletions
from ludarium.privacy.schemas import DataExport
from ludarium.projections.registry import Projections
from ludarium.projections.schemas import FinishedPage
from ludarium.tables.routes.tables import Visitor, id_of

AccessDep = NamedDependency[Access]
DatabaseDep = NamedDependency[Database]


@get("/me/export", tags=["players"], opt=operation(need="own", rate=EXPORT, tells=DataExport, headers=("Content-Disposition",)))
async def export_me(
    player: NamedDependency[Player], people: DatabaseDep, projections: NamedDependency[Projections]
) -> Stream:
    """Download all data stored about you as one document.

    It mentions secrets without their values. The `record` of each table is the path of the part of its log that you may
    see.
    """
    await projections.turns_settled()
    name = f'attachment; filename="ludarium-{player.id}.json"'
    headers = {"cache-control": "no-store", "content-disposition": name}
    return Stream(await export_player(people, player.id), media_type=MediaType.JSON, headers=headers)


@delete("/me", tags=["players"], opt=operation(need="own"))
async def delete_me(access: AccessDep, deletions: NamedDependency[Deletions]) -> None:
    """Delete your account. This cannot be undone.

    Your name, sign-ins, e-mail address, texts, tokens, apps and invitations are deleted. You resign running games. Your
    open tables are handed over to a seated player, or closed. Logs still contain your id, which does not lead to you
    any more.
    """
    await deletions.delete(access.player.id)


@patch("/me", tags=["players"], opt=operation(need="me:write", example={"hides_history": True}))
async def change_me(
    data: JSONBody[Privacy], access: AccessDep, people: DatabaseDep, credentials: NamedDependency[Credentials]
) -> Myself:
    """Change what others can see of you.

    Omitted fields stay as they are.
    """
    await profiles.set_privacy(people, ids.decode(access.player.id), data)
    return await credentials.myself(access)


@get("/players/{player_id:str}", tags=["players"], opt=operation("not-found"))
async def get_player(player_id: PlayerId, people: DatabaseDep) -> Profile:
    """Get a player's name and kind.

    Tables and events contain only ids of players. A deleted player has the kind `deleted` and no name.
    """
    return await profiles.profile(people, player_id)


@get("/players", tags=["players"], opt=operation())
async def list_players(people: DatabaseDep, ids: PlayerIds) -> Profiles:
    """Get the names and kinds of several players with one request.

    Separate the `ids` by commas, for example those of all players at a table. Unknown players are left out.
    """
    return Profiles(await profiles.profiles(people, ids.split(",")))


@get("/players/{player_id:str}/games", tags=["players"], opt=operation("not-found"))
async def list_player_games(
    player_id: PlayerId, people: DatabaseDep, visitor: Visitor, projections: NamedDependency[Projections], after: Page = None
) -> FinishedPage:
    """List a player's finished public games, newest tables first, 50 a page.

    If the profile `hides_history`, others get an empty list.
    """
    found = await profiles.profile(people, player_id)
    if found.hides_history and id_of(visitor) != player_id:
        return FinishedPage([], None)
    return await projections.games_of_player(player_id, after)
