"""Sign lines of text with Ed25519 (RFC 8032).

Libraries for this algorithm exist in all common languages, so everyone can verify the signatures.
"""
from __future__ import annotations

import base64
from collections.abc import Sequence
from hashlib import blake2b
from typing import Self

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SIZE = 32


class BadKey(ValueError):
    """The text is not a key."""


class PublicKey(msgspec.Struct, frozen=True):
    """A public key, in hexadecimal.

    `id` has the first 16 digits of the key's BLAKE2b-256 hash. `key` has its 32 bytes.
    """

    id: str
    key: str


class Signed(msgspec.Struct, frozen=True, kw_only=True):
    """A signature, and the id of the key that made it.

    `signature` has 64 bytes in base64. Both fields are null if the operator has no signing key.
    """

    key: str | None = None
    signature: str | None = None


class PublicKeys(tuple[str, ...]):
    """Public keys from a setting, where commas separate them."""

    __slots__ = ()

    def __new__(cls, text: str = "") -> Self:
        keys = [each.strip() for each in text.split(",") if each.strip()]
        for key in keys:
            raw(key)
        return super().__new__(cls, keys)


class Signer:
    """Signs with the current key, and knows earlier public keys."""

    def __init__(self, secret: str | None = None, before: Sequence[str] = ()) -> None:
        """Configure the keys.

        Args:
            secret: the current secret key, 32 bytes in hexadecimal; None if nothing is signed.
            before: public keys that were used earlier, in hexadecimal.

        Raises:
            BadKey: one of the texts is not a key.
        """
        self._key = Ed25519PrivateKey.from_private_bytes(raw(secret)) if secret else None
        self.present = public_key(self._key.public_key().public_bytes_raw()) if self._key else None
        self.keys = [key for key in (self.present, *(public_key(raw(each)) for each in before)) if key]

    def sign(self, lines: Sequence[str]) -> tuple[str | None, str | None]:
        """Return the key's id, and a signature over the lines and a line with that id.

        Both are None if there is no signing key.
        """
        if self._key is None or self.present is None:
            return None, None
        signature = self._key.sign(text_of(lines, self.present.id))
        return self.present.id, base64.b64encode(signature).decode()


def new_secret() -> str:
    return Ed25519PrivateKey.generate().private_bytes_raw().hex()


def public_key(key: bytes) -> PublicKey:
    return PublicKey(blake2b(key, digest_size=SIZE).hexdigest()[:16], key.hex())


def raw(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        raise BadKey("a key is 64 hexadecimal digits") from None
    if len(key) != SIZE:
        raise BadKey("a key is 64 hexadecimal digits")
    return key


def text_of(lines: Sequence[str], key: str) -> bytes:
    return "\n".join([*lines, f"key {key}"]).encode()


def holds(lines: Sequence[str], signed: Signed, keys: Sequence[PublicKey]) -> bool:
    """Return whether one of these keys has signed the lines."""
    key = next((each for each in keys if each.id == signed.key), None)
    if key is None or signed.signature is None or public_key(raw(key.key)) != key:
        return False
    try:
        signature = base64.b64decode(signed.signature, validate=True)
        Ed25519PublicKey.from_public_bytes(raw(key.key)).verify(signature, text_of(lines, key.id))
    except (InvalidSignature, ValueError):
        return False
    return True
