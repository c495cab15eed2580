"""A mail server for tests that keeps the mail it receives."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.message import Message
from typing import Any

from aiosmtpd.smtp import SMTP

from tests.support.people import Person
from tests.support.waiting import eventually

CODE = re.compile(r"^([0-9a-z]{5}-){3}[0-9a-z]{5}", re.MULTILINE)


class Box:
    """A mailbox with all mail that the server received."""

    def __init__(self) -> None:
        self.letters: list[Message] = []
        self.busy = 0
        """How many times the server will ask the sender to retry."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.busy:
            self.busy -= 1
            return "451 come again"
        letter = message_from_bytes(envelope.content)
        letter["X-Rcpt"] = ",".join(envelope.rcpt_tos)
        self.letters.append(letter)
        return "250 OK"

    async def next(self, count: int = 1) -> tuple[Message, str]:
        """Wait for the message with this number, and return it with its code.

        Messages are numbered from 1.
        """
        await eventually(lambda: len(self.letters) >= count)
        text = self.letters[count - 1].get_payload(decode=True)
        assert isinstance(text, bytes)
        found = CODE.search(text.decode())
        assert found, text
        return self.letters[count - 1], found[0]

    def texts(self, address: str) -> list[str]:
        """Return the texts of all messages to this address, in the order of arrival."""
        found = [letter.get_payload(decode=True) for letter in self.letters if letter["X-Rcpt"] == address]
        return [text.decode() for text in found if isinstance(text, bytes)]


@asynccontextmanager
async def mail_server() -> AsyncIterator[tuple[Box, str]]:
    """Yield a mailbox and the URL of the mail server that fills it."""
    box = Box()
    loop = asyncio.get_running_loop()
    async with await loop.create_server(lambda: SMTP(box, hostname="localhost", loop=loop), "127.0.0.1", 0) as listener:
        yield box, f"smtp://127.0.0.1:{listener.sockets[0].getsockname()[1]}"


async def with_mail(ada: Person, box: Box, address: str = "ada@example.org") -> None:
    """Set and verify the e-mail address of an account."""
    await ada.ask("POST", "/me/mail", json={"address": address})
    _, code = await box.next(len(box.letters) + 1)
    assert (await ada.http.post("/mail/verify", json={"code": code})).status_code == 204
