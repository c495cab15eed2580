"""Password rules and hashes.

Hashes are computed in one low-priority thread, outside the event loop.
"""

import asyncio
import os
import string
import sys
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from ludarium.platform.problems import Problem

T = TypeVar("T")
MIN_LENGTH, MAX_LENGTH = 10, 256
PADDING, MIN_WORD_LENGTH = string.digits + string.punctuation + " ", 4
PRODUCT = "ludarium"
MEMORY, ROUNDS, LANES = 19 * 1024, 2, 1
"""OWASP's minimum for Argon2id, with memory in KiB. A hash takes about 20 ms."""
NICENESS, MAX_NICENESS = 5, 19
"""Niceness added to the hashing thread, so that games take precedence over sign-ins when the CPU is busy."""
MAX_WAITING = 64
"""Maximum number of passwords waiting for the thread, about a second's work; further ones get Retry-After."""


def check_password(password: str, login: str = "") -> None:
    """Reject short, long and common passwords. Raises Problem `weak-password`."""
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise Problem("weak-password", f"{MIN_LENGTH} to {MAX_LENGTH} characters")
    plain = password.casefold()
    is_login = bool(login) and login in plain and len(plain) < len(login) + 4
    if is_common(plain) or len({*plain}) < 4 or is_login:
        raise Problem("weak-password", "it is among those that are guessed first")


def is_common(plain: str) -> bool:
    """Return whether a password is common, ignoring padding and the product's name."""
    bare = plain.replace(PRODUCT, "").strip(PADDING)
    is_product = PRODUCT in plain and len(bare) < MIN_WORD_LENGTH
    return is_product or plain in common_passwords() or (len(bare) >= MIN_WORD_LENGTH and bare in common_passwords())


@cache
def common_passwords() -> frozenset[str]:
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # a megabyte, needed only when a password is chosen

    return frozenset(FREQUENCY_LISTS["passwords"])


def normalised(password: str) -> str:
    """Return the password in NFKC, as keyboards compose letters in different ways."""
    return unicodedata.normalize("NFKC", password)


def lower_priority() -> None:
    """Lower the priority of this thread; only Linux has priorities for threads."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, min(MAX_NICENESS, os.getpriority(os.PRIO_PROCESS, thread) + NICENESS))


class Hashing:
    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=ROUNDS, memory_cost=MEMORY, parallelism=LANES)
        self._thread = ThreadPoolExecutor(1, "passwords", initializer=lower_priority)
        self._waiting_count = 0
        self._dummy_hash = self._hasher.hash("nobody's")

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)

    async def hashed(self, password: str) -> str:
        return await self._run(lambda: self._hasher.hash(normalised(password)))

    async def fits(self, password: str, stored: str | None) -> bool:
        """Return whether the password matches. Takes the same time if no hash is stored."""
        return await self._run(lambda: self._fits(password, stored or self._dummy_hash)) and stored is not None

    def is_old(self, stored: str) -> bool:
        """Return whether the hash was made with other than the current parameters."""
        return self._hasher.check_needs_rehash(stored)

    def _fits(self, password: str, stored: str) -> bool:
        try:
            return self._hasher.verify(stored, normalised(password))
        except VerifyMismatchError:
            return False

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting_count >= MAX_WAITING:
            raise Problem("rate-limited", retry_after=2)
        self._waiting_count += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting_count -= 1
