"""Requests that the OpenAPI document suggests, and such as it forbids: every answer is one that it announces."""

import asyncio
import secrets
import sys
from pathlib import Path

import httpx

from services.config import Config
from services.embedded import Services
from services.server import migrated, running
from tests.api.people import Person, open_game

SCHEMATHESIS = Path(sys.executable).parent / "schemathesis"
EXAMPLES = 8
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    "response_headers_conformance,negative_data_rejection,ignored_auth,unsupported_method"
)


async def test_every_answer_is_one_that_the_document_announces(
    database_url: str, embedded_services: Services, tmp_path: Path
) -> None:
    await migrated(database_url)
    config = Config(port=0, ws_port=0, rate_limits=False)
    async with (
        running(config, database_url, embedded_services.redis_url) as address,
        httpx.AsyncClient(base_url=f"{address.http}/api/v1") as http,
    ):
        ada = await Person.arrive(http)
        table = await open_game([ada], bots=("simple",))
        ids = f'table_id = "{table}"\nplayer_id = "{ada.id}"\nruleset_id = "game-of-kingdoms"'
        (tmp_path / "schemathesis.toml").write_text(f"[parameters]\n{ids}\n")
        seed = secrets.randbelow(2**32)
        process = await asyncio.create_subprocess_exec(
            SCHEMATHESIS, "run", f"{address.http}/api/v1/openapi.json",
            "--header", f"Authorization: Bearer {ada.token}", "--max-examples", str(EXAMPLES),
            "--phases", "examples,coverage,fuzzing", "--checks", CHECKS, "--exclude-path-regex", "/stream$",  # has no end
            "--seed", str(seed), "--generation-database", "none", "--suppress-health-check", "all", "--no-color",
            cwd=tmp_path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        report, _ = await process.communicate()
    assert process.returncode == 0, report.decode()
