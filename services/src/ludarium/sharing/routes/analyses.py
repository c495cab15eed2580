"""The route for analyses."""

from typing import Any

from litestar import MediaType, Response, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from ludarium.http.operations import operation
from ludarium.http.parameters import Key
from ludarium.http.rate_limits import ANALYSES
from ludarium.platform.idempotency import identity_of
from ludarium.sharing.analysis.analyses import Analyses
from ludarium.sharing.analysis.schemas import Analysis, NewAnalysis
from ludarium.tables.routes.tables import SEEN, Caller

EXAMPLE = {"table": "0" * 26, "at": 12, "moves": [{"seat": 0, "action": {"id": "pass"}}]}


@post(
    "/analysis", tags=["tables"], status_code=200,
    opt=operation(
        *SEEN, "no-such-seat", "future-sequence", "game-not-started", "game-over", "no-branch", "deal-running", "not-asked",
        "action-not-offered", "rules-limit", need="play", rate=ANALYSES, headers=("Cache-Control",), example=EXAMPLE,
    ),
)  # fmt: skip
async def analyse_position(
    data: JSONBody[NewAnalysis], player: Caller, analyses: NamedDependency[Analyses], key: Key = None
) -> Response[Analysis]:
    """Try moves from a position of a game, for all seats.

    No table is opened, and nothing is stored. A finished game uses its true deal, shuffles and dice. A running game
    whose policies allow `branches` uses a new deal that fits what the caller's seat knew at that event. If a move is
    not possible, `errors` names it.
    """
    identity_of(key, player.id, data)
    answer: Any = await analyses.analyse(player.id, data)
    return Response(answer, media_type=MediaType.JSON, headers={"cache-control": "no-store"})
