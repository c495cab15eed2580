"""Tokens and rejoin codes: made of a random key, told to who has that key, kept as hashes.

The key is the client's Idempotency-Key, or else the operating system's randomness; it is not kept. So who asks again with
it is told the same secrets, though nobody stores them. A secret is found by its hash, so no comparison of ours depends on
how much of it somebody has guessed.
"""

import re
import secrets
import time
from base64 import urlsafe_b64encode
from hashlib import blake2b
from uuid import UUID

from ludarium.platform.ids import ALPHABET, PARTITIONS, base32, made

FORMS = {"session": "lud_", "personal": "ludp_", "app": "luda_", "bot": "ludb_"}
"""What a token begins with. A process of a release that knows sessions only refuses the others, and so gives them no more than
they are worth."""
TOKEN = re.compile(r"lud[pab]?_[A-Za-z0-9_-]{43}")
DIGEST = 32
"""Bytes of the hash by which a secret is found."""
CODE_LENGTH = 20
"""Letters of a rejoin code, 5 bits each: 100 bits."""
CODE = re.compile(f"[{ALPHABET}]{{{CODE_LENGTH}}}")
_LOOKALIKES = str.maketrans({"o": "0", "i": "1", "l": "1", "-": "", " ": ""})


def new_key() -> str:
    """256 random bits."""
    return secrets.token_urlsafe(32)


def new_salt() -> UUID:
    """Make an id for what a secret is derived with. It comes from the system's randomness, as its secret does."""
    return made(time.time_ns() // 1_000_000, secrets.randbelow(PARTITIONS), secrets.randbits(64))


def token_of(key: str, made: UUID, form: str = FORMS["session"]) -> str:
    """Its form and 256 bits. `made`: what it is for; another one has another token."""
    return form + urlsafe_b64encode(derive(key, made, b"token")).decode().rstrip("=")


def refresh_of(key: str, made: UUID) -> str:
    """For which an app is given its next token; good for nothing else, and no route takes its form."""
    return "ludr_" + urlsafe_b64encode(derive(key, made, b"refresh token")).decode().rstrip("=")


def rejoin_code_of(key: str, made: UUID) -> str:
    """Four groups of five letters and digits, to be written down by hand."""
    return code_text(base32(int.from_bytes(derive(key, made, b"rejoin code")), CODE_LENGTH))


def code_text(letters: str) -> str:
    """Write the letters of a rejoin code in the one form in which it is shown."""
    return "-".join(letters[i : i + 5] for i in range(0, CODE_LENGTH, 5))


def derive(key: str, made: UUID, purpose: bytes) -> bytes:
    return blake2b(key.encode(), digest_size=32, salt=made.bytes, person=purpose).digest()


def typed_code(text: str) -> str | None:
    """The code as it was given out, however somebody has typed it; None if it cannot be one."""
    letters = text.lower().translate(_LOOKALIKES)
    return letters if CODE.fullmatch(letters) else None


def digest(secret: str) -> bytes:
    """BLAKE2b-256; the secrets are random and long, so they need neither salt nor stretching."""
    return blake2b(secret.encode(), digest_size=DIGEST).digest()
