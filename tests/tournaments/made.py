"""Simulated tournaments whose results depend on strength and luck."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ludarium_pairing.model import Entries, Entry, GameResult, History, Round, Settings, Table
from ludarium_pairing.pairing import pair
from ludarium_pairing.record import RecordedRound, TournamentRecord, sealed


def entries_of(players: int, luck: Random) -> Entries:
    """Create entries with ids in order of strength, and ratings that roughly match."""
    return tuple(Entry(f"p{at:05}", rating=(players - at) * 10 + luck.randrange(players * 3)) for at in range(players))


def result(seats: Sequence[str], luck: Random, mishaps: bool = True) -> tuple[GameResult, ...]:
    """Create the result of a game by strength and luck.

    Args:
        seats: The entry of each seat.
        mishaps: Whether a player may be absent, or the table may have no result.
    """
    if mishaps and luck.random() < 0.02:
        return ()
    strength = [round(luck.gauss(-int(id[1:]) / 10, 2)) for id in seats]
    places = tuple(1 + sum(other > own for other in strength) for own in strength)
    away = (luck.randrange(len(seats)),) if mishaps and luck.random() < 0.04 else ()
    return (GameResult(places, tuple(max(0, 50 + 3 * own) for own in strength), away),)


def event(
    entries: Entries, settings: Settings, rounds: int, luck: Random, *, locks: float = 0.0, waiting: float = 1.0,
    mishaps: bool = True,
) -> TournamentRecord:
    """Simulate a tournament, which ends early if no entries are left to pair.

    Args:
        locks: The probability that a table of a round is set by hand.
        waiting: The probability that an entry waits for a game.
    """
    kept: list[RecordedRound] = []
    history: History = ()
    for _ in range(rounds):
        seed = luck.randbytes(32)
        locked = (by_hand(entries, history, settings, seed),) if luck.random() < locks else ()
        here = tuple(entry.id for entry in entries if luck.random() < waiting) if waiting < 1 else None
        pairing = pair(entries, history, settings, seed, locked=locked, waiting=here)
        if not pairing.tables and not pairing.byes:
            break
        results = tuple(result(seats, luck, mishaps) for seats in pairing.tables)
        kept.append(RecordedRound(seed.hex(), pairing, results, locked, here))
        history = (*history, kept[-1].played())
    return sealed(TournamentRecord(entries, settings, tuple(kept)))


def by_hand(entries: Entries, history: History, settings: Settings, seed: bytes) -> tuple[str, ...]:
    """Reverse the seats of the first table of the automatic pairing."""
    return pair(entries, history, settings, seed).tables[0][::-1]


def with_changes(entries: Entries, rounds: int, luck: Random) -> Entries:
    """Let some entries join late, leave or sit out a round."""
    return tuple(changed(entry, rounds, luck) for entry in entries)


def changed(entry: Entry, rounds: int, luck: Random) -> Entry:
    match luck.randrange(12):
        case 0:
            return Entry(entry.id, entry.rating, joined=2, points=60)
        case 1:
            return Entry(entry.id, entry.rating, left=luck.randint(2, rounds + 1))
        case 2:
            return Entry(entry.id, entry.rating, out=(luck.randint(1, rounds),))
        case _:
            return entry


def history_of(tables: Sequence[Sequence[tuple[tuple[str, ...], tuple[int, ...]]]]) -> History:
    """Build a history from seats and places, round by round."""
    return tuple(Round(tuple(Table(seats, (GameResult(places),)) for seats, places in round)) for round in tables)
