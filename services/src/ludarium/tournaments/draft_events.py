"""Changes that hosts make to drafts by hand. Everybody can read a tournament's stream, so its row only commits to a change.

The row holds the change encrypted under the tournament's key, so each process of the service can pair the draft. The row that
publishes the round has the change and its salt: from then on everybody can check the commitment, and the pairing.
"""
from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Protocol

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ludarium.tournaments.time_events import TournamentRow
from ludarium_engine.kernel.decoding import msgpack_decoder

PADDED = 256
"""Bytes: the length of what is encrypted is a multiple, so that it tells little of the change."""
LENGTH, SALT, NONCE = 4, 32, bytes(12)
"""Each key encrypts one row, so its nonce can be the same."""


class DraftChange(msgspec.Struct, frozen=True):
    """tables: those that are set by hand, by seat; the others are paired anew. Or swap: two entries that change places."""

    tables: list[list[int]] = []
    swap: list[int] = []


class DraftChanged(TournamentRow, frozen=True):
    """A host has changed the draft by hand.

    commitment: the BLAKE2b-256 of a salt and the change in MessagePack. sealed: both, encrypted with AES-GCM.
    """

    by: str
    stage: int
    round: int
    commitment: bytes
    sealed: bytes


class Change(msgspec.Struct, frozen=True):
    """A change of a draft, as a round keeps it. made: None where only the tournament's key could open it."""

    commitment: bytes
    salt: bytes
    made: DraftChange | None


class Keyed(Protocol):
    """What derives secrets from the tournament's key."""

    def derived(self, what: bytes, *numbers: int) -> bytes: ...


_change_in = msgpack_decoder(DraftChange)
_encode = msgspec.msgpack.Encoder().encode


def seal(keys: Keyed, version: int, by: str, stage: int, round: int, made: DraftChange) -> DraftChanged:
    """Return the row for a change. version: of the row."""
    salt, data = keys.derived(b"salt of a change", version), _encode(made)
    commitment = committed(salt, made)
    plain = salt + len(data).to_bytes(LENGTH, "big") + data
    padded = plain.ljust(-(-len(plain) // PADDED) * PADDED, b"\0")
    return DraftChanged(by, stage, round, commitment, cipher_of(keys, version).encrypt(NONCE, padded, commitment))


def opened(keys: Keyed, version: int, row: DraftChanged) -> Change:
    """Return the change of a row; it stays closed without the tournament's key."""
    try:
        plain = cipher_of(keys, version).decrypt(NONCE, row.sealed, row.commitment)
    except InvalidTag:
        return Change(row.commitment, b"", None)
    at = SALT + LENGTH
    made = _change_in(plain[at : at + int.from_bytes(plain[SALT:at], "big")])
    return Change(row.commitment, plain[:SALT], made)


def cipher_of(keys: Keyed, version: int) -> AESGCM:
    return AESGCM(keys.derived(b"key of a change", version))


def committed(salt: bytes, made: DraftChange) -> bytes:
    return blake2b(salt + _encode(made), digest_size=32).digest()


def revealed(changes: Sequence[Change], salts: Sequence[bytes], made: Sequence[DraftChange]) -> tuple[Change, ...]:
    """Return the changes as the publication says they were. It has a salt and a change for each."""
    return tuple(Change(each.commitment, *known) for each, known in zip(changes, zip(salts, made, strict=True), strict=True))


def keeps_its_word(changes: Sequence[Change], salts: Sequence[bytes], made: Sequence[DraftChange]) -> bool:
    """Whether a publication reveals what was committed to, all of it and nothing else."""
    given = [committed(*each) for each in zip(salts, made, strict=False)]
    return len(salts) == len(made) and given == [each.commitment for each in changes]
