"""Signed statements about a table, an hour or lost events.

They follow from the log and contain no names. See docs/decisions/043.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ludarium.platform import ids
from ludarium.platform.signing_keys import PublicKey, Signed, Signer
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import timestamp

Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
MISSING = "-"


class Statement(Signed, frozen=True, kw_only=True):
    """A statement about the length and the last hash of a table's log.

    The same log always gives the same statement. `places` has the ranks of the seats; null while there is no result.
    `at` is when the last event was written, in RFC 3339.
    """

    table: str
    length: int
    head: Hash
    places: list[int] | None
    at: str


class Cut(Signed, frozen=True, kw_only=True):
    """Events that a log has lost, as confirmed by the operator.

    Either the log lost the events of one table after `kept` (-1: all of them), whose last hash was `lost`. Or, after a
    restore, it lost events of unknown tables between `since` and `until`.
    """

    log: str
    table: str | None
    kept: int | None
    lost: Hash | None
    since: str | None
    until: str | None
    found_at: str


class CutList(msgspec.Struct, frozen=True):
    """Events that the log has lost, the newest losses first."""

    cuts: list[Cut]


class SigningKeys(msgspec.Struct, frozen=True):
    """The keys with which the server signs or has signed.

    `present` is the id of the current key; null if the server signs nothing. `keys` includes earlier keys.
    """

    present: str | None
    keys: list[PublicKey]


class Hour(Signed, frozen=True, kw_only=True):
    """The tables of a log that ended within an hour, as a Merkle root.

    `root` is the root over their ids and last hashes, and `previous` is the root before.
    """

    log: str
    hour: str
    root: Hash
    previous: Hash
    count: int


class HourPage(msgspec.Struct, frozen=True):
    """A page of hours.

    `next` is the `from` of the next page; null on the last page.
    """

    hours: list[Hour]
    next: str | None


class Step(msgspec.Struct, frozen=True):
    """A step from a leaf to its root.

    `left` says whether `hash` is the left neighbour.
    """

    left: bool
    hash: Hash


class HourProof(msgspec.Struct, frozen=True):
    """The proof that a table's last hash is under the root of an hour."""

    head: Hash
    path: list[Step]
    hour: Hour


# --- the lines that are signed --------------------------------------------------------------------------------------------
def lines_of_statement(s: Statement) -> list[str]:
    places = MISSING if s.places is None else ",".join(map(str, s.places))
    fields = [("table", s.table), ("length", s.length), ("head", s.head), ("places", places), ("at", s.at)]
    return signed_lines("ludarium-statement/1", fields)


def lines_of_cut(c: Cut) -> list[str]:
    span = [("since", c.since), ("until", c.until), ("found", c.found_at)]
    return signed_lines("ludarium-cut/2", [("log", c.log), ("table", c.table), ("kept", c.kept), ("lost", c.lost), *span])


def lines_of_hour(h: Hour) -> list[str]:
    fields = [("log", h.log), ("hour", h.hour), ("root", h.root), ("previous", h.previous), ("count", h.count)]
    return signed_lines("ludarium-hour/2", fields)


def signed_lines(format: str, fields: Sequence[tuple[str, object]]) -> list[str]:
    return [format, *(f"{name} {MISSING if value is None else value}" for name, value in fields)]


# --- made -----------------------------------------------------------------------------------------------------------------
def statement_of(table: TableState, signer: Signer) -> Statement:
    statement = Statement(
        table=table.id, length=table.version + 1, head=table.hash.hex(),
        places=table.ended.outcome if table.ended else None, at=timestamp(table.at),
    )  # fmt: skip
    key, signature = signer.sign(lines_of_statement(statement))
    return msgspec.structs.replace(statement, key=key, signature=signature)


def hour_from_row(row: Any, signer: Signer) -> Hour:
    hour = Hour(
        log=ids.encode(row["log"]), hour=timestamp(row["hour"]), root=row["root"].hex(), previous=row["previous"].hex(),
        count=row["count"],
    )  # fmt: skip
    key, signature = signer.sign(lines_of_hour(hour))
    return msgspec.structs.replace(hour, key=key, signature=signature)


def cut_from_row(row: Any) -> Cut:
    """Return a loss of events, with its signature if there is one."""
    return Cut(
        log=ids.encode(row["log"]), table=ids.encode(row["stream_id"]) if row["stream_id"] else None, kept=row["kept"],
        lost=row["lost"].hex() if row["lost"] else None, since=row["since"] and timestamp(row["since"]),
        until=row["until"] and timestamp(row["until"]), found_at=timestamp(row["found_at"]), key=row["key"],
        signature=row["signature"],
    )  # fmt: skip


def keys_of(signer: Signer) -> SigningKeys:
    return SigningKeys(signer.present.id if signer.present else None, signer.keys)
