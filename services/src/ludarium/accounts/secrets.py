"""Tokens and rejoin codes, derived from a random key and stored as hashes.

The key is the client's Idempotency-Key if there is one, and a fresh random key otherwise. It is not stored. A repeated
request with the same key gets the same secrets, although they are not stored either. Secrets are looked up by hash, so
response times do not reveal how much of a guess is correct.
"""

import re
import secrets
import time
from base64 import urlsafe_b64encode
from hashlib import blake2b
from uuid import UUID

from ludarium.platform.ids import ALPHABET, PARTITIONS, base32, made

FORMS = {"session": "lud_", "personal": "ludp_", "app": "luda_", "bot": "ludb_"}
"""Prefixes of tokens by kind. A release that knows only sessions refuses tokens with other prefixes."""
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
    """Return a random id from which a secret can be derived."""
    return made(time.time_ns() // 1_000_000, secrets.randbelow(PARTITIONS), secrets.randbits(64))


def token_of(key: str, made: UUID, form: str = FORMS["session"]) -> str:
    """Return a token of a prefix and 256 bits.

    Args:
        key: the random key.
        made: id of the object that the token is for; each id gives a different token.
        form: one of FORMS.
    """
    return form + urlsafe_b64encode(derive(key, made, b"token")).decode().rstrip("=")


def refresh_of(key: str, made: UUID) -> str:
    """Return a refresh token for an app. No route accepts it as an access token."""
    return "ludr_" + urlsafe_b64encode(derive(key, made, b"refresh token")).decode().rstrip("=")


def rejoin_code_of(key: str, made: UUID) -> str:
    """Return a rejoin code of four groups of five characters, easy to write down."""
    return code_text(base32(int.from_bytes(derive(key, made, b"rejoin code")), CODE_LENGTH))


def code_text(letters: str) -> str:
    """Format the letters of a rejoin code in groups, as shown to players."""
    return "-".join(letters[i : i + 5] for i in range(0, CODE_LENGTH, 5))


def derive(key: str, made: UUID, purpose: bytes) -> bytes:
    return blake2b(key.encode(), digest_size=32, salt=made.bytes, person=purpose).digest()


def typed_code(text: str) -> str | None:
    """Normalise a typed rejoin code; None if it cannot be one."""
    letters = text.lower().translate(_LOOKALIKES)
    return letters if CODE.fullmatch(letters) else None


def digest(secret: str) -> bytes:
    """Return the BLAKE2b-256 hash of a secret.

    Secrets are random and long, so they need no salt or stretching.
    """
    return blake2b(secret.encode(), digest_size=DIGEST).digest()
