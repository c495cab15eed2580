"""Measure the CPU and the round trip of a command over HTTP and WebSocket.

The server's CPU is compared with the CPU of a bare route.
"""
from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any
from uuid import uuid4

from websockets.sync.client import ClientConnection, connect

from benchmarks.eventstore import append_cpu
from benchmarks.rows import Row
from tests.support import ports

COMMANDS = 400
RUNS = 5
EXTRA = 25                                      # microseconds of CPU for a command besides a bare route and its append
Json = dict[str, Any]


async def rows() -> AsyncIterator[Row]:
    append = await append_cpu()
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder, served(Path(folder)) as server:
        with bare() as limit:
            bares = [limit.cpu_of_a_request() for _ in range(RUNS)]
        runs = [Match(server, Random(n)).play(COMMANDS) for n in range(RUNS)]
        sockets = [Match(server, Random(n)).play_by_socket(COMMANDS) for n in range(RUNS)]
    cpu = median(cpu for cpu, _ in runs)
    allowed = median(bares) + EXTRA + append
    yield Row(
        name="http: CPU of a command", value=round(cpu), unit="us",
        beside=f"bare route {median(bares):.0f} us + {EXTRA} us + append {append:.0f} us", ratio=cpu / allowed,
        goal="<= 2 x", holds=cpu <= 2 * allowed,
    )  # fmt: skip
    for row in (*round_trips("http", [times for _, times in runs]), *round_trips("websocket", sockets)):
        yield row


def round_trips(name: str, runs: list[list[float]]) -> Iterator[Row]:
    yield Row(name=f"{name}: a command and its answer, p50", value=round(median(map(median, runs)) * 1e3, 2), unit="ms")
    slow = median(quantiles(times, n=100)[-1] for times in runs)
    yield Row(name=f"{name}: a command and its answer, p99", value=round(slow * 1e3, 2), unit="ms")


# --- servers ----------------------------------------------------------------------------------------------------------
class Server:
    """A server process, a connection to it, and the CPU time of its only thread."""

    def __init__(self, pid: int, port: int, ws_port: int = 0) -> None:
        self.pid, self.ws_port = pid, ws_port
        self.http = http.client.HTTPConnection("127.0.0.1", port)

    def cpu(self) -> float:
        """Return the CPU time so far, in microseconds."""
        return int(Path(f"/proc/{self.pid}/schedstat").read_text().split()[0]) / 1e3

    def ask(self, method: str, path: str, body: Json | None = None, **headers: str) -> Any:
        data = json.dumps(body).encode() if body is not None else None
        self.http.request(method, path, data, {"content-type": "application/json", **headers})
        answer = self.http.getresponse()
        found = json.loads(answer.read() or b"null")
        if answer.status >= 400:
            raise RuntimeError(found)
        return found

    def cpu_of_a_request(self) -> float:
        before = self.cpu()
        for _ in range(COMMANDS):
            self.ask("POST", "/command", {"expected_seq": 7, "action": {"id": "lead:3", "subset": [12]}})
        return (self.cpu() - before) / COMMANDS


@contextmanager
def served(home: Path, **settings: str) -> Iterator[Server]:
    home.chmod(0o711)
    port, ws_port = ports.reserve(), ports.reserve()
    environment = os.environ | {
        "LUDARIUM_HOME": str(home / "home"), "LUDARIUM_PORT": str(port), "LUDARIUM_WS_PORT": str(ws_port),
        "LUDARIUM_RATE_LIMITS": "false", **settings,
    }  # fmt: skip
    command = [str(Path(sys.executable).with_name("ludarium")), "serve"]
    with process(command, environment, port, "/readyz") as pid:
        yield Server(pid, port, ws_port)


@contextmanager
def bare() -> Iterator[Server]:
    port = ports.reserve()
    with process([sys.executable, "-m", "benchmarks.bare", str(port)], dict(os.environ), port, "/") as pid:
        yield Server(pid, port)


