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

from ludarium.tournaments.time_events import TournamentEvent
from ludarium_engine.kernel.decoding import msgpack_decoder

PADDED = 256
"""Bytes: the length of what is encrypted is a multiple, so that it tells little of the change."""
LENGTH, SALT, NONCE = 4, 32, bytes(12)
"""Each key encrypts one row, so its nonce can be the same."""


class DraftChange(msgspec.Struct, frozen=True):
    """tables: those that are set by hand, by seat; the others are paired anew. Or swap: two entries that change places."""

    tables: list[list[int]] = []
    swap: list[int] = []


class DraftChanged(TournamentEvent, frozen=True):
    """A host has changed the draft by hand.

    commitment: the BLAKE2b-256 of a salt and the change in MessagePack. sealed: both, encrypted with AES-GCM.
    """

    by: str
    stage: int
    round: int
    commitment: bytes
    sealed: bytes


class AppliedChange(msgspec.Struct, frozen=True):
    """A change of a draft, as a round keeps it. made: None where only the tournament's key could open it."""

    commitment: bytes
    salt: bytes
    made: DraftChange | None


class SecretSource(Protocol):
    """What derives secrets from the tournament's key."""

    def derive_secret(self, what: bytes, *numbers: int) -> bytes: ...


_change_in = msgpack_decoder(DraftChange)
_encode = msgspec.msgpack.Encoder().encode


def seal_change(keys: SecretSource, version: int, by: str, stage: int, round: int, made: DraftChange) -> DraftChanged:
    """Return the row for a change. version: of the row."""
    salt, data = keys.derive_secret(b"salt of a change", version), _encode(made)
    commitment = commit_to_change(salt, made)
    plain = salt + len(data).to_bytes(LENGTH, "big") + data
    padded = plain.ljust(-(-len(plain) // PADDED) * PADDED, b"\0")
    return DraftChanged(by, stage, round, commitment, cipher_of(keys, version).encrypt(NONCE, padded, commitment))


def open_change(keys: SecretSource, version: int, event: DraftChanged) -> AppliedChange:
    """Return the change of a row; it stays closed without the tournament's key."""
    try:
        plain = cipher_of(keys, version).decrypt(NONCE, event.sealed, event.commitment)
    except InvalidTag:
        return AppliedChange(event.commitment, b"", None)
    at = SALT + LENGTH
    made = _change_in(plain[at : at + int.from_bytes(plain[SALT:at], "big")])
    return AppliedChange(event.commitment, plain[:SALT], made)


def cipher_of(keys: SecretSource, version: int) -> AESGCM:
    return AESGCM(keys.derive_secret(b"key of a change", version))


def commit_to_change(salt: bytes, made: DraftChange) -> bytes:
    return blake2b(salt + _encode(made), digest_size=32).digest()


def reveal_changes(
    changes: Sequence[AppliedChange], salts: Sequence[bytes], made: Sequence[DraftChange]
) -> tuple[AppliedChange, ...]:
    """Return the changes as the publication says they were. It has a salt and a change for each."""
    known = zip(salts, made, strict=True)
    return tuple(AppliedChange(each.commitment, *opened) for each, opened in zip(changes, known, strict=True))


def reveals_commitments(changes: Sequence[AppliedChange], salts: Sequence[bytes], made: Sequence[DraftChange]) -> bool:
    """Whether a publication reveals what was committed to, all of it and nothing else."""
    given = [commit_to_change(*each) for each in zip(salts, made, strict=False)]
    return len(salts) == len(made) and given == [each.commitment for each in changes]
