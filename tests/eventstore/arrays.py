"""Convert appends to the arrays that the function es.append_each takes."""
from __future__ import annotations

from collections.abc import Sequence

from ludarium_eventstore import Append

CALL = "select * from es.append_each(" + ", ".join(f"${n}" for n in range(1, 16)) + ")"


def arguments(appends: Sequence[Append]) -> list[list[object]]:
    rows = [(nth, event) for nth, append in enumerate(appends, 1) for event in append.events]
    ours = ("stream", "expected", "prev", "size", "key", "request", "secret")
    theirs = ("type", "schema", "at", "data", "root", "hash")
    return [
        *([len(a.events) if name == "size" else getattr(a, name) for a in appends] for name in ours),
        [nth for nth, _ in rows],
        *([getattr(event, name) for _, event in rows] for name in theirs),
        [a.due for a in appends],
    ]
