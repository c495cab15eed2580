"""Parameters of operations in paths, queries and headers.

The OpenAPI document contains all limits. The patterns of path parameters are documented but not checked, since an id
that does not match the pattern does not exist, and the response says so.
"""

from typing import Annotated, Literal

from litestar.params import HeaderParameter, PathParameter, QueryParameter

from ludarium.platform import ids
from ludarium.platform.idempotency import LONGEST_KEY, PATTERN, SECRET_KEY
from ludarium.platform.locale import AUTO, TAG, TAG_OR_AUTO
from ludarium.tables.schemas import HEAD

KEY = HeaderParameter(
    name="Idempotency-Key",
    min_length=1,
    max_length=LONGEST_KEY,
    pattern=PATTERN,
    description="Sent again with the same key and body, a request gives its first answer again and acts once.",
)
GUEST_KEY = HeaderParameter(
    name=KEY.name,
    min_length=SECRET_KEY,
    max_length=LONGEST_KEY,
    pattern=PATTERN,
    description="Sent again with the same key and body, a request gives the same secrets: whoever has the "
    "key is told them for a day, so it must be random and is used for this alone.",
)
Key = Annotated[str | None, KEY]
GuestKey = Annotated[str | None, GUEST_KEY]
LAST = 2**31 - 1
"""The greatest possible number of an event, since the store uses 32-bit versions."""
RULESET = "^[a-z0-9-]{1,64}$"
TableId = Annotated[str, PathParameter(description="The table's id.", schema_extra={"pattern": ids.PATTERN})]
PlayerId = Annotated[str, PathParameter(description="The player's id.", schema_extra={"pattern": ids.PATTERN})]
MOST_PLAYERS = 32
"""Maximum number of players in one request for profiles."""
PLAYER_IDS = f"{ids.PATTERN[:-1]}(,{ids.PATTERN[1:-1]}){{0,{MOST_PLAYERS - 1}}}$"
PlayerIds = Annotated[str, QueryParameter(pattern=PLAYER_IDS, description=f"At most {MOST_PLAYERS} players, by id.")]
RulesetId = Annotated[str, PathParameter(description="The ruleset's id.", schema_extra={"pattern": RULESET})]
LANGUAGE = "A language tag such as `es` or `es-MX` (BCP 47); English answers for languages that there is no text in."
Locale = Annotated[str, PathParameter(description=LANGUAGE, schema_extra={"pattern": TAG})]
Language = Annotated[
    str | None, QueryParameter(name="locale", pattern=TAG, description=f"{LANGUAGE} By default as Accept-Language says.")
]
TextLocale = Annotated[
    str | None,
    QueryParameter(
        name="locale", pattern=TAG_OR_AUTO,
        description=f"Adds `text` in this language; without it, there is none. {LANGUAGE} `{AUTO}`: as Accept-Language says.",
    ),
]
Ruleset = Annotated[str | None, QueryParameter(pattern=RULESET)]
Page = Annotated[str | None, QueryParameter(name="after", pattern=ids.PATTERN, description="The `next` of a page.")]
Viewer = Literal["spectator", "0", "1", "2", "3", "4", "5", "6", "7"]
As = Annotated[
    Viewer | None,
    QueryParameter(name="as", description="A seat, or `spectator`; by default the caller's own seat, if there is one."),
]
Watcher = Literal[Viewer, "everything"]
Looking = Annotated[
    Watcher | None,
    QueryParameter(
        name="as",
        description="A seat, `spectator`, or `everything` of a game that is over; by default the caller's own seat, if there "
        "is one.",
    ),
]
At = Annotated[int | None, QueryParameter(ge=0, le=LAST, description="The table as it was after this event.")]
After = Annotated[
    int, QueryParameter(ge=-1, le=LAST, description="The `seq` behind which to begin; -1: from the first event.")
]
Head = Annotated[
    str | None, QueryParameter(pattern=HEAD, description="The `head` of the event at `after`, if the caller has seen it.")
]
LAST_EVENT = r"^(-1|[0-9]{1,9})(\.[0-9a-f]{16})?$"
Last = Annotated[
    str | None,
    HeaderParameter(
        name="Last-Event-ID", pattern=LAST_EVENT,
        description="The `id` of the last event, as an EventSource sends it when it comes again: `seq` and `head`, or `seq` "
        "alone. Before `after` and `head`.",
    ),
]
