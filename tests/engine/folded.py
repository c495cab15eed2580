"""Games as audiences receive them, for clients in other languages.

`python -m tests.engine.folded` writes api-schema/folding/. A file is a game as gzipped JSON. Its `zones` are as in the
document of a ruleset. Each of its `audiences` (-1 for spectators) has `start`, the view before the setup, and `steps`,
which have the `facts` of each event. Some steps, including the last one, have the `view` after the event. Existing files
are a reference and are never overwritten.
"""
from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ludarium_engine.kernel import State
from ludarium_engine.kernel.describe import describe_facts
from ludarium_engine.registry import titles
from ludarium_engine.testkit.folded import audiences, blank, seen_game
from ludarium_engine.testkit.fuzz import AnyTitle, Case, cases
from tests.support import node

PROJECT = Path(__file__).parents[2]
FOLDER = PROJECT / "api-schema" / "folding"
RARELY = 25
"""Events between two views of a published game."""


def written(case: Case, seed: int, every: int = 1) -> bytes:
    """Encode a game.

    Args:
        every: The number of events from one view to the next.
    """
    looks = list(seen_game(case, seed))
    return msgspec.json.encode({
        "ruleset": case.title.id,
        "seats": case.seats,
        "zones": [{"name": f.name, "sight": f.visibility, "kind": f.kind} for f in case.title.layout.fields],
        "audiences": {
            audience: {
                "start": zones(case.title, case.title.layout.view(blank(case), audience)),
                "steps": [
                    {"facts": describe_facts(case.title, seen.event)}
                    | ({"view": zones(case.title, seen.view)} if n % every == 0 or n == len(looks) else {})
                    for n, seen in enumerate((look[nth] for look in looks), 1)
                ],
            }
            for nth, audience in enumerate(audiences(case.seats))
        },
    })  # fmt: skip


def zones(title: AnyTitle, seen: State) -> dict[str, Any]:
    return {
        "zones": {f.name: getattr(seen, f.name) for f in title.layout.fields},
        "turn": seen.turn,
        "outcome": seen.outcome,
        "always_passes": [window for _, window in seen.always_passes],
    }


def folded_in_the_browsers_code(paths: Sequence[Path]) -> str:
    """Fold these files with the web client's code, and return how many views matched.

    Raises:
        AssertionError: A view differs.
    """
    return node.output(PROJECT / "tests/engine/folded.mjs", *paths)


def largest(title: AnyTitle) -> Case:
    return max(cases(title), key=lambda case: case.seats)


def publish() -> None:
    FOLDER.mkdir(exist_ok=True)
    for title in titles().values():
        path = FOLDER / f"{title.id}.json.gz"
        if not path.exists():
            path.write_bytes(gzip.compress(written(largest(title), 1, RARELY), mtime=0))


if __name__ == "__main__":
    publish()
