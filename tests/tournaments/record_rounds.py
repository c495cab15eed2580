"""Write 500 rounds of tournaments of all formats to rounds.json.gz.

Run it with `python -m tests.tournaments.record_rounds`.
"""
from __future__ import annotations

import gzip
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from ludarium_pairing.model import Settings
from ludarium_pairing.record import TournamentRecord
from tests.tournaments.made import entries_of, event, with_changes

ROUNDS = 500
KEPT = Path(__file__).with_name("rounds.json.gz")
FORBIDDEN = (("p00000", "p00001"), ("p00001", "p00002"), ("p00003", "p00004"))
FORMATS: list[dict[str, Any]] = [
    {"format": "swiss"},
    {"format": "swiss", "seats": 4},
    {"format": "swiss", "seats": 4, "scheme": "5310", "short": "high"},
    {"format": "swiss", "seats": 3, "forbidden": FORBIDDEN},
    {"format": "swiss", "forbidden": FORBIDDEN, "bye": "mean"},
    {"format": "swiss", "seats": 5, "least": 3, "most": 6},
    {"format": "round-robin"},
    {"format": "round-robin", "seats": 4},
    {"format": "swiss", "seats": 6},
    {"format": "lives", "seats": 4},
    {"format": "arena"},
    {"format": "pods", "seats": 4, "advance": 2},
    {"format": "single-elimination"},
    {"format": "double-elimination"},
]
SIZES = (1, 2, 3, 5, 7, 8, 10, 11, 13, 14, 17, 21, 24, 26, 33, 40, 61)


def records(luck: Random) -> Iterator[TournamentRecord]:
    """Yield tournaments endlessly, with each format at each number of players in turn."""
    for size in chain.from_iterable(luck.sample(SIZES, len(SIZES)) for _ in iter(int, 1)):
        for asked in luck.sample(FORMATS, 5):
            rounds = luck.randint(2, 7)
            entries = entries_of(size, luck)
            if asked["format"] in ("swiss", "lives"):
                entries = with_changes(entries, rounds, luck)
            fits = tuple(pair for pair in asked.get("forbidden", ()) if max(pair) < f"p{size:05}")
            settings = Settings(**{**asked, "forbidden": fits})
            locks = 0.2 if asked["format"] == "swiss" and size > 12 and not fits else 0.0
            yield event(entries, settings, rounds, luck, locks=locks,
                        waiting=0.7 if asked["format"] == "arena" else 1.0)


def rounds_of(count: int) -> Iterator[TournamentRecord]:
    """Yield whole tournaments until they have at least `count` rounds in total."""
    for record in islice(records(Random(20)), count):
        yield record
        count -= len(record.rounds)
        if count <= 0:
            return


if __name__ == "__main__":
    with gzip.GzipFile(KEPT, "wb", mtime=0) as file:
        file.write(msgspec.json.encode(list(rounds_of(ROUNDS))))
