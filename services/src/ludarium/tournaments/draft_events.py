"""Events for changes that hosts make to drafts by hand.

A tournament's stream is public, so the event of a change contains only a commitment and the change itself, encrypted
with the tournament's key. Any process of the service can therefore pair the draft. The event that publishes the round
reveals each change and its salt. From then on, everyone can verify commitments and pairing.
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
"""Bytes. Encrypted data is padded to a multiple of it, so that its length reveals little."""
LENGTH, SALT, NONCE = 4, 32, bytes(12)
"""Each key encrypts a single event, so the nonce can be constant."""


class DraftChange(msgspec.Struct, frozen=True):
    """A change made to a draft by hand: either tables that are set, or a swap.

    Attributes:
        tables: the tables that are set, as entries by seat; the others are paired again.
        swap: the two entries that change places.
    """

    tables: list[list[int]] = []
    swap: list[int] = []


class DraftChanged(TournamentEvent, frozen=True):
    """A host has changed the draft by hand.

    Attributes:
        commitment: BLAKE2b-256 of a salt and the change in MessagePack.
        sealed: salt and change, encrypted with AES-GCM.
    """

    by: str
    stage: int
    round: int
    commitment: bytes
    sealed: bytes


class AppliedChange(msgspec.Struct, frozen=True):
    """A change of a draft; `made` is None if the tournament's key is not available."""

    commitment: bytes
    salt: bytes
    made: DraftChange | None


class SecretSource(Protocol):
    """Derives secrets from the tournament's key."""

    def derive_secret(self, what: bytes, *numbers: int) -> bytes: ...


_change_in = msgpack_decoder(DraftChange)
_encode = msgspec.msgpack.Encoder().encode


def seal_change(keys: SecretSource, version: int, by: str, stage: int, round: int, made: DraftChange) -> DraftChanged:
    """Return the event for a change; `version` is the version of that event."""
    salt, data = keys.derive_secret(b"salt of a change", version), _encode(made)
    commitment = commit_to_change(salt, made)
    plain = salt + len(data).to_bytes(LENGTH, "big") + data
    padded = plain.ljust(-(-len(plain) // PADDED) * PADDED, b"\0")
    return DraftChanged(by, stage, round, commitment, cipher_of(keys, version).encrypt(NONCE, padded, commitment))


def open_change(keys: SecretSource, version: int, event: DraftChanged) -> AppliedChange:
    """Decrypt the change in an event.

    Without the tournament's key, the content is None.
    """
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
    """Return a draft's changes with the salts and contents that were published."""
    known = zip(salts, made, strict=True)
    return tuple(AppliedChange(each.commitment, *opened) for each, opened in zip(changes, known, strict=True))


def reveals_commitments(changes: Sequence[AppliedChange], salts: Sequence[bytes], made: Sequence[DraftChange]) -> bool:
    """Return whether a publication reveals exactly the changes committed to."""
    given = [commit_to_change(*each) for each in zip(salts, made, strict=False)]
    return len(salts) == len(made) and given == [each.commitment for each in changes]
