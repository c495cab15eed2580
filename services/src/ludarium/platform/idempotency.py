"""Identify repeated requests by their Idempotency-Key and a hash of their content."""

import re
from hashlib import blake2b
from typing import Any
from uuid import UUID

import msgspec

from ludarium.platform.problems import FieldError, Problem

LONGEST_KEY = 128
SECRET_KEY = 22
"""Minimum length of a key from which secrets are derived: 128 random bits."""
PATTERN = "^[!-~]+$"
visible = re.compile("[!-~]+").fullmatch
_canonical = msgspec.json.Encoder(order="deterministic").encode


class Identity(msgspec.Struct, frozen=True):
    """The identity of a request.

    Attributes:
        key: a hash of the caller and the Idempotency-Key, so that equal keys of different callers differ.
        request: a hash of the request's content.
    """

    key: UUID
    request: bytes


def identity_of(key: str | None, caller: str, request: Any, least: int = 1) -> Identity | None:
    """Return the identity of a request, None if the request has no key.

    Args:
        key: the Idempotency-Key, if there is one.
        caller: the player who sends the request.
        request: the request's content.
        least: the minimum length of the key.

    Raises:
        Problem: `invalid-request` if the key is malformed.
    """
    if key is None:
        return None
    if not least <= len(key) <= LONGEST_KEY or not visible(key):
        wanted = f"{least} to {LONGEST_KEY} visible ASCII characters"
        raise Problem("invalid-request", errors=[FieldError("Idempotency-Key", wanted)])
    asked = _canonical((caller, type(request).__name__, request))
    return Identity(UUID(bytes=digest(_canonical((caller, key)), 16)), digest(asked, 8))


def digest(data: bytes, size: int) -> bytes:
    return blake2b(data, digest_size=size).digest()