@contextmanager
def process(command: list[str], environment: dict[str, str], port: int, path: str) -> Iterator[int]:
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            wait_for(port, path)
            yield running.pid
        finally:
            running.terminate()


def wait_for(port: int, path: str, patience: float = 60) -> None:
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("GET", path)
            if connection.getresponse().status < 500:
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"nothing answers on port {port}")


# --- games ------------------------------------------------------------------------------------------------------------
class Match:
    """Two players who answer every question, at one new table after another."""

    def __init__(self, server: Server, luck: Random, **policies: Json) -> None:
        self.server, self.luck, self.policies = server, luck, policies
        self.tokens = [self.post("/guests", {}, "")["token"] for _ in range(2)]
        self.questions = self.asked()

    def post(self, path: str, body: Json, token: str) -> Any:
        return self.server.ask("POST", "/api/v1" + path, body, **self.headers(token))

    def headers(self, token: str) -> dict[str, str]:
        return {"authorization": f"Bearer {token}"} if token else {}

    def view(self, table: str, token: str) -> Json:
        found: Json = self.server.ask("GET", f"/api/v1/tables/{table}/view", None, **self.headers(token))
        return found

    def table(self) -> str:
        wanted: Json = {"ruleset": "game-of-kingdoms", "seats": 2, "policies": self.policies}
        table: str = self.post("/tables", wanted, self.tokens[0])["id"]
        for token in self.tokens:
            self.post(f"/tables/{table}/seats", {}, token)
        self.post(f"/tables/{table}/start", {}, self.tokens[0])
        return table

    def asked(self) -> Iterator[tuple[str, int, Json]]:
        """Yield (table, seat, command) without end.

        Each command must be sent before the next is drawn.
        """
        while True:
            table = self.table()
            while (view := self.view(table, self.tokens[0]))["status"] != "over":
                seat = view["view"]["asked"][0]
                if seat != 0:
                    view = self.view(table, self.tokens[seat])
                yield table, seat, {"expected_seq": view["seq"], "action": self.answer(view["choice"])}

    def answer(self, choice: Json) -> Json:
        offer = self.luck.choice(choice["offers"])
        subset = offer["subset"]
        return {"id": offer["id"], "subset": subset["pool"][: max(1, subset["least"])] if subset else []}

    def play(self, commands: int, cpu_now: Callable[[], float] | None = None) -> tuple[float, list[float]]:
        """Play a number of commands, one after another.

        Args:
            commands: the number of commands.
            cpu_now: returns the microseconds of CPU used so far; by default those of the server.

        Returns:
            Microseconds of CPU per command, and the seconds from each command until its response.
        """
        taken, cpu, cpu_now = [], 0.0, cpu_now or self.server.cpu
        for _, (table, seat, command) in zip(range(commands), self.questions, strict=False):
            before, start = cpu_now(), time.perf_counter()
            headers = {**self.headers(self.tokens[seat]), "idempotency-key": str(uuid4())}
            self.server.ask("POST", f"/api/v1/tables/{table}/commands", command, **headers)
            taken.append(time.perf_counter() - start)
            cpu += cpu_now() - before
        return cpu / commands, taken

    def play_by_socket(self, commands: int) -> list[float]:
        sockets = [self.connected(token) for token in self.tokens]
        taken = []
        for nth, (table, seat, command) in zip(range(commands), self.questions, strict=False):
            start = time.perf_counter()
            request: Json = {"id": str(nth), "type": "command", "table": table, "key": str(uuid4())}
            sockets[seat].send(json.dumps(request | command))
            answer = json.loads(sockets[seat].recv())
            taken.append(time.perf_counter() - start)
            if not answer["ok"]:
                raise RuntimeError(answer)
        for each in sockets:
            each.close()
        return taken

    def connected(self, token: str) -> ClientConnection:
        made = connect(f"ws://127.0.0.1:{self.server.ws_port}/", compression=None)
        made.send(json.dumps({"id": "0", "type": "hello", "token": token}))
        made.recv()
        return made
