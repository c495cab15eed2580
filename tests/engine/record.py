"""Recorded games of each case in recorded/.

`python -m tests.engine.record` adds missing ones. A recorded game is never rewritten, since it represents the games under
its revision of the rules. A new revision gets new recorded games. Games of earlier revisions are kept as long as the title
supports those revisions (`Title.oldest_revision`).
"""
from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from ludarium_engine.bots import bots
from ludarium_engine.kernel import Event, State, Title, checked_options, decide, new_game, seats_to_act
from ludarium_engine.kernel.contract import encode
from ludarium_engine.kernel.describe import action_of, describe_choice, describe_view
from ludarium_engine.registry import titles
from ludarium_engine.testkit.fuzz import Case, cases, chance_of

FOLDER = Path(__file__).parent / "recorded"
SEED = 20_261_121


class Recorded(NamedTuple):
    title: Title[Any, Any]
    options: Any
    seats: int
    seed: int
    version: str
    outcome: list[int]
    fields: int                                 # of the state at that time; fields may have been appended since
    state: str                                  # BLAKE2b of the last state, with these fields
    events: list[Event]

    @property
    def revision(self) -> int:
        """The revision of the rules under which the game was recorded.

        The data may have changed since then without changing any effect.
        """
        return int(self.version.partition(".")[0])


def paths() -> list[Path]:
    return sorted(FOLDER.glob("*.json"))


def read(path: Path) -> Recorded:
    head, *rows = path.read_text().splitlines()
    told = json.loads(head)
    title = titles()[told["ruleset"]]
    options = checked_options(title, told["options"], told["seats"])
    events = [msgspec.json.decode(row, type=Event) for row in rows]
    del told["ruleset"]
    return Recorded(**{**told, "title": title, "options": options, "events": events})


def digest(s: State, fields: int) -> str:
    """Return the digest of a state's first fields.

    The options are left out, because fields may have been added to them since.
    """
    known = [getattr(s, name) for name in s.__struct_fields__[:fields] if name != "options"]
    return blake2b(encode(known), digest_size=16).hexdigest()


def played(case: Case, seed: int) -> tuple[State, list[Event]]:
    """Play a game with one random bot, and simple bots in the other seats.

    If a title has no simple bot, all seats have random bots.
    """
    title, rng, chance, known = case.title, Random(seed), chance_of(seed), bots(case.title)
    players = [known["random"], *[known.get("simple", known["random"])] * (case.seats - 1)]
    s, event = new_game(title, case.options, case.seats, chance)
    events = [event]
    while s.outcome is None:
        seat = rng.choice(seats_to_act(s))
        choice = describe_choice(title, s, seat)
        assert choice is not None
        answer = players[seat](seat, describe_view(title, s, seat), choice, rng)
        s, event = decide(title, s, seat, action_of(answer.offer, answer.subset), chance)
        events.append(event)
    return s, events


def path_of(case: Case) -> Path:
    words = [str(value).lower() for value in case.raw.values()]
    revised = f".r{case.title.revision}" if case.title.revision > 1 else ""
    return FOLDER / f"{'-'.join([case.title.id, *words, str(case.seats)])}{revised}.json"


def record(case: Case, seed: int) -> None:
    path = path_of(case)
    if path.exists():
        return
    s, events = played(case, seed)
    fields = len(s.__struct_fields__)
    head = {
        "ruleset": case.title.id, "options": dict(case.raw), "seats": case.seats, "seed": seed,
        "version": case.title.version, "outcome": s.outcome, "fields": fields, "state": digest(s, fields),
    }  # fmt: skip
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([json.dumps(head), *rows(events)]) + "\n")


def rows(events: Sequence[Event]) -> list[str]:
    return [msgspec.json.encode(event).decode() for event in events]


if __name__ == "__main__":
    for title in titles().values():
        for nth, case in enumerate(cases(title)):
            record(case, SEED + nth)
