"""Find secrets in the logs, requested URLs and error responses of a test run."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

SECRET = re.compile(
    r"lud[abpr]?_[\w-]{22}"                                             # tokens of every form
    r"|(?<![\w-])[0-9a-hjkmnp-tv-z]{5}(-[0-9a-hjkmnp-tv-z]{5}){3}(?![\w-])"     # recovery codes, codes of letters
    r"|\b(seven|eight) green bottles\b"                                # the password of all tests
)
OTHERS = ("websockets.client", "httpcore", "hpack", "mail.log")
"""Loggers of the tests' own clients and mail server, which log all traffic."""


class Leaks(logging.Handler):
    """A log handler that collects the leaks found, and where they were found."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith(OTHERS):
            self.look("the log", self.format(record) + str(vars(record)))

    def look(self, where: str, text: str) -> None:
        if secret := SECRET.search(text):
            self.found.append(f"{secret[0][:8]}… in {where}: {text[max(0, secret.start() - 200) : secret.start()]}")

    def hear(self, answer: httpx.Response, stream: bool) -> None:
        self.look("an address", str(answer.request.url))
        if answer.status_code >= 400 and not stream:
            self.look(f"a refusal of {answer.request.url.path}", answer.text)


@contextmanager
def watched() -> Iterator[Leaks]:
    """Watch the log of this process and all requests of httpx clients for leaks."""
    leaks, send = Leaks(), httpx.AsyncClient.send

    async def heard(self: httpx.AsyncClient, request: httpx.Request, *, stream: bool = False, **more: Any) -> httpx.Response:
        answer = await send(self, request, stream=stream, **more)
        leaks.hear(answer, stream)
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpx.AsyncClient, "send", heard)
        logging.getLogger().addHandler(leaks)
        try:
            yield leaks
        finally:
            logging.getLogger().removeHandler(leaks)
