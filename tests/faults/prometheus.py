"""Debian's Prometheus with our alert rules and the queries of our dashboard."""
from __future__ import annotations

import asyncio
import json
import math
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import yaml

from tests.support import ports
from tests.support.servers import stopped
from tests.support.waiting import LIMIT, eventually

ROOT = Path(__file__).parents[2]
RULES = ROOT / "deploy/prometheus/alerts.yml"
DASHBOARD = ROOT / "deploy/grafana/ludarium.json"
PROMETHEUS = shutil.which("prometheus")
NONE = "there is no prometheus here: sudo apt-get install prometheus"
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
RATE = "10s"
"""Replaces $__rate_interval: at least four scrapes."""


def shortened(duration: str, quicker: int) -> str:
    return f"{max(1, int(duration[:-1]) * UNITS[duration[-1]] // quicker)}s"


def rules(quicker: int) -> str:
    """Return the alert rules with shorter windows and waiting times.

    Thresholds for ages are not changed.

    Args:
        quicker: The factor by which the times are shorter.
    """
    document = yaml.safe_load(RULES.read_text())
    for rule in document["groups"][0]["rules"]:
        rule["expr"] = re.sub(
            r"(\[|offset )(\d+[smhd])", lambda found: found[1] + shortened(found[2], quicker), rule["expr"]
        )
        if "for" in rule:
            rule["for"] = shortened(rule["for"], quicker)
    text: str = yaml.safe_dump(document)
    return text


def panels() -> dict[str, list[str]]:
    """Return the queries of each dashboard panel, by the panel's title."""
    found = json.loads(DASHBOARD.read_text())["panels"]
    return {each["title"]: [target["expr"].replace("$__rate_interval", RATE) for target in each["targets"]] for each in found}


class Prometheus:
    def __init__(self, http: httpx.AsyncClient, targets: Path) -> None:
        self._http, self._targets = http, targets

    def watch(self, *ports: int) -> None:
        """Scrape the processes that expose their metrics on these ports."""
        given = [{"targets": [f"127.0.0.1:{port}" for port in ports]}]
        new = self._targets.with_suffix(".new")
        new.write_text(json.dumps(given))
        new.replace(self._targets)

    async def firing(self) -> set[str]:
        found = (await self._asked("alerts"))["alerts"]
        return {alert["labels"]["alertname"] for alert in found if alert["state"] == "firing"}

    async def shown(self, panel: str) -> list[float]:
        """Return the current values of a panel."""
        answers = [await self._asked("query", query=expression) for expression in panels()[panel]]
        values = [float(series["value"][1]) for answer in answers for series in answer["result"]]
        return [value for value in values if not math.isnan(value)]

    async def _asked(self, what: str, **given: str) -> Any:
        return (await self._http.get(f"/api/v1/{what}", params=given)).raise_for_status().json()["data"]


@asynccontextmanager
async def prometheus(folder: Path, quicker: int) -> AsyncIterator[Prometheus]:
    """Run Prometheus with our rules.

    Args:
        quicker: The factor by which all times are shorter.
    """
    port, targets = ports.reserve(), folder / "targets.json"
    (folder / "alerts.yml").write_text(rules(quicker))
    (folder / "prometheus.yml").write_text(yaml.safe_dump({
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(folder / "alerts.yml")],
        "scrape_configs": [
            {"job_name": "ludarium", "file_sd_configs": [{"files": [str(targets)], "refresh_interval": "1s"}]}
        ],
    }))  # fmt: skip
    assert PROMETHEUS is not None, NONE
    process = await asyncio.create_subprocess_exec(
        PROMETHEUS, f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
        f"--web.listen-address=127.0.0.1:{port}", stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=LIMIT) as http:
            await ready(http, process)
            yield Prometheus(http, targets)
    finally:
        await stopped(process)


async def ready(http: httpx.AsyncClient, process: asyncio.subprocess.Process) -> None:
    async def is_ready_or_has_ended() -> bool:
        try:
            return process.returncode is not None or (await http.get("/-/ready")).status_code == 200
        except httpx.TransportError:
            return False

    await eventually(is_ready_or_has_ended)
    assert process.returncode is None, "prometheus has ended"
