"""What makes a request the same one when it is sent again: its Idempotency-Key, and a hash of what it asks for."""

import re
from hashlib import blake2b
from typing import Any
from uuid import UUID

import msgspec

from ludarium.platform.problems import FieldError, Problem

LONGEST_KEY = 128
SECRET_KEY = 22
"""The least letters of a key that secrets are made of: so many carry 128 random bits."""
PATTERN = "^[!-~]+$"
visible = re.compile("[!-~]+").fullmatch
_canonical = msgspec.json.Encoder(order="deterministic").encode


class Identity(msgspec.Struct, frozen=True):
    """key: of one caller; nobody else's is the same."""

    key: UUID
    request: bytes


def identity_of(key: str | None, caller: str, request: Any, least: int = 1) -> Identity | None:
    """The same for the same caller, key and request, however that is laid out. Raises Problem `invalid-request`."""
    if key is None:
        return None
    if not least <= len(key) <= LONGEST_KEY or not visible(key):
        wanted = f"{least} to {LONGEST_KEY} visible ASCII characters"
        raise Problem("invalid-request", errors=[FieldError("Idempotency-Key", wanted)])
    asked = _canonical((caller, type(request).__name__, request))
    return Identity(UUID(bytes=digest(_canonical((caller, key)), 16)), digest(asked, 8))


def digest(data: bytes, size: int) -> bytes:
    return blake2b(data, digest_size=size).digest()
