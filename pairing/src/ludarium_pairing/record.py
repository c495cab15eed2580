"""Record a tournament, so that anyone can recompute its rounds.

Each round has a seal, which is a hash over everything before.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from msgspec import Struct, json, structs, to_builtins

from ludarium_pairing.model import VERSION, Entries, GameResult, History, Pairing, Round, Settings, Table
from ludarium_pairing.pairing import pair


class RecordedRound(Struct, frozen=True):
    """A recorded round.

    Attributes:
        seed: the seed in hexadecimal.
        results: for each table, the results of its games.
        locked: the argument `locked` of `pair`.
        waiting: the argument `waiting` of `pair`.
        seal: the seal in hexadecimal.
    """

    seed: str
    pairing: Pairing
    results: tuple[tuple[GameResult, ...], ...]
    locked: tuple[tuple[str, ...], ...] = ()
    waiting: tuple[str, ...] | None = None
    seal: str = ""

    def played(self) -> Round:
        tables = zip(self.pairing.tables, self.results, strict=True)
        return Round(tuple(Table(seats, games) for seats, games in tables), self.pairing.byes)


class TournamentRecord(Struct, frozen=True):
    entries: Entries
    settings: Settings
    rounds: tuple[RecordedRound, ...]
    version: int = VERSION

    def history(self) -> History:
        return tuple(round.played() for round in self.rounds)


def sealed(record: TournamentRecord) -> TournamentRecord:
    """Return the record with the seals of all rounds."""
    rounds = zip(record.rounds, seals(record), strict=True)
    return structs.replace(record, rounds=tuple(structs.replace(round, seal=seal) for round, seal in rounds))


def seals(record: TournamentRecord) -> Iterator[str]:
    """Yield each round's seal in hexadecimal: a hash of the last seal and the round.

    The first seal also covers the version, the entries and the settings.
    """
    before = hashed(b"", [record.version, record.entries, record.settings])
    for round in record.rounds:
        before = hashed(before, structs.replace(round, seal=""))
        yield before.hex()


def hashed(before: bytes, what: object) -> bytes:
    return blake2b(before + json.encode(to_builtins(what, str_keys=True), order="sorted"), digest_size=32).digest()


def wrong_rounds(record: TournamentRecord) -> list[int]:
    """Return the numbers, from 1, of rounds whose seal or pairing is wrong."""
    right = zip(record.rounds, seals(record), pair_again(record), strict=True)
    return [at for at, (round, seal, pairing) in enumerate(right, 1) if round.seal != seal or round.pairing != pairing]


def pair_again(record: TournamentRecord) -> Iterable[Pairing]:
    history = record.history()
    for at, round in enumerate(record.rounds):
        seed = bytes.fromhex(round.seed)
        yield pair(record.entries, history[:at], record.settings, seed, record.version,
                   locked=round.locked, waiting=round.waiting)
