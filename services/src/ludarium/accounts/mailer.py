"""E-mail queue.

Since e-mails are sent in the background, response times do not reveal whether an e-mail was sent.
"""

import asyncio
import logging
from email.message import EmailMessage
from typing import NamedTuple, Self
from urllib.parse import unquote, urlsplit

import aiosmtplib

from ludarium.platform.background import ended, endless, started
from ludarium.platform.problems import Problem

log = logging.getLogger(__name__)
MAX_WAITING = 200
"""Maximum number of e-mails in the queue; further ones are refused."""
TIMEOUT = 10.0
"""Seconds in which a mail server must respond."""
RETRY_DELAYS = (1.0, 5.0, 30.0)
"""Seconds before each retry."""


class Message(NamedTuple):
    to: str
    subject: str
    text: str


class MailServer(NamedTuple):
    """A mail server with the sender's address.

    `tls` means TLS from the first byte; otherwise STARTTLS is used if the server offers it.
    """

    host: str
    port: int
    tls: bool
    username: str | None
    password: str | None
    sender: str


def mail_server_of(url: str, sender: str) -> MailServer:
    """Parse a URL such as smtp://user:password@host:port or smtps://…."""
    parts = urlsplit(url)
    tls = parts.scheme == "smtps"
    user, password = parts.username, parts.password
    return MailServer(
        parts.hostname or "localhost", parts.port or (465 if tls else 587), tls,
        None if user is None else unquote(user), None if password is None else unquote(password), sender,
    )  # fmt: skip


class Mailer:
    def __init__(self, post: MailServer | None) -> None:
        self._server = post
        self._queue: asyncio.Queue[Message] = asyncio.Queue(MAX_WAITING)

    async def __aenter__(self) -> Self:
        self._task = started(endless(self._deliver))
        return self

    async def __aexit__(self, *_: object) -> None:
        await ended(self._task)

    @property
    def is_off(self) -> bool:
        return self._server is None

    def check(self) -> None:
        """Raise if no e-mail can be queued.

        Raises:
            Problem: `mail-off` if there is no server, `rate-limited` if the queue is full.
        """
        if self._server is None:
            raise Problem("mail-off")
        if self._queue.full():
            raise Problem("rate-limited", retry_after=60)

    def send(self, letter: Message) -> None:
        self.check()
        self._queue.put_nowait(letter)

    async def _deliver(self) -> None:
        while True:
            letter = await self._queue.get()
            for pause in (*RETRY_DELAYS, None):
                try:
                    await self._send(letter)
                    break
                except (aiosmtplib.SMTPException, OSError) as error:
                    log.warning("a letter did not go out: %s", type(error).__name__)
                    if (isinstance(error, aiosmtplib.SMTPResponseException) and error.code >= 500) or pause is None:
                        break
                    await asyncio.sleep(pause)

    async def _send(self, letter: Message) -> None:
        assert self._server is not None
        await aiosmtplib.send(
            message_of(letter, self._server.sender), hostname=self._server.host, port=self._server.port,
            use_tls=self._server.tls,
            username=self._server.username, password=self._server.password, timeout=TIMEOUT,
        )  # fmt: skip


def message_of(letter: Message, sender: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, letter.to, letter.subject
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.text)
    return message
