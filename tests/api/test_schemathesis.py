"""Requests that the OpenAPI document suggests, and such as it forbids: every answer is one that it announces."""

import secrets
from pathlib import Path

from services.embedded import Services
from tests.api.suggestions import asked_as, busy_server, seated

EXAMPLES = 8


async def test_every_answer_is_one_that_the_document_announces(
    database_url: str, embedded_services: Services, tmp_path: Path
) -> None:
    """To somebody who plays; `make prove ONLY=schemathesis` asks in everybody's name, and longer."""
    async with busy_server(database_url, embedded_services.redis_url) as http:
        report = await asked_as(await seated(http), http, tmp_path, EXAMPLES, secrets.randbelow(2**32))
    assert not report.failed, report.text
