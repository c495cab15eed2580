"""Reserved ports are used by no outgoing connection and no other test process."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ports

OTHER = """
import sys
from pathlib import Path
from tests.support import ports

ports.FOLDER = Path(sys.argv[1])
print(*[ports.reserve() for _ in range(5)], flush=True)
input()
"""


def test_reserved_ports_differ_and_lie_outside_the_ephemeral_range() -> None:
    first, last = map(int, ports.EPHEMERAL.read_text().split())
    ours = [ports.reserve() for _ in range(5)]
    assert len({*ours}) == 5
    assert not [port for port in ours if first <= port <= last]


def test_another_process_gets_other_ports_until_it_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "FOLDER", tmp_path)
    ours = [ports.reserve() for _ in range(5)]
    command = [sys.executable, "-c", OTHER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        theirs = [*map(int, other.stdout.readline().split())]
        assert len({*ours, *theirs}) == 10
        assert [ports.locked(port) for port in theirs] == [None] * 5
        other.kill()
    assert None not in [ports.locked(port) for port in theirs]
