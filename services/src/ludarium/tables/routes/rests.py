"""Routes for the caller's playing hours and vacations, for turn-based clocks."""

from litestar import get, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from ludarium.accounts.access import Player
from ludarium.clocks.hours import Rest
from ludarium.clocks.playing_hours import rest_of, set_rest
from ludarium.http.operations import operation
from ludarium.http.rate_limits import NEWCOMER
from ludarium.tables.commands import stored
from ludarium.tables.service import Tables


@get("/me/rest", tags=["players"], opt=operation(need="me:read"))
async def get_own_rest(player: NamedDependency[Player], tables: NamedDependency[Tables]) -> Rest:
    """Get your playing hours and vacation.

    By default you can play at any time.
    """
    with stored():
        return await rest_of(tables.store, player.id)


@put(
    "/me/rest", tags=["players"],
    opt=operation(need="me:write", rate=NEWCOMER, example={"zone": "Europe/Budapest", "opens": 480, "closes": 1320}),
)  # fmt: skip
async def set_own_rest(data: JSONBody[Rest], player: NamedDependency[Player], tables: NamedDependency[Tables]) -> Rest:
    """Set your playing hours, at least 12 hours a day, and your vacation.

    They apply to questions from the seventh day from now. Turn-based clocks pause outside your playing hours and during
    your vacation.
    """
    with stored():
        await set_rest(tables.store, player.id, data)
    return data
