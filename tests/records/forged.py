"""Records forged by someone who knows the seeds.

All of their hashes fit, but the game differs.
"""
from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import msgspec

from ludarium.platform import ids
from ludarium.tables.model.event_types import NUMBERS
from ludarium.tables.model.events import Acted, GameStarted, SeedsRevealed, TableOpened, Undone
from ludarium_eventstore import chain
from tests.support.damage import Json

ROLLED, SHUFFLED, MOVED = 4, 5, 0
Fields = list[Any]


def forged(source: bytes, change: Callable[[list[Json]], None]) -> bytes:
    """Change the rows of a record, and recompute the record's hash chain."""
    record = msgspec.json.decode(source)
    change(record["rows"])
    prev = chain.genesis(ids.decode(record["table"]))
    for n, row in enumerate(record["rows"]):
        prev = relinked(row, n, prev)
    return msgspec.json.encode(record)


def relinked(row: Json, n: int, prev: bytes) -> bytes:
    stored = row["opened"][0]
    leaf = chain.leaf(raw(stored["salt"]), raw(stored["data"]))
    link = chain.link(prev, n, row["type"], row["schema"], row["at_us"], raw(row["layout"]), leaf, raw(row["root"]))
    row["leaf_0"], row["link"] = text(leaf), text(link)
    row["event"] |= {"seq": n, "head": link[:8].hex()}
    return link


def raw(text: str) -> bytes:
    return base64.b64decode(text)


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


# --- changes ------------------------------------------------------------------------------------------------------------------
def change_fields(rows: list[Json], kind: type, change: Callable[[Fields], bool]) -> None:
    """Change the fields of the first row of a type that `change` can change."""
    for row in rows:
        if row["type"] == NUMBERS[kind][0]:
            fields = msgspec.msgpack.decode(raw(row["opened"][0]["data"]))
            if change(fields):
                row["opened"][0]["data"] = text(msgspec.msgpack.encode(fields))
                return
    raise AssertionError(f"nothing to change in a {kind.__name__}")


def change_fact(facts: Fields, tag: int, part: int, change: Callable[[Any], Any]) -> bool:
    for fact in facts:
        if fact[0] == tag:
            fact[part] = change(fact[part])
            return True
    return False


def another_shuffle(rows: list[Json]) -> None:
    change_fields(rows, GameStarted, lambda row: change_fact(row[5], SHUFFLED, 2, lambda order: [*order[1:], order[0]]))


def another_die(rows: list[Json]) -> None:
    change_fields(rows, GameStarted, lambda row: change_fact(row[5], ROLLED, 2, lambda value: value ^ 1))


def a_card_that_is_not_there(rows: list[Json]) -> None:
    change_fields(rows, Acted, lambda row: change_fact(row[2], MOVED, 1, lambda cards: [9999, *cards]))


def a_slot_that_is_not_there(rows: list[Json]) -> None:
    change_fields(rows, Acted, lambda row: change_fact(row[2], MOVED, 2, lambda slot: 64 * 60))


def other_nonces(rows: list[Json]) -> None:
    def change(row: Fields) -> bool:
        row[4] = [b"mine", *row[4][1:]]
        return True

    change_fields(rows, GameStarted, change)


def another_seed(rows: list[Json]) -> None:
    def change(row: Fields) -> bool:
        row[0] = bytes(32)
        return True

    change_fields(rows, SeedsRevealed, change)


def an_undo_to_nowhere(rows: list[Json]) -> None:
    def change(row: Fields) -> bool:
        row[1] = 100_000
        return True

    change_fields(rows, Undone, change)


def a_die_without_faces(rows: list[Json]) -> None:
    under_older_rules(rows, ROLLED, 3, [])


def a_die_with_more_faces_than_numbers(rows: list[Json]) -> None:
    under_older_rules(rows, ROLLED, 3, [*range(70_000)])


def under_older_rules(rows: list[Json], tag: int, part: int, value: Any) -> None:
    """Change a fact under older rules, which verification does not run again."""

    def change(row: Fields) -> bool:
        row[0] = "0.older"
        return change_fact(row[5], tag, part, lambda old: value)

    change_fields(rows, GameStarted, change)


def more_seats_than_can_be_counted(rows: list[Json]) -> None:
    def change(row: Fields) -> bool:
        row[2] = 70_000
        return True

    change_fields(rows, TableOpened, change)
    rows[0]["leaves"] = [rows[0]["root"]] * 70_001


def no_seats(rows: list[Json]) -> None:
    def change(row: Fields) -> bool:
        row[2] = -1
        return True

    change_fields(rows, TableOpened, change)
    rows[0] |= {"leaves": [], "opened": rows[0]["opened"][:1], "root": text(chain.root([]))}


def another_salt(rows: list[Json]) -> None:
    rows[5]["opened"][0]["salt"] = text(bytes(32))


def no_end(rows: list[Json]) -> None:
    del rows[-1]


WAYS = (
    another_shuffle, another_die, a_card_that_is_not_there, a_slot_that_is_not_there, other_nonces, another_seed,
    an_undo_to_nowhere, a_die_without_faces, a_die_with_more_faces_than_numbers, more_seats_than_can_be_counted, no_seats,
    another_salt, no_end,
)  # fmt: skip
