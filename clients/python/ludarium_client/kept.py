"""Compare saved hashes with the server's, to detect lost or changed events.

Verifying signatures needs the package `cryptography` (extra `verify`). Pin the keys: keys that a server sends today prove
nothing about yesterday.
"""

import base64
import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Literal

import msgspec

from ludarium_client.bodies import Cut, Hour, Statement

NONE = "-"
KEY = re.compile("[0-9a-f]{64}")
Verdict = Literal["holds", "lost", "tampered"]


class Kept(msgspec.Struct, frozen=True):
    """A saved event: its `seq`, its `head` and the `at` of its data.

    `head` has the first 16 or more hexadecimal digits of the event's hash.
    """

    table: str
    seq: int
    head: str
    at: str


class Judgement(msgspec.Struct, frozen=True):
    """The result of the comparison.

    holds: the log still has the event. lost: signed cuts explain that the last `lost` known events are missing. tampered: the
    event is missing, and no signed cut explains it.
    """

    verdict: Verdict
    lost: int = 0

    def __str__(self) -> str:
        if self.verdict == "lost":
            return f"this server lost the last {self.lost} events that you knew of"
        return "your last event is there" if self.verdict == "holds" else "the log has another past than you were shown"


def judge(kept: Kept, hashes: Sequence[str], cuts: Sequence[Cut], keys: Sequence[str]) -> Judgement:
    """Compare a saved event with the server's hashes and cuts.

    Args:
        kept: the saved event.
        hashes: the hashes of the table's events, from `proof` or a record's links.
        cuts: the losses that the server reports.
        keys: trusted public keys, in hexadecimal.
    """
    if kept.seq < len(hashes) and len(kept.head) >= 16 and hashes[kept.seq].startswith(kept.head):
        return Judgement("holds")
    explained = [lost for cut in cuts if is_signed(cut, keys) and (lost := lost_by(kept, cut, len(hashes))) > 0]
    return Judgement("lost", max(explained)) if explained else Judgement("tampered")


def lost_by(kept: Kept, cut: Cut, length: int) -> int:
    """Return how many events up to the saved one this cut explains as lost.

    It is 0 if the cut concerns another table or was found before the event.
    """
    if kept.at > cut.found_at or cut.table not in (None, kept.table):
        return 0
    if cut.table is None:
        within = cut.since is not None and cut.until is not None and cut.since <= kept.at <= cut.until
        return max(kept.seq + 1 - length, 1) if within else 0
    return kept.seq - (-1 if cut.kept is None else cut.kept)


def kept_of(statement: Statement) -> Kept:
    """Return the last event of a statement."""
    return Kept(statement.table, statement.length - 1, statement.head, statement.at)


# --- signatures -----------------------------------------------------------------------------------------------------------
def is_signed(said: Statement | Cut | Hour, keys: Sequence[str]) -> bool:
    """True if one of these keys has signed it."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    key = next((bytes.fromhex(key) for key in keys if KEY.fullmatch(key) and id_of(bytes.fromhex(key)) == said.key), None)
    if key is None or said.signature is None:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(base64.b64decode(said.signature, validate=True), text_of(said))
    except (InvalidSignature, ValueError):
        return False
    return True


def id_of(key: bytes) -> str:
    """Return the id of a public key: 16 hexadecimal digits."""
    return blake2b(key, digest_size=32).hexdigest()[:16]


def text_of(said: Statement | Cut | Hour) -> bytes:
    """Return the signed text."""
    return "\n".join([*lines(said), f"key {said.key}"]).encode()


def lines(said: Statement | Cut | Hour) -> Iterator[str]:
    """Yield the lines of the signed text, without that of the key."""
    match said:
        case Statement():
            kind = "statement/1"
            places = None if said.places is None else ",".join(map(str, said.places))
            named = {"table": said.table, "length": said.length, "head": said.head, "places": places, "at": said.at}
        case Cut():
            kind = "cut/2"
            span = {"since": said.since, "until": said.until, "found": said.found_at}
            named = {"log": said.log, "table": said.table, "kept": said.kept, "lost": said.lost, **span}
        case Hour():
            kind = "hour/2"
            named = {"log": said.log, "hour": said.hour, "root": said.root, "previous": said.previous, "count": said.count}
    yield f"ludarium-{kind}"
    yield from (f"{name} {NONE if value is None else value}" for name, value in named.items())
