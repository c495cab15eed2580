"""Passwords: which ones are taken, and their hashes, made beside the event loop by one thread that takes so many at a time."""

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
SHORTEST, LONGEST = 10, 256
ADDED, SHORTEST_WORD = string.digits + string.punctuation + " ", 4
PRODUCT = "ludarium"
MEMORY, ROUNDS, LANES = 19 * 1024, 2, 1
"""OWASP's least for Argon2id, memory in KiB: about 20 ms."""
NICE, LEAST = 5, 19
"""By how much less the thread counts than the others where there is not enough time for all: games come before sign-ins."""
WAITING = 64
"""Passwords that may wait for the thread, about a second's work; more are told to come again."""


def check_password(password: str, login: str = "") -> None:
    """By its length and by a list of those that everybody tries. Raises Problem `weak-password`."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise Problem("weak-password", f"{SHORTEST} to {LONGEST} characters")
    plain = password.casefold()
    is_login = bool(login) and login in plain and len(plain) < len(login) + 4
    if is_common(plain) or len({*plain}) < 4 or is_login:
        raise Problem("weak-password", "it is among those that are guessed first")


def is_common(plain: str) -> bool:
    """Also with what everybody adds to make it long enough, such as the product's name."""
    bare = plain.replace(PRODUCT, "").strip(ADDED)
    is_product = PRODUCT in plain and len(bare) < SHORTEST_WORD
    return is_product or plain in common() or (len(bare) >= SHORTEST_WORD and bare in common())


@cache
def common() -> frozenset[str]:
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # a megabyte, for who chooses a password

    return frozenset(FREQUENCY_LISTS["passwords"])


def normal(password: str) -> str:
    """However a keyboard puts its letters together."""
    return unicodedata.normalize("NFKC", password)


def step_back() -> None:
    """Of this thread alone, which Linux can do; elsewhere it would be the whole process."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, min(LEAST, os.getpriority(os.PRIO_PROCESS, thread) + NICE))


class Hashing:
    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=ROUNDS, memory_cost=MEMORY, parallelism=LANES)
        self._thread = ThreadPoolExecutor(1, "passwords", initializer=step_back)
        self._asked = 0
        self._nobodys = self._hasher.hash("nobody's")

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)

    async def hashed(self, password: str) -> str:
        return await self._run(lambda: self._hasher.hash(normal(password)))

    async def fits(self, password: str, kept: str | None) -> bool:
        """As much work whether there is a hash or not."""
        return await self._run(lambda: self._fits(password, kept or self._nobodys)) and kept is not None

    def is_old(self, kept: str) -> bool:
        """Whether it was made with other parameters than today's."""
        return self._hasher.check_needs_rehash(kept)

    def _fits(self, password: str, kept: str) -> bool:
        try:
            return self._hasher.verify(kept, normal(password))
        except VerifyMismatchError:
            return False

    async def _run(self, work: Callable[[], T]) -> T:
        if self._asked >= WAITING:
            raise Problem("rate-limited", retry_after=2)
        self._asked += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._asked -= 1
