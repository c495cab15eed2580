"""Schemathesis gets only answers that the OpenAPI document announces."""

from pathlib import Path
from random import Random

from ludarium.api import openapi
from tests.api.suggestions import asked_as, busy_server, seated

EXAMPLES = 8
SHARE = 8
"""A run requests one in this many operations, chosen by the seed."""


async def test_every_answer_is_one_that_the_document_announces(
    database_url: str, redis_url: str, tmp_path: Path, seed: int
) -> None:
    """The caller has a seat in a running game.

    `make prove ONLY=schemathesis` requests all operations in all roles.
    """
    operations = [each["operationId"] for path in openapi.document()["paths"].values() for each in path.values()]
    some = Random(seed).sample(operations, len(operations) // SHARE)
    async with busy_server(database_url, redis_url) as http:
        report = await asked_as(await seated(http), http, tmp_path, EXAMPLES, seed, some)
    assert not report.failed, report.text
