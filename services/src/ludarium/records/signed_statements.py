"""What is signed: a table as it stood, an hour, rows that were lost. No names, and nothing but what follows from the log."""
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
NONE = "-"


class Statement(Signed, frozen=True, kw_only=True):
    """A table's log was so long, and its last row had this hash. places: of the seats, null while there are none.

    at: RFC 3339; when the last row was written. The same log gives the same statement, whenever one asks.
    """

    table: str
    length: int
    head: Hash
    places: list[int] | None
    at: str


class Cut(Signed, frozen=True, kw_only=True):
    """Rows that the log `log` has lost, as the operator says. Of one table: all behind `kept` (-1: all), `lost` was the last.

    Or of whichever tables between `since` and `until`, where nobody knows which: after a restore.
    """

    log: str
    table: str | None
    kept: int | None
    lost: Hash | None
    since: str | None
    until: str | None
    found_at: str


class CutList(msgspec.Struct, frozen=True):
    cuts: list[Cut]


class SigningKeys(msgspec.Struct, frozen=True):
    """present: the id of the one that signs now; null: nothing is signed here. keys: also those of before."""

    present: str | None
    keys: list[PublicKey]


class Hour(Signed, frozen=True, kw_only=True):
    """The tables of the log `log` that were over within an hour: the root over their ids and last hashes, and that of the
    hour before."""

    log: str
    hour: str
    root: Hash
    previous: Hash
    count: int


class HourPage(msgspec.Struct, frozen=True):
    """next: what to give as `from` for the next page; null on the last one."""

    hours: list[Hour]
    next: str | None


class Step(msgspec.Struct, frozen=True):
    """On the way from a leaf to its root. left: whether `hash` stands on the left."""

    left: bool
    hash: Hash


class HourProof(msgspec.Struct, frozen=True):
    """That a table's last hash is under the root of an hour."""

    head: Hash
    path: list[Step]
    hour: Hour


# --- the lines that are signed --------------------------------------------------------------------------------------------
def lines_of_statement(s: Statement) -> list[str]:
    places = NONE if s.places is None else ",".join(map(str, s.places))
    said = [("table", s.table), ("length", s.length), ("head", s.head), ("places", places), ("at", s.at)]
    return lines("ludarium-statement/1", said)


def lines_of_cut(c: Cut) -> list[str]:
    span = [("since", c.since), ("until", c.until), ("found", c.found_at)]
    return lines("ludarium-cut/2", [("log", c.log), ("table", c.table), ("kept", c.kept), ("lost", c.lost), *span])


def lines_of_hour(h: Hour) -> list[str]:
    said = [("log", h.log), ("hour", h.hour), ("root", h.root), ("previous", h.previous), ("count", h.count)]
    return lines("ludarium-hour/2", said)


def lines(format: str, said: Sequence[tuple[str, object]]) -> list[str]:
    return [format, *(f"{name} {NONE if value is None else value}" for name, value in said)]


# --- made -----------------------------------------------------------------------------------------------------------------
def statement_of(table: TableState, signer: Signer) -> Statement:
    made = Statement(
        table=table.id, length=table.version + 1, head=table.hash.hex(),
        places=table.ended.outcome if table.ended else None, at=timestamp(table.at),
    )  # fmt: skip
    key, signature = signer.sign(lines_of_statement(made))
    return msgspec.structs.replace(made, key=key, signature=signature)


def hour_of(row: Any, signer: Signer) -> Hour:
    made = Hour(
        log=ids.encode(row["log"]), hour=timestamp(row["hour"]), root=row["root"].hex(), previous=row["previous"].hex(),
        count=row["count"],
    )  # fmt: skip
    key, signature = signer.sign(lines_of_hour(made))
    return msgspec.structs.replace(made, key=key, signature=signature)


def cut_of(row: Any) -> Cut:
    """As it was signed, or not yet."""
    return Cut(
        log=ids.encode(row["log"]), table=ids.encode(row["stream_id"]) if row["stream_id"] else None, kept=row["kept"],
        lost=row["lost"].hex() if row["lost"] else None, since=row["since"] and timestamp(row["since"]),
        until=row["until"] and timestamp(row["until"]), found_at=timestamp(row["found_at"]), key=row["key"],
        signature=row["signature"],
    )  # fmt: skip


def keys_of(signer: Signer) -> SigningKeys:
    return SigningKeys(signer.present.id if signer.present else None, signer.keys)
