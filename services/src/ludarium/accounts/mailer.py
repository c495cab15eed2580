"""Letters go out beside the requests that ask for them: nobody learns from how long it takes whether there was one to send."""

import asyncio
import logging
from email.message import EmailMessage
from typing import NamedTuple, Self
from urllib.parse import unquote, urlsplit

import aiosmtplib

from ludarium.platform.background import ended, endless, started
from ludarium.platform.problems import Problem

log = logging.getLogger(__name__)
WAITING = 200
"""Letters; more are refused."""
PATIENCE = 10.0
"""Seconds for a mail server to answer."""
PAUSES = (1.0, 5.0, 30.0)
"""Seconds before a letter that did not go out is tried again."""


class Letter(NamedTuple):
    to: str
    subject: str
    text: str


class Post(NamedTuple):
    """A mail server, and who writes. tls: from the first byte; else as soon as the server offers it."""

    host: str
    port: int
    tls: bool
    username: str | None
    password: str | None
    sender: str


def post_of(url: str, sender: str) -> Post:
    """url: smtp://user:password@host:port or smtps://…"""
    parts = urlsplit(url)
    tls = parts.scheme == "smtps"
    user, password = parts.username, parts.password
    return Post(
        parts.hostname or "localhost", parts.port or (465 if tls else 587), tls,
        None if user is None else unquote(user), None if password is None else unquote(password), sender,
    )  # fmt: skip


class Mailer:
    def __init__(self, post: Post | None) -> None:
        self._post = post
        self._letters: asyncio.Queue[Letter] = asyncio.Queue(WAITING)

    async def __aenter__(self) -> Self:
        self._task = started(endless(self._deliver))
        return self

    async def __aexit__(self, *_: object) -> None:
        await ended(self._task)

    @property
    def is_off(self) -> bool:
        return self._post is None

    def check(self) -> None:
        """Raises Problem `mail-off`; `rate-limited` while too many letters wait."""
        if self._post is None:
            raise Problem("mail-off")
        if self._letters.full():
            raise Problem("rate-limited", retry_after=60)

    def send(self, letter: Letter) -> None:
        self.check()
        self._letters.put_nowait(letter)

    async def _deliver(self) -> None:
        while True:
            letter = await self._letters.get()
            for pause in (*PAUSES, None):
                try:
                    await self._hand_over(letter)
                    break
                except (aiosmtplib.SMTPException, OSError) as error:
                    log.warning("a letter did not go out: %s", type(error).__name__)
                    if (isinstance(error, aiosmtplib.SMTPResponseException) and error.code >= 500) or pause is None:
                        break
                    await asyncio.sleep(pause)

    async def _hand_over(self, letter: Letter) -> None:
        assert self._post is not None
        await aiosmtplib.send(
            message_of(letter, self._post.sender), hostname=self._post.host, port=self._post.port, use_tls=self._post.tls,
            username=self._post.username, password=self._post.password, timeout=PATIENCE,
        )  # fmt: skip


def message_of(letter: Letter, sender: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, letter.to, letter.subject
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.text)
    return message
