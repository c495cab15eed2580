"""Threads may decode types for the first time without a crash."""
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest
from litestar.routes import HTTPRoute

from ludarium.api.app import routes
from ludarium_engine import registry
from ludarium_engine.kernel.decoding import prepared_types
from tests.services import first_decodes

ROOT = Path(__file__).parents[2]
RUFF = str(Path(sys.executable).with_name("ruff"))


def test_many_threads_decode_a_type_for_the_first_time_at_once() -> None:
    done = subprocess.run([sys.executable, "-m", "tests.services.first_decodes"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    types, _, ends = done.stdout.strip().partition(" ")
    assert int(types) > 300
    assert ends == f"{{0: {first_decodes.INTERPRETERS}}}"


def test_the_body_of_every_route_has_a_decoder() -> None:
    served = [route for route in routes(limited=False).routes if isinstance(route, HTTPRoute)]
    handlers = [handler for route in served for handler in route.route_handlers]
    bodies = [handler.parsed_data_field.annotation for handler in handlers if handler.parsed_data_field is not None]
    assert len(bodies) > 50
    assert [body for body in bodies if body not in prepared_types()] == []


def test_a_title_that_a_thread_loads_late_has_its_decoders() -> None:
    kemet = registry.titles()["kemet"]
    late = list[registry.AnyTitle]()
    thread = Thread(target=lambda: late.append(registry.provide("kemet", kemet.data + b"\n")))
    thread.start()
    thread.join()
    assert late[0].state is not kemet.state
    for title in (*registry.titles().values(), *late):
        assert [kind for kind in (title.state, title.options, title.file) if kind not in prepared_types()] == []


@pytest.mark.parametrize("file", [
    "services/src/ludarium/tables/new.py", "services/src/ludarium/new.py", "engine/src/ludarium_engine/titles/kemet/new.py",
    "eventstore/src/ludarium_eventstore/new.py", "pairing/src/ludarium_pairing/new.py",
])  # fmt: skip
@pytest.mark.parametrize("line", [
    "msgspec.convert({}, int)", "msgspec.json.decode(b'1', type=int)", "msgspec.msgpack.decode(b'1')",
    "msgspec.json.Decoder(int)", "msgspec.msgpack.Decoder(int)",
])  # fmt: skip
def test_the_linter_refuses_to_decode_elsewhere(file: str, line: str) -> None:
    code, command = f"import msgspec\n\nVALUE = {line}\n", [RUFF, "check", "--no-cache", "--stdin-filename", file, "-"]
    assert "TID251" in subprocess.run(command, cwd=ROOT, input=code, capture_output=True, text=True).stdout
