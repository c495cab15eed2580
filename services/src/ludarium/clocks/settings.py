"""Clock settings of a table, as used by the API, by events and by the clocks."""
from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

SECOND = 1000                                   # milliseconds, the unit of clocks
HOUR, DAY = 3600, 24 * 3600
Seconds = Annotated[int, Meta(ge=0, le=DAY)]


class LiveClock(msgspec.Struct, forbid_unknown_fields=True, frozen=True, tag="live"):
    """A clock for live play, in seconds.

    - `bank` is the time of a seat for the whole game.
    - `increment` is added to the bank each time the seat finishes acting.
    - `delay` is the time for each decision before the bank runs.
    - `cap` limits the time from when the seat is asked until it need not act any more, even if the bank has more.
    """

    bank: Seconds
    increment: Annotated[int, Meta(ge=0, le=HOUR)] = 0
    delay: Annotated[int, Meta(ge=0, le=HOUR)] = 0
    cap: Annotated[int, Meta(ge=5, le=DAY)] | None = None

    def __post_init__(self) -> None:
        if self.bank + self.delay < 5:
            raise ValueError("bank and delay together give 5 seconds at least")

    def cost(self, decision: int, elapsed: int) -> int:
        """Return how many milliseconds of the bank a further part of a decision costs.

        The delay of a decision costs nothing.

        Args:
            decision: the milliseconds already used for the decision.
            elapsed: the further milliseconds. If the server time was set back, both may be below 0; then nothing is
                gained.
        """
        before = decision - self.delay * SECOND
        now = before + elapsed
        return (now if now > 0 else 0) - (before if before > 0 else 0)


class TurnBasedClock(msgspec.Struct, forbid_unknown_fields=True, frozen=True, tag="turn-based"):
    """A clock for turn-based play.

    It pauses outside the player's playing hours and on vacation.

    - `days` is the time for each turn. `bank` has further days for the whole game.
    - `window_hours` is the time for a question that can be passed. After that, it is passed automatically.
    """

    days: Annotated[int, Meta(ge=1, le=30)]
    bank: Annotated[int, Meta(ge=0, le=60)] = 0
    window_hours: Annotated[int, Meta(ge=1, le=7 * 24)] = 24
    increment: ClassVar[int] = 0

    def __post_init__(self) -> None:
        if self.window_hours > self.days * 24:
            raise ValueError("a window has no more time than a turn")

    def cost(self, decision: int, elapsed: int) -> int:
        """Return 0, because the cost of a turn-based span is known only at its end."""
        return 0


Clock = LiveClock | TurnBasedClock
