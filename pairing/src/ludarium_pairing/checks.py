"""Check entries, history, settings and tables before a round is paired."""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from ludarium_pairing.errors import Refused
from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import MOST_SEATS, VERSION, Entries, GameResult, History, Settings, Table
from ludarium_pairing.points import by_place

LONGEST_SEED = 64
FOR_TWO = ("single-elimination", "double-elimination", "arena")
FIXED = ("single-elimination", "double-elimination", "pods")


def check_request(entries: Entries, history: History, settings: Settings, seed: bytes, version: int) -> None:
    if version != VERSION:
        raise Refused("unknown-version", f"there is version {VERSION}, not {version}")
    if not 0 < len(seed) <= LONGEST_SEED:
        raise Refused("pairing-invalid", f"a seed has 1 to {LONGEST_SEED} bytes")
    check_unique(entry.id for entry in entries)
    check_settings(settings)
    check_history(entries, history, settings.best_of)


def check_settings(settings: Settings) -> None:
    if not 2 <= settings.fewest <= settings.seats <= settings.greatest <= MOST_SEATS:
        raise Refused("settings-invalid", f"tables have 2 to {MOST_SEATS} seats, the preferred size among the legal ones")
    if settings.format in FOR_TWO and settings.seats != 2:
        raise Refused("settings-invalid", f"{settings.format} is for two at a table")
    if settings.format in ("pods", "lives") and settings.seats == 2:
        raise Refused("settings-invalid", f"{settings.format} is for three or more at a table")
    if min(settings.advance, settings.lives, settings.best_of) < 1:
        raise Refused("settings-invalid", "advance, lives and best_of are at least 1")
    if settings.scheme in ("5310", "own", "arena"):
        for size in range(settings.fewest, settings.greatest + 1):
            by_place(settings, size)


def check_history(entries: Entries, history: History, best_of: int) -> None:
    """Raise Refused if the history is inconsistent.

    In each round, known entries must appear at most once. A match must not have too many games. Places must count ties as in
    1, 2, 2, 4.
    """
    known = {entry.id for entry in entries}
    for round in history:
        check_unique([*round.byes, *(id for table in round.tables for id in table.seats)])
        if unknown := ({*round.byes} | {id for table in round.tables for id in table.seats}) - known:
            raise Refused("result-invalid", f"no entries: {', '.join(sorted(unknown))}")
        for table in round.tables:
            check_match(table, best_of)


def check_match(table: Table, best_of: int) -> None:
    if len(table.games) > best_of:
        raise Refused("result-invalid", f"{len(table.games)} games at a table that plays {best_of}")
    for game in table.games:
        check_game(game, len(table.seats))


def check_game(game: GameResult, size: int) -> None:
    counted = tuple(1 + sum(other < place for other in game.places) for place in game.places)
    if len(game.places) != size or game.places != counted:
        raise Refused("result-invalid", f"places {game.places} at a table of {size}")
    if len(game.points) not in (0, size) or not set(game.absent) <= set(range(size)):
        raise Refused("result-invalid", f"points {game.points} or absent seats {game.absent} at a table of {size}")


def check_tables(past: PastRounds, tables: Sequence[Sequence[str]]) -> None:
    """Raise Refused unless tables set by hand are legal and seat present entries once."""
    check_unique(id for table in tables for id in table)
    present = set(past.ids(past.present))
    if missing := sorted({id for table in tables for id in table} - present):
        raise Refused("pairing-invalid", f"not taking part in this round: {', '.join(missing)}")
    legal = range(past.settings.fewest, past.settings.greatest + 1)
    if wrong := [len(table) for table in tables if len(table) not in legal]:
        raise Refused("pairing-invalid", f"a table of {wrong[0]} is not legal here")
    if tables and past.settings.format in FIXED:
        raise Refused("pairing-invalid", f"who plays whom in {past.settings.format} follows from the results")
    check_forbidden(past.settings.forbidden, tables)


def check_complete(past: PastRounds, tables: Sequence[Sequence[str]], byes: Sequence[str]) -> None:
    """Raise Refused unless each present entry has a table or a bye."""
    named = [*(id for table in tables for id in table), *byes]
    check_unique(named)
    if wrong := set(named) ^ set(past.ids(past.present)):
        raise Refused("pairing-invalid", f"left out, or not taking part in this round: {', '.join(sorted(wrong))}")


def check_forbidden(forbidden: Collection[tuple[str, str]], tables: Sequence[Sequence[str]]) -> None:
    for one, other in forbidden:
        if any(one in table and other in table for table in tables):
            raise Refused("pairing-invalid", f"{one} and {other} must not meet")


def check_unique(ids: Iterable[str]) -> None:
    if twice := [id for id, times in Counter(ids).items() if times > 1]:
        raise Refused("pairing-invalid", f"named twice: {', '.join(twice)}")
