"""Tokens and rejoin codes: made by the operating system's randomness, shown once, kept as hashes.

A secret is found by its hash, so no comparison of ours depends on how much of it somebody has guessed.
"""

import re
import secrets
from hashlib import blake2b

from services.ids import ALPHABET, base32

TOKEN = re.compile(r"lud_[A-Za-z0-9_-]{43}")
CODE_LENGTH = 20
"""Letters of a rejoin code, 5 bits each: 100 bits."""
CODE = re.compile(f"[{ALPHABET}]{{{CODE_LENGTH}}}")
_LOOKALIKES = str.maketrans({"o": "0", "i": "1", "l": "1", "-": "", " ": ""})


def new_token() -> str:
    """`lud_` and 256 random bits."""
    return "lud_" + secrets.token_urlsafe(32)


def new_rejoin_code() -> str:
    """Four groups of five letters and digits, to be written down by hand."""
    letters = base32(secrets.randbits(5 * CODE_LENGTH), CODE_LENGTH)
    return "-".join(letters[i : i + 5] for i in range(0, CODE_LENGTH, 5))


def typed_code(text: str) -> str | None:
    """The code as it was given out, however somebody has typed it; None if it cannot be one."""
    letters = text.lower().translate(_LOOKALIKES)
    return letters if CODE.fullmatch(letters) else None


def digest(secret: str) -> bytes:
    """BLAKE2b-256; the secrets are random and long, so they need neither salt nor stretching."""
    return blake2b(secret.encode(), digest_size=32).digest()
