"""Tokens and rejoin codes, derived from a random key and stored as hashes.

The key is the client's Idempotency-Key, or else random; it is not stored. A repeated request with the same key gets the
same secrets, although nothing stores them. Secrets are looked up by hash, so no timing depends on how much of a guess
is right.
"""

import re
import secrets
import time
from base64 import urlsafe_b64encode
from hashlib import blake2b
from uuid import UUID

from ludarium.platform.ids import ALPHABET, PARTITIONS, base32, made

FORMS = {"session": "lud_", "personal": "ludp_", "app": "luda_", "bot": "ludb_"}
"""Prefixes of tokens. A process of a release that knows only sessions refuses the others."""
TOKEN = re.compile(r"lud[pab]?_[A-Za-z0-9_-]{43}")
DIGEST = 32
"""Bytes of the hash by which a secret is found."""
CODE_LENGTH = 20
"""Letters of a rejoin code, 5 bits each: 100 bits."""
CODE = re.compile(f"[{ALPHABET}]{{{CODE_LENGTH}}}")
_LOOKALIKES = str.maketrans({"o": "0", "i": "1", "l": "1", "-": "", " ": ""})


def new_key() -> str:
    """Return a new key of 256 random bits."""
    return secrets.token_urlsafe(32)


def new_salt() -> UUID:
    """Make an id to derive a secret with, from the system's randomness."""
    return made(time.time_ns() // 1_000_000, secrets.randbelow(PARTITIONS), secrets.randbits(64))


def token_of(key: str, made: UUID, form: str = FORMS["session"]) -> str:
    """Return a token: its prefix and 256 bits.

    Args:
        key: the random key.
        made: id of what the token is for; each id gives another token.
        form: one of FORMS.
    """
    return form + urlsafe_b64encode(derive(key, made, b"token")).decode().rstrip("=")


def refresh_of(key: str, made: UUID) -> str:
    """Return the refresh token of an app. No route accepts it as an access token."""
    return "ludr_" + urlsafe_b64encode(derive(key, made, b"refresh token")).decode().rstrip("=")


def rejoin_code_of(key: str, made: UUID) -> str:
    """Return a rejoin code of four groups of five characters, easy to write down."""
    return code_text(base32(int.from_bytes(derive(key, made, b"rejoin code")), CODE_LENGTH))


def code_text(letters: str) -> str:
    """Write the letters of a rejoin code in the one form in which it is shown."""
    return "-".join(letters[i : i + 5] for i in range(0, CODE_LENGTH, 5))


def derive(key: str, made: UUID, purpose: bytes) -> bytes:
    return blake2b(key.encode(), digest_size=32, salt=made.bytes, person=purpose).digest()


def typed_code(text: str) -> str | None:
    """Normalise a typed rejoin code; None if it cannot be one."""
    letters = text.lower().translate(_LOOKALIKES)
    return letters if CODE.fullmatch(letters) else None


def digest(secret: str) -> bytes:
    """Return the BLAKE2b-256 hash.

    The secrets are random and long, so they need no salt or stretching.
    """
    return blake2b(secret.encode(), digest_size=DIGEST).digest()
